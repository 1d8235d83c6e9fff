//! The way of the selected traveller to its goal, if only one is selected.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::planning::{Planning, Urgency};
use bevy_emberwalk::AskedRoute;
use emberwalk_path::grid::Cell;

use super::selected::SelectedPeople;
use super::town::People;

/// The cheapest route of the selected traveller, from where it is.
#[derive(Resource, Default)]
pub struct SelectedWay(AskedRoute);

impl SelectedWay {
    /// The cells; empty without a route.
    pub fn cells(&self) -> &[Cell] {
        self.0.routes.last().map_or(&[], |(_, found)| &found.route.cells)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SelectedWay>().add_systems(Update, plan.in_set(AppSystems::Plan));
}

fn plan(people: Res<People>, selected: Res<SelectedPeople>, mut planning: Planning, mut way: ResMut<SelectedWay>) {
    let state = selected.one().and_then(|agent| people.town()?.crowd().state(agent));
    let wanted = state.filter(|state| !state.has_arrived).and_then(|state| {
        let from = state.step.map_or(state.cell, |step| step.to);
        Some(planning.query(from, state.goal?))
    });
    if wanted.is_some() || !way.cells().is_empty() {
        planning.follow(&mut way.bypass_change_detection().0, Urgency::Preview, wanted);
    }
}
