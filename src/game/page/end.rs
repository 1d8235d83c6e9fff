//! Shows on the page that the program has ended. Otherwise the canvas would only freeze.

use std::panic;

use bevy::app::AppExit;
use bevy::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::console;

const FAILED: &str =
    "Emberwalk has stopped with an error. Reload the page to start again and to restore unsaved strokes.";

pub(super) fn plugin(app: &mut App) {
    // The engine has replaced the hook with its own.
    report_panics();
    app.add_systems(Last, say_that_it_ended);
}

/// Shows on the page if the program fails.
pub fn report_panics() {
    panic::set_hook(Box::new(|panic| {
        console::error_1(&panic.to_string().into());
        show_message(FAILED);
    }));
}

/// The web version cannot be quit, so only an error ends the program.
fn say_that_it_ended(mut exits: MessageReader<AppExit>) {
    if exits.read().count() > 0 {
        show_message(FAILED);
    }
}

/// Shows a message in place of the map.
pub fn show_message(message: &str) {
    let show = js_sys::Reflect::get(&js_sys::global(), &"showMessage".into());
    if let Ok(show) = show.map(js_sys::Function::from) {
        // The page defines this function.
        let _ = show.call1(&JsValue::NULL, &message.into());
    }
}
