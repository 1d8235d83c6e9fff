//! A syntax error in a RON file.

use std::ops::Range;

/// A syntax error and its fix.
pub(super) struct SyntaxError {
    pub span: Range<usize>,
    pub message: String,
    pub help: String,
}
