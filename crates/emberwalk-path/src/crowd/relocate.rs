//! Puts agents into other cells without a step.

use super::agents::Progress;
use super::places::Claim;
use super::{AgentId, Crowd, CrowdEvent};
use crate::grid::Cell;

impl Crowd {
    /// Puts an agent that stands into another cell, immediately: one that was walled in, for example. It has no goal and
    /// no orders then, as after [`stop`](Self::stop), and keeps its kind, pace and priority. In the log it leaves the map
    /// and is added again at the same time.
    ///
    /// Returns `false`, and changes nothing, if the agent takes a step or is not on the map, or if the cell is blocked for
    /// it, off the map, taken, or waits for an edit.
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
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
        let Some(index) = self.board.agents.find(agent) else { return false };
        let board = &self.board;
        if !board.agents[index].is_idle() || !board.ground(index).grid.is_passable(to) {
            return false;
        }
        let to = board.index(to);
        let is_free = |cell| {
            let is_taken = board.places.agent(cell).is_some_and(|other| other != index);
            board.places.claim(cell) == Claim::None && !is_taken
        };
        if !board.square(index, to).all(is_free) {
            return false;
        }
        self.give_up(index);
        let Self { board, jams, .. } = self;
        let from = board.agents[index].at;
        board.square(index, from).for_each(|cell| board.places.take(index, cell));
        let time = board.now;
        let (kind, pace) = (board.agents[index].kind, board.agents[index].pace);
        board.events.push(CrowdEvent::Left { agent, at: board.cell(from), time });
        // Who leaves is forgotten by those who read the log.
        board.events.extend((kind > 0).then_some(CrowdEvent::KindSet { agent, kind, time }));
        board.events.push(CrowdEvent::Added { agent, at: board.cell(to), time });
        board.events.extend(pace.map(|pace| CrowdEvent::PaceSet { agent, pace, time }));
        let entry = &mut board.agents[index];
        entry.at = to;
        entry.progress = Progress::new(time);
        for cell in board.square(index, to) {
            board.places.put(index, cell);
            jams.end_at(board, cell);
        }
        board.square(index, from).for_each(|cell| board.call_neighbours(cell, None));
        true
    }
}
