//! The overlay of a search: its closed and open cells at a position of a recording.

use super::{CellMark, End, Label, MarkStyle, Overlay, scale_colour, steps_of, written_h};
use crate::colours::{EXPANDED, OPEN};
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{Moment, Recording, SearchEvent};
use emberwalk_path::{Algorithm, RouteCost};

/// Closed cells are tinted by the time at which they were closed, from the start of the recording to its end. Open
/// cells and the cell that is being expanded are outlined. Start and goal always have rings.
#[derive(Clone, Copy, Debug)]
pub struct SearchOverlay<'a> {
    recording: &'a Recording,
    moment: Moment<'a>,
    expanded: Option<Cell>,
}

impl<'a> SearchOverlay<'a> {
    /// Creates the overlay of a recorded search at a position. A position beyond the end counts as the end.
    pub fn new(recording: &'a Recording, position: usize) -> Self {
        let moment = recording.at(position);
        let expanded = match moment.last_event() {
            _ if moment.is_last() => None,
            Some(SearchEvent::Opened(opened)) => opened.parent,
            Some(SearchEvent::Closed(closed)) => Some(closed.cell),
            None => None,
        };
        Self { recording, moment, expanded }
    }

    /// The cell that is being expanded.
    pub fn expanded(&self) -> Option<Cell> {
        self.expanded
    }
}

impl Overlay for SearchOverlay<'_> {
    fn mark(&self, cell: Cell) -> CellMark {
        let query = self.recording.query();
        let end = match cell {
            _ if cell == query.to => End::Goal,
            _ if cell == query.from => End::Start,
            _ => End::None,
        };
        let Some(state) = self.moment.state(cell) else { return CellMark { end, ..CellMark::default() } };
        let (style, colour) = if self.expanded == Some(cell) {
            (MarkStyle::Expanded, EXPANDED)
        } else if state.is_closed {
            let share = state.since as f32 / self.recording.len() as f32;
            (MarkStyle::Closed, scale_colour(share))
        } else {
            (MarkStyle::Open, OPEN)
        };
        CellMark { style, colour, end, ..CellMark::default() }
    }

    fn label(&self, cell: Cell) -> Option<Label> {
        let state = self.moment.state(cell)?;
        let parent = state.parent.map(|parent| parent - cell);
        if self.recording.query().options.algorithm == Algorithm::BreadthFirst {
            return Some(Label::Steps { steps: steps_of(state.g), parent });
        }
        if self.recording.departure().is_some() {
            // It reaches later intervals later.
            let times = || self.moment.states(cell).map(|state| state.g);
            if let (Some(first), Some(last)) = (times().min(), times().max())
                && first < last
            {
                return Some(Label::Intervals { g: [first, last].map(RouteCost::tiles), parent });
            }
        }
        let f = state.f.tiles();
        let g = state.g.tiles();
        let h = written_h(state.g, state.h, state.f);
        Some(Label::Search { f, g, h, parent })
    }
}
