//! Rooms: walls with doors, and in every room ground and things of its own.

use super::Work;
use super::chance::Chance;
use super::sketch::{Ground, Sketch, Thing};
use super::way::far_corner;
use crate::grid::{Cell, Direction, Size};

/// A room without its walls: from `corner`, so many columns and rows.
#[derive(Clone, Copy)]
struct Room {
    corner: Cell,
    size: Size,
}

impl Room {
    fn cells(self) -> impl Iterator<Item = Cell> {
        self.size.cells().map(move |cell| self.corner + (cell.x, cell.y))
    }

    /// The cells at least `rim` cells from the walls.
    fn inside(self, rim: i32) -> impl Iterator<Item = Cell> {
        let (width, height) = (self.size.width as i32, self.size.height as i32);
        let cells = self
            .size
            .cells()
            .filter(move |cell| cell.x >= rim && cell.y >= rim && cell.x < width - rim && cell.y < height - rim);
        cells.map(move |cell| self.corner + (cell.x, cell.y))
    }

    fn middle(self) -> Cell {
        self.corner + (self.size.width as i32 / 2, self.size.height as i32 / 2)
    }
}

pub(super) fn draw(work: &mut Work<'_>) -> Sketch {
    let size = work.size;
    let mut chance = work.chance("rooms");
    let mut sketch = Sketch::new(size, |_| Ground::Grass);
    if size.width.min(size.height) < 5 {
        return sketch;
    }
    work.tell("raising walls", 10);
    for cell in size.cells() {
        if Direction::SIDES.iter().any(|&way| !size.contains(cell + way)) {
            sketch.put(cell, Thing::Wall);
        }
    }
    let whole = Room { corner: Cell::new(1, 1), size: Size::new(size.width - 2, size.height - 2) };
    let mut rooms = Vec::new();
    split(&mut sketch, whole, &mut rooms, &mut chance);
    work.tell("furnishing rooms", 50);
    for &room in &rooms {
        furnish(&mut sketch, room, &mut chance);
    }
    let tent = rooms.iter().copied().min_by_key(|room| {
        let middle = room.middle();
        middle.x + middle.y
    });
    let far = tent.map(|tent| far_corner(size, tent.middle()));
    let castle = far.and_then(|far| rooms.iter().copied().min_by_key(|room| room.middle().distance_squared(far)));
    if let (Some(tent), Some(castle)) = (tent, castle.filter(|castle| Some(castle.middle()) != tent.map(Room::middle)))
    {
        for (room, thing) in [(tent, Thing::Tent), (castle, Thing::Castle)] {
            for cell in room.inside(1) {
                sketch.put(cell, Thing::Nothing);
                if sketch.is(cell, Ground::Water) {
                    sketch.lay(cell, Ground::Grass);
                }
            }
            sketch.put(room.middle(), thing);
        }
    }
    sketch
}

/// Halves a room by a wall with a door, and its halves, until they are small.
fn split(sketch: &mut Sketch, whole: Room, rooms: &mut Vec<Room>, chance: &mut Chance) {
    let mut open = vec![whole];
    while let Some(room) = open.pop() {
        let Size { width, height } = room.size;
        let upright = if width.abs_diff(height) < 3 { chance.percent(50) } else { width > height };
        let long = if upright { width } else { height };
        let small = width.max(height) <= 7 || width * height < 110 && chance.percent(40);
        let at = |along: u32, off: u32| {
            room.corner + if upright { (along as i32, off as i32) } else { (off as i32, along as i32) }
        };
        let cross = if upright { height } else { width };
        // The new wall must not end at a door.
        let end = |along: u32, off: i32| room.corner + if upright { (along as i32, off) } else { (off, along as i32) };
        let mut walls = (0..12).map(|_| 3 + chance.below(long.saturating_sub(6))).filter(|&along| {
            along + 3 < long
                && (-1..=1).all(|by| {
                    [-1, cross as i32]
                        .iter()
                        .all(|&off| sketch.thing(end(along.wrapping_add_signed(by), off)) == Thing::Wall)
                })
        });
        let wall = if small || long < 7 { None } else { walls.next() };
        let Some(along) = wall else {
            rooms.push(room);
            continue;
        };
        for off in 0..cross {
            sketch.put(at(along, off), Thing::Wall);
        }
        for _ in 0..if chance.percent(35) { 2 } else { 1 } {
            // Not in a corner, where a wall may come to stand.
            let off = chance.below(cross.max(3) - 2) + u32::from(cross > 2);
            sketch.put(at(along, off.min(cross - 1)), Thing::Nothing);
        }
        let part = |corner: Cell, long: u32| Room {
            corner,
            size: if upright { Size::new(long, height) } else { Size::new(width, long) },
        };
        open.push(part(room.corner, along));
        open.push(part(at(along + 1, 0), long - along - 1));
    }
}

/// Ground, and what stands in the middle: the cells along the walls stay free, so that every door leads somewhere.
fn furnish(sketch: &mut Sketch, room: Room, chance: &mut Chance) {
    let ground = match chance.below(10) {
        0..=4 => Ground::Grass,
        5..=7 => Ground::Sand,
        _ => Ground::Snow,
    };
    room.cells().for_each(|cell| sketch.lay(cell, ground));
    match chance.below(8) {
        0 | 1 => {
            for cell in room.inside(1) {
                if chance.percent(70) {
                    sketch.put(cell, Thing::Pines);
                }
            }
        }
        2 if ground != Ground::Snow => room.inside(2).for_each(|cell| sketch.lay(cell, Ground::Water)),
        3 => {
            for cell in room.inside(1).filter(|cell| (cell.x + cell.y) % 2 == 0) {
                if chance.percent(30) {
                    sketch.put(cell, Thing::Tombstone);
                }
            }
        }
        4 => {
            for cell in room.inside(2) {
                if chance.percent(60) {
                    sketch.put(cell, Thing::Mountain);
                }
            }
        }
        _ => {
            for cell in room.inside(1) {
                if chance.percent(7) {
                    sketch.put(cell, chance.pick(&[Thing::Pines, Thing::Thicket]));
                }
            }
        }
    }
}
