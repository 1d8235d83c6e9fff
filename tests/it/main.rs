//! Tests of the library, one module for each subject, of the program in `cli`, and of the documents in `pages`.

#[cfg(feature = "cli")]
mod cli;
mod lessons;
mod link;
mod pages;
mod recorder;
mod recording;
mod town;

use emberwalk_testing as support;
