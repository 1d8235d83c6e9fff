//! Ctrl+C in the terminal closes the window, even while it sleeps. The engine's own handler would wait for a frame.

use bevy::app::TerminalCtrlCHandlerPlugin;
use bevy::app::ctrlc::{Error, try_set_handler};
use bevy::prelude::*;
use tracing::warn;

use crate::game::frames::wake::Waker;

/// This comes before the engine's plugins, which then add no handler of their own.
pub(in crate::game) fn plugin(app: &mut App) {
    let waker = app.world_mut().get_resource_or_init::<Waker>().clone();
    let handled = try_set_handler(move || {
        TerminalCtrlCHandlerPlugin::gracefully_exit();
        waker.wake();
    });
    match handled {
        // Shells let programs in the background ignore Ctrl+C.
        Ok(()) | Err(Error::MultipleHandlers) => {}
        Err(error) => warn!("Ctrl+C ends the program without closing the window: {error}"),
    }
}
