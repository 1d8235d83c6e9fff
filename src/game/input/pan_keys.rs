//! Pans the view while a key is held.

use bevy::input::ButtonState;
use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowEvent};

use crate::game::frames::wake::Wake;
use crate::game::input::bindings::KeyPress::{self, Letter};
use crate::game::input::modifiers::{HeldModifiers, Modifiers};
use crate::game::viewport::Viewport;
use crate::game::world::open_map::OpenMap;

/// The speed at which a held key pans, in physical pixels per second at a scale factor of 1.
const PAN_SPEED: f32 = 900.0;

/// The keys that pan, and the direction of the view.
const PAN_KEYS: [(KeyPress, Vec2); 4] =
    [(Letter("a"), Vec2::NEG_X), (Letter("d"), Vec2::X), (Letter("w"), Vec2::NEG_Y), (Letter("s"), Vec2::Y)];

/// The keys that are held and pan. A key that is released may type another character than when it was pressed, so they
/// are identified by their position.
#[derive(Resource, Clone, Debug, Default)]
pub(in crate::game) struct HeldPanKeys(Vec<(KeyCode, Vec2)>);

impl HeldPanKeys {
    /// Records an event. While something else takes all keys, none of them pans.
    pub(super) fn note(&mut self, event: &WindowEvent, modifiers: &HeldModifiers, others_take_all: bool) {
        let input = match event {
            WindowEvent::KeyboardInput(input) => input,
            // Keys that are released while another window has the focus are not reported.
            WindowEvent::KeyboardFocusLost(_) => return self.0.clear(),
            _ => return,
        };
        if input.state == ButtonState::Released || others_take_all {
            self.0.retain(|(code, _)| *code != input.key_code);
        } else if modifiers.fit(Modifiers::NONE) && !self.0.iter().any(|(code, _)| *code == input.key_code) {
            self.0.extend(direction(input, modifiers).map(|direction| (input.key_code, direction)));
        }
    }

    /// The direction of the view: opposite keys cancel each other.
    pub fn direction(&self) -> Vec2 {
        let sum: Vec2 = self.0.iter().map(|(_, direction)| *direction).sum();
        sum.clamp(Vec2::NEG_ONE, Vec2::ONE)
    }
}

/// The direction in which a pressed key moves the view; `None` for other keys. While Alt is held, keys are recognised
/// by their position.
fn direction(input: &KeyboardInput, modifiers: &HeldModifiers) -> Option<Vec2> {
    let is_key = |(key, _): &(KeyPress, Vec2)| match modifiers.alt() {
        true => key.code() == Some(input.key_code),
        false => key.is_typed_by(input, modifiers.layout()),
    };
    PAN_KEYS.into_iter().find(is_key).map(|(_, direction)| direction)
}

/// Pans the view while W, A, S or D is held down, and Ctrl is not.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(in crate::game) fn pan_by_keys(
    held: Res<HeldPanKeys>,
    modifiers: Res<HeldModifiers>,
    time: Res<Time>,
    window: Query<&Window, With<PrimaryWindow>>,
    map: Res<OpenMap>,
    mut view: ResMut<Viewport>,
    mut remainder: Local<Vec2>,
    mut wakes: MessageWriter<Wake>,
) {
    let direction = held.direction();
    if direction == Vec2::ZERO || !modifiers.fit(Modifiers::NONE) {
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
