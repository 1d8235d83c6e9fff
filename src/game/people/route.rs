//! The route of the selected traveller to its goal, if only one is selected.

use bevy::prelude::*;
use emberwalk_path::grid::Cell;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;

use super::selected::SelectedPeople;
use super::town::People;

/// The cells of the selected traveller's route, from where it is; none without a route.
#[derive(Resource, Default, PartialEq, Eq)]
pub struct SelectedRoute(pub Vec<Cell>);

pub(super) fn plugin(app: &mut App) {
    let is_outdated = resource_changed::<People>.or_else(resource_changed::<SelectedPeople>);
    app.init_resource::<SelectedRoute>()
        .add_systems(Update, find.run_if(is_outdated).after(AppSystems::Walk).before(AppSystems::Show));
}

fn find(map: Res<OpenMap>, selected: Res<SelectedPeople>, mut route: ResMut<SelectedRoute>) {
    let crowd = map.town().map(|town| town.crowd());
    let cells = selected.one().zip(crowd).and_then(|(agent, crowd)| {
        let is_on_the_way = !crowd.state(agent)?.has_arrived;
        is_on_the_way.then(|| crowd.route(agent))
    });
    route.set_if_neq(SelectedRoute(cells.unwrap_or_default()));
}
