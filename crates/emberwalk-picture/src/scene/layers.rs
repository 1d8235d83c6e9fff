//! The images of each layer of a map: ground, flat overlays, standing images and the slab.

use std::collections::HashMap;
use std::sync::Arc;

use super::ground_pixels::{GroundPixel, ground_pixels};
use super::image_finder::ImageFinder;
use super::image_stack::ImageStack;
use super::look::Look;
use super::noise;
use super::pixel_box::PixelBox;
use super::shading_reach::ShadingReach;
use super::shapes::Shapes;
use super::terrain_images::{TerrainImages, VariantImages, reach_of_standing_images};
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::terrain::{Layer, NeighbourMask, TerrainId, Tileset};
use emberwalk_map::{Area, Layers};
use emberwalk_path::grid::{Cell, Direction, Size};

/// Salts of the noise, so that the choices for a cell are independent of each other.
const GROUND: u32 = 0;
const OVERLAY: u32 = 1;
const SLAB: u32 = 2;
const PATCH: u32 = 640;

/// How far from a changed cell other images may change, in cells: the depth of water does.
const IMAGES_REACH: i32 = 3;

/// Chooses the images of each cell of a map from the images of a tileset, in one look. The same cell of the same map
/// looks the same on every machine.
pub struct Scene {
    pub(super) images: Arc<TileImages>,
    pub(super) look: Look,
    terrains: Vec<TerrainImages>,
    pub(super) shading_reach: ShadingReach,
    pub(super) standing_reach: PixelBox,
    pub(super) ground_pixels: Vec<(GroundPixel, Cell)>,
    pub(super) shapes: Shapes,
    /// The largest difference between the levels of two cells that join: steps can climb and descend it.
    most_climbed: u8,
    /// By image of a face: its animation frames, if it has several.
    pub(super) face_frames: HashMap<ImageId, Box<[ImageId]>>,
    /// By direction: the mark of a step of a route.
    pub(super) route_marks: [Option<ImageId>; 8],
    /// The mark of the route that a click would take.
    pub(super) preview_mark: Option<ImageId>,
}

impl Scene {
    /// Makes the scene of a tileset with its images.
    pub fn new(tileset: &Tileset, images: impl Into<Arc<TileImages>>, look: Look) -> Self {
        let images = images.into();
        let climb = tileset.climb();
        let finder = ImageFinder { tileset, images: &images, look };
        let terrains: Vec<_> = tileset.iter().map(|(_, terrain)| finder.terrain(terrain)).collect();
        let overlays = tileset.layer(Layer::Overlay).map(|(id, _)| &terrains[id.index()]);
        let open = overlays.filter(|terrain| !terrain.flat).flat_map(TerrainImages::first_frames);
        let standing: Vec<_> =
            open.flat_map(|image| [image].into_iter().chain(images.shut(image).iter().copied())).collect();
        let shadows = standing.iter().filter_map(|image| shadow(&images, look, *image));
        Self {
            shading_reach: ShadingReach::new(&terrains, shadows, &images),
            standing_reach: reach_of_standing_images(&standing, &images),
            ground_pixels: ground_pixels(images.tile()),
            shapes: Shapes::new(&images),
            most_climbed: if look == Look::Full { climb.up_most().min(climb.down_most()) } else { u8::MAX },
            face_frames: finder.face_frames(),
            route_marks: finder.route_marks(),
            preview_mark: finder.preview_mark(),
            terrains,
            look,
            images,
        }
    }

    /// The images of the tileset.
    pub fn images(&self) -> &Arc<TileImages> {
        &self.images
    }

    /// How much detail is drawn.
    pub fn look(&self) -> Look {
        self.look
    }

    /// The animation frames of the ground of `cell`; pictures show the first one. Empty off the map.
    pub fn ground(&self, map: &Layers, cell: Cell) -> &[ImageId] {
        let Some(terrain) = map.base_id(cell) else { return &[] };
        let images = self.terrain(terrain);
        let variants = match &images.patch {
            Some(patch) if self.is_patch(terrain, cell) => &patch.variants,
            _ => &images.variants,
        };
        let mask = images.joined_sides(|side| map.base_id(cell + side).filter(|_| self.joins(map, cell, side)));
        variants.choose(mask, noise::hash(cell.x, cell.y, GROUND))
    }

    /// The flat overlay of `cell`, such as a road or a bridge, and in the full look the small things on it or on ground
    /// without an overlay. Each image has its shadow below it.
    pub fn flat(&self, map: &Layers, cell: Cell) -> ImageStack {
        let overlay = map.overlay_id(cell);
        if overlay.is_some_and(|terrain| !self.terrain(terrain).flat) {
            return ImageStack::EMPTY;
        }
        let image = overlay.and_then(|terrain| self.overlay_frames(terrain, map, cell).first().copied());
        let detail = overlay.or_else(|| map.base_id(cell)).and_then(|terrain| self.detail(terrain, map, cell));
        image.into_iter().chain(detail).flat_map(|image| self.shadow(image).into_iter().chain([image])).collect()
    }

    /// The animation frames of the standing overlay of `cell`; pictures show the first one. Empty if the cell has no
    /// standing overlay.
    pub fn standing(&self, map: &Layers, cell: Cell) -> &[ImageId] {
        let Some(terrain) = map.overlay_id(cell).filter(|terrain| !self.terrain(*terrain).flat) else { return &[] };
        let frames = self.overlay_frames(terrain, map, cell);
        match self.shut_image(frames, map, cell) {
            [] => frames,
            shut => shut,
        }
    }

    /// Whether the image of a cell shows that it is shut by its opening hours. The classic look does not, nor do tilesets
    /// without an image for it.
    pub fn shows_shut(&self, map: &Layers, cell: Cell) -> bool {
        let terrain = map.overlay_id(cell).filter(|terrain| !self.terrain(*terrain).flat);
        terrain.is_some_and(|terrain| !self.shut_image(self.overlay_frames(terrain, map, cell), map, cell).is_empty())
    }

    /// The image that replaces the frames of a standing overlay while the cell is shut; empty if none does.
    fn shut_image(&self, frames: &[ImageId], map: &Layers, cell: Cell) -> &[ImageId] {
        let first = frames.first().filter(|_| self.look == Look::Full && map.is_shut(cell));
        first.map_or(&[], |first| self.images.shut(*first))
    }

    /// The lamps of a standing image in this look, which are drawn over it in its light: how brightly each pixel shines
    /// as the alpha.
    pub fn lamps(&self, image: ImageId) -> Option<ImageId> {
        self.images.lamps(image).filter(|_| self.look == Look::Full)
    }

    /// The images of the slab below `cell` in the full look: two below the southern corner of the map, one
    /// below each other cell of its south-western and south-eastern edges. They are drawn
    /// [this far](emberwalk_map::terrain::TileMetrics::slab_offset) below the tile image of the cell.
    pub fn slab(&self, map: &Layers, cell: Cell) -> impl Iterator<Item = ImageId> {
        let sides = map.base_id(cell).map(|terrain| {
            let [west, south] = &self.terrain(terrain).slab;
            let is_last_row = cell.y == map.size().height as i32 - 1;
            let choose = |images: &[ImageId], salt: u32| {
                let hash = noise::hash(cell.x, cell.y, SLAB + salt) as usize;
                images.get(hash % images.len().max(1)).copied()
            };
            [choose(west, 0).filter(|_| cell.x == 0), choose(south, 1).filter(|_| is_last_row)]
        });
        sides.into_iter().flatten().flatten()
    }

    /// Every cell whose ground, edges, flat images or standing images may change when the terrain of `cell` changes.
    pub fn images_affected_by(&self, size: Size, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        Area::square(cell, IMAGES_REACH).on_map(size).into_iter().flat_map(Area::cells)
    }

    /// Whether images of neighbours may join: in the full look, only across a step that can be taken both ways.
    pub(super) fn joins(&self, map: &Layers, cell: Cell, side: Direction) -> bool {
        map.level(cell).abs_diff(map.level(cell + side)) <= self.most_climbed
    }

    /// The shadow of an image in this look.
    pub(super) fn shadow(&self, image: ImageId) -> Option<ImageId> {
        shadow(&self.images, self.look, image)
    }

    pub(super) fn terrain(&self, terrain: TerrainId) -> &TerrainImages {
        &self.terrains[terrain.index()]
    }

    /// Whether a ground reflects more than half of the light, like snow.
    pub(crate) fn is_pale(&self, ground: TerrainId) -> bool {
        self.terrain(ground).is_pale
    }

    /// Whether a cell with this ground belongs to one of its patches.
    pub(super) fn is_patch(&self, terrain: TerrainId, cell: Cell) -> bool {
        self.terrain(terrain).patch.as_ref().is_some_and(|patch| {
            let x = f64::from(cell.x) * patch.frequency;
            let y = f64::from(cell.y) * patch.frequency;
            noise::fractal(x, y, 2, PATCH) > patch.above
        })
    }

    pub(super) fn overlay_frames(&self, terrain: TerrainId, map: &Layers, cell: Cell) -> &[ImageId] {
        let images = self.terrain(terrain);
        let mask = images.joined_sides(|side| map.overlay_id(cell + side).filter(|_| self.joins(map, cell, side)));
        overlay_variants(images, map, cell).choose(mask, noise::hash(cell.x, cell.y, OVERLAY))
    }
}

/// The variants of an overlay, which depend on its neighbours and on the ground.
fn overlay_variants<'a>(images: &'a TerrainImages, map: &Layers, cell: Cell) -> &'a VariantImages {
    if let Some(facing) = &images.facing {
        let is_faced = |side: &Direction| map.overlay_id(cell + *side).is_some_and(|to| facing.towards[to.index()]);
        let side = [Direction::S, Direction::E, Direction::W, Direction::N].into_iter().find(is_faced);
        return &facing.images[side.unwrap_or(Direction::S) as usize / 2];
    }
    let base = map.base_id(cell);
    let by_ground = images.by_ground.iter().find(|(ground, _)| Some(*ground) == base);
    let near = || images.near.iter().find(|(beside, _)| beside.is_beside(map, cell)).map(|(_, variants)| variants);
    by_ground.map(|(_, variants)| variants).or_else(near).unwrap_or(&images.variants)
}

fn shadow(images: &TileImages, look: Look, image: ImageId) -> Option<ImageId> {
    images.shadow(image).filter(|_| look == Look::Full)
}

impl TerrainImages {
    /// The sides on which this terrain joins a neighbour in the same layer.
    fn joined_sides(&self, neighbour: impl Fn(Direction) -> Option<TerrainId>) -> NeighbourMask {
        if self.joins.is_empty() {
            return NeighbourMask::default();
        }
        NeighbourMask::from_fn(Direction::SIDES, |side| {
            neighbour(side).is_some_and(|terrain| self.joins[terrain.index()])
        })
    }
}
