//! Computes the pixels of things on a cell that nearer and higher terrain hides.

use image::{Rgba, RgbaImage};

use super::footing::Footing;
use super::layers::Scene;
use super::pixel_box::PixelBox;
use super::shapes::Run;
use super::{projection, raised_corner};
use crate::tiles::ImageId;
use emberwalk_map::Layers;
use emberwalk_path::grid::{Cell, Direction};

/// The pixels of an image that terrain hides. Equal covers hide the same pixels, so a cover can be the key of a cut
/// image.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TerrainCover {
    width: usize,
    /// For each pixel, row by row.
    hidden: Box<[bool]>,
}

impl TerrainCover {
    /// Whether a pixel of the image is hidden; false outside the image.
    pub fn hides(&self, (x, y): (i32, i32)) -> bool {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return false };
        x < self.width && self.hidden.get(y * self.width + x) == Some(&true)
    }

    /// The visible part of an image whose top left corner is at a pixel of the covered image.
    pub fn cut(&self, image: &RgbaImage, at: (i32, i32)) -> RgbaImage {
        self.filtered(image, at, false)
    }

    fn filtered(&self, image: &RgbaImage, (left, top): (i32, i32), hidden: bool) -> RgbaImage {
        let mut part = image.clone();
        for (i, j, pixel) in part.enumerate_pixels_mut() {
            if self.hides((left + i as i32, top + j as i32)) != hidden {
                *pixel = Rgba([0; 4]);
            }
        }
        part
    }
}

/// The opacity of hidden marks.
const THROUGH: f32 = 0.4;

/// The hidden part of a mark, as faint as it shows through terrain.
pub fn hidden_mark(mark: &RgbaImage, cover: &TerrainCover) -> RgbaImage {
    let mut hidden = cover.filtered(mark, (0, 0), true);
    hidden.pixels_mut().for_each(|pixel| pixel.0[3] = (f32::from(pixel.0[3]) * THROUGH).round() as u8);
    hidden
}

impl Scene {
    /// The pixels that terrain hides of an image that lies or stands on a cell; `None` if it hides nothing. `corner` is
    /// the top left corner of the image in the map's picture.
    ///
    /// A pixel is hidden if the cell whose terrain is visible there is nearer (has a greater `y - x`) and higher than
    /// the cell `on`.
    pub fn cover(&self, map: &Layers, on: Cell, corner: (i32, i32), size: (u32, u32)) -> Option<TerrainCover> {
        let level = map.level(on);
        if map.top() <= level {
            return None;
        }
        let bounds = PixelBox::of_size(corner, size);
        // Cells farther away than the first cell that hides something do not matter.
        let nearer = self.terrain_in(map, on.y - on.x + 1, bounds).skip_while(|cell| map.level(*cell) <= level);
        let mut nearer = nearer.peekable();
        nearer.peek()?;
        self.hidden_where(map, bounds, nearer, |cell, _| map.level(cell) > level)
    }

    /// The pixels that terrain hides of an image with this footing; `None` if it hides nothing.
    pub fn cover_of_image(&self, map: &Layers, image: ImageId, footing: Footing) -> Option<TerrainCover> {
        let size = self.images.image(image).dimensions();
        self.cover(map, footing.on, self.images.tile().align_image(footing.corner, size), size)
    }

    /// The pixels of a terrain tile at a level that other terrain hides; `None` if it hides nothing. It assumes that
    /// tiles are drawn level by level, the lowest first, and the tiles of a level by `y - x`, then from the greatest
    /// `x` to the smallest. `corner` is the top left corner of the tile in the map's picture.
    ///
    /// In that order nearly all pixels show the right tile. Only where tiles of neighbouring cells overlap, by a pixel
    /// or two, a tile may hide another that should be visible.
    pub fn cover_by_level(
        &self,
        map: &Layers,
        cell: Cell,
        level: u8,
        corner: (i32, i32),
        size: (u32, u32),
    ) -> Option<TerrainCover> {
        let bounds = PixelBox::of_size(corner, size);
        let from = cell.y - cell.x;
        let near = || self.terrain_in(map, from, bounds);
        let is_lower = |cell: Cell| map.level(cell) < level;
        // Ground between cells that are not lower is always drawn correctly.
        let is_ground = map.level(cell) == level;
        if is_ground && !near().any(|cell| [cell, cell + Direction::W, cell + Direction::S].into_iter().any(is_lower)) {
            return None;
        }
        self.hidden_where(map, bounds, near(), |seen, below| {
            let seen_level = map.level(seen) - below;
            seen_level < level || seen_level == level && seen.y - seen.x == from && seen.x > cell.x
        })
    }

    /// The pixels of a box in which the last drawn terrain of `cells` hides: `hides` receives its cell, and how many
    /// levels below the ground of the cell it is.
    fn hidden_where(
        &self,
        map: &Layers,
        bounds: PixelBox,
        cells: impl Iterator<Item = Cell>,
        hides: impl Fn(Cell, u8) -> bool,
    ) -> Option<TerrainCover> {
        let width = (bounds.right - bounds.left) as usize;
        let mut hidden = vec![false; width * (bounds.bottom - bounds.top) as usize];
        for cell in cells {
            self.for_each_run(map, cell, |below, (y, columns)| {
                if (bounds.top..bounds.bottom).contains(&y) {
                    let from = columns.start.max(bounds.left);
                    let to = columns.end.min(bounds.right);
                    let row = (y - bounds.top) as usize * width;
                    let at = |x: i32| row + (x - bounds.left) as usize;
                    if from < to {
                        hidden[at(from)..at(from) + (to - from) as usize].fill(hides(cell, below));
                    }
                }
            });
        }
        hidden.contains(&true).then(|| TerrainCover { width, hidden: hidden.into() })
    }

    /// How many rows of cells behind it, on screen, a cell at the level `top` may hide; `None` at level 0.
    pub fn rows_behind(map: &Layers, top: u8) -> Option<i32> {
        let tile = map.tileset().tile();
        let hidden = tile.size().1 as i32 + tile.level() * i32::from(top);
        (top > 0).then(|| hidden / tile.half_step().1 + 2)
    }

    /// The cells with at least this `y - x` whose terrain may overlap a box, in drawing order.
    fn terrain_in<'a>(&self, map: &'a Layers, from: i32, bounds: PixelBox) -> impl Iterator<Item = Cell> + use<'a> {
        let flat = projection(map);
        let (width, height) = flat.tile().size();
        let top = self.images.top_of_tiles() as i32;
        let (_, first) = flat.corner(Cell::new(0, from));
        let rows = first.max(bounds.top - height as i32 + 1)..bounds.bottom - top + flat.headroom();
        let cells = flat.cells_with_corners(bounds.left - width as i32 + 1..bounds.right, rows);
        cells.filter(move |cell| map.size().contains(*cell) && raised_corner(map, *cell).1 + top < bounds.bottom)
    }

    /// Calls `visit` with each run of pixels of a cell's terrain in the map's picture, and how many levels below the
    /// ground it is.
    fn for_each_run(&self, map: &Layers, cell: Cell, mut visit: impl FnMut(u8, Run)) {
        let tile = self.images.tile();
        let (left, top) = raised_corner(map, cell);
        let faces = self.faces(map, cell).map(|face| (face.image, face.below));
        let ground = self.ground(map, cell).first().map(|image| (*image, 0));
        for (image, below) in faces.chain(ground) {
            let top = top + i32::from(below) * tile.level();
            for (y, columns) in &self.shapes.of(&self.images, image).runs {
                visit(below, (top + y, left + columns.start..left + columns.end));
            }
        }
    }
}
