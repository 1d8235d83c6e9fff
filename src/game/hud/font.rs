//! The typeface of all text in the window.

use bevy::prelude::*;
use epaint_default_fonts::HACK_REGULAR;

pub(super) fn plugin(app: &mut App) {
    let font = Font::from_bytes(HACK_REGULAR.to_vec());
    let fonts = app.world_mut().resource_mut::<Assets<Font>>().into_inner();
    fonts.insert(AssetId::default(), font).expect("the default id of an asset is always valid");
}
