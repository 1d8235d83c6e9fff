//! Writes the events of a search, one JSON object per line, or as a search trace of Posthoc.

use std::collections::HashSet;
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

/// What a search trace of Posthoc has before its events: a square for each cell, in the colour of its last event.
const POSTHOC_HEAD: &str = "\
version: 1.4.0
views:
  main:
    - $: rect
      x: ${{ $.x }}
      y: ${{ $.y }}
      width: 1
      height: 1
      fill: ${{ color[$.type] }}
pivot:
  x: ${{ $.x + 0.5 }}
  y: ${{ $.y + 0.5 }}
  scale: 1
events:
";

/// Writes the events of a recording, and the end of the search. A file whose name ends with `.yaml` or `.yml` is for Posthoc.
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
    if output.has_extension(&["yaml", "yml"]) {
        write_posthoc(&mut lines, recording)?;
    } else {
        write_lines(&mut lines, recording)?;
    }
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

/// Writes the events as <https://posthoc.pathfinding.ai/docs/search-trace> has them. A closed cell is `expanding`, and then
/// `closing` when its successors have been opened.
fn write_posthoc(out: &mut impl Write, recording: &Recording) -> io::Result<()> {
    write!(out, "{POSTHOC_HEAD}")?;
    let place = |kind: &str, cell: Cell| format!("  - {{ type: {kind}, id: \"{cell}\", x: {}, y: {}", cell.x, cell.y);
    let query = recording.query();
    writeln!(out, "{} }}\n{} }}", place("source", query.from), place("destination", query.to))?;
    let (mut seen, mut expanded) = (HashSet::new(), None);
    for event in recording.events() {
        match event {
            SearchEvent::Opened(Opened { cell, parent, g, h, f, .. }) => {
                let kind = if seen.insert(cell) { "generating" } else { "updating" };
                let parent = parent.map_or("null".into(), |parent| format!("\"{parent}\""));
                let [g, h, f] = [g, h, f].map(|cost| cost.tiles());
                writeln!(out, "{}, pId: {parent}, g: {g}, h: {h}, f: {f} }}", place(kind, cell))?;
            }
            SearchEvent::Closed(closed) => {
                if let Some(last) = expanded.replace(closed.cell) {
                    writeln!(out, "{} }}", place("closing", last))?;
                }
                writeln!(out, "{}, g: {} }}", place("expanding", closed.cell), closed.g.tiles())?;
            }
        }
    }
    match recording.result().route {
        Some(route) => writeln!(out, "{}, g: {} }}", place("end", query.to), route.cost.tiles()),
        None => expanded.map_or(Ok(()), |last| writeln!(out, "{} }}", place("closing", last))),
    }
}
