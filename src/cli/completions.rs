//! `emberwalk completions` and `emberwalk man`: files that a package installs with the program.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::error::{CliError, ExitStatus};
use super::output::{cannot_write, print_text};
use super::usage::unknown_command;

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
        print_text(&script)
    }
}

/// Print the manual page of the program or of a command, or write all pages
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk man | man -l -\n  emberwalk man route > emberwalk-route.1\n  \
                        emberwalk man --dir ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The command; by default, print the page of the program
    command: Option<String>,
    /// Write all pages to this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

impl ManArgs {
    /// Prints or writes manual pages of `program`.
    pub fn run(self, program: Command) -> Result<ExitStatus, CliError> {
        // `build` gives the commands their full names.
        let mut program = program.disable_help_subcommand(true);
        program.build();
        if let Some(dir) = self.dir {
            let written = write_pages(&program, &dir);
            return written.map(|()| ExitStatus::Success).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => CliError::Message(format!("{} is a file, not a folder", dir.display())),
                _ => cannot_write(&dir, &error),
            });
        }
        let command = match &self.command {
            None => &program,
            Some(name) => program.find_subcommand(name).ok_or_else(|| {
                let commands: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
                CliError::Message(unknown_command(name, &commands))
            })?,
        };
        print_text(page(command)?.1.as_bytes())
    }
}

/// Writes the pages of the program and of all its commands to a folder.
fn write_pages(program: &Command, dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for command in program.get_subcommands().chain([program]) {
        let (name, text) = page(command)?;
        fs::write(dir.join(name), text)?;
    }
    Ok(())
}

/// The name and the text of a manual page.
fn page(command: &Command) -> io::Result<(String, String)> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = command.clone().override_usage(synopsis(command)).after_help(Resettable::Reset);
    let page = Man::new(command).source(concat!("Emberwalk ", env!("CARGO_PKG_VERSION"))).manual("Emberwalk");
    let mut text = Vec::new();
    page.render(&mut text)?;
    // Hyphens in the names of values would be misleading.
    let text = String::from_utf8_lossy(&text).replacen(".SH SYNOPSIS", ".nh\n.ad l\n.SH SYNOPSIS", 1);
    Ok((page.get_filename(), text + &notes(&help).to_roff()))
}

/// The command line with all options and their possible values.
fn synopsis(command: &Command) -> String {
    let mut words = vec![command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned()];
    let (arguments, options): (Vec<_>, Vec<_>) =
        command.get_arguments().filter(|arg| !arg.is_hide_set()).partition(|arg| arg.is_positional());
    for arg in options.into_iter().chain(arguments) {
        let values: Vec<_> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        let names: Vec<_> = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
        let value = if values.is_empty() || arg.is_positional() { names.join(" ") } else { values.join("|") };
        let takes_value = arg.get_action().takes_values();
        let name = arg.get_long().map(|long| format!("--{long}"));
        let word = name.into_iter().chain(takes_value.then_some(value)).collect::<Vec<_>>().join(" ");
        words.push(if arg.is_required_set() { word } else { format!("[{word}]") });
    }
    if command.has_subcommands() {
        words.push("[COMMAND ...]".to_owned());
    }
    words.join(" ")
}

/// The sections for the text after the options: examples as they are, and paragraphs.
fn notes(text: &str) -> Roff {
    let mut roff = Roff::default();
    let mut is_first = true;
    for paragraph in text.split("\n\n") {
        if let Some(examples) = paragraph.strip_prefix("Examples:\n") {
            roff.control("SH", ["EXAMPLES"]);
            roff.control("nf", []);
            for line in examples.lines() {
                roff.text([roman(line.trim())]);
            }
            roff.control("fi", []);
            continue;
        }
        let macro_name = if is_first { "SH" } else { "PP" };
        roff.control(macro_name, is_first.then_some("NOTES"));
        is_first = false;
        for (k, line) in paragraph.lines().enumerate() {
            if k > 0 {
                roff.control("br", []);
            }
            roff.text([roman(line)]);
        }
    }
    roff
}
