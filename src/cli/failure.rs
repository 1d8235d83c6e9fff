//! How a command ends, well or badly, as an exit status and a message.

use std::io::{self, Write};
use std::process::ExitCode;

use emberwalk::diagnostics::{Diagnostics, escape_invisible};

use super::colour::colour;

/// The exit status of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All was done.
    Done = 0,
    /// No route exists.
    NoRoute = 1,
    /// The input or the command line was bad.
    Bad = 2,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a command could not be done.
#[derive(Debug)]
pub enum Failure {
    /// A file has faults.
    Diagnostics(Diagnostics),
    /// Anything else, as a message for the user.
    Message(String),
    /// Results could not be written.
    Output(io::Error),
}

impl Failure {
    /// Tells the user on standard error.
    pub fn report(self) -> Status {
        let mut stderr = io::stderr().lock();
        // Where even standard error is closed the exit status alone must do.
        let _ = match self {
            Self::Output(error) => writeln!(stderr, "error: the result cannot be written: {error}"),
            Self::Message(message) => writeln!(stderr, "error: {}", escape_invisible(&message)),
            Self::Diagnostics(faults) => {
                let report = faults.report(colour(&stderr));
                stderr.write_all(report.as_bytes())
            }
        };
        Status::Bad
    }
}

impl From<Diagnostics> for Failure {
    fn from(faults: Diagnostics) -> Self {
        Self::Diagnostics(faults)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
