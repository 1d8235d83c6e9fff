//! Detects at the start whether the device has a touch screen.

use bevy::prelude::*;

use crate::game::input::touch::UsesFingers;

pub(super) fn plugin(app: &mut App) {
    let found = web_sys::window().and_then(|window| window.match_media("(pointer: coarse)").ok().flatten());
    app.insert_resource(UsesFingers(found.is_some_and(|found| found.matches())));
}
