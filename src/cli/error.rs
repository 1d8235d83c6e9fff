//! The exit status of the program, and the errors that end a command.

use std::io::{self, Write};
use std::process::ExitCode;

use emberwalk_map::diagnostics::{Diagnostics, escape_invisible};
use emberwalk_map::output_file;

use super::colour::use_colour;

/// The exit status of the program. A worse outcome has a higher number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// The command succeeded.
    Success = 0,
    /// There is no route, the planner gave a wrong answer, a crowd broke its rules, a recording does not replay
    /// identically, or a judged search has mistakes.
    NoRoute = 1,
    /// The input or the command line is invalid, or a result cannot be written.
    Error = 2,
    /// The window was closed with Ctrl+C in its terminal: 128 and the number of the signal, as shells have it.
    Interrupted = 130,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum CliError {
    /// A file is invalid.
    Diagnostics(Diagnostics),
    /// Anything else, as a message for the user.
    Message(String),
    /// The result cannot be written.
    Output(io::Error),
}

impl CliError {
    /// Prints the error to standard error, and returns the exit status for it.
    pub fn report(self) -> ExitStatus {
        let mut stderr = io::stderr().lock();
        // If standard error is closed too, only the exit status can report the error.
        let _ = match self {
            Self::Output(error) => {
                writeln!(stderr, "error: the result cannot be written: {}", output_file::reason(&error))
            }
            Self::Message(message) => writeln!(stderr, "error: {}", escape_invisible(&message)),
            Self::Diagnostics(diagnostics) => {
                let report = diagnostics.report(use_colour(&stderr));
                stderr.write_all(report.as_bytes())
            }
        };
        ExitStatus::Error
    }
}

/// Prints a message that is not an error to standard error. `kind` is `note` or `warning`.
pub fn tell(kind: &str, message: &str) {
    // If standard error is closed, nobody is listening.
    let _ = writeln!(io::stderr(), "{kind}: {}", escape_invisible(message));
}

impl From<Diagnostics> for CliError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Diagnostics(diagnostics)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
