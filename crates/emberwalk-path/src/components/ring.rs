//! The ring of eight cells around a cell, and which of them stay connected when it is blocked.

use crate::grid::Direction;

/// Returns one neighbour of each group of passable neighbours that are connected around a blocked cell. `passable` tells
/// which neighbours are, by direction. With `by_corners`, cells that touch at a corner are connected.
///
/// If the whole ring is connected without an end, the result is empty: that is a single group too.
pub(super) fn groups(passable: [bool; 8], by_corners: bool) -> impl Iterator<Item = Direction> {
    // Clockwise, a group begins where the cell before is not connected. Without corners, a corner cell only connects
    // the two sides next to it; with corners, two sides next to each other touch whatever is between them.
    let is_passable = move |k: usize| passable[k % 8];
    let begins = move |k: usize| {
        let is_corner = Direction::ALL[k].is_diagonal();
        match (by_corners, is_corner) {
            (false, false) => is_passable(k) && !(is_passable(k + 7) && is_passable(k + 6)),
            (false, true) => false,
            (true, false) => is_passable(k) && !is_passable(k + 7) && !is_passable(k + 6),
            (true, true) => is_passable(k) && !is_passable(k + 7),
        }
    };
    (0..8).filter(move |&k| begins(k)).map(|k| Direction::ALL[k])
}
