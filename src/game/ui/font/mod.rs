//! The typefaces of the window, and the fonts of the system for the letters that they lack.

use bevy::asset::uuid_handle;
use bevy::prelude::*;
use epaint_default_fonts::HACK_REGULAR;

mod font_folders;
mod font_search;
mod other_letters;
pub(in crate::game) mod text_width;
mod whole_pixels;

/// The icons.
pub(super) const ICONS: Handle<Font> = uuid_handle!("6a1f7c1e-4f0b-4d46-9a53-2b5a1c0f3d01");

/// A typeface whose letters all have one width.
pub(super) const MONOSPACE: Handle<Font> = uuid_handle!("6a1f7c1e-4f0b-4d46-9a53-2b5a1c0f3d02");

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((typefaces, other_letters::plugin, whole_pixels::plugin));
}

/// Loads the typefaces. Every text that names none has the proportional one.
pub(in crate::game) fn typefaces(app: &mut App) {
    let fonts = app.world_mut().resource_mut::<Assets<Font>>().into_inner();
    for (id, bytes) in [
        (AssetId::default(), ttf_inter::REGULAR),
        (ICONS.id(), lucide_icons::LUCIDE_FONT_BYTES),
        (MONOSPACE.id(), HACK_REGULAR),
    ] {
        fonts.insert(id, Font::from_bytes(bytes.to_vec())).expect("these ids are always valid");
    }
}
