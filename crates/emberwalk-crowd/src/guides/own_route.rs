//! The route of one agent whose goal few others have, and its known costs of the cells around it.

use std::iter;

use super::surroundings::Surroundings;
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::RouteRef;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::internal::offsets;

/// How far an agent sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// How many steps of the route ahead are among the known cells. The agent looks around again after half of them or
    /// more; the exact number differs from agent to agent, so that agents that set out together do not do it in the
    /// same tick.
    ahead: usize,
    /// How many steps the known cells are away from these.
    beside: usize,
}

impl Sight {
    /// A lifelong crowd of 4,000 in a city reaches 12.3 goals in a step. With half as many steps ahead it reaches some
    /// 2 % fewer, and with twice as many 4 % more, for half as much memory again. With half as many steps beside it
    /// reaches 2 % fewer, and with twice as many no more.
    pub(super) const USUAL: Self = Self { ahead: 64, beside: 6 };
    /// The sight of an agent in a jam, which is led out over the cells around it.
    pub(super) const WIDE: Self = Self { ahead: 24, beside: 32 };
}

/// The first index belongs to no cell of a grid.
const NO_CELL: CellIndex = CellIndex::new(0);
/// How many steps ahead and back on its route an agent looks for the place that is nearest to it.
const SEARCHED: usize = Sight::USUAL.ahead;

/// A cheapest route to the goal of an agent, and the costs from the cells around its next part.
///
/// A field has the costs from all cells. An agent asks only for the costs around it, so these are enough: the exact
/// costs from the next cells of the route, and from the cells beside them the lowest cost to the end of this part over
/// such cells. So an equally short route beside the planned one is no detour.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnRoute {
    /// The steps from the cell where it was planned to the goal; north for a link.
    steps: Vec<Direction>,
    /// The steps along links between cells that are no neighbours, in their order.
    links: Vec<LinkAhead>,
    /// How many of them are before `at`; the cell there, [`NO_CELL`] without a route; and the cost from it to the goal,
    /// in units.
    done: usize,
    at: CellIndex,
    rest: u64,
    known: Known,
    /// The agent looks around again this number of steps after half of those ahead, modulo the other half.
    stagger: usize,
}

/// The costs around the next part of a route.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    /// The known cells in their order: pieces of rows. The cost from each cell to the goal, above the lowest cost, in
    /// units or, if 32 bits are not enough, in multiples of `2^shift` units.
    pieces: Vec<Piece>,
    costs: Vec<u32>,
    lowest: u64,
    shift: u32,
    /// The cell that the next link leads to, and the cost from there, if the link begins among the known cells.
    beyond: Option<(CellIndex, u64)>,
    /// The agent looks around again when its cost is lower.
    looks_again_below: u64,
}

/// A step of a route along a link.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct LinkAhead {
    /// Which step it is.
    step: usize,
    from: CellIndex,
    to: CellIndex,
}

/// Cells of a row that follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    from: CellIndex,
    /// How many known cells are before them.
    before: u32,
}

impl OwnRoute {
    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let links = size_of_val(&*self.links);
        size_of::<Self>()
            + links
            + size_of_val(&*self.steps)
            + size_of_val(&*self.known.pieces)
            + size_of_val(&*self.known.costs)
    }

    /// Forgets the route, so that no cell has a cost.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.links.clear();
        self.done = 0;
        self.at = NO_CELL;
        self.known.clear();
        self.known.looks_again_below = 0;
    }

    /// Replaces the route of an agent, which goes to one of these goals, and finds the costs around its start. Returns
    /// the [effort](Surroundings::effort) of finding the costs.
    pub(super) fn set(
        &mut self,
        ground: Ground<'_>,
        goals: &[Cell],
        agent: AgentIndex,
        route: RouteRef<'_>,
        found: &mut Surroundings,
    ) -> u64 {
        self.clear();
        self.stagger = agent.get();
        for (step, pair) in route.cells.windows(2).enumerate() {
            let direction = Direction::from_offset(pair[1] - pair[0]);
            if direction.is_none() {
                let [from, to] = [pair[0], pair[1]].map(|cell| CellIndex::new(ground.grid.index(cell)));
                self.links.push(LinkAhead { step, from, to });
            }
            self.steps.push(direction.unwrap_or(Direction::N));
        }
        self.at = CellIndex::new(ground.grid.index(route.cells[0]));
        self.rest = route.cost.units();
        self.look_around(ground, goals, self.at, Sight::USUAL, found);
        found.effort()
    }

    /// The cost from a cell to the goal, in units; [`u64::MAX`] if it is not known.
    pub(super) fn cost(&self, at: CellIndex) -> u64 {
        self.known.cost(at)
    }

    /// The step of this number, if it leads along a link.
    #[inline]
    fn link(&self, step: usize) -> Option<LinkAhead> {
        // Most routes have none.
        if self.links.is_empty() {
            return None;
        }
        self.links.iter().copied().find(|link| link.step == step)
    }

    /// The cell that the step of this number leads to from a cell.
    #[inline]
    fn after(&self, step: usize, at: CellIndex, offsets: &[isize; 8]) -> CellIndex {
        self.link(step).map_or_else(|| at.neighbour(offsets[self.steps[step] as usize]), |link| link.to)
    }

    /// The cell from which the step of this number leads to a cell.
    fn before(&self, step: usize, to: CellIndex, offsets: &[isize; 8]) -> CellIndex {
        self.link(step).map_or_else(|| to.neighbour(-offsets[self.steps[step] as usize]), |link| link.from)
    }

    /// Whether an agent in a cell has to look around, because it leaves the cells that it knows.
    pub(super) fn has_to_look(&self, at: CellIndex) -> bool {
        let cost = self.cost(at);
        cost == u64::MAX || cost < self.known.looks_again_below
    }

    /// Finds the costs around an agent in a cell, which goes to one of these goals. Returns whether the cell has a
    /// cost.
    pub(super) fn look_around(
        &mut self,
        ground: Ground<'_>,
        goals: &[Cell],
        at: CellIndex,
        sight: Sight,
        found: &mut Surroundings,
    ) -> bool {
        self.known.clear();
        let has_route = self.is_known() && self.find_nearest(ground, at).is_some();
        has_route && self.see(ground, goals, sight, found).is_some() && self.cost(at) != u64::MAX
    }

    /// Finds the costs around the next part of the route. `None` if a step of it is not possible any more.
    fn see(&mut self, ground: Ground<'_>, goals: &[Cell], sight: Sight, found: &mut Surroundings) -> Option<()> {
        self.spread(ground, goals, sight, found)?;
        self.known.take_over(ground.grid.stride(), found);
        Some(())
    }

    /// Moves along the route, forwards or backwards, to the place that is nearest to a cell. `None` if a step of the
    /// route is not possible any more, or costs more than the whole route did.
    fn find_nearest(&mut self, ground: Ground<'_>, cell: CellIndex) -> Option<()> {
        let offsets = offsets(ground.grid.stride());
        let target = ground.grid.cell(cell.get());
        let distance = |at: CellIndex| ground.grid.cell(at.get()).distance_squared(target);
        let first = self.done.saturating_sub(SEARCHED);
        while self.done > first {
            let to = self.at;
            self.done -= 1;
            self.at = self.before(self.done, to, &offsets);
            self.rest += ground.step_units(self.at, to)?;
        }
        let mut at = self.at;
        let mut rest = self.rest;
        let mut nearest = distance(at);
        for k in first..(first + 2 * SEARCHED).min(self.steps.len()) {
            let to = self.after(k, at, &offsets);
            // Steps may cost more than when it was planned.
            rest = rest.checked_sub(ground.step_units(at, to)?)?;
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
        found.seeds.clear();
        self.see_ahead(ground, sight, &mut found.seeds)?;
        let here = ground.grid.cell(self.at.get());
        let is_near = |&goal: &Cell| {
            let (x, y) = goal - here;
            x.abs().max(y.abs()) as usize <= sight.ahead && ground.grid.is_passable(goal)
        };
        let goals = goals.iter().copied().filter(is_near);
        found.seeds.extend(goals.map(|goal| (CellIndex::new(ground.grid.index(goal)), 0)));
        found.find(ground, sight.beside);
        Some(())
    }

    /// Adds the next cells of the route and their costs to a list, and finds when to look around again. `None` if one of
    /// these steps is not possible any more.
    fn see_ahead(&mut self, ground: Ground<'_>, sight: Sight, seeds: &mut Vec<(CellIndex, u64)>) -> Option<()> {
        let offsets = offsets(ground.grid.stride());
        let (mut at, mut rest) = (self.at, self.rest);
        seeds.push((at, rest));
        let end = self.steps.len().min(self.done + sight.ahead);
        for step in self.done..end {
            let to = self.after(step, at, &offsets);
            rest = rest.checked_sub(ground.step_units(at, to)?)?;
            if self.link(step).is_some() {
                // It looks around again when it has come through the link.
                self.known.beyond = Some((to, rest));
                self.known.looks_again_below = rest + 1;
                return Some(());
            }
            at = to;
            seeds.push((at, rest));
        }
        let seen = seeds.len() - 1;
        // 0 if the goal is among the known cells.
        let looks_again =
            (self.done + seen < self.steps.len()).then(|| seeds[seen / 2 + self.stagger % seen.div_ceil(2)]);
        self.known.looks_again_below = looks_again.map_or(0, |(_, cost)| cost);
        Some(())
    }

    /// Whether the route ahead enters a cell of this kind.
    pub(super) fn crosses(&self, stride: usize, is_of_kind: impl Fn(CellIndex) -> bool) -> bool {
        is_of_kind(self.at) || self.ahead(stride).any(is_of_kind)
    }

    /// Whether a known cell is of this kind.
    pub(super) fn knows(&self, is_of_kind: impl Fn(CellIndex) -> bool) -> bool {
        self.known.cells().any(is_of_kind)
    }

    /// The cells of the route ahead.
    fn ahead(&self, stride: usize) -> impl Iterator<Item = CellIndex> + '_ {
        let offsets = offsets(stride);
        (self.done..self.steps.len()).scan(self.at, move |at, step| {
            *at = self.after(step, *at, &offsets);
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

impl Known {
    /// Forgets the costs.
    fn clear(&mut self) {
        self.pieces.clear();
        self.costs.clear();
        self.beyond = None;
    }

    /// Takes over the costs that were found, row by row.
    fn take_over(&mut self, stride: usize, found: &Surroundings) {
        let highest;
        (self.lowest, highest) = found.range();
        self.shift = (u64::BITS - (highest - self.lowest).leading_zeros()).saturating_sub(u32::BITS);
        for (first, costs) in found.rows(stride) {
            let mut was_known = false;
            for (column, &cost) in costs.iter().enumerate() {
                let is_known = cost != u64::MAX;
                if is_known {
                    self.push(CellIndex::new(first + column), !was_known, cost);
                }
                was_known = is_known;
            }
        }
    }

    /// Adds the next known cell, which may begin a piece, and its cost in units.
    fn push(&mut self, cell: CellIndex, begins: bool, cost: u64) {
        if begins {
            self.pieces.push(Piece { from: cell, before: self.costs.len() as u32 });
        }
        self.costs.push(((cost - self.lowest) >> self.shift) as u32);
    }

    /// The cost from a cell to the goal, in units; [`u64::MAX`] if it is not known.
    fn cost(&self, at: CellIndex) -> u64 {
        let next = self.pieces.partition_point(|piece| piece.from <= at);
        let Some(piece) = next.checked_sub(1).map(|k| self.pieces[k]) else { return self.cost_beyond(at) };
        let k = piece.before as usize + (at.get() - piece.from.get());
        let cost = (k < self.end(next)).then(|| self.costs.get(k)).flatten();
        cost.map_or_else(
            || self.cost_beyond(at),
            |&above| self.lowest.saturating_add(u64::from(above).wrapping_shl(self.shift)),
        )
    }

    /// The cost from the cell that the next link leads to; [`u64::MAX`] for other cells.
    #[inline]
    fn cost_beyond(&self, at: CellIndex) -> u64 {
        self.beyond.filter(|&(cell, _)| cell == at).map_or(u64::MAX, |(_, cost)| cost)
    }

    /// How many known cells are before a piece; all for the one after the last.
    fn end(&self, piece: usize) -> usize {
        self.pieces.get(piece).map_or(self.costs.len(), |piece| piece.before as usize)
    }

    fn cells(&self) -> impl Iterator<Item = CellIndex> {
        let cells =
            |(k, piece): (usize, &Piece)| (piece.from.get()..).take(self.end(k + 1).saturating_sub(self.end(k)));
        self.pieces.iter().enumerate().flat_map(cells).map(CellIndex::new)
    }
}

#[cfg(feature = "serde")]
pub(super) use saved::SavedRoute;

/// Routes as they are saved.
#[cfg(feature = "serde")]
mod saved {
    use std::collections::BTreeMap;

    use super::{AgentIndex, Cell, CellIndex, Direction, Ground, Known, LinkAhead, OwnRoute, Sight, Surroundings};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(in super::super) struct SavedRoute {
        #[serde(with = "emberwalk_path::internal::runs")]
        steps: Vec<Direction>,
        links: Vec<LinkAhead>,
        done: usize,
        at: CellIndex,
        rest: u64,
        /// The agent's known costs, if it would see others now.
        known: Option<SavedKnown>,
    }

    /// An agent's known costs, as differences from what it would see now.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct SavedKnown {
        lowest: u64,
        shift: u32,
        beyond: Option<(CellIndex, u64)>,
        looks_again_below: u64,
        /// The cells that differ, and their costs if they are known.
        cells: Vec<(CellIndex, Option<u64>)>,
    }

    impl Known {
        /// The known cells with their costs.
        fn by_cells(&self) -> BTreeMap<CellIndex, u64> {
            self.cells().map(|cell| (cell, self.cost(cell))).collect()
        }

        /// The known costs, to save them; `None` if they equal what is seen now.
        fn saved(&self, now: &Self) -> Option<SavedKnown> {
            if self == now {
                return None;
            }
            let Self { lowest, shift, beyond, looks_again_below, .. } = *self;
            let [known, seen] = [self, now].map(Self::by_cells);
            let forgotten = seen.keys().filter(|cell| !known.contains_key(cell)).map(|&cell| (cell, None));
            let differing = known.iter().filter(|&(cell, cost)| seen.get(cell) != Some(cost));
            let cells = forgotten.chain(differing.map(|(&cell, &cost)| (cell, Some(cost)))).collect();
            Some(SavedKnown { lowest, shift, beyond, looks_again_below, cells })
        }
    }

    impl SavedKnown {
        fn load(self, now: &Known) -> Known {
            let Self { lowest, shift, beyond, looks_again_below, cells } = self;
            let mut known = now.by_cells();
            known.extend(cells.iter().filter_map(|&(cell, cost)| Some((cell, cost?))));
            cells.iter().filter(|(_, cost)| cost.is_none()).for_each(|(cell, _)| _ = known.remove(cell));
            let shift = shift.min(u32::BITS);
            let mut loaded = Known { lowest, shift, beyond, looks_again_below, ..Known::default() };
            let mut last = None;
            for (cell, cost) in known {
                loaded.push(cell, last != Some(cell.neighbour(-1)), cost.max(lowest));
                last = Some(cell);
            }
            loaded
        }
    }

    impl OwnRoute {
        /// The route of an agent that goes to one of these goals, to save it; `None` if there is none.
        pub(in super::super) fn saved(
            &self,
            ground: Ground<'_>,
            goals: &[Cell],
            found: &mut Surroundings,
        ) -> Option<SavedRoute> {
            if !self.is_known() {
                return None;
            }
            let Self { steps, links, done, at, rest, known, .. } = self.clone();
            let now = Self { known: Known::default(), ..self.clone() }.seen(ground, goals, found).known;
            Some(SavedRoute { steps, links, done, at, rest, known: known.saved(&now) })
        }

        /// The same with what is known if the agent looks around now.
        fn seen(mut self, ground: Ground<'_>, goals: &[Cell], found: &mut Surroundings) -> Self {
            if self.see(ground, goals, Sight::USUAL, found).is_none() {
                self.known = Known::default();
            }
            self
        }
    }

    impl SavedRoute {
        /// The route of an agent, on the same ground and to the same goals.
        pub(in super::super) fn load(
            self,
            ground: Ground<'_>,
            goals: &[Cell],
            agent: AgentIndex,
            found: &mut Surroundings,
        ) -> OwnRoute {
            let Self { steps, links, done, at, rest, known } = self;
            // A file may say anything.
            if done > steps.len() || !ground.grid.size().contains(ground.grid.cell(at.get())) {
                return OwnRoute::default();
            }
            let route = OwnRoute { steps, links, done, at, rest, known: Known::default(), stagger: agent.get() };
            let mut route = route.seen(ground, goals, found);
            if let Some(known) = known {
                route.known = known.load(&route.known);
            }
            route
        }
    }
}
