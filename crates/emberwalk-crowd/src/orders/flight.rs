//! Where agents flee to.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::board::{Board, Relation};
use crate::index::AgentIndex;
use crate::land::Ground;
use emberwalk_path::RouteCost;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::internal::{Steps, with_steps};
use emberwalk_path::time::CrowdTime;

/// The width of the ring around the circle that an agent has to leave, in cells: no step without links is longer, so
/// every route leads through the ring.
const RING: u32 = 2;

/// The cells to which an agent flees.
///
/// A cell is safe if the agent reaches it before the threat does, along a route on which that is true of all cells and
/// no cell is nearer to the threat than the agent is. The agent flees to safe cells in the ring around the circle that
/// it has to leave, or else to the farthest safe cells.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) cells: Vec<Cell>,
    /// Whether they are not far enough away.
    pub(super) is_cornered: bool,
    /// How many cells were visited to find them.
    pub(super) visited: u64,
}

/// The cells of a square around the threat: no others are looked at.
struct Surroundings {
    corner: Cell,
    size: Size,
    threat: Cell,
    /// The square of the distance from the threat within which the agent enters no cell.
    nearest: i64,
}

/// A search from a cell over its surroundings: Dijkstra's algorithm.
struct Reached {
    /// The lowest cost to each cell, in units; [`u64::MAX`] if it is not reached.
    costs: Vec<u64>,
    /// The cell before it on such a route.
    before: Vec<usize>,
    /// Whether all routes of this cost have safe steps alone.
    is_safe: Vec<bool>,
    visited: u64,
}

impl Flight {
    /// Finds the cells to which an agent in a cell, or on the way into it, flees. It enters no cell whose squared
    /// distance from the threat is below `nearest`. Without a threat there are none.
    pub(super) fn find(board: &Board, agent: AgentIndex, relation: Relation, here: Cell, nearest: i64) -> Self {
        let Some(threat) = board.find(relation.other) else {
            return Self { cells: Vec::new(), is_cornered: false, visited: 0 };
        };
        let around = Surroundings::new(board, board.position(threat).0, relation.reach + RING, nearest);
        let kind_of = |agent| board[agent].kind();
        let chased = around.search(board.land().ground(kind_of(threat)), around.threat, false, |_, _, _| true);
        let (own_side, its_side) = (board.side(agent) as i32, board.side(threat) as i32);
        let chased_at = |cell: Cell| {
            let places = (1 - its_side..own_side).flat_map(|y| (1 - its_side..own_side).map(move |x| cell + (x, y)));
            let costs = places.filter_map(|place| around.slot(place)).map(|slot| chased.costs[slot]);
            costs.min().filter(|&cost| cost < u64::MAX)
        };
        let [own_pace, its_pace] = [agent, threat].map(|agent| board.pace_of(agent));
        let is_safe = |slot: usize, cost: u64| {
            let cell = around.cell(slot);
            let comes_first = || {
                let chased_at =
                    chased_at(cell).map_or(CrowdTime::NEVER, |c| its_pace.time_of(RouteCost::from_units(c)));
                own_pace.time_of(RouteCost::from_units(cost)) < chased_at
            };
            cell.distance_squared(around.threat) >= around.nearest && comes_first()
        };
        let ground = board.land().ground_for_guides(kind_of(agent));
        let Some(at) = around.slot(here) else {
            return Self { cells: vec![here], is_cornered: true, visited: chased.visited };
        };
        let all = around.search(ground, here, false, |_, to, cost| is_safe(to, cost));
        let mut visited = chased.visited + all.visited;
        // A diagonal step that is no cheaper than two straight ones over a cell that is not safe would not be taken.
        let step_units = |from: Cell, to: Cell| ground.step_units(board.index(from), board.index(to));
        let is_taken = |from: usize, to: usize, cost: u64| {
            let [from, to] = [from, to].map(|slot| around.cell(slot));
            let (x, y) = to - from;
            let Some(units) = step_units(from, to).filter(|_| x.abs() == 1 && y.abs() == 1) else { return true };
            [from + (x, 0), from + (0, y)].into_iter().all(|beside| {
                let (Some(first), Some(second)) = (step_units(from, beside), step_units(beside, to)) else {
                    return true;
                };
                let is_safe = |slot| is_safe(slot, cost - units + first);
                first + second > units || around.slot(beside).is_some_and(is_safe)
            })
        };
        let safe = around.search(ground, here, true, |from, to, cost| is_safe(to, cost) && is_taken(from, to, cost));
        visited += safe.visited;
        let (ends, is_cornered) = around.ends(&safe, relation.reach);
        let stays = Self { cells: vec![here], is_cornered: true, visited };
        if ends.contains(&at) {
            return stays;
        }
        let certain = ends.iter().copied().filter(|&slot| all.is_safe[slot]);
        let cells: Vec<_> = certain.map(|slot| around.cell(slot)).collect();
        if !cells.is_empty() {
            return Self { cells, is_cornered, visited };
        }
        // A cheaper route to the nearest cell is not safe. So the agent first goes as far as all cheapest routes are
        // safe.
        let end = ends.into_iter().min_by_key(|&slot| (safe.costs[slot], slot));
        let mut route = std::iter::successors(end, |&slot| Some(safe.before[slot])).take_while(|&slot| slot != at);
        let next = route.find(|&slot| all.is_safe[slot]);
        next.map_or(stays, |slot| Self { cells: vec![around.cell(slot)], is_cornered: false, visited })
    }
}

impl Surroundings {
    fn new(board: &Board, threat: Cell, reach: u32, nearest: i64) -> Self {
        let (size, reach) = (board.grid().size(), reach as i32);
        let [corner, end] = [-reach, reach].map(|offset| size.nearest(threat + (offset, offset)));
        let (x, y) = end - corner;
        Self { corner, size: Size::new(x as u32 + 1, y as u32 + 1), threat, nearest }
    }

    fn slot(&self, cell: Cell) -> Option<usize> {
        let (x, y) = cell - self.corner;
        self.size.index(Cell::new(x, y))
    }

    fn cell(&self, slot: usize) -> Cell {
        let width = self.size.width as usize;
        self.corner + ((slot % width) as i32, (slot / width) as i32)
    }

    /// Searches from a cell. `is_safe` tells whether a step between two cells is safe if it reaches the second cell at
    /// this cost, in units; with `only_safe`, no other steps are taken.
    fn search(
        &self,
        ground: Ground<'_>,
        from: Cell,
        only_safe: bool,
        is_safe: impl Fn(usize, usize, u64) -> bool,
    ) -> Reached {
        let Ground { grid, rules } = ground;
        let len = self.size.area();
        let mut reached =
            Reached { costs: vec![u64::MAX; len], before: vec![0; len], is_safe: vec![true; len], visited: 0 };
        let Some(start) = self.slot(from) else { return reached };
        reached.costs[start] = 0;
        let mut open = BinaryHeap::from([Reverse((0, start))]);
        while let Some(Reverse((cost, slot))) = open.pop() {
            if cost > reached.costs[slot] {
                continue;
            }
            reached.visited += 1;
            let at = grid.index(self.cell(slot));
            with_steps!(grid, rules, steps => steps.for_each(at, None, |step| {
                let Some(to) = self.slot(grid.cell(step.to)) else { return };
                let cost = cost + step.cost;
                if cost > reached.costs[to] {
                    return;
                }
                let step_is_safe = reached.is_safe[slot] && is_safe(slot, to, cost);
                if cost == reached.costs[to] {
                    reached.is_safe[to] &= step_is_safe;
                } else if step_is_safe || !only_safe {
                    (reached.costs[to], reached.before[to], reached.is_safe[to]) = (cost, slot, step_is_safe);
                    open.push(Reverse((cost, to)));
                }
            }));
        }
        reached
    }

    /// The reached cells in the ring around a circle, or else the farthest ones; and whether they are the farthest.
    fn ends(&self, reached: &Reached, reach: u32) -> (Vec<usize>, bool) {
        let [ring, end] = [reach, reach + RING].map(|reach| i64::from(reach).pow(2));
        let distance = |slot: usize| self.cell(slot).distance_squared(self.threat);
        let all = || (0..reached.costs.len()).filter(|&slot| reached.costs[slot] < u64::MAX);
        let ends: Vec<_> = all().filter(|&slot| (ring..end).contains(&distance(slot))).collect();
        if !ends.is_empty() {
            return (ends, false);
        }
        let farthest = all().map(distance).max();
        (all().filter(|&slot| Some(distance(slot)) == farthest).collect(), true)
    }
}
