//! The files of a desktop.

#[doc(hidden)]
pub mod files;
pub mod output_file;
mod recovery_file;

pub use recovery_file::{RecoveryFile, state_folder};
