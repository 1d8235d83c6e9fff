//! Reports of what is wrong in a file that people write: where, what, and how to fix it.

mod affected_cells;
mod collector;
mod counted;
mod diagnostic;
mod escape;
mod image_error;
mod misread_text;
mod report;
mod ron_messages;
mod ron_tokens;
mod source_text;
mod struct_schema;
mod suggestion;
mod syntax_error;
mod syntax_error_finder;
mod text_position;

pub(crate) use affected_cells::AffectedCells;
pub(crate) use collector::DiagnosticCollector;
pub use counted::counted;
pub use diagnostic::{Diagnostic, Diagnostics, SourceLocation};
pub use escape::escape_invisible;
pub(crate) use image_error::describe_image_error;
pub(crate) use ron_tokens::comma_after;
#[cfg(feature = "game")]
pub(crate) use source_text::read_bytes;
pub(crate) use source_text::{BYTE_ORDER_MARK, IMPORT_HELP, decode_text};
pub use source_text::{read_error, read_text, read_text_from};
pub(crate) use struct_schema::StructSchema;
pub use suggestion::closest_match;
