//! The orders that change the world.

use std::sync::Arc;

use emberwalk_crowd::AgentId;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{DayLength, DayTime, Hour, MAX_SIDE, Map, MapContent};
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Corners, Moves, StepRules};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::paint::Paint;
use crate::seconds::Seconds;
use crate::town::Group;
use crate::volcanoes::VolcanoChoice;

/// Something that changes the world, apart from time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Order {
    /// Opens another map, or another version of it. Only the player's traveller is on it yet.
    Open(MapSource),
    /// Steps follow these rules from now on.
    Rules(#[serde(with = "number_of_moves")] Moves, Corners),
    /// Paints cells of the drawn map, which ignores the choice for its volcanoes.
    Paint(Paint),
    /// Makes all volcanoes erupt, become dormant, or return to their drawn state. The drawn map stays the same.
    Volcanoes(VolcanoChoice),
    /// Announces to everybody that all volcanoes are going to erupt. A later order about volcanoes, or another map,
    /// cancels it.
    Announce {
        /// The time until they erupt.
        eruption: Seconds,
    },
    /// Sets the hour, and the speed of days from now on.
    Day {
        /// The hour, written as a number of hours.
        hour: Hour,
        /// The length of a day, written as a number of seconds; without it, the hour stands still.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<DayLength>,
    },
    /// Puts the player's traveller somewhere; with `None`, there is none.
    Put(Option<Position>),
    /// The traveller, if it is alone, walks along this route as long as it can, towards this goal. If there are no
    /// steps, it stands. Among people it only learns the goal, to which [`Go`](Self::Go) leads it, perhaps over other
    /// cells.
    Walk {
        /// The goal, which the route need not reach.
        goal: Option<Cell>,
        /// The steps from the cell that the traveller enters or stands in.
        route: Steps,
        /// Waits: the index of the cell, from 0, and the earliest departure, counted from this order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        waits: Vec<(usize, Seconds)>,
    },
    /// Puts people on the map: a town with this number of agents around the player's traveller, which keeps its place,
    /// and passes through the others until its step has ended. With 1, there is no town.
    Travel {
        /// The number of agents.
        number: usize,
        /// The seed that chooses people and errands.
        seed: u64,
        /// Where the player's traveller stands, or begins if it is not on the map yet.
        start: Option<Cell>,
        /// Groups instead of people with their own errands.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        groups: Vec<Group>,
        /// The hour at which the town begins; without it, the map's own hour.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hour: Option<Hour>,
    },
    /// Sends the traveller to this cell, which is its goal unless a `Walk` names another one; with `None`, it stops.
    /// The world plans its route, again after each change.
    Go(Option<Cell>),
    /// Sends people, as the player chose.
    Send {
        /// The agents.
        people: Vec<AgentId>,
        /// The cell near which they should stand.
        to: Cell,
    },
}

/// Writes a move set as its number of directions.
mod number_of_moves {
    use emberwalk_path::Moves;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(moves: &Moves, serializer: S) -> Result<S::Ok, S::Error> {
        (moves.directions().len() as u8).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Moves, D::Error> {
        u8::deserialize(deserializer)?.to_string().parse().map_err(D::Error::custom)
    }
}

/// Where a traveller is, perhaps in the middle of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The cell that it stands in or enters.
    pub cell: Cell,
    /// The cell that it leaves, how long ago the step began, and how long it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaving: Option<(Cell, Seconds, Seconds)>,
}

/// A map: its content, or the text of its file.
#[derive(Clone, Debug)]
pub enum MapSource {
    /// The content. A copy takes little memory beside the map itself.
    Content(Box<MapContent>),
    /// The text, which has not been parsed yet.
    Text(String),
}

impl MapSource {
    /// The current content of a map.
    pub fn of(map: &Map) -> Self {
        Self::Content(Box::new(map.content().clone()))
    }

    /// The map.
    ///
    /// # Errors
    /// All errors in the text.
    pub fn map(&self, tileset: &Arc<Tileset>) -> Result<Map, Diagnostics> {
        match self {
            Self::Content(content) => Ok(Map::of_content((**content).clone())),
            Self::Text(text) => Map::parse("the map of the recording", text, tileset),
        }
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        match self {
            Self::Content(content) => content.to_ron(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Serialize for MapSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MapSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::Text)
    }
}

/// The largest number of steps of a route: as many as a map has cells.
const MAX_STEPS: usize = (MAX_SIDE as usize).pow(2);

/// Steps from cell to cell, written as directions: `E SE SE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps(pub Vec<Direction>);

impl Steps {
    /// The steps between the cells of a route.
    pub fn of(route: &[Cell]) -> Self {
        let steps = route.windows(2).filter_map(|step| Direction::from_offset(step[1] - step[0]));
        Self(steps.collect())
    }

    /// The cells from the first one on.
    pub fn cells(&self, from: Cell) -> Arc<[Cell]> {
        let mut at = from;
        let steps = self.0.iter().map(|direction| {
            at = at + direction.offset();
            at
        });
        std::iter::once(from).chain(steps).collect()
    }
}

impl Serialize for Steps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps: Vec<_> = self.0.iter().map(|direction| format!("{direction:?}")).collect();
        steps.join(" ").serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Steps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.split_whitespace().nth(MAX_STEPS).is_some() {
            return Err(serde::de::Error::custom(format!("a route has at most {MAX_STEPS} steps")));
        }
        let step = |name: &str| {
            let direction = Direction::ALL.into_iter().find(|direction| format!("{direction:?}") == name);
            direction.ok_or_else(|| {
                serde::de::Error::custom(format!("`{name}` is no direction: N, NE, E, SE, S, SW, W or NW"))
            })
        };
        text.split_whitespace().map(step).collect::<Result<_, _>>().map(Self)
    }
}

impl Order {
    /// Steps follow these rules from now on.
    pub const fn rules(rules: StepRules) -> Self {
        Self::Rules(rules.moves, rules.corners)
    }

    /// Announces that all volcanoes are going to erupt after this time.
    pub const fn announce(eruption_in: CrowdTime) -> Self {
        Self::Announce { eruption: Seconds(eruption_in) }
    }

    /// Sets the hour to the first hour of this day time, and the speed of days to its speed.
    pub const fn day(DayTime { start, day }: DayTime) -> Self {
        Self::Day { hour: start, length: day }
    }
}
