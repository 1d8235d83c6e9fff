//! Tests of the library, one module for each subject, of the program in `cli`, and of the documents in `pages`.

mod agent_images;
#[cfg(feature = "cli")]
mod cli;
mod lessons;
mod link;
mod pages;
mod random_traces;

use emberwalk_testing as support;
