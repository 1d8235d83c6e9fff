//! Generates rooms: walls with doors, and a different base and overlay in every room.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::endpoints::opposite_corner;
use super::random::SeededRandom;
use emberwalk_map::Area;
use emberwalk_path::grid::{Cell, Size};

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    let mut random = context.random("rooms");
    let mut draft = DraftMap::new(size, |_| BaseTerrain::Grass);
    let whole = Area::of_map(size);
    let Some(inside) = whole.inset(1).filter(|_| size.width.min(size.height) >= 5) else { return draft };
    context.report("raising walls", 10);
    for cell in whole.rim() {
        draft.set_overlay(cell, OverlayTerrain::Wall);
    }
    let rooms = split(&mut draft, inside, &mut random);
    context.report("furnishing rooms", 50);
    for &room in &rooms {
        furnish(&mut draft, room, &mut random);
    }
    let tent = rooms.iter().copied().min_by_key(|room| {
        let middle = room.middle();
        middle.x + middle.y
    });
    let far = tent.map(|tent| opposite_corner(size, tent.middle()));
    let castle = far.and_then(|far| rooms.iter().copied().min_by_key(|room| room.middle().distance_squared(far)));
    if let (Some(tent), Some(castle)) = (tent, castle.filter(|castle| Some(castle.middle()) != tent.map(Area::middle)))
    {
        for (room, overlay) in [(tent, OverlayTerrain::Tent), (castle, OverlayTerrain::Castle)] {
            for cell in inner_cells(room, 1) {
                draft.set_overlay(cell, OverlayTerrain::Empty);
                if draft.has_base(cell, BaseTerrain::Water) {
                    draft.set_base(cell, BaseTerrain::Grass);
                }
            }
            draft.set_overlay(room.middle(), overlay);
        }
    }
    draft
}

/// Splits a room by a wall with a door, and its halves again, until they are small. `room` excludes the surrounding
/// walls.
fn split(draft: &mut DraftMap, whole: Area, random: &mut SeededRandom) -> Vec<Area> {
    let mut rooms = Vec::new();
    let mut stack = vec![whole];
    while let Some(room) = stack.pop() {
        let Size { width, height } = room.size();
        let vertical = if width.abs_diff(height) < 3 { random.percent(50) } else { width > height };
        let (long, cross) = if vertical { (width, height) } else { (height, width) };
        let small = width.max(height) <= 7 || width * height < 110 && random.percent(40);
        let at = |along: i32, across: i32| room.first() + if vertical { (along, across) } else { (across, along) };
        // The new wall must not end at a door.
        let ends_at_walls = |along: i32| {
            let ends = (along - 1..=along + 1).flat_map(|along| [at(along, -1), at(along, cross as i32)]);
            ends.into_iter().all(|end| draft.overlay_at(end) == OverlayTerrain::Wall)
        };
        let mut walls = (0..12)
            .map(|_| 3 + random.below(long.saturating_sub(6)))
            .filter(|&along| along + 3 < long && ends_at_walls(along as i32));
        let wall = if small || long < 7 { None } else { walls.next() };
        let Some(along) = wall else {
            rooms.push(room);
            continue;
        };
        for across in 0..cross {
            draft.set_overlay(at(along as i32, across as i32), OverlayTerrain::Wall);
        }
        for _ in 0..if random.percent(35) { 2 } else { 1 } {
            // Not in a corner, where another wall may end later.
            let across = random.below(cross.max(3) - 2) + u32::from(cross > 2);
            draft.set_overlay(at(along as i32, across.min(cross - 1) as i32), OverlayTerrain::Empty);
        }
        let half = |start: u32, end: u32| Area::between(at(start as i32, 0), at(end as i32 - 1, cross as i32 - 1));
        stack.push(half(0, along));
        stack.push(half(along + 1, long));
    }
    rooms
}

/// Fills a room. The overlay along the walls stays empty, so that no door is blocked.
fn furnish(draft: &mut DraftMap, room: Area, random: &mut SeededRandom) {
    let base = match random.below(10) {
        0..=4 => BaseTerrain::Grass,
        5..=7 => BaseTerrain::Sand,
        _ => BaseTerrain::Snow,
    };
    room.cells().for_each(|cell| draft.set_base(cell, base));
    let (inside, middle) = (inner_cells(room, 1), inner_cells(room, 2));
    match random.below(8) {
        0 | 1 => scatter(draft, inside, 70, random, |_| OverlayTerrain::Pines),
        2 if base != BaseTerrain::Snow => middle.for_each(|cell| draft.set_base(cell, BaseTerrain::Water)),
        3 => {
            let every_other = inside.filter(|cell| (cell.x + cell.y) % 2 == 0);
            scatter(draft, every_other, 30, random, |_| OverlayTerrain::Tombstone);
        }
        4 => scatter(draft, middle, 60, random, |_| OverlayTerrain::Mountain),
        _ => scatter(draft, inside, 7, random, |random| random.pick(&[OverlayTerrain::Pines, OverlayTerrain::Thicket])),
    }
}

/// The cells of a room that are at least this many cells away from its walls.
fn inner_cells(room: Area, distance: i32) -> impl Iterator<Item = Cell> {
    room.inset(distance).into_iter().flat_map(Area::cells)
}

/// Sets the overlay of some cells, each with a probability of `percent` in 100.
fn scatter(
    draft: &mut DraftMap,
    cells: impl Iterator<Item = Cell>,
    percent: u32,
    random: &mut SeededRandom,
    overlay: fn(&mut SeededRandom) -> OverlayTerrain,
) {
    for cell in cells {
        if random.percent(percent) {
            draft.set_overlay(cell, overlay(random));
        }
    }
}
