//! Checks plans that other programs have made.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use emberwalk_crowd::{PlanConflict, PlanVerdict, check_plan};
use emberwalk_formats::import::{ImportFormat, import, parse_map};
use emberwalk_formats::moving_ai::{OctileMap, Scenario, TerrainCosts};
use emberwalk_formats::parse_plan;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::{counted, escape_invisible};
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal};
use serde::Serialize;

use super::CrowdArgs;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::{file_stem, printable_name, read_map_source, read_text};
use crate::cli::output::{print_json, stdout};
use crate::cli::scenario::warn_of_unknown_letters;
use crate::cli::window::{self, Shown};

/// The output of `--json`.
#[derive(Serialize)]
struct Report {
    agents: usize,
    sum_of_costs: usize,
    makespan: usize,
    conflict: Option<PlanConflict>,
    /// Only with a scenario.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreached: Option<Vec<Unreached>>,
}

/// An agent that does not reach its goal.
#[derive(Serialize)]
struct Unreached {
    agent: usize,
    /// Where its path ends.
    cell: Cell,
    goal: Cell,
}

impl CrowdArgs {
    /// Checks the plan in a file, and prints its first conflict and its costs, and whether the goals of the scenario are
    /// reached; with `--show`, plays it in the window, too.
    pub fn check_plan(&self, plan: &Path) -> Result<ExitStatus, CliError> {
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let (title, text) = read_map_source(&self.map)?;
        let (name, grid) = ground(&self.map, &title, &text, &tileset)?;
        let (plan, lines) = read_text(plan)?;
        let paths = parse_plan(&plan, &lines)?;
        let unreached = self.scenario.as_ref().map(|scenario| unreached(scenario, grid.size(), &paths)).transpose()?;
        let PlanVerdict { conflict, sum_of_costs, makespan, .. } = check_plan(&grid, &paths);
        let is_right = conflict.is_none() && unreached.iter().all(Vec::is_empty);
        let mut out = stdout();
        if self.json {
            print_json(&mut out, &Report { agents: paths.len(), sum_of_costs, makespan, conflict, unreached })?;
        } else {
            writeln!(out, "{}: {}", escape_invisible(&name), counted(paths.len(), "agent"))?;
            writeln!(out, "sum of costs    {sum_of_costs}\nmakespan        {makespan}")?;
            let conflict = conflict.map_or("none".into(), |conflict| conflict.to_string());
            writeln!(out, "first conflict  {conflict}")?;
            match unreached.as_deref() {
                None => {}
                Some([]) => writeln!(out, "goals           all reached")?,
                Some([Unreached { agent, cell, goal }, more @ ..]) => {
                    let more = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
                    writeln!(out, "goals           agent {agent} ends in {cell}, but its goal is {goal}{more}")?;
                }
            }
        }
        out.flush()?;
        if self.show {
            let is_foreign = is_moving_ai(&text);
            let text = if is_foreign { import(&title, text.as_bytes(), None, &tileset)?.to_ron() } else { text };
            return window::show((&title, text), self.assets.clone(), Shown::Plan(paths));
        }
        Ok(if is_right { ExitStatus::Success } else { ExitStatus::NoRoute })
    }
}

/// The agents whose paths do not end at the goals of a scenario, whose first problems are theirs.
fn unreached(scenario: &Path, size: Size, paths: &[Vec<Cell>]) -> Result<Vec<Unreached>, CliError> {
    let (file, text) = read_text(scenario)?;
    let scenario = Scenario::parse(&file, &text, size)?;
    if scenario.map_size() != size {
        let Size { width, height } = scenario.map_size();
        return Err(CliError::Message(format!("{file}: the scenario is for a map of {width} x {height} cells")));
    }
    if scenario.problems().len() < paths.len() {
        let problems = counted(scenario.problems().len(), "problem");
        return Err(CliError::Message(format!("the scenario has {problems}, and the plan {} agents", paths.len())));
    }
    let ends = paths.iter().zip(scenario.problems()).enumerate();
    let mut unreached = Vec::new();
    for (agent, (path, problem)) in ends {
        let [Some(&start), Some(&cell)] = [path.first(), path.last()] else { continue };
        if start != problem.from {
            let words = format!("agent {agent} starts in {start} in the plan, but in {}", problem.from);
            return Err(CliError::Message(format!("{words} in the scenario {file}")));
        }
        if cell != problem.to {
            unreached.push(Unreached { agent, cell, goal: problem.to });
        }
    }
    Ok(unreached)
}

/// Whether this is a map of Moving AI.
fn is_moving_ai(text: &str) -> bool {
    ImportFormat::detect("", text.as_bytes()) == ImportFormat::MovingAi
}

/// The name and the costs of a map.
fn ground(path: &Path, title: &str, text: &str, tileset: &Arc<Tileset>) -> Result<(String, CostGrid), CliError> {
    if is_moving_ai(text) {
        let map = OctileMap::parse(title, text)?;
        warn_of_unknown_letters(&map, path);
        return Ok((file_stem(path), map.cost_grid(&TerrainCosts::default(), Diagonal::SQRT_2)));
    }
    let map = Map::of_content(parse_map(title, text, tileset)?);
    Ok((printable_name(&map), map.costs().clone()))
}
