//! `emberwalk completions` and `emberwalk man`: what a package installs beside the program.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::Cli;
use super::failure::{Failure, Status};
use super::output::stdout;

/// Print the completions of a shell
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
    pub fn run(self) -> Result<Status, Failure> {
        // Not straight to standard output: it would not bear that this is closed.
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "emberwalk", &mut script);
        print(&script)
    }
}

/// Print the manual page of the program or of a command, or write all of them
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk man | man -l -\n  emberwalk man route > emberwalk-route.1\n  \
                        emberwalk man --dir ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The command; without one it is the page of the program
    command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

impl ManArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let mut program = Cli::command();
        if let Some(dir) = self.dir {
            let written = fs::create_dir_all(&dir).and_then(|()| clap_mangen::generate_to(program, &dir));
            let told = |error: io::Error| Failure::Message(format!("{} cannot be written: {error}", dir.display()));
            return written.map(|()| Status::Done).map_err(told);
        }
        // Building it gives the commands their full names.
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
                Failure::Message(format!("there is no command {name:?}; `emberwalk --help` lists them"))
            })?,
        };
        let mut text = Vec::new();
        Man::new(page).render(&mut text)?;
        print(&text)
    }
}

fn print(text: &[u8]) -> Result<Status, Failure> {
    let mut out = stdout();
    out.write_all(text)?;
    out.flush()?;
    Ok(Status::Done)
}
