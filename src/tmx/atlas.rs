//! The atlases of a map for Tiled: pictures that have all its tiles in rows and columns.

use image::RgbaImage;
use image::imageops::replace;

use crate::terrain::{ImageId, TerrainId, TileImages, Tileset};

/// A picture of tiles in rows and columns, all in boxes of the same size.
#[derive(Clone, Debug)]
pub struct TileAtlas {
    /// What the name of the picture adds to that of the map's file, both without extension.
    pub suffix: &'static str,
    /// The picture.
    pub picture: RgbaImage,
    /// The terrain of each tile, row by row.
    pub(super) tiles: Vec<TerrainId>,
    pub(super) columns: u32,
    /// Width and height of the box of a tile, in pixels.
    pub(super) box_size: (u32, u32),
}

/// Returns up to two atlases with the plain images of all terrains: one for the images that have the size of a tile,
/// and one for the larger ones. The sixteen images of a terrain that joins its neighbours follow each other, in the
/// order of their neighbour masks.
pub(super) fn atlases(tileset: &Tileset, images: &TileImages) -> Vec<TileAtlas> {
    let tile = tileset.tile().size();
    let (mut small, mut tall) = (Vec::new(), Vec::new());
    for (id, terrain) in tileset.iter() {
        let found = terrain.image_suffixes().filter_map(|suffix| images.find(&format!("{}{suffix}", terrain.image)));
        let tiles: Vec<_> = found.map(|image| (id, image)).collect();
        let has_tile_size = tiles.iter().all(|&(_, image)| images.image(image).dimensions() == tile);
        if has_tile_size { small.extend(tiles) } else { tall.extend(tiles) }
    }
    let atlases = [atlas("tiles", 8, &small, images), atlas("tall", 4, &tall, images)];
    atlases.into_iter().flatten().collect()
}

/// Returns the atlas of these tiles; `None` if there are no tiles.
fn atlas(suffix: &'static str, columns: u32, tiles: &[(TerrainId, ImageId)], images: &TileImages) -> Option<TileAtlas> {
    let sizes = || tiles.iter().map(|&(_, image)| images.image(image).dimensions());
    let (width, height) = (sizes().map(|size| size.0).max()?, sizes().map(|size| size.1).max()?);
    let rows = (tiles.len() as u32).div_ceil(columns);
    let mut picture = RgbaImage::new(columns * width, rows * height);
    for (&(_, id), k) in tiles.iter().zip(0..) {
        let image = images.image(id);
        // A smaller image is placed at the middle of the bottom edge, as on the map.
        let left = k % columns * width + (width - image.width()) / 2;
        let top = k / columns * height + height - image.height();
        replace(&mut picture, image, i64::from(left), i64::from(top));
    }
    let tiles = tiles.iter().map(|&(id, _)| id).collect();
    Some(TileAtlas { suffix, picture, tiles, columns, box_size: (width, height) })
}
