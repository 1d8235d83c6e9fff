//! Orders with a budget: agents that wait for the search for their routes.

use crate::Crowd;

impl Crowd {
    /// Limits the number of cells that searches for routes may visit in each 1/64 second of the crowd's time. Then many
    /// orders at one time make no call of [`advance`](Self::advance) long. [`u64::MAX`], as in a new crowd, is no
    /// limit: then each order takes as long as its search.
    ///
    /// With a budget, searches continue from slice to slice, and searches to the nearest goals come first. An agent
    /// that gets an order stays where it is until its route is known, and [waits](Self::waiting) for [its
    /// search](crate::WaitsFor::Search). If agents are pushed off their routes, or the grid changes, their searches
    /// wait as well; meanwhile they continue along their old routes.
    ///
    /// It is a number of cells, not a time, so that a crowd makes the same moves on every machine. As long as no slice
    /// needs the whole budget, the moves are nearly always the same as without a budget. A cell takes some 0.1
    /// microseconds, and other work counts as the cells that a search would visit in the same time: an order takes at
    /// least some 600 on a large map, because an agent looks at the cells around the next part of its route. Not all
    /// work can be divided: the search for one of several goals is done without a pause, and so are all routes of a
    /// [group](Self::send_group). The next slices are shorter by that much.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival, WaitsFor};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(200, 200))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// crowd.set_search_budget(1000);
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// crowd.send(agent, Cell::new(190, 150), OnArrival::Stay);
    /// assert_eq!(crowd.waiting(agent).unwrap().on, Some(WaitsFor::Search));
    /// crowd.advance(CrowdTime::from_seconds(5.0));
    /// assert!(crowd.waiting(agent).is_none() && crowd.remaining(agent).is_some(), "it is on the way");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_search_budget(&mut self, cells: u64) {
        self.board.set_search_budget(cells);
    }

    /// The [budget](Self::set_search_budget) of searches; [`u64::MAX`] without one.
    pub fn search_budget(&self) -> u64 {
        self.board.search_budget()
    }

    /// Continues the waiting searches, and moves on agents whose searches have ended, with or without a route.
    pub(crate) fn search(&mut self) {
        self.board.search();
        while let Some((agent, request)) = self.board.take_ended() {
            let entry = &self.board[agent];
            if entry.guide() == Some(request.guide) {
                self.board.go_on(agent);
            } else {
                let (relation, group_order) = (entry.relation(), entry.group_order());
                self.follow_guide(agent, request.guide, request.on_arrival);
                self.board.set_relation(agent, relation);
                self.board.set_group_order(agent, group_order);
            }
        }
    }
}
