//! The orders of a crowd: from a file, from a scenario, or random ones.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use emberwalk_formats::moving_ai::Scenario;
use emberwalk_map::diagnostics::{DiagnosticCollector, counted};
use emberwalk_map::{Map, parse_queries, query_lines};
use emberwalk_path::crowd::OnArrival;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Components, CostGrid, StepRules};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::cli::error::CliError;
use crate::cli::input::read_text;

/// The number of agents if the user gives none.
const DEFAULT_AGENTS: usize = 100;

/// Where an agent starts, and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    pub from: Cell,
    pub to: Cell,
    pub on_arrival: OnArrival,
}

/// A file of orders.
#[derive(Clone, Copy)]
pub struct OrderFile<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

/// Where the orders come from.
pub enum OrderSource<'a> {
    File(&'a Path),
    Random { agents: Option<usize>, goals: Option<usize>, seed: u64 },
}

impl OrderSource<'_> {
    pub fn orders(&self, map: &Map, rules: StepRules) -> Result<Vec<Order>, CliError> {
        match *self {
            Self::File(path) => {
                let (name, text) = read_text(path)?;
                let queries = parse_queries(&name, &text, map)?;
                let ends = queries.iter().map(|query| (query.from, query.to));
                let file = OrderFile { name: &name, text: &text };
                orders_of_file(file, query_lines(&text).zip(ends), map.costs(), rules)
            }
            Self::Random { agents, goals, seed } => random_orders(map.costs(), rules, agents, goals, seed),
        }
    }
}

/// The first problems of a scenario, or all. `file` is its file.
pub fn of_scenario(
    grid: &CostGrid,
    rules: StepRules,
    file: OrderFile<'_>,
    scenario: &Scenario,
    agents: Option<usize>,
) -> Result<Vec<Order>, CliError> {
    let problems = scenario.problems();
    let agents = agents.unwrap_or(problems.len());
    if agents > problems.len() {
        let problems = counted(problems.len(), "problem");
        return Err(CliError::Message(format!("the scenario has {problems}, so there cannot be {agents} agents")));
    }
    let ends = problems[..agents].iter().map(|problem| (problem.from, problem.to));
    orders_of_file(file, Scenario::problem_lines(file.text).zip(ends), grid, rules)
}

/// Orders for the starts and goals in the lines of a file.
///
/// # Errors
/// All lines whose agents cannot walk.
fn orders_of_file<'a>(
    OrderFile { name, text }: OrderFile<'a>,
    lines: impl Iterator<Item = ((usize, &'a str), (Cell, Cell))>,
    grid: &CostGrid,
    rules: StepRules,
) -> Result<Vec<Order>, CliError> {
    let mut diagnostics = DiagnosticCollector::new(name, text);
    let mut components = Components::new(rules);
    components.update(grid);
    let mut ends = Vec::new();
    let mut starts = HashMap::new();
    for ((number, line), (from, to)) in lines {
        let blocked = [from, to].into_iter().find(|&cell| !grid.is_passable(cell));
        if let Some(cell) = blocked {
            diagnostics.add(line, format!("{cell} is blocked, so it cannot be a start or a goal"), None);
        } else if !components.are_connected(grid, from, to) {
            diagnostics.add(line, format!("no route leads from {from} to {to}"), None);
        }
        match starts.entry(from) {
            Entry::Occupied(other) => {
                let message = format!("two agents start in {from}: this one and the one in line {}", other.get());
                diagnostics.add(line, message, None);
            }
            Entry::Vacant(free) => _ = free.insert(number),
        }
        ends.push((from, to));
    }
    if ends.is_empty() {
        diagnostics.add(
            text,
            "there are no orders",
            "an order is one line with start and goal, such as `3,4 17,2`".to_owned(),
        );
    }
    diagnostics.finish()?;
    Ok(orders(ends))
}

/// Orders for these starts and goals. Agents leave where several have the same goal.
fn orders(ends: Vec<(Cell, Cell)>) -> Vec<Order> {
    let mut agents_with_goal = HashMap::<Cell, usize>::new();
    for &(_, to) in &ends {
        *agents_with_goal.entry(to).or_default() += 1;
    }
    let on_arrival = |to| if agents_with_goal[&to] > 1 { OnArrival::Leave } else { OnArrival::Stay };
    ends.into_iter().map(|(from, to)| Order { from, to, on_arrival: on_arrival(to) }).collect()
}

/// Random starts and goals in the largest connected component.
fn random_orders(
    grid: &CostGrid,
    rules: StepRules,
    agents: Option<usize>,
    goals: Option<usize>,
    seed: u64,
) -> Result<Vec<Order>, CliError> {
    let cells = largest_component(grid, rules);
    let agents = agents.unwrap_or(DEFAULT_AGENTS.min(cells.len() / 2)).max(1);
    let goals = goals.unwrap_or(agents);
    if agents.max(goals) > cells.len() {
        let cells = counted(cells.len(), "connected cell");
        return Err(CliError::Message(format!("the map has {cells}, too few for that many agents and goals")));
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut shuffled = || {
        let mut cells = cells.clone();
        cells.shuffle(&mut random);
        cells
    };
    let starts = shuffled();
    let ends = shuffled();
    Ok(orders((0..agents).map(|agent| (starts[agent], ends[agent % goals])).collect()))
}

/// The cells of the largest connected component, row by row.
fn largest_component(grid: &CostGrid, rules: StepRules) -> Vec<Cell> {
    let mut components = Components::new(rules);
    components.update(grid);
    // The cells of each component, in the order of their first cells, and the places of the components by their
    // numbers.
    let mut found = Vec::<Vec<Cell>>::new();
    let mut places = HashMap::new();
    for cell in grid.size().cells() {
        let Some(component) = components.component(grid, cell) else { continue };
        let place = *places.entry(component).or_insert(found.len());
        if place == found.len() {
            found.push(Vec::new());
        }
        found[place].push(cell);
    }
    // Of components of the same size, the first one.
    found.into_iter().rev().max_by_key(Vec::len).unwrap_or_default()
}
