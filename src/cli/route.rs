//! `emberwalk route`: finds a route, and prints what it costs and why.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use emberwalk::diagnostics::counted;
use emberwalk::grid::Cell;
use emberwalk::map::{CostShare, Map, parse_queries};
use emberwalk::path::{Planner, Query, Recording, SearchResult};
use serde::Serialize;

use super::cost_table::{self, RoundedCosts};
use super::error::{CliError, ExitStatus};
use super::input::{is_dash, printable_name, read_text};
use super::output::stdout;
use super::planning_args::{PlanningArgs, query_error};
use super::progress::Progress;
use super::trace::TraceOutput;

/// The number of queries from which on landmark tables are made for them. They take the time of thirty to forty searches
/// over the whole map, and save most of the time of a query.
const QUERIES_WORTH_TABLES: usize = 200;

/// Find a route and print it, with its cost by terrain
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk route valley\n  emberwalk route figures/snow --erupting --json\n  \
                        emberwalk route my.ron --from 3,4 --to 17,2 --algorithm greedy\n  \
                        echo '3,4 17,2' | emberwalk route my.ron --queries -\n\n\
                        A line of the queries is the start and the goal of one: x,y x,y. Empty lines and everything \
                        after a # are skipped. If a line is wrong, no query is answered.")]
pub struct RouteArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    /// A file of queries, one per line, each answered by one JSON object on one line; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to"])]
    queries: Option<PathBuf>,
    /// Write every event of the search, one JSON object per line; - is standard output, without the usual output
    #[arg(long, value_name = "FILE", conflicts_with = "queries")]
    trace: Option<PathBuf>,
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
    terrain: Vec<TerrainRow>,
}

/// What a terrain or an influence contributes to the cost, as `--json` prints it.
#[derive(Serialize)]
struct TerrainRow {
    name: String,
    influence: bool,
    cost: f64,
    cells: usize,
}

impl From<CostShare> for TerrainRow {
    fn from(share: CostShare) -> Self {
        Self { cost: share.tiles(), name: share.name, influence: share.is_influence, cells: share.cells }
    }
}

impl RouteArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        if let Some(queries) = &self.queries {
            return self.answer_all(queries);
        }
        let trace = self.trace.as_deref().map(TraceOutput::new).transpose()?;
        let map = self.planning.load_map(&self.map, &self.planning.load_tileset()?)?;
        let query = self.planning.query(&map)?;
        let mut planner = Planner::new();
        let mut out = stdout();
        let status = match trace {
            None => answer(&mut out, &mut planner, &map, &query, self.json)?,
            Some(trace) => {
                let start = Instant::now();
                let recording = Recording::new(&mut planner, map.costs(), &query);
                let recording = recording.map_err(|error| query_error(error, &map))?;
                let micros = start.elapsed().as_micros() as u64;
                trace.write(&recording)?;
                if trace.is_stdout() && !self.json {
                    status_of(&recording.result())
                } else {
                    report(&mut out, &map, &query, &recording.result(), micros, self.json)?
                }
            }
        };
        out.flush()?;
        Ok(status)
    }

    /// Answers every query of a file, with one planner.
    fn answer_all(&self, queries: &Path) -> Result<ExitStatus, CliError> {
        if is_dash(&self.map) && is_dash(queries) {
            return Err(CliError::Message("the map and the queries cannot both be standard input".into()));
        }
        let map = self.planning.load_map(&self.map, &self.planning.load_tileset()?)?;
        let (name, text) = read_text(queries)?;
        let queries = parse_queries(&name, &text, &map)?;
        let options = self.planning.options();
        let mut planner = Planner::new();
        if queries.len() < QUERIES_WORTH_TABLES {
            planner.prepare_passes(map.costs(), &options);
        } else {
            let progress = Progress::new();
            planner.prepare_with_progress(map.costs(), &options, &mut |done, all| {
                progress.stage("preparing the queries", Some(all as u64));
                progress.set_position(done as u64);
            });
        }
        let mut out = stdout();
        let mut status = ExitStatus::Success;
        for query in queries {
            status = status.max(answer(&mut out, &mut planner, &map, &query.with_options(options), true)?);
        }
        out.flush()?;
        Ok(status)
    }
}

/// Answers one query, as JSON or for people.
fn answer(
    out: &mut impl Write,
    planner: &mut Planner,
    map: &Map,
    query: &Query,
    json: bool,
) -> Result<ExitStatus, CliError> {
    let start = Instant::now();
    let result = planner.plan(map.costs(), query).map_err(|error| query_error(error, map))?;
    let micros = start.elapsed().as_micros() as u64;
    report(out, map, query, &result, micros, json)
}

/// Prints the answer to a query, as JSON or for people.
fn report(
    out: &mut impl Write,
    map: &Map,
    query: &Query,
    result: &SearchResult<'_>,
    micros: u64,
    json: bool,
) -> Result<ExitStatus, CliError> {
    if json {
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
            terrain: map.cost_shares(result.cells()).into_iter().map(TerrainRow::from).collect(),
        };
        serde_json::to_writer(&mut *out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        print(out, map, query, result, micros)?;
    }
    Ok(status_of(result))
}

fn status_of(result: &SearchResult<'_>) -> ExitStatus {
    if result.found() { ExitStatus::Success } else { ExitStatus::NoRoute }
}

/// Prints the route for people.
fn print(out: &mut impl Write, map: &Map, query: &Query, result: &SearchResult<'_>, micros: u64) -> io::Result<()> {
    let (from, to, expanded) = (query.from, query.to, result.expanded);
    let Some(route) = result.route else {
        return writeln!(out, "{}: there is no route from {from} to {to}", printable_name(map));
    };
    writeln!(out, "{}: from {from} to {to}", printable_name(map))?;
    let guarantee = match query.options.max_cost_ratio() {
        Some(1.0) => "the lowest possible".to_owned(),
        Some(ratio) => format!("at most {ratio} times the least"),
        None => "not guaranteed to be the lowest".to_owned(),
    };
    let (steps, expanded) = (counted(route.steps(), "step"), counted(expanded as usize, "cell"));
    let shares = map.cost_shares(route.cells);
    let costs = RoundedCosts::new(&shares);
    writeln!(out, "cost {} ({guarantee}), {steps}, {expanded} expanded in {micros} µs", costs.total)?;
    cost_table::print(out, &shares, &costs)?;
    let cells: Vec<_> = route.cells.iter().map(Cell::to_string).collect();
    writeln!(out, "\n{}", cells.join(" "))
}
