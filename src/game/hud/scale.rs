//! The scale of the HUD, which depends on the size of the window and of text, and what a small window leaves out.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::text_size::TextSize;

use super::widgets::set_shown;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (scale_ui, leave_out).in_set(AppSystems::Show));
}

/// A node that is left out in a small window, where it would hide the map.
#[derive(Component)]
#[require(LeastRoom)]
pub(super) struct OnlyWithRoom;

/// The size of a window from which on a node is not left out, in logical pixels of the HUD.
#[derive(Component, Clone, Copy)]
pub(super) struct LeastRoom(pub Vec2);

impl Default for LeastRoom {
    fn default() -> Self {
        Self(Vec2::new(500.0, 400.0))
    }
}

/// The scale of the HUD, with that of the display.
#[derive(SystemParam)]
pub(super) struct PhysicalScale<'w, 's> {
    scale: Res<'w, UiScale>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl PhysicalScale<'_, '_> {
    /// Returns the physical pixels in a logical pixel of the HUD.
    pub fn get(&self) -> f32 {
        self.scale.0 * self.window.single().map_or(1.0, Window::scale_factor)
    }
}

/// Text may be so large that a window still has room for this much, in logical pixels of the HUD.
const LEAST: Vec2 = Vec2::new(360.0, 270.0);

/// Shows or hides what a small window leaves out.
fn leave_out(
    window: Query<Ref<Window>, With<PrimaryWindow>>,
    text_size: Res<TextSize>,
    added: Query<(), Added<LeastRoom>>,
    mut nodes: Query<(&LeastRoom, &mut Node)>,
) {
    let Ok(window) = window.single() else { return };
    if window.is_changed() || text_size.is_changed() || !added.is_empty() {
        let room = window.size() / ui_scale(window.size(), *text_size);
        for (least, mut node) in &mut nodes {
            set_shown(&mut node, room.cmpge(least.0).all());
        }
    }
}

/// Scales the HUD with the window, and with the size of text that the player has chosen.
fn scale_ui(window: Query<Ref<Window>, With<PrimaryWindow>>, text_size: Res<TextSize>, mut scale: ResMut<UiScale>) {
    let Ok(window) = window.single() else { return };
    if window.is_changed() || text_size.is_changed() {
        let wanted = ui_scale(window.size(), *text_size);
        if scale.0 != wanted {
            scale.0 = wanted;
        }
    }
}

/// Returns the scale of the HUD in a window of this size in logical pixels. It grows half as fast as the window.
fn ui_scale(window: Vec2, text_size: TextSize) -> f32 {
    let ratio = (window / Vec2::new(1280.0, 720.0)).min_element();
    let normal = (1.0 + (ratio - 1.0) / 2.0).clamp(0.75, 3.0);
    // Large text would leave no room for the panels of a small window.
    let most = (window / LEAST).min_element().max(normal);
    let wanted = (normal * text_size.factor()).min(most);
    // Rounded to eighths, so that a resize does not rasterise the glyphs again at every pixel.
    (wanted * 8.0).round() / 8.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Vec2 = Vec2::new(1280.0, 720.0);

    #[test]
    fn the_hud_grows_with_the_text_and_half_as_fast_with_the_window() {
        assert_eq!(ui_scale(FIRST, TextSize::default()), 1.0);
        assert_eq!(ui_scale(FIRST * 2.0, TextSize::default()), 1.5);
        assert_eq!(ui_scale(FIRST, TextSize::LARGE), 1.5);
        assert_eq!(ui_scale(FIRST * 2.0, TextSize::LARGE), 2.25);
    }

    #[test]
    fn a_small_window_keeps_room_for_its_panels() {
        let smallest = Vec2::new(320.0, 240.0);
        assert_eq!(ui_scale(smallest, TextSize::LARGEST), ui_scale(smallest, TextSize::default()).max(0.875));
        for width in (320..2000).step_by(40) {
            for height in (240..1200).step_by(40) {
                let window = Vec2::new(width as f32, height as f32);
                let normal = ui_scale(window, TextSize::default());
                for size in [TextSize::LARGE, TextSize::LARGEST] {
                    let scale = ui_scale(window, size);
                    // The scale is rounded to eighths.
                    let has_room = (window / scale).cmpge(LEAST * 0.92).all();
                    assert!(has_room || scale == normal, "{window} {size:?}: {scale}");
                }
            }
        }
    }
}
