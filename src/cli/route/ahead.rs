//! `route --erupts-in` and `--at`: the earliest arrival, given what is coming.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use emberwalk_map::diagnostics::counted;
use emberwalk_map::{DayLength, DayTime, Hour, Map};
use emberwalk_path::ahead::Stop;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::{Planner, Route, RouteCost, RouteQuery};
use emberwalk_world::{MAX_SECONDS, Order, PACE, World};
use serde::Serialize;

use super::answer::{Answer, Report};
use crate::cli::day::{parse_day, parse_hour};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::printable_name;
use crate::cli::output::print_json;
use crate::cli::planning_args::{number_in, query_error};

/// Options that say what is coming.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "What is coming")]
pub struct AheadArgs {
    /// Find the earliest arrival if all volcanoes erupt so long after the departure
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true,
        conflicts_with_all = ["erupting", "queries", "trace", "through", "breach", "compare"],
        value_parser = number_in(0.0..=f64::from(MAX_SECONDS), "this must be a number of seconds from 0 to 86400"))]
    erupts_in: Option<f64>,
    /// Find the earliest arrival if it is this hour at the departure, given the opening hours of gates
    #[arg(long, value_name = "H:MM", value_parser = parse_hour,
        conflicts_with_all = ["queries", "trace", "through", "breach", "compare"])]
    at: Option<Hour>,
    /// Let a day pass in this number of seconds, from 10 to 86400; by default, the map's own day
    #[arg(long, value_name = "SECONDS", value_parser = parse_day,
        conflicts_with_all = ["queries", "trace", "through", "breach", "compare"])]
    day: Option<DayLength>,
}

impl AheadArgs {
    /// Whether anything is said about what is coming.
    pub fn are_given(&self) -> bool {
        self.erupts_in.is_some() || self.at.is_some() || self.day.is_some()
    }

    /// Finds the earliest arrival, and prints it.
    pub fn answer(
        &self,
        out: &mut impl Write,
        map: &Map,
        query: &RouteQuery,
        json: bool,
    ) -> Result<ExitStatus, CliError> {
        let world = self.world(map)?;
        let (outlook, departure) = (world.outlook(), world.departure());
        let explained = |error| query_error(error, world.map());
        let mut planner = Planner::new();
        let start = Instant::now();
        let result = planner.plan_ahead(&outlook, query, departure).map_err(explained)?;
        let micros = start.elapsed().as_micros() as u64;
        let unaware = match result.found() {
            true => Planner::new().arrival_unaware(&outlook, query, departure).map_err(explained)?,
            false => None,
        };
        let cost = result.duration().unwrap_or_default() - result.waits();
        let route = result.route.map(|_| Route { cells: result.cells().collect(), cost });
        let answer = AheadAnswer {
            world: &world,
            departure,
            answer: Answer {
                map: world.map(),
                query: *query,
                route: route.as_ref().map(Route::as_route_ref),
                expanded: result.expanded,
                reopened: 0,
                optimal: result.is_proved(),
                micros,
            },
            stops: result.stops(),
            unaware,
        };
        if json {
            print_json(out, &answer.report())?;
        } else {
            answer.print(out)?;
        }
        Ok(answer.answer.status())
    }

    /// The world at the departure.
    fn world(&self, map: &Map) -> Result<World, CliError> {
        let own = map.day_time();
        let day = DayTime { start: self.at.unwrap_or(own.start), day: self.day.or(own.day) };
        if self.at.is_some() && day.day.is_none() {
            let name = printable_name(map);
            let message = format!("{name}: the hour stands still, so nothing opens or closes: add --day SECONDS");
            return Err(CliError::Message(message));
        }
        let mut world = World::on(map.clone());
        let eruption = self.erupts_in.map(|seconds| Order::announce(CrowdTime::from_seconds(seconds)));
        for order in eruption.into_iter().chain([Order::day(day)]) {
            world.apply(&order).map_err(|error| CliError::Message(error.to_string()))?;
        }
        Ok(world)
    }
}

/// The answer to a query about the time to come.
struct AheadAnswer<'a> {
    world: &'a World,
    departure: RouteCost,
    /// The route, whose cost is without the waits.
    answer: Answer<'a>,
    /// The times of its cells.
    stops: &'a [Stop],
    /// The arrival of one who does not know what is coming.
    unaware: Option<RouteCost>,
}

/// The output of `--json`. Times are in seconds after the departure.
#[derive(Serialize)]
struct AheadReport<'a> {
    #[serde(flatten)]
    report: Report<'a>,
    arrives: Option<f64>,
    times: Vec<f64>,
    waits: Vec<f64>,
    unaware: Option<f64>,
}

impl AheadAnswer<'_> {
    /// The time from the departure to another time, in seconds.
    fn seconds_until(&self, time: RouteCost) -> f64 {
        PACE.time_of(time - self.departure).seconds()
    }

    fn arrival(&self) -> Option<RouteCost> {
        self.stops.last().map(|stop| stop.arrival)
    }

    fn report(&self) -> AheadReport<'_> {
        let mut report = self.answer.report();
        // A cell may cost more or less on the way.
        report.terrain = None;
        AheadReport {
            report,
            arrives: self.arrival().map(|arrival| self.seconds_until(arrival)),
            times: self.stops.iter().map(|stop| self.seconds_until(stop.arrival)).collect(),
            waits: self.stops.iter().map(|stop| PACE.time_of(stop.wait()).seconds()).collect(),
            unaware: self.unaware.map(|arrival| self.seconds_until(arrival)),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let name = printable_name(self.world.map());
        let Answer { query: RouteQuery { from, to, .. }, expanded, micros, .. } = self.answer;
        let Some(arrival) = self.arrival() else {
            return writeln!(out, "{name}: there is no route from {from} to {to}, whatever is coming");
        };
        writeln!(out, "{name}: from {from} to {to}{}", self.describe_what_is_coming())?;
        let steps = counted(self.stops.len() - 1, "step");
        let expanded = counted(expanded as usize, "cell");
        let arrives = self.seconds_until(arrival);
        writeln!(
            out,
            "arrives after {arrives:.2} s (the earliest possible), {steps}, {expanded} expanded in {micros} µs"
        )?;
        match self.unaware {
            Some(unaware) => writeln!(out, "without knowing: after {:.2} s", self.seconds_until(unaware))?,
            None => writeln!(out, "without knowing: never")?,
        }
        writeln!(out, "\n  time s   waits s  cell")?;
        for stop in self.stops {
            let waits = PACE.time_of(stop.wait()).seconds();
            let waits = if waits > 0.0 { format!("{waits:.2}") } else { String::new() };
            writeln!(out, "{:8.2}  {waits:>8}  {}", self.seconds_until(stop.arrival), stop.cell)?;
        }
        Ok(())
    }

    /// What is known, as the end of the first line.
    fn describe_what_is_coming(&self) -> String {
        let DayTime { start, day } = self.world.day();
        let day = day.map(|day| format!(" at {start}, in a day of {} s", day.seconds()));
        let eruption = self.world.announced().map(|rest| format!("; all volcanoes erupt after {} s", rest.seconds()));
        [day, eruption].into_iter().flatten().collect()
    }
}
