//! What is drawn where: the one source of the picture for the painter and for the window.
//!
//! A [`Scene`] knows the images of a tileset and says for each cell of a map what lies and stands there. From the bottom:
//! [slab](Scene::slab), [ground](Scene::ground), [edges](Scene::edges), [flat overlays](Scene::flat),
//! [shade](Scene::shading_key), [marks](Scene::route_marks) of a route, and [what stands](Scene::standing). A layer is drawn whole
//! before the next; inside it, cell by cell [from the back](crate::iso::Projection::back_to_front).

mod colour;
mod edges;
mod image_stack;
mod light;
mod noise;
mod route_marks;
mod shading;
mod terrain_images;

pub use image_stack::ImageStack;
pub use route_marks::RouteMark;
pub use shading::ShadingKey;

pub(crate) use colour::Colour;

use crate::grid::{Cell, Direction, Size};
use crate::iso::Projection;
use crate::map::Map;
use crate::terrain::NeighbourMask;
use crate::terrain::{ImageId, Layer, TerrainId, TileImages, Tileset};
use terrain_images::{Images, Pictures, Reader, SlabLook};

/// How much is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Look {
    /// The first image of each terrain, and nothing else.
    Plain,
    /// Variants, edges, shade, frames and the slab.
    #[default]
    Full,
}

/// Where the cells of a map stand in its picture, drawn with the tiles of its tileset.
pub fn projection(map: &Map) -> Projection {
    Projection::new(map.size(), map.tileset().tile())
}

/// Kinds of chance: cells that agree in one have nothing in common in another.
const GROUND: u32 = 0;
const OVERLAY: u32 = 1;
const SLAB: u32 = 2;
const PATCH: u32 = 640;

/// The images of a tileset, ready to be asked what is drawn on a map's cells. The same cell of the same map looks the
/// same on every machine.
pub struct Scene {
    terrains: Vec<Images>,
    /// By image: its shadow.
    shadows: Vec<Option<ImageId>>,
    reach: shading::Reach,
    diamond: shading::Diamond,
    marks: route_marks::RouteMarkImages,
}

impl Scene {
    /// The scene of a tileset whose images are `assets`.
    pub fn new(tileset: &Tileset, assets: &TileImages) -> Self {
        let reader = Reader { tileset, assets };
        let terrains: Vec<_> = tileset.iter().map(|(_, terrain)| reader.images(terrain)).collect();
        let ids = (0..assets.images().len() as u16).map(ImageId);
        let standing = tileset.layer(Layer::Overlay).map(|(id, _)| &terrains[id.index()]).filter(|images| !images.flat);
        Self {
            reach: shading::Reach::new(&terrains, standing.flat_map(Images::firsts), assets),
            diamond: shading::Diamond::new(assets.tile()),
            shadows: ids.map(|image| assets.shadow(image)).collect(),
            marks: route_marks::RouteMarkImages::new(tileset, assets),
            terrains,
        }
    }

    /// The frames of the ground of `cell`; the first is the still picture. Empty off the map.
    pub fn ground(&self, map: &Map, look: Look, cell: Cell) -> &[ImageId] {
        let Some(terrain) = base(map, cell) else { return &[] };
        let images = self.images(terrain);
        let pictures = match &images.patch {
            _ if look == Look::Plain => &images.plain,
            Some(patch) if self.is_patch(terrain, cell) => &patch.full,
            _ => &images.full,
        };
        let mask = images.joined(|way| base(map, cell + way));
        pictures.pick(mask, noise::hash(cell.x, cell.y, GROUND))
    }

    /// What lies flat on the ground of `cell`, a road or a bridge; in the full look with its shadow below it.
    pub fn flat(&self, map: &Map, look: Look, cell: Cell) -> ImageStack {
        let Some(terrain) = overlay(map, cell).filter(|terrain| self.images(*terrain).flat) else {
            return ImageStack::EMPTY;
        };
        let Some(&image) = self.overlay(terrain, map, look, cell).first() else { return ImageStack::EMPTY };
        let shadow = self.shadows[image.index()].filter(|_| look == Look::Full);
        shadow.into_iter().chain([image]).collect()
    }

    /// The frames of what stands in `cell`; the first is the still picture. Empty where nothing stands.
    pub fn standing(&self, map: &Map, look: Look, cell: Cell) -> &[ImageId] {
        match overlay(map, cell) {
            Some(terrain) if !self.images(terrain).flat => self.overlay(terrain, map, look, cell),
            _ => &[],
        }
    }

    /// The cut earth below `cell` in the full look: two images below the southern corner of a map, one below its other
    /// cells at the south-western and south-eastern edge. They are drawn [so far](crate::iso::TileMetrics::slab_offset) below the cell's tile image.
    pub fn slab(&self, map: &Map, cell: Cell) -> impl Iterator<Item = ImageId> {
        let sides = base(map, cell).map(|terrain| {
            let SlabLook { west, south } = &self.images(terrain).slab;
            let last = cell.y == map.size().height as i32 - 1;
            let choose = |images: &[ImageId], along: i32| {
                let chance = noise::hash(cell.x, cell.y, SLAB + along as u32) as usize;
                images.get(chance % images.len().max(1)).copied()
            };
            [choose(west, 0).filter(|_| cell.x == 0), choose(south, 1).filter(|_| last)]
        });
        sides.into_iter().flatten().flatten()
    }

    /// Every cell whose ground, edges, flat or standing images may change when the terrain of `cell` does.
    pub fn images_affected_by(&self, size: Size, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        square(size, cell, 1)
    }

    fn images(&self, terrain: TerrainId) -> &Images {
        &self.terrains[terrain.index()]
    }

    fn overlay(&self, terrain: TerrainId, map: &Map, look: Look, cell: Cell) -> &[ImageId] {
        let images = self.images(terrain);
        let mask = images.joined(|way| overlay(map, cell + way));
        let pictures = if look == Look::Plain { &images.plain } else { self.full(images, map, cell) };
        pictures.pick(mask, noise::hash(cell.x, cell.y, OVERLAY))
    }

    fn full<'a>(&'a self, images: &'a Images, map: &Map, cell: Cell) -> &'a Pictures {
        if let Some(facing) = &images.facing {
            let turns = |way: &Direction| overlay(map, cell + *way).is_some_and(|to| facing.towards[to.index()]);
            let way = [Direction::S, Direction::E, Direction::W, Direction::N].into_iter().find(turns);
            return &facing.images[way.unwrap_or(Direction::S) as usize / 2];
        }
        let base = base(map, cell);
        images.on.iter().find(|(on, _)| Some(*on) == base).map_or(&images.full, |(_, pictures)| pictures)
    }

    /// Whether a cell of the terrain belongs to the part of it that looks different.
    fn is_patch(&self, terrain: TerrainId, cell: Cell) -> bool {
        self.images(terrain).patch.as_ref().is_some_and(|patch| {
            let (x, y) = (f64::from(cell.x) * patch.frequency, f64::from(cell.y) * patch.frequency);
            noise::cloud(x, y, 2, PATCH) > patch.above
        })
    }
}

impl Images {
    /// The sides on which a neighbour of the same layer joins this terrain.
    fn joined(&self, neighbour: impl Fn(Direction) -> Option<TerrainId>) -> NeighbourMask {
        if self.joins.is_empty() {
            return NeighbourMask::default();
        }
        NeighbourMask::of(Direction::SIDES, |way| neighbour(way).is_some_and(|terrain| self.joins[terrain.index()]))
    }

    /// The first frame of every picture that it can have.
    fn firsts(&self) -> impl Iterator<Item = ImageId> {
        let on = self.on.iter().map(|(_, pictures)| pictures);
        let facing = self.facing.iter().flat_map(|facing| &facing.images);
        [&self.full].into_iter().chain(on).chain(facing).flat_map(Pictures::firsts)
    }
}

/// The ground at a cell; `None` off the map.
fn base(map: &Map, cell: Cell) -> Option<TerrainId> {
    map.base().get(cell).copied()
}

/// What is on the ground at a cell; `None` for nothing, and off the map.
fn overlay(map: &Map, cell: Cell) -> Option<TerrainId> {
    map.overlay().get(cell).copied().flatten()
}

/// The cells of a map that are at most so many columns and rows away.
fn square(size: Size, cell: Cell, radius: i32) -> impl Iterator<Item = Cell> {
    let span = |at: i32, length: u32| {
        at.saturating_sub(radius).max(0)..at.saturating_add(radius).saturating_add(1).min(length as i32)
    };
    let columns = span(cell.x, size.width);
    span(cell.y, size.height).flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
}
