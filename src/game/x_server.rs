//! The X server that shows the window, for what the engine does not know about it. It may be far away, so no frame waits
//! for its answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;

use bevy::prelude::*;
use bevy::window::{PrimaryWindow, RawHandleWrapper};
use raw_window_handle::RawWindowHandle;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xinput::{ConnectionExt as _, Device, DeviceClassData};
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, InputFocus, MapState,
};
use x11rb::rust_connection::RustConnection;

use crate::game::frames::wake::Waker;

/// A connection to the X server, and the window there.
#[derive(Resource)]
pub struct XServer {
    connection: Arc<RustConnection>,
    screen: usize,
    window: u32,
    is_minimised: Arc<AtomicBool>,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PreStartup, connect);
}

fn connect(window: Query<&RawHandleWrapper, With<PrimaryWindow>>, waker: Res<Waker>, mut commands: Commands) {
    let window = window.single().ok().and_then(|window| match window.get_window_handle() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    });
    if let Some(window) = window
        && let Ok((connection, screen)) = x11rb::connect(None)
    {
        let (connection, is_minimised) = (Arc::new(connection), Arc::default());
        let server = XServer { connection: Arc::clone(&connection), screen, window, is_minimised };
        let (is_minimised, waker) = (Arc::clone(&server.is_minimised), waker.clone());
        let watch = move || watch(&connection, window, &is_minimised, &waker);
        // If there are too many threads, a minimised window is drawn.
        let _ = Builder::new().name("X events".into()).spawn(watch);
        commands.insert_resource(server);
    }
}

impl XServer {
    /// Returns whether a window manager runs: the one client that may redirect the root window's children. `None` if
    /// the server does not answer.
    pub fn has_window_manager(&self) -> Option<bool> {
        let root = self.connection.setup().roots.get(self.screen)?.root;
        let masks = self.connection.get_window_attributes(root).ok()?.reply().ok()?.all_event_masks;
        Some(masks.contains(EventMask::SUBSTRUCTURE_REDIRECT))
    }

    /// Returns whether the window is not on the screen, not even under other windows.
    pub fn is_minimised(&self) -> bool {
        self.is_minimised.load(Ordering::Relaxed)
    }

    /// Asks the server to give the keyboard focus to the window. The server refuses while the window is not mapped.
    pub fn take_focus(&self) {
        let request = self.connection.set_input_focus(InputFocus::POINTER_ROOT, self.window, x11rb::CURRENT_TIME);
        if let Ok(cookie) = request {
            cookie.ignore_error();
            // This fails only if the server is gone.
            let _ = self.connection.flush();
        }
    }

    /// Returns whether no device has a scroll axis; `None` if the server does not answer.
    pub fn wheel_is_buttons(&self) -> Option<bool> {
        self.connection.xinput_xi_query_version(2, 2).ok()?.reply().ok()?;
        let devices = self.connection.xinput_xi_query_device(Device::ALL).ok()?.reply().ok()?.infos;
        let mut classes = devices.iter().flat_map(|device| &device.classes);
        Some(!classes.any(|class| matches!(class.data, DeviceClassData::Scroll(_))))
    }
}

/// Keeps `is_minimised` true to the server until the window is closed.
fn watch(connection: &RustConnection, window: u32, is_minimised: &AtomicBool, waker: &Waker) -> Result<(), ReplyError> {
    let events = EventMask::STRUCTURE_NOTIFY | EventMask::PROPERTY_CHANGE;
    connection.change_window_attributes(window, &ChangeWindowAttributesAux::new().event_mask(events))?;
    let [states, hidden] =
        [b"_NET_WM_STATE".as_slice(), b"_NET_WM_STATE_HIDDEN"].map(|name| connection.intern_atom(false, name));
    let (states, hidden) = (states?.reply()?.atom, hidden?.reply()?.atom);
    loop {
        let now = is_off_screen(connection, window, states, hidden)?;
        if is_minimised.swap(now, Ordering::Relaxed) != now {
            waker.wake();
        }
        // A change during the question is an event that is still to come.
        connection.wait_for_event()?;
        while connection.poll_for_event()?.is_some() {}
    }
}

/// Returns whether the window is unmapped, or its window manager hides it.
fn is_off_screen(connection: &RustConnection, window: u32, states: Atom, hidden: Atom) -> Result<bool, ReplyError> {
    let attributes = connection.get_window_attributes(window)?;
    let set = connection.get_property(false, window, states, AtomEnum::ATOM, 0, u32::MAX)?;
    let (attributes, set) = (attributes.reply()?, set.reply()?);
    Ok(attributes.map_state != MapState::VIEWABLE
        || set.value32().is_some_and(|mut set| set.any(|atom| atom == hidden)))
}
