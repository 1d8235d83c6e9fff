//! Puts agents into other cells without a step.

use crate::board::Claim;
use crate::{AgentId, Crowd};
use emberwalk_path::grid::Cell;

impl Crowd {
    /// Puts a standing agent into another cell immediately, for example an agent that was walled in. Afterwards it has
    /// no goal and no orders, as after [`stop`](Self::stop), and keeps its kind, pace and priority. In the log it
    /// leaves the map and is added again at the same time.
    ///
    /// Returns `false`, and changes nothing, if the agent takes a step or is not on the map, or if the cell is blocked for
    /// it, off the map, taken, or waits for an edit.
    ///
    /// ```
    /// use emberwalk_crowd::Crowd;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |cell| (cell.x != 1).then_some(EntryCost::TILE))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let (here, there) = (Cell::new(0, 0), Cell::new(2, 0));
    /// let agent = crowd.add(here)?;
    /// crowd.set(here, None);
    /// crowd.advance(CrowdTime::SECOND);
    /// assert!(crowd.grid().is_passable(here), "the edit waits: no step leads out of the cell");
    /// assert!(crowd.relocate(agent, there));
    /// crowd.advance(CrowdTime::SECOND);
    /// assert_eq!(crowd.agent_at(there), Some(agent));
    /// assert!(!crowd.grid().is_passable(here));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn relocate(&mut self, agent: AgentId, to: Cell) -> bool {
        let Some(index) = self.board.find(agent) else { return false };
        let board = &self.board;
        if !board[index].is_idle() || !board.ground(index).grid.is_passable(to) {
            return false;
        }
        let to = board.index(to);
        let is_free = |cell| {
            let is_taken = board.agent_in(cell).is_some_and(|other| other != index);
            board.claim(cell) == Claim::None && !is_taken
        };
        if !board.square(index, to).all(is_free) {
            return false;
        }
        self.give_up(index);
        let Self { board, jams, .. } = self;
        let from = board[index].at();
        board.relocate(index, to);
        board.square(index, to).for_each(|cell| jams.end_at(board, cell));
        board.call_around(index, from, None);
        true
    }
}
