//! The command line: one file a command.

mod check;
mod colour;
mod completions;
mod export;
mod failure;
mod generate;
mod import;
mod io;
mod maps;
mod output;
mod planning;
mod progress;
mod render;
mod route;
mod scenario;
mod solve;
mod window;

use std::ffi::OsString;
use std::io::stderr;

use clap::{ColorChoice, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use colour::colour;
use failure::{Failure, Status};

/// An isometric game demo that shows why a way is the cheapest.
///
/// Without a command it opens a map in a window: click a tile, and the traveller takes the cheapest way there.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
    after_help = "Examples:\n  emberwalk                        opens the valley\n  emberwalk figures/road           \
                  opens another bundled map\n  emberwalk my.ron                 opens a map of your own\n  \
                  emberwalk route valley --erupting\n\n\
                  A map whose name is that of a command is opened by its path: emberwalk ./route\n\
                  Where a file goes, - is standard input or output.\n\n\
                  Exit status: 0 done, 1 no route exists, 2 bad input or usage."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Whether to print in colour; auto does on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(flatten)]
    window: window::WindowArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    Route(route::RouteArgs),
    Render(render::RenderArgs),
    Maps(maps::MapsArgs),
    Check(check::CheckArgs),
    Import(import::ImportArgs),
    Export(export::ExportArgs),
    Solve(solve::SolveArgs),
    Generate(generate::GenerateArgs),
    Scenario(scenario::ScenarioArgs),
    #[command(hide = true)]
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    Man(completions::ManArgs),
}

impl Cli {
    /// Reads the command line, whose first word is the program's name; ends the program where that is no command line.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Self {
        Self::parse_from(colour::chosen(args))
    }

    /// Does what the command line says.
    pub fn run(self) -> Result<Status, Failure> {
        match self.command {
            None => self.window.run(),
            Some(Command::Route(args)) => args.run(),
            Some(Command::Render(args)) => args.run(),
            Some(Command::Maps(args)) => args.run(),
            Some(Command::Check(args)) => args.run(),
            Some(Command::Import(args)) => args.run(),
            Some(Command::Export(args)) => args.run(),
            Some(Command::Solve(args)) => args.run(),
            Some(Command::Generate(args)) => args.run(),
            Some(Command::Scenario(args)) => args.run(),
            Some(Command::Completions(args)) => args.run(),
            Some(Command::Man(args)) => args.run(),
        }
    }
}

/// Sends what the program tells of itself to standard error; `RUST_LOG` says how much of it.
pub fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,emberwalk=info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(colour(&stderr()));
    // Where standard error is closed there is nobody to tell that the log cannot be written.
    log.log_internal_errors(false).init();
}
