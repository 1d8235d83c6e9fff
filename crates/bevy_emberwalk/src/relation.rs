//! Goals about another agent: to be in range of it, to see it, or to be far away from it, also when it moves.

use bevy_ecs::entity::Entity;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Components, CostGrid};

use crate::ranges::{MAX_REACH, cells_around, cells_in_range};
use crate::route_search::{Target, Walk};
use crate::{Goal, NavMap};

/// How long an agent keeps its route although the agent has moved that its goal is about.
pub(crate) const LOOKS_AFTER: CrowdTime = CrowdTime::SECOND;

/// What a goal wants of the cell of an agent, by the cell of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Relation {
    pub(crate) other: Entity,
    sort: Sort,
    /// In cells, in a straight line.
    reach: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sort {
    InRange,
    InSight,
    FarAway,
}

impl Goal {
    /// What the current goal wants, if it is such a goal.
    pub(crate) fn relation(&self) -> Option<Relation> {
        let (other, sort, cells) = match *self.current() {
            Self::InRange { of, cells } => (of, Sort::InRange, cells),
            Self::InSight { of, cells } => (of, Sort::InSight, cells),
            Self::Flee { from, cells } => (from, Sort::FarAway, cells),
            _ => return None,
        };
        Some(Relation { other, sort, reach: cells.min(MAX_REACH) })
    }
}

/// Where an agent is, and the other one, if that is on the same map: the cells that they enter, or in which they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) here: Cell,
    pub(crate) there: Option<Cell>,
}

impl Relation {
    /// Whether it is as it should be.
    pub(crate) fn holds<M: NavMap>(self, map: &M, Pair { here, there }: Pair) -> bool {
        let Some(there) = there else { return false };
        let (distance, reach) = (here.distance_squared(there), i64::from(self.reach).pow(2));
        match self.sort {
            Sort::InRange => distance <= reach,
            Sort::InSight => distance <= reach && here.sees(there, |cell| hides(map, cell)),
            Sort::FarAway => distance >= reach,
        }
    }

    /// Whether an agent has to look again where to go, for which the walk has been planned. It does so if the map has changed,
    /// but does not leave a place that is still a good one.
    pub(crate) fn looks_again<M: NavMap>(
        self,
        map: &M,
        walk: &Walk,
        pair: Pair,
        has_arrived: bool,
        now: CrowdTime,
    ) -> bool {
        let Some(Target::About(before)) = walk.target else { return true };
        if before == pair.there {
            // Others may have pushed it off. One that flees rests in a dead end, too.
            return has_arrived && self.sort != Sort::FarAway && before.is_some() && !self.holds(map, pair);
        }
        let holds = self.holds(map, pair);
        match has_arrived {
            true => !holds,
            false => now >= walk.planned + LOOKS_AFTER || holds != self.holds(map, Pair { there: before, ..pair }),
        }
    }

    /// What it costs to find the cells to which it sends an agent, and to search for a route to any of them, apart
    /// from the cells that the search expands, in such cells: it looks at a circle, or at a line to each cell in it.
    pub(crate) fn effort(self) -> u64 {
        let reach = u64::from(self.reach);
        match self.sort {
            Sort::InRange | Sort::FarAway => (2 * reach).pow(2),
            Sort::InSight => reach.pow(3),
        }
    }

    /// The cells to which it sends an agent; none if the other one is not there. To flee, the agent has to know which cells
    /// it can reach on its grid.
    pub(crate) fn cells<'a, M: NavMap>(
        self,
        map: &M,
        Pair { here, there }: Pair,
        ground: impl FnOnce() -> Option<(&'a CostGrid, &'a Components)>,
    ) -> Vec<Cell> {
        let Some(there) = there else { return Vec::new() };
        match self.sort {
            Sort::InRange => cells_in_range(there, self.reach),
            Sort::InSight => cells_in_sight(map, there, self.reach),
            Sort::FarAway if self.holds(map, Pair { here, there: Some(there) }) => vec![here],
            Sort::FarAway => ground().map(|ground| self.cells_far_away(ground, here, there)).unwrap_or_default(),
        }
    }

    /// The reachable cells around the circle that it has to leave, or else the farthest reachable ones inside.
    fn cells_far_away(self, (grid, components): (&CostGrid, &Components), here: Cell, there: Cell) -> Vec<Cell> {
        let Some(home) = components.component(grid, here) else { return Vec::new() };
        let mut cells: Vec<_> = cells_around(there, self.reach)
            .map(|cell| (cell.distance_squared(there), cell))
            .filter(|&(_, cell)| components.component(grid, cell) == Some(home))
            .collect();
        let farthest = cells.iter().map(|&(distance, _)| distance).max();
        let least = farthest.unwrap_or_default().min(i64::from(self.reach).pow(2));
        cells.retain(|&(distance, _)| distance >= least);
        cells.into_iter().map(|(_, cell)| cell).collect()
    }
}

/// The cells on the map up to so many cells from a cell from which it is seen.
pub(crate) fn cells_in_sight<M: NavMap>(map: &M, middle: Cell, reach: u32) -> Vec<Cell> {
    let Some(size) = map.costs_of(0).map(CostGrid::size) else { return Vec::new() };
    let mut cells = cells_in_range(middle, reach);
    cells.retain(|&cell| size.contains(cell) && cell.sees(middle, |at| hides(map, at)));
    cells
}

/// Whether a cell hides what is behind it: it is blocked for all kinds of agents.
fn hides<M: NavMap>(map: &M, cell: Cell) -> bool {
    !(0..).map_while(|kind| map.costs_of(kind)).any(|costs| costs.is_passable(cell))
}
