//! Changes that are made as a whole: strokes of very many cells, undo and redo, resizing, and restoring after a crash.
//! Changes of very many cells are computed in the background.

use std::sync::Arc;
use std::time::Duration;

use bevy::ecs::change_detection::Tick;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::screen::notice::{Hint, Notice};
use crate::game::world::open_map::{OpenMap, tell};
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged, count_cells};
use emberwalk_jobs::Job;
use emberwalk_map::clock::Instant;
use emberwalk_map::diagnostics::as_sentence;
use emberwalk_map::editing::{MissingCrossing, Recovery, Step};
use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{Edges, MapContent};
use emberwalk_world::VolcanoChoice;

use super::brush::CrossingAdvice;
use super::stroke_part::StrokePart;

/// More cells than this are changed in the background.
pub(super) const MAX_IN_FRAME: usize = 1 << 16;

/// The change that is being computed, if there is one. Until it is done, nothing else is painted.
#[derive(Resource, Default)]
pub struct LargeChange {
    running: Option<Running>,
    /// The outcome of the last restoring, until it is read.
    restored: Option<RestoreEnd>,
}

/// The outcome of restoring strokes after a crash.
pub(super) enum RestoreEnd {
    Restored,
    /// The strokes could not be restored.
    Refused(String),
    Stopped,
}

/// The kind of change.
#[derive(Clone)]
pub(in crate::game) enum Change {
    /// A stroke is painted; this is its name in the log.
    Paint(StrokePart, String),
    /// A stroke is undone or redone.
    Step(Step),
    /// Rows and columns are added or removed; new cells have this ground.
    Resize(Edges, TerrainId),
    /// Strokes from before a crash are restored.
    Restore(Arc<Recovery>),
}

/// The effect of a change, `None` if it has none, or why it is not possible.
type Changed = Result<Option<Made>, String>;

/// The effect of a change.
struct Made {
    terrain: TerrainChanged,
    /// The number of cells that were painted.
    cells: usize,
    missing_crossing: Option<MissingCrossing>,
}

struct Running {
    change: Change,
    since: Instant,
    /// The map to change, and its last change.
    opened: u64,
    version: Tick,
    /// The changed map.
    result: Job<(OpenMap, Changed)>,
}

impl LargeChange {
    /// Whether one is being computed.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The name of the change, for a panel, and how long it has taken so far.
    pub fn shown(&self) -> Option<(&'static str, Duration)> {
        let running = self.running.as_ref()?;
        let title = match running.change {
            Change::Paint(..) => "Painting",
            Change::Step(Step::Undo) => "Undoing",
            Change::Step(Step::Redo) => "Redoing",
            Change::Resize(..) => "Resizing the map",
            Change::Restore(_) => "Restoring the strokes",
        };
        Some((title, running.since.elapsed()))
    }

    /// Cancels the change, if there is one, so that the map does not change. Returns the notice for the player.
    pub(in crate::game) fn stop(&mut self) -> Option<Notice> {
        let Running { change, .. } = self.running.take()?;
        self.note_stopped(&change);
        info!("stopped");
        Some(Notice("Stopped: the map is unchanged.".into()))
    }

    /// The outcome of the restoring; returned once.
    pub(super) fn take_restored(&mut self) -> Option<RestoreEnd> {
        self.restored.take()
    }

    fn note_stopped(&mut self, change: &Change) {
        self.restored = matches!(change, Change::Restore(_)).then_some(RestoreEnd::Stopped);
    }
}

/// Changes the open map.
#[derive(SystemParam)]
pub(in crate::game) struct Changer<'w, 's> {
    pub map: ResMut<'w, OpenMap>,
    pub large: ResMut<'w, LargeChange>,
    pub jobs: Res<'w, Jobs>,
    pub changes: MessageWriter<'w, TerrainChanged>,
    pub notices: MessageWriter<'w, Notice>,
    pub hints: MessageWriter<'w, Hint>,
    pub advice: ResMut<'w, CrossingAdvice>,
    commands: Commands<'w, 's>,
}

impl Changer<'_, '_> {
    /// Makes a change: a large one in the background. If it is not possible, tells the player.
    pub fn make(&mut self, change: Change) {
        self.map.finish_stroke();
        if change.is_large(&self.map) {
            self.start(change, Instant::now());
        } else {
            let changed = change.make(&mut self.map);
            self.end(&change, changed);
        }
    }

    /// Makes the window warn the player of a crossing that is missing, once per stroke.
    pub(in crate::game) fn warn_of(&mut self, missing: Option<MissingCrossing>) {
        if missing.is_some() && self.advice.0.is_none() {
            self.advice.0 = missing;
        }
    }

    fn start(&mut self, change: Change, since: Instant) {
        let of_map = change.clone();
        let mut later = self.map.successor();
        let result = self.jobs.start("Changing the map", move |_| {
            let drawn = later.choose(VolcanoChoice::AsDrawn).undo;
            let mut changed = of_map.make(&mut later);
            if let Ok(Some(Made { terrain, .. })) = &mut changed {
                terrain.add_earlier(drawn);
            }
            (later, changed)
        });
        let opened = self.map.frame().opened;
        let version = self.map.last_changed();
        self.large.running = Some(Running { change, since, opened, version, result });
    }

    /// Logs that a change was made, and tells other plugins; or tells the player why it is not possible.
    fn end(&mut self, change: &Change, changed: Changed) {
        let mut refusal = None;
        match changed {
            Ok(None) => {}
            Ok(Some(Made { terrain, cells, missing_crossing })) => {
                self.warn_of(missing_crossing);
                match change {
                    Change::Paint(_, name) => info!(cells, terrain = ?name, "painted"),
                    Change::Step(Step::Undo) => info!("undone"),
                    Change::Step(Step::Redo) => info!("redone"),
                    Change::Resize(..) | Change::Restore(_) => {}
                }
                tell(terrain, &mut self.changes, &mut self.commands);
            }
            Err(reason) => refusal = Some(reason),
        }
        if let Change::Restore(_) = change {
            self.large.restored = Some(refusal.map_or(RestoreEnd::Restored, RestoreEnd::Refused));
        } else {
            self.notices.write_batch(refusal.map(Notice));
        }
    }
}

impl Change {
    /// Whether it may change very many cells.
    fn is_large(&self, map: &OpenMap) -> bool {
        let is_other_version = |version: &MapContent| match map.differing_cells(version) {
            Some(mut cells) => cells.nth(MAX_IN_FRAME).is_some(),
            None => map.size().area().max(version.size().area()) > MAX_IN_FRAME,
        };
        match self {
            Self::Paint(part, _) => part.max_cells() > MAX_IN_FRAME,
            Self::Step(step) => map.history().neighbour(*step).is_some_and(|(version, _)| is_other_version(version)),
            Self::Resize(edges, _) => {
                let after = edges.resized(map.size()).unwrap_or(map.size());
                map.size().area().max(after.area()) > MAX_IN_FRAME
            }
            Self::Restore(_) => map.size().area() > MAX_IN_FRAME,
        }
    }

    /// Changes a map.
    fn make(&self, map: &mut OpenMap) -> Changed {
        let mut cells = 0;
        let mut missing_crossing = None;
        let terrain = match self {
            Self::Paint(part, _) => {
                let painted = part.paint(map);
                if let Some(refusal) = painted.refusals.first()
                    && painted.edits.is_empty()
                {
                    return Err(as_sentence(refusal));
                }
                cells = count_cells(&painted.edits);
                missing_crossing = painted.missing_crossing;
                let changed = map.edit(&painted.edits).map_err(as_sentence)?;
                map.finish_stroke().then_some(changed)
            }
            Self::Step(step) => map.step(*step),
            Self::Resize(edges, ground) => {
                map.resize(*edges, *ground).map_err(|error| format!("The map was not resized: {error}."))?;
                Some(TerrainChanged { undo: Vec::new(), cause: ChangeCause::Edit, old_costs: None })
            }
            Self::Restore(left) => {
                let content = MapContent::parse(map.name(), &left.text, map.tileset());
                map.restore(&content.map_err(|errors| errors.to_string())?, left.strokes)
            }
        };
        Ok(terrain.map(|terrain| Made { terrain, cells, missing_crossing }))
    }
}

pub(super) fn plugin(app: &mut App) {
    // Before the actions, so that a change never starts and finishes in the same frame.
    app.init_resource::<LargeChange>().add_systems(Update, finish.in_set(AppSystems::Listen));
}

/// Shows the changed map when it is ready.
fn finish(mut changer: Changer) {
    let Some(running) = &changer.large.running else { return };
    if running.opened != changer.map.frame().opened {
        // Another map was opened.
        changer.large.running = None;
        return;
    }
    let Some(result) = running.result.take() else { return };
    let Some(Running { change, since, version, .. }) = changer.large.running.take() else { return };
    match result {
        Err(_) => changer.large.note_stopped(&change),
        Ok(_) if version != changer.map.last_changed() => {
            // The map was changed meanwhile, by an eruption or a wall.
            changer.map.finish_stroke();
            changer.start(change, since);
        }
        Ok((later, mut changed)) => {
            if let Ok(Some(Made { terrain, .. })) = &mut changed {
                changer.map.succeed(later, terrain);
            }
            changer.end(&change, changed);
        }
    }
}
