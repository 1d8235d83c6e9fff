//! The log of a crowd: a JSON object on each line.

use emberwalk_crowd::{AgentId, CrowdEvent, Goal};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use serde::Serialize;

use super::orders::Orders;
use crate::cli::error::CliError;
use crate::cli::output::{Output, OutputStream};

/// A line of the log. Times are in seconds, and costs in tiles. Programs that read logs know an agent as `unit`.
#[derive(Serialize)]
#[serde(untagged)]
enum Line<'a> {
    Agent {
        unit: AgentId,
        at: Cell,
        #[serde(flatten)]
        goal: Option<LoggedGoal<'a>>,
    },
    NextGoal {
        unit: AgentId,
        #[serde(flatten)]
        goal: LoggedGoal<'a>,
        time: f64,
    },
    Step {
        unit: AgentId,
        from: Cell,
        to: Cell,
        start: f64,
        end: f64,
    },
    Leaves {
        unit: AgentId,
        leaves: f64,
    },
    Edit {
        edit: Cell,
        cost: Option<f64>,
        time: f64,
    },
}

/// Where an agent goes.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum LoggedGoal<'a> {
    Goal(Cell),
    AnyOf(&'a [Cell]),
    Beside(Cell),
    Follow(AgentId),
}

impl<'a> LoggedGoal<'a> {
    fn new(goal: &'a Goal) -> Option<Self> {
        match goal {
            &Goal::Cell(cell) => Some(Self::Goal(cell)),
            Goal::AnyOf(cells) => Some(Self::AnyOf(cells)),
            &Goal::Beside(cell) => Some(Self::Beside(cell)),
            &Goal::Follow(agent) => Some(Self::Follow(agent)),
            _ => None,
        }
    }
}

/// The log, which is written while the crowd walks.
pub struct Log<'a> {
    out: OutputStream<'a>,
    orders: &'a Orders,
    /// How many goals of its orders each agent has reached.
    reached: Vec<usize>,
}

impl<'a> Log<'a> {
    pub fn new(output: &'a Output, orders: &'a Orders) -> Result<Self, CliError> {
        Ok(Self { out: output.stream()?, orders, reached: vec![0; orders.agents.len()] })
    }

    /// Writes the next events.
    pub fn write(&mut self, events: &[CrowdEvent]) -> Result<(), CliError> {
        for event in events {
            let line = match *event {
                CrowdEvent::Added { agent, at, .. } => Line::Agent { unit: agent, at, goal: self.goal(agent) },
                CrowdEvent::Step { agent, step } => {
                    let start = step.start.seconds();
                    let end = step.end.seconds();
                    Line::Step { unit: agent, from: step.from, to: step.to, start, end }
                }
                CrowdEvent::Arrived { agent, time, .. } => {
                    self.reached[agent.index()] += 1;
                    let Some(goal) = self.goal(agent) else { continue };
                    Line::NextGoal { unit: agent, goal, time: time.seconds() }
                }
                CrowdEvent::Left { agent, time, .. } => Line::Leaves { unit: agent, leaves: time.seconds() },
                CrowdEvent::CostSet { cell, cost, time, .. } => {
                    Line::Edit { edit: cell, cost: cost.map(|cost| cost.tiles()), time: time.seconds() }
                }
                _ => continue,
            };
            self.out.print_json(&line)?;
        }
        Ok(())
    }

    /// Writes that an agent that has arrived gets another goal.
    pub fn write_goal(&mut self, agent: AgentId, goal: Cell, time: CrowdTime) -> Result<(), CliError> {
        let line = Line::NextGoal { unit: agent, goal: LoggedGoal::Goal(goal), time: time.seconds() };
        self.out.print_json(&line)
    }

    /// The first goal that the agent has not reached.
    fn goal(&self, agent: AgentId) -> Option<LoggedGoal<'a>> {
        self.orders.agents[agent.index()].goals.get(self.reached[agent.index()]).and_then(LoggedGoal::new)
    }

    /// Ends the log.
    pub fn finish(self) -> Result<(), CliError> {
        self.out.finish()
    }
}
