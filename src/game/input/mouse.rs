//! Handles clicks, drags and the wheel in the order of their events, so that a slow frame neither misplaces a click nor
//! shortens a drag.

use std::time::Duration;

use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui::{CalculatedClip, UiGlobalTransform};
use bevy::ui_widgets::ScrollArea;
use bevy::window::{PrimaryWindow, WindowEvent};

use crate::game::action::{Action, BrushChange, Stroke, Zoom};
use crate::game::app_systems::AppSystems;
use crate::game::input::modifiers::{EventsWithModifiers, HeldModifiers};
use crate::game::screen::mode::{GameMode, Screen};
use crate::game::viewport::Viewport;
use emberwalk_crowd::AgentId;
use emberwalk_path::grid::Cell;

use super::bindings::binding_for;
use super::people_picker::PeoplePicker;
use super::picker::{Picker, Picking};

/// The pixels of a touchpad scroll that count as one notch of a wheel.
const PIXELS_PER_NOTCH: f32 = 40.0;

/// The maximum number of zoom steps of one wheel event.
const MAX_STEPS: f32 = 8.0;

/// A press that moves by less than this is a click, in physical pixels.
const CLICK: f32 = 5.0;

/// While people are selected, a click means a person under the pointer only if the pointer has been there for this
/// long. So a click can send them past a person who has just walked under the pointer.
const MEANT: Duration = Duration::from_millis(333);

/// The distance of the tile cursor from a panel that would cover it, in physical pixels.
const COVERED_MARGIN: f32 = 30.0;

/// The state of the mouse.
#[derive(Resource, Default)]
pub(in crate::game) struct Mouse {
    /// The centre of the pixel under the pointer, in physical pixels; `None` outside the window.
    position: Option<Vec2>,
    /// Whether the right and the middle button are dragging the map.
    drags: [bool; 2],
    /// Whether the left button is held since it was pressed on the map.
    holds_map: bool,
    /// Where the left button was pressed on a map with people, whom a drag selects; in physical pixels.
    pressed: Option<Vec2>,
    /// The person under the pointer while people are selected, and since when.
    over: Option<(AgentId, Duration)>,
    /// The cell that the stroke of the brush has reached, while there is one.
    stroke: Option<Cell>,
    /// The cell on which the middle button was pressed, as long as it was not moved since.
    picked: Option<Cell>,
    /// The modifier keys that are held.
    modifiers: HeldModifiers,
    /// The fraction of a notch that the wheel has turned since the last zoom step.
    wheel: f32,
    /// Whether the system reports two lines for one notch of the wheel, which is one zoom step.
    pub(in crate::game) notches_count_twice: bool,
}

/// The visible panels over the map, and the areas in them that scroll.
#[derive(SystemParam)]
pub(in crate::game) struct Panels<'w, 's> {
    nodes: Query<'w, 's, Shape, With<Hovered>>,
    areas: Query<'w, 's, Shape, With<ScrollArea>>,
}

/// The components that decide whether a node is at a window point.
#[derive(QueryData)]
struct Shape {
    node: &'static ComputedNode,
    transform: &'static UiGlobalTransform,
    visible: &'static InheritedVisibility,
    clip: Option<&'static CalculatedClip>,
}

impl ShapeItem<'_, '_> {
    /// Whether the node is visible at a window point. Content that is scrolled out of its area is not.
    fn is_at(&self, point: Vec2) -> bool {
        self.visible.get()
            && self.node.contains_point(*self.transform, point)
            && self.clip.is_none_or(|clip| clip.clip.contains(point))
    }
}

impl Panels<'_, '_> {
    /// Whether something scrolls at a window point.
    pub(super) fn scroll_at(&self, point: Vec2) -> bool {
        self.areas.iter().any(|shape| shape.node.content_size.y > shape.node.size.y && shape.is_at(point))
    }

    /// Whether a panel covers a window point. The map cannot be clicked or dragged there.
    pub(in crate::game) fn cover(&self, point: Vec2) -> bool {
        self.nodes.iter().any(|shape| shape.is_at(point))
    }

    /// A point near a window point that no panel covers: above or below, or beside a panel that takes more than
    /// half of the window's height. Panels that leave less than half of both its height and width free do not count,
    /// such as the help page.
    pub(in crate::game) fn uncovered(&self, point: Vec2, window: Vec2) -> Vec2 {
        let mut free = point;
        // A panel can hang over another one.
        for _ in 0..4 {
            let covering = |shape: &ShapeItem| shape.node.size().cmplt(window / 2.0).any() && shape.is_at(free);
            let Some(shape) = self.nodes.iter().find(covering) else { break };
            let size = shape.node.size();
            let middle = shape.transform.translation;
            let beside = middle + (size / 2.0 + COVERED_MARGIN) * (window / 2.0 - middle).signum();
            if size.y < window.y / 2.0 {
                free.y = beside.y;
            } else {
                free.x = beside.x;
            }
        }
        free
    }
}

/// Tests of the rules add it too.
pub fn plugin(app: &mut App) {
    app.init_resource::<Mouse>().add_systems(Update, handle_mouse.in_set(AppSystems::Listen));
}

/// Turns mouse events into actions; a drag pans the view.
pub(in crate::game) fn handle_mouse(mut events: EventsWithModifiers, screen: Res<Screen>, mut input: MouseInput) {
    let mut mode = screen.mode;
    input.note_who_is_there();
    for (event, held) in events.read() {
        input.mouse.modifiers = held;
        match event {
            WindowEvent::CursorMoved(moved) => input.move_to(moved.position),
            WindowEvent::CursorLeft(_) => input.mouse.position = None,
            WindowEvent::MouseButtonInput(MouseButtonInput { button, state, .. }) => match (button, state) {
                (MouseButton::Left, ButtonState::Pressed) => input.press_left(mode, screen.plays_search()),
                (MouseButton::Left, ButtonState::Released) => input.release_left(),
                (MouseButton::Middle, state) => input.press_or_release_middle(*state),
                (MouseButton::Right, state) => input.mouse.drags[0] = state.is_pressed() && input.is_on_map(),
                _ => {}
            },
            WindowEvent::MouseWheel(wheel) => input.turn_wheel(wheel, mode),
            // The mode itself changes only later, but a slow frame may also contain the click that follows.
            WindowEvent::KeyboardInput(key) if switches_mode(key, &input.mouse.modifiers) => {
                mode = mode.other();
            }
            // The release of a button or key is not reported while another window has the focus.
            WindowEvent::KeyboardFocusLost(_) => input.release_all(),
            _ => {}
        }
    }
}

/// The mouse, and what its events concern.
#[derive(SystemParam)]
pub(in crate::game) struct MouseInput<'w, 's> {
    time: Res<'w, Time<Real>>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
    panels: Panels<'w, 's>,
    picker: Picker<'w>,
    mouse: ResMut<'w, Mouse>,
    view: ResMut<'w, Viewport>,
    people: PeoplePicker<'w>,
    actions: MessageWriter<'w, Action>,
}

impl MouseInput<'_, '_> {
    /// Whether the pointer is over the map, and not over a panel.
    fn is_on_map(&self) -> bool {
        self.mouse.position.is_some_and(|position| !self.panels.cover(position))
    }

    /// Moves the pointer to a place in logical pixels: drags the map, or continues the stroke.
    fn move_to(&mut self, place: Vec2) {
        let scale = self.window.single().map_or(1.0, Window::scale_factor);
        // The logical position was rounded; without the margin, `floor` could return the previous pixel.
        let position = (place * scale + 1.0 / 64.0).floor() + 0.5;
        let previous = self.mouse.position.replace(position).unwrap_or(position);
        if previous != position && self.mouse.drags.contains(&true) {
            self.view.pan((position - previous).as_ivec2(), self.picker.map.projection());
            self.mouse.picked = None;
        }
        let Some(last) = self.mouse.stroke else { return };
        if let Some(cell) = self.picker.ground_at(position, &self.view).filter(|cell| *cell != last) {
            self.mouse.stroke = Some(cell);
            self.actions.write(Action::Stroke(Stroke::To(cell)));
        }
    }

    /// Sets the goal, or begins a stroke or a selection of people.
    fn press_left(&mut self, mode: GameMode, plays_search: bool) {
        self.mouse.holds_map = self.is_on_map();
        let Some(position) = self.mouse.dragged_to() else { return };
        match mode {
            // On the release it is known whether it was a click.
            GameMode::Walking if self.people.are_there() && !plays_search => self.mouse.pressed = Some(position),
            GameMode::Walking => {
                let cell = self.picker.cell_at(position, &self.view, self.mouse.picking());
                self.actions.write_batch(cell.map(Action::Go));
            }
            GameMode::Painting => {
                self.mouse.stroke = self.picker.ground_at(position, &self.view);
                let straight = self.mouse.modifiers.shift();
                let begin = self.mouse.stroke.map(|cell| Stroke::Begin { cell, straight });
                self.actions.write_batch(begin.map(Action::Stroke));
            }
        }
    }

    /// Notes the person under the pointer while people are selected.
    fn note_who_is_there(&mut self) {
        let selects = !self.people.selected.agents().is_empty();
        let position = self.mouse.position.filter(|_| selects && self.is_on_map());
        let person = position.and_then(|position| self.people.at(position, &self.view));
        if self.mouse.over.map(|(person, _)| person) != person {
            self.mouse.over = person.map(|person| (person, self.time.elapsed()));
        }
    }

    /// Whether a click on a person selects them, instead of sending the selected people.
    fn means(&self, person: AgentId) -> bool {
        let has_rested =
            |(over, since): (AgentId, Duration)| over == person && self.time.elapsed().saturating_sub(since) >= MEANT;
        let modifiers = &self.mouse.modifiers;
        // In a recording, nobody can be sent.
        let sends = !self.people.selected.agents().is_empty() && !self.picker.map.is_replay();
        !sends || modifiers.shift() || modifiers.control() || self.mouse.over.is_some_and(has_rested)
    }

    /// Selects the people in the dragged rectangle, or the clicked person. Any other click sends the selected people,
    /// or the traveller.
    fn release_press(&mut self) {
        let Some(pressed) = self.mouse.pressed.take() else { return };
        let position = self.mouse.position.unwrap_or(pressed);
        let adds = self.mouse.modifiers.control();
        if pressed.distance(position) > CLICK {
            let people = self.people.in_rect(Rect::from_corners(pressed, position), &self.view);
            return self.people.selected.select(people, adds);
        }
        let person = self.people.at(position, &self.view);
        if let Some(person) = person.filter(|person| self.means(*person)) {
            return self.people.selected.select([person], adds);
        }
        let Some(cell) = self.picker.cell_at(position, &self.view, self.mouse.picking()) else { return };
        let is_selected = !self.people.selected.agents().is_empty();
        self.actions.write(if is_selected { Action::SendPeople(cell) } else { Action::Go(cell) });
    }

    fn release_left(&mut self) {
        self.release_press();
        self.mouse.holds_map = false;
        self.actions.write_batch(self.mouse.stroke.take().map(|_| Action::Stroke(Stroke::End)));
    }

    /// Drags the map, or picks the terrain of the cell on which the button is pressed and released.
    fn press_or_release_middle(&mut self, state: ButtonState) {
        self.mouse.drags[1] = state.is_pressed() && self.is_on_map();
        let position = self.mouse.position.filter(|_| self.mouse.drags[1]);
        let cell = position.and_then(|at| self.picker.cell_at(at, &self.view, Picking::Ground));
        let picked = std::mem::replace(&mut self.mouse.picked, cell);
        self.actions.write_batch(picked.map(|cell| Action::Brush(BrushChange::Pick(Some(cell)))));
    }

    /// Zooms, or changes the size of the brush.
    fn turn_wheel(&mut self, wheel: &MouseWheel, mode: GameMode) {
        let steps = self.mouse.zoom_steps(wheel);
        if self.mouse.position.is_some_and(|position| self.panels.cover(position)) {
            return;
        }
        let sizes_brush = mode == GameMode::Painting && self.mouse.modifiers.shift();
        let towards = self.mouse.position;
        let action = match steps > 0.0 {
            true if sizes_brush => Action::Brush(BrushChange::Larger),
            false if sizes_brush => Action::Brush(BrushChange::Smaller),
            true => Action::Zoom { zoom: Zoom::In, towards },
            false => Action::Zoom { zoom: Zoom::Out, towards },
        };
        self.actions.write_batch((0..steps.abs() as u32).map(|_| action));
    }

    fn release_all(&mut self) {
        self.mouse.pressed = None;
        self.mouse.drags = [false; 2];
        self.mouse.picked = None;
        self.release_left();
    }
}

/// Whether a key switches between walking and painting.
fn switches_mode(input: &KeyboardInput, held: &HeldModifiers) -> bool {
    let is_pressed = input.state == ButtonState::Pressed && !input.repeat;
    is_pressed && binding_for(input, held).is_some_and(|binding| binding.action == Action::TogglePainting)
}

impl Mouse {
    /// The kind of picking of a click: with Shift the ground, so that cells behind a landmark can be reached.
    pub(in crate::game) fn picking(&self) -> Picking {
        if self.modifiers.shift() { Picking::Ground } else { Picking::Pictures }
    }

    /// The position of the pointer while it drags something on the map with the left button, in physical pixels.
    pub(in crate::game) fn dragged_to(&self) -> Option<Vec2> {
        self.position.filter(|_| self.holds_map)
    }

    /// The rectangle in which people are being selected, in physical pixels.
    pub(in crate::game) fn selects_in(&self) -> Option<Rect> {
        let (from, to) = (self.pressed?, self.position?);
        Some(Rect::from_corners(from, to)).filter(|_| from.distance(to) > CLICK)
    }

    /// The centre of the pixel under the pointer, in physical pixels; `None` outside the window.
    pub(in crate::game) fn position(&self) -> Option<Vec2> {
        self.position
    }

    /// The number of notches of a turn of the wheel.
    pub(in crate::game) fn notches(&self, turn: f32, unit: MouseScrollUnit) -> f32 {
        turn / match unit {
            MouseScrollUnit::Pixel => PIXELS_PER_NOTCH,
            MouseScrollUnit::Line if self.notches_count_twice => 2.0,
            MouseScrollUnit::Line => 1.0,
        }
    }

    /// Adds a turn of the wheel and returns the number of whole zoom steps, positive to zoom in.
    fn zoom_steps(&mut self, wheel: &MouseWheel) -> f32 {
        self.wheel += self.notches(wheel.y, wheel.unit);
        let steps = self.wheel.trunc();
        self.wheel -= steps;
        steps.clamp(-MAX_STEPS, MAX_STEPS)
    }
}
