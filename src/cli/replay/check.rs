//! Checks that a recording replays identically.

use std::io::Write;
use std::time::Instant;

use emberwalk_map::diagnostics::{counted, escape_invisible};
use emberwalk_world::{Recording, check, shown_seconds};

use super::source::Source;
use crate::cli::error::{CliError, ExitStatus, tell};
use crate::cli::output::stdout;
use crate::cli::progress::Progress;

/// Plays a recording, compares its hashes, and prints the result.
pub fn run(source: &Source, recording: &Recording) -> Result<ExitStatus, CliError> {
    let Source { name, tileset, .. } = source;
    let duration = recording.duration();
    let progress = Progress::new();
    progress.stage("playing", Some(duration.seconds() as u64));
    let start = Instant::now();
    let difference = check(recording, tileset, |time| progress.set_position(time.seconds() as u64));
    let elapsed = start.elapsed().as_secs_f64();
    drop(progress);
    let difference = difference.map_err(|error| CliError::Message(format!("{name}: {error}")))?;
    let mut out = stdout();
    let name = escape_invisible(name);
    if let Some(difference) = difference {
        let text = format!("{}: {difference}", escape_invisible(&source.place_of(recording, &difference)?));
        for (number, line) in text.lines().enumerate() {
            writeln!(out, "{}{}", if number > 0 { "  " } else { "" }, escape_invisible(line.trim_start()))?;
        }
        out.flush()?;
        source.tell_origin(recording);
        return Ok(ExitStatus::NoRoute);
    }
    let hashes = recording.hashes();
    let orders = counted(recording.orders(), "order");
    if hashes == 0 {
        tell("note", "the recording has no hashes, so nothing was compared");
    }
    let hashes = if hashes == 1 { "1 hash".to_owned() } else { format!("{hashes} hashes") };
    let times = duration.seconds() / elapsed.max(1e-9);
    let duration = shown_seconds(duration);
    writeln!(out, "{name}: ok, {duration} s with {orders} and {hashes}, checked {times:.0} times as fast as played")?;
    out.flush()?;
    Ok(ExitStatus::Success)
}
