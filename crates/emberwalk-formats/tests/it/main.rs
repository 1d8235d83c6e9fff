//! Tests of the crate, one module for each subject.

mod diagnostics;
mod fuzzed_input;
mod heights;
mod import;
mod moving_ai;
mod picture_files;
mod picture_mazes;
mod tiled_export;
mod tiled_import;

use emberwalk_testing as support;
