//! The X server that shows the window, for what the engine does not know about it.

use bevy::prelude::*;
use bevy::window::{PrimaryWindow, RawHandleWrapper};
use raw_window_handle::RawWindowHandle;
use x11rb::connection::Connection;
use x11rb::protocol::xinput::{ConnectionExt as _, Device, DeviceClassData};
use x11rb::protocol::xproto::{ConnectionExt as _, EventMask, InputFocus, MapState};
use x11rb::rust_connection::RustConnection;

/// A connection to the X server, and the window there.
#[derive(Resource)]
pub struct XServer {
    connection: RustConnection,
    screen: usize,
    window: u32,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PreStartup, connect);
}

fn connect(window: Query<&RawHandleWrapper, With<PrimaryWindow>>, mut commands: Commands) {
    let window = window.single().ok().and_then(|window| match window.get_window_handle() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    });
    if let Some(window) = window
        && let Ok((connection, screen)) = x11rb::connect(None)
    {
        commands.insert_resource(XServer { connection, screen, window });
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

    /// Returns whether the window is on the screen, if only under other windows; `None` if the server does not answer.
    pub fn is_mapped(&self) -> Option<bool> {
        let state = self.connection.get_window_attributes(self.window).ok()?.reply().ok()?.map_state;
        Some(state == MapState::VIEWABLE)
    }

    /// Gives the keyboard focus to the window. Returns whether the server agreed.
    pub fn take_focus(&self) -> bool {
        let request = self.connection.set_input_focus(InputFocus::POINTER_ROOT, self.window, x11rb::CURRENT_TIME);
        request.is_ok_and(|cookie| cookie.check().is_ok())
    }

    /// Returns whether no device has a scroll axis; `None` if the server does not answer.
    pub fn wheel_is_buttons(&self) -> Option<bool> {
        self.connection.xinput_xi_query_version(2, 2).ok()?.reply().ok()?;
        let devices = self.connection.xinput_xi_query_device(Device::ALL).ok()?.reply().ok()?.infos;
        let mut classes = devices.iter().flat_map(|device| &device.classes);
        Some(!classes.any(|class| matches!(class.data, DeviceClassData::Scroll(_))))
    }
}
