//! The cell whose opening would help the people who wait the longest, while their traffic is shown.

use bevy::prelude::*;
use emberwalk_jobs::Latest;

use crate::game::action::{Action, OverlayChoice};
use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::TerrainChanged;
use crate::town::Widening;
use emberwalk_path::Stamp;
use emberwalk_path::crowd::CrowdTime;

use super::town::People;

/// How often the question is asked again.
const PERIOD: f64 = 20.0;

/// With more travellers, the simulation would take too long.
const MOST_TRAVELLERS: usize = 1000;

/// A saving below this is not worth an offer, in seconds.
const LEAST: f64 = 0.2;

/// The terrain, and the number of the period.
type Question = (Stamp, u64);

/// The cell; `None` if nobody waits, or if no cell helps.
#[derive(Resource, Default)]
pub struct BestWidening(Latest<Question, Option<Widening>>);

impl BestWidening {
    /// The offer on a map; `None` if the map has changed since the question was asked.
    pub fn offer(&self, map: &OpenMap) -> Option<Widening> {
        let ((stamp, _), widening) = self.0.last()?;
        widening.filter(|widening| widening.saved >= LEAST && *stamp == map.costs().stamp())
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<BestWidening>()
        .add_systems(Update, (open.in_set(AppSystems::Act), find.after(AppSystems::Plan).before(AppSystems::Walk)));
}

fn find(
    choice: Res<OverlayChoice>,
    people: Res<People>,
    map: Res<OpenMap>,
    jobs: Res<Jobs>,
    best: ResMut<BestWidening>,
) {
    let town = people.town().filter(|town| *choice == OverlayChoice::Traffic && town.len() <= MOST_TRAVELLERS);
    // The first minute is not over yet.
    let town = town.filter(|town| town.now() >= CrowdTime::from_seconds(PERIOD));
    let question = town.map(|town| (map.costs().stamp(), (town.now().seconds() / PERIOD) as u64));
    Latest::follow(best.map_unchanged(|best| &mut best.0), question, &jobs, |_| {
        let town = town.cloned();
        let map = map.map().clone();
        jobs.start("Looking for a cell to open", move |_| town.and_then(|town| town.best_widening(&map)))
    });
}

/// Opens the cell.
fn open(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    best: Res<BestWidening>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    let Some(Widening { cell, .. }) =
        best.offer(&map).filter(|_| actions.read().any(|action| *action == Action::Widen))
    else {
        return;
    };
    let edits = map.edits_to_open(&[cell]);
    changes.write_batch(map.edit(&edits));
    map.finish_stroke();
}
