//! The region of a jam, and the problem that its search has to solve.

use super::super::OnArrival;
use super::super::agents::Membership;
use super::super::board::Board;
use super::super::index::{AgentIndex, CellIndex};
use super::super::land::Ground;
use super::super::places::{Claim, beside_diagonal};
use super::super::swap::Swaps;
use super::search::{Edge, End, Search};
use super::{FIRST_AGENTS, FIRST_CELLS, Jam, JamCells, Member, Phase, release};
use crate::search::steps::{Steps, with_steps};

impl Jam {
    /// Finds the cells around an agent, the nearest first, and the agents that are there or on the way there.
    pub(super) fn find_region(&mut self, id: usize, board: &Board, known: &mut JamCells, agent: AgentIndex) {
        let Self { doublings, cells, members, .. } = self;
        let Ground { grid, rules } = board.ground(agent);
        cells.clear();
        members.clear();
        cells.push(board.agents[agent].at);
        known.insert(cells[0], (id, 0));
        let mut done = 0;
        while done < cells.len() && members.len() < FIRST_AGENTS << *doublings {
            let at = cells[done];
            done += 1;
            let here = board.places.entering(at).or_else(|| board.idle_agent(at));
            members.extend(here.map(|agent| Member { agent, next: None, leaves: false }));
            with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
                let to = CellIndex::new(step.to);
                let is_free = !known.contains_key(&to) && board.places.claim(to) != Claim::Edit && !board.is_held(to);
                if is_free && cells.len() < FIRST_CELLS << *doublings {
                    known.insert(to, (id, cells.len()));
                    cells.push(to);
                }
            }));
        }
        release(known, &cells[done..]);
        cells.truncate(done);
    }

    /// Whether a search can be for all agents of the region: they take up one cell each, and the ground lets them take the
    /// same steps.
    pub(super) fn members_take_same_steps(&self, board: &Board) -> bool {
        let mut kinds = self.members.iter().map(|member| board.agents[member.agent].kind);
        let Some(first) = kinds.next() else { return true };
        let directions = |kind: usize, at: CellIndex| {
            let Ground { grid, rules } = board.land.ground(kind);
            let mut found = 0;
            with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| found |= 1 << step.direction as u8));
            found
        };
        let takes_same_steps =
            |kind: usize| kind == first || self.cells.iter().all(|&at| directions(kind, at) == directions(first, at));
        board.land.side(first) == 1 && kinds.all(|kind| board.land.side(kind) == 1 && takes_same_steps(kind))
    }

    /// Begins the search for steps that bring each agent of a jam to its goal, or out of the region towards its goal.
    pub(super) fn begin_search(&mut self, id: usize, board: &mut Board, known: &JamCells) {
        let Self { cells, are_at_border, members, search, .. } = self;
        members.iter().for_each(|member| board.look_far(member.agent));
        let region = Region { id, board, known };
        search.clear();
        are_at_border.clear();
        are_at_border.extend(cells.iter().map(|&at| region.add_edges(search, members[0].agent, at)));
        for (k, &Member { agent, .. }) in members.iter().enumerate() {
            let start = region.number(board.agents[agent].next_cell()).unwrap_or_default();
            let has_route = board.has_route(agent);
            let is_goal = |at: CellIndex| has_route && board.cost_to_goal(agent, at) == 0;
            let goals_inside = cells.iter().filter(|&&at| is_goal(at)).count();
            let stays = board.agents[agent].on_arrival == OnArrival::Stay;
            let takes_one = |other: &&Member| {
                board.agents[other.agent].on_arrival == OnArrival::Stay && board.have_same_goal(other.agent, agent)
            };
            // An agent without a route can be anywhere, and so can one whose goals other agents take.
            let are_taken = || members[..k].iter().filter(takes_one).count() >= goals_inside;
            let can_be_anywhere = !has_route || goals_inside > 0 && stays && are_taken();
            let end = |number: usize, at: CellIndex| {
                if can_be_anywhere || stays && is_goal(at) {
                    End::Stays
                } else if is_goal(at) || goals_inside == 0 && are_at_border[number] && region.is_exit(agent, at) {
                    End::Leaves
                } else {
                    End::No
                }
            };
            let cost = |at: CellIndex| if can_be_anywhere { 0 } else { board.cost_to_goal(agent, at) };
            let ends = cells.iter().enumerate().map(|(number, &at)| (cost(at), end(number, at)));
            search.add_agent(start as u16, ends);
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
struct Region<'a> {
    id: usize,
    board: &'a Board,
    known: &'a JamCells,
}

impl Region<'_> {
    /// The number of a cell in the region; `None` if it does not belong to it.
    fn number(&self, at: CellIndex) -> Option<usize> {
        self.known.get(&at).filter(|&&(jam, _)| jam == self.id).map(|&(_, number)| number)
    }

    /// Adds the steps of an agent from a cell to other cells of the region. Returns whether steps lead out of it.
    fn add_edges(&self, search: &mut Search, agent: AgentIndex, at: CellIndex) -> bool {
        let Ground { grid, rules } = self.board.ground(agent);
        let mut is_at_border = false;
        with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
            let next = CellIndex::new(step.to);
            let Some(to) = self.number(next) else {
                is_at_border = true;
                return;
            };
            let crossing = match beside_diagonal(at, next, grid.stride()).map(|at| self.number(at)) {
                [Some(one), Some(other)] if step.direction.is_diagonal() => Some((one as u16, other as u16)),
                _ => None,
            };
            search.add_edge(Some(Edge { to: to as u16, crossing }));
        }));
        search.add_edge(None);
        is_at_border
    }

    /// Whether the route from a cell to the goal of an agent leaves the region with its first step.
    fn is_exit(&self, agent: AgentIndex, at: CellIndex) -> bool {
        let mut best = (u64::MAX, false);
        let Ground { grid, rules } = self.board.ground(agent);
        with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
            let to = CellIndex::new(step.to);
            let cost = self.board.cost_to_goal(agent, to).saturating_add(step.cost);
            if cost < best.0 {
                best = (cost, self.number(to).is_none());
            }
        }));
        best.1
    }
}
