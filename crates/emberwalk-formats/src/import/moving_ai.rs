//! Imports Moving AI maps.

use super::NamedTerrains;
use crate::moving_ai::OctileMap;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{Layer, TerrainId};
use emberwalk_map::{MapContent, SharedGrid};

/// Imports a Moving AI map: `.`, `G` and `E` become grass, `S` sand, `T` thicket, `W` water, `@` and `O` mountain.
pub(super) fn map(terrains: &NamedTerrains<'_>, source: &str) -> Result<MapContent, Diagnostics> {
    let map = OctileMap::parse(terrains.file, source)?;
    if let Some(unknown) = map.unknown_letters() {
        let help = "the known letters are ., G and E for grass, S sand, T thicket, W water, @ and O mountain";
        return Err(terrains.error(format!("unknown letters: {unknown}"), help));
    }
    let letters = map.letters();
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
