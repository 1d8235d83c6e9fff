//! Generates cities: blocks of houses with streets between them, squares, parks and a canal.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::noise::Noise;
use super::random::SeededRandom;
use emberwalk_map::Area;
use emberwalk_path::grid::{Cell, Direction, Size};

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    let mut random = context.random("city");
    let dry = Noise::new(&mut random, 20, 2).field(size);
    let base = |cell: Cell| if dry.0[cell] > 11000 { BaseTerrain::Sand } else { BaseTerrain::Grass };
    let mut draft = DraftMap::new(size, base);
    draft.smooth(2);
    context.report("laying streets", 20);
    let margin = if size.width.min(size.height) >= 20 { 4 } else { 1 };
    let street_xs = streets(size.width, margin, &mut random);
    let street_ys = streets(size.height, margin, &mut random);
    let canal = canal(&mut draft, &street_xs, &mut random);
    for cell in size.cells() {
        let (in_column, in_row) = (street_xs.contains(&cell.x), street_ys.contains(&cell.y));
        let inside = between(&street_xs, cell.x) && between(&street_ys, cell.y);
        if inside && (in_column || in_row) {
            draft.set_road(cell);
        }
    }
    context.report("building blocks", 40);
    let mut blocks = Vec::new();
    for rows in street_ys.windows(2) {
        for columns in street_xs.windows(2) {
            let corner = Cell::new(columns[0] + 1, rows[0] + 1);
            let size = Size::new((columns[1] - columns[0] - 1) as u32, (rows[1] - rows[0] - 1) as u32);
            if size.area() > 0 && canal != Some(columns[0]) {
                blocks.push(Area::new(corner, size));
            }
        }
    }
    for &block in &blocks {
        build_block(&mut draft, block, &mut random);
    }
    if margin > 1 {
        build_city_wall(&mut draft, &street_xs, &street_ys, &mut random);
    }
    place_endpoints(&mut draft, &blocks, &street_xs, &street_ys, &mut random);
    draft
}

/// The columns or rows of the streets, `margin` cells or more from the edges.
fn streets(length: u32, margin: u32, random: &mut SeededRandom) -> Vec<i32> {
    let last = length as i32 - 1 - margin as i32;
    let mut at = margin as i32;
    let mut streets = Vec::new();
    while at <= last {
        streets.push(at);
        let gap = random.between(4, 8);
        // The last block must not be too narrow for a house.
        at = if at + gap + 4 > last && at < last { last } else { at + gap };
    }
    streets
}

fn between(streets: &[i32], at: i32) -> bool {
    streets.first().is_some_and(|&first| first <= at) && streets.last().is_some_and(|&last| at <= last)
}

/// Adds a canal between two streets from edge to edge, and returns the column of the street west of the canal.
fn canal(draft: &mut DraftMap, street_xs: &[i32], random: &mut SeededRandom) -> Option<i32> {
    if street_xs.len() < 5 || random.percent(25) {
        return None;
    }
    let at = 1 + random.below(street_xs.len() as u32 - 3) as usize;
    let (start, end) = (street_xs[at], street_xs[at + 1]);
    for y in 0..draft.size().height as i32 {
        for x in start + 2..(end - 1).min(start + 4) {
            draft.set_base(Cell::new(x, y), BaseTerrain::Water);
        }
    }
    Some(start)
}

/// Fills one block with houses, a park, a square or a graveyard.
fn build_block(draft: &mut DraftMap, block: Area, random: &mut SeededRandom) {
    let Size { width, height } = block.size();
    let small = width.min(height) < 3;
    match random.below(20) {
        0..=1 => {
            for cell in block.cells() {
                draft.set_base(cell, BaseTerrain::Grass);
                if random.percent(35) && !draft.would_hide_a_road(cell) {
                    draft.set_overlay(cell, OverlayTerrain::Pines);
                }
            }
            let pond = block.inset(2).filter(|pond| pond.size().area() >= 2);
            for cell in pond.into_iter().flat_map(Area::cells) {
                draft.set_base(cell, BaseTerrain::Water);
                draft.set_overlay(cell, OverlayTerrain::Empty);
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
            // Two houses with an alley between them.
            let (one, other) = halves(block);
            build_house(draft, one, random);
            build_house(draft, other, random);
        }
        _ => build_house(draft, block, random),
    }
}

/// Splits a block into two, with an alley of one cell between them.
fn halves(block: Area) -> (Area, Area) {
    let (first, last, Size { width, height }) = (block.first(), block.last(), block.size());
    if width > height {
        let alley = first.x + (width as i32 - 1) / 2;
        (Area::between(first, Cell::new(alley - 1, last.y)), Area::between(Cell::new(alley + 1, first.y), last))
    } else {
        let alley = first.y + (height as i32 - 1) / 2;
        (Area::between(first, Cell::new(last.x, alley - 1)), Area::between(Cell::new(first.x, alley + 1), last))
    }
}

/// Builds walls around a yard, with gates to the streets.
fn build_house(draft: &mut DraftMap, block: Area, random: &mut SeededRandom) {
    // A block that is too narrow for a house becomes a garden.
    let Some(yard) = block.inset(1) else {
        for cell in block.cells() {
            if random.percent(30) && !draft.would_hide_a_road(cell) {
                draft.set_overlay_if_free(cell, OverlayTerrain::Pines);
            }
        }
        return;
    };
    for cell in block.rim() {
        draft.set_overlay(cell, OverlayTerrain::Wall);
    }
    let is_gate = |cell: &Cell| {
        let near = Direction::SIDES.map(|side| *cell + side);
        let is_free = |cell: &Cell| yard.contains(*cell) && draft.overlay_at(*cell) == OverlayTerrain::Empty;
        let is_street = |cell: &Cell| !yard.contains(*cell) && draft.overlay_at(*cell).is_road();
        near.iter().any(is_free) && near.iter().any(is_street)
    };
    let gates: Vec<_> = block.rim().filter(is_gate).collect();
    if !gates.is_empty() {
        for _ in 0..if yard.size().area() > 6 { 2 } else { 1 } {
            draft.set_overlay(random.pick(&gates), OverlayTerrain::Empty);
        }
    }
    for cell in yard.cells() {
        let tree = random.percent(if gates.is_empty() { 60 } else { 15 });
        let at_gate = Direction::SIDES.iter().any(|&side| gates.contains(&(cell + side)));
        if tree && !at_gate {
            draft.set_overlay(cell, OverlayTerrain::Pines);
        }
    }
}

/// Builds the city wall, with gates at the ends of some streets, and adds trees outside the wall.
fn build_city_wall(draft: &mut DraftMap, street_xs: &[i32], street_ys: &[i32], random: &mut SeededRandom) {
    let (Some(&left), Some(&right), Some(&top), Some(&bottom)) =
        (street_xs.first(), street_xs.last(), street_ys.first(), street_ys.last())
    else {
        return;
    };
    let (left, right, top, bottom) = (left - 2, right + 2, top - 2, bottom + 2);
    let wall = Area::between(Cell::new(left, top), Cell::new(right, bottom));
    for cell in wall.rim() {
        draft.set_overlay_if_free(cell, OverlayTerrain::Wall);
    }
    let mut gates = Vec::new();
    for _ in 0..2 {
        gates.push((Cell::new(random.pick(street_xs), top), Direction::N));
        gates.push((Cell::new(random.pick(street_xs), bottom), Direction::S));
        gates.push((Cell::new(left, random.pick(street_ys)), Direction::W));
        gates.push((Cell::new(right, random.pick(street_ys)), Direction::E));
    }
    for (gate, side) in gates.into_iter().take(5) {
        // From the street to the edge of the map.
        let mut cell = gate + side.opposite();
        while draft.size().contains(cell) {
            draft.set_road(cell);
            cell = cell + side;
        }
    }
    for cell in draft.size().cells() {
        if !wall.contains(cell) && draft.is_free(cell) && !draft.would_hide_a_road(cell) && random.percent(14) {
            draft.set_overlay(cell, OverlayTerrain::Pines);
        }
    }
}

/// Places the castle on a square in the middle, and the tent outside the city wall.
fn place_endpoints(
    draft: &mut DraftMap,
    blocks: &[Area],
    street_xs: &[i32],
    street_ys: &[i32],
    random: &mut SeededRandom,
) {
    let Size { width, height } = draft.size();
    let middle = Area::of_map(draft.size()).middle();
    let is_large = |block: &&Area| block.size().width.min(block.size().height) >= 3;
    let square = blocks.iter().filter(is_large).min_by_key(|block| block.first().distance_squared(middle));
    if let Some(square) = square {
        for cell in square.cells() {
            draft.set_overlay(cell, OverlayTerrain::Empty);
            draft.set_base(cell, BaseTerrain::Sand);
        }
        let castle = square.middle();
        // A road from the castle to the street in the south.
        for y in castle.y + 1..=square.last().y {
            draft.set_overlay(Cell::new(castle.x, y), OverlayTerrain::Road);
        }
        draft.set_overlay(castle, OverlayTerrain::Castle);
    }
    if street_xs.len() > 1 && street_ys.len() > 1 {
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
