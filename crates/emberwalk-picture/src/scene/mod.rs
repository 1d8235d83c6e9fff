//! Decides which images are drawn on each cell, for both the painter and the window.
//!
//! A [`Scene`] holds the images of a tileset and chooses which of them are drawn on each cell of a map. The layers,
//! from the bottom: [slab](Scene::slab), [ground](Scene::ground), [edges](Scene::edges), [flat overlays](Scene::flat),
//! [shading](Scene::shading_key), [route marks](Scene::route_marks), and [standing images](Scene::standing), each with
//! the marks that [shine through](Scene::shine_through) it. Each layer is drawn completely before the next, cell by
//! cell [from back to front](crate::iso::Projection::back_to_front). The [silhouettes](Scene::silhouette) of hidden
//! figures are last. In the full look, the [background](Background) is below all of them.
//!
//! On a map with hills, a cell and everything on it is drawn [higher](crate::iso::Projection::at_level). The terrain
//! comes first, cell by cell: the [faces](Scene::faces) of a cell, then its ground. Everything else is cut where nearer
//! and higher terrain [covers](Scene::cover) it.

mod background;
mod cover;
mod details;
mod edges;
mod eruption;
mod faces;
mod figure_shadows;
mod footing;
mod ground_pixels;
mod hill_light;
mod image_finder;
mod image_stack;
mod layers;
mod light;
mod linear_light;
mod look;
pub(crate) mod noise;
mod pick;
mod pixel_box;
mod route_marks;
mod seen_pixels;
mod seen_through;
mod shading;
mod shading_reach;
mod shapes;
mod standing_near;
mod terrain_at;
mod terrain_images;
mod warming;
mod water;

pub use background::{Background, BackgroundPart};
pub use cover::{TerrainCover, hidden_mark};
pub use faces::Face;
pub use figure_shadows::FigureShadow;
pub use footing::{Footing, feet};
pub use image_stack::ImageStack;
pub use layers::Scene;
pub(crate) use linear_light::{SrgbTables, erase};
pub use look::Look;
pub use route_marks::RouteMark;
pub use seen_through::{PlacedMark, ShineThrough};
pub use shading::ShadingKey;
pub use terrain_at::{TerrainPart, terrain_at, terrain_at_zoom};
pub use warming::Warming;

use crate::iso::Projection;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// The projection of a map's cells to its picture, with the tiles of its tileset. It places all cells at level 0.
pub fn projection(map: &Layers) -> Projection {
    Projection::new(map.size(), map.tileset().tile()).with_top(map.top())
}

/// The top left corner of the tile image of `cell`, at the level of the cell.
pub fn raised_corner(map: &Layers, cell: Cell) -> (i32, i32) {
    projection(map).at_level(map.level(cell)).corner(cell)
}
