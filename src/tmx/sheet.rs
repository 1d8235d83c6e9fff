//! Pictures with all the tiles that a map for Tiled is made of.

use image::RgbaImage;
use image::imageops::replace;

use crate::terrain::{ImageId, TerrainId, TileImages, Tileset};

/// A picture of tiles in rows and columns, all in boxes of one size.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What is added to the name of the map's file for that of the picture, without ending.
    pub suffix: &'static str,
    /// The tiles.
    pub picture: RgbaImage,
    /// The terrain of each tile, row by row.
    pub(super) tiles: Vec<TerrainId>,
    pub(super) columns: u32,
    /// Width and height of a tile's box.
    pub(super) tile: (u32, u32),
}

/// All terrains' plain images in two sheets: what is as large as a tile, and what is larger. The sixteen images of a
/// terrain that joins follow each other.
pub(super) fn sheets(tileset: &Tileset, assets: &TileImages) -> Vec<Sheet> {
    let tile = tileset.tile().size();
    let (mut small, mut tall) = (Vec::new(), Vec::new());
    for (id, terrain) in tileset.iter() {
        let found = terrain.image_suffixes().filter_map(|suffix| assets.find(&format!("{}{suffix}", terrain.image)));
        let images: Vec<_> = found.map(|image| (id, image)).collect();
        let fits = images.iter().all(|&(_, image)| assets.image(image).dimensions() == tile);
        if fits { small.extend(images) } else { tall.extend(images) }
    }
    let sheets = [sheet("tiles", 8, &small, assets), sheet("tall", 4, &tall, assets)];
    sheets.into_iter().flatten().collect()
}

fn sheet(suffix: &'static str, columns: u32, tiles: &[(TerrainId, ImageId)], assets: &TileImages) -> Option<Sheet> {
    let sizes = || tiles.iter().map(|&(_, image)| assets.image(image).dimensions());
    let (width, height) = (sizes().map(|size| size.0).max()?, sizes().map(|size| size.1).max()?);
    let rows = (tiles.len() as u32).div_ceil(columns);
    let mut picture = RgbaImage::new(columns * width, rows * height);
    for (&(_, id), k) in tiles.iter().zip(0..) {
        let image = assets.image(id);
        // What is smaller stands in the middle of the bottom edge, as on the map.
        let left = k % columns * width + (width - image.width()) / 2;
        let top = k / columns * height + height - image.height();
        replace(&mut picture, image, i64::from(left), i64::from(top));
    }
    let tiles = tiles.iter().map(|&(id, _)| id).collect();
    Some(Sheet { suffix, picture, tiles, columns, tile: (width, height) })
}
