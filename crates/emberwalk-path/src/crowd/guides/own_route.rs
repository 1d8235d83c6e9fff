//! The route of one agent whose goal few others have, and what it knows about the cells around it.

use std::iter;

use crate::RouteRef;
use crate::crowd::index::{AgentIndex, CellIndex};
use crate::crowd::land::Ground;
use crate::grid::{Cell, Direction};
use crate::search::dijkstra::Backward;
use crate::search::steps::{Steps, offsets, with_steps};

/// How far an agent sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// How many steps of the route ahead are among the known cells. The agent looks around again after half of them or
    /// more; after how many differs from agent to agent, so that many that set out together do not do it in the same
    /// tick.
    ahead: usize,
    /// How many steps the known cells are away from the route.
    beside: usize,
}

impl Sight {
    pub(super) const USUAL: Self = Self { ahead: 16, beside: 3 };
    /// Of an agent in a jam, which is led out over the cells around it.
    pub(super) const WIDE: Self = Self { ahead: 24, beside: 32 };

    /// The number of columns, and of rows, of the square around the next cell of a route that has all known cells.
    const fn side(self) -> usize {
        2 * (self.ahead + self.beside) + 1
    }
}

/// In the open an agent sees less far: it stops looking once it has visited this many cells.
const MAX_VISITED: usize = 4096;
/// The first index belongs to no cell of a grid.
const NO_CELL: CellIndex = CellIndex::new(0);
/// How many steps ahead and back on its route an agent looks for the place that is nearest to it.
const SEARCHED: usize = 32;

/// A cheapest route to the goal of an agent, and the costs from the cells around its next part.
///
/// A field has the costs from all cells. An agent only asks for those around it, so these are enough: the exact costs
/// from the cells of the route, and from each cell a few steps beside it the cost of coming back to the route and
/// going on along it.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct OwnRoute {
    /// The steps from the cell where it was planned to the goal.
    steps: Vec<Direction>,
    /// How many of them are before `at`; the cell there, [`NO_CELL`] without a route; and the cost from it to the goal,
    /// in units.
    done: usize,
    at: CellIndex,
    rest: u64,
    /// The known cells in their order, and the cost from each to the goal.
    known: Vec<CellIndex>,
    costs: Vec<u64>,
    /// The agent looks around again when its cost is lower, so many steps after half of those ahead.
    looks_again_below: u64,
    stagger: usize,
}

/// The square around the next cell of a route in which costs are found. All routes share its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// The costs row by row; [`u64::MAX`] where none is known.
    costs: Vec<u64>,
    /// The cells whose cost was lowered in the last round, and in this one.
    last: Vec<Place>,
    lowered: Vec<Place>,
}

/// A cell of the grid, and its index in the square.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: CellIndex,
    k: usize,
}

impl OwnRoute {
    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.steps) + size_of_val(&*self.known) + size_of_val(&*self.costs)
    }

    /// Forgets the route, so that no cell has a cost.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.done = 0;
        self.at = NO_CELL;
        self.known.clear();
        self.costs.clear();
        self.looks_again_below = 0;
    }

    /// Replaces the route of an agent, which goes to one of these goals, and finds the costs around its start.
    pub(super) fn set(
        &mut self,
        ground: Ground<'_>,
        goals: &[Cell],
        agent: AgentIndex,
        route: RouteRef<'_>,
        found: &mut Surroundings,
    ) {
        self.clear();
        self.stagger = agent.get() % (Sight::USUAL.ahead / 2);
        self.steps.extend(route.cells.windows(2).filter_map(|pair| Direction::from_offset(pair[1] - pair[0])));
        self.at = CellIndex::new(ground.grid.index(route.cells[0]));
        self.rest = route.cost.units();
        self.look_around(ground, goals, self.at, Sight::USUAL, found);
    }

    /// The cost from a cell to the goal, in units; [`u64::MAX`] if it is not known.
    pub(super) fn cost(&self, at: CellIndex) -> u64 {
        self.known.binary_search(&at).map_or(u64::MAX, |k| self.costs[k])
    }

    /// Whether an agent in a cell has to look around, because it leaves the cells that it knows.
    pub(super) fn has_to_look(&self, at: CellIndex) -> bool {
        let cost = self.cost(at);
        cost == u64::MAX || cost < self.looks_again_below
    }

    /// Finds the costs around an agent in a cell, which goes to one of these goals. Returns whether the cell has one.
    pub(super) fn look_around(
        &mut self,
        ground: Ground<'_>,
        goals: &[Cell],
        at: CellIndex,
        sight: Sight,
        found: &mut Surroundings,
    ) -> bool {
        self.known.clear();
        self.costs.clear();
        if !self.is_known() {
            return false;
        }
        if self.find_nearest(ground, at).is_none() || self.spread(ground, goals, sight, found).is_none() {
            return false;
        }
        // From the first row to the last one, so that they are in order.
        let middle = sight.side() / 2;
        let corner = self.at.get().wrapping_sub(middle * ground.grid.stride() + middle);
        for (row, costs) in found.costs.chunks_exact(sight.side()).enumerate() {
            let start = corner.wrapping_add(row * ground.grid.stride());
            for (column, &cost) in costs.iter().enumerate().filter(|&(_, &cost)| cost != u64::MAX) {
                self.known.push(CellIndex::new(start.wrapping_add(column)));
                self.costs.push(cost);
            }
        }
        self.cost(at) != u64::MAX
    }

    /// Moves along the route, forwards or backwards, to the place that is nearest to a cell. `None` if a step of the
    /// route is not possible any more.
    fn find_nearest(&mut self, ground: Ground<'_>, cell: CellIndex) -> Option<()> {
        let offsets = offsets(ground.grid.stride());
        let target = ground.grid.cell(cell.get());
        let distance = |at: CellIndex| ground.grid.cell(at.get()).distance_squared(target);
        let first = self.done.saturating_sub(SEARCHED);
        while self.done > first {
            let to = self.at;
            self.done -= 1;
            self.at = to.neighbour(-offsets[self.steps[self.done] as usize]);
            self.rest += ground.step_units(self.at, to)?;
        }
        let mut at = self.at;
        let mut rest = self.rest;
        let mut nearest = distance(at);
        for k in first..(first + 2 * SEARCHED).min(self.steps.len()) {
            let to = at.neighbour(offsets[self.steps[k] as usize]);
            rest -= ground.step_units(at, to)?;
            at = to;
            // The last of several nearest cells.
            if distance(at) <= nearest {
                nearest = distance(at);
                self.done = k + 1;
                self.at = at;
                self.rest = rest;
            }
        }
        Some(())
    }

    /// Finds the costs from the next cells of the route, from goals near it, and from the cells beside them. `None` if
    /// a step of the route is not possible any more.
    fn spread(&mut self, ground: Ground<'_>, goals: &[Cell], sight: Sight, found: &mut Surroundings) -> Option<()> {
        let side = sight.side();
        let offsets_on_grid = offsets(ground.grid.stride());
        let offsets_in_square = offsets(side);
        let Surroundings { costs, last, lowered } = found;
        costs.clear();
        costs.resize(side * side, u64::MAX);
        last.clear();
        let mut place = Place { at: self.at, k: side * side / 2 };
        let mut rest = self.rest;
        self.looks_again_below = 0;
        for k in 0..=sight.ahead {
            costs[place.k] = rest;
            last.push(place);
            let Some(&step) = self.steps.get(self.done + k) else {
                // The goal is among the known cells.
                self.looks_again_below = 0;
                break;
            };
            if k == sight.ahead / 2 + self.stagger {
                self.looks_again_below = rest;
            }
            let to = place.at.neighbour(offsets_on_grid[step as usize]);
            rest -= ground.step_units(place.at, to)?;
            place = Place { at: to, k: place.k.wrapping_add_signed(offsets_in_square[step as usize]) };
        }
        let middle = ground.grid.cell(self.at.get());
        for &goal in goals.iter().filter(|&&goal| ground.grid.is_passable(goal)) {
            let (x, y) = goal - middle;
            if x.abs().max(y.abs()) as usize <= sight.ahead {
                let k = (side * side / 2).wrapping_add_signed(y as isize * side as isize + x as isize);
                costs[k] = 0;
                last.push(Place { at: CellIndex::new(ground.grid.index(goal)), k });
            }
        }
        let mut visited = 0;
        with_steps!(ground.grid, ground.rules, steps => for _ in 0..sight.beside {
            lowered.clear();
            for &Place { at, k } in &*last {
                let here = costs[k];
                Backward(steps).for_each(at.get(), None, |step| {
                    let k = k.wrapping_add_signed(offsets_in_square[step.direction as usize]);
                    let cost = here + step.cost;
                    if cost < costs[k] {
                        costs[k] = cost;
                        lowered.push(Place { at: CellIndex::new(step.to), k });
                    }
                });
            }
            std::mem::swap(last, lowered);
            visited += last.len();
            if visited > MAX_VISITED {
                break;
            }
        });
        Some(())
    }

    /// Whether the part of the route that is ahead enters a cell of this kind.
    pub(super) fn crosses(&self, stride: usize, is_of_kind: impl Fn(CellIndex) -> bool) -> bool {
        is_of_kind(self.at) || self.ahead(stride).any(is_of_kind)
    }

    /// Whether a known cell is of this kind.
    pub(super) fn knows(&self, is_of_kind: impl Fn(CellIndex) -> bool) -> bool {
        self.known.iter().any(|&cell| is_of_kind(cell))
    }

    /// The cells of the route that are ahead.
    fn ahead(&self, stride: usize) -> impl Iterator<Item = CellIndex> + '_ {
        let offsets = offsets(stride);
        self.steps[self.done..].iter().scan(self.at, move |at, &step| {
            *at = at.neighbour(offsets[step as usize]);
            Some(*at)
        })
    }

    /// The next cell of the route, and those after it.
    pub(super) fn cells(&self, stride: usize) -> impl Iterator<Item = CellIndex> + '_ {
        iter::once(self.at).chain(self.ahead(stride))
    }

    /// The number of steps to the goal.
    pub(super) fn steps_ahead(&self) -> usize {
        self.steps.len() - self.done
    }

    /// Whether there is a route.
    pub(super) fn is_known(&self) -> bool {
        self.at != NO_CELL
    }
}
