//! The program: parses the command line, runs the command, and returns its exit status.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::from_args(std::env::args_os());
    cli::log_to_stderr();
    cli.run().unwrap_or_else(|error| error.report()).into()
}
