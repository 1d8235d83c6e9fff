//! Tests of the crate, one module for each subject.

mod announced;
mod gates;
mod hours;
mod outlook;
mod recording;
mod timeline;
mod town;

use emberwalk_testing as support;
