//! `emberwalk completions` and `emberwalk man`: files that a package installs with the program.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::error::{CliError, ExitStatus};
use super::output::stdout;

/// Print the completion script for a shell
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  emberwalk completions bash > ~/.local/share/bash-completion/completions/emberwalk\n  \
                        emberwalk completions fish > ~/.config/fish/completions/emberwalk.fish"
)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the completion script of `program`.
    pub fn run(self, mut program: Command) -> Result<ExitStatus, CliError> {
        // `generate` panics if it cannot write, which happens when standard output is closed.
        let mut script = Vec::new();
        generate(self.shell, &mut program, "emberwalk", &mut script);
        print(&script)
    }
}

/// Print the manual page of the program or of a command, or write all pages
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk man | man -l -\n  emberwalk man route > emberwalk-route.1\n  \
                        emberwalk man --dir ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The command; by default, the page is that of the program
    command: Option<String>,
    /// Write all pages to this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

impl ManArgs {
    /// Prints or writes manual pages of `program`.
    pub fn run(self, mut program: Command) -> Result<ExitStatus, CliError> {
        if let Some(dir) = self.dir {
            let written = fs::create_dir_all(&dir).and_then(|()| clap_mangen::generate_to(program, &dir));
            let error = |error: io::Error| CliError::Message(format!("{} cannot be written: {error}", dir.display()));
            return written.map(|()| ExitStatus::Success).map_err(error);
        }
        // `build` gives the commands their full names.
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
                CliError::Message(format!("there is no command {name:?}; `emberwalk --help` lists the commands"))
            })?,
        };
        let mut text = Vec::new();
        Man::new(page).render(&mut text)?;
        print(&text)
    }
}

fn print(text: &[u8]) -> Result<ExitStatus, CliError> {
    let mut out = stdout();
    out.write_all(text)?;
    out.flush()?;
    Ok(ExitStatus::Success)
}
