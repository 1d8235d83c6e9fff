//! Says on the page that the program has ended. The canvas would only stand still.

use std::panic;

use bevy::app::AppExit;
use bevy::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::console;

const FAILED: &str = "Emberwalk has failed. Reload the page to start it again; what you have painted is offered then.";

pub(super) fn plugin(app: &mut App) {
    // The engine has taken the hook for itself.
    report_panics();
    app.add_systems(Last, say_that_it_ended);
}

/// Shows on the page that the program has failed, if it does.
pub fn report_panics() {
    panic::set_hook(Box::new(|panic| {
        console::error_1(&panic.to_string().into());
        show_message(FAILED);
    }));
}

/// A page is not quit, so only an error ends the program.
fn say_that_it_ended(mut exits: MessageReader<AppExit>) {
    if exits.read().count() > 0 {
        show_message(FAILED);
    }
}

/// Shows a message in place of the map.
pub fn show_message(message: &str) {
    let show = js_sys::Reflect::get(&js_sys::global(), &"showMessage".into());
    if let Ok(show) = show.map(js_sys::Function::from) {
        // The page has this function.
        let _ = show.call1(&JsValue::NULL, &message.into());
    }
}
