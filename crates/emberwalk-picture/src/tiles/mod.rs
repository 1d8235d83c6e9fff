//! The images of a tileset: from a user's folder, or embedded images that are scaled.

mod figure_images;
mod image_names;
mod png;
mod reflection;
mod scale;
mod tile_images;
mod transparency;

pub use figure_images::FigureImages;
pub use image_names::image_names;
pub(crate) use reflection::REFLECTION_OFFSETS;
pub use tile_images::{ImageId, TileImages};
