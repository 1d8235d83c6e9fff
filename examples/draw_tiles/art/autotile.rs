//! The sides on which a tile joins its neighbours.

use emberwalk_map::terrain::NeighbourMask;
use emberwalk_path::grid::Direction;

/// A side of the cell: the step east and south to the neighbour there.
pub type Side = (f64, f64);

/// The four sides in the order N, E, S, W.
pub fn all_sides() -> [Side; 4] {
    Direction::SIDES.map(offset)
}

/// The sides in a mask.
pub fn sides(mask: NeighbourMask) -> Vec<Side> {
    mask.sides().map(offset).collect()
}

/// The step east and south in a direction.
pub fn offset(direction: Direction) -> (f64, f64) {
    let (east, south) = direction.offset();
    (f64::from(east), f64::from(south))
}

/// Whether two sides form a straight line through the cell.
pub fn is_straight(sides: &[Side]) -> bool {
    matches!(sides, [a, b] if a.0 == -b.0 && a.1 == -b.1)
}
