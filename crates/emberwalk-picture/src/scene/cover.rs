//! What nearer and higher terrain hides of the things on a cell.

use image::{Rgba, RgbaImage};

use super::footing::Footing;
use super::layers::{Look, Scene};
use super::map_cells::TerrainCells;
use super::pixel_box::PixelBox;
use super::shapes::Run;
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::Layers;
use emberwalk_path::grid::{Cell, Direction};

/// The pixels of an image that terrain hides. Equal covers hide the same pixels, so they are keys of cut images.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TerrainCover {
    width: usize,
    /// A bit for each pixel, row by row, from the lowest bit of the first word on: keys are hashed and compared often.
    hidden: Box<[u64]>,
}

impl TerrainCover {
    fn new(width: usize, hidden: &[bool]) -> Self {
        let word = |pixels: &[bool]| pixels.iter().rev().fold(0, |word, hidden| (word << 1) | u64::from(*hidden));
        Self { width, hidden: hidden.chunks(64).map(word).collect() }
    }

    /// Whether a pixel of the image is hidden. Outside of the image nothing is.
    pub fn hides(&self, (x, y): (i32, i32)) -> bool {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return false };
        let at = y * self.width + x;
        x < self.width && self.hidden.get(at / 64).is_some_and(|word| (word >> (at % 64)) & 1 == 1)
    }

    /// Returns the visible part of an image whose top left corner is at a pixel of the covered one.
    pub fn cut(&self, image: &RgbaImage, at: (i32, i32)) -> RgbaImage {
        self.filtered(image, at, false)
    }

    /// Returns the hidden part of an image whose top left corner is at a pixel of the covered one.
    fn hidden_part(&self, image: &RgbaImage, at: (i32, i32)) -> RgbaImage {
        self.filtered(image, at, true)
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

/// The opacity of marks that terrain hides.
const THROUGH: f32 = 0.4;

/// Returns the part of a mark that terrain hides, as faintly as it shows through the terrain.
pub fn hidden_mark(mark: &RgbaImage, cover: &TerrainCover) -> RgbaImage {
    let mut hidden = cover.hidden_part(mark, (0, 0));
    hidden.pixels_mut().for_each(|pixel| pixel.0[3] = (f32::from(pixel.0[3]) * THROUGH).round() as u8);
    hidden
}

impl Scene {
    /// Returns what terrain hides of an image that lies or stands on a cell; `None` if it hides nothing. `corner` is
    /// the top left corner of the image in the map's picture.
    ///
    /// At each pixel the terrain that is seen there decides: it hides the image if its cell is nearer (with a greater
    /// `y - x`) and higher than the cell `on`.
    pub fn cover(
        &self,
        images: &TileImages,
        map: &impl TerrainCells,
        look: Look,
        on: Cell,
        corner: (i32, i32),
        size: (u32, u32),
    ) -> Option<TerrainCover> {
        let level = map.level(on);
        let bounds = PixelBox::of_size(corner, size);
        let nearer = || self.nearer_terrain(images, map, on, bounds);
        // What is farther than the first cell that hides something does not matter.
        let first = nearer().find(|cell| map.level(*cell) > level).map(|cell| cell.y - cell.x)?;
        let cells = nearer().skip_while(|cell| cell.y - cell.x < first);
        self.hidden_where(images, map, look, bounds, cells, |cell, _| map.level(cell) > level)
    }

    /// Returns what terrain hides of an image that has its feet somewhere; `None` if it hides nothing.
    pub fn cover_of_image(
        &self,
        images: &TileImages,
        map: &Layers,
        look: Look,
        image: ImageId,
        footing: Footing,
    ) -> Option<TerrainCover> {
        let size = images.image(image).dimensions();
        self.cover(images, map, look, footing.on, images.tile().align_image(footing.corner, size), size)
    }

    /// Returns what other terrain hides of the tile of a cell's terrain at a level, if the tiles are drawn level by
    /// level, the lowest first, and those of a level by `y - x`, then from the greatest `x` to the smallest; `None` if
    /// it hides nothing. `corner` is the top left corner of the tile in the map's picture.
    ///
    /// Drawn in that order, nearly all pixels show the right tile. Only where tiles of neighbouring cells overlap, by a
    /// pixel or two, may one be drawn over another one that must be seen.
    pub fn cover_by_level(
        &self,
        images: &TileImages,
        map: &Layers,
        look: Look,
        (cell, level): (Cell, u8),
        corner: (i32, i32),
        size: (u32, u32),
    ) -> Option<TerrainCover> {
        let bounds = PixelBox::of_size(corner, size);
        let from = cell.y - cell.x;
        let near = || self.terrain_in(images, map, from, bounds);
        let is_lower = |cell: Cell| map.level(cell) < level;
        // Ground between cells that are not lower is drawn right.
        let is_ground = map.level(cell) == level;
        if is_ground && !near().any(|cell| [cell, cell + Direction::W, cell + Direction::S].into_iter().any(is_lower)) {
            return None;
        }
        self.hidden_where(images, map, look, bounds, near(), |seen, below| {
            let seen_level = map.level(seen) - below;
            seen_level < level || seen_level == level && seen.y - seen.x == from && seen.x > cell.x
        })
    }

    /// Returns the pixels of a box in which the last terrain drawn, of these cells, is of the kind that hides: it has a
    /// cell, and is this many levels below the ground of the cell.
    fn hidden_where(
        &self,
        images: &TileImages,
        map: &impl TerrainCells,
        look: Look,
        bounds: PixelBox,
        cells: impl Iterator<Item = Cell>,
        hides: impl Fn(Cell, u8) -> bool,
    ) -> Option<TerrainCover> {
        let width = (bounds.right - bounds.left) as usize;
        let mut hidden = vec![false; width * (bounds.bottom - bounds.top) as usize];
        for cell in cells {
            self.for_each_run(images, map, look, cell, |below, (y, columns)| {
                if (bounds.top..bounds.bottom).contains(&y) {
                    let (from, to) = (columns.start.max(bounds.left), columns.end.min(bounds.right));
                    let row = (y - bounds.top) as usize * width;
                    let at = |x: i32| row + (x - bounds.left) as usize;
                    if from < to {
                        hidden[at(from)..at(from) + (to - from) as usize].fill(hides(cell, below));
                    }
                }
            });
        }
        hidden.contains(&true).then(|| TerrainCover::new(width, &hidden))
    }

    /// Returns how many rows of cells behind it, on screen, a cell at the level `top` may hide; `None` at level 0.
    pub fn rows_behind(map: &Layers, top: u8) -> Option<i32> {
        let tile = map.tileset().tile();
        let hidden = tile.size().1 as i32 + tile.level() * i32::from(top);
        (top > 0).then(|| hidden / tile.half_step().1 + 2)
    }

    /// Whether terrain hides what lies or stands on a cell at one pixel of the map's picture, as [`cover`](Self::cover)
    /// does.
    pub(super) fn is_covered(
        &self,
        images: &TileImages,
        map: &Layers,
        look: Look,
        on: Cell,
        (x, y): (i32, i32),
    ) -> bool {
        let level = map.level(on);
        let bounds = PixelBox { left: x, top: y, right: x + 1, bottom: y + 1 };
        let mut hides = false;
        for cell in self.nearer_terrain(images, map, on, bounds) {
            self.for_each_run(images, map, look, cell, |_, (row, columns)| {
                if row == y && columns.contains(&x) {
                    hides = map.level(cell) > level;
                }
            });
        }
        hides
    }

    /// Returns the cells with a greater `y - x` than `on` whose terrain may overlap a box, in drawing order. On a map
    /// without higher cells there are none.
    fn nearer_terrain<'a, T: TerrainCells>(
        &self,
        images: &TileImages,
        map: &'a T,
        on: Cell,
        bounds: PixelBox,
    ) -> impl Iterator<Item = Cell> + use<'a, T> {
        let is_any_higher = map.top() > map.level(on);
        self.terrain_in(images, map, on.y - on.x + 1, bounds).take_while(move |_| is_any_higher)
    }

    /// Returns the cells with at least this `y - x` whose terrain may overlap a box, in drawing order.
    fn terrain_in<'a, T: TerrainCells>(
        &self,
        images: &TileImages,
        map: &'a T,
        from: i32,
        bounds: PixelBox,
    ) -> impl Iterator<Item = Cell> + use<'a, T> {
        let flat = map.projection();
        let (tile, size) = (flat.tile(), flat.size());
        let ((across, down), (width, height)) = (tile.half_step(), tile.size());
        let (_, origin) = flat.corner(Cell::new(0, 0));
        let top = images.top_of_tiles() as i32;
        // The corner of the tile image of cell x,y is `across * (x + y)` pixels to the right and `down * (y - x)` below
        // that of cell 0,0, and higher if the cell is raised.
        let sums = (bounds.left - width as i32).div_euclid(across) + 1..(bounds.right - 1).div_euclid(across) + 1;
        let first = (bounds.top - height as i32 - origin).div_euclid(down) + 1;
        let last = (bounds.bottom - top + tile.level() * i32::from(map.top()) - origin - 1).div_euclid(down);
        let nearnesses = first.max(from)..=last;
        nearnesses.flat_map(move |nearness| {
            let of_a_cell = sums.clone().filter(move |sum| (sum - nearness) % 2 == 0);
            let cells = of_a_cell.map(move |sum| Cell::new((sum - nearness) / 2, (sum + nearness) / 2));
            cells.filter(move |cell| {
                // The highest pixel of the cell.
                let above = origin + down * nearness - tile.level() * i32::from(map.level(*cell)) + top;
                size.contains(*cell) && above < bounds.bottom
            })
        })
    }

    /// Calls `visit` with the runs of pixels of the terrain of a cell, in the map's picture, and how many levels below
    /// its ground they are.
    fn for_each_run(
        &self,
        images: &TileImages,
        map: &impl TerrainCells,
        look: Look,
        cell: Cell,
        mut visit: impl FnMut(u8, Run),
    ) {
        let tile = images.tile();
        let (left, top) = map.projection().at_level(map.level(cell)).corner(cell);
        let faces = self.faces(map, look, cell).map(|face| (face.image, face.below));
        let ground = self.ground(map, look, cell).first().map(|image| (*image, 0));
        for (image, below) in faces.chain(ground) {
            let top = top + i32::from(below) * tile.level();
            for (y, columns) in self.shapes.of(images, image) {
                visit(below, (top + y, left + columns.start..left + columns.end));
            }
        }
    }
}
