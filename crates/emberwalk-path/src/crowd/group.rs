//! Orders to groups: one order, and a place for each agent near the goal.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::agents::Hold;
use super::goal::Target;
use super::index::{AgentIndex, CellIndex};
use super::large::square;
use super::rooms::is_passage;
use super::{AgentId, Crowd, OnArrival};
use crate::grid::Cell;
use crate::search::dijkstra::Backward;
use crate::search::steps::{Steps, with_steps};

/// How many cells are looked at for each place before passages count as places, too.
const CELLS_PER_PLACE: usize = 16;

impl Crowd {
    /// Sends a group of agents to a goal, with a place of its own for each: the free cells nearest to the goal, but not
    /// in narrow passages and doorways if there are others. A cell is not free if another agent rests there, or is going
    /// there to stay. Those of the group that are nearest to the goal get the places on its far side, so that nobody
    /// has to pass others who have arrived. Where there are too few places, the rest are sent to the goal itself, and
    /// wait near it.
    ///
    /// It computes one field of lowest costs for the whole group, and takes O(cells).
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(20, 9), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let group: Vec<_> = (0..9).map(|y| crowd.add(Cell::new(0, y))).collect::<Result<_, _>>()?;
    /// crowd.send_group(&group, Cell::new(15, 4));
    /// crowd.advance(CrowdTime::from_seconds(30.0));
    /// for agent in group {
    ///     let state = crowd.state(agent).unwrap();
    ///     assert!(state.has_arrived && state.cell.distance_squared(Cell::new(15, 4)) <= 4);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_group(&mut self, agents: &[AgentId], goal: Cell) {
        let mut members: Vec<_> = agents.iter().filter_map(|&agent| self.board.agents.find(agent)).collect();
        members.sort_unstable();
        members.dedup();
        let mut taken = self.places_of_others(&members);
        for kind in 0..self.board.land.kinds() {
            let of_kind = |agent: &AgentIndex| self.board.agents[*agent].kind == kind;
            let group: Vec<_> = members.iter().copied().filter(of_kind).collect();
            if !group.is_empty() {
                self.send_kind(kind, group, &members, goal, &mut taken);
            }
        }
    }

    /// The cells that agents other than these have been sent to, to stay there. Of two agents that want to stay in one
    /// cell, one never arrives.
    fn places_of_others(&self, members: &[AgentIndex]) -> HashSet<CellIndex> {
        let board = &self.board;
        let others = board.agents.on_map().filter(|other| members.binary_search(other).is_err());
        let places = others.filter_map(|other| {
            let entry = &board.agents[other];
            let guide = entry.last_guide().filter(|_| entry.on_arrival == OnArrival::Stay)?;
            // An agent that may go to any of several cells can go to another one of them.
            let &Target::One(place) = board.guides_of(other).goal(guide) else { return None };
            board.grid().size().contains(place).then(|| board.square(other, board.index(place)))
        });
        places.flatten().collect()
    }

    /// Sends the agents of one kind. `taken` has the places that others have got.
    fn send_kind(
        &mut self,
        kind: usize,
        mut group: Vec<AgentIndex>,
        members: &[AgentIndex],
        goal: Cell,
        taken: &mut HashSet<CellIndex>,
    ) {
        let mut places = self.find_places(kind, goal, group.len(), members, taken);
        let board = &mut self.board;
        board.guides[kind].begin_group(board.land.ground_for_guides(kind), goal);

        // From the far side to the near one, as seen by the group.
        let cell_of = |agent: AgentIndex| board.cell(board.agents[agent].next_cell());
        let direction = group
            .iter()
            .map(|&agent| goal - cell_of(agent))
            .fold((0, 0), |sum: (i64, i64), (x, y)| (sum.0 + i64::from(x), sum.1 + i64::from(y)));
        places.sort_by_cached_key(|&place| {
            let (x, y) = board.cell(place) - goal;
            (Reverse(i64::from(x) * direction.0 + i64::from(y) * direction.1), place)
        });
        group.sort_by_cached_key(|&agent| {
            let cost = board.guides[kind].group_cost(board.agents[agent].next_cell());
            (cost, agent)
        });
        for (k, &agent) in group.iter().enumerate() {
            self.queues.clear(agent);
            let board = &mut self.board;
            let target = Target::One(places.get(k).map_or(goal, |&place| board.cell(place)));
            let at = board.agents[agent].next_cell();
            let guide = board.guides[kind].acquire(board.land.ground_for_guides(kind), target, agent, at);
            self.follow_guide(agent, guide, OnArrival::Stay);
        }
        self.board.guides[kind].end_group();
    }

    /// Finds places near a goal, those with the lowest cost first.
    fn find_places(
        &self,
        kind: usize,
        goal: Cell,
        count: usize,
        members: &[AgentIndex],
        taken: &mut HashSet<CellIndex>,
    ) -> Vec<CellIndex> {
        let board = &self.board;
        let ground = board.land.ground(kind);
        if !ground.grid.is_passable(goal) {
            return Vec::new();
        }
        let square = |at: CellIndex| square(at, board.land.side(kind), ground.grid.stride());
        let is_free = |at: CellIndex, taken: &HashSet<CellIndex>| {
            let other = board.places.agent(at).filter(|other| members.binary_search(other).is_err());
            let stays = |other: AgentIndex| {
                let entry = &board.agents[other];
                entry.is_idle() && (entry.hold != Hold::No || !entry.is_travelling())
            };
            !taken.contains(&at) && !other.is_some_and(stays)
        };
        let are_free = |at: CellIndex, taken: &HashSet<CellIndex>| square(at).all(|cell| is_free(cell, taken));
        // Of the grid as it is, which the rooms may not have followed yet.
        let is_passage = |at: CellIndex| board.rooms[kind].are_several() && is_passage(ground.grid, at.get());
        let (mut places, mut passages) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        let mut open = BinaryHeap::from([Reverse((0, board.index(goal)))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            if are_free(at, taken) {
                if is_passage(at) {
                    passages.push(at);
                } else {
                    places.push(at);
                    taken.extend(square(at));
                }
            }
            if places.len() == count || seen.len() > CELLS_PER_PLACE * (count + CELLS_PER_PLACE) {
                break;
            }
            with_steps!(ground.grid, ground.rules, steps => Backward(steps).for_each(at.get(), None, |step| {
                open.push(Reverse((cost + step.cost, CellIndex::new(step.to))));
            }));
        }
        for at in passages {
            if places.len() < count && are_free(at, taken) {
                places.push(at);
                taken.extend(square(at));
            }
        }
        places
    }
}
