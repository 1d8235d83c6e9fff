//! Generates mazes: walls or hedges with narrow passages, a few loops and clearings.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::endpoints::opposite_corner;
use super::noise::Noise;
use super::parallel;
use super::random::SeededRandom;
use emberwalk_path::grid::{Cell, Direction, Grid, Size};

/// A grid of rooms, each a square of cells, with walls of one cell between and around them.
#[derive(Clone, Copy)]
struct Lattice {
    rooms: Size,
    /// The width of passages, in cells.
    passage_width: u32,
}

impl Lattice {
    /// The north-western cell of a room.
    fn corner(self, room: Cell) -> Cell {
        let pitch = self.passage_width as i32 + 1;
        Cell::new(room.x * pitch + 1, room.y * pitch + 1)
    }

    /// The cells of a room; with a direction, the cells of the wall towards the neighbouring room.
    fn cells(self, room: Cell, wall: Option<Direction>) -> impl Iterator<Item = Cell> {
        let (corner, side) = (self.corner(room), self.passage_width as i32);
        let (left, top, right, bottom) = match wall {
            None => (0, 0, side, side),
            Some(Direction::N) => (0, -1, side, 0),
            Some(Direction::E) => (side, 0, side + 1, side),
            Some(Direction::S) => (0, side, side, side + 1),
            Some(_) => (-1, 0, 0, side),
        };
        (top..bottom).flat_map(move |dy| (left..right).map(move |dx| corner + (dx, dy)))
    }
}

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    let mut random = context.random("maze");
    let mut draft = patchy_base(size, &mut random);
    context.report("raising walls", 30);
    let passage_width = if size.width.min(size.height) >= 24 && random.percent(40) { 2 } else { 1 };
    let rooms = |length: u32| length.saturating_sub(1) / (passage_width + 1);
    let lattice = Lattice { rooms: Size::new(rooms(size.width), rooms(size.height)), passage_width };
    if lattice.rooms.area() == 0 {
        return draft;
    }
    let hedges = Noise::new(&mut random, 60, 1);
    let hedge_mode = random.below(3);
    let (width, height) =
        (lattice.rooms.width * (passage_width + 1) + 1, lattice.rooms.height * (passage_width + 1) + 1);
    let walled = Size::new(width, height);
    draft.overlay = parallel::grid(size, |cell| {
        let is_hedge = || hedge_mode == 0 || hedge_mode == 1 && hedges.at(cell) > 4000;
        if !walled.contains(cell) {
            OverlayTerrain::Empty
        } else if draft.base[cell] != BaseTerrain::Sand && is_hedge() {
            OverlayTerrain::Thicket
        } else {
            OverlayTerrain::Wall
        }
    });
    context.report("digging passages", 50);
    dig_passages(&mut draft, lattice, &mut random);
    context.report("opening loops", 70);
    open_loops(&mut draft, lattice, &mut random);
    furnish(&mut draft, lattice, &mut random);
    draft
}

/// Creates a draft of grass with patches of snow and sand.
pub(super) fn patchy_base(size: Size, random: &mut SeededRandom) -> DraftMap {
    let (cold, dry) = (Noise::new(random, 26, 3).field(size), Noise::new(random, 22, 3).field(size));
    let mut draft = DraftMap::new(size, |cell| match (cold.0[cell], dry.0[cell]) {
        (cold, _) if cold > 9000 => BaseTerrain::Snow,
        (_, dry) if dry > 9500 => BaseTerrain::Sand,
        _ => BaseTerrain::Grass,
    });
    draft.smooth(2);
    draft
}

/// Digs passages to every room by a randomised depth-first search.
fn dig_passages(draft: &mut DraftMap, lattice: Lattice, random: &mut SeededRandom) {
    let mut visited = Grid::from_fn(lattice.rooms, |_| false);
    let first = random.cell(lattice.rooms);
    let mut stack = vec![first];
    visited[first] = true;
    clear(draft, lattice.cells(first, None));
    while let Some(&room) = stack.last() {
        let mut sides = Direction::SIDES;
        random.shuffle(&mut sides);
        let Some(side) = sides.into_iter().find(|&side| visited.get(room + side) == Some(&false)) else {
            stack.pop();
            continue;
        };
        visited[room + side] = true;
        clear(draft, lattice.cells(room, Some(side)));
        clear(draft, lattice.cells(room + side, None));
        stack.push(room + side);
    }
}

/// Removes a wall here and there, so that there is more than one route.
fn open_loops(draft: &mut DraftMap, lattice: Lattice, random: &mut SeededRandom) {
    for room in lattice.rooms.cells() {
        let side = random.pick(&[Direction::E, Direction::S]);
        if random.percent(11) && lattice.rooms.contains(room + side) {
            clear(draft, lattice.cells(room, Some(side)));
        }
    }
}

/// Adds clearings, tombstones in dead ends, and the tent and the castle in opposite corners.
fn furnish(draft: &mut DraftMap, lattice: Lattice, random: &mut SeededRandom) {
    let size = draft.size();
    let pitch = lattice.passage_width as i32 + 1;
    for _ in 0..(lattice.rooms.area() / 160).max(usize::from(lattice.rooms.area() > 60)) {
        // From the first cell of one room to the last of another, so that the surrounding walls stay intact.
        let room = random.cell(lattice.rooms);
        let (start, side) = (lattice.corner(room), 3 * pitch - 1 - i32::from(pitch > 2) * pitch);
        let inside = size.contains(start + (side, side));
        if inside {
            clear(draft, (0..side).flat_map(|dy| (0..side).map(move |dx| start + (dx, dy))));
        }
    }
    // Walls of which only single posts are left.
    let alone = |cell: Cell| cells_around(cell, 1, 1).filter(|&near| draft.is_blocked(near)).count() == 1;
    let posts = parallel::find(size, |cell| draft.is_blocked(cell) && alone(cell));
    clear(draft, posts.into_iter());
    for room in lattice.rooms.cells() {
        let is_exit = |side: &&Direction| lattice.cells(room, Some(**side)).any(|cell| !draft.is_blocked(cell));
        if Direction::SIDES.iter().filter(is_exit).count() == 1 && random.percent(12) {
            draft.set_overlay(lattice.corner(room), OverlayTerrain::Tombstone);
        }
    }
    let corner_room = |corner: Cell| {
        let last = |at: i32, count: u32| if at == 0 { 0 } else { count as i32 - 1 };
        lattice.corner(Cell::new(last(corner.x, lattice.rooms.width), last(corner.y, lattice.rooms.height)))
    };
    if lattice.rooms.area() > 1 {
        let tent = random.pick(&[Cell::new(0, 0), Cell::new(0, size.height as i32 - 1)]);
        let castle = opposite_corner(size, tent);
        let (tent, castle) = (corner_room(tent), corner_room(castle));
        // No tombstone next to the castle.
        for cell in cells_around(castle, 1, 1)
            .filter(|&cell| draft.overlay_at(cell) == OverlayTerrain::Tombstone)
            .collect::<Vec<_>>()
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
