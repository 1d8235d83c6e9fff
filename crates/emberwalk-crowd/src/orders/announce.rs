//! Announced changes of the grid, which are made when their time has come.

use crate::{Announced, AnnouncedChange, Crowd};
use emberwalk_path::grid::Cell;

impl Crowd {
    /// Announces a change of a cell. It is made at its time, to 1/65536 s, as [`set`](Self::set),
    /// [`set_for`](Self::set_for) or [`set_class`](Self::set_class) make it: like these, it may have to wait for an
    /// agent. Changes of one time are made in the order in which they were announced, before agents decide. A change
    /// whose time has come already is made immediately. Returns `false`, and does nothing, where the edit would be
    /// refused: off the grid, of a kind that does not exist, of a class in a crowd without classes, or of a cost in a
    /// crowd with classes.
    ///
    /// Agents plan on the current grid, but they do not give up a goal that opens: if no route leads an agent to its
    /// goal, but one would with all announced openings, this is not reported as
    /// [`Unreachable`](crate::CrowdEvent::Unreachable). The agent [waits](crate::WaitsFor::Opening), keeps its order,
    /// and continues within a second after the route has opened.
    ///
    /// O(log changes).
    ///
    /// ```
    /// use emberwalk_crowd::{Announced, Crowd, CrowdEvent, OnArrival, WaitsFor};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, EntryCost, StepRules};
    /// let grid = CostGrid::open(Size::new(9, 1))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// // A gate that is shut for two seconds.
    /// let (gate, [shuts, opens]) = (Cell::new(4, 0), [1, 3].map(CrowdTime::from_whole_seconds));
    /// crowd.announce(Announced::cost(gate, None, shuts));
    /// crowd.announce(Announced::cost(gate, Some(EntryCost::TILE), opens));
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// crowd.send(agent, Cell::new(8, 0), OnArrival::Stay);
    /// let events = crowd.advance(CrowdTime::from_seconds(2.5));
    /// assert!(!events.iter().any(|event| matches!(event, CrowdEvent::Unreachable { .. })));
    /// assert_eq!(crowd.waiting(agent).unwrap().on, Some(WaitsFor::Opening));
    /// crowd.advance(CrowdTime::from_seconds(9.0));
    /// assert!(crowd.state(agent).unwrap().has_arrived);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn announce(&mut self, announced: Announced) -> bool {
        let is_possible = self.is_possible(&announced);
        if is_possible {
            let next = announced.from(self.now());
            let is_due = next.at <= self.now();
            if is_due {
                self.make(&next);
            }
            let later = if is_due { next.again() } else { Some(next) };
            later.into_iter().for_each(|later| self.board.announce(later));
        }
        is_possible
    }

    /// The announced changes, by the times at which they are made next. A change that is made once is removed when its
    /// time has come, even if it [waits](Self::waiting_edits) for an agent.
    ///
    /// ```
    /// use emberwalk_crowd::{Announced, Crowd};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(5, 5))?, StepRules::default(), Pace::default());
    /// let second = CrowdTime::SECOND;
    /// crowd.announce(Announced::cost(Cell::new(2, 2), None, second).every(second));
    /// crowd.advance(CrowdTime::from_seconds(3.5));
    /// assert!(crowd.announced().map(|announced| announced.at.seconds()).eq([4.0]));
    /// crowd.forget_announced(Cell::new(2, 2));
    /// assert_eq!(crowd.announced().count(), 0);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn announced(&self) -> impl Iterator<Item = &Announced> {
        self.board.announced()
    }

    /// Forgets all announced changes of a cell. Changes that have been made stay. O(changes).
    pub fn forget_announced(&mut self, cell: Cell) {
        self.board.forget_announced(cell);
    }

    fn is_possible(&self, announced: &Announced) -> bool {
        let has_classes = self.classes().is_some();
        self.grid().size().contains(announced.cell)
            && match announced.change {
                AnnouncedChange::Cost(_) => !has_classes,
                AnnouncedChange::CostFor(kind, _) => !has_classes && kind < self.grids().len(),
                AnnouncedChange::Class(_) => has_classes,
            }
    }

    /// Makes the changes whose time has come.
    pub(crate) fn make_announced(&mut self) {
        let courses = self.board.current_courses();
        while let Some(announced) = self.board.take_announced() {
            self.make(&announced);
        }
        // The change for which they were planned has come, unless an agent is in the way.
        if self.edits.is_empty() {
            self.board.keep_courses(courses);
        }
        // Agents that have to get out of the way decide in this moment, as after an edit between two calls of
        // `advance`.
        self.edits.find_exits(&mut self.board);
    }

    fn make(&mut self, announced: &Announced) {
        let cell = announced.cell;
        match announced.change {
            AnnouncedChange::Cost(cost) => self.set(cell, cost),
            AnnouncedChange::CostFor(kind, cost) => self.set_for(kind, cell, cost),
            AnnouncedChange::Class(class) => self.set_class(cell, class),
        };
    }
}
