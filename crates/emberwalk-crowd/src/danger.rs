//! Dangers: additional costs of cells for planning only. Steps take as long as without them.

use std::sync::Arc;

use super::Crowd;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, EntryCost, RouteCost};

/// A danger around a cell, which falls off with the distance and fades: gunfire, a fire, a corpse. See
/// [`Crowd::add_danger`].
///
/// In a cell at the distance `d` from the middle it is `cost * (1 - d² / (cells + 1)²)`, so it ends beyond `cells`
/// cells. It fades in eight equal parts of its time: from 8/8 of that value at the beginning to 1/8 in the last part.
///
/// ```
/// use emberwalk_crowd::Danger;
/// use emberwalk_path::EntryCost;
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::time::CrowdTime;
/// let fire = Danger::new(Cell::new(5, 5), 3, EntryCost::from_tiles(16.0)?, CrowdTime::from_seconds(8.0));
/// let tiles = |x, seconds| fire.cost_in(Cell::new(x, 5), CrowdTime::from_seconds(seconds)).tiles();
/// assert_eq!([5, 7, 9].map(|x| tiles(x, 0.0)), [16.0, 12.0, 0.0]);
/// assert_eq!([0.9, 1.0, 7.0, 8.0].map(|seconds| tiles(5, seconds)), [16.0, 14.0, 2.0, 0.0]);
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Danger {
    /// The cell in its middle.
    pub at: Cell,
    /// How far it reaches, in cells. A distance above 64 counts as 64.
    pub cells: u32,
    /// The additional cost of its middle at the beginning.
    pub cost: EntryCost,
    /// How long it lasts. With [`CrowdTime::NEVER`] it does not fade, and with [`CrowdTime::ZERO`] it is over immediately.
    pub lasts: CrowdTime,
    /// The index of the kind of agents that it is for; `None` for all.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub kind: Option<usize>,
}

/// The longest distance that a danger reaches, in cells.
const MAX_CELLS: u32 = 64;

impl Danger {
    /// In how many parts it fades.
    pub(super) const PARTS: u64 = 8;

    /// A danger for agents of all kinds.
    pub const fn new(at: Cell, cells: u32, cost: EntryCost, lasts: CrowdTime) -> Self {
        Self { at, cells, cost, lasts, kind: None }
    }

    /// The same danger for agents of one kind alone.
    #[must_use]
    pub const fn for_kind(self, kind: usize) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// The additional cost of a cell at this time after the beginning.
    pub fn cost_in(&self, cell: Cell, after: CrowdTime) -> RouteCost {
        RouteCost::from_units(self.units_in(cell, self.parts_after(after)))
    }

    /// The same after this many parts of its time, in units.
    pub(super) fn units_in(&self, cell: Cell, parts: u64) -> u64 {
        let reach = u64::from(self.cells.min(MAX_CELLS) + 1).pow(2);
        // Cut off, so that squares do not overflow: cells farther away have no danger.
        let apart = |one: i32, other: i32| u64::from(one.abs_diff(other).min(MAX_CELLS + 1)).pow(2);
        let distance = (apart(self.at.x, cell.x) + apart(self.at.y, cell.y)).min(reach);
        u64::from(self.cost.units()) * (reach - distance) * (Self::PARTS - parts.min(Self::PARTS))
            / (reach * Self::PARTS)
    }

    /// How many parts of its time are over at this time after the beginning.
    pub(super) fn parts_after(&self, after: CrowdTime) -> u64 {
        match self.lasts {
            CrowdTime::NEVER => 0,
            CrowdTime::ZERO => Self::PARTS,
            lasts => {
                let parts = u128::from(after.ticks()) * u128::from(Self::PARTS) / u128::from(lasts.ticks());
                parts.min(Self::PARTS.into()) as u64
            }
        }
    }

    /// How long after the beginning this many parts of its time are over.
    pub(super) fn time_after(&self, parts: u64) -> CrowdTime {
        let ticks = (u128::from(self.lasts.ticks()) * u128::from(parts)).div_ceil(Self::PARTS.into());
        if self.lasts == CrowdTime::NEVER { CrowdTime::NEVER } else { CrowdTime::from_ticks(ticks as u64) }
    }

    /// The rectangle of a map that it reaches: the north-western cell, and the size. Empty if it is far from the map.
    pub(super) fn area(&self, map: Size) -> (Cell, Size) {
        let cells = self.cells.min(MAX_CELLS) as i32;
        let range = |at: i32, side: u32| {
            let (first, end) = (at.saturating_sub(cells).max(0), at.saturating_add(cells + 1).min(side as i32));
            (first, (end - first.min(end)) as u32)
        };
        let ((x, width), (y, height)) = (range(self.at.x, map.width), range(self.at.y, map.height));
        (Cell::new(x, y), Size::new(width, height))
    }
}

impl Crowd {
    /// Sets the danger of a cell for agents of all kinds: an additional cost when their routes are planned. `None`
    /// takes it away. Returns `false` if the cell is off the grid.
    ///
    /// Steps take as long as without it, so danger does not look like slow ground: agents go through it if every route
    /// round it costs more. It never waits for agents, and blocked cells stay blocked. Agents of several cells keep
    /// away from the most dangerous cell of their square. With its danger, a cell costs no more than
    /// [`EntryCost::MAX`], and a diagonal step into it costs the [ratio](emberwalk_path::Diagonal) of both; to a
    /// [link](CostGrid::add_link) that leads there it is added once. O(1); O(cells) for each kind for the first danger
    /// of a crowd.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, EntryCost, StepRules};
    /// let grid = CostGrid::open(Size::new(9, 3))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::new(CrowdTime::SECOND));
    /// // A tower hits agents that come near.
    /// for x in 3..6 {
    ///     crowd.set_danger(Cell::new(x, 1), Some(EntryCost::from_tiles(4.0)?));
    /// }
    /// let agent = crowd.add(Cell::new(0, 1))?;
    /// crowd.send(agent, Cell::new(8, 1), OnArrival::Stay);
    /// assert!(crowd.route(agent).contains(&Cell::new(4, 0)), "it goes round the danger");
    /// // Unless the other cells are worse.
    /// for cell in [Cell::new(4, 0), Cell::new(4, 2)] {
    ///     crowd.set_danger(cell, Some(EntryCost::MAX));
    /// }
    /// crowd.advance(CrowdTime::from_seconds(0.5));
    /// assert!(crowd.route(agent).contains(&Cell::new(4, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_danger(&mut self, cell: Cell, danger: Option<EntryCost>) -> bool {
        (0..self.board.land().kinds()).all(|kind| self.set_danger_for(kind, cell, danger))
    }

    /// Sets the danger of a cell for agents of one kind, as [`set_danger`](Self::set_danger) does for all kinds. Also
    /// returns `false` if there is no such kind.
    pub fn set_danger_for(&mut self, kind: usize, cell: Cell, danger: Option<EntryCost>) -> bool {
        let is_possible = kind < self.board.land().kinds() && self.grid().size().contains(cell);
        if is_possible {
            self.board.set_danger(kind, cell, danger);
        }
        is_possible
    }

    /// Adds a danger that fades. All dangers of a cell are added up, including those that were [set](Self::set_danger).
    /// Returns `false` if there is no such kind, or if its middle is off the grid. O(its cells), now and eight times
    /// later.
    ///
    /// It fades in the time of the crowd: in the middle of an [`advance`](Self::advance), and not while `advance` is
    /// not called.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, Danger};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, EntryCost, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(20, 20))?, StepRules::default(), Pace::default());
    /// let at = Cell::new(9, 9);
    /// let gunfire = Danger::new(at, 4, EntryCost::from_tiles(16.0)?, CrowdTime::from_seconds(8.0));
    /// crowd.add_danger(gunfire);
    /// crowd.advance(CrowdTime::from_seconds(4.0));
    /// assert_eq!(crowd.danger(0, at).tiles(), 8.0);
    /// crowd.advance(CrowdTime::from_seconds(4.0));
    /// assert_eq!(crowd.danger(0, at).tiles(), 0.0);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn add_danger(&mut self, danger: Danger) -> bool {
        let kinds = self.board.land().kinds();
        let is_possible = danger.kind.is_none_or(|kind| kind < kinds) && self.grid().size().contains(danger.at);
        if is_possible {
            self.board.add_danger(danger);
        }
        is_possible
    }

    /// The additional cost of a cell when routes of agents of a kind are planned: the sum of all its dangers. Zero off
    /// the grid, and if there is no such kind.
    pub fn danger(&self, kind: usize, cell: Cell) -> RouteCost {
        RouteCost::from_units(self.board.land().danger(kind, cell))
    }

    /// The costs with which routes of agents of a kind are planned: its [grid](Self::grids) with the dangers. `None` if
    /// there is no such kind.
    pub fn grid_with_danger(&self, kind: usize) -> Option<&CostGrid> {
        let land = self.board.land();
        (kind < land.kinds()).then(|| land.ground_with_danger(kind).grid)
    }

    /// The same grid, to share it; without a copy if there has ever been a danger.
    pub fn shared_grid_with_danger(&self, kind: usize) -> Option<Arc<CostGrid>> {
        let land = self.board.land();
        (kind < land.kinds()).then(|| land.shared_grid_with_danger(kind))
    }
}
