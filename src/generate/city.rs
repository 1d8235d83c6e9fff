//! The city: blocks of walls with streets between, squares, parks and a canal.

use super::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::random::{Noise, SeededRandom};
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

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    let mut random = context.random("city");
    let dry = Noise::new(&mut random, 20, 2);
    let mut draft =
        DraftMap::new(size, |cell| if dry.at(cell) > 11000 { BaseTerrain::Sand } else { BaseTerrain::Grass });
    draft.smooth(2);
    context.report("laying streets", 20);
    let rim = if size.width.min(size.height) >= 20 { 4 } else { 1 };
    let across = streets(size.width, rim, &mut random);
    let down = streets(size.height, rim, &mut random);
    let canal = canal(&mut draft, &across, &mut random);
    for cell in size.cells() {
        let (on, crossing) = (across.contains(&cell.x), down.contains(&cell.y));
        let inside = between(&across, cell.x) && between(&down, cell.y);
        if inside && (on || crossing) {
            draft.set_overlay(
                cell,
                if draft.has_base(cell, BaseTerrain::Water) { OverlayTerrain::Bridge } else { OverlayTerrain::Road },
            );
        }
    }
    context.report("building blocks", 40);
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
        build(&mut draft, block, &mut random);
    }
    if rim > 1 {
        surround(&mut draft, &across, &down, &mut random);
    }
    seat(&mut draft, &blocks, &across, &down, &mut random);
    draft
}

/// Where streets run, from `rim` to as far from the other edge.
fn streets(length: u32, rim: u32, random: &mut SeededRandom) -> Vec<i32> {
    let last = length as i32 - 1 - rim as i32;
    let mut at = rim as i32;
    let mut streets = Vec::new();
    while at <= last {
        streets.push(at);
        let gap = random.between(4, 8);
        // No block is left too narrow for a house.
        at = if at + gap + 4 > last && at < last { last } else { at + gap };
    }
    streets
}

fn between(streets: &[i32], at: i32) -> bool {
    streets.first().is_some_and(|&first| first <= at) && streets.last().is_some_and(|&last| at <= last)
}

/// Water from edge to edge between two streets; returns the first of these.
fn canal(draft: &mut DraftMap, across: &[i32], random: &mut SeededRandom) -> Option<i32> {
    if across.len() < 5 || random.percent(25) {
        return None;
    }
    let at = 1 + random.below(across.len() as u32 - 3) as usize;
    let (start, end) = (across[at], across[at + 1]);
    for y in 0..draft.size().height as i32 {
        for x in start + 2..(end - 1).min(start + 4) {
            draft.set_base(Cell::new(x, y), BaseTerrain::Water);
        }
    }
    Some(start)
}

/// One block: a house with a yard, a solid one, a park, a square or a graveyard.
fn build(draft: &mut DraftMap, block: Block, random: &mut SeededRandom) {
    let Size { width, height } = block.size;
    let small = width.min(height) < 3;
    match random.below(20) {
        0..=1 => {
            for cell in block.cells() {
                draft.set_base(cell, BaseTerrain::Grass);
                if random.percent(35) && !draft.would_hide_a_road(cell) {
                    draft.set_overlay(cell, OverlayTerrain::Pines);
                }
            }
            if let Some(pond) = block.inside(2).filter(|pond| pond.size.area() >= 2) {
                for cell in pond.cells() {
                    draft.set_base(cell, BaseTerrain::Water);
                    draft.set_overlay(cell, OverlayTerrain::Empty);
                }
            }
        }
        2..=3 => block.cells().for_each(|cell| draft.set_base(cell, BaseTerrain::Sand)),
        4 if !small => {
            for cell in block.cells() {
                draft.set_base(cell, BaseTerrain::Grass);
                if (cell.x + cell.y) % 2 == 0 && random.percent(25) {
                    draft.set_overlay(cell, OverlayTerrain::Tombstone);
                }
            }
        }
        5..=8 if width + height > 8 => {
            // Two houses with an alley between.
            let (one, other) = halves(block);
            house(draft, one, random);
            house(draft, other, random);
        }
        _ => house(draft, block, random),
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
fn house(draft: &mut DraftMap, block: Block, random: &mut SeededRandom) {
    // Too narrow for a house: a garden.
    let Some(yard) = block.inside(1) else {
        for cell in block.cells() {
            if random.percent(30) && !draft.would_hide_a_road(cell) {
                draft.set_overlay_if_free(cell, OverlayTerrain::Pines);
            }
        }
        return;
    };
    let walls: Vec<_> = block.rim().collect();
    for &cell in &walls {
        draft.set_overlay(cell, OverlayTerrain::Wall);
    }
    let gates: Vec<_> = walls
        .iter()
        .copied()
        .filter(|&cell| {
            let beside = |inner: bool| {
                Direction::SIDES.iter().any(|&side| {
                    yard.cells().any(|other| other == cell + side) == inner && {
                        let thing = draft.overlay_at(cell + side);
                        if inner { thing == OverlayTerrain::Empty } else { thing.is_road() }
                    }
                })
            };
            beside(true) && beside(false)
        })
        .collect();
    if !gates.is_empty() {
        for _ in 0..if yard.size.area() > 6 { 2 } else { 1 } {
            draft.set_overlay(random.pick(&gates), OverlayTerrain::Empty);
        }
    }
    for cell in yard.cells() {
        let tree = random.percent(if gates.is_empty() { 60 } else { 15 });
        let open = Direction::SIDES.iter().any(|&side| gates.contains(&(cell + side)));
        if tree && !open {
            draft.set_overlay(cell, OverlayTerrain::Pines);
        }
    }
}

/// The city's wall, with a gate at the end of some streets, and woods before it.
fn surround(draft: &mut DraftMap, across: &[i32], down: &[i32], random: &mut SeededRandom) {
    let (Some(&left), Some(&right), Some(&top), Some(&low)) =
        (across.first(), across.last(), down.first(), down.last())
    else {
        return;
    };
    let (left, right, top, low) = (left - 2, right + 2, top - 2, low + 2);
    let wall =
        Block { corner: Cell::new(left, top), size: Size::new((right - left + 1) as u32, (low - top + 1) as u32) };
    for cell in wall.rim() {
        draft.set_overlay_if_free(cell, OverlayTerrain::Wall);
    }
    let Size { width, height } = draft.size();
    let mut gates = Vec::new();
    for _ in 0..2 {
        gates.push((Cell::new(random.pick(across), top), Direction::N));
        gates.push((Cell::new(random.pick(across), low), Direction::S));
        gates.push((Cell::new(left, random.pick(down)), Direction::W));
        gates.push((Cell::new(right, random.pick(down)), Direction::E));
    }
    for (gate, side) in gates.into_iter().take(5) {
        // From the street to the edge of the map.
        let mut cell = gate + side.opposite();
        while Size::new(width, height).contains(cell) {
            draft.set_overlay(
                cell,
                if draft.has_base(cell, BaseTerrain::Water) { OverlayTerrain::Bridge } else { OverlayTerrain::Road },
            );
            cell = cell + side;
        }
    }
    for cell in draft.size().cells() {
        let outside = cell.x < left || cell.x > right || cell.y < top || cell.y > low;
        if outside && draft.is_free(cell) && !draft.would_hide_a_road(cell) && random.percent(14) {
            draft.set_overlay(cell, OverlayTerrain::Pines);
        }
    }
}

/// The castle on a square in the middle, the tent before the walls.
fn seat(draft: &mut DraftMap, blocks: &[Block], across: &[i32], down: &[i32], random: &mut SeededRandom) {
    let Size { width, height } = draft.size();
    let middle = Cell::new(width as i32 / 2, height as i32 / 2);
    let roomy = |block: &&Block| block.size.width.min(block.size.height) >= 3;
    let square = blocks.iter().filter(roomy).min_by_key(|block| block.corner.distance_squared(middle));
    if let Some(square) = square {
        for cell in square.cells() {
            draft.set_overlay(cell, OverlayTerrain::Empty);
            draft.set_base(cell, BaseTerrain::Sand);
        }
        let Size { width, height } = square.size;
        let castle = square.corner + (width as i32 / 2, height as i32 / 2);
        // A way from its gate to the street in the south.
        for y in castle.y + 1..square.corner.y + height as i32 {
            draft.set_overlay(Cell::new(castle.x, y), OverlayTerrain::Road);
        }
        draft.set_overlay(castle, OverlayTerrain::Castle);
    }
    if across.len() > 1 && down.len() > 1 {
        let corners = [(1, 1), (1, height as i32 - 2), (width as i32 - 2, 1)].map(Cell::from);
        let tent = random.pick(&corners);
        if draft.size().contains(tent)
            && draft.overlay_at(tent) != OverlayTerrain::Castle
            && !draft.has_base(tent, BaseTerrain::Water)
        {
            draft.set_overlay(tent, OverlayTerrain::Tent);
        }
    }
}
