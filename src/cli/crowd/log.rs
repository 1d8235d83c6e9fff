//! The log of a crowd: a JSON object on each line.

use emberwalk_path::crowd::{AgentId, CrowdEvent};
use emberwalk_path::grid::Cell;
use serde::Serialize;

use super::orders::Order;
use crate::cli::error::CliError;
use crate::cli::output::{Output, OutputStream};

/// A line of the log. Times are in seconds, and costs in tiles. Programs that read logs know an agent as `unit`.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Agent { unit: AgentId, at: Cell, goal: Cell },
    Step { unit: AgentId, from: Cell, to: Cell, start: f64, end: f64 },
    Leaves { unit: AgentId, leaves: f64 },
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
                CrowdEvent::Added { agent, at, .. } => {
                    Line::Agent { unit: agent, at, goal: self.orders[agent.index()].to }
                }
                CrowdEvent::Step { agent, step } => {
                    let start = step.start.seconds();
                    let end = step.end.seconds();
                    Line::Step { unit: agent, from: step.from, to: step.to, start, end }
                }
                CrowdEvent::Left { agent, time, .. } => Line::Leaves { unit: agent, leaves: time.seconds() },
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
