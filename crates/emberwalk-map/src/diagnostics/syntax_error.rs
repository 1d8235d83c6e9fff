//! A syntax error in a RON file.

use std::ops::Range;

/// A syntax error and its fix.
pub(super) struct SyntaxError {
    pub span: Range<usize>,
    pub message: String,
    pub help: String,
}

impl SyntaxError {
    pub fn new(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: help.into() }
    }
}
