//! The log of a crowd: a JSON object on each line.

use emberwalk_path::crowd::{CrowdEvent, UnitId};
use emberwalk_path::grid::Cell;
use serde::Serialize;

use super::orders::Order;
use crate::cli::error::CliError;
use crate::cli::output::{Output, print_json};

/// A line of the log. Times are in seconds, and costs in tiles.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Unit { unit: UnitId, at: Cell, goal: Cell },
    Step { unit: UnitId, from: Cell, to: Cell, start: f64, end: f64 },
    Leaves { unit: UnitId, leaves: f64 },
    Edit { edit: Cell, cost: Option<f64>, time: f64 },
}

/// Writes the log of all events.
pub fn write(output: &Output, orders: &[Order], events: &[CrowdEvent]) -> Result<(), CliError> {
    let mut text = Vec::new();
    let lines = events.iter().filter_map(|event| match *event {
        CrowdEvent::Added { unit, at, .. } => Some(Line::Unit { unit, at, goal: orders[unit.index()].to }),
        CrowdEvent::Step { unit, step } => {
            let (start, end) = (step.start.seconds(), step.end.seconds());
            Some(Line::Step { unit, from: step.from, to: step.to, start, end })
        }
        CrowdEvent::Left { unit, time, .. } => Some(Line::Leaves { unit, leaves: time.seconds() }),
        CrowdEvent::CostSet { cell, cost, time } => {
            Some(Line::Edit { edit: cell, cost: cost.map(|cost| cost.tiles()), time: time.seconds() })
        }
        _ => None,
    });
    for line in lines {
        print_json(&mut text, &line)?;
    }
    output.write(&text)
}
