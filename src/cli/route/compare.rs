//! `route --compare`: answers the same query with every algorithm.

use std::io::{self, Write};
use std::task::Poll;

use emberwalk_map::{Map, format_exactly};
use emberwalk_path::trace::{ComparedSearch, ComparedSearches, Comparison};
use emberwalk_path::{Planner, Route, RouteCost, RouteQuery};

use super::answer::Answer;
use super::cost_table::Thousandths;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::printable_name;
use crate::cli::output::print_json;
use crate::cli::planning_args::query_error;
use crate::cli::progress::Progress;

/// Prints a row for each search.
pub fn answer(out: &mut impl Write, map: &Map, query: &RouteQuery, json: bool) -> Result<ExitStatus, CliError> {
    let progress = Progress::new();
    let mut planner = Planner::new();
    let mut searches = ComparedSearches::new(*query);
    progress.stage("comparing the algorithms", Some(searches.progress().1 as u64));
    let comparison = loop {
        progress.set_position(searches.progress().0 as u64);
        if let Poll::Ready(comparison) = searches.advance(&mut planner, map.costs(), u64::MAX) {
            break comparison;
        }
    };
    drop(progress);
    let comparison = comparison.map_err(query_error(map))?;
    if json {
        for search in &comparison.searches {
            let mut report = row(map, query, search).report();
            report.cells = None;
            print_json(out, &report)?;
        }
    } else {
        print(out, map, query, &comparison)?;
    }
    Ok(if comparison.lowest.is_some() { ExitStatus::Success } else { ExitStatus::NoRoute })
}

fn row<'a>(map: &'a Map, query: &RouteQuery, search: &'a ComparedSearch) -> Answer<'a> {
    let &ComparedSearch { ref route, expanded, reopened, optimal, time, .. } = search;
    let route = route.as_ref().map(Route::as_route_ref);
    let query = query.with_options(search.options);
    Answer { map, query, route, expanded, reopened, optimal, micros: time.as_micros() as u64 }
}

/// Prints the table for people.
fn print(out: &mut impl Write, map: &Map, query: &RouteQuery, comparison: &Comparison) -> io::Result<()> {
    let name = printable_name(map);
    let RouteQuery { from, to, .. } = query;
    match comparison.lowest {
        Some(lowest) => writeln!(out, "{name}: from {from} to {to}, the lowest cost is {lowest:.3}\n")?,
        None => writeln!(out, "{name}: there is no route from {from} to {to}\n")?,
    }
    let header = ["algorithm", "heuristic", "cost", "above", "", "steps", "expanded", "reopened", "µs", "guaranteed"];
    let rows = comparison.searches.iter().map(|search| texts(comparison, search));
    let rows: Vec<_> = [header.map(str::to_owned)].into_iter().chain(rows).collect();
    let widths: [usize; 10] = std::array::from_fn(|k| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0));
    for row in &rows {
        let [algorithm, heuristic, numbers @ .., guaranteed] = row;
        write!(out, "{algorithm:<0$}  {heuristic:<1$}", widths[0], widths[1])?;
        for (number, width) in numbers.iter().zip(&widths[2..]) {
            write!(out, "  {number:>width$}")?;
        }
        writeln!(out, "  {guaranteed}")?;
    }
    Ok(())
}

/// The cells of one row of the table.
fn texts(comparison: &Comparison, search: &ComparedSearch) -> [String; 10] {
    let &ComparedSearch { ref options, ref route, expanded, reopened, time, .. } = search;
    let heuristic = if options.algorithm.uses_heuristic() { options.heuristic().as_str() } else { "-" };
    let guaranteed = match options.max_cost_ratio() {
        _ if route.is_none() => "-".into(),
        Some(1.0) => "yes".into(),
        Some(ratio) => format!("at most {} times the lowest", format_exactly(ratio)),
        None => "no".into(),
    };
    let [cost, above, percent, steps] = match (route, comparison.above_lowest(search)) {
        (Some(route), Some(above)) => {
            let cost = Thousandths::from(route.cost);
            let lowest = comparison.lowest.map_or(cost, Thousandths::from);
            [cost.to_string(), (cost - lowest).to_string(), percent(above, route.cost), route.steps().to_string()]
        }
        _ => ["-"; 4].map(str::to_owned),
    };
    let [expanded, reopened] = [expanded, reopened].map(|count| count.to_string());
    let algorithm = options.algorithm.to_string();
    let heuristic = heuristic.to_owned();
    let micros = time.as_micros().to_string();
    [algorithm, heuristic, cost, above, percent, steps, expanded, reopened, micros, guaranteed]
}

/// How much a cost exceeds the lowest cost, in per cent.
fn percent(above: RouteCost, cost: RouteCost) -> String {
    let lowest = cost.units() - above.units();
    let percent = if above == RouteCost::ZERO { 0.0 } else { above.units() as f64 / lowest as f64 * 100.0 };
    format!("{percent:.1} %")
}
