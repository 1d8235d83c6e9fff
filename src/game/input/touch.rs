//! Turns touches into mouse input. A tap clicks, a finger that moves pans or paints, two fingers pan and zoom, and a
//! long press points at a cell, which explains it.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::prelude::*;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent};

use crate::game::action::{Action, Zoom};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::screen::mode::Screen;

use super::keyboard::send_actions;
use super::mouse::{Panels, handle_mouse};

/// How far a finger may move while it taps, in logical pixels.
const TAP_RADIUS: f32 = 8.0;

/// How long a finger rests until it points.
const LONG_PRESS: Duration = Duration::from_millis(500);

/// The change of the distance between two fingers that zooms by one step.
const PINCH: f32 = 1.4;

/// Whether the player uses fingers. Then controls are large enough for fingers, and keys are not mentioned.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct UsesFingers(pub bool);

/// The fingers on the screen, and their gesture.
#[derive(Resource, Default)]
struct Touches {
    fingers: Vec<Finger>,
    gesture: Gesture,
}

/// A finger on the screen. Its places are in logical pixels.
#[derive(Clone, Copy)]
struct Finger {
    id: u64,
    began: Vec2,
    at: Vec2,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Gesture {
    /// No finger touches the screen, or touches are ignored until all fingers have left.
    #[default]
    None,
    /// A finger has not moved since this time.
    Pressing(Duration),
    /// A finger has not moved for long.
    Pointing,
    /// A finger moves, as if this button of the mouse were held.
    Dragging(MouseButton),
    /// A finger scrolls the element on which it began, like a mouse wheel.
    Scrolling,
    /// Two fingers move. They had this distance when they zoomed last.
    Pinching(f32),
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Touches>()
        .init_resource::<UsesFingers>()
        .add_message::<TouchInput>()
        .add_systems(Update, handle_touches.before(handle_mouse).before(send_actions).in_set(AppSystems::Listen));
}

fn handle_touches(
    mut events: MessageReader<TouchInput>,
    time: Res<Time<Real>>,
    mut touches: ResMut<Touches>,
    mut uses_fingers: ResMut<UsesFingers>,
    mut mouse: TouchMouse,
) {
    let now = time.elapsed();
    for event in events.read() {
        uses_fingers.set_if_neq(UsesFingers(true));
        match event.phase {
            TouchPhase::Started => touches.begin(event, now, &mut mouse),
            TouchPhase::Moved => touches.follow(event, &mut mouse),
            TouchPhase::Ended | TouchPhase::Canceled => touches.end(event, &mut mouse),
        }
    }
    touches.wait_for_long_press(now, &mut mouse);
}

impl Touches {
    /// A finger touches the screen.
    fn begin(&mut self, event: &TouchInput, now: Duration, mouse: &mut TouchMouse) {
        self.fingers.push(Finger { id: event.id, began: event.position, at: event.position });
        if let Gesture::Dragging(button) = self.gesture {
            mouse.button(button, ButtonState::Released);
        }
        self.gesture = match self.fingers[..] {
            [_] => Gesture::Pressing(now),
            [one, other] => {
                mouse.move_to(one.at.midpoint(other.at));
                mouse.button(MouseButton::Right, ButtonState::Pressed);
                Gesture::Pinching(one.at.distance(other.at))
            }
            _ => {
                mouse.button(MouseButton::Right, ButtonState::Released);
                Gesture::None
            }
        };
    }

    /// A finger moves.
    fn follow(&mut self, event: &TouchInput, mouse: &mut TouchMouse) {
        let Some(finger) = self.fingers.iter_mut().find(|finger| finger.id == event.id) else { return };
        let before = std::mem::replace(&mut finger.at, event.position);
        let Finger { began, at, .. } = *finger;
        if matches!(self.gesture, Gesture::Pressing(_) | Gesture::Pointing) && began.distance(at) > TAP_RADIUS {
            self.gesture = mouse.begin_drag(began);
        }
        match self.gesture {
            Gesture::Dragging(_) => mouse.move_to(at),
            Gesture::Scrolling => mouse.scroll(at.y - before.y),
            Gesture::Pinching(distance) => {
                if let [one, other] = self.fingers[..] {
                    let zoomed = mouse.pinch(one.at, other.at, distance);
                    self.gesture = Gesture::Pinching(zoomed.unwrap_or(distance));
                }
            }
            Gesture::None | Gesture::Pressing(_) | Gesture::Pointing => {}
        }
    }

    /// A finger leaves the screen.
    fn end(&mut self, event: &TouchInput, mouse: &mut TouchMouse) {
        self.fingers.retain(|finger| finger.id != event.id);
        match std::mem::take(&mut self.gesture) {
            Gesture::Pressing(_) if event.phase == TouchPhase::Ended => {
                mouse.move_to(event.position);
                mouse.button(MouseButton::Left, ButtonState::Pressed);
                mouse.button(MouseButton::Left, ButtonState::Released);
            }
            Gesture::Dragging(button) => mouse.button(button, ButtonState::Released),
            Gesture::Pinching(_) => mouse.button(MouseButton::Right, ButtonState::Released),
            _ => {}
        }
    }

    /// A finger that has rested for long enough points.
    fn wait_for_long_press(&mut self, now: Duration, mouse: &mut TouchMouse) {
        let (Gesture::Pressing(since), [finger]) = (self.gesture, &self.fingers[..]) else { return };
        match (since + LONG_PRESS).checked_sub(now).filter(|left| !left.is_zero()) {
            Some(left) => drop(mouse.wakes.write(Wake::After(left))),
            None => {
                mouse.move_to(finger.at);
                self.gesture = Gesture::Pointing;
            }
        }
    }
}

/// The mouse that the fingers move. Its places are in logical pixels.
#[derive(SystemParam)]
struct TouchMouse<'w, 's> {
    window: Single<'w, 's, (Entity, &'static mut Window), With<PrimaryWindow>>,
    screen: Res<'w, Screen>,
    panels: Panels<'w, 's>,
    input: MessageWriter<'w, WindowEvent>,
    actions: MessageWriter<'w, Action>,
    wakes: MessageWriter<'w, Wake>,
}

impl TouchMouse<'_, '_> {
    /// A place in physical pixels.
    fn physical(&self, at: Vec2) -> Vec2 {
        at * self.window.1.scale_factor()
    }

    fn move_to(&mut self, position: Vec2) {
        let physical = self.physical(position).as_dvec2();
        let (entity, window) = &mut *self.window;
        // The engine would move the pointer of the system.
        window.bypass_change_detection().set_physical_cursor_position(Some(physical));
        self.input.write(CursorMoved { window: *entity, position, delta: None }.into());
    }

    /// Begins to scroll the element at this place, or presses the button that drags what is there.
    fn begin_drag(&mut self, at: Vec2) -> Gesture {
        self.move_to(at);
        let point = self.physical(at);
        if self.panels.scroll_at(point) {
            return Gesture::Scrolling;
        }
        let holds = self.panels.cover(point) || self.screen.is_painting();
        let button = if holds { MouseButton::Left } else { MouseButton::Right };
        self.button(button, ButtonState::Pressed);
        Gesture::Dragging(button)
    }

    /// Follows two fingers that had a `distance` when they zoomed last. Returns the new one if they zoom again.
    fn pinch(&mut self, one: Vec2, other: Vec2, distance: f32) -> Option<f32> {
        let middle = one.midpoint(other);
        let apart = one.distance(other);
        self.move_to(middle);
        let zoom = match apart / distance.max(1.0) {
            ratio if ratio >= PINCH => Zoom::In,
            ratio if ratio <= 1.0 / PINCH => Zoom::Out,
            _ => return None,
        };
        self.actions.write(Action::Zoom { zoom, towards: Some(self.physical(middle)) });
        Some(apart)
    }

    /// Turns the wheel by this many logical pixels.
    fn scroll(&mut self, y: f32) {
        let wheel =
            MouseWheel { unit: MouseScrollUnit::Pixel, x: 0.0, y, window: self.window.0, phase: TouchPhase::Moved };
        self.input.write(wheel.into());
    }

    fn button(&mut self, button: MouseButton, state: ButtonState) {
        self.input.write(MouseButtonInput { button, state, window: self.window.0 }.into());
    }
}
