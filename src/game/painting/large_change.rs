//! Changes that are made as a whole: strokes of very many cells, undo and redo, other sizes, and what is restored after a
//! crash. Those of very many cells are computed in the background.

use std::sync::Arc;
use std::time::Duration;

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::{Job, Jobs, Progress};
use crate::game::notice::Notice;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::{ChangeCause, MAX_REDRAWN, TerrainChanged, count_cells};
use emberwalk_map::clock::Instant;
use emberwalk_map::editing::{Recovery, Step};
use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{Edges, MapContent};

use super::recovery::MAX_TEXT_IN_FRAME;
use super::stroke_part::StrokePart;

/// More cells than this are changed in the background.
pub(super) const MAX_IN_FRAME: usize = 1 << 16;

/// The change that is being computed, if there is one. Until it is done, nothing else is painted.
#[derive(Resource, Default)]
pub struct LargeChange(Option<Running>);

/// What is done.
#[derive(Clone)]
pub(in crate::game) enum Change {
    /// A stroke is painted, which the log calls this.
    Paint(StrokePart, String),
    /// A stroke is undone or done again.
    Step(Step),
    /// Rows and columns are added or removed; new cells have this ground.
    Resize(Edges, TerrainId),
    /// What a crash has left is restored.
    Restore(Arc<Recovery>),
}

/// What a change has done, `None` if nothing, or why it is not possible.
type Changed = Result<Option<Made>, String>;

/// What a change has done.
struct Made {
    terrain: TerrainChanged,
    /// The number of cells that were painted.
    cells: usize,
}

/// What a crash has left was restored in the background.
#[derive(Event)]
pub(super) struct Restored {
    /// Why it was not.
    pub refusal: Option<String>,
}

struct Running {
    change: Change,
    since: Instant,
    /// Which map is changed, and when that was changed last.
    opened: u64,
    version: Tick,
    /// The changed map.
    result: Job<(OpenMap, Changed)>,
}

impl LargeChange {
    /// Whether one is being computed.
    pub fn is_running(&self) -> bool {
        self.0.is_some()
    }

    /// Returns what is done, for a panel, and for how long by now.
    pub fn shown(&self) -> Option<(&'static str, Duration)> {
        let running = self.0.as_ref()?;
        let title = match running.change {
            Change::Paint(..) => "Painting",
            Change::Step(Step::Undo) => "Undoing",
            Change::Step(Step::Redo) => "Redoing",
            Change::Resize(..) => "Changing the size of the map",
            Change::Restore(_) => "Restoring the strokes",
        };
        Some((title, running.since.elapsed()))
    }

    /// Gives it up, if there is one: the map stays as it is.
    pub(in crate::game) fn stop(&mut self, notices: &mut MessageWriter<Notice>) {
        if self.0.take().is_some() {
            info!("stopped");
            notices.write(Notice("Stopped: the map is as it was.".into()));
        }
    }

    /// Makes a change now, and returns what other plugins are told of it, or why it is not possible. A large change is
    /// computed in the background: then there is no result yet.
    pub(in crate::game) fn make(
        &mut self,
        change: Change,
        map: &mut ResMut<OpenMap>,
        jobs: &Jobs,
    ) -> Option<Result<Option<TerrainChanged>, String>> {
        map.bypass_change_detection().finish_stroke();
        if change.is_large(map) {
            self.0 = Some(Running::start(change, Instant::now(), map, jobs));
            return None;
        }
        let changed = change.make(map);
        Some(change.tell(changed))
    }
}

impl Running {
    fn start(change: Change, since: Instant, map: &mut ResMut<OpenMap>, jobs: &Jobs) -> Self {
        map.bypass_change_detection().finish_stroke();
        let (of_map, mut later) = (change.clone(), map.successor());
        let make = move |_: &Progress| {
            let changed = of_map.make(&mut later);
            (later, changed)
        };
        Self {
            change,
            since,
            opened: map.frame().opened,
            version: map.last_changed(),
            result: jobs.start("Changing the map", make),
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
            Self::Restore(left) => left.text.len() > MAX_TEXT_IN_FRAME,
        }
    }

    /// Changes a map.
    fn make(&self, map: &mut OpenMap) -> Changed {
        let mut cells = 0;
        let terrain = match self {
            Self::Paint(part, _) => {
                let painted = part.paint(map);
                if let (Some(refusal), true) = (painted.refusals.first(), painted.edits.is_empty()) {
                    return Err(format!("{refusal}."));
                }
                cells = count_cells(&painted.edits);
                let changed = map.edit(&painted.edits).map_err(|error| format!("{error}."))?;
                map.finish_stroke().then_some(changed)
            }
            Self::Step(step) => map.step(*step),
            Self::Resize(edges, ground) => {
                map.resize(*edges, *ground).map_err(|error| format!("The map keeps its size: {error}."))?;
                Some(TerrainChanged { undo: Vec::new(), cause: ChangeCause::Edit, old_costs: None })
            }
            Self::Restore(left) => {
                let content = MapContent::parse(map.name(), &left.text, map.tileset());
                map.restore(&content.map_err(|errors| errors.to_string())?, left.strokes)
            }
        };
        Ok(terrain.map(|terrain| Made { terrain, cells }))
    }

    /// Logs that it was made, and returns what other plugins are told.
    fn tell(&self, changed: Changed) -> Result<Option<TerrainChanged>, String> {
        let Some(Made { terrain, cells }) = changed? else { return Ok(None) };
        match self {
            Self::Paint(_, name) => info!(cells, terrain = ?name, "painted"),
            Self::Step(Step::Undo) => info!("undone"),
            Self::Step(Step::Redo) => info!("redone"),
            Self::Resize(..) | Self::Restore(_) => {}
        }
        // A change of the size has no edits, and what belongs to it follows by itself.
        Ok(Some(terrain).filter(|terrain| !terrain.undo.is_empty()))
    }
}

pub(super) fn plugin(app: &mut App) {
    // Before the actions, so that what begins with one of them is never done in the same frame.
    app.init_resource::<LargeChange>().add_systems(Update, finish.in_set(AppSystems::Listen));
}

/// Shows the changed map once it is there.
fn finish(
    mut large: ResMut<LargeChange>,
    mut map: ResMut<OpenMap>,
    jobs: Res<Jobs>,
    mut changes: MessageWriter<TerrainChanged>,
    mut notices: MessageWriter<Notice>,
    mut commands: Commands,
) {
    let Some(running) = &mut large.bypass_change_detection().0 else { return };
    if running.opened != map.frame().opened {
        // Another map was opened.
        large.0 = None;
        return;
    }
    let Some(result) = running.result.take() else { return };
    let Ok((later, changed)) = result else {
        large.0 = None;
        return;
    };
    if running.version != map.last_changed() {
        // The map was changed meanwhile, by an eruption or a wall.
        *running = Running::start(running.change.clone(), running.since, &mut map, &jobs);
        return;
    }
    let Some(Running { change, .. }) = large.0.take() else { return };
    if let Ok(Some(_)) = changed {
        map.succeed(later);
    }
    let refusal = match change.tell(changed) {
        Ok(Some(terrain)) if terrain.undo.len() > MAX_REDRAWN => {
            commands.trigger(MapShown { keeps_cells: true });
            None
        }
        Ok(terrain) => {
            changes.write_batch(terrain);
            None
        }
        Err(refusal) => Some(refusal),
    };
    if let Change::Restore(_) = change {
        commands.trigger(Restored { refusal });
    } else {
        notices.write_batch(refusal.map(Notice));
    }
}
