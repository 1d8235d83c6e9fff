//! Maps of the Moving AI benchmarks.

use std::collections::BTreeMap;

use super::Palette;
use crate::diagnostics::Diagnostics;
use crate::grid::{Cell, Grid};
use crate::map::Map;
use crate::moving_ai::LetterMap;
use crate::terrain::{Layer, TerrainId};

/// Makes a map of letters: `.` and `G` are grass, `S` sand, `T` thicket, `W` water, `@` and `O` mountain.
pub(super) fn map(palette: &Palette<'_>, source: &str) -> Result<Map, Diagnostics> {
    let letters = LetterMap::parse(palette.file, source)?;
    let letters = letters.letters();
    let mut unknown: BTreeMap<u8, Cell> = BTreeMap::new();
    for (cell, &letter) in letters.iter().filter(|(_, letter)| !b".GSTW@O".contains(letter)) {
        unknown.entry(letter).or_insert(cell);
    }
    if !unknown.is_empty() {
        let list: Vec<_> =
            unknown.iter().map(|(&letter, cell)| format!("{:?} (first at {cell})", char::from(letter))).collect();
        let help = "known are . and G for grass, S sand, T thicket, W water, @ and O mountain";
        return Err(palette.fault(format!("unknown letters: {}", list.join(", ")), help));
    }
    let ground = |name| palette.named(Layer::Base, name);
    let (grass, sand, water) = (palette.grass()?, ground("sand")?, ground("water")?);
    let over = |name| palette.named(Layer::Overlay, name);
    let (thicket, mountain): (TerrainId, TerrainId) = (over("thicket")?, over("mountain")?);
    let base = Grid::from_fn(letters.size(), |cell| match letters[cell] {
        b'S' => sand,
        b'W' => water,
        _ => grass,
    });
    let overlay = Grid::from_fn(letters.size(), |cell| match letters[cell] {
        b'T' => Some(thicket),
        b'@' | b'O' => Some(mountain),
        _ => None,
    });
    palette.map(base, overlay)
}
