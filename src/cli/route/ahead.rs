//! `route --erupts-in` and `--at`: the earliest arrival, given announced changes.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use emberwalk_map::diagnostics::{counted, escape_invisible};
use emberwalk_map::{DayLength, DayTime, Hour, Map};
use emberwalk_path::ahead::{Outlook, Stop};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Planner, Route, RouteCost, RouteQuery};
use emberwalk_world::{MAX_SECONDS, Order, PACE, World};
use serde::Serialize;

use super::answer::{Answer, Report};
use crate::cli::day::parse_hour;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::eruption::{announce, describe_no_route, seconds_text};
use crate::cli::ground::world_after;
use crate::cli::input::{map_error, printable_name};
use crate::cli::output::print_json;
use crate::cli::planning_args::{number_in, query_error};

/// Options that announce changes.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Announced changes")]
pub struct AheadArgs {
    /// Find the earliest arrival if all volcanoes erupt this many seconds after the departure, from 0 to 86400
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true,
        conflicts_with_all = ["erupting", "queries", "trace", "through", "breach", "compare"],
        value_parser = number_in(0.0..=f64::from(MAX_SECONDS), "this must be a number of seconds from 0 to 86400"))]
    erupts_in: Option<f64>,
    /// Set the hour of departure, from 0:00 to 24:00, so that opening hours count, and find the earliest arrival
    #[arg(long, visible_alias = "hour", value_name = "H:MM", allow_hyphen_values = true, value_parser = parse_hour,
        conflicts_with_all = ["queries", "trace", "through", "breach", "compare"])]
    at: Option<Hour>,
    /// Let a day pass in this number of seconds, a whole number from 10 to 86400; by default, the map's own day
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true,
        conflicts_with_all = ["queries", "trace", "through", "breach", "compare"])]
    day: Option<DayLength>,
}

impl AheadArgs {
    /// Whether any change is announced.
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
        let explained = query_error(world.map());
        let mut planner = Planner::new();
        let start = Instant::now();
        let result = planner.plan_ahead(&outlook, query, departure).map_err(&explained)?;
        let micros = start.elapsed().as_micros() as u64;
        let unaware = match result.found() {
            true => Planner::new().arrival_unaware(&outlook, query, departure).map_err(&explained)?,
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
            erupts_in: self.erupts_in,
            outlook: &outlook,
        };
        if json {
            print_json(out, &answer.report())?;
        } else if result.found() {
            answer.print(out)?;
        } else {
            writeln!(out, "{}", describe_no_route(world.map(), query, &result))?;
        }
        Ok(answer.answer.status())
    }

    /// The world at the departure.
    fn world(&self, map: &Map) -> Result<World, CliError> {
        let own = map.day_time();
        let day = DayTime { start: self.at.unwrap_or(own.start), day: self.day.or(own.day) };
        if self.at.is_some() && day.day.is_none() {
            let reason = "the day does not pass on this map, so opening hours do not count and --at would change nothing: \
                          add --day SECONDS";
            return Err(map_error(map, reason));
        }
        let eruption = self.erupts_in.map(|seconds| announce(map, seconds)).transpose()?;
        world_after(map, eruption.into_iter().chain([Order::day(day)]))
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
    /// The arrival of a traveller who does not know the announced changes.
    unaware: Option<RouteCost>,
    /// How long after the departure all volcanoes erupt, in seconds.
    erupts_in: Option<f64>,
    outlook: &'a Outlook,
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
    erupts_in: Option<f64>,
    /// The hour of the departure and the length of a day in seconds, if the day passes.
    at: Option<String>,
    day: Option<u32>,
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
        // The cost of a cell may change before the traveller enters it.
        report.terrain = None;
        let DayTime { start, day } = self.world.day();
        AheadReport {
            report,
            arrives: self.arrival().map(|arrival| self.seconds_until(arrival)),
            times: self.stops.iter().map(|stop| self.seconds_until(stop.arrival)).collect(),
            waits: self.stops.iter().map(|stop| PACE.time_of(stop.wait()).seconds()).collect(),
            unaware: self.unaware.map(|arrival| self.seconds_until(arrival)),
            erupts_in: self.erupts_in,
            at: day.map(|_| start.to_string()),
            day: day.map(DayLength::seconds),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let name = printable_name(self.world.map());
        let Answer { query: RouteQuery { from, to, options, .. }, expanded, micros, .. } = self.answer;
        writeln!(out, "{name}: from {from} to {to}{}", self.describe_announced())?;
        let steps = counted(self.stops.len().saturating_sub(1), "step");
        let expanded = counted(expanded as usize, "cell");
        let arrives = self.arrival().map_or(0.0, |arrival| self.seconds_until(arrival));
        writeln!(
            out,
            "arrives after {arrives:.2} s (the earliest possible), {steps}, {expanded} expanded in {micros} µs"
        )?;
        // The earliest arrival is exact with any algorithm, and the other one is only compared with it.
        let by = match options.max_cost_ratio() {
            Some(1.0) => "",
            _ => ", by routes that may not be the cheapest",
        };
        match self.unaware {
            Some(unaware) => writeln!(out, "without knowing{by}: after {:.2} s", self.seconds_until(unaware))?,
            None => writeln!(out, "without knowing{by}: never")?,
        }
        writeln!(out, "\n  time s   waits s  cell")?;
        for (index, stop) in self.stops.iter().enumerate() {
            let waits = PACE.time_of(stop.wait()).seconds();
            let waits = if waits > 0.0 { format!("{waits:.2}") } else { String::new() };
            let reason = self.reason_to_wait(index).map(|reason| format!("  until {reason}")).unwrap_or_default();
            writeln!(out, "{:8.2}  {waits:>8}  {}{reason}", self.seconds_until(stop.arrival), stop.cell)?;
        }
        Ok(())
    }

    /// Why the route waits at one of its stops: a cell that the next step enters or passes is blocked until it sets out.
    fn reason_to_wait(&self, index: usize) -> Option<String> {
        let (stop, next) = (self.stops.get(index)?, self.stops.get(index + 1)?);
        let map = self.world.map();
        let before = RouteCost::from_units(stop.departure.units().checked_sub(1)?);
        let is_blocked = |cell: Cell, time| self.outlook.cost_at(cell, time).is_none();
        let sides = [Cell::new(next.cell.x, stop.cell.y), Cell::new(stop.cell.x, next.cell.y)];
        let cell =
            [next.cell].into_iter().chain(sides).find(|cell| is_blocked(*cell, before) && map.size().contains(*cell));
        let cell = cell.filter(|cell| stop.wait() > RouteCost::ZERO && !is_blocked(*cell, stop.departure))?;
        if map.opening_hours(cell).next().is_none() {
            return Some(format!("the eruption opens {cell}"));
        }
        let terrain = map.overlay_at(cell).or_else(|| map.base_at(cell))?;
        let hour = self.world.day().hour_after(self.seconds_until(stop.departure));
        Some(format!("the {} at {cell} opens at {hour}", escape_invisible(&terrain.name)))
    }

    /// The announced changes, as the end of the first line.
    fn describe_announced(&self) -> String {
        let DayTime { start, day } = self.world.day();
        let day = day.map(|day| format!(" at {start}, in a day of {} s", day.seconds()));
        let eruption = self.erupts_in.map(|seconds| match seconds_text(seconds).as_str() {
            "0" => "; all volcanoes erupt at the departure".to_owned(),
            seconds => format!("; all volcanoes erupt after {seconds} s"),
        });
        [day, eruption].into_iter().flatten().collect()
    }
}
