//! The region of a jam, and the problem that its search has to solve.

use super::super::OnArrival;
use super::super::agents::Membership;
use super::super::board::Board;
use super::super::index::{AgentIndex, CellIndex};
use super::super::land::Ground;
use super::super::large::square;
use super::super::places::{Claim, beside_diagonal};
use super::costs::Costs;
use super::search::{Edge, End, NONE, Search};
use super::{FIRST_AGENTS, FIRST_CELLS, Jam, JamCells, MAX_CELLS, MAX_DOUBLINGS, Member, Phase, release};
use crate::search::steps::{Steps, with_steps};

impl Jam {
    /// Finds the cells around an agent, the nearest first, and the agents that are there or on the way there. Returns
    /// whether they are all in the region with all their cells.
    pub(super) fn find_region(&mut self, id: usize, board: &Board, known: &mut JamCells, agent: AgentIndex) -> bool {
        let Self { doublings, cells, members, .. } = self;
        // Agents of other sizes walk where this one does not fit.
        let own_kind = board.agents[agent].kind;
        let has_large_kinds = board.land.has_large_kinds();
        let walks = |kind: usize, at: CellIndex| {
            kind == own_kind || has_large_kinds && board.land.grid(kind).is_passable(board.cell(at))
        };
        let side = board.side(agent);
        let max_agents = FIRST_AGENTS << (*doublings).min(MAX_DOUBLINGS);
        let max_cells = ((FIRST_CELLS * side * side) << *doublings).min(MAX_CELLS);
        let may_belong = |known: &JamCells, at: CellIndex| {
            !known.contains_key(&at) && board.places.claim(at) != Claim::Edit && !board.is_guarded(at)
        };
        let add = |cells: &mut Vec<CellIndex>, known: &mut JamCells, at: CellIndex| {
            known.insert(at, (id, cells.len()));
            cells.push(at);
        };
        cells.clear();
        members.clear();
        add(cells, known, board.agents[agent].at);
        let mut done = 0;
        while done < cells.len() && members.len() < max_agents {
            let at = cells[done];
            done += 1;
            let here = board.places.entering(at).or_else(|| board.standing_agent(at));
            if let Some(agent) = here.filter(|&agent| members.iter().all(|member| member.agent != agent)) {
                members.push(Member { agent, next: None, leaves: false });
            }
            for kind in (0..board.land.kinds()).filter(|&kind| walks(kind, at)) {
                let Ground { grid, rules } = board.land.ground(kind);
                with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
                    for to in square(CellIndex::new(step.to), board.land.side(kind), grid.stride()) {
                        if may_belong(known, to) && cells.len() < max_cells {
                            add(cells, known, to);
                        }
                    }
                }));
            }
        }
        release(known, &cells[done..]);
        cells.truncate(done);
        for member in members {
            for at in board.square(member.agent, board.agents[member.agent].next_cell()) {
                match known.get(&at) {
                    Some(&(other, _)) if other != id => return false,
                    Some(_) => {}
                    None => add(cells, known, at),
                }
            }
        }
        true
    }

    /// Begins the search for steps that bring each agent of a jam to its goal, or out of the region towards its goal.
    pub(super) fn begin_search(&mut self, id: usize, board: &mut Board, known: &JamCells) {
        let Self { cells, kinds, are_at_border, members, search, costs, .. } = self;
        members.iter().for_each(|member| board.look_far(member.agent));
        let region = Region { id, board, known };
        search.clear(cells.len());
        are_at_border.clear();
        kinds.clear();
        for kind in members.iter().map(|member| board.agents[member.agent].kind) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
                region.add_shape(search, kind, cells, are_at_border);
            }
        }
        for (k, &Member { agent, .. }) in members.iter().enumerate() {
            let start = region.number(board.agents[agent].next_cell()).unwrap_or_default();
            let has_route = board.has_route(agent);
            let kind = board.agents[agent].kind;
            let shape = kinds.iter().position(|&other| other == kind).unwrap_or_default();
            costs.find(region, cells, agent);
            let is_goal =
                |number: usize| has_route && costs.inside(number) == 0 && region.has_place(kind, cells[number]);
            let goals_inside = (0..cells.len()).filter(|&number| is_goal(number)).count();
            let stays = board.agents[agent].on_arrival == OnArrival::Stay;
            let takes_one = |other: &&Member| {
                board.agents[other.agent].on_arrival == OnArrival::Stay && board.have_same_goal(other.agent, agent)
            };
            // An agent without a route can be anywhere, and so can one whose goals other agents take.
            let are_taken = || members[..k].iter().filter(takes_one).count() >= goals_inside;
            let can_be_anywhere = !has_route || goals_inside > 0 && stays && are_taken();
            let is_exit = |number: usize| {
                goals_inside == 0
                    && are_at_border[shape * cells.len() + number]
                    && region.is_exit(costs, agent, cells[number])
            };
            let end = |number: usize| {
                if can_be_anywhere || stays && is_goal(number) {
                    End::Stays
                } else if is_goal(number) || is_exit(number) {
                    End::Leaves
                } else {
                    End::No
                }
            };
            let cost = |number: usize| if can_be_anywhere { 0 } else { costs.inside(number) };
            let ends = (0..cells.len()).map(|number| (cost(number), end(number)));
            search.add_agent(shape, start as u16, ends);
        }
        search.start(board.now.ticks() ^ (members[0].agent.get() as u64) << 40);
        for (member, &Member { agent, .. }) in members.iter().enumerate() {
            board.agents[agent].membership = Some(Membership { jam: id, member });
        }
        self.phase = Phase::Searching;
        self.moved = board.now;
        board.agenda.add_beat(board.now);
    }
}

/// The cells of a jam on the board.
#[derive(Clone, Copy)]
pub(super) struct Region<'a> {
    id: usize,
    pub(super) board: &'a Board,
    known: &'a JamCells,
}

impl Region<'_> {
    /// The number of a cell in the region; `None` if it does not belong to it.
    pub(super) fn number(&self, at: CellIndex) -> Option<usize> {
        self.known.get(&at).filter(|&&(jam, _)| jam == self.id).map(|&(_, number)| number)
    }

    /// Whether an agent of a kind in a cell would be in the region with all its cells.
    fn has_place(&self, kind: usize, at: CellIndex) -> bool {
        let (side, stride) = (self.board.land.side(kind), self.board.grid().stride());
        square(at, side, stride).all(|cell| self.number(cell).is_some())
    }

    /// Adds a kind with its places in the region and its steps between them, and whether steps lead out of it from each.
    fn add_shape(&self, search: &mut Search, kind: usize, cells: &[CellIndex], are_at_border: &mut Vec<bool>) {
        let (side, stride) = (self.board.land.side(kind), self.board.grid().stride());
        search.add_shape(side * side);
        for &at in cells {
            let number = |cell| self.number(cell).map_or(NONE, |number| number as u16);
            search.add_square(square(at, side, stride).map(number));
        }
        for (number, &at) in cells.iter().enumerate() {
            are_at_border.push(search.has_square(number) && self.add_edges(search, kind, at));
            search.add_edge(None);
        }
    }

    /// Adds the steps of a kind from a cell to other places in the region. Returns whether steps lead out of it.
    fn add_edges(&self, search: &mut Search, kind: usize, at: CellIndex) -> bool {
        let Ground { grid, rules } = self.board.land.ground(kind);
        let is_large = self.board.land.side(kind) > 1;
        let mut is_at_border = false;
        with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
            let next = CellIndex::new(step.to);
            let Some(to) = self.number(next).filter(|&number| search.has_square(number)) else {
                is_at_border = true;
                return;
            };
            // A large agent waits for one that crosses its step.
            let may_cross = step.direction.is_diagonal() && !is_large;
            let crossing = match beside_diagonal(at, next, grid.stride()).map(|at| self.number(at)) {
                [Some(one), Some(other)] if may_cross => Some((one as u16, other as u16)),
                _ => None,
            };
            search.add_edge(Some(Edge { to: to as u16, crossing }));
        }));
        is_at_border
    }

    /// Whether the route from a cell to the goal of an agent leaves the region with its first step.
    fn is_exit(&self, costs: &Costs, agent: AgentIndex, at: CellIndex) -> bool {
        let mut best = (u64::MAX, false);
        let kind = self.board.agents[agent].kind;
        let Ground { grid, rules } = self.board.ground(agent);
        with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
            let to = CellIndex::new(step.to);
            let rest = match self.number(to) {
                Some(number) => costs.inside(number),
                None => costs.outside(self.board, agent, to),
            };
            let cost = rest.saturating_add(step.cost);
            if cost < best.0 {
                best = (cost, !self.has_place(kind, to));
            }
        }));
        best.1
    }
}
