//! Reports errors in files that people write: the place, the error, and how to fix it.

mod affected_cells;
mod collector;
mod command_line;
mod counted;
mod diagnostic;
mod escape;
mod misread_text;
mod report;
mod ron_list;
mod ron_messages;
mod ron_tokens;
mod source_text;
mod struct_schema;
mod suggestion;
mod syntax_error;
mod syntax_error_finder;
mod text_position;

pub(crate) use affected_cells::AffectedCells;
pub use collector::DiagnosticCollector;
pub use command_line::{import_command, import_help, plan_help, replay_help, shell_argument};
pub use counted::{as_sentence, capitalised, counted, listed};
pub use diagnostic::{Diagnostic, Diagnostics, SourceLocation};
pub use escape::escape_invisible;
pub use ron_list::{RonList, ron_list};
pub(crate) use ron_tokens::comma_after;
pub use ron_tokens::ron_comments;
pub use source_text::{
    BYTE_ORDER_MARK, decode_map, decode_text, read_bytes, read_bytes_from, read_error, read_text, read_up_to,
};
pub(crate) use struct_schema::{FieldSchema, FieldText, Fields, StructSchema};
pub use suggestion::closest_match;
pub use text_position::text_lines;
