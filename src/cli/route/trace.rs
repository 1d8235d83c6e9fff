//! Writes the events of a search, one JSON object per line.

use std::io::{self, Write};

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{Opened, Recording, SearchEvent};
use serde::Serialize;

use crate::cli::error::{CliError, tell};
use crate::cli::output::{Output, print_json, stdout};

/// A line of a trace. Costs are in tiles.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Line {
    Opened { cell: Cell, parent: Option<Cell>, g: f64, h: f64, f: f64 },
    Closed { cell: Cell, g: f64 },
    Found { cost: f64, steps: usize },
    Exhausted,
    Stopped { events: usize },
}

impl From<SearchEvent> for Line {
    fn from(event: SearchEvent) -> Self {
        match event {
            SearchEvent::Opened(Opened { cell, parent, g, h, f, .. }) => {
                Self::Opened { cell, parent, g: g.tiles(), h: h.tiles(), f: f.tiles() }
            }
            SearchEvent::Closed(closed) => Self::Closed { cell: closed.cell, g: closed.g.tiles() },
        }
    }
}

/// Writes the events of a recording, and the end of the search.
pub fn write(output: &Output, recording: &Recording) -> Result<(), CliError> {
    if !recording.is_complete() {
        tell("note", &format!("the trace ends after {} events, the largest number that is recorded", recording.len()));
    }
    if output.is_stdout() {
        // Line by line, because a reader may stop long before the end.
        let mut out = stdout();
        write_lines(&mut out, recording)?;
        return Ok(out.flush()?);
    }
    let mut lines = Vec::new();
    write_lines(&mut lines, recording)?;
    output.write(&lines)
}

fn write_lines(out: &mut impl Write, recording: &Recording) -> io::Result<()> {
    let end = match recording.result().route {
        _ if !recording.is_complete() => Line::Stopped { events: recording.len() },
        Some(route) => Line::Found { cost: route.cost.tiles(), steps: route.steps() },
        None => Line::Exhausted,
    };
    for line in recording.events().map(Line::from).chain([end]) {
        print_json(out, &line)?;
    }
    Ok(())
}
