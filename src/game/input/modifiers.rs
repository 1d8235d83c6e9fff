//! The modifier keys: which of them are held at each event, and which of them a binding needs.

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::prelude::*;
use bevy::window::WindowEvent;

use crate::game::input::layout::{Layout, typed};

/// The modifier keys that a binding needs. Alt is never one of them: while it is held, keys work by their position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers {
    /// Whether Ctrl must be held. If not, it must not be held.
    pub ctrl: bool,
    /// The same for Shift; `None` if it does not matter, because it takes part in typing the character.
    pub shift: Option<bool>,
}

impl Modifiers {
    /// No Ctrl.
    pub(in crate::game) const NONE: Self = Self { ctrl: false, shift: None };
    /// Neither Ctrl nor Shift.
    pub(in crate::game) const NEITHER: Self = Self { ctrl: false, shift: Some(false) };
    /// Shift without Ctrl.
    pub(in crate::game) const SHIFT: Self = Self { ctrl: false, shift: Some(true) };
    /// Ctrl without Shift.
    pub(in crate::game) const CTRL: Self = Self { ctrl: true, shift: Some(false) };
    /// Ctrl and Shift.
    pub(in crate::game) const CTRL_SHIFT: Self = Self { ctrl: true, shift: Some(true) };
    /// Ctrl with a sign such as +, which needs Shift on some keyboards.
    pub(in crate::game) const CTRL_AND_SIGN: Self = Self { ctrl: true, shift: None };
}

/// The held modifier keys, left and right, and the knowledge about the layout. The resource has the keys held at the
/// end of the frame, for effects that last as long as a key is held; the meaning of an event depends on the keys of
/// [`EventsWithModifiers`].
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct HeldModifiers {
    ctrl: [bool; 2],
    shift: [bool; 2],
    alt: [bool; 2],
    logo: [bool; 2],
    layout: Layout,
}

/// Reads the events of the window, each with the modifier keys that were held when it came. The events of a slow frame
/// may press Ctrl, another key, and release both again.
#[derive(SystemParam)]
pub(in crate::game) struct EventsWithModifiers<'w, 's> {
    events: MessageReader<'w, 's, WindowEvent>,
    held: Local<'s, HeldModifiers>,
}

impl EventsWithModifiers<'_, '_> {
    /// The events since the last call, with the modifiers that each leaves held.
    pub fn read(&mut self) -> impl Iterator<Item = (&WindowEvent, HeldModifiers)> {
        let held = &mut *self.held;
        self.events.read().map(|event| {
            held.note(event);
            (event, *held)
        })
    }
}

impl HeldModifiers {
    /// Notes an event.
    pub(in crate::game) fn note(&mut self, event: &WindowEvent) {
        let input = match event {
            WindowEvent::KeyboardInput(input) => input,
            // Keys that are released while another window has the focus are not reported.
            WindowEvent::KeyboardFocusLost(_) => {
                *self = Self { layout: self.layout, ..Self::default() };
                return;
            }
            _ => return,
        };
        // With Alt, a Mac types Greek letters.
        self.layout.note(typed(input).filter(|_| !self.alt() && !self.make_commands()));
        let key = match input.key_code {
            KeyCode::ControlLeft => &mut self.ctrl[0],
            KeyCode::ControlRight => &mut self.ctrl[1],
            KeyCode::ShiftLeft => &mut self.shift[0],
            KeyCode::ShiftRight => &mut self.shift[1],
            KeyCode::AltLeft => &mut self.alt[0],
            KeyCode::AltRight => &mut self.alt[1],
            KeyCode::SuperLeft => &mut self.logo[0],
            KeyCode::SuperRight => &mut self.logo[1],
            _ => return,
        };
        *key = input.state == ButtonState::Pressed;
    }

    /// Whether Shift is held.
    pub(in crate::game) fn shift(&self) -> bool {
        self.shift.contains(&true)
    }

    /// Whether Ctrl is held.
    pub(in crate::game) fn control(&self) -> bool {
        self.ctrl.contains(&true)
    }

    /// Whether Alt is held. The right one may be AltGr.
    pub(in crate::game) fn alt(&self) -> bool {
        self.alt.contains(&true)
    }

    /// Whether the left Alt key is held, which types no characters.
    pub(in crate::game) fn alt_left(&self) -> bool {
        self.alt[0]
    }

    /// The knowledge about the layout.
    pub(in crate::game) fn layout(&self) -> Layout {
        self.layout
    }

    /// Whether letters are commands even in a text field, which takes all other letters.
    pub(in crate::game) fn make_commands(&self) -> bool {
        (self.control() || self.logo.contains(&true)) && !self.alt()
    }

    /// Whether a key pressed now is a shortcut of the desktop, as with the logo key, and with Ctrl and Alt together.
    fn are_for_the_desktop(&self) -> bool {
        self.logo.contains(&true) || (self.ctrl.contains(&true) && self.alt())
    }

    /// Whether they match a binding.
    pub(in crate::game) fn fit(&self, needed: Modifiers) -> bool {
        !self.are_for_the_desktop()
            && self.ctrl.contains(&true) == needed.ctrl
            && needed.shift.is_none_or(|needed| needed == self.shift())
    }
}
