//! The typeface of all text in the window, and the fonts of the system for the letters that it lacks.

use bevy::prelude::*;
use epaint_default_fonts::HACK_REGULAR;

mod font_folders;
mod font_search;
mod other_letters;
mod whole_pixels;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((typeface, other_letters::plugin, whole_pixels::plugin));
}

/// Makes it the typeface of every text that names no other.
pub(super) fn typeface(app: &mut App) {
    let font = Font::from_bytes(HACK_REGULAR.to_vec());
    let fonts = app.world_mut().resource_mut::<Assets<Font>>().into_inner();
    fonts.insert(AssetId::default(), font).expect("the default id of an asset is always valid");
}
