//! The problems of a Moving AI scenario as orders, and whether they are for the map.

use std::f64::consts::SQRT_2;
use std::path::Path;

use emberwalk_crowd::Goal;
use emberwalk_formats::moving_ai::{BenchmarkProblem, Scenario};
use emberwalk_map::diagnostics::{DiagnosticCollector, counted};
use emberwalk_path::{CostGrid, Planner, RouteQuery, StepRules};

use super::Orders;
use super::written::{self, Written, WrittenGoal, WrittenOrder};
use crate::cli::error::{CliError, tell};
use crate::cli::input::is_dash;
use crate::cli::scenario::Benchmark;

/// How many lengths of a scenario are compared with the map.
const MAX_CHECKED: usize = 100;

/// The first problems of a scenario, or all.
pub fn of_scenario(
    grid: &CostGrid,
    rules: StepRules,
    file: &Benchmark,
    map: &Path,
    agents: Option<usize>,
) -> Result<Orders, CliError> {
    let problems = file.scenario.problems();
    let agents = agents.unwrap_or(problems.len());
    if agents > problems.len() {
        let problems = counted(problems.len(), "problem");
        return Err(CliError::Message(format!("the scenario has {problems}, so there cannot be {agents} agents")));
    }
    if !has_name(map, file.scenario.map_name()) {
        check_lengths(grid, file, map, &problems[..agents])?;
    }
    let mut diagnostics = DiagnosticCollector::new(&file.name, &file.text);
    let mut written = Vec::new();
    for ((line, text), problem) in Scenario::problem_lines(&file.text).zip(&problems[..agents]) {
        // The last words are the columns and rows of both ends, and the length.
        let mut words = text.split_whitespace().rev();
        let [goal, start] = [words.nth(2), words.nth(1)].map(|word| word.unwrap_or(text));
        for (cell, word) in [(problem.from, start), (problem.to, goal)] {
            if !grid.is_passable(cell) {
                diagnostics.add(word, format!("{cell} is blocked, so it cannot be a start or a goal"), None);
            }
        }
        let start = Written { value: problem.from, word: start };
        let goal = Written { value: WrittenGoal::Place(Goal::Cell(problem.to)), word: goal };
        written.push(WrittenOrder { line, starts: vec![start], goals: vec![goal], is_for_group: false });
    }
    Ok(written::check(&written, &file.text, grid, rules, diagnostics)?)
}

/// Whether a scenario that names a map can mean the one in this file. Folders, suffixes and capital letters do not count.
fn has_name(file: &Path, name: &str) -> bool {
    let stem = |path: &str| {
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
        file.split_once('.').map_or(file, |(stem, _)| stem).to_lowercase()
    };
    is_dash(file) || stem(&file.to_string_lossy()) == stem(name)
}

/// Refuses a scenario that names another map if a length in it is not the one on this map. If none can be checked, this
/// warns of the name: the map may have been renamed.
fn check_lengths(grid: &CostGrid, file: &Benchmark, map: &Path, problems: &[BenchmarkProblem]) -> Result<(), CliError> {
    let mut planner = Planner::new();
    let mut checked = 0;
    let map = map.to_string_lossy();
    let name = file.scenario.map_name();
    for ((_, line), problem) in Scenario::problem_lines(&file.text).zip(problems).take(MAX_CHECKED) {
        // Some programs write other numbers instead of lengths.
        let (x, y) = problem.to - problem.from;
        let shorter = x.abs().min(y.abs());
        let longer = x.abs().max(y.abs());
        let shortest = f64::from(longer) + f64::from(shorter) * (SQRT_2 - 1.0);
        if problem.length + problem.precision.max(0.001) < shortest {
            continue;
        }
        let query = RouteQuery::new(problem.from, problem.to);
        let Ok(result) = planner.plan(grid, &query) else { continue };
        checked += 1;
        let cost = result.cost().map(|cost| cost.tiles());
        if !cost.is_some_and(|cost| problem.is_length(cost)) {
            let found = cost.map_or("no route leads there".to_owned(), |cost| format!("{cost:.3}"));
            let message =
                format!("a problem of the map {name}: its length is {}, and on {map} {found}", problem.length);
            let mut diagnostics = DiagnosticCollector::new(&file.name, &file.text);
            diagnostics.add(line, message, "use the map that the scenario names".to_owned());
            return Ok(diagnostics.finish()?);
        }
    }
    if checked == 0 {
        tell("warning", &format!("{}: the scenario is for {name}, which may be another map than {map}", file.name));
    }
    Ok(())
}
