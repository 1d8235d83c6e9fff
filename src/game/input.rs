//! Keys, mouse and wheel become actions, and move the view.

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;
use bevy::window::{PrimaryWindow, WindowEvent};

use super::AppSystems;
use super::action::{Action, BINDINGS};
use super::cursor::Pointed;
use super::land::Land;
use super::view::View;

/// Physical pixels a second that a held key pans, at a scale factor of 1.
const PAN_SPEED: f32 = 900.0;

/// Lines of a wheel that make one zoom step.
const LINES_A_STEP: f32 = 1.0;

/// Pixels of a touchpad that make one line.
const PIXELS_A_LINE: f32 = 40.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Wheel>().add_systems(
        Update,
        (press_keys, point, click, turn_wheel, drag, pan_by_keys, act_on_view).chain().in_set(AppSystems::Listen),
    );
}

/// The part of a zoom step that the wheel has turned so far.
#[derive(Resource, Default)]
struct Wheel(f32);

/// The pointer's place in the window in physical pixels, the centre of its pixel; `None` outside.
pub fn pointer(window: &Window) -> Option<Vec2> {
    window.physical_cursor_position().map(|at| at.floor() + 0.5)
}

/// Keys of the table become actions. Shortcuts of the desktop are none of ours.
fn press_keys(
    mut inputs: MessageReader<KeyboardInput>,
    held: Res<ButtonInput<KeyCode>>,
    mut actions: MessageWriter<Action>,
) {
    use KeyCode::{AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight};
    let shortcut = held.any_pressed([AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight]);
    for input in inputs.read().filter(|input| input.state == ButtonState::Pressed && !shortcut) {
        let asked = BINDINGS.iter().find(|binding| binding.keys.iter().any(|key| key.is(input)));
        if let Some(binding) = asked.filter(|binding| binding.repeats || !input.repeat) {
            actions.write(binding.action);
        }
    }
}

/// The panels over the map, where they are seen.
#[derive(SystemParam)]
struct Panels<'w, 's> {
    nodes:
        Query<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform, &'static InheritedVisibility), With<Hovered>>,
}

impl Panels<'_, '_> {
    /// Whether a window point lies on one.
    fn hold(&self, point: Vec2) -> bool {
        let holds = |(node, place, shown): (&ComputedNode, &UiGlobalTransform, &InheritedVisibility)| {
            shown.get() && node.contains_point(*place, point)
        };
        self.nodes.iter().any(holds)
    }
}

/// Finds the cell under the pointer; over a panel there is none.
fn point(
    window: Query<&Window, With<PrimaryWindow>>,
    panels: Panels,
    view: Res<View>,
    land: Res<Land>,
    mut pointed: ResMut<Pointed>,
) {
    let pointer = window.single().ok().and_then(pointer).filter(|at| !panels.hold(*at));
    pointed.set_if_neq(Pointed(pointer.and_then(|at| view.cell_at(at, land.projection()))));
}

/// A click on the map sends the traveller there; one on a panel is the panel's.
///
/// What happened to the window is read in its order: a click belongs to where the pointer was then, however far it has
/// gone on in the same frame.
fn click(
    mut events: MessageReader<WindowEvent>,
    window: Query<&Window, With<PrimaryWindow>>,
    panels: Panels,
    view: Res<View>,
    land: Res<Land>,
    mut last: Local<Option<Vec2>>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(window) = window.single() else { return };
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => *last = Some((moved.position * window.scale_factor()).floor() + 0.5),
            WindowEvent::MouseButtonInput(input)
                if input.button == MouseButton::Left && input.state == ButtonState::Pressed =>
            {
                let at = last.or_else(|| pointer(window)).filter(|at| !panels.hold(*at));
                if let Some(cell) = at.and_then(|at| view.cell_at(at, land.projection())) {
                    actions.write(Action::Go(cell));
                }
            }
            _ => {}
        }
    }
}

/// The wheel zooms towards the pointer, a step a notch.
fn turn_wheel(
    mut turns: MessageReader<MouseWheel>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut wheel: ResMut<Wheel>,
    mut actions: MessageWriter<Action>,
) {
    for turn in turns.read() {
        let lines = if turn.unit == MouseScrollUnit::Pixel { turn.y / PIXELS_A_LINE } else { turn.y };
        wheel.0 += lines;
        let steps = (wheel.0 / LINES_A_STEP).trunc();
        wheel.0 -= steps * LINES_A_STEP;
        let towards = window.single().ok().and_then(pointer);
        for _ in 0..steps.abs().min(8.0) as u32 {
            actions.write(Action::Zoom { closer: steps > 0.0, towards });
        }
    }
}

/// Dragging with the right or middle button pans.
fn drag(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Query<&Window, With<PrimaryWindow>>,
    land: Res<Land>,
    mut view: ResMut<View>,
    mut last: Local<Option<Vec2>>,
) {
    let held = buttons.any_pressed([MouseButton::Right, MouseButton::Middle]);
    let now = window.single().ok().and_then(pointer).filter(|_| held);
    if let (Some(last), Some(now)) = (*last, now)
        && last != now
    {
        view.pan((now - last).as_ivec2(), land.projection());
    }
    *last = now;
}

/// W, A, S and D pan, by where they are on the keyboard.
fn pan_by_keys(
    held: Res<ButtonInput<KeyCode>>,
    time: Res<Time<Real>>,
    window: Query<&Window, With<PrimaryWindow>>,
    land: Res<Land>,
    mut view: ResMut<View>,
    mut rest: Local<Vec2>,
) {
    let axis = |less, more| f32::from(u8::from(held.pressed(more))) - f32::from(u8::from(held.pressed(less)));
    let way = Vec2::new(axis(KeyCode::KeyA, KeyCode::KeyD), axis(KeyCode::KeyW, KeyCode::KeyS));
    if way == Vec2::ZERO {
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
