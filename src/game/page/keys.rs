//! Decides which keys the program takes and which ones the browser gets.

use std::cell::Cell;

use bevy::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, KeyboardEvent};

use crate::game::input::bindings::{BINDINGS, Binding, KeyPress, character_at};
use crate::game::input::layout::Layout;

use super::listen::listen;

/// Keys that the browser always gets: reload, full screen, and its own tools.
const KEYS_OF_BROWSER: [&str; 3] = ["F5", "F11", "F12"];

/// With Ctrl, the browser gets this key, too: it reloads the page.
const RELOAD: char = 'r';

/// With Ctrl, both get this key: the browser passes the text to paste.
const PASTE: char = 'v';

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen_to_keys);
}

/// Keeps keys of the program from the browser, and the other way round.
fn listen_to_keys() {
    let Some(window) = web_sys::window() else { return };
    let layout = Cell::new(Layout::default());
    listen(&window, "keydown", true, move |event: KeyboardEvent| {
        let key = PressedKey::of(&event, &layout);
        if event.target().is_some_and(|target| target.has_type::<HtmlInputElement>()) {
            // The player types into a field of the browser.
        } else if key.is_of_program(&event) {
            if !(event.ctrl_key() && key.letter == Some(PASTE)) {
                event.prevent_default();
            }
        } else {
            event.stop_immediate_propagation();
        }
    });
}

/// A key that is pressed.
struct PressedKey {
    /// Its name, or the character that it types.
    name: String,
    /// Its place, by a name that is also the one of the key code.
    place: String,
    /// The small letter or the sign that it means.
    letter: Option<char>,
}

impl PressedKey {
    fn of(event: &KeyboardEvent, layout: &Cell<Layout>) -> Self {
        let (name, place) = (event.key(), event.code());
        // Keys that type nothing have longer names, in Latin letters.
        let typed = Some(&*name).filter(|name| name.len() == 1 || !name.is_ascii());
        let mut known = layout.get();
        known.note(typed.filter(|_| !event.alt_key() && !event.ctrl_key()));
        layout.set(known);
        let letter = known.meaning(typed, character_at(|code| place == format!("{code:?}")));
        Self { letter, name, place }
    }

    /// Whether the key belongs to a binding, whatever else is held.
    fn is_bound(&self, binding: &Binding) -> bool {
        binding.keys.iter().any(|bound| match bound {
            KeyPress::Letter(bound) => self.letter.is_some_and(|letter| bound.contains(letter)),
            KeyPress::Code(bound) => self.place == format!("{bound:?}"),
        })
    }

    fn is_of_program(&self, event: &KeyboardEvent) -> bool {
        let key = &*self.name;
        if KEYS_OF_BROWSER.contains(&key) {
            return false;
        }
        let is_function_key = key.len() > 1 && key.starts_with('F') && key[1..].parse::<u8>().is_ok();
        if event.meta_key() {
            // On a Mac the browser gets these.
            key == "Meta"
        } else if event.ctrl_key() && !event.alt_key() {
            key == "Control"
                || key == "Shift"
                || self.letter != Some(RELOAD) && BINDINGS.iter().any(|one| one.modifiers.ctrl && self.is_bound(one))
        } else if is_function_key {
            BINDINGS.iter().any(|binding| self.is_bound(binding))
        } else {
            // With Alt the arrow keys go back and forth in the history.
            !(event.alt_key() && matches!(key, "ArrowLeft" | "ArrowRight"))
        }
    }
}
