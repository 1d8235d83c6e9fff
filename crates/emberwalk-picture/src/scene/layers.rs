//! The images of each layer of a map: ground, flat overlays, standing images and the slab.

use std::collections::HashMap;

use super::ground_pixels::GroundPixels;
use super::image_finder::ImageFinder;
use super::image_stack::ImageStack;
use super::map_cells::{TerrainCells, cells_around};
use super::mean_colours::MeanColours;
use super::noise;
use super::pixel_box::PixelBox;
use super::shading_reach::ShadingReach;
use super::shapes::Shapes;
use super::terrain_images::{SlabImages, TerrainImages, VariantImages, reach_of_standing_images};
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::Layers;
use emberwalk_map::terrain::{Layer, NeighbourMask, TerrainId, Tileset};
use emberwalk_path::grid::{Cell, Direction, Size};

/// How much detail is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Look {
    /// With only the first image of each terrain.
    Plain,
    /// With variants, edges, shading, animation frames and the slab.
    #[default]
    Full,
}

/// Salts of the noise, so that the choices for a cell are independent of each other.
const GROUND: u32 = 0;
const OVERLAY: u32 = 1;
const SLAB: u32 = 2;
const PATCH: u32 = 640;

/// The images of a tileset, from which those of each cell of a map are chosen. The same cell of the same map looks the
/// same on every machine.
pub struct Scene {
    terrains: Vec<TerrainImages>,
    /// By image: its shadow.
    pub(super) shadows: Vec<Option<ImageId>>,
    pub(super) shading_reach: ShadingReach,
    pub(super) standing_reach: PixelBox,
    pub(super) ground_pixels: GroundPixels,
    pub(super) shapes: Shapes,
    pub(super) mean_colours: MeanColours,
    /// The largest difference between the levels of two cells that join in the full look.
    most_climbed: u8,
    /// By image of a face: its animation frames, if it has several.
    pub(super) face_frames: HashMap<ImageId, Box<[ImageId]>>,
    /// By direction: the mark of a step of a route.
    pub(super) route_marks: [Option<ImageId>; 8],
    /// The mark of a route that a click would take.
    pub(super) preview_mark: Option<ImageId>,
}

impl Scene {
    /// Makes the scene of a tileset with its images.
    pub fn new(tileset: &Tileset, images: &TileImages) -> Self {
        let finder = ImageFinder { tileset, images };
        let terrains: Vec<_> = tileset.iter().map(|(_, terrain)| finder.terrain(terrain)).collect();
        let ids = (0..images.images().len() as u16).map(ImageId);
        let standing =
            || tileset.layer(Layer::Overlay).map(|(id, _)| &terrains[id.index()]).filter(|terrain| !terrain.flat);
        Self {
            shading_reach: ShadingReach::new(&terrains, standing().flat_map(TerrainImages::first_frames), images),
            standing_reach: reach_of_standing_images(standing(), images),
            ground_pixels: GroundPixels::new(images.tile()),
            shapes: Shapes::new(images),
            mean_colours: MeanColours::new(images),
            most_climbed: tileset.climb().most,
            shadows: ids.map(|image| images.shadow(image)).collect(),
            face_frames: finder.face_frames(),
            route_marks: finder.route_marks(),
            preview_mark: finder.preview_mark(),
            terrains,
        }
    }

    /// Returns the animation frames of the ground of `cell`; pictures show the first one. There are
    /// none off the map.
    pub fn ground(&self, map: &impl TerrainCells, look: Look, cell: Cell) -> &[ImageId] {
        let Some(terrain) = map.base_id(cell) else { return &[] };
        let images = self.images(terrain);
        let variants = match &images.patch {
            _ if look == Look::Plain => &images.plain,
            Some(patch) if self.is_patch(terrain, cell) => &patch.full,
            _ => &images.full,
        };
        let mask = images.joined_sides(|side| map.base_id(cell + side).filter(|_| self.joins(map, look, cell, side)));
        variants.choose(mask, noise::hash(cell.x, cell.y, GROUND))
    }

    /// Returns the flat overlay of `cell`, such as a road or a bridge; in the full look with its shadow below it.
    pub fn flat(&self, map: &impl TerrainCells, look: Look, cell: Cell) -> ImageStack {
        let Some(terrain) = map.overlay_id(cell).filter(|terrain| self.images(*terrain).flat) else {
            return ImageStack::EMPTY;
        };
        let Some(&image) = self.overlay_frames(terrain, map, look, cell).first() else { return ImageStack::EMPTY };
        let shadow = self.shadows[image.index()].filter(|_| look == Look::Full);
        shadow.into_iter().chain([image]).collect()
    }

    /// Returns the animation frames of the standing overlay of `cell`; pictures show the first one.
    /// There are none if the cell has no standing overlay.
    pub fn standing(&self, map: &impl TerrainCells, look: Look, cell: Cell) -> &[ImageId] {
        match map.overlay_id(cell) {
            Some(terrain) if !self.images(terrain).flat => self.overlay_frames(terrain, map, look, cell),
            _ => &[],
        }
    }

    /// Returns the images of the slab below `cell` in the full look: two below the southern corner of the map, one
    /// below each other cell of its south-western and south-eastern edges. They are drawn
    /// [this far](emberwalk_map::terrain::TileMetrics::slab_offset) below the tile image of the cell.
    pub fn slab(&self, map: &Layers, cell: Cell) -> impl Iterator<Item = ImageId> {
        let sides = map.base_id(cell).map(|terrain| {
            let SlabImages { west, south } = &self.images(terrain).slab;
            let is_last_row = cell.y == map.size().height as i32 - 1;
            let choose = |images: &[ImageId], salt: u32| {
                let hash = noise::hash(cell.x, cell.y, SLAB + salt) as usize;
                images.get(hash % images.len().max(1)).copied()
            };
            [choose(west, 0).filter(|_| cell.x == 0), choose(south, 1).filter(|_| is_last_row)]
        });
        sides.into_iter().flatten().flatten()
    }

    /// Returns every cell whose ground, edges, flat or standing images may change when the terrain of `cell` changes.
    pub fn images_affected_by(&self, size: Size, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        cells_around(size, cell, 1)
    }

    /// Whether images of neighbours may join: in the full look, only across a step that can be taken.
    pub(super) fn joins(&self, map: &impl TerrainCells, look: Look, cell: Cell, side: Direction) -> bool {
        look == Look::Plain || map.level(cell).abs_diff(map.level(cell + side)) <= self.most_climbed
    }

    pub(super) fn images(&self, terrain: TerrainId) -> &TerrainImages {
        &self.terrains[terrain.index()]
    }

    /// Whether a cell with this ground belongs to one of its patches.
    pub(super) fn is_patch(&self, terrain: TerrainId, cell: Cell) -> bool {
        self.images(terrain).patch.as_ref().is_some_and(|patch| {
            let (x, y) = (f64::from(cell.x) * patch.frequency, f64::from(cell.y) * patch.frequency);
            noise::fractal(x, y, 2, PATCH) > patch.above
        })
    }

    fn overlay_frames(&self, terrain: TerrainId, map: &impl TerrainCells, look: Look, cell: Cell) -> &[ImageId] {
        let images = self.images(terrain);
        let mask =
            images.joined_sides(|side| map.overlay_id(cell + side).filter(|_| self.joins(map, look, cell, side)));
        let variants = if look == Look::Plain { &images.plain } else { full_variants(images, map, cell) };
        variants.choose(mask, noise::hash(cell.x, cell.y, OVERLAY))
    }
}

/// Returns the variants of an overlay in the full look, which depend on its neighbours and on the ground.
fn full_variants<'a>(images: &'a TerrainImages, map: &impl TerrainCells, cell: Cell) -> &'a VariantImages {
    if let Some(facing) = &images.facing {
        let is_faced = |side: &Direction| map.overlay_id(cell + *side).is_some_and(|to| facing.towards[to.index()]);
        let side = [Direction::S, Direction::E, Direction::W, Direction::N].into_iter().find(is_faced);
        return &facing.images[side.unwrap_or(Direction::S) as usize / 2];
    }
    let base = map.base_id(cell);
    images
        .full_by_ground
        .iter()
        .find(|(ground, _)| Some(*ground) == base)
        .map_or(&images.full, |(_, variants)| variants)
}

impl TerrainImages {
    /// Returns the sides with a neighbour in the same layer that this terrain joins.
    fn joined_sides(&self, neighbour: impl Fn(Direction) -> Option<TerrainId>) -> NeighbourMask {
        if self.joins.is_empty() {
            return NeighbourMask::default();
        }
        NeighbourMask::from_fn(Direction::SIDES, |side| {
            neighbour(side).is_some_and(|terrain| self.joins[terrain.index()])
        })
    }
}
