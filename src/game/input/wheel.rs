//! Detects X servers on which winit 0.30 reports every notch of the wheel twice.
//!
//! If no device has a scroll axis (virtual screens, VNC), the wheel is a pair of buttons, and winit reports a line for
//! both the press and the release of such a button: <https://github.com/rust-windowing/winit/pull/4386>.

use bevy::prelude::*;

use crate::game::input::mouse::Mouse;
use crate::game::x_server::XServer;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, detect_button_wheel.run_if(resource_exists::<XServer>));
}

fn detect_button_wheel(server: Res<XServer>, mut mouse: ResMut<Mouse>) {
    if server.wheel_is_buttons() == Some(true) {
        mouse.lines_per_notch = 2.0;
    }
}
