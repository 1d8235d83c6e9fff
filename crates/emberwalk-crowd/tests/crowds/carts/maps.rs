//! Families of small cases.

use std::fmt;

use emberwalk_path::grid::{Cell, Size};
use fastrand::Rng;

use super::oracle::{Cart, Case};

/// Makes a random case, if there is room for its agents.
type Family = fn(&mut Rng) -> Option<Case>;

pub(super) const FAMILIES: [(&str, Family); 9] = [
    ("random", random),
    ("lane with bays", lane),
    ("crossing", crossing),
    ("gate", gate),
    ("dead end", dead_end),
    ("door", door),
    ("ring", ring),
    ("cart and walkers", niches),
    ("open room", open),
];

/// A map that is cut out of rock.
struct Map {
    size: Size,
    is_free: Vec<bool>,
}

impl Map {
    fn new(width: i32, height: i32) -> Self {
        let size = Size::new(width as u32, height as u32);
        Self { size, is_free: vec![false; size.area()] }
    }

    fn cut(&mut self, x: i32, y: i32, width: i32, height: i32) {
        for cell in Size::new(width as u32, height as u32).cells().map(|cell| cell + (x, y)) {
            if self.size.contains(cell) {
                self.is_free[cell.y as usize * self.size.width as usize + cell.x as usize] = true;
            }
        }
    }

    fn fill(&mut self, x: i32, y: i32, width: i32, height: i32) {
        for cell in Size::new(width as u32, height as u32).cells().map(|cell| cell + (x, y)) {
            self.is_free[cell.y as usize * self.size.width as usize + cell.x as usize] = false;
        }
    }

    /// The map, perhaps turned, with agents of these sides in random places.
    fn populate(self, rng: &mut Rng, sides: &[u32]) -> Option<Case> {
        let Size { width, height } = self.size;
        let is_turned = rng.bool();
        let size = if is_turned { Size::new(height, width) } else { self.size };
        let mut case = Case { size, rocks: 0, carts: Vec::new() };
        for (index, _) in self.is_free.iter().enumerate().filter(|&(_, &is_free)| !is_free) {
            let (x, y) = ((index % width as usize) as i32, (index / width as usize) as i32);
            case.rocks |= case.bit(if is_turned { Cell::new(y, x) } else { Cell::new(x, y) });
        }
        let (mut starts, mut goals) = (case.rocks, case.rocks);
        let find = |case: &Case, rng: &mut Rng, side: u32, taken: &mut u128| {
            for _ in 0..60 {
                let cell = Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
                if let Some(cells) = case.square(side, cell).filter(|&cells| cells & *taken == 0) {
                    *taken |= cells;
                    return Some(cell);
                }
            }
            None
        };
        for &side in sides {
            let from = find(&case, rng, side, &mut starts)?;
            case.carts.push(Cart { side, from, to: None, holds: false });
        }
        // Two of the same size often change places.
        let changes = rng.u8(0..3) != 0 && sides.len() > 1 && sides[0] == sides[1];
        if changes {
            for (k, other) in [(0, 1), (1, 0)] {
                let to = case.carts[other].from;
                goals |= case.square(sides[0], to)?;
                case.carts[k].to = Some(to);
            }
        }
        for (k, &side) in sides.iter().enumerate().skip(if changes { 2 } else { 0 }) {
            let from = case.carts[k].from;
            let own = case.square(side, from)?;
            case.carts[k].to = match rng.u8(0..10) {
                0 if k > 0 => None,
                1 if k > 0 && own & goals == 0 => {
                    goals |= own;
                    Some(from)
                }
                _ => Some(find(&case, rng, side, &mut goals)?),
            };
            if k > 1 && rng.u8(0..8) == 0 && own & (goals & !case.rocks) == 0 {
                case.carts[k].holds = true;
                case.carts[k].to = None;
                goals |= own;
            }
        }
        Some(case)
    }

    /// The same with a few agents, of which the large ones have some of these sides.
    fn populate_from(self, rng: &mut Rng, large: &[u32]) -> Option<Case> {
        let sides = sides(rng, large);
        self.populate(rng, &sides)
    }
}

/// The sides of the agents of a case, large ones first.
fn sides(rng: &mut Rng, large: &[u32]) -> Vec<u32> {
    let side = *rng.choice(large).unwrap();
    let mut sides = vec![side, if rng.u8(0..3) == 0 { *rng.choice(large).unwrap() } else { side }];
    match rng.u8(0..6) {
        0 => sides.push(side),
        1 => sides.push(1),
        2 => sides.extend([1, 1]),
        _ => {}
    }
    sides
}

fn random(rng: &mut Rng) -> Option<Case> {
    let mut map = Map::new(rng.i32(4..9), rng.i32(3..9));
    let rocks = rng.f64() * 0.3;
    map.is_free.iter_mut().for_each(|is_free| *is_free = rng.f64() > rocks);
    map.populate_from(rng, &[2, 2, 3])
}

/// A lane with one or two bays.
fn lane(rng: &mut Rng) -> Option<Case> {
    let side = if rng.u8(0..4) == 0 { 3 } else { 2 };
    let length = rng.i32(2 * side + 1..11);
    let mut map = Map::new(length, 3 * side);
    map.cut(0, side, length, side);
    for _ in 0..rng.u8(1..3) {
        let (width, depth) = (rng.i32(side..side + 2), rng.i32(side..side + 1));
        let x = rng.i32(0..length - side + 1);
        let y = if rng.bool() { side - depth } else { 2 * side };
        map.cut(x, y, width, depth);
    }
    let mut sides = sides(rng, &[side as u32]);
    sides.truncate(4);
    map.populate(rng, &sides)
}

/// Two corridors that cross, meet or branch.
fn crossing(rng: &mut Rng) -> Option<Case> {
    let (width, height) = (rng.i32(5..10), rng.i32(5..10));
    let mut map = Map::new(width, height);
    map.cut(0, rng.i32(0..height - 1), width, 2);
    let x = rng.i32(0..width - 1);
    map.cut(x, 0, 2, height);
    if rng.bool() {
        map.fill(x.min(width - 2), 0, 2, 1);
    }
    map.populate_from(rng, &[2])
}

/// A wall with a gate between two rooms.
fn gate(rng: &mut Rng) -> Option<Case> {
    let (width, height) = (rng.i32(7..11), rng.i32(3..8));
    let mut map = Map::new(width, height);
    map.cut(0, 0, width, height);
    let (x, thick, gate) = (rng.i32(2..width - 3), rng.i32(1..3), rng.i32(2..4).min(height));
    map.fill(x, 0, thick, height);
    map.cut(x, rng.i32(0..height - gate + 1), thick, gate);
    map.populate_from(rng, &[2])
}

/// A corridor that ends in a small room.
fn dead_end(rng: &mut Rng) -> Option<Case> {
    let (width, height) = (rng.i32(6..11), rng.i32(2..6));
    let mut map = Map::new(width, height);
    map.cut(0, rng.i32(0..height - 1), width, 2);
    map.cut(rng.i32(0..width - 2), 0, rng.i32(2..5), height);
    map.populate_from(rng, &[2])
}

/// A room with a door for one, and a corridor along it.
fn door(rng: &mut Rng) -> Option<Case> {
    let (width, depth) = (rng.i32(5..10), rng.i32(2..5));
    let mut map = Map::new(width, depth + 3);
    map.cut(0, 0, width, depth);
    map.cut(0, depth + 1, width, 2);
    map.cut(rng.i32(0..width - 1), depth, 2, 1);
    map.populate_from(rng, &[2])
}

/// A road round a block, perhaps with a bay or a way through.
fn ring(rng: &mut Rng) -> Option<Case> {
    let (width, height) = (rng.i32(5..10), rng.i32(5..9));
    let mut map = Map::new(width, height);
    map.cut(0, 0, width, height);
    map.fill(2, 2, width - 4, height - 4);
    if rng.u8(0..3) == 0 {
        map.cut(rng.i32(0..width - 1), rng.i32(0..height - 1), 2, 2);
    }
    map.populate_from(rng, &[2])
}

/// A lane of two with niches of one cell, or a few more.
fn niches(rng: &mut Rng) -> Option<Case> {
    let length = rng.i32(5..11);
    let mut map = Map::new(length, 4);
    map.cut(0, 1, length, 2);
    for _ in 0..rng.u8(0..4) {
        map.cut(rng.i32(0..length), if rng.bool() { 0 } else { 3 }, rng.i32(1..3), 1);
    }
    let sides: &[u32] = [&[2, 1][..], &[2, 1, 1], &[2, 1, 1, 1], &[2, 2, 1], &[2, 2]][rng.usize(0..5)];
    map.populate(rng, sides)
}

/// A small room without walls, so full that they have to move round each other.
fn open(rng: &mut Rng) -> Option<Case> {
    let (width, height) = (rng.i32(3..7), rng.i32(3..7));
    let mut map = Map::new(width, height);
    map.cut(0, 0, width, height);
    let mut sides = sides(rng, &[2, 2, 3]);
    if rng.bool() {
        sides.push(2);
    }
    map.populate(rng, &sides)
}

impl fmt::Debug for Case {
    /// The map with the agents where they start, and then where each one goes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for y in 0..self.size.height as i32 {
            for x in 0..self.size.width as i32 {
                let bit = self.bit(Cell::new(x, y));
                let is_here = |cart: &Cart| self.square(cart.side, cart.from).is_some_and(|cells| cells & bit != 0);
                let agent = self.carts.iter().position(is_here);
                let letter = match agent {
                    Some(k) => char::from(b'a' + k as u8),
                    None if self.rocks & bit != 0 => '#',
                    None => '.',
                };
                write!(f, "{letter}")?;
            }
            writeln!(f)?;
        }
        for (k, cart) in self.carts.iter().enumerate() {
            let letter = char::from(b'a' + k as u8);
            let holds = if cart.holds { " holds" } else { "" };
            match cart.to {
                Some(to) => write!(f, "{letter}{} {} -> {to}{holds}; ", cart.side, cart.from)?,
                None => write!(f, "{letter}{} {}{holds}; ", cart.side, cart.from)?,
            }
        }
        Ok(())
    }
}
