//! The depth, reflections and falls of water.

use super::image_stack::ImageStack;
use super::layers::Scene;
use super::terrain_images::WaterImages;
use crate::tiles::{ImageId, REFLECTION_OFFSETS};
use emberwalk_map::Layers;
use emberwalk_map::terrain::NeighbourMask;
use emberwalk_path::grid::{Cell, Direction};

/// The number of steps of depth, one cell apart.
const STEPS: i32 = 3;

/// The number of cells around a cell, along each axis, that decide its depth.
const AROUND: i32 = 2 * STEPS + 1;

impl Scene {
    /// Adds the images that make a cell of water darker, for each step of depth.
    pub(super) fn push_depth(&self, stack: &mut ImageStack, water: &WaterImages, map: &Layers, cell: Cell) {
        if water.deep.iter().all(Option::is_none) {
            return;
        }
        let here = (map.base_id(cell), map.level(cell));
        let is_water = |at: Cell| !map.size().contains(at) || (map.base_id(at), map.level(at)) == here;
        // One bit for each cell, row by row.
        let around = (0..AROUND * AROUND).map(|k| is_water(cell + (k % AROUND - STEPS, k / AROUND - STEPS)));
        let around = around.zip(0..).fold(0_u64, |bits, (is_water, k)| bits | u64::from(is_water) << k);
        for step in 1..=STEPS {
            let is_deep = |corner: Direction| {
                let square = square_at(corner, step);
                around & square == square
            };
            let corners = NeighbourMask::from_fn(Direction::CORNERS, is_deep);
            match water.deep[corners.index()] {
                Some(image) => stack.push(image),
                None => return,
            }
        }
    }

    /// The images that make a cell of water darker on average: one for each step of depth that it has on all four
    /// sides.
    pub(super) fn mean_depth(&self, map: &Layers, cell: Cell) -> impl Iterator<Item = ImageId> {
        let water = map.base_id(cell).map(|terrain| &self.terrain(terrain).water);
        let deep = water.and_then(|water| water.deep[NeighbourMask::from_fn(Direction::CORNERS, |_| true).index()]);
        let is_water = move |at: Cell| !map.size().contains(at) || map.base_id(at) == map.base_id(cell);
        let is_deep = move |step: i32| {
            Direction::SIDES.into_iter().all(|side| {
                let (dx, dy) = side.offset();
                is_water(cell + (step * dx, step * dy))
            })
        };
        deep.into_iter().flat_map(move |deep| (1..=STEPS).take_while(move |step| is_deep(*step)).map(move |_| deep))
    }

    /// Adds the reflections of images that stand in a cell of water or behind it, at the same level.
    pub(super) fn push_reflections(&self, stack: &mut ImageStack, water: &WaterImages, map: &Layers, cell: Cell) {
        if water.reflects.is_empty() {
            return;
        }
        for (k, (dx, dy)) in REFLECTION_OFFSETS.into_iter().enumerate() {
            let there = cell + (-dx, -dy);
            let overlay = map.overlay_id(there).filter(|overlay| water.reflects[overlay.index()]);
            let Some(overlay) = overlay.filter(|_| map.level(there) == map.level(cell)) else { continue };
            let image = self.overlay_frames(overlay, map, there).first();
            image.and_then(|image| self.images.reflection(*image, k)).into_iter().for_each(|image| stack.push(image));
        }
    }

    /// The sides from which water falls into a cell, where the fall can be seen.
    pub(super) fn falls(map: &Layers, cell: Cell) -> NeighbourMask {
        let falls = |side: Direction| {
            let there = cell + side;
            matches!(side, Direction::N | Direction::E)
                && map.base_id(there) == map.base_id(cell)
                && map.level(there) > map.level(cell)
        };
        NeighbourMask::from_fn(Direction::SIDES, falls)
    }
}

/// The bits of a square around a corner of the middle cell: this many cells in each direction.
fn square_at(corner: Direction, step: i32) -> u64 {
    let (east, south) = corner.offset();
    let range = |towards: i32| if towards > 0 { 1 - step..=step } else { -step..=step - 1 };
    let cells = range(south).flat_map(|dy| range(east).map(move |dx| (dx, dy)));
    cells.fold(0, |bits, (dx, dy)| bits | 1 << ((dy + STEPS) * AROUND + dx + STEPS))
}
