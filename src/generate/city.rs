//! The city: blocks of walls with streets between, squares, parks and a canal.

use super::Work;
use super::chance::{Chance, Noise};
use super::sketch::{Ground, Sketch, Thing};
use crate::grid::{Cell, Direction, Size};

/// The land between four streets: from `corner`, so many columns and rows.
#[derive(Clone, Copy)]
struct Block {
    corner: Cell,
    size: Size,
}

impl Block {
    fn cells(self) -> impl Iterator<Item = Cell> {
        self.size.cells().map(move |cell| self.corner + (cell.x, cell.y))
    }

    /// The cells at least `rim` from the streets.
    fn inside(self, rim: u32) -> Option<Self> {
        let size = Size::new(self.size.width.checked_sub(2 * rim)?, self.size.height.checked_sub(2 * rim)?);
        (size.area() > 0).then(|| Self { corner: self.corner + (rim as i32, rim as i32), size })
    }

    fn rim(self) -> impl Iterator<Item = Cell> {
        let Size { width, height } = self.size;
        self.cells().filter(move |&cell| {
            let (dx, dy) = cell - self.corner;
            dx == 0 || dy == 0 || dx as u32 + 1 == width || dy as u32 + 1 == height
        })
    }
}

pub(super) fn draw(work: &mut Work<'_>) -> Sketch {
    let size = work.size;
    let mut chance = work.chance("city");
    let dry = Noise::new(&mut chance, 20, 2);
    let mut sketch = Sketch::new(size, |cell| if dry.at(cell) > 11000 { Ground::Sand } else { Ground::Grass });
    sketch.smooth(2);
    work.tell("laying streets", 20);
    let rim = if size.width.min(size.height) >= 20 { 4 } else { 1 };
    let across = streets(size.width, rim, &mut chance);
    let down = streets(size.height, rim, &mut chance);
    let canal = canal(&mut sketch, &across, &mut chance);
    for cell in size.cells() {
        let (on, crossing) = (across.contains(&cell.x), down.contains(&cell.y));
        let inside = between(&across, cell.x) && between(&down, cell.y);
        if inside && (on || crossing) {
            sketch.put(cell, if sketch.is(cell, Ground::Water) { Thing::Bridge } else { Thing::Road });
        }
    }
    work.tell("building blocks", 40);
    let mut blocks = Vec::new();
    for rows in down.windows(2) {
        for columns in across.windows(2) {
            let corner = Cell::new(columns[0] + 1, rows[0] + 1);
            let size = Size::new((columns[1] - columns[0] - 1) as u32, (rows[1] - rows[0] - 1) as u32);
            if size.area() > 0 && canal != Some(columns[0]) {
                blocks.push(Block { corner, size });
            }
        }
    }
    for &block in &blocks {
        build(&mut sketch, block, &mut chance);
    }
    if rim > 1 {
        surround(&mut sketch, &across, &down, &mut chance);
    }
    seat(&mut sketch, &blocks, &across, &down, &mut chance);
    sketch
}

/// Where streets run, from `rim` to as far from the other edge.
fn streets(length: u32, rim: u32, chance: &mut Chance) -> Vec<i32> {
    let last = length as i32 - 1 - rim as i32;
    let mut at = rim as i32;
    let mut streets = Vec::new();
    while at <= last {
        streets.push(at);
        let gap = chance.between(4, 8);
        // No block is left too narrow for a house.
        at = if at + gap + 4 > last && at < last { last } else { at + gap };
    }
    streets
}

fn between(streets: &[i32], at: i32) -> bool {
    streets.first().is_some_and(|&first| first <= at) && streets.last().is_some_and(|&last| at <= last)
}

/// Water from edge to edge between two streets; returns the first of these.
fn canal(sketch: &mut Sketch, across: &[i32], chance: &mut Chance) -> Option<i32> {
    if across.len() < 5 || chance.percent(25) {
        return None;
    }
    let at = 1 + chance.below(across.len() as u32 - 3) as usize;
    let (start, end) = (across[at], across[at + 1]);
    for y in 0..sketch.size().height as i32 {
        for x in start + 2..(end - 1).min(start + 4) {
            sketch.lay(Cell::new(x, y), Ground::Water);
        }
    }
    Some(start)
}

/// One block: a house with a yard, a solid one, a park, a square or a graveyard.
fn build(sketch: &mut Sketch, block: Block, chance: &mut Chance) {
    let Size { width, height } = block.size;
    let small = width.min(height) < 3;
    match chance.below(20) {
        0..=1 => {
            for cell in block.cells() {
                sketch.lay(cell, Ground::Grass);
                if chance.percent(35) && !sketch.would_hide_a_road(cell) {
                    sketch.put(cell, Thing::Pines);
                }
            }
            if let Some(pond) = block.inside(2).filter(|pond| pond.size.area() >= 2) {
                for cell in pond.cells() {
                    sketch.lay(cell, Ground::Water);
                    sketch.put(cell, Thing::Nothing);
                }
            }
        }
        2..=3 => block.cells().for_each(|cell| sketch.lay(cell, Ground::Sand)),
        4 if !small => {
            for cell in block.cells() {
                sketch.lay(cell, Ground::Grass);
                if (cell.x + cell.y) % 2 == 0 && chance.percent(25) {
                    sketch.put(cell, Thing::Tombstone);
                }
            }
        }
        5..=8 if width + height > 8 => {
            // Two houses with an alley between.
            let (one, other) = halves(block);
            house(sketch, one, chance);
            house(sketch, other, chance);
        }
        _ => house(sketch, block, chance),
    }
}

fn halves(block: Block) -> (Block, Block) {
    let Block { corner, size: Size { width, height } } = block;
    if width > height {
        let half = (width - 1) / 2;
        let rest = Block { corner: corner + (half as i32 + 1, 0), size: Size::new(width - half - 1, height) };
        (Block { corner, size: Size::new(half, height) }, rest)
    } else {
        let half = (height - 1) / 2;
        let rest = Block { corner: corner + (0, half as i32 + 1), size: Size::new(width, height - half - 1) };
        (Block { corner, size: Size::new(width, half) }, rest)
    }
}

/// Walls around a yard, which has a gate.
fn house(sketch: &mut Sketch, block: Block, chance: &mut Chance) {
    // Too narrow for a house: a garden.
    let Some(yard) = block.inside(1) else {
        for cell in block.cells() {
            if chance.percent(30) && !sketch.would_hide_a_road(cell) {
                sketch.put_if_free(cell, Thing::Pines);
            }
        }
        return;
    };
    let walls: Vec<_> = block.rim().collect();
    for &cell in &walls {
        sketch.put(cell, Thing::Wall);
    }
    let gates: Vec<_> = walls
        .iter()
        .copied()
        .filter(|&cell| {
            let beside = |inner: bool| {
                Direction::SIDES.iter().any(|&way| {
                    yard.cells().any(|other| other == cell + way) == inner && {
                        let thing = sketch.thing(cell + way);
                        if inner { thing == Thing::Nothing } else { thing.is_road() }
                    }
                })
            };
            beside(true) && beside(false)
        })
        .collect();
    if !gates.is_empty() {
        for _ in 0..if yard.size.area() > 6 { 2 } else { 1 } {
            sketch.put(chance.pick(&gates), Thing::Nothing);
        }
    }
    for cell in yard.cells() {
        let tree = chance.percent(if gates.is_empty() { 60 } else { 15 });
        let open = Direction::SIDES.iter().any(|&way| gates.contains(&(cell + way)));
        if tree && !open {
            sketch.put(cell, Thing::Pines);
        }
    }
}

/// The city's wall, with a gate at the end of some streets, and woods before it.
fn surround(sketch: &mut Sketch, across: &[i32], down: &[i32], chance: &mut Chance) {
    let (Some(&left), Some(&right), Some(&top), Some(&low)) =
        (across.first(), across.last(), down.first(), down.last())
    else {
        return;
    };
    let (left, right, top, low) = (left - 2, right + 2, top - 2, low + 2);
    let wall =
        Block { corner: Cell::new(left, top), size: Size::new((right - left + 1) as u32, (low - top + 1) as u32) };
    for cell in wall.rim() {
        sketch.put_if_free(cell, Thing::Wall);
    }
    let Size { width, height } = sketch.size();
    let mut gates = Vec::new();
    for _ in 0..2 {
        gates.push((Cell::new(chance.pick(across), top), Direction::N));
        gates.push((Cell::new(chance.pick(across), low), Direction::S));
        gates.push((Cell::new(left, chance.pick(down)), Direction::W));
        gates.push((Cell::new(right, chance.pick(down)), Direction::E));
    }
    for (gate, way) in gates.into_iter().take(5) {
        // From the street to the edge of the map.
        let mut cell = gate + way.opposite();
        while Size::new(width, height).contains(cell) {
            sketch.put(cell, if sketch.is(cell, Ground::Water) { Thing::Bridge } else { Thing::Road });
            cell = cell + way;
        }
    }
    for cell in sketch.size().cells() {
        let outside = cell.x < left || cell.x > right || cell.y < top || cell.y > low;
        if outside && sketch.is_free(cell) && !sketch.would_hide_a_road(cell) && chance.percent(14) {
            sketch.put(cell, Thing::Pines);
        }
    }
}

/// The castle on a square in the middle, the tent before the walls.
fn seat(sketch: &mut Sketch, blocks: &[Block], across: &[i32], down: &[i32], chance: &mut Chance) {
    let Size { width, height } = sketch.size();
    let middle = Cell::new(width as i32 / 2, height as i32 / 2);
    let roomy = |block: &&Block| block.size.width.min(block.size.height) >= 3;
    let square = blocks.iter().filter(roomy).min_by_key(|block| block.corner.distance_squared(middle));
    if let Some(square) = square {
        for cell in square.cells() {
            sketch.put(cell, Thing::Nothing);
            sketch.lay(cell, Ground::Sand);
        }
        let Size { width, height } = square.size;
        let castle = square.corner + (width as i32 / 2, height as i32 / 2);
        // A way from its gate to the street in the south.
        for y in castle.y + 1..square.corner.y + height as i32 {
            sketch.put(Cell::new(castle.x, y), Thing::Road);
        }
        sketch.put(castle, Thing::Castle);
    }
    if across.len() > 1 && down.len() > 1 {
        let corners = [(1, 1), (1, height as i32 - 2), (width as i32 - 2, 1)].map(Cell::from);
        let tent = chance.pick(&corners);
        if sketch.size().contains(tent) && sketch.thing(tent) != Thing::Castle && !sketch.is(tent, Ground::Water) {
            sketch.put(tent, Thing::Tent);
        }
    }
}
