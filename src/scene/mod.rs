//! Decides which images are drawn on each cell, for both the painter and the window.
//!
//! A [`Scene`] has the images of a tileset and says for each cell of a map which of them are drawn. The layers, from
//! the bottom: [slab](Scene::slab), [ground](Scene::ground), [edges](Scene::edges), [flat overlays](Scene::flat),
//! [shading](Scene::shading_key), [route marks](Scene::route_marks), and [standing images](Scene::standing), each with
//! what [shines through](Scene::shine_through) it. Each layer is drawn completely before the next, cell by cell
//! [from back to front](crate::iso::Projection::back_to_front). The [silhouettes](Scene::silhouette) of hidden figures
//! are last.

mod edges;
mod eruption;
mod ground_pixels;
mod image_finder;
mod image_stack;
mod layers;
mod linear_light;
mod map_cells;
mod noise;
mod pick;
mod pixel_box;
mod route_marks;
mod seen_through;
mod shading;
mod shading_reach;
mod standing_near;
mod terrain_images;

pub use image_stack::ImageStack;
pub use layers::{Look, Scene};
pub(crate) use linear_light::SrgbTables;
pub use map_cells::{EditedTerrain, TerrainCells};
pub use route_marks::RouteMark;
pub use seen_through::{PlacedMark, ShineThrough};
pub use shading::ShadingKey;

use crate::iso::Projection;
use crate::map::Map;

/// Returns the projection of the cells of a map to its picture, with the tiles of its tileset.
pub fn projection(map: &Map) -> Projection {
    Projection::new(map.size(), map.tileset().tile())
}
