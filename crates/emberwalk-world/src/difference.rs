//! How a world differs from a recording.

use std::fmt;

use emberwalk_map::DayTime;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

use crate::digest::StateHash;
use crate::painted::digest_of_map;
use crate::recording::Entry;
use crate::seconds::shown_seconds;
use crate::world::{OrderError, World};

/// The first time at which the world differs from the recording.
#[derive(Debug)]
pub struct Difference {
    /// The time since the beginning.
    pub time: CrowdTime,
    /// The number of the entry of the recording, from 0.
    pub entry: usize,
    /// The part that differs.
    pub part: Part,
    /// The recorded hash, and the hash of the world.
    pub hashes: Option<(StateHash, StateHash)>,
}

/// The part of the world that differs.
#[derive(Debug)]
pub enum Part {
    /// An order that is not possible.
    Order(OrderError),
    /// The map, in this cell if it is only one.
    Map(Option<Cell>),
    /// The player's traveller, and where it is now.
    Traveller(String),
    /// People; the number of the agent and its current place, if it is only one.
    People(Option<(usize, String)>),
    /// The plans of people.
    Plans,
    /// The hour, the speed of days, or an announced eruption, with their current values.
    Day(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "different at {} s: ", shown_seconds(self.time))?;
        match &self.part {
            Part::Order(error) => write!(f, "an order is not possible: {error}")?,
            Part::Map(Some(cell)) => write!(f, "the map at {cell}")?,
            Part::Map(None) => write!(f, "several cells of the map")?,
            Part::Traveller(here) => write!(f, "the traveller, {here}")?,
            Part::People(Some((agent, here))) => write!(f, "agent {agent}, {here}")?,
            Part::People(None) => write!(f, "several people")?,
            Part::Plans => write!(f, "what people are about to do")?,
            Part::Day(here) => write!(f, "the hour, {here}")?,
        }
        if let Some((recorded, now)) = &self.hashes {
            write!(f, "\n  recorded: {recorded}\n  played:   {now}")?;
        }
        Ok(())
    }
}

impl World {
    /// Carries out an order of a recording, or compares the world with a hash. `None` if there is no difference.
    /// `number` is the number of the entry, from 0.
    pub(super) fn play(&mut self, number: usize, entry: &Entry) -> Option<Difference> {
        match entry {
            Entry::Order(order) => {
                let error = self.apply(order).err()?;
                Some(Difference { time: self.now(), entry: number, part: Part::Order(error), hashes: None })
            }
            Entry::Map(recorded) => {
                let now = self.hash();
                let [recorded, now] = [*recorded, digest_of_map(self.map())].map(|map| StateHash { map, ..now });
                compare(self, number, now, recorded)
            }
            Entry::Hash(recorded) => compare(self, number, self.hash(), *recorded),
            Entry::Remark(_) => None,
        }
    }
}

/// Compares the hash of a world with a recorded one.
fn compare(world: &World, entry: usize, now: StateHash, recorded: StateHash) -> Option<Difference> {
    if now == recorded {
        return None;
    }
    let part = if now.map != recorded.map {
        let size = world.map().size();
        let width = u64::from(size.width);
        let cell = |number: u64| Cell::new((number % width) as i32, (number / width) as i32);
        Part::Map(now.map.differing(recorded.map, size.area() as u64).map(cell))
    } else if now.traveller != recorded.traveller {
        Part::Traveller(world.describe_traveller())
    } else if now.people != recorded.people {
        let agent = now.people.differing(recorded.people, 1 << 32).map(|number| number as usize);
        Part::People(agent.map(|agent| (agent, world.describe_agent(agent))))
    } else if now.town != recorded.town {
        Part::Plans
    } else {
        Part::Day(world.describe_day())
    };
    Some(Difference { time: world.now(), entry, part, hashes: Some((recorded, now)) })
}

impl World {
    fn describe_traveller(&self) -> String {
        let goal = self.goal().map_or_else(String::new, |goal| format!(" on its way to {goal}"));
        self.figure().map_or("which is nowhere".to_owned(), |figure| {
            let cell = figure.cell;
            let place = figure.leaving.map_or(format!("at {cell}"), |(from, _)| format!("between {from} and {cell}"));
            format!("now {place}{goal}")
        })
    }

    fn describe_day(&self) -> String {
        let DayTime { start: hour, day } = self.day();
        let hour = match day {
            Some(day) => format!("now {hour} in a day of {} s", day.seconds()),
            None => format!("which stands at {hour}"),
        };
        match self.announced() {
            Some(rest) => format!("{hour}, and an eruption in {} s", shown_seconds(rest)),
            None => hour,
        }
    }

    fn describe_agent(&self, agent: usize) -> String {
        let town = self.town();
        let state = town.and_then(|town| town.crowd().agents().find(|(id, _)| id.index() == agent));
        state.map_or("who is not there now".to_owned(), |(_, state)| match state.step {
            Some(step) => format!("now between {} and {}", step.from, step.to),
            None => format!("now at {}", state.cell),
        })
    }
}
