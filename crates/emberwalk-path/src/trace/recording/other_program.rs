//! Recordings of searches that other programs have made.

use super::{Recorder, Recording};
use crate::grid::{Cell, Direction};
use crate::trace::{Opened, SaidEnd, Trace};
use crate::{CostGrid, Route, RouteCost, RouteQuery};

impl Recording {
    /// The search that a [`Trace`] tells, to be shown like any other recording. Events off the grid are left out, see
    /// [`Trace::position`]. If an event has no cost or no parent, it takes it from the cell's event before it; a cost
    /// that is given nowhere, or is out of range, is zero. f follows from g, h and the algorithm of the query, whatever
    /// the trace says. There is a route if the trace has a route whose steps lead to neighbours.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::trace::{Recording, SaidEnd, SaidEvent, Trace};
    /// use emberwalk_path::{CostGrid, RouteQuery};
    /// let (start, goal) = (Cell::new(0, 0), Cell::new(1, 0));
    /// let opened = SaidEvent::opened(goal).with_parent(Some(start)).with_costs(Some(2.5), None, None);
    /// let end = SaidEnd::Found { cells: None, cost: None };
    /// let trace = Trace { events: vec![SaidEvent::closed(start), opened, SaidEvent::closed(goal)], end };
    /// let grid = CostGrid::open(Size::new(2, 1))?;
    /// let recording = Recording::of_trace(&grid, &RouteQuery::new(start, goal), &trace);
    /// assert_eq!(recording.at(3).state(goal).unwrap().g.tiles(), 2.5);
    /// assert_eq!(recording.result().cells(), [start, goal]);
    /// assert_eq!(recording.result().expanded, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_trace(grid: &CostGrid, query: &RouteQuery, trace: &Trace) -> Self {
        let size = grid.size();
        let mut recorder = Recorder::new(size, *query);
        for event in trace.events.iter().filter(|event| size.contains(event.cell)) {
            let recording = &recorder.recording;
            let before = recording.at(recording.len()).state(event.cell);
            let cost = |said: Option<f64>, before: Option<RouteCost>| {
                said.and_then(|tiles| RouteCost::from_tiles(tiles).ok()).or(before).unwrap_or_default()
            };
            let g = cost(event.g(), before.map(|state| state.g));
            let h = cost(event.h(), before.map(|state| state.h));
            let parent = event.parent.filter(|parent| size.contains(*parent));
            let parent = parent.or(before.and_then(|state| state.parent));
            recorder.record(event.is_closed, Opened { cell: event.cell, parent, g, h, f: g + h }, None);
        }
        let recording = recorder.recording;
        let end = recording.at(recording.len());
        let goal = end.state(query.to);
        let route = match &trace.end {
            SaidEnd::Found { cells, cost } => {
                let cells = cells.clone().unwrap_or_else(|| recording.cells_by_parents());
                let is_step = |step: &[Cell]| Direction::from_offset(step[1] - step[0]).is_some();
                let is_route = cells.iter().all(|cell| size.contains(*cell)) && cells.windows(2).all(is_step);
                let cost = cost.and_then(|tiles| RouteCost::from_tiles(tiles).ok()).or(goal.map(|state| state.g));
                (is_route && !cells.is_empty()).then(|| Route { cells, cost: cost.unwrap_or_default() })
            }
            SaidEnd::Exhausted | SaidEnd::Nothing | SaidEnd::Failed { .. } => None,
        };
        let sizes = end.sizes();
        Self { route, expanded: sizes.expanded as u64, reopened: sizes.reopened as u64, ..recording }
    }

    /// The cells from the start to the goal by the parents at the end; empty if they do not lead there.
    fn cells_by_parents(&self) -> Vec<Cell> {
        let end = self.at(self.len());
        let parent = |cell: &Cell| end.state(*cell).and_then(|state| state.parent).filter(|_| *cell != self.query.from);
        let back = std::iter::successors(Some(self.query.to), parent).take(self.len() + 1);
        let mut cells: Vec<_> = back.collect();
        cells.reverse();
        if cells.first() == Some(&self.query.from) { cells } else { Vec::new() }
    }
}

impl Trace {
    /// The position in a [recording](Recording::of_trace) on this grid right after the event of this number, from 1.
    pub fn position(&self, grid: &CostGrid, number: usize) -> usize {
        self.events.iter().take(number).filter(|event| grid.size().contains(event.cell)).count()
    }
}
