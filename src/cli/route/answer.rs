//! The answer to a query, printed as JSON or for people.

use std::io::{self, Write};
use std::time::Duration;

use emberwalk_map::diagnostics::counted;
use emberwalk_map::{CostShare, Map, format_exactly};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Options, RouteQuery, RouteRef, SearchResult};
use serde::Serialize;

use super::cost_table::{self, RoundedCosts, Thousandths};
use crate::cli::error::ExitStatus;
use crate::cli::input::printable_name;
use crate::cli::output::print_json;

/// The answer to a query.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    pub map: &'a Map,
    pub query: RouteQuery,
    pub route: Option<RouteRef<'a>>,
    pub expanded: u64,
    pub reopened: u64,
    pub optimal: bool,
    pub micros: u64,
}

/// The output of `--json`.
#[derive(Serialize)]
pub struct Report<'a> {
    map: &'a str,
    from: Cell,
    to: Cell,
    found: bool,
    cost: Option<f64>,
    steps: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<&'a [Cell]>,
    expanded: u64,
    reopened: u64,
    micros: u64,
    optimal: bool,
    algorithm: &'a str,
    heuristic: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terrain: Option<Vec<TerrainRow>>,
}

/// The share of a terrain, an influence or climbing in the cost, in the output of `--json`.
#[derive(Serialize)]
pub struct TerrainRow {
    name: String,
    influence: bool,
    cost: f64,
    cells: usize,
}

impl<'a> Answer<'a> {
    pub fn new(map: &'a Map, query: &RouteQuery, result: &SearchResult<'a>, time: Duration) -> Self {
        let SearchResult { route, expanded, reopened, optimal, .. } = *result;
        Self { map, query: *query, route, expanded, reopened, optimal, micros: time.as_micros() as u64 }
    }

    pub fn status(&self) -> ExitStatus {
        if self.route.is_some() { ExitStatus::Success } else { ExitStatus::NoRoute }
    }

    pub fn cells(&self) -> &'a [Cell] {
        self.route.map_or(&[], |route| route.cells)
    }

    /// The JSON object.
    pub fn report(&self) -> Report<'a> {
        let shares = self.map.cost_shares(self.query.options.rules, self.cells());
        let row = |share: CostShare| {
            let cost = share.tiles();
            TerrainRow { name: share.name, influence: share.is_influence, cost, cells: share.cells }
        };
        Report {
            map: self.map.name(),
            from: self.query.from,
            to: self.query.to,
            found: self.route.is_some(),
            cost: self.route.map(|route| route.cost.tiles()),
            steps: self.route.map(|route| route.steps()),
            cells: Some(self.cells()),
            expanded: self.expanded,
            reopened: self.reopened,
            micros: self.micros,
            optimal: self.optimal,
            algorithm: self.query.options.algorithm.as_str(),
            heuristic: self.query.options.heuristic().as_str(),
            terrain: Some(shares.into_iter().map(row).collect()),
        }
    }

    /// Prints the answer, and returns its exit status.
    pub fn print(&self, out: &mut impl Write, json: bool) -> io::Result<ExitStatus> {
        if json {
            print_json(out, &self.report())?;
        } else {
            self.print_for_people(out)?;
        }
        Ok(self.status())
    }

    fn print_for_people(&self, out: &mut impl Write) -> io::Result<()> {
        let name = printable_name(self.map);
        let RouteQuery { from, to, .. } = self.query;
        let Some(route) = self.route else {
            return writeln!(out, "{name}: there is no route from {from} to {to}");
        };
        writeln!(out, "{name}: from {from} to {to}")?;
        let shares = self.map.cost_shares(self.query.options.rules, route.cells);
        let costs = RoundedCosts::new(&shares);
        self.print_cost(out, costs.total)?;
        cost_table::print(out, &shares, &costs)?;
        print_cells(out, route.cells)
    }

    /// Prints the line with `total`, the cost of the route.
    pub fn print_cost(&self, out: &mut impl Write, total: Thousandths) -> io::Result<()> {
        let guarantee = guarantee(&self.query.options);
        let micros = self.micros;
        let steps = self.cells().len().saturating_sub(1);
        let expanded = self.expanded as usize;
        let steps = counted(steps, "step");
        let expanded = counted(expanded, "cell");
        writeln!(out, "cost {total} ({guarantee}), {steps}, {expanded} expanded in {micros} µs")
    }
}

/// Prints the cells of a route on one line, after an empty line.
pub fn print_cells(out: &mut impl Write, cells: &[Cell]) -> io::Result<()> {
    let cells: Vec<_> = cells.iter().map(Cell::to_string).collect();
    writeln!(out, "\n{}", cells.join(" "))
}

/// Describes how the cost of a route found with these options compares with the lowest cost.
fn guarantee(options: &Options) -> String {
    match options.max_cost_ratio() {
        Some(1.0) => "the lowest possible".into(),
        Some(ratio) => format!("at most {} times the lowest", format_exactly(ratio)),
        None => "not guaranteed to be the lowest".into(),
    }
}
