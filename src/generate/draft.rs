//! A map in the making: what lies on each cell, by the program's own terrains.

use std::fmt::Write;

use crate::grid::{Cell, Direction, Grid, Size};

/// BaseTerrain, as its character in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum BaseTerrain {
    Grass = b'G',
    Snow = b'S',
    Sand = b'D',
    Water = b'~',
}

/// What is on the ground, as its character in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum OverlayTerrain {
    Empty = b'.',
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

impl BaseTerrain {
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Grass, Self::Snow, Self::Sand, Self::Water];
}

impl OverlayTerrain {
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
    pub fn is_forest(self) -> bool {
        matches!(self, Self::Pines | Self::Thicket)
    }
}

/// Whether nobody enters a cell.
pub(super) fn is_blocked(ground: BaseTerrain, thing: OverlayTerrain) -> bool {
    match thing {
        OverlayTerrain::Bridge => false,
        OverlayTerrain::Thicket | OverlayTerrain::Wall | OverlayTerrain::Mountain | OverlayTerrain::Volcano => true,
        _ => ground == BaseTerrain::Water,
    }
}

/// Both layers of a map.
pub(super) struct DraftMap {
    pub base: Grid<BaseTerrain>,
    pub overlay: Grid<OverlayTerrain>,
}

impl DraftMap {
    /// A map of that ground with nothing on it.
    pub fn new(size: Size, base: impl FnMut(Cell) -> BaseTerrain) -> Self {
        Self { base: Grid::from_fn(size, base), overlay: Grid::from_fn(size, |_| OverlayTerrain::Empty) }
    }

    pub fn size(&self) -> Size {
        self.base.size()
    }

    /// What is on `cell`; nothing off the map.
    pub fn overlay_at(&self, cell: Cell) -> OverlayTerrain {
        self.overlay.get(cell).copied().unwrap_or(OverlayTerrain::Empty)
    }

    /// Whether the ground at `cell` is this; never off the map.
    pub fn has_base(&self, cell: Cell, ground: BaseTerrain) -> bool {
        self.base.get(cell) == Some(&ground)
    }

    /// Whether nobody enters `cell`; so it is off the map.
    pub fn is_blocked(&self, cell: Cell) -> bool {
        self.base.get(cell).is_none_or(|&ground| is_blocked(ground, self.overlay_at(cell)))
    }

    /// Whether `cell` is land with nothing on it.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.base.get(cell).is_some_and(|&ground| ground != BaseTerrain::Water)
            && self.overlay_at(cell) == OverlayTerrain::Empty
    }

    /// Puts `thing` on `cell`, if it is on the map.
    pub fn set_overlay(&mut self, cell: Cell, thing: OverlayTerrain) {
        if let Some(place) = self.overlay.get_mut(cell) {
            *place = thing;
        }
    }

    /// Lays `ground` at `cell`, if it is on the map.
    pub fn set_base(&mut self, cell: Cell, ground: BaseTerrain) {
        if let Some(place) = self.base.get_mut(cell) {
            *place = ground;
        }
    }

    /// Puts `thing` on `cell` if that is free.
    pub fn set_overlay_if_free(&mut self, cell: Cell, thing: OverlayTerrain) {
        if self.is_free(cell) {
            self.set_overlay(cell, thing);
        }
    }

    /// Where the tent or the castle stands.
    pub fn find(&self, thing: OverlayTerrain) -> Option<Cell> {
        self.overlay.iter().find(|(_, other)| **other == thing).map(|(cell, _)| cell)
    }

    /// Whether something tall on `cell` would hide a road, which lies behind it to the north or east.
    pub fn would_hide_a_road(&self, cell: Cell) -> bool {
        [Direction::N, Direction::NE, Direction::E].iter().any(|&side| self.overlay_at(cell + side).is_road())
    }

    /// Makes single cells of a ground like most around them, so that borders run on.
    pub fn smooth(&mut self, times: u32) {
        for _ in 0..times {
            let mut changes = Vec::new();
            for (cell, &own) in self.base.iter() {
                let around = Direction::ALL.map(|side| self.base.get(cell + side).copied().unwrap_or(own));
                let sides = Direction::SIDES.map(|side| around[side as usize]);
                let alone = sides.iter().filter(|&&side| side == own).count() < 2;
                let other = sides.into_iter().find(|&side| {
                    side != own && around.iter().filter(|&&other| other == side).count() >= if alone { 4 } else { 5 }
                });
                changes.extend(other.map(|other| (cell, other)));
            }
            for (cell, ground) in changes {
                self.set_base(cell, ground);
            }
        }
    }

    /// The text of a map file of the part that starts at `corner`.
    pub fn to_ron(&self, name: &str, about: Option<&str>, corner: Cell, size: Size) -> String {
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
        layer("base", &|cell| self.base[cell] as u8);
        layer("overlay", &|cell| self.overlay[cell] as u8);
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
        for ground in BaseTerrain::ALL {
            let below = terrain(ground as u8);
            assert_eq!(below.layer, Layer::Base);
            assert_eq!(is_blocked(ground, OverlayTerrain::Empty), below.cost == Cost::Impassable);
            for thing in OverlayTerrain::ALL {
                let above = terrain(thing as u8);
                assert_eq!(above.layer, Layer::Overlay);
                let closed = match above.cost {
                    Cost::Impassable => true,
                    Cost::Enter(_) => false,
                    Cost::Times(_) => below.cost == Cost::Impassable,
                };
                assert_eq!(is_blocked(ground, thing), closed, "{ground:?} {thing:?}");
            }
        }
    }
}
