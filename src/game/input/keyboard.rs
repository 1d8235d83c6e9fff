//! Turns key presses into actions, and pans the view while a key is held.

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::search_view::detour::AsksWhy;
use crate::game::view::camera::View;
use crate::game::world::open_map::OpenMap;

use super::action::{Action, BINDINGS};
use super::mouse;
use super::scroll_area::{ScrollArea, distance_of_key, scroll_range};

/// The speed at which a held key pans, in physical pixels per second at a scale factor of 1.
const PAN_SPEED: f32 = 900.0;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (send_actions.before(mouse::handle_mouse), ask_why, pan_by_keys.after(mouse::handle_mouse))
            .in_set(AppSystems::Listen),
    );
}

/// Returns whether a key pressed now would be a shortcut of the desktop, which the game must ignore.
fn is_shortcut(held: &ButtonInput<KeyCode>) -> bool {
    use KeyCode::{AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight};
    held.any_pressed([AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight])
}

/// Sends the actions of the pressed keys. While a page is open that does not fit into the window, the arrow keys and the
/// page keys scroll it.
fn send_actions(
    mut inputs: MessageReader<KeyboardInput>,
    held: Res<ButtonInput<KeyCode>>,
    areas: Query<(Entity, &ScrollArea, &ComputedNode)>,
    mut actions: MessageWriter<Action>,
) {
    let shortcut = is_shortcut(&held);
    let page = areas.iter().find(|(_, area, node)| area.takes_keys && scroll_range(node) > 0.0);
    for input in inputs.read().filter(|input| input.state == ButtonState::Pressed && !shortcut) {
        let scrolled = page.and_then(|(area, _, node)| Some((area, distance_of_key(input.key_code, node)?)));
        if let Some((area, by)) = scrolled {
            actions.write(Action::Scroll { area, by });
            continue;
        }
        let found = BINDINGS.iter().find(|binding| binding.keys.iter().any(|key| key.matches(input)));
        if let Some(binding) = found.filter(|binding| binding.repeats || !input.repeat) {
            actions.write(binding.action);
        }
    }
}

/// Asks why the route does not lead through the inspected cell while Alt is held. (The engine releases all keys when the
/// window loses the focus.)
fn ask_why(held: Res<ButtonInput<KeyCode>>, mut asks: ResMut<AsksWhy>) {
    let is_held = held.any_pressed([KeyCode::AltLeft, KeyCode::AltRight]);
    if asks.held != is_held {
        asks.held = is_held;
    }
}

/// The keys that are held down, by what they type and by where they are.
#[derive(SystemParam)]
pub(in crate::game) struct HeldKeys<'w> {
    typed: Res<'w, ButtonInput<Key>>,
    codes: Res<'w, ButtonInput<KeyCode>>,
}

/// Pans the view while W, A, S or D is held down.
pub(in crate::game) fn pan_by_keys(
    held: HeldKeys,
    time: Res<Time>,
    window: Query<&Window, With<PrimaryWindow>>,
    map: Res<OpenMap>,
    mut view: ResMut<View>,
    mut remainder: Local<Vec2>,
    mut wakes: MessageWriter<Wake>,
) {
    let is_held = |letters: [&str; 2]| held.typed.any_pressed(letters.map(|letter| Key::Character(letter.into())));
    let axis = |less, more| f32::from(u8::from(is_held(more))) - f32::from(u8::from(is_held(less)));
    let direction = Vec2::new(axis(["a", "A"], ["d", "D"]), axis(["w", "W"], ["s", "S"]));
    if direction == Vec2::ZERO || is_shortcut(&held.codes) {
        *remainder = Vec2::ZERO;
        return;
    }
    wakes.write(Wake::NextFrame);
    let scale = window.single().map_or(1.0, |window| window.scale_factor());
    // The time is limited, so that a slow frame does not move the map far.
    *remainder -= direction * PAN_SPEED * scale * time.delta_secs().min(0.1);
    let pixels = remainder.trunc();
    *remainder -= pixels;
    if pixels != Vec2::ZERO {
        view.pan(pixels.as_ivec2(), map.projection());
    }
}
