//! Moves the transforms of agents.

use std::time::Duration;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::TransformSystems;
use bevy_transform::components::Transform;
use emberwalk_path::time::CrowdTime;

use crate::component::Placement;
use crate::{GridPosition, NavClock, NavGrid};

/// Moves the [`Transform`] of each agent to where it is in the world, by the [layout](NavGrid::layout) of its grid. In 2D,
/// `z` is left alone; [in 3D](crate::CellLayout::in_3d), agents are on the ground, and climb from one level to the next in the
/// course of a step.
///
/// In frames between two fixed steps, agents are drawn between two cells, as far as they have come since the last fixed
/// step.
///
/// ```
/// use bevy_app::{App, PluginGroup};
/// use bevy_emberwalk::{EmberwalkPlugins, EmberwalkTransformPlugin};
/// // A game that draws agents by itself, from their `GridPosition`.
/// App::new().add_plugins(EmberwalkPlugins.build().disable::<EmberwalkTransformPlugin>());
/// ```
pub struct EmberwalkTransformPlugin;

impl Plugin for EmberwalkTransformPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostUpdate, move_transforms.before(TransformSystems::Propagate));
    }
}

fn move_transforms(
    fixed: Option<Res<Time<Fixed>>>,
    grids: Query<(&NavGrid, &NavClock)>,
    mut agents: Query<(Ref<GridPosition>, &Placement, &mut Transform)>,
) {
    let overstep = fixed.map_or(Duration::ZERO, |fixed| fixed.overstep());
    for (position, placement, mut transform) in &mut agents {
        if position.step.is_none() && !position.is_changed() && !transform.is_added() {
            continue;
        }
        let Some(grid) = placement.grid else { continue };
        let Ok((grid, clock)) = grids.get(grid) else { continue };
        let now = clock.now() + CrowdTime::from_seconds(overstep.as_secs_f64() * f64::from(clock.speed.max(0.0)));
        let mut point = grid.point_of(&position, now);
        if !grid.layout().is_in_3d() {
            point.z = transform.translation.z;
        }
        if transform.translation != point {
            transform.translation = point;
        }
    }
}
