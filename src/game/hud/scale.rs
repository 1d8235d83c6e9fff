//! The scale of the HUD, which depends on the size of the window.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, scale_ui.in_set(AppSystems::Show));
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
pub(super) fn ui_scale(window: &Window) -> f32 {
    let ratio = (window.width() / 1280.0).min(window.height() / 720.0);
    let wanted = (1.0 + (ratio - 1.0) / 2.0).clamp(0.75, 3.0);
    // Rounded to eighths, so that a resize does not rasterise the glyphs again at every pixel.
    (wanted * 8.0).round() / 8.0
}
