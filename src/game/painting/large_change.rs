//! Changes of very many cells, which are computed beside the frames: large strokes, undoing and redoing them, and what
//! is restored after a crash.

use std::sync::Arc;
use std::time::Duration;

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::{Job, Jobs};
use crate::game::notice::Notice;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::{ChangeCause, MAX_REDRAWN, TerrainChanged, count_cells};
use emberwalk_map::clock::Instant;
use emberwalk_map::editing::Recovery;
use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{Edges, Map};

use super::stroke_part::StrokePart;

/// More cells than this are changed beside the frames.
pub(in crate::game) const MAX_IN_FRAME: usize = 1 << 16;

/// The change that is being computed, if there is one. Until it is done, nothing else is painted.
#[derive(Resource, Default)]
pub struct LargeChange(Option<Running>);

/// What is done.
#[derive(Clone)]
pub(in crate::game) enum Change {
    /// A stroke is painted, which the log calls this.
    Paint(StrokePart, String),
    /// The last stroke is undone.
    Undo,
    /// What was undone last is done again.
    Redo,
    /// Rows and columns are added or removed; new cells have this ground.
    Resize(Edges, TerrainId),
    /// What a crash has left is done again.
    Restore(Arc<Recovery>),
}

/// What a crash has left was done again, beside the frames.
#[derive(Event)]
pub(super) struct StrokesRestored {
    /// How many strokes were possible, from the first on.
    pub count: usize,
}

struct Running {
    change: Change,
    since: Instant,
    /// Which map is changed, and when that was changed last.
    opened: u64,
    version: Tick,
    result: Job<Changed>,
}

/// The changed map.
struct Changed {
    map: OpenMap,
    /// What has changed; `None` if nothing has.
    changed: Option<TerrainChanged>,
    /// The number of cells that were painted.
    cells: usize,
    /// The number of strokes that were restored.
    restored: usize,
    /// Why nothing was painted.
    refusal: Option<Notice>,
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
            Change::Undo => "Undoing",
            Change::Redo => "Redoing",
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

    /// Starts to compute a change.
    pub(in crate::game) fn start(&mut self, change: Change, map: &mut ResMut<OpenMap>, jobs: &Jobs) {
        self.0 = Some(Running::start(change, Instant::now(), map, jobs));
    }
}

impl Running {
    fn start(change: Change, since: Instant, map: &mut ResMut<OpenMap>, jobs: &Jobs) -> Self {
        map.bypass_change_detection().finish_stroke();
        let (of_map, later) = (change.clone(), map.successor());
        Self {
            change,
            since,
            opened: map.frame().opened,
            version: map.last_changed(),
            result: jobs.start("Changing the map", move |_| of_map.make(later)),
        }
    }
}

impl Change {
    /// Changes a map.
    fn make(self, mut map: OpenMap) -> Changed {
        let (mut cells, mut restored, mut refusal) = (0, 0, None);
        let changed = match self {
            Self::Paint(part, _) => {
                let edits = |map: &Map| {
                    let painted = part.paint(map);
                    let refused = painted.refusals.first().filter(|_| painted.edits.is_empty());
                    refusal = refused.map(|refusal| Notice(format!("{refusal}.")));
                    cells = count_cells(&painted.edits);
                    painted.edits
                };
                map.paint_stroke(edits)
            }
            Self::Undo => map.undo(),
            Self::Redo => map.redo(),
            Self::Resize(edges, ground) => match map.resize(edges, ground) {
                Ok(()) => Some(TerrainChanged { undo: Vec::new(), cause: ChangeCause::Edit, old_costs: None }),
                Err(error) => {
                    refusal = Some(Notice(format!("The map keeps its size: {error}.")));
                    None
                }
            },
            Self::Restore(left) => {
                let mut undo = Vec::new();
                for step in &left.steps {
                    let frame = map.frame();
                    let Some(changed) = map.replay(step) else { break };
                    restored += 1;
                    if map.frame() != frame {
                        // The cells of the edits before have moved.
                        undo.clear();
                    }
                    undo.push(changed.undo);
                }
                undo.reverse();
                let changed = TerrainChanged { undo: undo.concat(), cause: ChangeCause::Edit, old_costs: None };
                Some(changed).filter(|_| restored > 0)
            }
        };
        Changed { map, changed, cells, restored, refusal }
    }

    /// Logs that it was made, and how many cells were painted.
    pub(super) fn log(&self, cells: usize) {
        match self {
            Self::Paint(_, name) => info!(cells, terrain = ?name, "painted"),
            Self::Undo => info!("undone"),
            Self::Redo => info!("redone"),
            Self::Resize(..) | Self::Restore(_) => {}
        }
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
    let Ok(Changed { map: later, changed, cells, restored, refusal }) = result else {
        large.0 = None;
        return;
    };
    if running.version != map.last_changed() {
        // The map was changed meanwhile, by an eruption or a wall.
        *running = Running::start(running.change.clone(), running.since, &mut map, &jobs);
        return;
    }
    let running = large.0.take();
    notices.write_batch(refusal);
    if let Some(Running { change: Change::Restore(_), .. }) = running {
        commands.trigger(StrokesRestored { count: restored });
    }
    let (Some(changed), Some(running)) = (changed, running) else { return };
    map.succeed(later);
    running.change.log(cells);
    // A change of the size has no edits, and what belongs to it follows by itself.
    if changed.undo.len() > MAX_REDRAWN {
        commands.trigger(MapShown { keeps_cells: true });
    } else if !changed.undo.is_empty() {
        changes.write(changed);
    }
}
