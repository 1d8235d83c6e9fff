//! The cells where something will be built as soon as the people in them have stepped aside.

use std::collections::HashSet;

use bevy::prelude::*;
use emberwalk_path::grid::Cell;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;

use super::town::People;

/// The cells in which an edit of the map waits until nobody is there.
#[derive(Resource, Default, PartialEq, Eq)]
pub(in crate::game) struct Scaffolds(pub HashSet<Cell>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Scaffolds>()
        .add_systems(Update, find.run_if(resource_changed::<People>).after(AppSystems::Walk).before(AppSystems::Show));
}

fn find(map: Res<OpenMap>, mut scaffolds: ResMut<Scaffolds>) {
    let waiting = map.town().into_iter().flat_map(|town| town.crowd().waiting_edits());
    scaffolds.set_if_neq(Scaffolds(waiting.map(|edit| edit.cell).collect()));
}
