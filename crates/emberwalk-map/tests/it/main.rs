//! Tests of the crate, one module for each subject.

mod climbs;
mod costs;
mod edits;
mod figures;
mod hours;
mod map_files;
mod output_file;
mod painting;
mod patch;
mod recovery;
mod resize;

use emberwalk_testing as support;
