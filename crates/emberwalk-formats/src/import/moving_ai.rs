//! Imports Moving AI maps.

use std::collections::BTreeMap;

use super::NamedTerrains;
use crate::moving_ai::OctileMap;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{Layer, TerrainId};
use emberwalk_map::{MapContent, SharedGrid};
use emberwalk_path::grid::Cell;

/// Imports a Moving AI map: `.` and `G` become grass, `S` sand, `T` thicket, `W` water, `@` and `O` mountain.
pub(super) fn map(terrains: &NamedTerrains<'_>, source: &str) -> Result<MapContent, Diagnostics> {
    let letters = OctileMap::parse(terrains.file, source)?;
    let letters = letters.letters();
    let mut unknown: BTreeMap<u8, Cell> = BTreeMap::new();
    for (cell, &letter) in letters.iter().filter(|(_, letter)| !b".GSTW@O".contains(letter)) {
        unknown.entry(letter).or_insert(cell);
    }
    if !unknown.is_empty() {
        let list: Vec<_> =
            unknown.iter().map(|(&letter, cell)| format!("{:?} (first at {cell})", char::from(letter))).collect();
        let help = "the known letters are . and G for grass, S sand, T thicket, W water, @ and O mountain";
        return Err(terrains.error(format!("unknown letters: {}", list.join(", ")), help));
    }
    let base = |name| terrains.named(Layer::Base, name);
    let (grass, sand, water) = (terrains.grass()?, base("sand")?, base("water")?);
    let overlay = |name| terrains.named(Layer::Overlay, name);
    let (thicket, mountain): (TerrainId, TerrainId) = (overlay("thicket")?, overlay("mountain")?);
    let base = SharedGrid::from_fn(letters.size(), |cell| match letters[cell] {
        b'S' => sand,
        b'W' => water,
        _ => grass,
    });
    let overlay = SharedGrid::from_fn(letters.size(), |cell| match letters[cell] {
        b'T' => Some(thicket),
        b'@' | b'O' => Some(mountain),
        _ => None,
    });
    terrains.map(base, overlay)
}
