//! The report about a crowd.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::Duration;

use emberwalk::pace::PACE;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::crowd::{Conflict, CrowdTime};
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Field, FieldQuery, Route, StepRules};
use serde::Serialize;

use super::Run;
use super::orders::Order;
use crate::cli::output::print_json;

/// The number of conflicts that are printed.
const MAX_PRINTED: usize = 10;

/// What `--json` prints. A stretch is the travel time of an agent divided by the time that it would take alone.
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
    /// The number of agents that have stood still on the way.
    waited: usize,
    ticks: usize,
    tick_mean_us: f64,
    tick_worst_us: f64,
    conflicts: usize,
}

/// The processing times of ticks.
#[derive(Default)]
pub struct TickTimes {
    count: usize,
    total: Duration,
    worst: Duration,
}

impl TickTimes {
    pub fn add(&mut self, time: Duration) {
        self.count += 1;
        self.total += time;
        self.worst = self.worst.max(time);
    }
}

/// The result of a run.
pub struct Report<'a> {
    summary: Summary,
    conflicts: &'a [Conflict],
}

impl<'a> Report<'a> {
    pub fn new(grid: &CostGrid, rules: StepRules, orders: &[Order], run: &'a Run) -> Self {
        let alone = times_alone(grid, rules, orders);
        let arrivals = || run.arrivals.iter().zip(&alone).filter_map(|(arrival, &alone)| Some(((*arrival)?, alone)));
        let travelled = arrivals().filter(|&(_, alone)| alone > CrowdTime::ZERO);
        let stretches: Vec<f64> = travelled.map(|(arrival, alone)| arrival.seconds() / alone.seconds()).collect();
        let waits = |(arrival, stepping): (&Option<CrowdTime>, &CrowdTime)| arrival.unwrap_or(run.end) > *stepping;
        let last = arrivals().map(|(arrival, _)| arrival).max().unwrap_or(CrowdTime::ZERO);
        // A `sum` of no numbers would be -0.0.
        let mean = |values: &[f64]| values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64;
        let summary = Summary {
            agents: orders.len(),
            arrived: run.arrived,
            seconds: if run.arrived == orders.len() { last } else { run.end }.seconds(),
            mean_stretch: (!stretches.is_empty()).then(|| mean(&stretches)),
            worst_stretch: stretches.iter().copied().reduce(f64::max),
            waited: run.arrivals.iter().zip(&run.stepping).filter(|&agent| waits(agent)).count(),
            ticks: run.ticks.count,
            tick_mean_us: run.ticks.total.as_secs_f64() * 1e6 / run.ticks.count.max(1) as f64,
            tick_worst_us: run.ticks.worst.as_secs_f64() * 1e6,
            conflicts: run.conflicts.len(),
        };
        Self { summary, conflicts: &run.conflicts }
    }

    pub fn print_json(&self, out: &mut impl Write) -> io::Result<()> {
        print_json(out, &self.summary)
    }

    pub fn print(&self, out: &mut impl Write, map: &str) -> io::Result<()> {
        let Summary { agents, arrived, seconds, waited, ticks, .. } = self.summary;
        writeln!(out, "{map}: {}", counted(agents, "agent"))?;
        let end = if arrived == agents { "the last one after" } else { "stopped after" };
        writeln!(out, "arrived    {arrived} of {agents}, {end} {seconds:.1} s")?;
        if let (Some(mean), Some(worst)) = (self.summary.mean_stretch, self.summary.worst_stretch) {
            writeln!(out, "travel     {mean:.2} times as long as alone on average, {worst:.2} times at worst")?;
        }
        writeln!(out, "waited     {}", counted(waited, "agent"))?;
        let [mean, worst] = [self.summary.tick_mean_us, self.summary.tick_worst_us].map(|micros| micros / 1000.0);
        writeln!(out, "ticks      {ticks}, {mean:.3} ms each on average, {worst:.3} ms at worst")?;
        writeln!(
            out,
            "conflicts  {}",
            if self.conflicts.is_empty() { "none".into() } else { self.conflicts.len().to_string() }
        )?;
        for conflict in self.conflicts.iter().take(MAX_PRINTED) {
            writeln!(out, "  {conflict}")?;
        }
        Ok(())
    }
}

/// How long each agent would take if there were no other, by a cheapest route.
fn times_alone(grid: &CostGrid, rules: StepRules, orders: &[Order]) -> Vec<CrowdTime> {
    let mut by_goal = HashMap::<Cell, Vec<usize>>::new();
    for (agent, order) in orders.iter().enumerate() {
        by_goal.entry(order.to).or_default().push(agent);
    }
    let mut times = vec![CrowdTime::ZERO; orders.len()];
    let mut field = Field::new();
    let mut route = Route::default();
    for (goal, agents) in by_goal {
        // Goals are passable, so there is a field.
        let computed = field.compute(grid, &FieldQuery::routes_to(goal).with_rules(rules));
        for agent in agents.into_iter().filter(|_| computed.is_ok()) {
            field.route_into(orders[agent].from, &mut route);
            let steps = route.cells.windows(2).filter_map(|pair| rules.step_cost(grid, pair[0], pair[1]));
            times[agent] = steps.map(|cost| PACE.of(cost)).fold(CrowdTime::ZERO, |sum, time| sum + time);
        }
    }
    times
}
