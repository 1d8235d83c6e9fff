//! Follows the desktop's setting for animations. The engine and its window library do not know it.

use std::thread::Builder;

use bevy::prelude::*;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt, EventMask};

use crate::game::frames::reduced_motion::{ReducedMotion, SystemMotion};
use crate::game::platform::x_settings::{XSettings, integer};

use super::XServer;

/// The setting: 0 without animations.
const SETTING: &[u8] = b"Gtk/EnableAnimations";

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, start_watching.run_if(resource_exists::<XServer>));
}

fn start_watching(reduced: Res<ReducedMotion>) {
    let system = reduced.system().clone();
    // If there are too many threads, the setting is not followed.
    let _ = Builder::new().name("X settings".into()).spawn(move || watch(&system));
}

/// Follows the setting until the server or the program that publishes it is gone. It has its own connection, as it
/// takes all of its events.
fn watch(system: &SystemMotion) -> Option<()> {
    let (connection, screen) = x11rb::connect(None).ok()?;
    let settings = XSettings::find(&connection, screen)?;
    let events = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE | EventMask::STRUCTURE_NOTIFY);
    connection.change_window_attributes(settings.owner, &events).ok()?;
    loop {
        let animates = integer(&settings.read(&connection)?, SETTING).is_none_or(|value| value != 0);
        system.set(!animates);
        connection.wait_for_event().ok()?;
        while connection.poll_for_event().ok()?.is_some() {}
    }
}
