//! The maze: walls or hedges with narrow passages, a few loops and a clearing or two.

use super::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, around};
use super::endpoints::opposite_corner;
use super::random::{Noise, SeededRandom};
use crate::grid::{Cell, Direction, Grid, Size};

/// A lattice of halls, each a square of cells, with one cell of wall between and around them.
#[derive(Clone, Copy)]
struct Lattice {
    halls: Size,
    /// How wide passages are.
    wide: u32,
}

impl Lattice {
    /// The first cell of a hall.
    fn corner(self, hall: Cell) -> Cell {
        let pitch = self.wide as i32 + 1;
        Cell::new(hall.x * pitch + 1, hall.y * pitch + 1)
    }

    /// The cells of a hall, and of the wall between it and the next if `towards` says so.
    fn cells(self, hall: Cell, towards: Option<Direction>) -> impl Iterator<Item = Cell> {
        let (corner, wide) = (self.corner(hall), self.wide as i32);
        let (left, top, right, low) = match towards {
            None => (0, 0, wide, wide),
            Some(Direction::N) => (0, -1, wide, 0),
            Some(Direction::E) => (wide, 0, wide + 1, wide),
            Some(Direction::S) => (0, wide, wide, wide + 1),
            Some(_) => (-1, 0, 0, wide),
        };
        (top..low).flat_map(move |dy| (left..right).map(move |dx| corner + (dx, dy)))
    }
}

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    let mut random = context.random("maze");
    let mut draft = ground(size, &mut random);
    context.report("raising walls", 30);
    let wide = if size.width.min(size.height) >= 24 && random.percent(40) { 2 } else { 1 };
    let halls = |length: u32| length.saturating_sub(1) / (wide + 1);
    let lattice = Lattice { halls: Size::new(halls(size.width), halls(size.height)), wide };
    if lattice.halls.area() == 0 {
        return draft;
    }
    let hedges = Noise::new(&mut random, 60, 1);
    let hedged = random.below(3);
    let (width, height) = (lattice.halls.width * (wide + 1) + 1, lattice.halls.height * (wide + 1) + 1);
    for cell in Size::new(width, height).cells() {
        let hedge = hedged == 0 || hedged == 1 && hedges.at(cell) > 4000;
        draft.set_overlay(
            cell,
            if hedge && !draft.has_base(cell, BaseTerrain::Sand) {
                OverlayTerrain::Thicket
            } else {
                OverlayTerrain::Wall
            },
        );
    }
    context.report("finding passages", 50);
    dig(&mut draft, lattice, &mut random);
    context.report("opening loops", 70);
    loops(&mut draft, lattice, &mut random);
    furnish(&mut draft, lattice, &mut random);
    draft
}

/// Mostly grass, with patches of snow and of sand.
pub(super) fn ground(size: Size, random: &mut SeededRandom) -> DraftMap {
    let (cold, dry) = (Noise::new(random, 26, 3), Noise::new(random, 22, 3));
    let mut draft = DraftMap::new(size, |cell| match (cold.at(cell), dry.at(cell)) {
        (cold, _) if cold > 9000 => BaseTerrain::Snow,
        (_, dry) if dry > 9500 => BaseTerrain::Sand,
        _ => BaseTerrain::Grass,
    });
    draft.smooth(2);
    draft
}

/// Passages to every hall: on from the newest hall while there is a new one beside it, then back.
fn dig(draft: &mut DraftMap, lattice: Lattice, random: &mut SeededRandom) {
    let mut seen = Grid::from_fn(lattice.halls, |_| false);
    let first = random.cell(lattice.halls);
    let mut open = vec![first];
    seen[first] = true;
    clear(draft, lattice.cells(first, None));
    while let Some(&hall) = open.last() {
        let mut sides = Direction::SIDES;
        random.shuffle(&mut sides);
        let Some(side) = sides.into_iter().find(|&side| seen.get(hall + side) == Some(&false)) else {
            open.pop();
            continue;
        };
        seen[hall + side] = true;
        clear(draft, lattice.cells(hall, Some(side)));
        clear(draft, lattice.cells(hall + side, None));
        open.push(hall + side);
    }
}

/// Takes out a wall here and there, so that there is more than one way.
fn loops(draft: &mut DraftMap, lattice: Lattice, random: &mut SeededRandom) {
    for hall in lattice.halls.cells() {
        let side = random.pick(&[Direction::E, Direction::S]);
        if random.percent(11) && lattice.halls.contains(hall + side) {
            clear(draft, lattice.cells(hall, Some(side)));
        }
    }
}

/// Clearings, tombstones in dead ends, and tent and castle in far corners.
fn furnish(draft: &mut DraftMap, lattice: Lattice, random: &mut SeededRandom) {
    let size = draft.size();
    let pitch = lattice.wide as i32 + 1;
    for _ in 0..(lattice.halls.area() / 160).max(usize::from(lattice.halls.area() > 60)) {
        // From the first cell of a hall to the last of another, so that the walls around stay whole.
        let hall = random.cell(lattice.halls);
        let (start, side) = (lattice.corner(hall), 3 * pitch - 1 - i32::from(pitch > 2) * pitch);
        let inside = size.contains(start + (side, side));
        if inside {
            clear(draft, (0..side).flat_map(|dy| (0..side).map(move |dx| start + (dx, dy))));
        }
    }
    // Posts that nothing is left of but themselves.
    let alone = |cell: &Cell| around(*cell, 1, 1).filter(|&near| draft.is_blocked(near)).count() == 1;
    let posts: Vec<_> = size.cells().filter(|cell| draft.is_blocked(*cell)).filter(alone).collect();
    clear(draft, posts.into_iter());
    for hall in lattice.halls.cells() {
        let cell = lattice.corner(hall);
        let ways = Direction::SIDES
            .iter()
            .filter(|&&side| lattice.cells(hall, Some(side)).any(|cell| !draft.is_blocked(cell)));
        if ways.count() == 1 && random.percent(12) {
            draft.set_overlay(cell, OverlayTerrain::Tombstone);
        }
    }
    let corner = |far: Cell| {
        let last = |at: i32, count: u32| if at == 0 { 0 } else { count as i32 - 1 };
        lattice.corner(Cell::new(last(far.x, lattice.halls.width), last(far.y, lattice.halls.height)))
    };
    if lattice.halls.area() > 1 {
        let tent = random.pick(&[Cell::new(0, 0), Cell::new(0, size.height as i32 - 1)]);
        let castle = opposite_corner(size, tent);
        let (tent, castle) = (corner(tent), corner(castle));
        // No grave at its gate.
        for cell in
            around(castle, 1, 1).filter(|&cell| draft.overlay_at(cell) == OverlayTerrain::Tombstone).collect::<Vec<_>>()
        {
            draft.set_overlay(cell, OverlayTerrain::Empty);
        }
        if tent != castle {
            draft.set_overlay(tent, OverlayTerrain::Tent);
            draft.set_overlay(castle, OverlayTerrain::Castle);
        }
    }
}

fn clear(draft: &mut DraftMap, cells: impl Iterator<Item = Cell>) {
    cells.for_each(|cell| draft.set_overlay(cell, OverlayTerrain::Empty));
}
