//! The edges between different kinds of ground, drawn on the lower of the two.

use super::image_stack::ImageStack;
use super::layers::Scene;
use super::look::Look;
use super::noise;
use super::terrain_images::{BorderImages, EdgeImages};
use emberwalk_map::Layers;
use emberwalk_map::terrain::{NeighbourMask, TerrainId};
use emberwalk_path::grid::{Cell, Direction};

/// Salts of the noise that chooses between the two shapes of a border. Each kind of ground has its own salt, from
/// `EDGE` on.
const SHORE: u32 = 1000;
const EDGE: u32 = 1001;

/// The ground of a cell as its neighbours see it: a terrain or one of its patches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GroundKind {
    /// The rank of its edge; `None` without an edge. This field comes first because kinds are sorted by it.
    rank: Option<u8>,
    terrain: TerrainId,
    is_patch: bool,
}

impl Scene {
    /// The borders on the ground of `cell` in the full look, the lowest first: on water one shore for all adjacent
    /// land, then each adjacent ground of a higher rank, by rank. The corners of each border come before its sides.
    ///
    /// Cells beyond the edge of the map and on other levels count as the same ground, except that a shore is also drawn
    /// at the foot of higher land.
    pub fn edges(&self, map: &Layers, cell: Cell) -> ImageStack {
        let Some(own) = self.own_kind(map, cell).filter(|_| self.look == Look::Full) else { return ImageStack::EMPTY };
        let here = map.level(cell);
        let neighbours = Direction::ALL.map(|direction| {
            let there = map.level(cell + direction);
            let is_beside = here == there || here < there && self.terrain(own.terrain).shore.is_some();
            if is_beside { self.neighbour_kind(map, cell + direction, own) } else { own }
        });
        if neighbours.iter().all(|kind| *kind == own) {
            return ImageStack::EMPTY;
        }
        let mut stack = ImageStack::EMPTY;
        let shore = self.terrain(own.terrain).shore.as_ref();
        if let Some(shore) = shore {
            let is_land = |kind: GroundKind| self.terrain(kind.terrain).shore.is_none();
            push_border(&mut stack, shore, &neighbours, noise::hash(cell.x, cell.y, SHORE), is_land);
        }
        let mut sorted = neighbours;
        sorted.sort_unstable();
        let mut last = None;
        for kind in sorted.into_iter().filter(|kind| kind.rank > own.rank) {
            if last.replace(kind) == Some(kind) {
                continue;
            }
            let edge = self.edge_images(kind);
            if let Some(border) =
                edge.and_then(|edge| if shore.is_some() { edge.bank.as_ref() } else { edge.land.as_ref() })
            {
                let salt = EDGE + kind.terrain.index() as u32 * 2 + u32::from(kind.is_patch);
                push_border(&mut stack, border, &neighbours, noise::hash(cell.x, cell.y, salt), |other| other == kind);
            }
        }
        stack
    }

    fn own_kind(&self, map: &Layers, cell: Cell) -> Option<GroundKind> {
        let terrain = map.base_id(cell)?;
        Some(self.kind(terrain, self.is_patch(terrain, cell)))
    }

    /// The kind of a neighbour, as seen from ground of the kind `own`. A patch has an edge only towards its own
    /// terrain.
    fn neighbour_kind(&self, map: &Layers, cell: Cell, own: GroundKind) -> GroundKind {
        match map.base_id(cell) {
            None => own,
            Some(terrain) if terrain == own.terrain => self.kind(terrain, self.is_patch(terrain, cell)),
            Some(terrain) => self.kind(terrain, false),
        }
    }

    fn kind(&self, terrain: TerrainId, is_patch: bool) -> GroundKind {
        let mut kind = GroundKind { rank: None, terrain, is_patch };
        kind.rank = self.edge_images(kind).map(|edge| edge.rank);
        kind
    }

    fn edge_images(&self, kind: GroundKind) -> Option<&EdgeImages> {
        let images = self.terrain(kind.terrain);
        match &images.patch {
            Some(patch) if kind.is_patch => patch.edge.as_ref(),
            _ => images.edge.as_ref(),
        }
    }
}

/// Adds the images of a border towards the neighbours for which `is_other` is true. A corner is drawn only if neither
/// of the adjacent sides is drawn.
fn push_border(
    stack: &mut ImageStack,
    border: &BorderImages,
    neighbours: &[GroundKind; 8],
    hash: u64,
    is_other: impl Fn(GroundKind) -> bool,
) {
    let is_other = |direction: Direction| is_other(neighbours[direction as usize]);
    let sides = NeighbourMask::from_fn(Direction::SIDES, is_other);
    let corners = NeighbourMask::from_fn(Direction::CORNERS, |corner| !sides.touches(corner) && is_other(corner));
    border.choose(sides, corners, hash).for_each(|image| stack.push(image));
}
