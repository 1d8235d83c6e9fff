//! Pans the view while a key is held.

use bevy::input::ButtonState;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowEvent};

use crate::game::action::Action;
use crate::game::frames::wake::Wake;
use crate::game::input::bindings::{Binding, binding_for};
use crate::game::input::modifiers::{HeldModifiers, Modifiers};
use crate::game::viewport::Viewport;
use crate::game::world::open_map::OpenMap;

/// The speed at which a held key pans, in physical pixels per second at a scale factor of 1.
const PAN_SPEED: f32 = 900.0;

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
        } else if let Some(Binding { action: Action::Pan(direction), .. }) = binding_for(input, modifiers)
            && !self.0.iter().any(|(code, _)| *code == input.key_code)
        {
            let (x, y) = direction.offset();
            self.0.push((input.key_code, IVec2::new(x, y).as_vec2()));
        }
    }

    /// The direction of the view: opposite keys cancel each other.
    pub fn direction(&self) -> Vec2 {
        let sum: Vec2 = self.0.iter().map(|(_, direction)| *direction).sum();
        sum.clamp(Vec2::NEG_ONE, Vec2::ONE)
    }
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
