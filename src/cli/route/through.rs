//! `route --through`: the cheapest route through a given cell, and the cost of the detour.

use std::io::{self, Write};
use std::time::Instant;

use emberwalk_map::{Map, side_by_side};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Planner, Route, RouteCost, RouteQuery};
use serde::Serialize;

use super::answer::{Answer, Report, print_cells};
use super::cost_table::{RoundedCosts, print_side_by_side};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::printable_name;
use crate::cli::output::print_json;
use crate::cli::planning_args::query_error;

#[derive(Serialize)]
struct ThroughReport<'a> {
    #[serde(flatten)]
    report: Report<'a>,
    through: Cell,
    best: Option<f64>,
    detour: Option<f64>,
}

/// Answers a query with a route through `waypoint`, and compares it with the direct route.
pub fn answer(
    out: &mut impl Write,
    map: &Map,
    query: &RouteQuery,
    waypoint: Cell,
    json: bool,
) -> Result<ExitStatus, CliError> {
    let explained = query_error(map);
    let mut planner = Planner::new();
    let best = planner.plan(map.costs(), query).map_err(&explained)?.route.map(Route::from);
    let start = Instant::now();
    let result = planner.plan_through(map.costs(), query, waypoint).map_err(&explained)?;
    let time = start.elapsed();
    let answer = Answer::new(map, query, &result, time);
    if json {
        let best = best.map(|route| route.cost.tiles());
        let detour = result.cost().map(RouteCost::tiles).zip(best).map(|(cost, best)| cost - best);
        print_json(out, &ThroughReport { report: answer.report(), through: waypoint, best, detour })?;
    } else {
        print(out, &answer, waypoint, best.as_ref())?;
    }
    Ok(answer.status())
}

/// Prints the route for people.
fn print(out: &mut impl Write, answer: &Answer<'_>, waypoint: Cell, best: Option<&Route>) -> io::Result<()> {
    let &Answer { map, query: RouteQuery { from, to, .. }, route, .. } = answer;
    let name = printable_name(map);
    let Some(best) = best else {
        writeln!(out, "{name}: there is no route from {from} to {to}")?;
        return writeln!(out, "--breach finds the fewest blocked cells to open for a route");
    };
    let rules = answer.query.options.rules;
    let best_shares = map.cost_shares(rules, &best.cells);
    let Some(route) = route else {
        writeln!(out, "{name}: there is no route from {from} to {to} through {waypoint}, which is unreachable")?;
        return writeln!(out, "the direct route costs {}", RoundedCosts::new(&best_shares).total);
    };
    let shares = side_by_side(&map.cost_shares(rules, route.cells), &best_shares);
    let costs = RoundedCosts::side_by_side(&shares);
    let [cost, best_cost] = costs.each_ref().map(|costs| costs.total);
    writeln!(out, "{name}: from {from} to {to} through {waypoint}")?;
    answer.print_cost(out, cost)?;
    writeln!(out, "the detour costs {}: the direct route costs {best_cost}", cost - best_cost)?;
    print_side_by_side(out, &shares, &costs)?;
    print_cells(out, route.cells)
}
