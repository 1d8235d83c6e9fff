//! Keys become actions, or pan the view as long as they are held.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::AppSystems;
use crate::game::view::camera::View;
use crate::game::world::open_map::OpenMap;

use super::action::{Action, BINDINGS};
use super::mouse;

/// Physical pixels a second that a held key pans, at a scale factor of 1.
const PAN_SPEED: f32 = 900.0;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (press_keys.before(mouse::listen), pan_by_keys.after(mouse::listen)).in_set(AppSystems::Listen),
    );
}

/// Whether a key that is pressed now is a shortcut of the desktop, which is not for this program.
fn is_shortcut(held: &ButtonInput<KeyCode>) -> bool {
    use KeyCode::{AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight};
    held.any_pressed([AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight])
}

/// Turns the keys of the table into actions.
fn press_keys(
    mut inputs: MessageReader<KeyboardInput>,
    held: Res<ButtonInput<KeyCode>>,
    mut actions: MessageWriter<Action>,
) {
    let shortcut = is_shortcut(&held);
    for input in inputs.read().filter(|input| input.state == ButtonState::Pressed && !shortcut) {
        let asked = BINDINGS.iter().find(|binding| binding.keys.iter().any(|key| key.is(input)));
        if let Some(binding) = asked.filter(|binding| binding.repeats || !input.repeat) {
            actions.write(binding.action);
        }
    }
}

/// Pans by W, A, S and D, as long as they are held.
pub(in crate::game) fn pan_by_keys(
    held: Res<ButtonInput<Key>>,
    codes: Res<ButtonInput<KeyCode>>,
    time: Res<Time<Real>>,
    window: Query<&Window, With<PrimaryWindow>>,
    map: Res<OpenMap>,
    mut view: ResMut<View>,
    mut remainder: Local<Vec2>,
) {
    let presses = |letters: [&str; 2]| held.any_pressed(letters.map(|letter| Key::Character(letter.into())));
    let axis = |less, more| f32::from(u8::from(presses(more))) - f32::from(u8::from(presses(less)));
    let direction = Vec2::new(axis(["a", "A"], ["d", "D"]), axis(["w", "W"], ["s", "S"]));
    if direction == Vec2::ZERO || is_shortcut(&codes) {
        *remainder = Vec2::ZERO;
        return;
    }
    let scale = window.single().map_or(1.0, |window| window.scale_factor());
    // A slow frame must not throw the map out of sight.
    *remainder -= direction * PAN_SPEED * scale * time.delta_secs().min(0.1);
    let whole = remainder.trunc();
    *remainder -= whole;
    if whole != Vec2::ZERO {
        view.pan(whole.as_ivec2(), map.projection());
    }
}
