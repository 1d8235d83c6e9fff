//! The program: reads its command line, does what it says, and turns the result into an exit status.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::read(std::env::args_os());
    cli::log_to_stderr();
    cli.run().unwrap_or_else(|failure| failure.report()).into()
}
