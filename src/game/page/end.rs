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

fn say_that_it_ended(mut exits: MessageReader<AppExit>) {
    let Some(exit) = exits.read().last() else { return };
    show_message(match exit {
        AppExit::Success => "Emberwalk has ended. Reload the page to start it again.",
        AppExit::Error(_) => FAILED,
    });
}

/// Shows a message in place of the map.
pub fn show_message(message: &str) {
    let show = js_sys::Reflect::get(&js_sys::global(), &"showMessage".into());
    if let Ok(show) = show.map(js_sys::Function::from) {
        // The page has this function.
        let _ = show.call1(&JsValue::NULL, &message.into());
    }
}
