//! Generates rooms: walls with doors, and a different base and overlay in every room.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::endpoints::opposite_corner;
use super::random::SeededRandom;
use emberwalk_path::grid::{Cell, Direction, Size};

/// A room without its walls: a rectangle whose north-western cell is `corner`.
#[derive(Clone, Copy)]
struct Room {
    corner: Cell,
    size: Size,
}

impl Room {
    fn cells(self) -> impl Iterator<Item = Cell> {
        self.size.cells().map(move |cell| self.corner + (cell.x, cell.y))
    }

    /// The cells that are at least `margin` cells away from the walls.
    fn inside(self, margin: i32) -> impl Iterator<Item = Cell> {
        let (width, height) = (self.size.width as i32, self.size.height as i32);
        let cells = self.size.cells().filter(move |cell| {
            cell.x >= margin && cell.y >= margin && cell.x < width - margin && cell.y < height - margin
        });
        cells.map(move |cell| self.corner + (cell.x, cell.y))
    }

    fn middle(self) -> Cell {
        self.corner + (self.size.width as i32 / 2, self.size.height as i32 / 2)
    }
}

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    let mut random = context.random("rooms");
    let mut draft = DraftMap::new(size, |_| BaseTerrain::Grass);
    if size.width.min(size.height) < 5 {
        return draft;
    }
    context.report("raising walls", 10);
    for cell in size.cells().filter(|&cell| Direction::SIDES.iter().any(|&side| !size.contains(cell + side))) {
        draft.set_overlay(cell, OverlayTerrain::Wall);
    }
    let whole = Room { corner: Cell::new(1, 1), size: Size::new(size.width - 2, size.height - 2) };
    let mut rooms = Vec::new();
    split(&mut draft, whole, &mut rooms, &mut random);
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
    if let (Some(tent), Some(castle)) = (tent, castle.filter(|castle| Some(castle.middle()) != tent.map(Room::middle)))
    {
        for (room, overlay) in [(tent, OverlayTerrain::Tent), (castle, OverlayTerrain::Castle)] {
            for cell in room.inside(1) {
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

/// Splits a room by a wall with a door, and its halves again, until they are small.
fn split(draft: &mut DraftMap, whole: Room, rooms: &mut Vec<Room>, random: &mut SeededRandom) {
    let mut stack = vec![whole];
    while let Some(room) = stack.pop() {
        let Size { width, height } = room.size;
        let vertical = if width.abs_diff(height) < 3 { random.percent(50) } else { width > height };
        let long = if vertical { width } else { height };
        let small = width.max(height) <= 7 || width * height < 110 && random.percent(40);
        let at = |along: u32, across: u32| {
            room.corner + if vertical { (along as i32, across as i32) } else { (across as i32, along as i32) }
        };
        let cross = if vertical { height } else { width };
        // The new wall must not end at a door.
        let end = |along: u32, across: i32| {
            room.corner + if vertical { (along as i32, across) } else { (across, along as i32) }
        };
        let mut walls = (0..12).map(|_| 3 + random.below(long.saturating_sub(6))).filter(|&along| {
            along + 3 < long
                && (-1..=1).all(|by| {
                    [-1, cross as i32].iter().all(|&across| {
                        draft.overlay_at(end(along.wrapping_add_signed(by), across)) == OverlayTerrain::Wall
                    })
                })
        });
        let wall = if small || long < 7 { None } else { walls.next() };
        let Some(along) = wall else {
            rooms.push(room);
            continue;
        };
        for across in 0..cross {
            draft.set_overlay(at(along, across), OverlayTerrain::Wall);
        }
        for _ in 0..if random.percent(35) { 2 } else { 1 } {
            // Not in a corner, where another wall may end later.
            let across = random.below(cross.max(3) - 2) + u32::from(cross > 2);
            draft.set_overlay(at(along, across.min(cross - 1)), OverlayTerrain::Empty);
        }
        let half = |corner: Cell, long: u32| Room {
            corner,
            size: if vertical { Size::new(long, height) } else { Size::new(width, long) },
        };
        stack.push(half(room.corner, along));
        stack.push(half(at(along + 1, 0), long - along - 1));
    }
}

/// Fills a room. The overlay along the walls stays empty, so that no door is blocked.
fn furnish(draft: &mut DraftMap, room: Room, random: &mut SeededRandom) {
    let base = match random.below(10) {
        0..=4 => BaseTerrain::Grass,
        5..=7 => BaseTerrain::Sand,
        _ => BaseTerrain::Snow,
    };
    room.cells().for_each(|cell| draft.set_base(cell, base));
    match random.below(8) {
        0 | 1 => {
            for cell in room.inside(1) {
                if random.percent(70) {
                    draft.set_overlay(cell, OverlayTerrain::Pines);
                }
            }
        }
        2 if base != BaseTerrain::Snow => room.inside(2).for_each(|cell| draft.set_base(cell, BaseTerrain::Water)),
        3 => {
            for cell in room.inside(1).filter(|cell| (cell.x + cell.y) % 2 == 0) {
                if random.percent(30) {
                    draft.set_overlay(cell, OverlayTerrain::Tombstone);
                }
            }
        }
        4 => {
            for cell in room.inside(2) {
                if random.percent(60) {
                    draft.set_overlay(cell, OverlayTerrain::Mountain);
                }
            }
        }
        _ => {
            for cell in room.inside(1) {
                if random.percent(7) {
                    draft.set_overlay(cell, random.pick(&[OverlayTerrain::Pines, OverlayTerrain::Thicket]));
                }
            }
        }
    }
}
