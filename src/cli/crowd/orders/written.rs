//! Orders as they are written in a file, and their errors.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use emberwalk_crowd::{AgentId, Goal};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Components, CostGrid, StepRules};

use super::{AgentOrders, Group, Orders, cells_of};

/// How orders are written.
pub const HELP: &str = "an order is one line with a start and a goal, such as `3,4 17,2`; the order of a group is \
                    `3,4 3,5 3,6 -> 17,2`";

/// A value, and where it is written.
#[derive(Clone, Debug)]
pub struct Written<'a, T> {
    pub value: T,
    pub word: &'a str,
}

/// The order of an agent or of a group.
#[derive(Clone, Debug)]
pub struct WrittenOrder<'a> {
    /// The number of its line, from 1.
    pub line: usize,
    pub starts: Vec<Written<'a, Cell>>,
    pub goals: Vec<Written<'a, WrittenGoal>>,
    /// Whether the agents get places near the only goal.
    pub is_for_group: bool,
}

#[derive(Clone, Debug)]
pub enum WrittenGoal {
    Place(Goal),
    /// The agent that starts in this cell.
    Follow(Cell),
}

/// Turns the written orders of a text into orders.
///
/// # Errors
/// All earlier errors, and all places where agents cannot start or walk.
pub fn check(
    written: &[WrittenOrder<'_>],
    text: &str,
    grid: &CostGrid,
    rules: StepRules,
    mut diagnostics: DiagnosticCollector<'_>,
) -> Result<Orders, Diagnostics> {
    if written.is_empty() && diagnostics.is_empty() {
        diagnostics.add(text, "there are no orders", HELP.to_owned());
    }
    let agents = find_agents(written, &mut diagnostics);
    let mut components = Components::new(rules);
    components.update(grid);
    let mut orders = Vec::new();
    let mut groups = Vec::new();
    for WrittenOrder { starts, goals, is_for_group, .. } in written {
        let first = orders.len();
        for start in starts {
            let mut order = AgentOrders::new(start.value, Vec::new());
            order.is_in_group = *is_for_group;
            for Written { value, word } in goals {
                let goal = match value {
                    WrittenGoal::Place(goal) => goal.clone(),
                    WrittenGoal::Follow(cell) => match agents.get(cell) {
                        Some(&(agent, _)) if agent != orders.len() => Goal::Follow(AgentId::from(agent as u64)),
                        _ => {
                            diagnostics.add(word, format!("no other agent starts in {cell}"), None);
                            continue;
                        }
                    },
                };
                let (cells, name) = match value {
                    WrittenGoal::Place(Goal::Cell(cell)) => (vec![*cell], cell.to_string()),
                    WrittenGoal::Place(goal) => (cells_of(goal), word.replace('|', " or ")),
                    &WrittenGoal::Follow(cell) => (cells_of(&Goal::Beside(cell)), format!("the agent in {cell}")),
                };
                let is_connected = |cell: &Cell| components.are_connected(grid, start.value, *cell);
                if !is_for_group && !cells.iter().any(is_connected) {
                    diagnostics.add(word, format!("no route leads from {} to {name}", start.value), None);
                }
                order.goals.push(goal);
            }
            orders.push(order);
        }
        if let (true, [Written { value: WrittenGoal::Place(Goal::Cell(goal)), .. }]) = (is_for_group, &goals[..]) {
            groups.push(Group { agents: first..orders.len(), goal: *goal });
        }
    }
    diagnostics.finish()?;
    Ok(Orders::new(orders, groups, grid))
}

/// The agents by the cells where they start: the index of each, and the number of its line.
fn find_agents(
    written: &[WrittenOrder<'_>],
    diagnostics: &mut DiagnosticCollector<'_>,
) -> HashMap<Cell, (usize, usize)> {
    let mut agents = HashMap::new();
    let starts = written.iter().flat_map(|order| order.starts.iter().map(|start| (order.line, start)));
    for (agent, (line, start)) in starts.enumerate() {
        match agents.entry(start.value) {
            Entry::Vacant(free) => _ = free.insert((agent, line)),
            Entry::Occupied(other) => {
                let (_, other) = other.get();
                let message = format!("two agents start in {}: this one and the one in line {other}", start.value);
                diagnostics.add(start.word, message, None);
            }
        }
    }
    agents
}
