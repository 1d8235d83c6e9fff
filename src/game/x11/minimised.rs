//! Notices whether the window is minimised.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::Builder;

use bevy::prelude::*;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{Atom, AtomEnum, ChangeWindowAttributesAux, ConnectionExt, EventMask, MapState};
use x11rb::rust_connection::RustConnection;

use crate::game::frames::hidden::Minimised;
use crate::game::frames::wake::Waker;

use super::XServer;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, start_watching.run_if(resource_exists::<XServer>));
}

fn start_watching(server: Res<XServer>, minimised: Res<Minimised>, waker: Res<Waker>) {
    let connection = Arc::clone(&server.connection);
    let window = server.window;
    let minimised = minimised.clone();
    let waker = waker.clone();
    let watch = move || watch(&connection, window, &minimised, &waker);
    // If there are too many threads, a minimised window is drawn.
    let _ = Builder::new().name("X events".into()).spawn(watch);
}

/// Keeps `minimised` up to date until the window is closed.
fn watch(connection: &RustConnection, window: u32, minimised: &Minimised, waker: &Waker) -> Result<(), ReplyError> {
    let events = EventMask::STRUCTURE_NOTIFY | EventMask::PROPERTY_CHANGE;
    connection.change_window_attributes(window, &ChangeWindowAttributesAux::new().event_mask(events))?;
    let [states, hidden] =
        [b"_NET_WM_STATE".as_slice(), b"_NET_WM_STATE_HIDDEN"].map(|name| connection.intern_atom(false, name));
    let states = states?.reply()?.atom;
    let hidden = hidden?.reply()?.atom;
    loop {
        let now = is_off_screen(connection, window, states, hidden)?;
        if minimised.0.swap(now, Ordering::Relaxed) != now {
            waker.wake();
        }
        // A change during the question is an event that is still to come.
        connection.wait_for_event()?;
        while connection.poll_for_event()?.is_some() {}
    }
}

/// Whether the window is unmapped, or its window manager hides it.
fn is_off_screen(connection: &RustConnection, window: u32, states: Atom, hidden: Atom) -> Result<bool, ReplyError> {
    let attributes = connection.get_window_attributes(window)?;
    let set = connection.get_property(false, window, states, AtomEnum::ATOM, 0, u32::MAX)?;
    let attributes = attributes.reply()?;
    let set = set.reply()?;
    Ok(attributes.map_state != MapState::VIEWABLE
        || set.value32().is_some_and(|mut set| set.any(|atom| atom == hidden)))
}
