//! `emberwalk scenario`: runs the problems of a Moving AI scenario file, and says how long they take.

use std::hint::black_box;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use emberwalk::moving_ai::{BenchmarkProblem, OctileMap, Scenario, TerrainCosts};
use emberwalk::path::{CostGrid, Diagonal, Options, Planner, Query, QueryError};
use serde::{Serialize, Serializer};

use super::failure::{Failure, Status};
use super::io::text as text_of;
use super::output::stdout;
use super::planning::Searching;

/// Run a Moving AI scenario file and report times and wrong costs
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk scenario arena2.map arena2.map.scen\n  \
                        emberwalk scenario arena2.map arena2.map.scen --algorithm dijkstra --json\n  \
                        emberwalk scenario duskwood.map duskwood.map.scen --cost T=1.5,S=2,W=4\n\n\
                        The cells . G S are passable; with --cost all but @ and O are.\n\
                        A query's time is the median of its passes; loading and preparation stand apart.")]
pub struct ScenarioArgs {
    /// The map file; - is standard input
    #[arg(value_name = "FILE.map")]
    map: PathBuf,
    /// The scenario file, for that map; - is standard input
    #[arg(value_name = "FILE.scen")]
    scenario: PathBuf,
    /// Costs of entering by map letter, in tiles, and diagonal steps 1.414 times as much; other letters cost 1. Without
    /// it all cost 1, and diagonal steps the square root of 2, as in the file's own lengths
    #[arg(long, value_name = "T=1.5,S=2,W=4")]
    cost: Option<TerrainCosts>,
    /// Passes over all problems, after a cold one
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    /// Print every query too, before the summary
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    searching: Searching,
}

/// What `--each` prints of a query.
#[derive(Serialize)]
struct Each {
    query: usize,
    cost: Option<f64>,
    #[serde(serialize_with = "thousandths")]
    us: f64,
    expanded: u64,
}

/// What `--json` prints of all.
#[derive(Serialize)]
struct Summary<'a> {
    map: &'a str,
    algorithm: &'a str,
    queries: usize,
    found: usize,
    #[serde(serialize_with = "thousandths")]
    mean_us: f64,
    #[serde(serialize_with = "thousandths")]
    median_us: f64,
    #[serde(serialize_with = "thousandths")]
    p99_us: f64,
    #[serde(serialize_with = "thousandths")]
    cold_us: f64,
    #[serde(serialize_with = "thousandths")]
    prep_us: f64,
    #[serde(serialize_with = "thousandths")]
    expanded: f64,
    wrong: Option<usize>,
}

impl ScenarioArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let (title, text) = text_of(&self.map)?;
        let map = OctileMap::parse(&title, &text)?;
        let (title, text) = text_of(&self.scenario)?;
        let scenario = Scenario::parse(&title, &text, map.size())?;
        let diagonal = if self.cost.is_some() { Diagonal::GAME } else { Diagonal::SQRT_2 };
        let grid = map.cost_grid(self.cost.as_ref().unwrap_or(&TerrainCosts::default()), diagonal);
        let options = self.searching.options();
        let run = Run::new(&grid, scenario.problems(), options, self.passes)?;

        let name = self.map.file_stem().unwrap_or_default().to_string_lossy();
        let wrong = self.cost.is_none().then(|| run.wrong(scenario.problems()));
        let summary = run.summary(&name, options.algorithm.as_str(), wrong);
        let mut out = stdout();
        match (self.json, self.each) {
            (true, each) => {
                for each in run.each.iter().filter(|_| each) {
                    json(&mut out, each)?;
                }
                json(&mut out, &summary)?;
            }
            (false, each) => {
                if each {
                    print_each(&mut out, scenario.problems(), &run.each)?;
                }
                print(&mut out, &grid, &summary)?;
            }
        }
        out.flush()?;
        Ok(Status::Done)
    }
}

/// What was found out about every problem.
struct Run {
    prepared: Duration,
    /// The mean of the cold pass, in microseconds.
    cold: f64,
    each: Vec<Each>,
}

impl Run {
    fn new(grid: &CostGrid, problems: &[BenchmarkProblem], options: Options, passes: u32) -> Result<Self, Failure> {
        let queries: Vec<_> =
            problems.iter().map(|problem| Query::new(problem.from, problem.to).with(options)).collect();
        // From one query to the next the planner keeps its memory and what preparation found out, but no answer.
        let mut planner = Planner::new();
        let begun = Instant::now();
        planner.prepare(grid, &options);
        let prepared = begun.elapsed();

        let cold = queries.iter().map(|query| ask(&mut planner, grid, query)).collect::<Result<Vec<_>, _>>()?;
        let mut times = vec![Vec::with_capacity(passes as usize); queries.len()];
        for _ in 0..passes {
            for (query, times) in queries.iter().zip(&mut times) {
                times.push(ask(&mut planner, grid, query)?.us);
            }
        }
        let mean = mean(cold.iter().map(|each| each.us));
        let each = cold.into_iter().zip(times).enumerate();
        let each = each.map(|(query, (cold, mut times))| Each { query, us: median(&mut times), ..cold }).collect();
        Ok(Self { prepared, cold: mean, each })
    }

    /// How many queries have another cost than their problem's, by more than 0.001 and by more than 0.1 %. Queries
    /// without a route have none: they count as not found.
    fn wrong(&self, problems: &[BenchmarkProblem]) -> usize {
        let pairs = self.each.iter().zip(problems);
        let off = |(each, problem): &(&Each, &BenchmarkProblem)| {
            let off = each.cost.map_or(0.0, |cost| (cost - problem.length).abs());
            off > 0.001 && off > 0.001 * problem.length
        };
        pairs.filter(off).count()
    }

    fn summary<'a>(&self, map: &'a str, algorithm: &'a str, wrong: Option<usize>) -> Summary<'a> {
        let mut times: Vec<_> = self.each.iter().map(|each| each.us).collect();
        let median = median(&mut times);
        // The smallest time that 99 of 100 do not exceed, from what `median` has sorted.
        let p99 = times[(times.len() * 99).div_ceil(100) - 1];
        Summary {
            map,
            algorithm,
            queries: self.each.len(),
            found: self.each.iter().filter(|each| each.cost.is_some()).count(),
            mean_us: mean(times.iter().copied()),
            median_us: median,
            p99_us: p99,
            cold_us: self.cold,
            prep_us: micros(self.prepared),
            expanded: mean(self.each.iter().map(|each| each.expanded as f64)),
            wrong,
        }
    }
}

/// Answers a query alone. A blocked end is an answer here: there is no route.
fn ask(planner: &mut Planner, grid: &CostGrid, query: &Query) -> Result<Each, Failure> {
    let begun = Instant::now();
    let answer = black_box(planner.plan(grid, black_box(query)));
    let us = micros(begun.elapsed());
    let (cost, expanded) = match answer {
        Ok(outcome) => (outcome.cost().map(|cost| cost.tiles()), outcome.expanded),
        Err(QueryError::Blocked { .. }) => (None, 0),
        Err(error) => return Err(Failure::Message(error.to_string())),
    };
    Ok(Each { query: 0, cost, us, expanded })
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The middle of the values, or the mean of the two in the middle; it sorts them.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = ((values.len() - 1) / 2, values.len() / 2);
    (values[low] + values[high]) / 2.0
}

/// Times are known to the nanosecond at best.
fn thousandths<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 1e3).round() / 1e3)
}

fn json(out: &mut impl Write, row: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    writeln!(out)
}

/// Every query for people.
fn print_each(out: &mut impl Write, problems: &[BenchmarkProblem], each: &[Each]) -> io::Result<()> {
    writeln!(
        out,
        "{:>6} {:>11} {:>11} {:>12} {:>12} {:>12} {:>10}",
        "query", "from", "to", "file", "cost", "µs", "expanded"
    )?;
    for (problem, Each { query, cost, us, expanded }) in problems.iter().zip(each) {
        let [from, to] = [problem.from, problem.to].map(|cell| cell.to_string());
        let (length, cost) = (problem.length, cost.map_or("none".into(), |cost| format!("{cost:.3}")));
        writeln!(out, "{query:>6} {from:>11} {to:>11} {length:>12.3} {cost:>12} {us:>12.1} {expanded:>10}")?;
    }
    writeln!(out)
}

/// The summary for people.
fn print(out: &mut impl Write, grid: &CostGrid, summary: &Summary<'_>) -> io::Result<()> {
    let Summary { map, algorithm, queries, found, .. } = summary;
    writeln!(out, "{map}: {} cells, {queries} problems, {found} with a route, by {algorithm}\n", grid.size())?;
    let rows = [
        ("a query, mean", summary.mean_us, "µs"),
        ("median", summary.median_us, "µs"),
        ("99 of 100 within", summary.p99_us, "µs"),
        ("cold, mean", summary.cold_us, "µs"),
        ("preparation", summary.prep_us, "µs"),
        ("expanded, mean", summary.expanded, "cells"),
    ];
    for (what, value, unit) in rows {
        writeln!(out, "{what:>17}  {value:>12.1} {unit}")?;
    }
    match summary.wrong {
        Some(wrong) => writeln!(out, "{:>17}  {wrong:>12} of another cost than the file's", "wrong"),
        None => writeln!(out, "{:>17}  {:>12} the file's lengths are for other costs", "wrong", "-"),
    }
}
