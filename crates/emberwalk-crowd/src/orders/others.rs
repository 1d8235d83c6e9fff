//! Goals about other agents: where they lead, and how agents notice that the others have moved.

use super::flight::Flight;
use crate::Crowd;
use crate::board::{Look, Relation, Sort};
use crate::goal::Target;
use crate::index::AgentIndex;
use emberwalk_path::grid::{Cell, Size};

/// This many cells of a list count as one cell that a search visits, and so do this many steps along lines of sight.
const LISTED_PER_VISITED: u64 = 8;

impl Crowd {
    /// The target of an agent whose goal is about another agent. If the goal is about itself, it is there already,
    /// unless it is to flee.
    pub(super) fn target_about(&mut self, agent: AgentIndex, relation: Relation) -> Target {
        let here = self.board.cell(self.board[agent].next_cell());
        if relation.other == self.board.id(agent) {
            return if relation.sort == Sort::FarAway { Target::any_of(Vec::new()) } else { Target::One(here) };
        }
        match relation.sort {
            Sort::Beside => self.beside(relation.other, self.board.side(agent)),
            _ => self.look_around(agent, relation, here),
        }
    }

    /// Lets an agent notice that the other agent of its goal has moved. If the goal is satisfied it stays; otherwise it
    /// looks where to go.
    pub(crate) fn keep_up(&mut self, agent: AgentIndex, relation: Relation) {
        if relation.is_beside() {
            self.catch_up_with(agent, relation);
            return;
        }
        let board = &mut self.board;
        let entry = &board[agent];
        let here = board.cell(entry.at());
        if board.is_satisfied(agent, relation, here) {
            let stays = board.cost_to_goal(agent, entry.at()) == 0 && !entry.is_searching();
            if !stays && !entry.is_in_jam() {
                self.stay_here(agent, relation, here);
            }
            return;
        }
        board.forget_arrival(agent, relation);
        if !board.looks_again(agent, relation) {
            return;
        }
        let target = self.look_around(agent, relation, here);
        if target.cells().contains(&here) {
            self.stay_here(agent, relation, here);
        } else {
            self.lead_to(agent, target, Some(relation));
        }
    }

    /// Lets an agent stay where it stands, without a search. It arrives there unless it has arrived before, and has been pushed
    /// to another cell where its goal is satisfied.
    fn stay_here(&mut self, agent: AgentIndex, relation: Relation, here: Cell) {
        let entry = &self.board[agent];
        let (was_there, on_arrival) = (entry.was_there(), entry.last_on_arrival());
        let guide = self.board.acquire(agent, Target::One(here));
        self.follow_guide(agent, guide, on_arrival);
        self.board.set_relation(agent, Some(relation));
        self.board.set_was_there(agent, was_there);
    }

    /// Finds the goal cells of an agent that is in a cell or on the way into it, by the current cell of the other
    /// agent.
    fn look_around(&mut self, agent: AgentIndex, relation: Relation, here: Cell) -> Target {
        let board = &mut self.board;
        let (there, ground) = (board.cell_of_other(relation), board.land().hash());
        let mut look = Look { there, ground, ..Look::default() };
        let Some(there) = there else {
            board.set_look(agent, look);
            return Target::any_of(Vec::new());
        };
        let before = board[agent].look();
        look.nearest = here.distance_squared(there);
        if board.is_satisfied(agent, relation, here) {
            board.set_look(agent, look);
            return Target::One(here);
        }
        let (cells, spent) = match relation.sort {
            Sort::FarAway => {
                if (before.there, before.ground) == (look.there, look.ground) {
                    look.nearest = look.nearest.min(before.nearest);
                }
                let Flight { cells, is_cornered, visited } = Flight::find(board, agent, relation, here, look.nearest);
                look.is_cornered = is_cornered;
                (cells, visited)
            }
            _ => {
                let mut cells = cells_in_range(board.grid().size(), there, relation.reach);
                let mut listed = cells.len() as u64;
                if relation.sort == Sort::InSight {
                    cells.retain(|&cell| board.sees(cell, there));
                    listed *= u64::from(relation.reach);
                }
                (cells, listed / LISTED_PER_VISITED)
            }
        };
        board.note_spent(agent, spent);
        board.set_look(agent, look);
        Target::any_of(cells)
    }
}

/// The cells of a map of this size that are at most this many cells from a cell, in a straight line.
fn cells_in_range(size: Size, middle: Cell, reach: u32) -> Vec<Cell> {
    let end = i64::from(reach).pow(2);
    let offset = -(reach as i32);
    let square =
        Size::new(2 * reach + 1, 2 * reach + 1).cells().map(|cell| middle + (cell.x + offset, cell.y + offset));
    square.filter(|&cell| size.contains(cell) && cell.distance_squared(middle) <= end).collect()
}
