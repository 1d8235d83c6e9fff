//! The costs from the cells of a region to the goal of an agent, even of an agent that knows only the costs near its
//! route.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::region::Region;
use crate::board::Board;
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::internal::{Backward, Steps, with_steps};

/// The costs in a region to the goal of one agent. Its memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    /// The cost from each cell of the region, by its number; [`u64::MAX`] without a route.
    inside: Vec<u64>,
    /// The cell where the route of the agent leaves the region, and the cost from there.
    exit: Option<(CellIndex, u64)>,
    /// The numbers of the cells whose neighbours may have lower costs than are known, the lowest cost first.
    open: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Costs {
    /// Finds the costs for an agent.
    pub(super) fn find(&mut self, region: Region<'_>, cells: &[CellIndex], agent: AgentIndex) {
        let Self { inside, exit, open } = self;
        inside.clear();
        inside.extend(cells.iter().map(|&at| region.board.cost_to_goal(agent, at)));
        *exit = None;
        open.clear();
        if inside.contains(&u64::MAX) && self.follow_route(region, agent) {
            self.spread(region, cells, region.board[agent].kind());
        }
    }

    /// Finds the costs from the cells of the agent's own route, as far as it stays in the region. Returns whether there is
    /// such a route.
    fn follow_route(&mut self, region: Region<'_>, agent: AgentIndex) -> bool {
        let board = region.board;
        let mut cells = board.own_cells(agent);
        let Some(mut at) = cells.next() else { return false };
        let mut rest = board.cost_to_goal(agent, at);
        for to in cells {
            let Some(left) = board.ground_with_danger(agent).step_units(at, to).and_then(|cost| rest.checked_sub(cost))
            else {
                break;
            };
            (at, rest) = (to, left);
            match region.number(at) {
                Some(number) => self.inside[number] = rest,
                None => {
                    self.exit = Some((at, rest));
                    break;
                }
            }
        }
        true
    }

    /// Finds the costs from the other cells of the region, starting from the known ones.
    fn spread(&mut self, region: Region<'_>, cells: &[CellIndex], kind: usize) {
        let Self { inside, open, .. } = self;
        let known = inside.iter().enumerate().filter(|&(_, &cost)| cost != u64::MAX);
        open.extend(known.map(|(number, &cost)| Reverse((cost, number))));
        let Ground { grid, rules } = region.board.land().ground_with_danger(kind);
        with_steps!(grid, rules, steps => while let Some(Reverse((cost, number))) = open.pop() {
            if cost > inside[number] {
                continue;
            }
            Backward::new(steps).for_each(cells[number].get(), None, |step| {
                let Some(before) = region.number(CellIndex::new(step.to)) else { return };
                let cost = cost.saturating_add(step.cost);
                if cost < inside[before] {
                    inside[before] = cost;
                    open.push(Reverse((cost, before)));
                }
            });
        });
    }

    /// The cost from a cell of the region, by its number.
    pub(super) fn inside(&self, number: usize) -> u64 {
        self.inside[number]
    }

    /// The cost from a cell beside the region.
    pub(super) fn outside(&self, board: &Board, agent: AgentIndex, at: CellIndex) -> u64 {
        let known = board.cost_to_goal(agent, at);
        self.exit.filter(|exit| exit.0 == at).map_or(known, |exit| known.min(exit.1))
    }
}
