//! How much time searches for routes may take.

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::NavGrid;

/// How many cells searches for routes may expand in each 1/64 second of the time of a [`NavGrid`], over all its agents;
/// see [`Crowd::set_search_budget`](emberwalk_crowd::Crowd::set_search_budget). Searches that need more continue later,
/// searches to the nearest goals first, so that no frame waits for them; until then, the [`NavState`](crate::NavState)
/// of their agents is `Planning`.
///
/// It is a number of cells, not a time: so the same orders give the same moves on every machine. A cell takes some 0.1
/// microseconds, and on a [prepared](NavGrid::prepared) grid, where searches expand a tenth as many, each counts as three.
///
/// ```
/// use bevy_app::App;
/// use bevy_emberwalk::prelude::*;
/// App::new().add_plugins(EmberwalkPlugins).insert_resource(PlanningBudget(20_000));
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PlanningBudget(pub u64);

impl Default for PlanningBudget {
    /// 50,000: some 5 to 7 milliseconds, a part of a frame at 60 frames per second.
    fn default() -> Self {
        Self(50_000)
    }
}

/// Gives all crowds the budget.
pub(super) fn set_budgets(budget: Res<PlanningBudget>, mut grids: Query<&mut NavGrid>) {
    for mut grid in &mut grids {
        grid.bypass_change_detection().crowd_mut().set_search_budget(budget.0);
    }
}
