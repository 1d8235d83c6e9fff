//! Lets the browser ask before the page is left with unsaved changes.

use std::cell::Cell;

use bevy::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Event;

use crate::game::world::open_map::OpenMap;

thread_local! {
    /// Whether there are unsaved changes.
    static IS_UNSAVED: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen).add_systems(PostUpdate, note_changes.run_if(resource_changed::<OpenMap>));
}

fn note_changes(map: Res<OpenMap>) {
    IS_UNSAVED.set(map.history().is_unsaved());
}

fn listen() {
    let Some(window) = web_sys::window() else { return };
    let ask = Closure::<dyn Fn(Event)>::new(|event: Event| {
        if IS_UNSAVED.get() {
            event.prevent_default();
            // Some browsers want this, too. None shows the text.
            let _ = js_sys::Reflect::set(&event, &"returnValue".into(), &"The map is not saved.".into());
        }
    });
    // This cannot fail: it is a name of events.
    let _ = window.add_event_listener_with_callback("beforeunload", ask.as_ref().unchecked_ref());
    // The page listens as long as it is there.
    ask.forget();
}
