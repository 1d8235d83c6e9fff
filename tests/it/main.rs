//! Tests of the library, one module for each subject, and of the program in `cli`.

#[cfg(feature = "cli")]
mod cli;
mod lessons;
mod link;

use emberwalk_testing as support;
