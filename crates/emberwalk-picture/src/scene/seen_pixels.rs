//! The part of a map's picture in which something is drawn.

use std::ops::Range;

use super::layers::Scene;
use super::pixel_box::PixelBox;
use super::{projection, raised_corner};
use crate::tiles::ImageId;
use emberwalk_map::Layers;
use emberwalk_path::grid::{Cell, Size};

impl Scene {
    /// The ranges of columns and rows, measured in the map's picture without margin, that contain all pixels of its
    /// ground, its slab and its standing images. They may extend beyond the picture. Of an animated image, the first
    /// frame counts.
    ///
    /// The running time depends on the largest image and the highest level, not on the size of the map: only cells near
    /// the corners of the diamond can extend beyond all others.
    ///
    /// ```
    /// use emberwalk_map::{Map, terrain::Tileset};
    /// use emberwalk_picture::scene::{Look, Scene};
    /// use emberwalk_picture::tiles::TileImages;
    ///
    /// let tileset = Tileset::load(None)?.into();
    /// let map = Map::parse("a.ron", r#"(name: "A", base: ["GG"], overlay: [".."])"#, &tileset)?;
    /// let scene = Scene::new(&tileset, TileImages::load(&tileset, None)?, Look::Plain);
    /// assert_eq!(scene.seen_pixels(map.layers()), (0..80, 26..67), "the upper part of a tile is empty");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn seen_pixels(&self, map: &Layers) -> (Range<i32>, Range<i32>) {
        let tile = self.images.tile();
        let reach = self.standing_reach;
        let (across, down) = tile.half_step();
        let (width, _) = tile.size();
        let above = tile.ground_corner().1 - reach.top + projection(map).headroom();
        let east = map.size().width as i32 - 1;
        let south = map.size().height as i32 - 1;
        // Each corner of the map, with the number of diagonals there whose images may extend beyond the ground.
        let corners = [
            (Cell::new(0, 0), -reach.left / across),
            (Cell::new(east, 0), above / down),
            (Cell::new(east, south), (reach.right - width as i32) / across),
            (Cell::new(0, south), tile.slab_offset() / down),
        ];
        let near = corners.into_iter().flat_map(|(corner, count)| cells_near(corner, count, map.size()));
        let seen = near.flat_map(|cell| self.boxes_of_cell(map, cell)).reduce(PixelBox::union);
        let seen = seen.unwrap_or_else(|| PixelBox::of_size((0, 0), projection(map).picture_size()));
        (seen.left..seen.right, seen.top..seen.bottom)
    }

    /// The boxes around the visible pixels of each image drawn for a cell.
    fn boxes_of_cell(&self, map: &Layers, cell: Cell) -> impl Iterator<Item = PixelBox> {
        let tile = self.images.tile();
        let (x, y) = raised_corner(map, cell);
        let faces = self.faces(map, cell).map(move |face| (face.image, (x, y + tile.level() * i32::from(face.below))));
        let (left, top) = projection(map).corner(cell);
        let slab = self.slab(map, cell).map(move |image| (image, (left, top + tile.slab_offset())));
        let [ground, standing] =
            [self.ground(map, cell), self.standing(map, cell)].map(|frames| frames.first().copied());
        let flat = self.flat(map, cell);
        let flat = (0..flat.images().len()).map(move |k| flat.images()[k]);
        let aligned = move |image: ImageId| (image, tile.align_image((x, y), self.images.image(image).dimensions()));
        let on_cell = ground.into_iter().chain(flat).chain(standing).map(aligned);
        let boxes = faces.chain(slab).chain(on_cell);
        boxes.filter_map(|(image, corner)| Some(self.shapes.of(&self.images, image).bounds?.moved(corner)))
    }
}

/// The cells of the first diagonals at a corner of a map: the corner cell, and this many more diagonals.
fn cells_near(corner: Cell, count: i32, size: Size) -> impl Iterator<Item = Cell> {
    let inwards = |at: i32| if at == 0 { 1 } else { -1 };
    let dx = inwards(corner.x);
    let dy = inwards(corner.y);
    let cells = (0..=count).flat_map(move |sum| (0..=sum).map(move |x| corner + (dx * x, dy * (sum - x))));
    cells.filter(move |cell| size.contains(*cell))
}
