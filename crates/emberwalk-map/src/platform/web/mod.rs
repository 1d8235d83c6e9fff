//! The files of the web version, and the browser's storage.

#[doc(hidden)]
pub mod files;
pub mod output_file;
mod recovery_file;

pub use recovery_file::{RecoveryFile, state_folder};
