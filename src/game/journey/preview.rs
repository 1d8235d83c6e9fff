//! The route that a click on the inspected cell would take.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::Screen;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Options, RouteCost};

use super::search::Reach;
use super::search::{Asker, Basis, RouteAsker};
use super::shared_planner::Planning;
use super::traveller::{Player, Traveller};
use super::walking::walk;

/// The route that a click would take.
#[derive(Resource)]
pub struct Preview {
    is_planning: bool,
    asker: RouteAsker,
    /// The question of the last answer; `None` if it is out of date.
    planned: Option<Purpose>,
}

/// The options of the preview, if they differ from the traveller's options.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct PreviewOptions(pub Option<Options>);

/// The question of a preview.
#[derive(Clone, Copy, PartialEq)]
struct Purpose {
    basis: Basis,
    from: Cell,
    to: Cell,
}

impl Default for Preview {
    fn default() -> Self {
        Self { is_planning: false, asker: RouteAsker::new(Asker::Preview), planned: None }
    }
}

impl Preview {
    /// The route; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        if self.reach() == Reach::Nowhere { &[] } else { &self.asker.answer().route.cells }
    }

    /// The target that the route reaches; [`Reach::Nowhere`] also while it is unknown.
    pub fn reach(&self) -> Reach {
        self.planned.map_or(Reach::Nowhere, |_| self.asker.answer().reach)
    }

    /// The cost of the route, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.route_cost().tiles()
    }

    /// The cost of the route, in units.
    pub fn route_cost(&self) -> RouteCost {
        self.asker.answer().route.cost
    }

    /// Whether the route is being planned in the background.
    pub fn is_planning(&self) -> bool {
        self.is_planning
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preview>()
        .init_resource::<PreviewOptions>()
        .add_systems(Update, plan_preview.after(walk).in_set(AppSystems::Walk));
}

/// Plans the route again if the inspected cell, the map, or the cell to start from has changed. The answer for a cell
/// that is not inspected any more is dropped.
fn plan_preview(
    inspected: Res<InspectedCell>,
    screen: Res<Screen>,
    player: Single<&Traveller, With<Player>>,
    options: Res<PreviewOptions>,
    mut planning: Planning,
    mut preview: ResMut<Preview>,
) {
    let options = options.0.unwrap_or(planning.options());
    let basis = Basis::new(planning.map.costs(), options);
    // While the player paints, a click does not send the traveller.
    let target = inspected.0.filter(|_| !screen.is_painting());
    let wanted = player.origin().zip(target).map(|(from, to)| Purpose { basis, from, to });
    if preview.planned != wanted && preview.planned.map(|planned| planned.to) != target {
        preview.planned = None;
    }
    if wanted.is_none() {
        preview.bypass_change_detection().asker.cancel();
    }
    let mut is_pending = false;
    while let Some(Purpose { from, to, .. }) = wanted.filter(|_| preview.planned != wanted) {
        let Preview { planned, asker, .. } = preview.bypass_change_detection();
        let Some((question, _)) = planning.ask_with(options, asker, from, to) else {
            is_pending = true;
            break;
        };
        *planned = Some(Purpose { basis: question.basis, from: question.query.from, to });
        preview.set_changed();
    }
    if preview.is_planning != is_pending {
        preview.is_planning = is_pending;
    }
}
