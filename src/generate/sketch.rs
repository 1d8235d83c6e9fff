//! A map in the making: what lies on each cell, by the program's own terrains.

use std::fmt::Write;

use crate::grid::{Cell, Direction, Grid, Size};

/// Ground, as its character in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Ground {
    Grass = b'G',
    Snow = b'S',
    Sand = b'D',
    Water = b'~',
}

/// What is on the ground, as its character in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Thing {
    Nothing = b'.',
    Road = b'R',
    Bridge = b'B',
    Pines = b'F',
    Thicket = b'T',
    Wall = b'W',
    Mountain = b'M',
    Volcano = b'v',
    Tombstone = b't',
    Tent = b'1',
    Castle = b'2',
}

impl Ground {
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Grass, Self::Snow, Self::Sand, Self::Water];
}

impl Thing {
    #[cfg(test)]
    pub const ALL: [Self; 10] = [
        Self::Road,
        Self::Bridge,
        Self::Pines,
        Self::Thicket,
        Self::Wall,
        Self::Mountain,
        Self::Volcano,
        Self::Tombstone,
        Self::Tent,
        Self::Castle,
    ];

    /// Whether it lies on the way of people: a road or a bridge.
    pub fn is_road(self) -> bool {
        matches!(self, Self::Road | Self::Bridge)
    }

    /// Whether it grows.
    pub fn is_wood(self) -> bool {
        matches!(self, Self::Pines | Self::Thicket)
    }
}

/// Whether nobody enters a cell.
pub(super) fn is_closed(ground: Ground, thing: Thing) -> bool {
    match thing {
        Thing::Bridge => false,
        Thing::Thicket | Thing::Wall | Thing::Mountain | Thing::Volcano => true,
        _ => ground == Ground::Water,
    }
}

/// Both layers of a map.
pub(super) struct Sketch {
    pub ground: Grid<Ground>,
    pub things: Grid<Thing>,
}

impl Sketch {
    /// A map of that ground with nothing on it.
    pub fn new(size: Size, ground: impl FnMut(Cell) -> Ground) -> Self {
        Self { ground: Grid::from_fn(size, ground), things: Grid::from_fn(size, |_| Thing::Nothing) }
    }

    pub fn size(&self) -> Size {
        self.ground.size()
    }

    /// What is on `cell`; nothing off the map.
    pub fn thing(&self, cell: Cell) -> Thing {
        self.things.get(cell).copied().unwrap_or(Thing::Nothing)
    }

    /// Whether the ground at `cell` is this; never off the map.
    pub fn is(&self, cell: Cell, ground: Ground) -> bool {
        self.ground.get(cell) == Some(&ground)
    }

    /// Whether nobody enters `cell`; so it is off the map.
    pub fn is_closed(&self, cell: Cell) -> bool {
        self.ground.get(cell).is_none_or(|&ground| is_closed(ground, self.thing(cell)))
    }

    /// Whether `cell` is land with nothing on it.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.ground.get(cell).is_some_and(|&ground| ground != Ground::Water) && self.thing(cell) == Thing::Nothing
    }

    /// Puts `thing` on `cell`, if it is on the map.
    pub fn put(&mut self, cell: Cell, thing: Thing) {
        if let Some(place) = self.things.get_mut(cell) {
            *place = thing;
        }
    }

    /// Lays `ground` at `cell`, if it is on the map.
    pub fn lay(&mut self, cell: Cell, ground: Ground) {
        if let Some(place) = self.ground.get_mut(cell) {
            *place = ground;
        }
    }

    /// Puts `thing` on `cell` if that is free.
    pub fn put_if_free(&mut self, cell: Cell, thing: Thing) {
        if self.is_free(cell) {
            self.put(cell, thing);
        }
    }

    /// Where the tent or the castle stands.
    pub fn find(&self, thing: Thing) -> Option<Cell> {
        self.things.iter().find(|(_, other)| **other == thing).map(|(cell, _)| cell)
    }

    /// Whether something tall on `cell` would hide a road, which lies behind it to the north or east.
    pub fn would_hide_a_road(&self, cell: Cell) -> bool {
        [Direction::N, Direction::NE, Direction::E].iter().any(|&way| self.thing(cell + way).is_road())
    }

    /// Makes single cells of a ground like most around them, so that borders run on.
    pub fn smooth(&mut self, times: u32) {
        for _ in 0..times {
            let mut changes = Vec::new();
            for (cell, &own) in self.ground.iter() {
                let around = Direction::ALL.map(|way| self.ground.get(cell + way).copied().unwrap_or(own));
                let sides = Direction::SIDES.map(|way| around[way as usize]);
                let alone = sides.iter().filter(|&&side| side == own).count() < 2;
                let other = sides.into_iter().find(|&side| {
                    side != own && around.iter().filter(|&&other| other == side).count() >= if alone { 4 } else { 5 }
                });
                changes.extend(other.map(|other| (cell, other)));
            }
            for (cell, ground) in changes {
                self.lay(cell, ground);
            }
        }
    }

    /// The text of a map file of the part that starts at `corner`.
    pub fn part(&self, name: &str, about: Option<&str>, corner: Cell, size: Size) -> String {
        let mut text = String::with_capacity(2 * (size.width as usize + 12) * size.height as usize + 1000);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "(\n    name: {name:?},");
        if let Some(about) = about {
            let _ = writeln!(text, "    about: {about:?},");
        }
        let mut layer = |field: &str, byte: &dyn Fn(Cell) -> u8| {
            let _ = writeln!(text, "    {field}: [");
            for y in 0..size.height as i32 {
                text.push_str("        \"");
                text.extend((0..size.width as i32).map(|x| char::from(byte(corner + (x, y)))));
                text.push_str("\",\n");
            }
            text.push_str("    ],\n");
        };
        layer("base", &|cell| self.ground[cell] as u8);
        layer("overlay", &|cell| self.things[cell] as u8);
        text.push_str(")\n");
        text
    }
}

/// The cells of a rectangle around `centre`, which reaches `across` columns and `down` rows to each side.
pub(super) fn around(centre: Cell, across: i32, down: i32) -> impl Iterator<Item = Cell> {
    (-down..=down).flat_map(move |dy| (-across..=across).map(move |dx| centre + (dx, dy)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::{Cost, Layer, Tileset};

    #[test]
    fn its_terrains_are_those_of_the_tileset() {
        let tileset = Tileset::load(None).unwrap();
        let terrain = |byte: u8| &tileset[tileset.find(char::from(byte)).unwrap()];
        for ground in Ground::ALL {
            let below = terrain(ground as u8);
            assert_eq!(below.layer, Layer::Base);
            assert_eq!(is_closed(ground, Thing::Nothing), below.cost == Cost::Impassable);
            for thing in Thing::ALL {
                let above = terrain(thing as u8);
                assert_eq!(above.layer, Layer::Overlay);
                let closed = match above.cost {
                    Cost::Impassable => true,
                    Cost::Enter(_) => false,
                    Cost::Times(_) => below.cost == Cost::Impassable,
                };
                assert_eq!(is_closed(ground, thing), closed, "{ground:?} {thing:?}");
            }
        }
    }
}
