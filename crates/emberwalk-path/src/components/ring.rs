//! The ring of eight cells around a cell, and which of them stay connected when it is blocked.

use crate::Moves;
use crate::grid::Direction;

/// Which cells of the ring are next to each: a bit for each direction, by direction. Cells are next to each
/// other if a step of `joined_by` leads from one to the other.
const fn neighbours_in_ring(joined_by: Moves) -> [u8; 8] {
    let mut neighbours = [0; 8];
    let mut k = 0;
    while k < 8 {
        neighbours[k] = 1u8.rotate_left(k as u32 + 1) | 1u8.rotate_left(k as u32 + 7);
        k += 1;
    }
    // Two sides in a row also touch diagonally: north and east and so on.
    k = 0;
    while k < 8 {
        let are_joined = match joined_by {
            Moves::Four => false,
            Moves::Eight => true,
            Moves::Six => k == 0 || k == 4,
        };
        if are_joined {
            neighbours[k] |= 1 << ((k + 2) % 8);
            neighbours[(k + 2) % 8] |= 1 << k;
        }
        k += 2;
    }
    neighbours
}

const BY_SIDES: [u8; 8] = neighbours_in_ring(Moves::Four);
const BY_HEXAGONS: [u8; 8] = neighbours_in_ring(Moves::Six);
const BY_SIDES_AND_CORNERS: [u8; 8] = neighbours_in_ring(Moves::Eight);

/// Iterates over one cell of each group of the cells in `members` that are connected around a blocked cell, through
/// `passable` cells of the ring. Both have a bit for each direction. `are_joined` says whether a step can lead from one
/// passable cell to another next to it.
pub(super) fn groups(
    members: u8,
    passable: u8,
    joined_by: Moves,
    are_joined: impl Fn(Direction, Direction) -> bool,
) -> impl Iterator<Item = Direction> {
    let neighbours = match joined_by {
        Moves::Four => &BY_SIDES,
        Moves::Six => &BY_HEXAGONS,
        Moves::Eight => &BY_SIDES_AND_CORNERS,
    };
    let mut left = members & passable;
    std::iter::from_fn(move || {
        let seed = directions(left).next()?;
        let (mut group, mut found) = (0, 1 << seed as u32);
        while found != 0 {
            group |= found;
            found = directions(found).fold(0, |found, one| {
                let next = directions(neighbours[one as usize] & passable & !group);
                next.filter(|&other| are_joined(one, other)).fold(found, |found, other| found | 1 << other as u32)
            });
        }
        left &= !group;
        Some(seed)
    })
}

/// Iterates over the directions whose bits are set.
fn directions(mut bits: u8) -> impl Iterator<Item = Direction> {
    std::iter::from_fn(move || {
        let direction = Direction::ALL.get(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(*direction)
    })
}
