//! The edges between different kinds of ground, drawn on the lower of the two.

use super::image_stack::ImageStack;
use super::layers::Scene;
use super::look::Look;
use super::noise;
use super::terrain_images::{BorderImages, EdgeImages, TerrainImages};
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

/// The borders on a cell that are the same in all frames, and the data that foam depends on.
struct Borders {
    own: GroundKind,
    neighbours: [GroundKind; 8],
    is_alone: bool,
    stack: ImageStack,
}

impl Scene {
    /// The borders on the ground of `cell` in the full look, the lowest first: on water its depth, one shore for all
    /// adjacent land, and reflections; then each adjacent ground of a higher rank, by rank; on water foam. The corners of
    /// each border come before its sides. Pictures show the first of its [frames](Self::edge_frames).
    ///
    /// Cells beyond the edge of the map and on other levels count as the same ground, except that a shore is also drawn
    /// at the foot of higher land.
    pub fn edges(&self, map: &Layers, cell: Cell) -> ImageStack {
        self.borders(map, cell).map_or(ImageStack::EMPTY, |borders| self.in_frame(&borders, map, cell, 0))
    }

    /// The animation frames of [`edges`](Self::edges): one, or as many as there are of foam.
    pub fn edge_frames(&self, map: &Layers, cell: Cell) -> Vec<ImageStack> {
        let Some(borders) = self.borders(map, cell) else { return vec![ImageStack::EMPTY] };
        let water = &self.terrain(borders.own.terrain).water;
        let count = water.foam.len().max(water.falls.len()).max(1);
        let mut frames: Vec<_> = (0..count).map(|frame| self.in_frame(&borders, map, cell, frame)).collect();
        if frames.iter().all(|frame| *frame == frames[0]) {
            frames.truncate(1);
        }
        frames
    }

    /// The borders that do not move; `None` in the classic look and outside the map.
    fn borders(&self, map: &Layers, cell: Cell) -> Option<Borders> {
        let own = self.own_kind(map, cell).filter(|_| self.look == Look::Full)?;
        let TerrainImages { shore, water, .. } = self.terrain(own.terrain);
        let here = map.level(cell);
        let neighbours = Direction::ALL.map(|direction| {
            let there = map.level(cell + direction);
            let is_beside = here == there || here < there && shore.is_some();
            if is_beside { self.neighbour_kind(map, cell + direction, own) } else { own }
        });
        let is_alone = neighbours.iter().all(|kind| *kind == own);
        let mut stack = ImageStack::EMPTY;
        if let Some(shore) = shore {
            self.push_depth(&mut stack, water, map, cell);
            if !is_alone {
                self.push_along_land(&mut stack, shore, &neighbours, cell);
            }
            self.push_reflections(&mut stack, water, map, cell);
        }
        if !is_alone {
            self.push_edges(&mut stack, own, &neighbours, cell);
        }
        Some(Borders { own, neighbours, is_alone, stack })
    }

    /// Adds the foam of a frame.
    fn in_frame(&self, borders: &Borders, map: &Layers, cell: Cell, frame: usize) -> ImageStack {
        let Borders { own, neighbours, is_alone, mut stack } = *borders;
        let water = &self.terrain(own.terrain).water;
        if let Some(foam) = water.foam.get(frame % water.foam.len().max(1)).filter(|_| !is_alone) {
            self.push_along_land(&mut stack, foam, &neighbours, cell);
        }
        let hash = noise::hash(cell.x, cell.y, SHORE);
        if let Some(falls) = water.falls.get(frame % water.falls.len().max(1)) {
            let foam = falls.choose(Self::falls(map, cell), NeighbourMask::default(), hash);
            foam.for_each(|image| stack.push(image));
        }
        stack
    }

    /// Adds the images of a border along all adjacent land.
    fn push_along_land(&self, stack: &mut ImageStack, border: &BorderImages, neighbours: &[GroundKind; 8], cell: Cell) {
        let is_land = |kind: GroundKind| self.terrain(kind.terrain).shore.is_none();
        push_border(stack, border, neighbours, noise::hash(cell.x, cell.y, SHORE), is_land);
    }

    /// Adds the edges of each adjacent ground of a higher rank, by rank.
    fn push_edges(&self, stack: &mut ImageStack, own: GroundKind, neighbours: &[GroundKind; 8], cell: Cell) {
        let has_shore = self.terrain(own.terrain).shore.is_some();
        let mut last = None;
        let mut sorted = *neighbours;
        sorted.sort_unstable();
        for kind in sorted.into_iter().filter(|kind| kind.rank > own.rank) {
            if last.replace(kind) == Some(kind) {
                continue;
            }
            let edge = self.edge_images(kind);
            if let Some(border) = edge.and_then(|edge| if has_shore { edge.bank.as_ref() } else { edge.land.as_ref() })
            {
                let salt = EDGE + kind.terrain.index() as u32 * 2 + u32::from(kind.is_patch);
                push_border(stack, border, neighbours, noise::hash(cell.x, cell.y, salt), |other| other == kind);
            }
        }
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
