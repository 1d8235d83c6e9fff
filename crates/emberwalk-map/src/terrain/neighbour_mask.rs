//! The neighbour mask of an autotile, and the suffix that it adds to the name of an image.

use emberwalk_path::grid::Direction;

/// A set of sides N, E, S, W of a cell, or of its corners NE, SE, SW, NW: one bit each, in this order.
///
/// ```
/// use emberwalk_path::grid::Direction;
/// use emberwalk_map::terrain::NeighbourMask;
///
/// let mask = NeighbourMask::from_fn(Direction::SIDES, |side| side != Direction::W);
/// assert_eq!(format!("L2_RoadDirt{}", mask.side_suffix()), "L2_RoadDirtNES");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NeighbourMask(u8);

impl NeighbourMask {
    /// The number of masks.
    pub const COUNT: usize = 16;

    /// The mask of the directions among `four` for which `is_in` is true. `four` are the sides or the corners of
    /// a cell, in the order of [`Direction::SIDES`] or [`Direction::CORNERS`].
    pub fn from_fn(four: [Direction; 4], mut is_in: impl FnMut(Direction) -> bool) -> Self {
        Self(four.into_iter().enumerate().fold(0, |bits, (k, direction)| bits | u8::from(is_in(direction)) << k))
    }

    /// Every mask, ordered by [`index`](Self::index). The empty mask comes first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The index of the mask in a table of [`COUNT`](Self::COUNT) entries.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The sides in a mask of sides, in the order N, E, S, W.
    pub fn sides(self) -> impl Iterator<Item = Direction> {
        self.directions(Direction::SIDES)
    }

    /// The corners in a mask of corners, in the order NE, SE, SW, NW.
    pub fn corners(self) -> impl Iterator<Item = Direction> {
        self.directions(Direction::CORNERS)
    }

    /// Whether a mask of sides contains one of the two sides that meet in `corner`.
    pub fn touches(self, corner: Direction) -> bool {
        let side = corner as usize / 2;
        self.has(side) || self.has((side + 1) % 4)
    }

    /// The suffix of an image that joins its neighbours on these sides, such as `NES`; empty for no side.
    pub fn side_suffix(self) -> String {
        self.sides().map(Direction::letters).collect()
    }

    /// The suffix of an image for these corners, such as `_NE_SW`; empty for no corner.
    pub fn corner_suffix(self) -> String {
        self.corners().flat_map(|corner| ["_", corner.letters()]).collect()
    }

    fn has(self, k: usize) -> bool {
        self.0 >> k & 1 == 1
    }

    fn directions(self, four: [Direction; 4]) -> impl Iterator<Item = Direction> {
        four.into_iter().enumerate().filter(move |(k, _)| self.has(*k)).map(|(_, direction)| direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sixteen_suffixes() {
        let sides: Vec<_> = NeighbourMask::all().map(NeighbourMask::side_suffix).collect();
        assert_eq!(
            sides,
            ["", "N", "E", "NE", "S", "NS", "ES", "NES", "W", "NW", "EW", "NEW", "SW", "NSW", "ESW", "NESW"]
        );
        let corners: Vec<_> = NeighbourMask::all().map(NeighbourMask::corner_suffix).take(6).collect();
        assert_eq!(corners, ["", "_NE", "_SE", "_NE_SE", "_SW", "_NE_SW"]);
        assert_eq!(NeighbourMask::all().last().map(NeighbourMask::corner_suffix).as_deref(), Some("_NE_SE_SW_NW"));
    }

    #[test]
    fn a_corner_touches_the_two_sides_that_meet_in_it() {
        for (side, touching) in Direction::SIDES.into_iter().zip([[0, 3], [0, 1], [1, 2], [2, 3]]) {
            let mask = NeighbourMask::from_fn(Direction::SIDES, |other| other == side);
            let corners = (0..4).filter(|k| mask.touches(Direction::CORNERS[*k]));
            assert_eq!(corners.collect::<Vec<_>>(), touching, "{side:?}");
        }
    }
}
