//! The travellers of a map, for commands that draw it.

use clap::Args;
use emberwalk_map::{DayTime, Map};
use emberwalk_path::StepRules;
use emberwalk_path::grid::Cell;
use emberwalk_world::town::{MAX_AGENTS, Places, Town};
use emberwalk_world::{Order, World};

use super::error::{CliError, tell};
use super::ground::world_after;
use super::planning_args::number_in;

/// The latest time that can be drawn, in seconds: an hour.
const MAX_SECONDS: f64 = 3600.0;

/// Options that let people walk on a map.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Travellers")]
pub struct TravellersArgs {
    /// Let travellers walk on the map: the player's, and people with errands; at most half of the connected cells
    #[arg(long, value_name = "N", allow_hyphen_values = true,
        value_parser = number_in(1..=MAX_AGENTS, "the number of travellers is a whole number from 1 to 100000"))]
    pub travellers: Option<usize>,
    /// Choose the people and their errands by this number
    #[arg(long, value_name = "N", default_value_t = 1, requires = "travellers")]
    pub seed: u64,
}

impl TravellersArgs {
    /// The map with these travellers, the first of whom stands in the cell `from` or at the start of the map; `None` without
    /// any. It begins at the first hour of this day. Tells if there is no room for all of them.
    ///
    /// # Errors
    /// `from` is not on the map.
    pub fn world(
        &self,
        map: &Map,
        rules: StepRules,
        from: Option<Cell>,
        day: DayTime,
    ) -> Result<Option<World>, CliError> {
        let Some(number) = self.travellers else { return Ok(None) };
        let start = from.or_else(|| map.start());
        let travel = Order::Travel { number, seed: self.seed, start, groups: Vec::new(), hour: Some(day.start) };
        let world = world_after(map, [Order::rules(rules), Order::day(day), travel])?;
        let room = world.town().map_or(number, Town::room);
        Places::note_on_room(room, number).into_iter().for_each(|note| tell("note", &note));
        Ok(Some(world))
    }
}

/// The parser of a time from the start, in seconds.
pub fn parse_at(text: &str) -> Result<f64, String> {
    number_in(0.0..=MAX_SECONDS, "this must be a number of seconds from 0 to 3600")(text)
}
