//! A part of a stroke that is still to be painted.

use std::sync::Arc;

use emberwalk_map::Map;
use emberwalk_map::editing::{Brush, Painted, paint};
use emberwalk_path::grid::Cell;

/// A part of a stroke. It can be painted in the frame, or in the background if there are many cells.
#[derive(Clone)]
pub(in crate::game) struct StrokePart {
    /// The number of cells that it changes at most.
    max_cells: usize,
    paint: Arc<dyn Fn(&Map) -> Painted + Send + Sync>,
}

impl StrokePart {
    /// Creates a part that changes at most this number of cells.
    pub fn new(max_cells: usize, paint: impl Fn(&Map) -> Painted + Send + Sync + 'static) -> Self {
        Self { max_cells, paint: Arc::new(paint) }
    }

    /// Creates a part that paints these cells.
    pub(in crate::game) fn of_cells(cells: Vec<Cell>, brush: Brush) -> Self {
        Self::new(cells.len(), move |map| paint(map, cells.iter().copied(), brush))
    }

    /// Creates a part that paints nothing.
    pub fn nothing() -> Self {
        Self::new(0, |_| Painted::default())
    }

    /// The number of cells that it changes at most.
    pub(in crate::game) fn max_cells(&self) -> usize {
        self.max_cells
    }

    /// The edits that paint it on a map.
    pub fn paint(&self, map: &Map) -> Painted {
        (self.paint)(map)
    }
}
