//! What a recording contains.

use bevy_ecs::entity::Entity;
use emberwalk_path::Options;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use serde::{Deserialize, Serialize};

use super::hash::StateHash;
use crate::clock::finite;
use crate::edits::Edit;
use crate::number::MAX_NUMBER;
use crate::{Announced, Goal, NavAgent};

/// Something that happens in a run of the schedule. Agents and maps are named by their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Entry {
    /// How many seconds of the game this run and the following ones take.
    Time(f64),
    /// The budget for planning.
    Budget(u64),
    /// How routes are planned.
    Options(Options),
    /// Time on a map runs at this speed, and this much of it is still to be skipped.
    Clock(u32, f32, CrowdTime),
    /// Puts an agent in its first cell: a new one, or one that was elsewhere.
    Put {
        agent: u64,
        nav: NavAgent,
        /// Its map, if it has named one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on: Option<u32>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        solid: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hold: bool,
    },
    /// Another pace or priority.
    Set(u64, NavAgent),
    /// Takes an agent off its map.
    Remove(u64),
    /// Despawns an agent.
    Despawn(u64),
    Solid(u64),
    Pass(u64),
    Hold(u64),
    Release(u64),
    /// A goal other than to follow an agent. Instead of other agents it names their numbers, see [`stand_in`].
    Goal(Vec<u64>, Goal),
    /// These agents follow another one.
    Follow(Vec<u64>, u64),
    /// An edit of a map.
    Edit(u32, Edit),
    /// A change of a map that is announced.
    Announce(u32, Announced),
    /// Withdraws what is announced for a cell of a map.
    Forget(u32, Cell),
    /// What follows in this run was ordered while routes were planned, by observers of what has become of them.
    Planned,
    /// The state after this run.
    Hash(StateHash),
}

/// What stands for the agent with a number, in a goal that is recorded: the entity that is saved as this number. No entity is
/// saved as a multiple of 2^32, such as 0 for an agent that is gone; two more bits make another number of it.
pub(super) fn stand_in(number: u64) -> Entity {
    Entity::try_from_bits(number).unwrap_or(Entity::from_bits(number | NO_ENTITY))
}

/// The number of the agent that an entity stands for.
pub(super) fn stands_for(stand_in: Entity) -> u64 {
    let bits = stand_in.to_bits();
    if bits & NO_ENTITY == NO_ENTITY { bits & !NO_ENTITY } else { bits }
}

const NO_ENTITY: u64 = 1 << 63 | 1;

/// The greatest distance of a cell from (0, 0): no map is that large, and sums with such numbers do not overflow.
const MAX_DISTANCE: i32 = 1 << 20;

/// The longest run, in seconds.
const MAX_TIME: f64 = 3600.0;

impl Entry {
    /// The same entry with numbers that a recording can contain: a game may name cells that are far off all maps, and speeds that
    /// are no numbers.
    pub(crate) fn bounded(mut self) -> Self {
        self.for_each_cell(&mut |cell| *cell = bounded(*cell));
        if let Self::Clock(_, speed, _) = &mut self {
            *speed = finite(*speed);
        }
        self
    }

    fn for_each_cell(&mut self, visit: &mut impl FnMut(&mut Cell)) {
        match self {
            Self::Put { nav, .. } | Self::Set(_, nav) => visit(&mut nav.start),
            Self::Goal(_, goal) => goal.for_each_cell(visit),
            Self::Edit(_, edit) => edit.for_each_cell(visit),
            Self::Announce(_, announced) => announced.for_each_cell(visit),
            Self::Forget(_, cell) => visit(cell),
            _ => {}
        }
    }

    /// Why the entry is not possible on any map.
    pub(crate) fn error(&self) -> Option<&'static str> {
        let numbers = match self {
            Self::Time(seconds) if !(0.0..=MAX_TIME).contains(seconds) => {
                return Some("a run takes 0 to 3600 seconds");
            }
            Self::Clock(_, speed, _) if !speed.is_finite() => return Some("a speed is a number"),
            Self::Goal(_, Goal::Follow(_)) => return Some("agents follow another one by `follow([1, 2], 3)`"),
            Self::Announce(_, announced) if !announced.is_possible() => {
                return Some("costs and classes of cells are announced, with periods of at least 1/64 s");
            }
            Self::Put { agent, .. } | Self::Set(agent, _) => std::slice::from_ref(agent),
            Self::Goal(agents, _) => &agents[..],
            _ => &[],
        };
        let mut is_off = false;
        self.clone().for_each_cell(&mut |&mut cell| is_off |= cell != bounded(cell));
        match numbers.iter().any(|&number| number == 0 || number > MAX_NUMBER) {
            _ if is_off => Some("this cell is off all maps"),
            true => Some("agents are numbered from 1 to 2^53"),
            false => None,
        }
    }
}

/// The cell at the bounds that stands for one beyond them. Neither is on any map, and both have the same nearest cell there.
fn bounded(cell: Cell) -> Cell {
    let bounded = |number: i32| number.clamp(-MAX_DISTANCE, MAX_DISTANCE);
    Cell::new(bounded(cell.x), bounded(cell.y))
}
