//! The announced eruption: the volcanoes that will erupt, and the ground that will be warm.

use bevy::prelude::*;

use super::open_map::OpenMap;
use crate::game::app_systems::AppSystems;
use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;
use emberwalk_world::changes_by_eruption;

/// The changes by an announced eruption; empty if none is announced. It counts as changed when any of them differs.
#[derive(Resource, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct AnnouncedEruption {
    /// Whether a lesson asks about an eruption that it is going to announce.
    pub is_foretold: bool,
    /// The dormant volcanoes, row by row.
    pub volcanoes: Vec<Cell>,
    /// The cells whose costs will change, row by row, with their costs then.
    pub warmed: Vec<(Cell, Option<EntryCost>)>,
}

impl AnnouncedEruption {
    /// The future cost of a cell, if it will change and the cell will be passable.
    pub fn cost_then(&self, cell: Cell) -> Option<EntryCost> {
        let place = self.warmed.binary_search_by_key(&(cell.y, cell.x), |(cell, _)| (cell.y, cell.x));
        self.warmed[place.ok()?].1
    }
}

/// The time until the announced eruption, in whole seconds, such as `7 s`; `None` if none is announced.
pub(in crate::game) fn countdown(map: &OpenMap) -> Option<String> {
    map.world().announced().map(|left| format!("{:.0} s", left.seconds().ceil()))
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<AnnouncedEruption>()
        .add_systems(Update, look_ahead.after(AppSystems::Walk).before(AppSystems::Show));
}

/// Looks ahead when an eruption is announced or called off, and when the map changes meanwhile.
fn look_ahead(map: Res<OpenMap>, mut announced: ResMut<AnnouncedEruption>, mut was_announced: Local<bool>) {
    let is_foretold = announced.is_foretold;
    let is_announced = is_foretold || map.world().announced().is_some();
    if *was_announced == is_announced && !(is_announced && map.is_changed()) {
        return;
    }
    *was_announced = is_announced;
    let (volcanoes, warmed) = match is_announced {
        true => (map.dormant(), changes_by_eruption(map.map())),
        false => <_>::default(),
    };
    announced.set_if_neq(AnnouncedEruption { is_foretold, volcanoes, warmed });
}
