//! Zooms, fits, pans and centres the view when the player asks for it.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::viewport::{Viewport, cell_point, feet_point};
use crate::game::world::open_map::OpenMap;

use super::pan_keys::pan_by_keys;

/// The distance that one action pans, in physical pixels.
const PAN_STEP: i32 = 120;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, act_on_view.after(pan_by_keys).in_set(AppSystems::Listen));
}

/// Carries out the actions that change the view.
pub(super) fn act_on_view(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    traveller: Single<Traveller, With<Player>>,
    mut view: ResMut<Viewport>,
) {
    for action in actions.read() {
        match *action {
            Action::Zoom { zoom, towards } if view.can_zoom(zoom, map.projection()) => {
                view.zoom_towards(zoom, towards);
                view.keep_map_visible(map.projection());
                // The player has zoomed in on something else.
                if view.distance_into_view(feet_point(traveller.feet(), &map), Vec2::ZERO) != Vec2::ZERO {
                    view.set_follows(false);
                }
            }
            Action::LookAt(cell) => view.look_at(cell_point(cell, &map)),
            Action::LookAtPoint(point) => view.look_at_nearest(point, map.projection()),
            Action::Fit => view.fit(map.projection()),
            Action::Pan(direction) => {
                let (dx, dy) = direction.offset();
                view.pan(-IVec2::new(dx, dy) * PAN_STEP, map.projection());
            }
            _ => {}
        }
    }
}
