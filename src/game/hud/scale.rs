//! The scale of the HUD, which depends on the size of the window and of text, and what a small window leaves out.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::input::touch::UsesFingers;
use crate::game::text_size::TextSize;

use super::widgets::set_shown;

/// The width of a window from which on panels are beside each other, in logical pixels of the HUD.
const TWO_PANELS: f32 = 600.0;

/// Whether the window is so narrow, and high enough, that panels are below each other.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IsNarrow(pub bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<IsNarrow>()
        .init_resource::<UsesFingers>()
        .add_systems(Update, (scale_ui, leave_out).chain().in_set(AppSystems::Show));
}

/// A node that is left out in a small window, where it would hide the map.
#[derive(Component)]
#[require(LeastRoom)]
pub(super) struct OnlyWithRoom;

/// The name of a key on a button, or a button for what two fingers do. Who uses fingers needs neither.
#[derive(Component)]
#[require(LeastRoom)]
pub(super) struct NotForFingers;

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

/// Shows or hides what a small window leaves out, and what is not for fingers.
fn leave_out(
    window: Query<Ref<Window>, With<PrimaryWindow>>,
    scale: Res<UiScale>,
    fingers: Res<UsesFingers>,
    added: Query<(), Added<LeastRoom>>,
    mut nodes: Query<(&LeastRoom, Has<NotForFingers>, &mut Node)>,
) {
    let Ok(window) = window.single() else { return };
    if window.is_changed() || scale.is_changed() || fingers.is_changed() || !added.is_empty() {
        let room = window.size() / scale.0;
        for (least, not_for_fingers, mut node) in &mut nodes {
            set_shown(&mut node, room.cmpge(least.0).all() && !(not_for_fingers && fingers.0));
        }
    }
}

/// Scales the HUD with the window, and with the size of text that the player has chosen.
fn scale_ui(
    window: Query<Ref<Window>, With<PrimaryWindow>>,
    text_size: Res<TextSize>,
    fingers: Res<UsesFingers>,
    mut scale: ResMut<UiScale>,
    mut is_narrow: ResMut<IsNarrow>,
) {
    let Ok(window) = window.single() else { return };
    if window.is_changed() || text_size.is_changed() || fingers.is_changed() {
        let wanted = ui_scale(window.size(), *text_size, *fingers);
        if scale.0 != wanted {
            scale.0 = wanted;
        }
        is_narrow.set_if_neq(IsNarrow(is_narrow_at(window.size() / wanted)));
    }
}

fn is_narrow_at(room: Vec2) -> bool {
    room.x < TWO_PANELS && room.y > room.x
}

/// Returns the scale of the HUD in a window of this size in logical pixels. It grows half as fast as the window. On a
/// screen for fingers it is not less than 1, because such a screen is small, too.
fn ui_scale(window: Vec2, text_size: TextSize, fingers: UsesFingers) -> f32 {
    let ratio = (window / Vec2::new(1280.0, 720.0)).min_element();
    let normal = (1.0 + (ratio - 1.0) / 2.0).clamp(if fingers.0 { 1.0 } else { 0.75 }, 3.0);
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

    fn ui_scale(window: Vec2, text_size: TextSize) -> f32 {
        super::ui_scale(window, text_size, UsesFingers(false))
    }

    #[test]
    fn a_small_screen_for_fingers_has_text_of_normal_size() {
        for size in [Vec2::new(390.0, 844.0), Vec2::new(844.0, 390.0), Vec2::new(320.0, 568.0)] {
            assert_eq!(super::ui_scale(size, TextSize::default(), UsesFingers(true)), 1.0);
            assert_eq!(ui_scale(size, TextSize::default()), 0.75);
        }
    }

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

    #[test]
    fn only_high_windows_have_their_panels_below_each_other() {
        assert!(is_narrow_at(Vec2::new(390.0, 844.0)));
        for wide in [Vec2::new(844.0, 390.0), Vec2::new(427.0, 320.0), Vec2::new(768.0, 1024.0)] {
            assert!(!is_narrow_at(wide), "{wide}");
        }
    }
}
