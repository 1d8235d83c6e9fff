//! Turns touches into mouse input. A tap clicks, a finger that moves pans or paints, two fingers pan and zoom, and a
//! long press points at a cell, which explains it.

use std::time::Duration;

use bevy::input::ButtonState;
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::prelude::*;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent};

use crate::game::action::{Action, Zoom};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::screen::mode::GameMode;

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
pub struct UsesFingers(pub bool);

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

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn handle_touches(
    mut events: MessageReader<TouchInput>,
    time: Res<Time<Real>>,
    mode: Res<State<GameMode>>,
    panels: Panels,
    window: Single<(Entity, &mut Window), With<PrimaryWindow>>,
    mut touches: ResMut<Touches>,
    mut uses_fingers: ResMut<UsesFingers>,
    (mut input, mut actions, mut wakes): (MessageWriter<WindowEvent>, MessageWriter<Action>, MessageWriter<Wake>),
) {
    let now = time.elapsed();
    let (entity, mut window) = window.into_inner();
    let mut mouse = TouchMouse { entity, window: &mut window, input: &mut input };
    let Touches { fingers, gesture } = &mut *touches;
    for event in events.read() {
        uses_fingers.set_if_neq(UsesFingers(true));
        match event.phase {
            TouchPhase::Started => {
                fingers.push(Finger { id: event.id, began: event.position, at: event.position });
                if let Gesture::Dragging(button) = *gesture {
                    mouse.button(button, ButtonState::Released);
                }
                *gesture = match fingers[..] {
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
            TouchPhase::Moved => {
                let Some(finger) = fingers.iter_mut().find(|finger| finger.id == event.id) else { continue };
                let before = std::mem::replace(&mut finger.at, event.position);
                let Finger { began, at, .. } = *finger;
                if matches!(gesture, Gesture::Pressing(_) | Gesture::Pointing) && began.distance(at) > TAP_RADIUS {
                    let point = mouse.physical(began);
                    *gesture = if panels.scroll_at(point) {
                        mouse.move_to(began);
                        Gesture::Scrolling
                    } else {
                        let holds = panels.cover(point) || *mode.get() == GameMode::Painting;
                        let button = if holds { MouseButton::Left } else { MouseButton::Right };
                        mouse.move_to(began);
                        mouse.button(button, ButtonState::Pressed);
                        Gesture::Dragging(button)
                    };
                }
                match *gesture {
                    Gesture::Dragging(_) => mouse.move_to(at),
                    Gesture::Scrolling => mouse.scroll(at.y - before.y),
                    Gesture::Pinching(distance) => {
                        let [one, other] = fingers[..] else { continue };
                        let (middle, apart) = (one.at.midpoint(other.at), one.at.distance(other.at));
                        mouse.move_to(middle);
                        let zoom = match apart / distance.max(1.0) {
                            ratio if ratio >= PINCH => Zoom::In,
                            ratio if ratio <= 1.0 / PINCH => Zoom::Out,
                            _ => continue,
                        };
                        actions.write(Action::Zoom { zoom, towards: Some(mouse.physical(middle)) });
                        *gesture = Gesture::Pinching(apart);
                    }
                    _ => {}
                }
            }
            TouchPhase::Ended | TouchPhase::Canceled => {
                fingers.retain(|finger| finger.id != event.id);
                match std::mem::take(gesture) {
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
        }
    }
    if let (Gesture::Pressing(since), [finger]) = (*gesture, &fingers[..]) {
        match (since + LONG_PRESS).checked_sub(now).filter(|left| !left.is_zero()) {
            Some(left) => drop(wakes.write(Wake::After(left))),
            None => {
                mouse.move_to(finger.at);
                *gesture = Gesture::Pointing;
            }
        }
    }
}

/// The mouse that the fingers move.
struct TouchMouse<'a, 'w> {
    entity: Entity,
    window: &'a mut Mut<'w, Window>,
    input: &'a mut MessageWriter<'w, WindowEvent>,
}

impl TouchMouse<'_, '_> {
    /// A place in physical pixels.
    fn physical(&self, at: Vec2) -> Vec2 {
        at * self.window.scale_factor()
    }

    fn move_to(&mut self, position: Vec2) {
        let physical = self.physical(position).as_dvec2();
        // The engine would move the pointer of the system.
        self.window.bypass_change_detection().set_physical_cursor_position(Some(physical));
        self.input.write(CursorMoved { window: self.entity, position, delta: None }.into());
    }

    /// Turns the wheel by this many logical pixels.
    fn scroll(&mut self, y: f32) {
        let (unit, phase) = (MouseScrollUnit::Pixel, TouchPhase::Moved);
        self.input.write(MouseWheel { unit, x: 0.0, y, window: self.entity, phase }.into());
    }

    fn button(&mut self, button: MouseButton, state: ButtonState) {
        self.input.write(MouseButtonInput { button, state, window: self.entity }.into());
    }
}
