//! The orders that change the world.

use std::sync::Arc;

use crate::town::Group;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{CellEdit, LayerEdit, MAX_SIDE, Map, MapContent};
use emberwalk_path::crowd::{AgentId, CrowdTime};
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::{Corners, Moves, StepRules};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::MAX_SECONDS;

/// Something that changes the world, apart from time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Order {
    /// Opens another map, or another version of it. Nobody but the player's traveller is on it yet.
    Open(MapSource),
    /// Steps follow these rules from now on.
    Rules(#[serde(with = "number_of_moves")] Moves, Corners),
    /// Paints cells.
    Paint(Paint),
    /// Puts the player's traveller somewhere; with `None`, there is none.
    Put(Option<Place>),
    /// The traveller walks along this route as long as it can, towards this goal. If there are no steps, it stands.
    Walk {
        /// The goal, which the route need not reach.
        goal: Option<Cell>,
        /// The steps from the cell that the traveller enters, or in which it stands. Without them, it plans a cheapest
        /// route to the goal, again after each change.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        route: Option<Steps>,
    },
    /// People walk on the map: a town with this number of travellers is made around the player's. With 1, there is none.
    Travel {
        /// The number of travellers.
        number: usize,
        /// The seed that chooses people and errands.
        seed: u64,
        /// Where the player's traveller stands.
        start: Option<Cell>,
        /// Groups in place of people with errands of their own.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        groups: Vec<Group>,
    },
    /// The traveller joins the town in this cell; with `None`, it leaves the map.
    Join(Option<Cell>),
    /// The traveller, who has joined the town, goes to this cell; with `None`, it stops.
    Go(Option<Cell>),
    /// The player sends people.
    Send {
        /// The agents.
        people: Vec<AgentId>,
        /// The cell near which they are to stand.
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
pub struct Place {
    /// The cell where it stands, or which it enters.
    pub cell: Cell,
    /// The cell that it leaves, how long ago the step began, and how long it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaving: Option<(Cell, Seconds, Seconds)>,
}

/// A time or duration of at most [`MAX_SECONDS`], exact to 1/65536 s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(pub CrowdTime);

/// The error of a number that is not a time. It does not know how the number was written.
#[derive(Debug, thiserror::Error)]
#[error("is not a time: a time is a number of seconds from 0 to {MAX_SECONDS}")]
pub struct NotATime;

impl TryFrom<f64> for Seconds {
    type Error = NotATime;

    fn try_from(seconds: f64) -> Result<Self, NotATime> {
        let is_possible = (0.0..=f64::from(MAX_SECONDS)).contains(&seconds);
        is_possible.then(|| Self(CrowdTime::from_seconds(seconds))).ok_or(NotATime)
    }
}

impl From<Seconds> for f64 {
    fn from(Seconds(time): Seconds) -> Self {
        time.seconds()
    }
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
    pub fn cells(&self, from: Cell) -> Vec<Cell> {
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

/// Cells of one row: the column and row of the first one, and how many there are from there eastwards.
pub type Run = (i32, i32, u32);

/// Cells that are painted, in runs of cells of one row that become the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paint {
    /// The new ground, by its character, and where.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub base: Vec<(char, Vec<Run>)>,
    /// The new overlay, `.` for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlay: Vec<(char, Vec<Run>)>,
    /// The new height.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heights: Vec<(u8, Vec<Run>)>,
}

/// The character for no overlay.
const NONE: char = '.';

/// This many edits are possible on every map, even if they paint the same cells again and again.
const MAX_EDITS: u64 = 1 << 16;

impl Paint {
    /// The present content of these cells.
    pub fn of(map: &Map, cells: impl IntoIterator<Item = CellEdit>) -> Self {
        let mut paint = Self::default();
        for CellEdit { cell, to } in cells {
            let tileset = map.tileset();
            match to {
                LayerEdit::Base(_) => {
                    map.base_id(cell).into_iter().for_each(|id| add(&mut paint.base, tileset[id].char, cell));
                }
                LayerEdit::Overlay(_) => {
                    add(&mut paint.overlay, map.overlay_id(cell).map_or(NONE, |id| tileset[id].char), cell);
                }
                LayerEdit::Level(_) => add(&mut paint.heights, map.level(cell), cell),
            }
        }
        paint
    }

    /// Whether nothing is painted.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty() && self.overlay.is_empty() && self.heights.is_empty()
    }

    /// The edits; `None` if the tileset has no such terrain, if a cell is not on the map, or if there are more than 65,536
    /// and more than three for each cell of the map.
    pub fn edits(&self, map: &Map) -> Option<Vec<CellEdit>> {
        let cells = |runs: &[Run]| runs.iter().map(|(.., length)| u64::from(*length)).sum::<u64>();
        let parts = self.base.iter().chain(&self.overlay).map(|(_, runs)| cells(runs));
        let number: u64 = parts.chain(self.heights.iter().map(|(_, runs)| cells(runs))).sum();
        if number > MAX_EDITS.max(3 * map.size().area() as u64) {
            return None;
        }
        let find = |char: char| map.tileset().find(char);
        let mut edits = Vec::new();
        for (char, runs) in &self.base {
            let id = find(*char)?;
            for_cells(map, runs, |cell| edits.push(CellEdit::base(cell, id)))?;
        }
        for (char, runs) in &self.overlay {
            let id = if *char == NONE { None } else { Some(find(*char)?) };
            for_cells(map, runs, |cell| edits.push(CellEdit::overlay(cell, id)))?;
        }
        for (level, runs) in &self.heights {
            for_cells(map, runs, |cell| edits.push(CellEdit::level(cell, *level)))?;
        }
        Some(edits)
    }
}

/// Adds a cell to the last runs, if it becomes the same.
fn add<T: PartialEq>(parts: &mut Vec<(T, Vec<Run>)>, to: T, cell: Cell) {
    if parts.last().is_none_or(|(last, _)| *last != to) {
        parts.push((to, Vec::new()));
    }
    let Some((_, runs)) = parts.last_mut() else { return };
    match runs.last_mut() {
        Some((x, y, length)) if *y == cell.y && i64::from(*x) + i64::from(*length) == i64::from(cell.x) => *length += 1,
        _ => runs.push((cell.x, cell.y, 1)),
    }
}

/// Visits the cells of some runs, unless one is off the map.
fn for_cells(map: &Map, runs: &[Run], mut visit: impl FnMut(Cell)) -> Option<()> {
    for &(x, y, length) in runs {
        let last = x.checked_add(i32::try_from(length.checked_sub(1)?).ok()?)?;
        let is_on_map = map.size().contains(Cell::new(x, y)) && map.size().contains(Cell::new(last, y));
        is_on_map.then_some(())?;
        (x..=last).for_each(|x| visit(Cell::new(x, y)));
    }
    Some(())
}

impl Order {
    /// Steps follow these rules from now on.
    pub const fn rules(rules: StepRules) -> Self {
        Self::Rules(rules.moves, rules.corners)
    }
}
