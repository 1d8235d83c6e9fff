//! Clicks, drags and the wheel, one by one in the order in which they came: however long a frame takes, a click is where
//! it was made, and a drag goes all the way.

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui::{ComputedStackIndex, UiGlobalTransform};
use bevy::window::{PrimaryWindow, WindowEvent};

use crate::game::AppSystems;
use crate::game::input::action::{Action, Zoom};
use crate::game::view::camera::View;
use crate::game::world::open_map::OpenMap;

/// Pixels of a touchpad that make one notch of a wheel.
const PIXELS_A_NOTCH: f32 = 40.0;

/// The most zoom steps of one turn of the wheel.
const MOST_STEPS: f32 = 8.0;

/// What the mouse has done so far.
#[derive(Resource)]
pub(in crate::game) struct Mouse {
    /// The centre of the pixel under the pointer, in physical pixels.
    at: Option<Vec2>,
    /// Whether the right button and the middle button drag the map.
    drags: [bool; 2],
    /// The button of the window that the left button was pressed on.
    pressed: Option<Entity>,
    /// The part of a zoom step that the wheel has turned.
    wheel: f32,
    /// The lines that the system reports for one notch of the wheel, which is one zoom step.
    pub(in crate::game) lines_a_notch: f32,
}

impl Default for Mouse {
    fn default() -> Self {
        Self { at: None, drags: [false; 2], pressed: None, wheel: 0.0, lines_a_notch: 1.0 }
    }
}

/// What a button asks for.
#[derive(Component, Clone, Copy)]
pub(in crate::game) struct ActionButton(pub Action);

/// The panels over the map and the buttons on them, where they are seen.
#[derive(SystemParam)]
pub(in crate::game) struct Panels<'w, 's> {
    nodes: Query<'w, 's, PanelParts, With<Hovered>>,
}

type PanelParts = (
    Entity,
    &'static ComputedNode,
    &'static UiGlobalTransform,
    &'static ComputedStackIndex,
    &'static InheritedVisibility,
    Option<&'static ActionButton>,
);

impl Panels<'_, '_> {
    /// The uppermost at a window point, with what it asks for if it is a button.
    fn top(&self, point: Vec2) -> Option<(Entity, Option<Action>)> {
        let seen = self
            .nodes
            .iter()
            .filter(|(_, node, place, _, shown, _)| shown.get() && node.contains_point(**place, point));
        let (entity, .., ask) = seen.max_by_key(|(_, _, _, height, ..)| height.0)?;
        Some((entity, ask.map(|ask| ask.0)))
    }

    /// Whether a window point is on one. What is under a panel cannot be clicked on or dragged.
    pub(in crate::game) fn contain(&self, point: Vec2) -> bool {
        self.top(point).is_some()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Mouse>().add_systems(Update, listen.in_set(AppSystems::Listen));
}

/// Turns what the mouse does into actions; a drag moves the view.
pub(in crate::game) fn listen(
    mut events: MessageReader<WindowEvent>,
    window: Query<&Window, With<PrimaryWindow>>,
    panels: Panels,
    map: Res<OpenMap>,
    mut mouse: ResMut<Mouse>,
    mut view: ResMut<View>,
    mut actions: MessageWriter<Action>,
) {
    let scale = window.single().map_or(1.0, Window::scale_factor);
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => {
                // The logical position has been rounded: a whole pixel must not come back as a little less.
                let now = (moved.position * scale + 1.0 / 64.0).floor() + 0.5;
                let before = mouse.at.replace(now).unwrap_or(now);
                if before != now && mouse.drags.contains(&true) {
                    view.pan((now - before).as_ivec2(), map.projection());
                }
            }
            WindowEvent::CursorLeft(_) => mouse.at = None,
            WindowEvent::MouseButtonInput(MouseButtonInput { button, state, .. }) => {
                let pressed = *state == ButtonState::Pressed;
                let top = mouse.at.and_then(|at| panels.top(at));
                let free = mouse.at.is_some() && top.is_none();
                match button {
                    MouseButton::Right => mouse.drags[0] = pressed && free,
                    MouseButton::Middle => mouse.drags[1] = pressed && free,
                    MouseButton::Left if pressed => {
                        mouse.pressed = top.map(|(entity, _)| entity);
                        let cell = mouse.at.filter(|_| free).and_then(|at| view.cell_at(at, map.projection()));
                        actions.write_batch(cell.map(Action::Go));
                    }
                    // A button acts when it is released; moving away before cancels.
                    MouseButton::Left => {
                        let meant = top.filter(|(entity, _)| mouse.pressed.take() == Some(*entity));
                        actions.write_batch(meant.and_then(|(_, asked)| asked));
                    }
                    _ => {}
                }
            }
            WindowEvent::MouseWheel(turn) => {
                let steps = mouse.turn(turn);
                let zoom = if steps > 0.0 { Zoom::In } else { Zoom::Out };
                let action = Action::Zoom { zoom, towards: mouse.at };
                actions.write_batch((0..steps.abs() as u32).map(|_| action));
            }
            // A button that is let go elsewhere is not heard of.
            WindowEvent::KeyboardFocusLost(_) => mouse.drags = [false; 2],
            _ => {}
        }
    }
}

impl Mouse {
    /// Turns the wheel; returns the whole zoom steps that this makes, inwards positive.
    fn turn(&mut self, turn: &MouseWheel) -> f32 {
        self.wheel += turn.y / if turn.unit == MouseScrollUnit::Pixel { PIXELS_A_NOTCH } else { self.lines_a_notch };
        let steps = self.wheel.trunc();
        self.wheel -= steps;
        steps.clamp(-MOST_STEPS, MOST_STEPS)
    }
}
