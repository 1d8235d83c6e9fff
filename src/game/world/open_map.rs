//! The map that is open.

use std::borrow::Cow;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bevy::prelude::*;
use tracing::{debug, info};

use emberwalk_crowd::CrowdEvent;
use emberwalk_map::editing::{History, Step};
use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{CellEdit, DayTime, Edges, LayerEdit, Map, MapContent, ResizeError};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::iso::Projection;
use emberwalk_picture::scene::projection;
use emberwalk_world::town::Town;
use emberwalk_world::{Order, OrderError, Paint, Position, Recording, Timeline, VolcanoChoice, World};

use super::live::Live;
use super::terrain_changed::{ChangeCause, MAX_REDRAWN, TerrainChanged};

/// The map that is open, with the world on it. It counts as changed when its terrain or its name changes, when it is
/// saved, or when another map is opened; not when something else happens in the world.
#[derive(Resource)]
pub struct OpenMap {
    live: Live,
    history: History,
    /// Whether there is a dormant volcano, and the cells of the volcanoes that erupt now, row by row. Finding them
    /// takes long on a large map, and the buttons need them in each frame.
    any_dormant: bool,
    erupting: Vec<Cell>,
    /// Whether its file is gone, so that this is the only copy.
    is_file_gone: bool,
    frame: Frame,
}

impl Deref for OpenMap {
    type Target = Map;

    fn deref(&self) -> &Map {
        self.world().map()
    }
}

/// The position of the cells of the open map, relative to when it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Frame {
    /// A number that is unique to each opened map, even if the same map is opened again.
    pub opened: u64,
    /// The rows and columns that were added at its edges since.
    pub added: Edges,
}

impl Frame {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { opened: NEXT.fetch_add(1, Ordering::Relaxed), added: Edges::default() }
    }
}

/// What a recording that is played has changed on the map.
pub(in crate::game) enum Shown {
    Changed(TerrainChanged),
    /// It is another map.
    Other,
}

/// A map was opened: the journey and the view start again. Its observers run in no particular order.
#[derive(Event)]
pub struct MapOpened;

/// A map was opened, or has changed so much that everything is drawn again. Its observers run in no particular order,
/// after the observers of [`MapOpened`].
#[derive(Event)]
pub(in crate::game) struct MapShown {
    /// Whether it is the same map, and its cells are where they were.
    pub keeps_cells: bool,
}

/// The open map was replaced by a later version of it, or has another size. The journey continues where that is
/// possible. The event describes the map before.
#[derive(Event)]
pub struct MapRenewed {
    /// The cell in which the traveller started.
    pub start: Option<Cell>,
    /// The goal before the player set one.
    pub goal: Option<Cell>,
    /// Where cells were in the map's picture.
    pub projection: Projection,
    /// The rows and columns that the player has added at the edges, by which the cells have moved.
    pub added: Edges,
}

impl MapRenewed {
    /// Where a cell of the map is now, unless it was cut off.
    pub fn cell(&self, before: Cell, map: &OpenMap) -> Option<Cell> {
        Some(self.added.moved(before)).filter(|cell| map.size().contains(*cell))
    }
}

/// More edits than this are recorded as another version of the map, to which people come again.
const MAX_PAINTED: usize = MAX_REDRAWN;

impl OpenMap {
    /// Opens a map as it is in its file, or a new map without a file.
    pub(in crate::game) fn new(map: Map, volcanoes: VolcanoChoice, is_made: bool) -> Self {
        let content = map.content().clone();
        let history = if is_made { History::never_saved(content) } else { History::new(content) };
        Self::with_history(map, volcanoes, history)
    }

    /// Opens the current version of a history.
    pub(super) fn with_history(map: Map, volcanoes: VolcanoChoice, history: History) -> Self {
        let frame = Frame::new();
        let live = Live::on(map);
        let mut open = Self { live, history, any_dormant: false, erupting: Vec::new(), is_file_gone: false, frame };
        open.choose(volcanoes);
        open
    }

    /// The map.
    pub fn map(&self) -> &Map {
        self.world().map()
    }

    /// The world on it.
    pub fn world(&self) -> &World {
        self.timeline().world()
    }

    /// The people on it; `None` if the player's traveller is alone.
    pub fn town(&self) -> Option<&Town> {
        self.world().town()
    }

    /// The number of travellers.
    pub fn travellers(&self) -> usize {
        self.town().map_or(1, Town::len)
    }

    /// The world with what has happened in it.
    pub(in crate::game) fn timeline(&self) -> &Timeline {
        &self.live.timeline
    }

    /// What has happened: on this map, and before that for at least ten minutes.
    pub fn recording(&self) -> Recording {
        self.live.recording()
    }

    /// Whether a recording is played, which nothing can change.
    pub fn is_replay(&self) -> bool {
        self.timeline().is_replay()
    }

    /// What is recorded, for a file.
    pub(in crate::game) fn live(&self) -> &Live {
        &self.live
    }

    /// Records a hash after each such duration.
    pub fn record_hashes_every(&mut self, duration: CrowdTime) {
        self.live.timeline.record_hashes_every(duration);
    }

    /// Sets where what has happened is written if the program panics.
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

    /// Lets time pass. Returns what has changed on the map: an announced eruption, or cells that have opened or closed. The
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

    /// What has changed since an earlier state of the same map; `None` for nothing.
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

    /// Edits that change nothing, in the cells that have opened or closed since an earlier state of the same map.
    fn opened_or_closed(&self, before: &Map) -> impl Iterator<Item = CellEdit> {
        let map = self.map();
        let is_other = |cell: &Cell| map.cost(*cell) != before.cost(*cell);
        let edit = |cell: Cell| Some(CellEdit { cell, to: LayerEdit::Base(*map.base().get(cell)?) });
        map.timed_cells().filter(is_other).filter_map(edit)
    }

    /// The events in the town since they were last taken.
    pub(in crate::game) fn take_events(&mut self) -> Vec<CrowdEvent> {
        self.live.timeline.take_events()
    }

    /// The content of the map as it is drawn: without the choice for its volcanoes.
    pub fn drawn(&self) -> Cow<'_, MapContent> {
        let as_drawn = self.world().as_drawn();
        if as_drawn.is_empty() {
            return Cow::Borrowed(self.content());
        }
        Cow::Owned(self.content().edited(&as_drawn))
    }

    /// The versions that can be undone and redone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The position of its cells, relative to when it was opened.
    pub(in crate::game) fn frame(&self) -> Frame {
        self.frame
    }

    /// The choice for the volcanoes.
    pub(in crate::game) fn volcanoes(&self) -> VolcanoChoice {
        self.world().volcanoes().unwrap_or_default()
    }

    /// The hour, and how fast days pass.
    pub fn day(&self) -> DayTime {
        self.world().day()
    }

    /// Sets the hour, and how fast days pass from now on.
    pub(in crate::game) fn set_day(&mut self, day: DayTime) {
        if day != self.day() {
            self.order(Order::day(day));
        }
    }

    /// Where cells are in the map's picture.
    pub fn projection(&self) -> Projection {
        projection(self.map())
    }

    /// Replaces it with another map, and returns the one before.
    pub(super) fn replace(&mut self, mut opened: Self) -> Map {
        opened.live.follow(&mut self.live);
        std::mem::replace(self, opened).map().clone()
    }

    /// Replaces it with a later version of it. The traveller stays where it is, if that is possible, and the hour goes on
    /// unless the map has another one.
    pub(super) fn renew(&mut self, later: Self) -> Map {
        let position = self.world().position();
        let day = self.day();
        let before = self.replace(later);
        if before.day_time() == self.day_time() {
            self.set_day(day);
        }
        let size = self.size();
        let is_off_map = |position: &Position| {
            !size.contains(position.cell) || position.leaving.is_some_and(|(from, ..)| !size.contains(from))
        };
        self.order(Order::Put(position.map(|position| match is_off_map(&position) {
            true => Position { cell: size.nearest(position.cell), leaving: None },
            false => position,
        })));
        before
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

    /// Goes towards a time of the recording that is played, until `patience` is over. Returns what it has changed on the
    /// map.
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

    /// Leaves the recording that is played to the player, where it is now. What was painted since its first map can be undone
    /// together, and is not saved yet. Returns whether that map is still open.
    pub(in crate::game) fn play_on(&mut self) -> bool {
        let first = self.timeline().first_map();
        self.live.timeline.truncate();
        self.live.renumber();
        if self.world().volcanoes().is_none() {
            let choice = match self.world().as_drawn().is_empty() {
                true => Some(VolcanoChoice::AsDrawn),
                false if !self.any_dormant => Some(VolcanoChoice::Erupting),
                false if self.erupting.is_empty() => Some(VolcanoChoice::Calm),
                // No key leaves some of them dormant.
                false => None,
            };
            choice.into_iter().for_each(|choice| drop(self.choose(choice)));
        }
        let drawn = self.drawn().into_owned();
        // Another map that was opened in the recording has no version before.
        let is_first = first.size() == drawn.size() && first.name() == drawn.name();
        self.history = History::new(if is_first { first } else { drawn.clone() });
        self.history.record(&drawn);
        is_first
    }

    /// Applies edits of the player as a part of the current stroke. The caller must write the returned message, so that
    /// other plugins update.
    ///
    /// # Errors
    /// An [`OrderError`] if an edit is not possible, or if a recording is played. Then the map is not changed.
    pub fn edit(&mut self, edits: &[CellEdit]) -> Result<TerrainChanged, OrderError> {
        let undo = self.paint(edits)?;
        if !undo.is_empty() {
            self.history.open_stroke();
        }
        Ok(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None })
    }

    fn paint(&mut self, edits: &[CellEdit]) -> Result<Vec<CellEdit>, OrderError> {
        let undo = self.live.timeline.push(Order::Paint(Paint::of(self.tileset(), edits)))?;
        self.note_volcanoes(&undo);
        Ok(undo)
    }

    /// A copy of the map as it is drawn, that can be changed on another thread and then [succeed](Self::succeed) this one.
    /// O(rows).
    pub(in crate::game) fn successor(&self) -> Self {
        let live = Live::of(self.timeline().draft());
        Self { live, history: self.history.clone(), erupting: self.erupting.clone(), ..*self }
    }

    /// Replaces it with its changed [successor](Self::successor). It must not have changed meanwhile. Adds what was changed
    /// for the volcanoes.
    pub(in crate::game) fn succeed(&mut self, later: Self, changed: &mut TerrainChanged) {
        let Self { live, mut history, frame, .. } = later;
        history.mark_saved_as_in(&self.history);
        (self.history, self.frame) = (history, frame);
        let version = live.timeline.world().map();
        match self.few_edits_to(version) {
            Some(edits) => {
                let undo = self.paint(&edits).unwrap_or_default();
                self.rename(version.name().to_owned(), version.about().map(str::to_owned));
                changed.undo = undo;
            }
            None => changed.add_later(self.open(version.clone())),
        }
    }

    /// The edits of the map as it is drawn that lead to another version; `None` if people cannot follow them.
    fn few_edits_to(&self, version: &MapContent) -> Option<Vec<CellEdit>> {
        let drawn = self.drawn();
        let are_few = drawn.differing_cells(version)?.nth(MAX_PAINTED).is_none();
        are_few.then(|| drawn.edits_towards(version)).flatten().filter(|edits| edits.len() <= MAX_PAINTED)
    }

    /// Finishes the current stroke; returns whether it has changed anything.
    pub fn finish_stroke(&mut self) -> bool {
        self.history.is_stroke_open() && self.record(1, Edges::default())
    }

    /// Adds the map as it is drawn to the history; returns whether it differs from the previous version.
    fn record(&mut self, strokes: usize, added: Edges) -> bool {
        let drawn = self.drawn().into_owned();
        self.history.record_change(&drawn, strokes, added)
    }

    /// Adds or removes rows and columns, as a separate stroke. Other plugins notice it by the map's [`Frame`].
    ///
    /// # Errors
    /// A [`ResizeError`] if the map cannot have this size. Then it is not changed.
    pub fn resize(&mut self, edges: Edges, ground: TerrainId) -> Result<(), ResizeError> {
        self.finish_stroke();
        let resized = self.drawn_map().0.resized(edges, ground)?;
        self.open(resized);
        self.frame.added = self.frame.added.plus(edges);
        self.record(1, edges);
        Ok(())
    }

    /// Changes the name and the description, as a separate stroke; returns whether they are different now.
    pub fn set_name_and_about(&mut self, name: String, about: Option<String>) -> bool {
        self.finish_stroke();
        self.rename(name, about);
        self.record(1, Edges::default())
    }

    fn rename(&mut self, name: String, about: Option<String>) {
        log_refusal(self.live.timeline.rename(name, about));
    }

    /// Undoes the last stroke, or redoes the last undone one; `None` if there is none or if it is not possible with the
    /// tileset. The message has no edits if size or name have changed.
    pub fn step(&mut self, step: Step) -> Option<TerrainChanged> {
        self.finish_stroke();
        let (version, added) = self.history.neighbour(step)?;
        let version = version.with_tileset(self.tileset()).ok()?;
        let changed = self.change_to(&version, added)?;
        self.history.go(step, version);
        Some(changed)
    }

    /// Makes the strokes from before a crash a step of the history. Newer strokes stay where possible.
    pub(in crate::game) fn restore(&mut self, left: &MapContent, strokes: usize) -> Option<TerrainChanged> {
        self.finish_stroke();
        let saved = self.history.saved_content().filter(|_| left.size() == self.size());
        let with_own = saved.and_then(|saved| saved.edits_towards(left)).map(|edits| self.drawn().edited(&edits));
        let before = self.size();
        let after = left.size();
        let side = |before: u32, after: u32| after.cast_signed() - before.cast_signed();
        let added = Edges {
            east: side(before.width, after.width),
            south: side(before.height, after.height),
            ..Edges::default()
        };
        let changed = with_own.and_then(|version| self.change_to(&version, Edges::default()));
        let changed = changed.or_else(|| self.change_to(left, added))?;
        self.rename(left.name().to_owned(), left.about().map(str::to_owned));
        self.record(strokes, added);
        Some(changed)
    }

    /// Takes a later version of its file. What was painted on the one before cannot be undone any more.
    pub(super) fn reload(&mut self, version: &MapContent) -> Option<TerrainChanged> {
        let mut changed = self.change_to(version, Edges::default())?;
        changed.cause = ChangeCause::Reload;
        self.history = History::new(version.clone());
        self.frame = Frame::new();
        self.is_file_gone = false;
        Some(changed)
    }

    /// Replaces the map as it is drawn by another version, in which this was added at the edges.
    fn change_to(&mut self, version: &MapContent, added: Edges) -> Option<TerrainChanged> {
        let mut undo = match self.few_edits_to(version) {
            Some(edits) => self.paint(&edits).ok()?,
            None => {
                let (mut map, drawn) = self.drawn_map();
                let changed = map.change_to(version).ok()?;
                let mut undo = self.open(map);
                undo.extend(changed);
                undo.extend(drawn);
                undo
            }
        };
        self.rename(version.name().to_owned(), version.about().map(str::to_owned));
        if added != Edges::default() {
            self.frame.added = self.frame.added.plus(added);
            // The edits refer to cells that have moved.
            undo.clear();
        }
        Some(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None })
    }

    /// The map without the choice for its volcanoes, and the edits that lead from there to what is shown.
    fn drawn_map(&self) -> (Map, Vec<CellEdit>) {
        let mut map = self.map().clone();
        let undo = map.apply(&self.world().as_drawn()).unwrap_or_default();
        (map, undo)
    }

    /// Goes on with another version of the map, as it is drawn. Returns the edits that undo the choice for the volcanoes.
    fn open(&mut self, map: Map) -> Vec<CellEdit> {
        let (volcanoes, day) = (self.volcanoes(), self.day());
        log_refusal(self.live.timeline.open(map));
        self.set_day(day);
        self.choose(volcanoes).undo
    }

    /// Whether closing the window would lose something: changes, or a map whose file is gone.
    pub fn is_unsaved(&self) -> bool {
        self.is_file_gone || self.history.is_unsaved()
    }

    /// Records that the current map is saved.
    pub(in crate::game) fn mark_saved(&mut self) {
        self.is_file_gone = false;
        self.history.mark_saved();
    }

    /// Whether its file is gone.
    pub(super) fn is_file_gone(&self) -> bool {
        self.is_file_gone
    }

    /// Records whether its file is gone.
    pub(super) fn note_file(&mut self, is_gone: bool) {
        self.is_file_gone = is_gone;
    }

    /// Calls off the eruption that is announced. The volcanoes stay as they are.
    pub(in crate::game) fn call_off(&mut self) {
        let choice = self.volcanoes();
        log_refusal(self.live.timeline.push(Order::Volcanoes(choice)));
    }

    /// Sets the choice for all volcanoes.
    pub(in crate::game) fn choose(&mut self, volcanoes: VolcanoChoice) -> TerrainChanged {
        let undo = self.live.timeline.push(Order::Volcanoes(volcanoes)).unwrap_or_default();
        self.find_volcanoes();
        TerrainChanged { undo, cause: ChangeCause::Eruption, old_costs: None }
    }

    /// Finds the volcanoes again if one of them has changed.
    fn note_volcanoes(&mut self, undo: &[CellEdit]) {
        if undo.iter().any(|edit| self.is_about_volcano(edit)) {
            self.find_volcanoes();
        }
    }

    fn find_volcanoes(&mut self) {
        self.erupting = self.map().erupting();
        self.any_dormant = self.map().any_dormant();
    }

    /// The cells of the volcanoes that erupt now, row by row.
    pub fn erupting(&self) -> &[Cell] {
        &self.erupting
    }

    /// Whether there is a dormant volcano.
    pub fn any_dormant(&self) -> bool {
        self.any_dormant
    }
}

/// Logs why the world has not changed, if it has not.
fn log_refusal<T>(changed: Result<T, OrderError>) {
    if let Err(error) = changed {
        debug!("refused: {error}");
    }
}

/// Logs which map is loaded.
pub(super) fn log_loaded(map: &MapContent) {
    let size = map.size();
    info!(name = ?map.name(), width = size.width, height = size.height, "map loaded");
}

/// Tells other plugins what has changed, or to draw everything again where that is quicker. A change of size has no edits,
/// and its consequences follow by themselves.
pub(in crate::game) fn tell(
    changed: TerrainChanged,
    changes: &mut MessageWriter<TerrainChanged>,
    commands: &mut Commands,
) {
    if changed.undo.len() > MAX_REDRAWN {
        commands.trigger(MapShown { keeps_cells: true });
    } else if !changed.undo.is_empty() {
        changes.write(changed);
    }
}

/// Logs that another map is open, and triggers the events for it.
pub(in crate::game) fn announce(map: &Map, commands: &mut Commands) {
    log_loaded(map);
    commands.trigger(MapOpened);
    commands.trigger(MapShown { keeps_cells: false });
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, announce_first);
}

fn announce_first(map: Res<OpenMap>, mut commands: Commands) {
    announce(&map, &mut commands);
}
