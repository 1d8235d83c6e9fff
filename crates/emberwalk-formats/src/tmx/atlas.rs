//! The atlases of a Tiled map: pictures with its tiles in rows and columns.

use image::imageops::replace;
use image::{Rgba, RgbaImage};

use emberwalk_map::MAX_LEVEL;
use emberwalk_map::terrain::{TerrainId, Tileset};
use emberwalk_path::grid::Size;
use emberwalk_picture::iso::Projection;
use emberwalk_picture::tiles::{ImageId, TileImages};

/// A tile of an atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtlasTile {
    Terrain(TerrainId),
    Level(u8),
}

/// A picture of tiles in rows and columns, in boxes of equal size.
#[derive(Clone, Debug)]
pub struct TileAtlas {
    /// The suffix that the name of the picture adds to the name of the map file, both without extension.
    pub suffix: &'static str,
    /// The picture.
    pub picture: RgbaImage,
    /// The tiles, row by row.
    pub(super) tiles: Vec<AtlasTile>,
    pub(super) columns: u32,
    /// Width and height of the box of a tile, in pixels.
    pub(super) box_size: (u32, u32),
}

/// Up to two atlases with the plain images of all terrains: one for images of tile size, and one for larger images. The
/// sixteen images of a terrain that joins its neighbours follow each other, in the order of their neighbour masks.
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

/// The atlas of these tiles; `None` if there are no tiles.
fn atlas(suffix: &'static str, columns: u32, tiles: &[(TerrainId, ImageId)], images: &TileImages) -> Option<TileAtlas> {
    let sizes = || tiles.iter().map(|&(_, image)| images.image(image).dimensions());
    let (width, height) = (sizes().map(|size| size.0).max()?, sizes().map(|size| size.1).max()?);
    let rows = (tiles.len() as u32).div_ceil(columns);
    let mut picture = RgbaImage::new(columns * width, rows * height);
    for (&(_, id), k) in tiles.iter().zip(0..) {
        let image = images.image(id);
        // As on the map, a smaller image is placed at the middle of the bottom edge.
        let left = k % columns * width + (width - image.width()) / 2;
        let top = k / columns * height + height - image.height();
        replace(&mut picture, image, i64::from(left), i64::from(top));
    }
    let tiles = tiles.iter().map(|&(id, _)| AtlasTile::Terrain(id)).collect();
    Some(TileAtlas { suffix, picture, tiles, columns, box_size: (width, height) })
}

/// The atlas of the levels above 0: the tile of level `n` is the outline of a cell with `n` dots.
pub(super) fn level_atlas(tileset: &Tileset) -> TileAtlas {
    const OUTLINE: Rgba<u8> = Rgba([255, 240, 200, 255]);
    const INSIDE: Rgba<u8> = Rgba([40, 30, 60, 110]);
    let tile = tileset.tile();
    let ((width, height), step) = (tile.size(), tile.step());
    let projection = Projection::new(Size::new(1, 1), tile);
    let mut picture = RgbaImage::new(width * u32::from(MAX_LEVEL), height);
    for (level, (i, j)) in
        (1..=MAX_LEVEL).flat_map(|level| (0..height).flat_map(move |j| (0..width).map(move |i| (level, (i, j)))))
    {
        // From the centre of the cell, in columns and rows.
        let (x, y) = projection.position_at((f64::from(i) + 0.5, f64::from(j) + 0.5));
        if x.abs().max(y.abs()) > 0.5 {
            continue;
        }
        // Three rows of three dots, counted from the top corner.
        let (across, down) = ((x * 4.0).round(), (y * 4.0).round());
        let is_near = (x * 4.0 - across).hypot(y * 4.0 - down) < 0.4;
        let number = (1.0 - across) as i32 + 3 * (down + 1.0) as i32;
        let in_grid = across.abs() <= 1.0 && down.abs() <= 1.0;
        let is_dot = is_near && in_grid && number < i32::from(level);
        let is_outline = x.abs().max(y.abs()) > 0.5 - 2.0 / f64::from(step.0);
        let colour = if is_dot || is_outline { OUTLINE } else { INSIDE };
        picture.put_pixel(u32::from(level - 1) * width + i, j, colour);
    }
    let tiles = (1..=MAX_LEVEL).map(AtlasTile::Level).collect();
    TileAtlas { suffix: "levels", picture, tiles, columns: u32::from(MAX_LEVEL), box_size: (width, height) }
}
