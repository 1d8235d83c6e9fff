//! The command line: one file for each command, and their shared code.

mod animate;
mod animation_file;
mod check;
mod colour;
mod completions;
mod crowd;
mod day;
mod error;
mod eruption;
mod export;
mod generate;
mod ground;
mod import;
mod input;
mod judge;
#[cfg(all(feature = "game", unix, not(target_os = "macos")))]
mod lost_display;
#[cfg(all(feature = "game", target_os = "linux", target_env = "gnu"))]
mod malloc;
mod maps;
mod output;
mod planning_args;
mod progress;
mod render;
mod replay;
mod route;
mod scenario;
mod solve;
mod travellers;
mod usage;
mod window;

use std::ffi::OsString;
use std::fmt;
use std::io::stderr;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use emberwalk_map::diagnostics::escape_invisible;
use tracing::field::Field;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::format::{Writer, debug_fn};

use colour::use_colour;
use error::{CliError, ExitStatus};

/// An isometric game demo that shows why a route is the cheapest.
///
/// Without a command, it opens a map in a window. Click a cell, and the traveller takes the cheapest route to it.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
    after_help = "Examples:\n  emberwalk                        opens the valley\n  emberwalk figures/road           \
                  opens another bundled map\n  emberwalk my.ron                 opens your own map\n  \
                  emberwalk route valley --erupting\n\n\
                  To open a map that has the name of a command, write its path: emberwalk ./route\n\
                  In place of a file name, - is standard input or output.\n\n\
                  Exit status: 0 success, 1 no route, 2 invalid input or usage."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// When to print in colour; auto means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(flatten)]
    window: window::WindowArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    Route(route::RouteArgs),
    Render(render::RenderArgs),
    Animate(animate::AnimateArgs),
    Maps(maps::MapsArgs),
    Check(check::CheckArgs),
    Import(import::ImportArgs),
    Export(export::ExportArgs),
    Solve(solve::SolveArgs),
    Generate(generate::GenerateArgs),
    Scenario(scenario::ScenarioArgs),
    Crowd(crowd::CrowdArgs),
    Replay(replay::ReplayArgs),
    Judge(judge::JudgeArgs),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

impl Cli {
    /// Parses the command line, whose first word is the name of the program. Exits with a message if it is invalid or
    /// asks for help.
    pub fn from_args(args: impl IntoIterator<Item = OsString>) -> Self {
        usage::parse(&colour::take_color_option(args))
    }

    /// Runs the command, or opens the window if there is no command.
    pub fn run(self) -> Result<ExitStatus, CliError> {
        match self.command {
            None => self.window.run(),
            Some(Command::Route(args)) => args.run(),
            Some(Command::Render(args)) => args.run(),
            Some(Command::Animate(args)) => args.run(),
            Some(Command::Maps(args)) => args.run(),
            Some(Command::Check(args)) => args.run(),
            Some(Command::Import(args)) => args.run(),
            Some(Command::Export(args)) => args.run(),
            Some(Command::Solve(args)) => args.run(),
            Some(Command::Generate(args)) => args.run(),
            Some(Command::Scenario(args)) => args.run(),
            Some(Command::Crowd(args)) => args.run(),
            Some(Command::Replay(args)) => args.run(),
            Some(Command::Judge(args)) => args.run(),
            Some(Command::Completions(args)) => args.run(Self::command()),
            Some(Command::Man(args)) => args.run(Self::command()),
        }
    }
}

/// Writes a field of a log line. Names of files in it may have characters that a terminal would interpret.
fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let value = format!("{value:?}");
    let value = escape_invisible(&value);
    match field.name() {
        "message" => write!(writer, "{value}"),
        name => write!(writer, "{name}={value}"),
    }
}

/// Sends the log to standard error. `RUST_LOG` sets its level.
pub fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,emberwalk=info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(use_colour(&stderr()));
    let log = log.fmt_fields(debug_fn(write_field).delimited(" "));
    // If standard error is closed, a log error could not be reported either.
    log.log_internal_errors(false).init();
}
