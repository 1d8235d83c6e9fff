//! Tests of the crate, one module for each subject.

mod generate;

use emberwalk_testing as support;
