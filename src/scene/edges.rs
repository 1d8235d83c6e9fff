//! How ground meets ground: borders drawn on the lower of two.

use super::image_stack::ImageStack;
use super::terrain_images::{Creep, Fringe};
use super::{Look, Scene, base, noise};
use crate::grid::{Cell, Direction};
use crate::map::Map;
use crate::terrain::NeighbourMask;
use crate::terrain::TerrainId;

/// Kinds of chance: which of two shapes a border has. Each kind of ground has its own.
const SHORE: u32 = 1000;
const EDGE: u32 = 1001;

/// The ground of a cell as its neighbours see it: a terrain, or the patch in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    /// First, so that kinds sort by it; ground without an edge is lowest.
    rank: Option<u8>,
    terrain: TerrainId,
    patch: bool,
}

impl Scene {
    /// The borders on the ground of `cell` in the full look, the lowest first: on water the shore of all land together,
    /// then every higher ground that lies beside it, by rank. Of each the lone corners come before the sides.
    ///
    /// Beyond the map the ground goes on as it is.
    pub fn edges(&self, map: &Map, look: Look, cell: Cell) -> ImageStack {
        let Some(own) = self.own_kind(map, cell).filter(|_| look == Look::Full) else { return ImageStack::EMPTY };
        let around = Direction::ALL.map(|way| self.kind_beside(map, cell + way, own));
        if around.iter().all(|kind| *kind == own) {
            return ImageStack::EMPTY;
        }
        let mut stack = ImageStack::EMPTY;
        let shore = self.images(own.terrain).shore.as_ref();
        if let Some(shore) = shore {
            let lands = |kind: Kind| self.images(kind.terrain).shore.is_none();
            add(&mut stack, shore, &around, noise::hash(cell.x, cell.y, SHORE), lands);
        }
        let mut higher = around;
        higher.sort_unstable();
        let mut last = None;
        for kind in higher.into_iter().filter(|kind| kind.rank > own.rank) {
            if last.replace(kind) == Some(kind) {
                continue;
            }
            let creep = self.creep(kind);
            if let Some(fringe) =
                creep.and_then(|creep| if shore.is_some() { creep.bank.as_ref() } else { creep.land.as_ref() })
            {
                let salt = EDGE + u32::from(kind.terrain.0) * 2 + u32::from(kind.patch);
                add(&mut stack, fringe, &around, noise::hash(cell.x, cell.y, salt), |other| other == kind);
            }
        }
        stack
    }

    fn own_kind(&self, map: &Map, cell: Cell) -> Option<Kind> {
        let terrain = base(map, cell)?;
        Some(self.kind(terrain, self.is_patch(terrain, cell)))
    }

    /// The kind of a neighbour of ground of the kind `own`. Other ground meets the whole of a terrain, its patches too.
    fn kind_beside(&self, map: &Map, cell: Cell, own: Kind) -> Kind {
        match base(map, cell) {
            None => own,
            Some(terrain) if terrain == own.terrain => self.kind(terrain, self.is_patch(terrain, cell)),
            Some(terrain) => self.kind(terrain, false),
        }
    }

    fn kind(&self, terrain: TerrainId, patch: bool) -> Kind {
        let mut kind = Kind { rank: None, terrain, patch };
        kind.rank = self.creep(kind).map(|creep| creep.rank);
        kind
    }

    fn creep(&self, kind: Kind) -> Option<&Creep> {
        let images = self.images(kind.terrain);
        match &images.patch {
            Some(patch) if kind.patch => patch.edge.as_ref(),
            _ => images.edge.as_ref(),
        }
    }
}

fn add(stack: &mut ImageStack, fringe: &Fringe, around: &[Kind; 8], chance: u64, counts: impl Fn(Kind) -> bool) {
    let counts = |way: Direction| counts(around[way as usize]);
    let sides = NeighbourMask::of(Direction::SIDES, counts);
    let corners = NeighbourMask::of(Direction::CORNERS, |way| !sides.touches(way) && counts(way));
    fringe.pick(sides, corners, chance).for_each(|image| stack.push(image));
}
