//! Detects X servers on which winit 0.30 reports every notch of the wheel twice.
//!
//! If no device has a scroll axis (virtual screens, VNC), the wheel is a pair of buttons, and winit reports a line for
//! both the press and the release of such a button: <https://github.com/rust-windowing/winit/pull/4386>.

use bevy::prelude::*;
use x11rb::protocol::xinput::{ConnectionExt, Device, DeviceClassData};

use crate::game::input::mouse::Mouse;

use super::XServer;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, detect_button_wheel.run_if(resource_exists::<XServer>));
}

fn detect_button_wheel(server: Res<XServer>, mut mouse: ResMut<Mouse>) {
    mouse.notches_count_twice = wheel_is_buttons(&server) == Some(true);
}

/// Whether no device has a scroll axis; `None` if the server does not answer.
fn wheel_is_buttons(XServer { connection, .. }: &XServer) -> Option<bool> {
    connection.xinput_xi_query_version(2, 2).ok()?.reply().ok()?;
    let devices = connection.xinput_xi_query_device(Device::ALL).ok()?.reply().ok()?.infos;
    let mut classes = devices.iter().flat_map(|device| &device.classes);
    Some(!classes.any(|class| matches!(class.data, DeviceClassData::Scroll(_))))
}
