//! Images that depend on the neighbours of a cell, but do not join them: other variants, and small things on the
//! ground.

use super::layers::Scene;
use super::noise;
use super::terrain_images::{DetailImages, NeighbourKind};
use crate::tiles::ImageId;
use emberwalk_map::Layers;
use emberwalk_map::terrain::{NeighbourMask, TerrainId};
use emberwalk_path::grid::{Cell, Direction};

/// The salt of the noise that decides which cells have the first kind of detail of a terrain; the others follow.
const SHARE: u32 = 1713;
/// The salt of the noise that chooses between its images.
const IMAGE: u32 = 1800;

impl Scene {
    /// The small thing on the ground of a cell without an overlay, or on its flat overlay; `terrain` is the uppermost
    /// of the two.
    pub(super) fn detail(&self, terrain: TerrainId, map: &Layers, cell: Cell) -> Option<ImageId> {
        let details = &self.terrain(terrain).details;
        (SHARE..).zip(details).find_map(|(salt, detail)| {
            if noise::unit(cell.x, cell.y, salt) >= detail.share {
                return None;
            }
            let mask = if detail.by_sides {
                NeighbourMask::from_fn(Direction::SIDES, |side| detail.beside.is_at(map, cell, side))
            } else {
                detail.beside.is_beside(map, cell).then(NeighbourMask::default)?
            };
            let hash = noise::hash(cell.x, cell.y, IMAGE + salt - SHARE);
            let image = detail.images[hash as usize % detail.images.len()][mask.index()]?;
            detail.is_clear(map, cell, mask).then_some(image)
        })
    }
}

impl NeighbourKind {
    /// Whether the neighbour in a direction counts.
    pub(super) fn is_at(&self, map: &Layers, cell: Cell, direction: Direction) -> bool {
        let there = cell + direction;
        match self {
            Self::Seen(counts) => {
                let seen = map.overlay_id(there).or_else(|| map.base_id(there));
                seen.is_some_and(|terrain| counts[terrain.index()])
            }
            Self::Higher(levels) => map.level(there) >= map.level(cell).saturating_add(*levels),
        }
    }

    /// Whether any neighbour of a cell counts.
    pub(super) fn is_beside(&self, map: &Layers, cell: Cell) -> bool {
        Direction::ALL.into_iter().any(|direction| self.is_at(map, cell, direction))
    }
}

impl DetailImages {
    /// Whether the cells on the other sides are like this cell.
    fn is_clear(&self, map: &Layers, cell: Cell, towards: NeighbourMask) -> bool {
        let [north, east, south, west] =
            Direction::SIDES.map(|side| if towards.sides().any(|towards| towards == side) { 0 } else { self.clear });
        let kind = |at: Cell| (map.base_id(at), map.overlay_id(at), map.level(at));
        let is_same = |at: Cell| kind(at) == kind(cell);
        (-north..=south).flat_map(|dy| (-west..=east).map(move |dx| (dx, dy))).all(|offset| is_same(cell + offset))
    }
}
