//! The route of a traveller to its goal, and how much of it has been walked.

use bevy::prelude::*;

use crate::game::world::open_map::MapOpened;
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Route, RouteCost, StepRules};

use super::planning::Reach;
use super::traveller::Traveller;

/// The route of a traveller to its goal. After arrival, it is the route from the cell where the traveller set out to
/// its current cell. It changes only when it is planned again.
#[derive(Component, Default)]
pub struct PlannedRoute {
    pub(super) reach: Reach,
    pub(super) route: Route,
}

/// How much of its route a traveller has walked.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The index in the route of the cell in which the traveller stands, or which it is entering.
    pub(super) index: usize,
    /// Whether the traveller has reached the end of this route, and this was logged.
    pub(super) arrived: bool,
}

/// Whether the route of a traveller is being planned in the background. Until then it keeps its old route.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IsPlanning(pub bool);

impl PlannedRoute {
    /// The target that the route reaches.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The whole route, from where it was planned to its end; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        if self.reach == Reach::Nowhere { &[] } else { &self.route.cells }
    }

    /// The cost of the whole route, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.route.cost.tiles()
    }

    /// The rest of the route: the cell in which the traveller stands or which it is entering, and those after
    /// it.
    pub(in crate::game) fn cells_to_go(&self, progress: &Progress) -> &[Cell] {
        self.cells().get(progress.index..).unwrap_or_default()
    }

    /// The cost of the steps that the traveller has not begun, in grass tiles. `None` if the map has changed
    /// and one of them is no longer possible.
    pub(in crate::game) fn cost_to_go(&self, progress: &Progress, map: &Map, rules: StepRules) -> Option<f64> {
        let step_cost = |step: &[Cell]| rules.step_cost(map.costs(), step[0], step[1]);
        self.cells_to_go(progress).windows(2).map(step_cost).sum::<Option<RouteCost>>().map(RouteCost::tiles)
    }
}

impl Progress {
    /// Whether the end of the route has been reached.
    pub fn arrived(&self) -> bool {
        self.arrived
    }

    /// The number of steps that the traveller has walked, with the completed fraction of the current step.
    pub(in crate::game) fn steps_walked(&self, traveller: &Traveller) -> f64 {
        let ahead = traveller.leaving().map_or(0.0, |(_, done)| 1.0 - done);
        self.index as f64 - ahead
    }
}

/// Drops the routes on the previous map, which are meaningless on the new one.
fn forget_routes(_: On<MapOpened>, mut routes: Query<&mut PlannedRoute>) {
    for mut route in &mut routes {
        *route = PlannedRoute::default();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Traveller, PlannedRoute>();
    app.register_required_components::<Traveller, Progress>();
    app.register_required_components::<Traveller, IsPlanning>();
    app.add_observer(forget_routes);
}
