//! Tests of the crate, one module for each subject.

mod hours;
mod recording;
mod timeline;
mod town;

use emberwalk_testing as support;
