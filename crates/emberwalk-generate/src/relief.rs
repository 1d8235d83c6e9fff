//! Raises hills: turns the shape of the land into levels, with terraces, cliffs and gentle slopes.

use super::draft::{BaseTerrain, DraftMap, smooth};
use super::noise::Noise;
use super::parallel;
use super::random::{ScalarField, SeededRandom};
use emberwalk_path::grid::{Cell, Size};

/// Above this value of the noise, terraces are two levels apart.
const STEEP: i16 = -7000;
/// Above this value of the noise, terraces are three levels apart.
const SHEER: i16 = 13000;

/// Creates the shape of land with hills. Higher hills are wider.
pub(super) fn noise(size: Size, hills: u8, random: &mut SeededRandom) -> ScalarField {
    let noise = Noise::new(random, 16 + 3 * u32::from(hills), 3);
    noise.field(size)
}

/// Gives every cell a level from 0 to `hills` that follows the relief. On dry land, all levels have about the same
/// number of cells. With `cliffs`, some levels are skipped here and there, so that the ground rises in cliffs.
///
/// The levels are not final: [`settle`](super::levels::settle) makes water level and roads passable.
pub(super) fn raise(draft: &mut DraftMap, relief: &ScalarField, hills: u8, cliffs: bool, random: &mut SeededRandom) {
    let bounds = relief.divide(u32::from(hills) + 1, |cell| !draft.has_base(cell, BaseTerrain::Water));
    let level = |cell: Cell| bounds.partition_point(|&bound| bound <= relief.0[cell]) as u8;
    let mut levels = parallel::grid(draft.size(), level);
    smooth(&mut levels, 3);
    if cliffs {
        let rocks = Noise::new(random, 22, 2).field(draft.size());
        levels = parallel::grid(draft.size(), |cell| {
            let height = match rocks.0[cell] {
                SHEER.. => 3,
                STEEP.. => 2,
                _ => 1,
            };
            terrace(levels[cell], hills, height)
        });
        smooth(&mut levels, 2);
    }
    draft.levels = Some(levels);
}

/// The terrace at or below a level. Counted from the top, every third level is a terrace; with a `height` of 2 also the
/// level above each of these, and with 1 every level.
fn terrace(level: u8, hills: u8, height: u8) -> u8 {
    let below = (hills - level) % 3;
    match height {
        3.. => level.saturating_sub((3 - below) % 3),
        2 if below == 1 => level.saturating_sub(1),
        _ => level,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terraces_are_as_far_apart_as_asked_for_and_keep_the_top() {
        for (height, expected) in
            [(1, [0, 1, 2, 3, 4, 5, 6, 7]), (2, [0, 1, 2, 2, 4, 5, 5, 7]), (3, [0, 1, 1, 1, 4, 4, 4, 7])]
        {
            assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|level| terrace(level, 7, height)), expected, "{height}");
        }
    }
}
