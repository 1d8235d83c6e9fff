//! Lets the browser ask before the page is left with unsaved changes.

use std::cell::Cell;

use bevy::prelude::*;
use web_sys::Event;

use super::listen::listen;
use crate::game::world::open_map::OpenMap;

thread_local! {
    /// Whether there are unsaved changes.
    static IS_UNSAVED: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen_to_leaving)
        .add_systems(PostUpdate, note_changes.run_if(resource_changed::<OpenMap>));
}

fn note_changes(map: Res<OpenMap>) {
    IS_UNSAVED.set(map.is_unsaved());
}

fn listen_to_leaving() {
    let Some(window) = web_sys::window() else { return };
    listen(&window, "beforeunload", false, |event: Event| {
        if IS_UNSAVED.get() {
            event.prevent_default();
            // Some browsers want this, too. None shows the text.
            let _ = js_sys::Reflect::set(&event, &"returnValue".into(), &"The map is not saved.".into());
        }
    });
}
