//! The steps of a search on a grid with levels.

use crate::cost::heights::Heights;
use crate::grid::Direction;
use crate::search::steps::{
    HEXAGON_DIRECTIONS, STRAIGHT_DIRECTIONS, Step, Steps, directions_after, for_each_bit, hexagon_directions_after,
};
use crate::{Corners, CostGrid, Moves, StepRules};

/// The steps on a grid with levels, by any step rules.
///
/// Neighbours and the steps to them are handled as sets of directions, one bit for each.
#[derive(Clone, Copy)]
pub(crate) struct HillSteps<'a> {
    grid: &'a CostGrid,
    heights: &'a Heights,
    moves: Moves,
    /// The corner rule; without diagonal steps past other cells it is [`Corners::Always`].
    corners: Corners,
}

impl<'a> HillSteps<'a> {
    /// Returns the steps on a grid; `None` if it is flat.
    pub(crate) fn new(grid: &'a CostGrid, rules: StepRules) -> Option<Self> {
        let heights = grid.heights()?;
        let corners = if rules.moves == Moves::Eight { rules.corners } else { Corners::Always };
        Some(Self { grid, heights, moves: rules.moves, corners })
    }

    /// Returns the steps that are possible from a cell.
    pub(crate) fn possible(self, at: usize) -> u8 {
        self.directions(at, None)
    }

    /// Returns the steps that are possible from a cell, and those that can pay after a step in direction `entered_by`.
    #[inline(always)]
    fn directions(self, at: usize, entered_by: Option<Direction>) -> u8 {
        let Ring { passable, levels } = Ring::new(self.grid, self.heights, at);
        let here = self.heights.levels()[at];
        let is_level = bits(|k| levels[k] != here) & passable == 0;
        let (reachable, alike) = if is_level { (passable, !0) } else { self.reachable(here, passable, &levels) };
        let moves = match self.moves {
            Moves::Eight => reachable & self.past_corners(reachable, alike),
            Moves::Six => reachable & HEXAGON_DIRECTIONS,
            Moves::Four => reachable & STRAIGHT_DIRECTIONS,
        };
        moves
            & match entered_by {
                None => !0,
                // What never pays on level ground can pay where it avoids a cliff or a climb, but no way back does.
                Some(direction) if !is_level => !(1 << direction.opposite() as u32),
                Some(direction) if self.moves == Moves::Six => hexagon_directions_after(direction),
                Some(direction) => directions_after(direction),
            }
    }

    /// Returns the cost of a possible step between two neighbours.
    #[inline(always)]
    fn cost_between(self, from: usize, to: usize, is_diagonal: bool) -> u64 {
        match self.heights.rise(from, to) {
            0 if is_diagonal => self.grid.diagonal_units()[to].into(),
            0 => self.grid.entry_units()[to].into(),
            rise => self.heights.costs().step(is_diagonal, self.grid.entry_units()[to], rise),
        }
    }

    /// Returns which neighbours no cliff separates from the cell, and which of them none separates from the next
    /// neighbour clockwise.
    #[inline(always)]
    fn reachable(self, here: u8, passable: u8, levels: &[u8; 8]) -> (u8, u8) {
        let most = self.heights.most();
        let reachable = passable & bits(|k| levels[k].abs_diff(here) <= most);
        (reachable, bits(|k| levels[k].abs_diff(levels[(k + 1) % 8]) <= most))
    }

    /// Returns all straight directions, and the diagonal ones that the corner rule allows. A cell beside the step
    /// counts as blocked if a cliff separates it from either end.
    #[inline(always)]
    fn past_corners(self, reachable: u8, alike: u8) -> u8 {
        // For each diagonal, whether the cell beside it is free, anticlockwise and clockwise.
        let (before, after) = ((reachable & alike).rotate_left(1), reachable.rotate_right(1) & alike);
        STRAIGHT_DIRECTIONS
            | match self.corners {
                Corners::Never => before & after,
                Corners::One => before | after,
                Corners::Always => !0,
            }
    }
}

impl Steps for HillSteps<'_> {
    const HAVE_LEVELS: bool = true;

    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, mut visit: impl FnMut(Step)) {
        let directions = self.directions(at, entered_by);
        for_each_bit(directions, self.grid.stride(), at, |to, direction| {
            let is_diagonal = self.moves == Moves::Eight && direction.is_diagonal();
            let cost = self.cost_between(at, to, is_diagonal);
            visit(Step { to, direction, is_diagonal, cost });
        });
    }

    #[inline(always)]
    fn cost(self, from: usize, to: usize, direction: Direction, units: u32) -> u64 {
        let is_diagonal = self.moves == Moves::Eight && direction.is_diagonal();
        match self.heights.rise(from, to) {
            0 if is_diagonal => self.grid.diagonal().of(units).into(),
            0 => units.into(),
            rise => self.heights.costs().step(is_diagonal, units, rise),
        }
    }

    #[inline(always)]
    fn cost_back(self, from: usize, step: Step) -> u64 {
        self.cost_between(step.to, from, step.is_diagonal)
    }

    fn sides(self) -> &'static [Direction] {
        if self.moves == Moves::Six { &Direction::HEXAGON } else { &Direction::SIDES }
    }

    #[inline(always)]
    fn is_cliff(self, one: usize, other: usize) -> bool {
        !self.heights.allow(one, other)
    }
}

/// The eight neighbours of a cell, clockwise from north.
struct Ring {
    passable: u8,
    levels: [u8; 8],
}

impl Ring {
    #[inline(always)]
    fn new(grid: &CostGrid, heights: &Heights, at: usize) -> Self {
        let (stride, entry_units, levels) = (grid.stride(), grid.entry_units(), heights.levels());
        let [north, middle, south] = [at - stride, at, at + stride].map(|at| &entry_units[at - 1..][..3]);
        let units = [north[1], north[2], middle[2], south[2], south[1], south[0], middle[0], north[0]];
        let [north, middle, south] = [at - stride, at, at + stride].map(|at| &levels[at - 1..][..3]);
        let levels = [north[1], north[2], middle[2], south[2], south[1], south[0], middle[0], north[0]];
        Self { passable: bits(|k| units[k] != 0), levels }
    }
}

/// Returns the set of the directions for which this holds.
#[inline(always)]
fn bits(holds: impl Fn(usize) -> bool) -> u8 {
    (0..8).fold(0, |bits, k| bits | u8::from(holds(k)) << k)
}

/// Whether a passable neighbour of this cell is on another level.
pub(crate) fn is_slope(grid: &CostGrid, heights: &Heights, at: usize) -> bool {
    let Ring { passable, levels } = Ring::new(grid, heights, at);
    bits(|k| levels[k] != heights.levels()[at]) & passable != 0
}
