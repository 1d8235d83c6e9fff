//! The best cells of the open list of the played search.

use bevy::prelude::*;

use emberwalk_path::trace::Opened;

use super::recorded_search::{RecordedSearch, SearchView};

/// The number of cells of the open list that are shown.
const BEST: usize = 12;

/// In a recording with more events, finding the best open cells would take too long.
pub(super) const MAX_LOOKED_THROUGH: usize = 1 << 20;

/// The best open cells at the current position; none in a very long recording. Finding them visits all cells that the
/// search has seen.
#[derive(Resource, Default)]
pub(in crate::game) struct BestOpen {
    /// The number of the search, and the position.
    shown: Option<(u64, usize)>,
    best: Vec<Opened>,
}

impl BestOpen {
    pub(in crate::game) fn at(&mut self, search: &RecordedSearch, view: &SearchView) -> &[Opened] {
        let position = Some((view.generation(), view.position()));
        if self.shown != position {
            let recording = &search.recording;
            let is_short = recording.len() <= MAX_LOOKED_THROUGH;
            let best = if is_short { recording.at(view.position()).best_open(BEST) } else { Vec::new() };
            *self = Self { shown: position, best };
        }
        &self.best
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<BestOpen>();
}
