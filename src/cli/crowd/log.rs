//! The log of a crowd: a JSON object on each line.

use emberwalk_path::crowd::{CrowdEvent, UnitId};
use emberwalk_path::grid::Cell;
use serde::Serialize;

use super::orders::Order;
use crate::cli::error::CliError;
use crate::cli::output::{Output, OutputStream};

/// A line of the log. Times are in seconds, and costs in tiles.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Unit { unit: UnitId, at: Cell, goal: Cell },
    Step { unit: UnitId, from: Cell, to: Cell, start: f64, end: f64 },
    Leaves { unit: UnitId, leaves: f64 },
    Edit { edit: Cell, cost: Option<f64>, time: f64 },
}

/// The log, which is written while the crowd walks.
pub struct Log<'a> {
    out: OutputStream<'a>,
    orders: &'a [Order],
}

impl<'a> Log<'a> {
    pub fn new(output: &'a Output, orders: &'a [Order]) -> Result<Self, CliError> {
        Ok(Self { out: output.stream()?, orders })
    }

    /// Writes the next events.
    pub fn write(&mut self, events: &[CrowdEvent]) -> Result<(), CliError> {
        for event in events {
            let line = match *event {
                CrowdEvent::Added { unit, at, .. } => Line::Unit { unit, at, goal: self.orders[unit.index()].to },
                CrowdEvent::Step { unit, step } => {
                    let (start, end) = (step.start.seconds(), step.end.seconds());
                    Line::Step { unit, from: step.from, to: step.to, start, end }
                }
                CrowdEvent::Left { unit, time, .. } => Line::Leaves { unit, leaves: time.seconds() },
                CrowdEvent::CostSet { cell, cost, time } => {
                    Line::Edit { edit: cell, cost: cost.map(|cost| cost.tiles()), time: time.seconds() }
                }
                _ => continue,
            };
            self.out.print_json(&line)?;
        }
        Ok(())
    }

    /// Ends the log.
    pub fn finish(self) -> Result<(), CliError> {
        self.out.finish()
    }
}
