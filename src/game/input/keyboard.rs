//! Keys become actions and move the view, and the pointer points at a cell.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::AppSystems;
use crate::game::input::action::{Action, BINDINGS};
use crate::game::input::mouse;
use crate::game::input::tile_cursor::Pointed;
use crate::game::view::camera::View;
use crate::game::world::open_map::Land;

/// Physical pixels a second that a held key pans, at a scale factor of 1.
const PAN_SPEED: f32 = 900.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<mouse::Mouse>().add_systems(
        Update,
        (press_keys, mouse::listen, pan_by_keys, act_on_view, point).chain().in_set(AppSystems::Listen),
    );
}

/// The pointer's place in the window in physical pixels, the centre of its pixel; `None` outside.
fn pointer(window: &Window) -> Option<Vec2> {
    window.physical_cursor_position().map(|at| at.floor() + 0.5)
}

/// Whether a key that is pressed now is meant for the desktop.
fn is_shortcut(held: &ButtonInput<KeyCode>) -> bool {
    use KeyCode::{AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight};
    held.any_pressed([AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight])
}

/// Keys of the table become actions. Shortcuts of the desktop are none of ours.
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

/// Finds the cell under the pointer; over a panel there is none.
fn point(
    window: Query<&Window, With<PrimaryWindow>>,
    panels: mouse::Panels,
    view: Res<View>,
    land: Res<Land>,
    mut pointed: ResMut<Pointed>,
) {
    let pointer = window.single().ok().and_then(pointer).filter(|at| !panels.hold(*at));
    pointed.set_if_neq(Pointed(pointer.and_then(|at| view.cell_at(at, land.projection()))));
}

/// W, A, S and D pan, as long as they are held.
fn pan_by_keys(
    held: Res<ButtonInput<Key>>,
    codes: Res<ButtonInput<KeyCode>>,
    time: Res<Time<Real>>,
    window: Query<&Window, With<PrimaryWindow>>,
    land: Res<Land>,
    mut view: ResMut<View>,
    mut rest: Local<Vec2>,
) {
    let presses = |letters: [&str; 2]| held.any_pressed(letters.map(|letter| Key::Character(letter.into())));
    let axis = |less, more| f32::from(u8::from(presses(more))) - f32::from(u8::from(presses(less)));
    let way = Vec2::new(axis(["a", "A"], ["d", "D"]), axis(["w", "W"], ["s", "S"]));
    if way == Vec2::ZERO || is_shortcut(&codes) {
        *rest = Vec2::ZERO;
        return;
    }
    let scale = window.single().map_or(1.0, |window| window.scale_factor());
    // A slow frame must not throw the map out of sight.
    *rest -= way * PAN_SPEED * scale * time.delta_secs().min(0.1);
    let whole = rest.trunc();
    *rest -= whole;
    if whole != Vec2::ZERO {
        view.pan(whole.as_ivec2(), land.projection());
    }
}

/// What the player asks of the view.
fn act_on_view(mut actions: MessageReader<Action>, land: Res<Land>, mut view: ResMut<View>) {
    for action in actions.read() {
        match *action {
            Action::Zoom { closer, towards } => {
                view.zoom_towards(closer, towards);
                view.keep_in_sight(land.projection());
            }
            Action::Fit => view.fit(land.projection()),
            Action::Pan(direction) => {
                let (dx, dy) = direction.offset();
                view.pan(-IVec2::new(dx, dy) * 120, land.projection());
            }
            _ => {}
        }
    }
}
