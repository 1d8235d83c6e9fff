//! `emberwalk scenario`: runs the problems of a Moving AI scenario file, and reports their times.

use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use emberwalk_formats::moving_ai::{BenchmarkProblem, OctileMap, Scenario, TerrainCosts};
use emberwalk_map::diagnostics::{counted, escape_invisible};
use emberwalk_path::grid::Size;
use emberwalk_path::{CostGrid, Diagonal, Planner, QueryError, RouteQuery};
use serde::Serialize;

use super::error::{CliError, ExitStatus, tell};
use super::input::{display_name, file_stem, read_text};
use super::output::{print_json, stdout};
use super::planning_args::{SearchArgs, number_in};
use super::progress::Progress;

/// A preparation that takes longer than this, and longer than all passes, gets a note.
const LONG_PREPARATION: Duration = Duration::from_secs(2);

/// The maximum number of warnings of problems whose start or goal is blocked.
const MAX_WARNINGS: usize = 3;

/// Run a Moving AI scenario file and report times and wrong costs
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk scenario arena2.map arena2.map.scen\n  \
                        emberwalk scenario arena2.map arena2.map.scen --algorithm dijkstra --json\n  \
                        emberwalk scenario duskwood.map duskwood.map.scen --cost T=1.5,S=2,W=4\n\n\
                        The cells . G S E are passable. A problem that starts in water (W) or among trees (T) stays \
                        there. With --cost, all cells but @ and O are passable.\n\
                        The time of a query is the median of its passes. It includes neither loading nor preparation.\n\
                        Exit status: 0, or 1 if an answer is wrong. An answer is wrong if there is no route, or if \
                        its cost differs from the length in the file by more than 0.001 and more than 0.1 %, unless \
                        the length is the cost rounded or cut off to its decimals, such as 2.41 for 2.4142. \
                        With --cost no answer counts as wrong, because the lengths are for other costs; nor if all \
                        lengths are 0, because then the file has none.")]
pub struct ScenarioArgs {
    /// The map file; - is standard input
    #[arg(value_name = "FILE.map")]
    map: PathBuf,
    /// The scenario file, for that map; - is standard input
    #[arg(value_name = "FILE.scen")]
    scenario: PathBuf,
    /// Entry costs by map letter, in tiles. Other letters cost 1, and a diagonal step costs 1.414 times as much.
    /// Without this option all letters cost 1, and a diagonal step the square root of 2, as in the lengths of the file
    #[arg(long, value_name = "T=1.5,S=2,W=4")]
    cost: Option<TerrainCosts>,
    /// The number of passes over all problems, after a cold pass
    #[arg(long, value_name = "N", default_value_t = 5, allow_hyphen_values = true,
        value_parser = number_in(1..=1000_u32, "the number of passes is a whole number from 1 to 1000"))]
    passes: u32,
    /// Prepare only what takes a few passes over the map, without distance tables; queries then take longer
    #[arg(long)]
    unprepared: bool,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    /// Also print every query, before the summary
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    search: SearchArgs,
}

/// The result of one query, in the output of `--each`.
#[derive(Serialize)]
struct QueryReport {
    query: usize,
    cost: Option<f64>,
    us: f64,
    expanded: u64,
}

/// The summary of all queries, in the output of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    map: &'a str,
    algorithm: &'a str,
    queries: usize,
    found: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    cold_us: f64,
    prep_us: f64,
    expanded: f64,
    wrong: Option<usize>,
}

impl ScenarioArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let benchmark = Benchmark::read(&self.map, &self.scenario)?;
        let Benchmark { map, scenario, .. } = &benchmark;
        match &self.cost {
            Some(costs) => warn_of_unused_costs(costs, map, &self.map),
            None => warn_of_unknown_letters(map, &self.map),
        }
        let measurements = self.measure(map, scenario.problems())?;
        self.warn_of_blocked_ends(&benchmark);

        let name = file_stem(&self.map);
        let wrong = match (&self.cost, scenario.has_lengths()) {
            (None, true) => Ok(measurements.count_wrong(scenario.problems())),
            (None, false) => Err("all lengths in the file are 0, so it has none"),
            (Some(_), _) => Err("the lengths in the file are for other costs"),
        };
        let summary = measurements.summary(&name, self.search.algorithm.as_str(), wrong.ok());
        let mut out = stdout();
        if self.each && self.json {
            measurements.each.iter().try_for_each(|each| print_json(&mut out, each))?;
        } else if self.each {
            print_queries(&mut out, scenario.problems(), &measurements.each)?;
        }
        if self.json {
            print_json(&mut out, &summary)?
        } else {
            print_summary(&mut out, map.size(), &summary, wrong)?
        }
        out.flush()?;
        Ok(if wrong.is_ok_and(|wrong| wrong > 0) { ExitStatus::NoRoute } else { ExitStatus::Success })
    }

    /// Warns of the first problems whose start or goal is blocked.
    fn warn_of_blocked_ends(&self, Benchmark { map, scenario, name, text }: &Benchmark) {
        let mut count = 0;
        for ((line, _), problem) in Scenario::problem_lines(text).zip(scenario.problems()) {
            let from = map.letters()[problem.from];
            let to = map.letters()[problem.to];
            let costs = self.costs(map, problem);
            let reason = match (costs.cost(from), costs.cost(to)) {
                (None, _) => format!("the start {} is blocked: its letter is {}", problem.from, char::from(from)),
                (_, None) => {
                    let [from, letter] = [from, to].map(char::from);
                    format!("the goal {} is blocked for a start on {from}: its letter is {letter}", problem.to)
                }
                _ => continue,
            };
            count += 1;
            if count <= MAX_WARNINGS {
                tell("warning", &format!("{}:{line}: {reason}", name));
            }
        }
        if count > MAX_WARNINGS {
            let more = counted(count - MAX_WARNINGS, "more problem");
            tell("warning", &format!("{}: {more} with a start or goal that is blocked", name));
        }
    }

    /// The costs for a problem.
    fn costs(&self, map: &OctileMap, problem: &BenchmarkProblem) -> TerrainCosts {
        self.cost.clone().unwrap_or_else(|| TerrainCosts::from_start(map.letters()[problem.from]))
    }

    /// Prepares planners, and runs all problems once cold and then in several passes. If preparation took long and did not pay off, prints how to skip it.
    fn measure(&self, map: &OctileMap, problems: &[BenchmarkProblem]) -> Result<Measurements, CliError> {
        let options = self.search.options();
        let progress = Progress::new();
        progress.stage("preparing", None);
        let start = Instant::now();
        let mut grounds: Vec<Ground> = Vec::new();
        let mut queries = Vec::new();
        for problem in problems {
            let costs = self.costs(map, problem);
            let known = grounds.iter().position(|ground| ground.costs == costs);
            let ground = known.unwrap_or_else(|| {
                grounds.push(self.prepare(map, costs, &progress));
                grounds.len() - 1
            });
            queries.push((ground, RouteQuery::new(problem.from, problem.to).with_options(options)));
        }
        let preparation = start.elapsed();
        let start = Instant::now();
        progress.stage("running the problems", Some(queries.len() as u64 * (u64::from(self.passes) + 1)));
        let mut count = 0;
        // Between queries, the planner keeps its buffers and its preparation, but no result.
        let mut run = |(ground, query): &(usize, RouteQuery)| {
            let Ground { grid, planner, .. } = &mut grounds[*ground];
            let report = run_query(planner, grid, query);
            count += 1;
            progress.set_position(count);
            report
        };
        let cold = queries.iter().map(&mut run).collect::<Result<Vec<_>, _>>()?;
        let mut times = vec![Vec::with_capacity(self.passes as usize); queries.len()];
        for _ in 0..self.passes {
            for (query, times) in queries.iter().zip(&mut times) {
                times.push(run(query)?.us);
            }
        }
        let running = start.elapsed();
        drop(progress);
        if !self.unprepared && preparation > LONG_PREPARATION.max(running) {
            let [preparation, running] = [preparation, running].map(|time| time.as_secs_f64());
            let message = format!(
                "preparation took {preparation:.1} s, all passes {running:.1} s; --unprepared leaves out the tables"
            );
            tell("note", &message);
        }
        let mean = mean(cold.iter().map(|each| each.us));
        let each = cold.into_iter().zip(times).enumerate();
        let each =
            each.map(|(query, (cold, mut times))| QueryReport { query, us: rounded(median(&mut times)), ..cold });
        Ok(Measurements { preparation, cold: mean, each: each.collect() })
    }

    /// Prepares a planner for the map with these costs.
    fn prepare(&self, map: &OctileMap, costs: TerrainCosts, progress: &Progress) -> Ground {
        let diagonal = if self.cost.is_some() { Diagonal::GAME } else { Diagonal::SQRT_2 };
        let grid = map.cost_grid(&costs, diagonal);
        let options = self.search.options();
        let mut planner = Planner::new();
        if self.unprepared {
            planner.prepare_passes(&grid, &options);
        } else {
            progress.prepare("preparing tables (--unprepared leaves them out)", &mut planner, &grid, &options);
        }
        Ground { costs, grid, planner }
    }
}

/// A Moving AI map and its scenario.
pub struct Benchmark {
    pub map: OctileMap,
    pub scenario: Scenario,
    /// The name of the scenario file for messages, and its text.
    pub name: String,
    pub text: String,
}

impl Benchmark {
    /// Reads the files. The map has the size for which the scenario is.
    pub fn read(map: &Path, scenario: &Path) -> Result<Self, CliError> {
        let (title, text) = read_text(map)?;
        let map = OctileMap::parse(&title, &text)?;
        let (name, text) = read_text(scenario)?;
        let scenario = Scenario::parse(&name, &text, map.size())?;
        Ok(Self { map: map.scaled_to(scenario.map_size()), scenario, name, text })
    }
}

/// The cells that some of the problems can use: land, water or trees.
struct Ground {
    costs: TerrainCosts,
    grid: CostGrid,
    planner: Planner,
}

/// Warns of letters that are blocked because nothing is known of them.
pub fn warn_of_unknown_letters(map: &OctileMap, path: &Path) {
    if let Some(letters) = map.unknown_letters() {
        let message = format!("{}: these letters are unknown, and so they are blocked: {letters}", display_name(path));
        tell("warning", &message);
    }
}

/// Warns of letters that have a cost but are not on the map, because they may be misspelt. This is not an error,
/// because a list of costs may be used for several maps.
fn warn_of_unused_costs(costs: &TerrainCosts, map: &OctileMap, path: &Path) {
    let mut used = [false; 256];
    map.letters().iter().for_each(|(_, &letter)| used[usize::from(letter)] = true);
    let unused: Vec<_> = costs.listed_letters().filter(|&letter| !used[usize::from(letter)]).collect();
    if unused.is_empty() {
        return;
    }
    let list = |letters: Vec<u8>| letters.into_iter().flat_map(|letter| [' ', letter.into()]).collect::<String>();
    let unused = list(unused);
    let map = display_name(path);
    let known = list((0..=u8::MAX).filter(|&letter| used[usize::from(letter)]).collect());
    tell("warning", &format!("--cost names{unused}, which {map} does not have; its letters are{known}"));
}

/// The measurements of all problems.
struct Measurements {
    preparation: Duration,
    /// The mean time of a query in the cold pass, in microseconds.
    cold: f64,
    each: Vec<QueryReport>,
}

impl Measurements {
    /// The number of problems without a route, or with a cost that is not the length in the file.
    fn count_wrong(&self, problems: &[BenchmarkProblem]) -> usize {
        let is_right =
            |each: &QueryReport, problem: &BenchmarkProblem| each.cost.is_some_and(|cost| problem.is_length(cost));
        self.each.iter().zip(problems).filter(|(each, problem)| !is_right(each, problem)).count()
    }

    fn summary<'a>(&self, map: &'a str, algorithm: &'a str, wrong: Option<usize>) -> Summary<'a> {
        let mut times: Vec<_> = self.each.iter().map(|each| each.us).collect();
        let median = median(&mut times);
        // `median` has sorted the times. This is the smallest time that at least 99 % of them do not exceed.
        let p99 = times[(times.len() * 99).div_ceil(100) - 1];
        Summary {
            map,
            algorithm,
            queries: self.each.len(),
            found: self.each.iter().filter(|each| each.cost.is_some()).count(),
            mean_us: rounded(mean(times.iter().copied())),
            median_us: rounded(median),
            p99_us: p99,
            cold_us: rounded(self.cold),
            prep_us: micros(self.preparation),
            expanded: rounded(mean(self.each.iter().map(|each| each.expanded as f64))),
            wrong,
        }
    }
}

/// Runs one query. A blocked endpoint is not an error here; it means that there is no route.
fn run_query(planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> Result<QueryReport, CliError> {
    let start = Instant::now();
    let answer = black_box(planner.plan(grid, black_box(query)));
    let us = micros(start.elapsed());
    let (cost, expanded) = match answer {
        Ok(result) => (result.cost().map(|cost| cost.tiles()), result.expanded),
        Err(QueryError::Blocked { .. }) => (None, 0),
        Err(error) => return Err(CliError::Message(error.to_string())),
    };
    Ok(QueryReport { query: 0, cost, us, expanded })
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The median of the values, which it sorts.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let low = (values.len() - 1) / 2;
    let high = values.len() / 2;
    (values[low] + values[high]) / 2.0
}

/// Rounds to three decimals: clocks have a resolution of a nanosecond at best.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Prints every query for people.
fn print_queries(out: &mut impl Write, problems: &[BenchmarkProblem], each: &[QueryReport]) -> io::Result<()> {
    writeln!(
        out,
        "{:>6} {:>11} {:>11} {:>12} {:>12} {:>12} {:>10}",
        "query", "from", "to", "file", "cost", "µs", "expanded"
    )?;
    for (problem, QueryReport { query, cost, us, expanded }) in problems.iter().zip(each) {
        let [from, to] = [problem.from, problem.to].map(|cell| cell.to_string());
        let length = problem.length;
        let cost = cost.map_or("none".into(), |cost| format!("{cost:.3}"));
        writeln!(out, "{query:>6} {from:>11} {to:>11} {length:>12.3} {cost:>12} {us:>12.1} {expanded:>10}")?;
    }
    writeln!(out)
}

/// Prints the summary for people. `wrong` is the number of wrong answers, or why that is unknown.
fn print_summary(
    out: &mut impl Write,
    size: Size,
    summary: &Summary<'_>,
    wrong: Result<usize, &str>,
) -> io::Result<()> {
    let Summary { map, algorithm, queries, found, .. } = summary;
    let map = escape_invisible(map);
    let problems = counted(*queries, "problem");
    writeln!(out, "{map}: {} cells, {problems}, {found} with a route, by {algorithm}\n", size)?;
    let rows = [
        ("mean time", summary.mean_us, "µs"),
        ("median time", summary.median_us, "µs"),
        ("99th percentile", summary.p99_us, "µs"),
        ("mean time, cold", summary.cold_us, "µs"),
        ("preparation", summary.prep_us, "µs"),
        ("mean expanded", summary.expanded, "cells"),
    ];
    for (what, value, unit) in rows {
        writeln!(out, "{what:>17}  {value:>12.1} {unit}")?;
    }
    match wrong {
        Ok(wrong) => writeln!(out, "{:>17}  {wrong:>12} of {queries}", "wrong answers"),
        Err(reason) => writeln!(out, "{:>17}  {:>12} ({reason})", "wrong answers", "-"),
    }
}
