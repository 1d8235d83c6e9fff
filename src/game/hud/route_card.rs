//! The card about the route: what it costs, and whether that is the cheapest.
use bevy::prelude::*;
pub(super) fn plugin(_app: &mut App) {}
