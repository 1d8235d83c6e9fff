//! Textures: the images of the tileset, and images that are drawn when first needed, in atlases.

use bevy::prelude::*;

pub mod atlas;
pub mod drawn_images;
pub mod images;
pub mod texture_writes;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((texture_writes::plugin, drawn_images::plugin, images::plugin));
}
