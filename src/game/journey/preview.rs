//! The route that a click on the inspected cell would take.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::inspected_cell::InspectedCell;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::path::{Query, Route};

use super::shared_planner::{PlanningOptions, Reach, SharedPlanner};
use super::traveller::{Player, Traveller};

/// The route that a click would take.
#[derive(Resource, Default)]
pub struct Preview {
    reach: Reach,
    route: Route,
}

impl Preview {
    /// Returns the route; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        if self.reach == Reach::Nowhere { &[] } else { &self.route.cells }
    }

    /// Returns where the route leads.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Returns the cost of the route, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.route.cost.tiles()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preview>()
        .add_systems(Update, plan_preview.in_set(AppSystems::Walk).run_if(preview_is_outdated));
}

/// Whether the inspected cell, the map, or the cell to start from has changed.
fn preview_is_outdated(
    inspected: Res<InspectedCell>,
    map: Res<OpenMap>,
    player: Single<&Traveller, With<Player>>,
    mut from: Local<Option<Cell>>,
) -> bool {
    let moved = *from != player.origin();
    *from = player.origin();
    moved || inspected.is_changed() || map.is_changed()
}

fn plan_preview(
    inspected: Res<InspectedCell>,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    player: Single<&Traveller, With<Player>>,
    mut planner: ResMut<SharedPlanner>,
    mut preview: ResMut<Preview>,
) {
    let Preview { reach, route } = &mut *preview;
    let (Some(from), Some(to)) = (player.origin(), inspected.0) else {
        *reach = Reach::Nowhere;
        return;
    };
    let query = Query::new(from, to).with_options(options.0);
    if planner.plan(&map, &query, route).is_some() {
        *reach = Reach::Goal;
    } else {
        *reach = Reach::Nearest;
        planner.plan_nearest(&map, &query, route);
    }
}
