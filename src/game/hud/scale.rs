//! The scale of the HUD, which depends on the size of the window, and what a small window leaves out.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (scale_ui, leave_out).in_set(AppSystems::Show));
}

/// A node that is left out in a small window, where it would hide the map.
#[derive(Component)]
pub(super) struct OnlyWithRoom;

/// The least size of a window that is not small, in logical pixels of the HUD.
const ROOM: Vec2 = Vec2::new(500.0, 400.0);

/// Shows or hides what a small window leaves out.
fn leave_out(
    window: Query<Ref<Window>, With<PrimaryWindow>>,
    added: Query<(), Added<OnlyWithRoom>>,
    mut nodes: Query<&mut Node, With<OnlyWithRoom>>,
) {
    let Ok(window) = window.single() else { return };
    if window.is_changed() || !added.is_empty() {
        let has_room = (window.size() / ui_scale(&window)).cmpge(ROOM).all();
        let display = if has_room { Display::DEFAULT } else { Display::None };
        for mut node in nodes.iter_mut().filter(|node| node.display != display) {
            node.display = display;
        }
    }
}

/// Scales the HUD with the window; it grows half as fast as the window.
fn scale_ui(window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>, mut scale: ResMut<UiScale>) {
    let Ok(window) = window.single() else { return };
    let wanted = ui_scale(window);
    if scale.0 != wanted {
        scale.0 = wanted;
    }
}

/// Returns the scale of the HUD in a window.
fn ui_scale(window: &Window) -> f32 {
    let ratio = (window.width() / 1280.0).min(window.height() / 720.0);
    let wanted = (1.0 + (ratio - 1.0) / 2.0).clamp(0.75, 3.0);
    // Rounded to eighths, so that a resize does not rasterise the glyphs again at every pixel.
    (wanted * 8.0).round() / 8.0
}
