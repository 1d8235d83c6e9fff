//! `emberwalk route`: finds a route, and prints what it costs and why.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use emberwalk::grid::Cell;
use emberwalk::map::Map;
use emberwalk::path::{Planner, Query, SearchResult};
use serde::Serialize;

use super::error::{CliError, ExitStatus};
use super::input::printable_name;
use super::output::stdout;
use super::planning_args::PlanningArgs;

/// Find a route and print it, with its cost by terrain
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk route valley\n  emberwalk route figures/snow --erupting --json\n  \
                        emberwalk route my.ron --from 3,4 --to 17,2 --algorithm greedy")]
pub struct RouteArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    planning: PlanningArgs,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    map: &'a str,
    from: Cell,
    to: Cell,
    found: bool,
    cost: Option<f64>,
    steps: Option<usize>,
    cells: &'a [Cell],
    expanded: u64,
    reopened: u64,
    micros: u64,
    optimal: bool,
    algorithm: &'a str,
    heuristic: &'a str,
}

impl RouteArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let map = self.planning.load_map(&self.map, &self.planning.load_tileset()?)?;
        let query = self.planning.query(&map)?;
        let mut planner = Planner::new();
        let start = Instant::now();
        let result = planner.plan(map.costs(), &query).map_err(|error| CliError::Message(error.to_string()))?;
        let micros = start.elapsed().as_micros() as u64;
        let mut out = stdout();
        if self.json {
            let report = Report {
                map: map.name(),
                from: query.from,
                to: query.to,
                found: result.found(),
                cost: result.cost().map(|cost| cost.tiles()),
                steps: result.route.map(|route| route.steps()),
                cells: result.cells(),
                expanded: result.expanded,
                reopened: result.reopened,
                micros,
                optimal: result.optimal,
                algorithm: query.options.algorithm.as_str(),
                heuristic: query.options.heuristic.as_str(),
            };
            serde_json::to_writer(&mut out, &report).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            print(&mut out, &map, &query, &result, micros)?;
        }
        out.flush()?;
        Ok(if result.found() { ExitStatus::Success } else { ExitStatus::NoRoute })
    }
}

/// Prints the route for people.
fn print(out: &mut impl Write, map: &Map, query: &Query, result: &SearchResult<'_>, micros: u64) -> io::Result<()> {
    let (from, to, expanded) = (query.from, query.to, result.expanded);
    let Some(route) = result.route else {
        return writeln!(out, "{}: there is no route from {from} to {to}", printable_name(map));
    };
    writeln!(out, "{}: from {from} to {to}", printable_name(map))?;
    let steps = route.steps();
    let plural = if steps == 1 { "step" } else { "steps" };
    let cells = if expanded == 1 { "cell" } else { "cells" };
    let guarantee = if result.optimal { "the lowest possible" } else { "not guaranteed to be the lowest" };
    writeln!(
        out,
        "cost {:.3} ({guarantee}), {steps} {plural}, {expanded} {cells} expanded in {micros} µs",
        route.cost
    )?;
    let sums = cost_by_terrain(map, route.cells);
    if !sums.is_empty() {
        writeln!(out, "\n{:>10}  {:>5}  terrain", "cost", "cells")?;
    }
    for ((_, name), sum) in &sums {
        writeln!(out, "{:>10.3}  {:>5}  {name}", sum.tiles, sum.cells)?;
    }
    let cells: Vec<_> = route.cells.iter().map(Cell::to_string).collect();
    writeln!(out, "\n{}", cells.join(" "))
}

/// What one kind of terrain, or one influence, contributes to the cost of a route.
#[derive(Default)]
struct Share {
    tiles: f64,
    cells: usize,
}

/// Sums the cost of the entered cells by their terrain, and then what influences add or take away. The `bool` in a key
/// marks influences, so that they are sorted after the terrains.
fn cost_by_terrain(map: &Map, cells: &[Cell]) -> BTreeMap<(bool, String), Share> {
    let mut sums: BTreeMap<(bool, String), Share> = BTreeMap::new();
    for step in cells.windows(2) {
        let length = if step[0].is_diagonal_to(step[1]) { map.costs().diagonal().ratio() } else { 1.0 };
        let Some(explanation) = map.explain(step[1]) else { continue };
        let own = explanation.own_factors;
        let names: Vec<_> = explanation.factors[..own].iter().rev().map(|factor| factor.name.as_str()).collect();
        let mut add = |influence: bool, name: String, tiles: f64| {
            let sum = sums.entry((influence, name)).or_default();
            sum.tiles += tiles * length;
            sum.cells += 1;
        };
        let mut tiles = explanation.factors[..own].iter().fold(1.0, |tiles, factor| factor.operation.apply(tiles));
        add(false, names.join(" on "), tiles);
        for factor in &explanation.factors[own..] {
            let with = factor.operation.apply(tiles);
            add(true, factor.name.clone(), with - tiles);
            tiles = with;
        }
        // The cost of a cell is clamped; the product of its factors is not.
        let rest = explanation.cost.map_or(0.0, |cost| cost.tiles() - tiles);
        if rest.abs() > 1e-3 {
            add(true, "limits of the cost".into(), rest);
        }
    }
    sums
}
