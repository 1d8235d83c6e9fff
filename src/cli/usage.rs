//! Parses the command line, and describes mistakes that the parser reports only in general words.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error, Parser};
use emberwalk_map::BundledMap;
use emberwalk_map::diagnostics::{closest_match, escape_invisible};

use super::Cli;
use super::error::CliError;
use super::input::is_dash;

/// Parses the arguments, the first of which is the name of the program. Exits with a message if they are invalid or ask
/// for help.
pub fn parse(args: &[OsString]) -> Cli {
    let parsed = Cli::try_parse_from(args);
    let mistake = match &parsed {
        // The map may really be a command that is misspelt or comes after options.
        Ok(Cli { command: None, window, .. }) if !is_map(&window.map) => describe(args, None),
        Err(error) => match error.kind() {
            ErrorKind::ArgumentConflict | ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument => {
                describe(args, Some(error))
            }
            _ => None,
        },
        Ok(_) => None,
    };
    match (mistake, parsed) {
        (Some(message), _) => end(&Cli::command().error(ErrorKind::InvalidSubcommand, escape_invisible(&message))),
        (None, Ok(parsed)) => parsed,
        (None, Err(error)) => end(&printable(error, args)),
    }
}

/// The error without characters that a terminal would interpret. The parser quotes arguments as they are, so that its
/// error for the escaped arguments is the same error in printable characters.
fn printable(error: Error, args: &[OsString]) -> Error {
    let texts: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let escaped: Vec<_> = texts.iter().map(|text| escape_invisible(text)).collect();
    if !error.use_stderr() || escaped.iter().zip(&texts).all(|(escaped, text)| escaped == text) {
        return error;
    }
    match Cli::try_parse_from(escaped.iter().map(AsRef::as_ref)) {
        Err(printable) if printable.kind() == error.kind() => printable,
        // The invisible characters are themselves the mistake.
        _ => Cli::command().error(error.kind(), escape_invisible(&first_line(&error))),
    }
}

/// The first line of the error, which describes it, without its label.
fn first_line(error: &Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split_once("\n\n").map_or(text, |(first, _)| first).to_owned()
}

/// Prints the error or the requested help, and ends the program.
fn end(error: &Error) -> ! {
    let printed = error.print().and_then(|()| io::stdout().flush());
    process::exit(match printed {
        Err(failure) if !error.use_stderr() && failure.kind() != io::ErrorKind::BrokenPipe => {
            CliError::from(failure).report() as i32
        }
        _ => error.exit_code(),
    })
}

/// Describes the mistake in arguments that the parser refused with `error`, or that name a map that does not exist.
/// Returns `None` if there is no better description.
fn describe(args: &[OsString], error: Option<&Error>) -> Option<String> {
    let words: Vec<_> = args.iter().skip(1).map(|arg| arg.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let program = Cli::command();
    let commands: Vec<_> = program.get_subcommands().map(|command| command.get_name()).chain(["help"]).collect();
    let first = *words.first()?;
    if first == "help" {
        let name = words.get(1).filter(|name| !commands.contains(name))?;
        return Some(unknown_command(name, &commands));
    }
    if commands.contains(&first) {
        return None;
    }
    if !first.starts_with('-') && !is_map(Path::new(first)) {
        let has_name_of_file = first.contains(['.', '/', '\\']);
        let is_similar = !has_name_of_file && closest_match(first, &commands).is_some();
        let has_argument = words.get(1).is_some_and(|next| !next.starts_with('-'));
        let is_command = is_similar || has_argument && BundledMap::most_similar(first).is_none();
        if is_command || !has_argument {
            return is_command.then(|| unknown_command(first, &commands));
        }
    }
    let mut before_dashes = words.iter().take_while(|word| **word != "--");
    if let Some(at) = before_dashes.position(|word| commands.contains(word)) {
        let mut ordered = words.clone();
        ordered[..=at].rotate_right(1);
        let rule = if first.starts_with('-') { "options go after the command" } else { "the command goes first" };
        return Some(format!("{rule}: `emberwalk {}`", ordered.join(" ")));
    }
    match error?.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => Some(format!(
            "unexpected argument '{word}': one map is opened at a time; `emberwalk --help` lists the commands"
        )),
        _ => None,
    }
}

/// The message for a command that does not exist.
pub fn unknown_command(name: &str, commands: &[&str]) -> String {
    match closest_match(name, commands) {
        Some(similar) => format!("there is no command `{name}`; did you mean `{similar}`?"),
        None => format!("there is no command `{name}`; `emberwalk --help` lists the commands"),
    }
}

/// Whether the program can try to open a map at this path.
fn is_map(path: &Path) -> bool {
    is_dash(path) || path.exists() || BundledMap::for_path(path).is_some()
}
