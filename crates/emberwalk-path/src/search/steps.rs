//! The steps of a search: which neighbours of a cell can be entered, and at which cost.

use crate::cost::climb::Rises;
use crate::cost::heights::Heights;
use crate::cost::links::{LinkStep, Links};
use crate::grid::Direction;
use crate::search::cell_set::CellSet;
use crate::{Corners, CostGrid, Moves, StepRules};

/// The steps of a search over neighbours, as a type: the search is compiled once for each.
pub trait Steps: Copy {
    /// No step counts more than this many times the larger of its cost and the cost of its reverse, and none less than
    /// this many times the lowest entry cost.
    const FACTOR: u32 = 1;

    /// Whether they lead back from the cells that routes lead to.
    const ARE_BACKWARD: bool = false;

    /// Whether some of them are links.
    const HAVE_LINKS: bool = false;

    /// Whether the first of two steps to the same cell comes before the other, clockwise from north by the direction in
    /// which a route takes them.
    fn precedes(one: Direction, other: Direction) -> bool {
        let order = |direction: Direction| if Self::ARE_BACKWARD { direction.opposite() } else { direction } as usize;
        order(one) < order(other)
    }

    /// Calls `visit` for each step that is possible from `at`, clockwise from north, and then for the links. After a step
    /// in direction `entered_by`, steps that never pay are left out.
    fn for_each(self, at: usize, entered_by: Option<Direction>, visit: impl FnMut(Step));

    /// Calls `visit` for each cell from which a link leads to `at`, by their indices, with the cost of the link.
    fn for_each_link_to(self, _at: usize, _visit: impl FnMut(usize, u64)) {}
}

/// A possible step.
#[derive(Clone, Copy)]
pub struct Step {
    /// The index of the cell that it enters.
    pub to: usize,
    /// Any direction for a link.
    pub direction: Direction,
    /// In units.
    pub cost: u64,
    /// Whether it leads along a link.
    pub is_link: bool,
}

impl Step {
    /// A step along a link.
    fn along_link(to: usize, units: u32) -> Self {
        Self { to, direction: Direction::N, cost: units.into(), is_link: true }
    }
}

/// Evaluates `$body` with `$steps` standing for the [`GridSteps`] of a grid by these [`StepRules`].
#[doc(hidden)]
#[macro_export]
macro_rules! with_steps {
    ($grid:expr, $rules:expr, $steps:ident => $body:expr) => {
        if $grid.links_for($rules).is_some() {
            let $steps = $crate::internal::GridSteps::<true, true>::new($grid, $rules);
            $body
        } else if $grid.is_flat() {
            let $steps = $crate::internal::GridSteps::<false>::new($grid, $rules);
            $body
        } else {
            let $steps = $crate::internal::GridSteps::<true>::new($grid, $rules);
            $body
        }
    };
}
pub(crate) use with_steps;

/// North-east, south-east, south-west and north-west.
const DIAGONAL_DIRECTIONS: u8 = 0b1010_1010;
/// The six directions of hexagons: all but north-east and south-west.
const HEXAGON_DIRECTIONS: u8 = 0b1101_1101;

/// The directions that a cheapest route may take after a step in each direction on level ground, one bit for each.
///
/// A turn by more than a right angle never pays. The cell that it leads to is also a neighbour of the cell before, by a
/// straight step, or is that cell itself; and a straight step is always allowed and is the cheapest one into its cell.
/// A search that has expanded the cell before therefore knows a route there that is no more expensive.
const DIRECTIONS_AFTER: [u8; 8] = {
    let mut after = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        after[direction] = 0b1100_0111u8.rotate_left(direction as u32);
        direction += 1;
    }
    after
};

/// The same for hexagons, where only three directions can pay: straight on, and the next one to either side. The other
/// two steps, half back, lead to neighbours of the cell before, too, and all steps into a cell cost the same.
const HEXAGON_DIRECTIONS_AFTER: [u8; 8] =
    [0b1000_0101, 0, 0b0000_1101, 0b0001_1100, 0b0101_1000, 0, 0b1101_0000, 0b1100_0001];

/// The steps on a grid by any step rules. Without `LEVELS` the ground is level, and without `LINKS` all steps
/// lead to neighbours.
///
/// Neighbours and the steps to them are handled as sets of directions, one bit for each.
#[derive(Clone, Copy)]
pub struct GridSteps<'a, const LEVELS: bool, const LINKS: bool = false> {
    entry_units: &'a [u32],
    /// The cost of a step into each cell in a diagonal direction, on level ground.
    diagonal_units: &'a [u32],
    stride: usize,
    /// How far each direction leads in the grid's array.
    offsets: [isize; 8],
    heights: Option<&'a Heights>,
    /// The rises of possible steps, where there are heights.
    rises: Rises,
    links: Option<&'a Links>,
    /// The directions of the move set.
    directions: u8,
    /// The directions that lead past two other cells.
    diagonals: u8,
    /// The directions that need no free cell beside them, and the directions for which one is enough.
    need_none: u8,
    need_one: u8,
    /// The directions that can pay on level ground after a step in each direction.
    after: &'static [u8; 8],
}

impl<'a, const LEVELS: bool, const LINKS: bool> GridSteps<'a, LEVELS, LINKS> {
    /// The steps on this grid by these rules.
    pub fn new(grid: &'a CostGrid, rules: StepRules) -> Self {
        let (directions, diagonals, after) = match rules.moves {
            Moves::Eight => (!0, DIAGONAL_DIRECTIONS, &DIRECTIONS_AFTER),
            Moves::Four => (!DIAGONAL_DIRECTIONS, 0, &DIRECTIONS_AFTER),
            Moves::Six => (HEXAGON_DIRECTIONS, 0, &HEXAGON_DIRECTIONS_AFTER),
        };
        let (need_none, need_one) = match rules.corners {
            Corners::Never => (!diagonals, 0),
            Corners::One => (!diagonals, !0),
            Corners::Always => (!0, 0),
        };
        Self {
            entry_units: grid.entry_units(),
            diagonal_units: if diagonals == 0 { grid.entry_units() } else { grid.diagonal_units() },
            stride: grid.stride(),
            offsets: offsets(grid.stride()),
            heights: grid.heights().filter(|_| LEVELS),
            rises: grid.climb().rises(),
            links: grid.links_for(rules).filter(|_| LINKS),
            directions,
            diagonals,
            need_none,
            need_one,
            after,
        }
    }

    /// The steps that are possible from a cell.
    #[inline(always)]
    pub(crate) fn possible(self, at: usize) -> u8 {
        self.paying(at, None)
    }

    /// The steps that are possible from a cell and can pay after a step in direction `entered_by`.
    #[inline(always)]
    pub(crate) fn paying(self, at: usize, entered_by: Option<Direction>) -> u8 {
        self.paying_among(self.passable_around(at), at, entered_by)
    }

    /// The same if only these neighbours are passable.
    #[inline(always)]
    fn paying_among(self, passable: u8, at: usize, entered_by: Option<Direction>) -> u8 {
        // The neighbours that no cliff separates from the cell; the neighbours from which no cliff separates the next
        // one, clockwise; and the neighbours that no cliff separates from the next one.
        let (mut reachable, mut onward, mut back, mut is_level) = (passable, !0, !0, true);
        if LEVELS && let Some(heights) = self.heights {
            let (here, levels, rises) = (heights.levels()[at], ring(heights.levels(), self.stride, at), self.rises);
            is_level = bits(|k| levels[k] != here) & passable == 0;
            if !is_level {
                reachable &= bits(|k| rises.allow(here, levels[k]));
                onward = bits(|k| rises.allow(levels[k], levels[(k + 1) % 8]));
                back = match rises.are_symmetric() {
                    true => onward,
                    false => bits(|k| rises.allow(levels[(k + 1) % 8], levels[k])),
                };
            }
        }
        let possible = match self.diagonals {
            0 => reachable & self.directions,
            _ => reachable & self.past_corners(reachable, onward, back),
        };
        match entered_by {
            None => possible,
            // What never pays on level ground can pay where it avoids a cliff or a climb, except a step straight back.
            Some(direction) if LEVELS && !is_level => possible & !(1 << direction.opposite() as u32),
            Some(_) => possible & self.after(entered_by),
        }
    }

    /// The directions of the move set that can pay on level ground.
    #[inline(always)]
    fn after(self, entered_by: Option<Direction>) -> u8 {
        self.directions & entered_by.map_or(!0, |direction| self.after[direction as usize])
    }

    /// The directions that the move set and the corner rule allow. A cell beside the step counts as blocked unless two
    /// straight steps lead over it. `onward` has the neighbours from which a step can lead to the next one, clockwise, and
    /// `back` has the neighbours to which a step can lead from the next one.
    #[inline(always)]
    fn past_corners(self, reachable: u8, onward: u8, back: u8) -> u8 {
        // For each diagonal, whether the cell beside it is free, anticlockwise and clockwise.
        let (before, after) = ((reachable & onward).rotate_left(1), reachable.rotate_right(1) & back);
        self.directions & (self.need_none | before & after | (before | after) & self.need_one)
    }

    #[inline(always)]
    fn passable_around(self, at: usize) -> u8 {
        let units = ring(self.entry_units, self.stride, at);
        bits(|k| units[k] != 0)
    }

    /// Calls `visit` for the possible steps in these directions. All of them have to be possible if there are levels or the
    /// rules have diagonals; if not, steps into blocked cells are left out.
    #[inline(always)]
    pub(crate) fn for_each_in(self, directions: u8, at: usize, mut visit: impl FnMut(Step)) {
        for_each_bit(directions, &self.offsets, at, |to, direction| {
            let cost = self.cost(at, to, direction);
            // The entry cost of a blocked cell is 0.
            if LEVELS || self.diagonals != 0 || cost != 0 {
                visit(Step { to, direction, cost, is_link: false });
            }
        });
    }

    /// The cost of a possible step between two neighbours, in that direction.
    #[inline(always)]
    pub(crate) fn cost(self, from: usize, to: usize, direction: Direction) -> u64 {
        if LEVELS && let Some(heights) = self.heights {
            let rise = heights.rise(from, to);
            if rise != 0 {
                let is_diagonal = direction.is_diagonal() && self.diagonals != 0;
                return heights.costs().step(is_diagonal, self.entry_units[to], rise);
            }
        }
        u64::from(if direction.is_diagonal() { self.diagonal_units[to] } else { self.entry_units[to] })
    }

    /// The cost of the step back to `from`.
    #[inline(always)]
    pub(crate) fn cost_back(self, from: usize, step: Step) -> u64 {
        self.cost(step.to, from, step.direction)
    }

    /// Whether a possible step may have no reverse.
    pub fn leads_one_way(self, step: Step) -> bool {
        let is_reversed = || self.possible(step.to) >> step.direction.opposite() as u32 & 1 != 0;
        step.is_link || LEVELS && !self.rises.are_symmetric() && !is_reversed()
    }

    /// The links that begin in a cell and can be used.
    pub(crate) fn links_from(self, at: usize) -> impl Iterator<Item = &'a LinkStep> {
        let links = self.links.filter(|_| LINKS).map_or(&[][..], |links| links.starting_in(at));
        links.iter().filter(move |link| self.is_usable(link))
    }

    /// The links that end in a cell and can be used.
    pub(crate) fn links_to(self, at: usize) -> impl Iterator<Item = &'a LinkStep> {
        let links = self.links.filter(|_| LINKS).map_or(&[][..], |links| links.ending_in(at));
        links.iter().filter(move |link| self.is_usable(link))
    }

    fn is_usable(self, link: &LinkStep) -> bool {
        self.entry_units[link.from] != 0 && self.entry_units[link.to] != 0
    }

    /// The directions of the steps that pass no other cells.
    pub(crate) fn sides(self) -> u8 {
        self.directions & !self.diagonals
    }

    /// The cost of such a step into a cell if its entry cost were `units`; `None` if a cliff makes it impossible.
    pub(crate) fn side_cost(self, from: usize, to: usize, units: u32) -> Option<u64> {
        match self.heights {
            None => Some(units.into()),
            Some(heights) if heights.allow(from, to) => {
                Some(heights.costs().step(false, units, heights.rise(from, to)))
            }
            Some(_) => None,
        }
    }

    /// Whether a passable neighbour of this cell is on another level.
    #[inline(always)]
    pub(crate) fn is_slope(self, at: usize) -> bool {
        self.heights.is_some_and(|heights| {
            let levels = ring(heights.levels(), self.stride, at);
            bits(|k| levels[k] != heights.levels()[at]) & self.passable_around(at) != 0
        })
    }
}

impl<const LEVELS: bool, const LINKS: bool> Steps for GridSteps<'_, LEVELS, LINKS> {
    const HAVE_LINKS: bool = LINKS;

    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, mut visit: impl FnMut(Step)) {
        if LINKS {
            // A cell that a link leads to may have been entered by it.
            let entered_by = entered_by.filter(|_| self.links_to(at).next().is_none());
            self.for_each_in(self.paying(at, entered_by), at, &mut visit);
            self.links_from(at).for_each(|link| visit(Step::along_link(link.to, link.units)));
            return;
        }
        // Without diagonals and levels, only the cells that steps may lead to are looked at.
        let has_sides_only = !LEVELS && self.diagonals == 0;
        let directions = if has_sides_only { self.after(entered_by) } else { self.paying(at, entered_by) };
        self.for_each_in(directions, at, visit);
    }

    fn for_each_link_to(self, at: usize, mut visit: impl FnMut(usize, u64)) {
        self.links_to(at).for_each(|link| visit(link.from, link.units.into()));
    }
}

/// The reverses of all steps, at the costs of the steps, for the costs of routes from each cell to the start.
#[derive(Clone, Copy)]
pub struct Backward<'a, const LEVELS: bool, const LINKS: bool = false>(GridSteps<'a, LEVELS, LINKS>);

impl<'a, const LEVELS: bool, const LINKS: bool> Backward<'a, LEVELS, LINKS> {
    /// The reverses of these steps.
    #[inline(always)]
    pub fn new(steps: GridSteps<'a, LEVELS, LINKS>) -> Self {
        Self(GridSteps { rises: steps.rises.reversed(), ..steps })
    }
}

impl<const LEVELS: bool, const LINKS: bool> Steps for Backward<'_, LEVELS, LINKS> {
    const ARE_BACKWARD: bool = true;
    const HAVE_LINKS: bool = LINKS;

    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, mut visit: impl FnMut(Step)) {
        let Self(steps) = self;
        if LINKS {
            let entered_by = entered_by.filter(|_| steps.links_from(at).next().is_none());
            let directions = steps.paying(at, entered_by);
            steps.for_each_in(directions, at, |step| visit(Step { cost: steps.cost_back(at, step), ..step }));
            steps.links_to(at).for_each(|link| visit(Step::along_link(link.from, link.units)));
            return;
        }
        steps.for_each(at, entered_by, |step| visit(Step { cost: steps.cost_back(at, step), ..step }));
    }

    fn for_each_link_to(self, at: usize, mut visit: impl FnMut(usize, u64)) {
        self.0.links_from(at).for_each(|link| visit(link.to, link.units.into()));
    }
}

/// The steps on a grid as if some of its cells were blocked.
#[derive(Clone, Copy)]
pub(crate) struct AvoidingSteps<'a, const LEVELS: bool, const LINKS: bool> {
    pub(crate) steps: GridSteps<'a, LEVELS, LINKS>,
    /// The cells that count as blocked.
    pub(crate) avoided: &'a CellSet,
}

impl<const LEVELS: bool, const LINKS: bool> Steps for AvoidingSteps<'_, LEVELS, LINKS> {
    const HAVE_LINKS: bool = LINKS;

    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, mut visit: impl FnMut(Step)) {
        let Self { steps, avoided: cells } = self;
        let avoided = bits(|k| cells.contains(at.wrapping_add_signed(steps.offsets[k])));
        let passable = steps.passable_around(at) & !avoided;
        let entered_by = entered_by.filter(|_| !LINKS || steps.links_to(at).next().is_none());
        steps.for_each_in(steps.paying_among(passable, at, entered_by), at, &mut visit);
        if LINKS {
            let links = steps.links_from(at).filter(|link| !cells.contains(link.to));
            links.for_each(|link| visit(Step::along_link(link.to, link.units)));
        }
    }

    fn for_each_link_to(self, at: usize, mut visit: impl FnMut(usize, u64)) {
        self.steps.for_each_link_to(at, |from, cost| {
            if !self.avoided.contains(from) {
                visit(from, cost);
            }
        });
    }
}

/// The values of the eight neighbours of a cell, clockwise from north.
#[inline(always)]
fn ring<T: Copy>(values: &[T], stride: usize, at: usize) -> [T; 8] {
    let north = &values[at - stride - 1..][..3];
    let middle = &values[at - 1..][..3];
    let south = &values[at + stride - 1..][..3];
    [north[1], north[2], middle[2], south[2], south[1], south[0], middle[0], north[0]]
}

/// The set of the directions for which this holds.
#[inline(always)]
fn bits(holds: impl Fn(usize) -> bool) -> u8 {
    (0..8).fold(0, |bits, k| bits | u8::from(holds(k)) << k)
}

/// Calls `visit` with the index of the neighbour in each of these directions.
#[inline(always)]
pub(crate) fn for_each_bit(directions: u8, offsets: &[isize; 8], at: usize, mut visit: impl FnMut(usize, Direction)) {
    let mut left = directions;
    while left != 0 {
        let direction = left.trailing_zeros() as usize % 8;
        left &= left - 1;
        visit(at.wrapping_add_signed(offsets[direction]), Direction::ALL[direction]);
    }
}

/// How far each direction leads in the grid's array.
#[inline(always)]
pub fn offsets(stride: usize) -> [isize; 8] {
    let row = stride as isize;
    [-row, 1 - row, 1, 1 + row, row, row - 1, -1, -1 - row]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the angles between the centres of hexagons.
    #[test]
    fn three_directions_of_hexagons_can_pay_after_a_step() {
        let hexagon = |direction: &Direction| HEXAGON_DIRECTIONS >> *direction as u32 & 1 != 0;
        let directions: Vec<_> = Direction::ALL.into_iter().filter(hexagon).collect();
        assert_eq!(directions.len(), 6);
        for (k, &direction) in directions.iter().enumerate() {
            let next = [k, k + 1, k + 5].map(|k| directions[k % 6] as u32);
            let bits = next.into_iter().fold(0, |bits, direction| bits | 1 << direction);
            assert_eq!(HEXAGON_DIRECTIONS_AFTER[direction as usize], bits, "{direction:?}");
        }
    }
}
