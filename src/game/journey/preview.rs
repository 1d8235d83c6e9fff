//! The route that a click on the inspected cell would take.

use bevy::prelude::*;

use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::screen::mode::Screen;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_jobs::planner::AskedRoute;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Options, RouteCost, RouteQuery};

use super::planning::{FoundRoute, GridQuery, Planning, Reach, Urgency, prepare};
use super::traveller::{Player, Traveller};

/// The route that a click would take.
#[derive(Resource, Default)]
pub struct Preview(AskedRoute);

/// The options of the preview, if they differ from the traveller's options.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct PreviewOptions(pub Option<Options>);

impl Preview {
    fn found(&self) -> Option<&FoundRoute> {
        self.0.routes.last().map(|(_, found)| found)
    }

    /// The route; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        self.found().map_or(&[], |found| &found.route.cells)
    }

    /// The target that the route reaches; [`Reach::Nowhere`] also while it is unknown.
    pub fn reach(&self) -> Reach {
        self.found().map_or(Reach::Nowhere, |found| found.reach)
    }

    /// The cost of the route, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.route_cost().tiles()
    }

    /// The cost of the route, in units.
    pub(in crate::game) fn route_cost(&self) -> RouteCost {
        self.found().map_or(RouteCost::ZERO, |found| found.route.cost)
    }

    /// Whether the route is being planned in the background.
    pub fn is_planning(&self) -> bool {
        self.0.routes.is_computing()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preview>()
        .init_resource::<PreviewOptions>()
        .add_systems(Update, plan_preview.after(PassTime).before(prepare).in_set(AppSystems::Walk));
}

/// Plans the route again if the inspected cell, the map, or the cell to start from has changed. The route to a cell that
/// is not inspected any more is dropped.
fn plan_preview(
    inspected: Res<InspectedCell>,
    screen: Res<Screen>,
    player: Single<Traveller, With<Player>>,
    options: Res<PreviewOptions>,
    mut planning: Planning,
    mut preview: ResMut<Preview>,
) {
    let options = options.0.unwrap_or(planning.options());
    // While the player paints, a click does not send the traveller.
    let target = inspected.0.filter(|_| !screen.is_painting());
    let ends = player.origin().zip(target);
    let wanted =
        ends.map(|(from, to)| GridQuery::new(planning.map.costs(), RouteQuery::new(from, to).with_options(options)));
    let shown = preview.0.routes.known().map(|known| known.query.to);
    if shown.is_some() && shown != target {
        preview.0.routes.take();
    }
    while planning.follow(&mut preview.0, Urgency::Preview, wanted) {}
}
