//! Short notices to the player.

use bevy::prelude::*;

/// Something to tell the player for a moment.
#[derive(Message, Clone, Debug)]
pub struct Notice(pub String);
