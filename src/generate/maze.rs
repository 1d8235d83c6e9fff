//! The maze: walls or hedges with narrow passages, a few loops and a clearing or two.

use super::Work;
use super::chance::{Chance, Noise};
use super::sketch::{Ground, Sketch, Thing, around};
use super::way::far_corner;
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

pub(super) fn draw(work: &mut Work<'_>) -> Sketch {
    let size = work.size;
    let mut chance = work.chance("maze");
    let mut sketch = ground(size, &mut chance);
    work.tell("raising walls", 30);
    let wide = if size.width.min(size.height) >= 24 && chance.percent(40) { 2 } else { 1 };
    let halls = |length: u32| length.saturating_sub(1) / (wide + 1);
    let lattice = Lattice { halls: Size::new(halls(size.width), halls(size.height)), wide };
    if lattice.halls.area() == 0 {
        return sketch;
    }
    let hedges = Noise::new(&mut chance, 60, 1);
    let hedged = chance.below(3);
    let (width, height) = (lattice.halls.width * (wide + 1) + 1, lattice.halls.height * (wide + 1) + 1);
    for cell in Size::new(width, height).cells() {
        let hedge = hedged == 0 || hedged == 1 && hedges.at(cell) > 4000;
        sketch.put(cell, if hedge && !sketch.is(cell, Ground::Sand) { Thing::Thicket } else { Thing::Wall });
    }
    work.tell("finding passages", 50);
    dig(&mut sketch, lattice, &mut chance);
    work.tell("opening loops", 70);
    loops(&mut sketch, lattice, &mut chance);
    furnish(&mut sketch, lattice, &mut chance);
    sketch
}

/// Mostly grass, with patches of snow and of sand.
pub(super) fn ground(size: Size, chance: &mut Chance) -> Sketch {
    let (cold, dry) = (Noise::new(chance, 26, 3), Noise::new(chance, 22, 3));
    let mut sketch = Sketch::new(size, |cell| match (cold.at(cell), dry.at(cell)) {
        (cold, _) if cold > 9000 => Ground::Snow,
        (_, dry) if dry > 9500 => Ground::Sand,
        _ => Ground::Grass,
    });
    sketch.smooth(2);
    sketch
}

/// Passages to every hall: on from the newest hall while there is a new one beside it, then back.
fn dig(sketch: &mut Sketch, lattice: Lattice, chance: &mut Chance) {
    let mut seen = Grid::from_fn(lattice.halls, |_| false);
    let first = chance.cell(lattice.halls);
    let mut open = vec![first];
    seen[first] = true;
    clear(sketch, lattice.cells(first, None));
    while let Some(&hall) = open.last() {
        let mut sides = Direction::SIDES;
        chance.shuffle(&mut sides);
        let Some(way) = sides.into_iter().find(|&way| seen.get(hall + way) == Some(&false)) else {
            open.pop();
            continue;
        };
        seen[hall + way] = true;
        clear(sketch, lattice.cells(hall, Some(way)));
        clear(sketch, lattice.cells(hall + way, None));
        open.push(hall + way);
    }
}

/// Takes out a wall here and there, so that there is more than one way.
fn loops(sketch: &mut Sketch, lattice: Lattice, chance: &mut Chance) {
    for hall in lattice.halls.cells() {
        let way = chance.pick(&[Direction::E, Direction::S]);
        if chance.percent(11) && lattice.halls.contains(hall + way) {
            clear(sketch, lattice.cells(hall, Some(way)));
        }
    }
}

/// Clearings, tombstones in dead ends, and tent and castle in far corners.
fn furnish(sketch: &mut Sketch, lattice: Lattice, chance: &mut Chance) {
    let size = sketch.size();
    let pitch = lattice.wide as i32 + 1;
    for _ in 0..(lattice.halls.area() / 160).max(usize::from(lattice.halls.area() > 60)) {
        // From the first cell of a hall to the last of another, so that the walls around stay whole.
        let hall = chance.cell(lattice.halls);
        let (start, side) = (lattice.corner(hall), 3 * pitch - 1 - i32::from(pitch > 2) * pitch);
        let inside = size.contains(start + (side, side));
        if inside {
            clear(sketch, (0..side).flat_map(|dy| (0..side).map(move |dx| start + (dx, dy))));
        }
    }
    // Posts that nothing is left of but themselves.
    let alone = |cell: &Cell| around(*cell, 1, 1).filter(|&near| sketch.is_closed(near)).count() == 1;
    let posts: Vec<_> = size.cells().filter(|cell| sketch.is_closed(*cell)).filter(alone).collect();
    clear(sketch, posts.into_iter());
    for hall in lattice.halls.cells() {
        let cell = lattice.corner(hall);
        let ways =
            Direction::SIDES.iter().filter(|&&way| lattice.cells(hall, Some(way)).any(|cell| !sketch.is_closed(cell)));
        if ways.count() == 1 && chance.percent(12) {
            sketch.put(cell, Thing::Tombstone);
        }
    }
    let corner = |far: Cell| {
        let last = |at: i32, count: u32| if at == 0 { 0 } else { count as i32 - 1 };
        lattice.corner(Cell::new(last(far.x, lattice.halls.width), last(far.y, lattice.halls.height)))
    };
    if lattice.halls.area() > 1 {
        let tent = chance.pick(&[Cell::new(0, 0), Cell::new(0, size.height as i32 - 1)]);
        let castle = far_corner(size, tent);
        let (tent, castle) = (corner(tent), corner(castle));
        // No grave at its gate.
        for cell in around(castle, 1, 1).filter(|&cell| sketch.thing(cell) == Thing::Tombstone).collect::<Vec<_>>() {
            sketch.put(cell, Thing::Nothing);
        }
        if tent != castle {
            sketch.put(tent, Thing::Tent);
            sketch.put(castle, Thing::Castle);
        }
    }
}

fn clear(sketch: &mut Sketch, cells: impl Iterator<Item = Cell>) {
    cells.for_each(|cell| sketch.put(cell, Thing::Nothing));
}
