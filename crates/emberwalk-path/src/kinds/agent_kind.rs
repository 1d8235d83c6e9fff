//! A kind of agent: its cost for each class of terrain, its climb rule, and its size.

use crate::{ClimbRule, EntryCost, Level};

/// A kind of agent: the entry cost of each class of terrain that is not blocked, the climb rule, and the size.
///
/// At first all classes are blocked.
///
/// ```
/// use emberwalk_path::EntryCost;
/// use emberwalk_path::kinds::AgentKind;
/// const GRASS: u8 = 0;
/// const ROAD: u8 = 1;
/// let quarter = EntryCost::from_tiles(0.25)?;
/// let cart = AgentKind::new().with_cost(GRASS, Some(EntryCost::TILE)).with_cost(ROAD, Some(quarter));
/// assert_eq!(cart.cost(ROAD).unwrap().tiles(), 0.25);
/// assert_eq!(cart.cost(2), None);
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(opaque, Debug, PartialEq, Clone))]
#[non_exhaustive]
#[must_use]
pub struct AgentKind {
    /// The entry cost of each class; `None` if it is blocked.
    pub costs: [Option<EntryCost>; 256],
    /// The climb rule. It matters only on a map with levels.
    pub climb: ClimbRule,
    /// The size, see [`side`](Self::side).
    side: u8,
}

impl AgentKind {
    /// The largest [`side`](Self::side).
    pub const MAX_SIDE: u8 = 8;

    /// A kind of agent of one cell for which all classes are blocked, with the default climb rule.
    pub fn new() -> Self {
        Self { costs: [None; 256], climb: ClimbRule::default(), side: 1 }
    }

    /// The kind with the entry costs that `cost` returns, `None` for blocked. It is called for every class from 0 to
    /// 255.
    pub fn from_fn(mut cost: impl FnMut(u8) -> Option<EntryCost>) -> Self {
        Self { costs: std::array::from_fn(|class| cost(class as u8)), ..Self::new() }
    }

    /// The same kind with another cost of a class.
    pub fn with_cost(mut self, class: u8, cost: Option<EntryCost>) -> Self {
        self.costs[usize::from(class)] = cost;
        self
    }

    /// The same kind with another climb rule.
    pub fn with_climb(self, climb: ClimbRule) -> Self {
        Self { climb, ..self }
    }

    /// The same kind for agents of `side` x `side` cells; the nearest number from 1 to [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn with_side(self, side: u8) -> Self {
        Self { side: side.clamp(1, Self::MAX_SIDE), ..self }
    }

    /// The entry cost of a class; `None` if it is blocked.
    pub fn cost(&self, class: u8) -> Option<EntryCost> {
        self.costs[usize::from(class)]
    }

    /// The number of columns and of rows of cells that an agent takes up.
    pub fn side(&self) -> u8 {
        self.side
    }

    /// The entry cost and the level of a place of such an agent, from the class and the level of each of its cells.
    pub(super) fn place(&self, cells: impl Iterator<Item = (u8, Level)>) -> (Option<EntryCost>, Level) {
        let (mut highest_cost, mut lowest, mut highest) = (Some(EntryCost::MIN), Level::MAX, Level::GROUND);
        for (class, level) in cells {
            highest_cost = highest_cost.zip(self.cost(class)).map(|(highest, cost)| highest.max(cost));
            (lowest, highest) = (lowest.min(level), highest.max(level));
        }
        let is_cliff = !self.climb.allows(lowest, highest) && !self.climb.allows(highest, lowest);
        (highest_cost.filter(|_| !is_cliff), highest)
    }
}

impl Default for AgentKind {
    fn default() -> Self {
        Self::new()
    }
}
