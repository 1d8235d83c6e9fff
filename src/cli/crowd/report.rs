//! The report about a crowd.

use std::io::{self, Write};

use emberwalk_crowd::WaitsFor;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, Options, Planner, RouteQuery, StepRules};
use emberwalk_world::PACE;
use serde::Serialize;

use super::orders::Orders;
use super::run::{Blocked, Run};
use super::should_prepare;
use crate::cli::output::print_json;

/// The number of conflicts that are printed.
const MAX_PRINTED: usize = 10;

/// The output of `--json`. A stretch is the travel time of an agent divided by the time that it would take alone.
#[derive(Serialize)]
struct Summary {
    /// Programs that read the report know this name.
    #[serde(rename = "units")]
    agents: usize,
    arrived: usize,
    /// Until the last arrival, or the end if not all have arrived.
    seconds: f64,
    mean_stretch: Option<f64>,
    worst_stretch: Option<f64>,
    /// The number of goals that were reached.
    goals_reached: usize,
    goals_per_second: f64,
    /// The number of agents that stood still before they arrived, and the longest time that one agent stood.
    waited: usize,
    longest_stand: f64,
    /// The numbers of agents at the end that cannot reach their goals, and that were stuck and have not arrived since.
    unreachable: usize,
    stuck: usize,
    ticks: usize,
    tick_mean_us: f64,
    tick_worst_us: f64,
    conflicts: usize,
}

/// The result of a run.
pub struct Report<'a> {
    summary: Summary,
    run: &'a Run,
    is_lifelong: bool,
}

impl<'a> Report<'a> {
    pub fn new(grid: &CostGrid, rules: StepRules, orders: &Orders, run: &'a Run, is_lifelong: bool) -> Self {
        let stretches = if is_lifelong { Vec::new() } else { stretches(grid, rules, orders, run) };
        let arrived = run.arrived();
        let last = run.walkers.iter().filter_map(|walker| walker.arrival).max().unwrap_or(CrowdTime::ZERO);
        let seconds = if arrived == run.walkers.len() { last } else { run.end }.seconds();
        // A `sum` of no numbers would be -0.0.
        let mean = |values: &[f64]| values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64;
        let stands = || run.walkers.iter().map(|walker| walker.longest_stand);
        let summary = Summary {
            agents: run.walkers.len(),
            arrived,
            seconds,
            mean_stretch: (!stretches.is_empty()).then(|| mean(&stretches)),
            worst_stretch: stretches.iter().copied().reduce(f64::max),
            goals_reached: run.reached,
            goals_per_second: if seconds > 0.0 { run.reached as f64 / seconds } else { 0.0 },
            waited: stands().filter(|&stand| stand > CrowdTime::ZERO).count(),
            longest_stand: stands().max().unwrap_or(CrowdTime::ZERO).seconds(),
            unreachable: run.unreachable.len(),
            stuck: run.stuck.len(),
            ticks: run.ticks.count,
            tick_mean_us: run.ticks.total.as_secs_f64() * 1e6 / run.ticks.count.max(1) as f64,
            tick_worst_us: run.ticks.worst.as_secs_f64() * 1e6,
            conflicts: run.conflicts.len(),
        };
        Self { summary, run, is_lifelong }
    }

    pub fn print_json(&self, out: &mut impl Write) -> io::Result<()> {
        print_json(out, &self.summary)
    }

    pub fn print(&self, out: &mut impl Write, map: &str) -> io::Result<()> {
        let Summary { agents, arrived, seconds, goals_reached, goals_per_second, waited, longest_stand, .. } =
            self.summary;
        writeln!(out, "{map}: {}", counted(agents, "agent"))?;
        if self.is_lifelong {
            writeln!(out, "goals      {goals_reached} reached in {seconds:.1} s, {goals_per_second:.2} per second")?;
        } else {
            let end = if arrived == agents { "the last one after" } else { "stopped after" };
            writeln!(out, "arrived    {arrived} of {agents}, {end} {seconds:.1} s")?;
        }
        if let (Some(mean), Some(worst)) = (self.summary.mean_stretch, self.summary.worst_stretch) {
            writeln!(out, "travel     {mean:.2} times as long as alone on average, {worst:.2} times at worst")?;
        }
        let longest = if waited > 0 { format!(", for {longest_stand:.1} s at worst") } else { String::new() };
        writeln!(out, "waited     {}{longest}", counted(waited, "agent"))?;
        for (name, blocked) in [("no route", &self.run.unreachable), ("stuck", &self.run.stuck)] {
            if let Some(example) = blocked.first() {
                writeln!(out, "{name:<10} {}, for example {}", counted(blocked.len(), "agent"), description(example))?;
            }
        }
        let Summary { ticks, tick_mean_us, tick_worst_us, conflicts, .. } = self.summary;
        let [mean, worst] = [tick_mean_us, tick_worst_us].map(|micros| micros / 1000.0);
        writeln!(out, "ticks      {ticks}, {mean:.3} ms each on average, {worst:.3} ms at worst")?;
        writeln!(out, "conflicts  {}", if conflicts == 0 { "none".into() } else { conflicts.to_string() })?;
        for conflict in self.run.conflicts.iter().take(MAX_PRINTED) {
            writeln!(out, "  {conflict}")?;
        }
        Ok(())
    }
}

/// An agent that gets no nearer to its goal, and the reason.
fn description(&Blocked { agent, at, waits_for, .. }: &Blocked) -> String {
    let reason = match waits_for {
        Some(WaitsFor::Agent(other)) => format!(", which waits for agent {other}"),
        Some(WaitsFor::Edit(cell)) => format!(", which waits for the edit of {cell}"),
        _ => String::new(),
    };
    format!("agent {agent} in {at}{reason}")
}

/// The stretch of each agent that has arrived at another cell than its start. The time alone is the time of cheapest
/// routes between the cells where it has arrived.
fn stretches(grid: &CostGrid, rules: StepRules, orders: &Orders, run: &Run) -> Vec<f64> {
    let options = Options::default().with_rules(rules);
    let mut planner = Planner::new();
    if should_prepare(grid, run.reached as f64) {
        planner.prepare(grid, &options);
    }
    let mut time_between = |from: Cell, to: Cell| {
        let result = planner.plan(grid, &RouteQuery::new(from, to).with_options(options)).ok();
        let pairs = result.iter().flat_map(|result| result.cells().windows(2));
        let steps = pairs.filter_map(|pair| rules.step_cost(grid, pair[0], pair[1]));
        steps.map(|cost| PACE.of(cost)).fold(CrowdTime::ZERO, |sum, time| sum + time)
    };
    let mut stretches = Vec::new();
    for (walker, order) in run.walkers.iter().zip(&orders.agents) {
        let Some(arrival) = walker.arrival else { continue };
        let mut at = order.from;
        let mut alone = CrowdTime::ZERO;
        for &stop in &walker.stops {
            alone = alone + time_between(at, stop);
            at = stop;
        }
        if alone > CrowdTime::ZERO {
            stretches.push(arrival.seconds() / alone.seconds());
        }
    }
    stretches
}
