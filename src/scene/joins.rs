//! Sets of sides or corners of a cell, and the names of images that stand for them.

use crate::grid::Direction;

/// Some of the four sides N, E, S, W of a cell, or of its corners NE, SE, SW, NW: one bit each, in that order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mask(u8);

/// How many masks there are.
pub(super) const MASKS: usize = 16;

impl Mask {
    /// The mask of those of four for which `holds` is true.
    pub(super) fn of(four: [Direction; 4], mut holds: impl FnMut(Direction) -> bool) -> Self {
        Self(four.into_iter().enumerate().fold(0, |bits, (k, way)| bits | u8::from(holds(way)) << k))
    }

    /// Every mask, the empty one first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..MASKS as u8).map(Self)
    }

    /// Its place in a table of [`MASKS`] entries.
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Of a mask of sides: whether one of the two that meet in `corner` is in it.
    pub(super) fn touches(self, corner: Direction) -> bool {
        let side = corner as usize / 2;
        self.has(side) || self.has((side + 1) % 4)
    }

    /// The ending of a joined image: the letters of the sides, such as `NES`; nothing for none.
    pub(super) fn sides(self) -> String {
        self.names(Direction::SIDES).collect()
    }

    /// The ending of an image for lone corners, such as `_NE_SW`.
    pub(super) fn corners(self) -> String {
        self.names(Direction::CORNERS).flat_map(|name| ["_", name]).collect()
    }

    fn has(self, k: usize) -> bool {
        self.0 >> k & 1 == 1
    }

    fn names(self, four: [Direction; 4]) -> impl Iterator<Item = &'static str> {
        four.into_iter().enumerate().filter(move |(k, _)| self.has(*k)).map(|(_, way)| way.letters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sixteen_endings() {
        let sides: Vec<_> = Mask::all().map(Mask::sides).collect();
        assert_eq!(
            sides,
            ["", "N", "E", "NE", "S", "NS", "ES", "NES", "W", "NW", "EW", "NEW", "SW", "NSW", "ESW", "NESW"]
        );
        let corners: Vec<_> = Mask::all().map(Mask::corners).take(6).collect();
        assert_eq!(corners, ["", "_NE", "_SE", "_NE_SE", "_SW", "_NE_SW"]);
        assert_eq!(Mask::all().last().map(Mask::corners).as_deref(), Some("_NE_SE_SW_NW"));
    }

    #[test]
    fn a_corner_touches_the_two_sides_that_meet_in_it() {
        for (side, touching) in Direction::SIDES.into_iter().zip([[0, 3], [0, 1], [1, 2], [2, 3]]) {
            let mask = Mask::of(Direction::SIDES, |way| way == side);
            let corners = (0..4).filter(|k| mask.touches(Direction::CORNERS[*k]));
            assert_eq!(corners.collect::<Vec<_>>(), touching, "{side:?}");
        }
    }
}
