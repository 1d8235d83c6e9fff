//! The command line: one file a command.

mod check;
mod export;
mod failure;
mod import;
mod input;
mod generate;
mod maps;
mod output;
mod planning;
mod progress;
mod render;
mod route;
mod scenario;
mod solve;
mod window;

use std::io::{self, IsTerminal};

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

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
                  A map whose name is that of a command is opened by its path: emberwalk ./route\n\n\
                  Exit status: 0 done, 1 no route exists, 2 bad input or usage."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
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
}

impl Cli {
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
        }
    }
}

/// Sends what the program tells of itself to standard error; `RUST_LOG` says how much of it.
pub fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,emberwalk=info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(colour(&io::stderr())).init();
}

/// Whether what goes to `stream` is coloured: on a terminal, unless the user wants none.
fn colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
