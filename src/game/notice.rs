//! The message that shows a short notice to the player.

use bevy::prelude::*;

/// A notice that the window shows for a few seconds.
#[derive(Message, Clone, Debug)]
pub struct Notice(pub String);

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Notice>();
}
