//! The time of the open map: orders that do not change it, passing time, and played recordings.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tracing::info;

use emberwalk_crowd::CrowdEvent;
use emberwalk_map::editing::History;
use emberwalk_map::{CellEdit, DayTime, LayerEdit, Map};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::town::Town;
use emberwalk_world::{Order, OrderError, Recording, Timeline};

use super::{Frame, OpenMap, log_refusal};
use crate::game::world::live::Live;
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged};

/// The changes of the map by a played recording.
pub(in crate::game) enum Shown {
    Changed(TerrainChanged),
    /// It is another map.
    Other,
}

impl OpenMap {
    /// The world with its history.
    pub(in crate::game) fn timeline(&self) -> &Timeline {
        &self.live.timeline
    }

    /// The history of this map, and of at least ten minutes before.
    pub fn recording(&self) -> Recording {
        self.live.recording()
    }

    /// Whether a recording is played, which nothing can change.
    pub fn is_replay(&self) -> bool {
        self.timeline().is_replay()
    }

    /// The recordings, for a file.
    pub(in crate::game) fn live(&self) -> &Live {
        &self.live
    }

    /// Records a hash after each such duration.
    pub fn record_hashes_every(&mut self, duration: CrowdTime) {
        self.live.timeline.record_hashes_every(duration);
    }

    /// Sets the file to which the history is written if the program panics.
    pub(in crate::game) fn set_crash_file(&mut self, file: Option<PathBuf>) {
        self.live.crash_file = file;
    }

    /// Gives an order that does not change the map; nothing happens if it is not possible, or in a recording.
    pub(in crate::game) fn order(&mut self, order: Order) {
        debug_assert!(!matches!(order, Order::Open(_) | Order::Paint(_) | Order::Volcanoes(_)));
        log_refusal(self.live.timeline.push(order));
    }

    /// Replaces the people by the town that this order makes.
    pub(in crate::game) fn settle(&mut self, order: Order, town: Option<Town>) {
        log_refusal(self.live.timeline.settle(order, town));
    }

    /// The hour, and how fast days pass.
    pub fn day(&self) -> DayTime {
        self.world().day()
    }

    /// Sets the hour, and how fast days pass from now on. Returns the cells that have opened or shut.
    pub(in crate::game) fn set_day(&mut self, day: DayTime) -> Option<TerrainChanged> {
        if day == self.day() {
            return None;
        }
        let before = self.map().has_opening_hours().then(|| self.map().clone());
        self.order(Order::day(day));
        self.changed_since(&before?)
    }

    /// Lets time pass. Returns the changes of the map: an announced eruption, or cells that have opened or shut. The
    /// caller must write the message.
    #[must_use]
    pub(in crate::game) fn advance(&mut self, duration: CrowdTime) -> Option<TerrainChanged> {
        let before = self.world().coming().is_some().then(|| self.map().clone());
        self.live.timeline.advance(duration);
        let changed = self.changed_since(&before?)?;
        if changed.cause == ChangeCause::Eruption {
            info!("eruption on");
        }
        self.note_volcanoes(&changed.undo);
        Some(changed)
    }

    /// The changes since an earlier state of the same map; `None` without any.
    fn changed_since(&self, before: &Map) -> Option<TerrainChanged> {
        let map = self.map();
        if map.costs().stamp() == before.costs().stamp() {
            return None;
        }
        let mut undo = map.edits_towards(before)?;
        let cause = if undo.is_empty() { ChangeCause::Hours } else { ChangeCause::Eruption };
        undo.extend(self.opened_or_closed(before));
        let is_forgotten = map.costs().changes_since(before.costs().stamp()).is_none();
        let old_costs = is_forgotten.then(|| before.shared_costs());
        Some(TerrainChanged { undo, cause, old_costs })
    }

    /// Edits that change nothing, in the cells that have opened or shut since an earlier state of the same map.
    pub(in crate::game) fn opened_or_closed(&self, before: &Map) -> impl Iterator<Item = CellEdit> {
        let map = self.map();
        let is_other = |cell: &Cell| map.cost(*cell) != before.cost(*cell);
        let edit = |cell: Cell| Some(CellEdit { cell, to: LayerEdit::Base(*map.base().get(cell)?) });
        map.timed_cells().filter(is_other).filter_map(edit)
    }

    /// The events in the town since they were last taken.
    pub(in crate::game) fn take_events(&mut self) -> Vec<CrowdEvent> {
        self.live.timeline.take_events()
    }

    /// Plays a recording, whose first map was just opened, from its beginning.
    ///
    /// # Errors
    /// An [`OrderError`] if it does not begin with a map, or if its map is not valid with the tileset.
    pub(in crate::game) fn play(&mut self, recording: Arc<Recording>) -> Result<(), OrderError> {
        let mut live = Live::of(Timeline::of(recording, self.tileset())?);
        live.crash_file = self.live.crash_file.take();
        self.live = live;
        Ok(())
    }

    /// Goes towards a time of the played recording, until `patience` is over. Returns the changes of the map.
    pub(in crate::game) fn go_towards(&mut self, time: CrowdTime, patience: Duration) -> Option<Shown> {
        let before = self.map().clone();
        self.live.timeline.go_towards(time, patience);
        let map = self.map();
        let mut undo =
            map.edits_towards(&before).filter(|_| map.name() == before.name() && map.about() == before.about());
        undo.iter_mut().for_each(|undo| undo.extend(self.opened_or_closed(&before)));
        if undo.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        self.find_volcanoes();
        Some(match undo {
            Some(undo) => Shown::Changed(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None }),
            None => {
                self.frame = Frame::new();
                self.history = History::new(self.content().clone());
                Shown::Other
            }
        })
    }

    /// Lets the player take over the played recording at its current time. All strokes since its first map can be
    /// undone together, and are not saved yet. Returns whether that map is still open.
    pub(in crate::game) fn play_on(&mut self) -> bool {
        let first = self.timeline().first_map();
        self.live.timeline.truncate();
        self.live.renumber();
        let drawn = self.drawn().into_owned();
        // Another map that was opened in the recording has no earlier version.
        let is_first = first.size() == drawn.size() && first.name() == drawn.name();
        self.history = History::new(if is_first { first } else { drawn.clone() });
        self.history.record(&drawn);
        is_first
    }
}
