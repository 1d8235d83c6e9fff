//! The problem that the search of a jam has to solve.

use super::costs::Costs;
use super::region::{Member, Region};
use super::search::{Edge, End, NONE, Search};
use crate::OnArrival;
use crate::board::{beside_diagonal, square};
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::grid::Direction;
use emberwalk_path::internal::{Steps, with_steps};

/// Data about the agents of a jam while its search begins. Its memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    /// The kinds of its agents, each once.
    kinds: Vec<usize>,
    /// Whether a step from each cell leads out of the region, for each of these kinds.
    are_at_border: Vec<bool>,
    costs: Costs,
}

impl Problem {
    /// Tells a search where the agents of a region start, what their steps cost there and where they may end. The
    /// search is given up after this many placements of agents.
    pub(super) fn pose(
        &mut self,
        region: Region<'_>,
        cells: &[CellIndex],
        members: &[Member],
        search: &mut Search,
        placements: usize,
    ) {
        let board = region.board;
        let Self { kinds, are_at_border, costs } = self;
        search.clear(cells.len());
        are_at_border.clear();
        kinds.clear();
        for kind in members.iter().map(|member| board[member.agent].kind()) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
                add_shape(region, search, kind, cells, are_at_border);
            }
        }
        for (k, &Member { agent, .. }) in members.iter().enumerate() {
            let start = region.number(board[agent].next_cell()).unwrap_or_default();
            let has_route = board.has_route(agent);
            let kind = board[agent].kind();
            let shape = kinds.iter().position(|&other| other == kind).unwrap_or_default();
            costs.find(region, cells, agent);
            let is_goal =
                |number: usize| has_route && costs.inside(number) == 0 && region.has_place(kind, cells[number]);
            let goals_inside = (0..cells.len()).filter(|&number| is_goal(number)).count();
            let stays = board[agent].on_arrival() == OnArrival::Stay;
            let takes_one = |other: &&Member| {
                board[other.agent].on_arrival() == OnArrival::Stay && board.have_same_goal(other.agent, agent)
            };
            // An agent without a route can be anywhere, and so can an agent whose goals other agents take.
            let are_taken = || {
                let is_there = board.cost_to_goal(agent, board[agent].at()) == 0;
                let has_lost_goal = board.land().has_large_kinds() && !is_there && board.has_lost_goal(agent);
                has_lost_goal || members[..k].iter().filter(takes_one).count() >= goals_inside
            };
            let can_be_anywhere = !has_route || goals_inside > 0 && stays && are_taken();
            let is_exit = |number: usize| {
                goals_inside == 0
                    && are_at_border[shape * cells.len() + number]
                    && is_exit(region, costs, agent, cells[number])
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
        search.start(board.now().ticks() ^ (members[0].agent.get() as u64) << 40, placements);
    }
}

/// Adds a kind with its places in the region and its steps between them, and whether steps lead out of it from each.
fn add_shape(region: Region<'_>, search: &mut Search, kind: usize, cells: &[CellIndex], are_at_border: &mut Vec<bool>) {
    let (side, stride) = (region.board.land().side(kind), region.board.grid().stride());
    search.add_shape(side * side);
    for &at in cells {
        let number = |cell| region.number(cell).map_or(NONE, |number| number as u16);
        search.add_square(square(at, side, stride).map(number));
    }
    for (number, &at) in cells.iter().enumerate() {
        are_at_border.push(search.has_square(number) && add_edges(region, search, kind, at));
        search.add_edge(None);
    }
}

/// The maximum number of steps from a cell within the region. The search tries all of them in each placement.
pub(super) const MAX_EDGES: usize = 8;

/// Adds the steps of a kind from a cell to other places in the region, at most [`MAX_EDGES`]: links before others. Returns
/// whether steps lead out of it.
fn add_edges(region: Region<'_>, search: &mut Search, kind: usize, at: CellIndex) -> bool {
    let Ground { grid, rules } = region.board.land().ground(kind);
    let is_large = region.board.land().side(kind) > 1;
    let without_links = Ground { grid, rules: rules.without_links() };
    let (mut is_at_border, mut count) = (false, 0);
    for next in region.board.land().ground(kind).links_from(at) {
        let to = region.number(next).filter(|_| grid.is_passable(grid.cell(next.get())));
        if let Some(to) = to.filter(|_| count < MAX_EDGES && region.board.is_link(at, next)) {
            search.add_edge(Some(Edge { to: to as u16, crossing: None }));
            count += 1;
        }
    }
    with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
        let next = CellIndex::new(step.to);
        let Some(to) = region.number(next).filter(|&number| search.has_square(number)) else {
            is_at_border = true;
            return;
        };
        let is_known = || region.board.is_link(at, next) || without_links.step_units(at, next).is_some();
        if count == MAX_EDGES || step.is_link && is_known() {
            return;
        }
        count += 1;
        let direction = Direction::towards(grid.cell(next.get()) - grid.cell(at.get()));
        // A large agent waits for an agent that crosses its step.
        let may_cross = direction.is_diagonal() && !is_large;
        let crossing = match beside_diagonal(at, next, grid.stride()).map(|at| region.number(at)) {
            [Some(one), Some(other)] if may_cross => Some((one as u16, other as u16)),
            _ => None,
        };
        search.add_edge(Some(Edge { to: to as u16, crossing }));
    }));
    is_at_border
}

/// Whether the route from a cell to the goal of an agent leaves the region with its first step.
fn is_exit(region: Region<'_>, costs: &Costs, agent: AgentIndex, at: CellIndex) -> bool {
    let mut best = (u64::MAX, false);
    let kind = region.board[agent].kind();
    let Ground { grid, rules } = region.board.ground_with_danger(agent);
    with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
        let to = CellIndex::new(step.to);
        let rest = match region.number(to) {
            Some(number) => costs.inside(number),
            None => costs.outside(region.board, agent, to),
        };
        let cost = rest.saturating_add(step.cost);
        if cost < best.0 {
            best = (cost, !region.has_place(kind, to));
        }
    }));
    best.1
}
