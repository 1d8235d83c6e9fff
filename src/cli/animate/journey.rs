//! A traveller who knows that all volcanoes are going to erupt.

use std::io::{Write, stderr};

use emberwalk_path::Planner;
use emberwalk_path::ahead::Stop;
use emberwalk_world::{Order, PACE, Position, Seconds, Steps};

use super::{Animation, travellers};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::eruption;
use crate::cli::ground::world_after;
use crate::cli::planning_args::query_error;

/// How long the last frame is shown, in seconds.
const LAST: u16 = 2;

/// Writes an animation of the traveller on the route that arrives the earliest, if all volcanoes erupt after so many seconds.
pub fn animate(animation: Animation<'_>, erupts_in: f64) -> Result<ExitStatus, CliError> {
    let Animation { args, map, day, .. } = animation;
    let query = args.planning.query(map)?;
    let put = Order::Put(Some(Position { cell: query.from, leaving: None }));
    let announced = eruption::announce(map, erupts_in)?;
    let mut world = world_after(map, [Order::rules(query.options.rules), Order::day(day), put, announced])?;
    let (mut planner, start) = (Planner::new(), world.clock());
    let result = planner.plan_ahead(&world.outlook(), &query, world.departure()).map_err(query_error(map))?;
    let Some(stops) = result.route else {
        // If standard error is closed, the exit status still shows it.
        let _ = writeln!(stderr(), "{}", eruption::describe_no_route(map, &query, &result));
        return Ok(ExitStatus::NoRoute);
    };
    let after = |time| PACE.time_of(time) - start;
    let waits = (0..).zip(stops).filter(|(_, stop)| stop.wait().units() > 0);
    let waits = waits.map(|(at, stop): (usize, &Stop)| (at, Seconds(after(stop.departure)))).collect();
    let cells: Vec<_> = stops.iter().map(|stop| stop.cell).collect();
    let walk = Order::Walk { goal: Some(query.to), route: Steps::of(&cells), waits };
    world.apply(&walk).map_err(|error| CliError::Message(error.to_string()))?;
    let seconds = stops.last().map_or(0.0, |stop| after(stop.arrival).seconds());
    travellers::animate(animation, world, seconds, LAST * args.fps)
}
