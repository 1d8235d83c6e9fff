//! Decides which keys the program takes and which ones the browser gets.

use bevy::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, KeyboardEvent};

use crate::game::input::bindings::{BINDINGS, Binding, KeyPress};

use super::listen::listen;

/// Keys that the browser always gets: reload, full screen, and its own tools.
const KEYS_OF_BROWSER: [&str; 3] = ["F5", "F11", "F12"];

/// With Ctrl, the browser gets this one, too: it reloads the page.
const RELOAD: &str = "r";

/// With Ctrl, both get this one: the browser passes the text to paste.
const PASTE: &str = "v";

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen_to_keys);
}

/// Keeps keys of the program from the browser, and the other way round.
fn listen_to_keys() {
    let Some(window) = web_sys::window() else { return };
    listen(&window, "keydown", true, |event: KeyboardEvent| {
        if event.target().is_some_and(|target| target.has_type::<HtmlInputElement>()) {
            // The player types into a field of the browser.
        } else if is_of_program(&event) {
            if !is_paste(&event) {
                event.prevent_default();
            }
        } else {
            event.stop_immediate_propagation();
        }
    });
}

fn is_paste(event: &KeyboardEvent) -> bool {
    event.ctrl_key() && event.key().eq_ignore_ascii_case(PASTE)
}

fn is_of_program(event: &KeyboardEvent) -> bool {
    let key = event.key();
    let code = event.code();
    if KEYS_OF_BROWSER.contains(&key.as_str()) {
        return false;
    }
    let is_bound = |binding: &Binding| {
        binding.keys.iter().any(|bound| match bound {
            KeyPress::Letter(letter) => key.eq_ignore_ascii_case(letter),
            // The code names come from the standard for keyboard events.
            KeyPress::Code(bound) => code == format!("{bound:?}"),
        })
    };
    let is_function_key = key.len() > 1 && key.starts_with('F') && key[1..].parse::<u8>().is_ok();
    if event.meta_key() {
        // On a Mac the browser gets these.
        key == "Meta"
    } else if event.ctrl_key() && !event.alt_key() {
        key == "Control"
            || key == "Shift"
            || !key.eq_ignore_ascii_case(RELOAD) && BINDINGS.iter().any(|one| one.modifiers.ctrl && is_bound(one))
    } else if is_function_key {
        BINDINGS.iter().any(is_bound)
    } else {
        // With Alt the arrow keys go back and forth in the history.
        !(event.alt_key() && matches!(key.as_str(), "ArrowLeft" | "ArrowRight"))
    }
}
