//! Reports tiles, terrains and tilesets whose names are unknown, with what can be done about it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::properties::MistypedProperty;
use super::read_context::ReadContext;
use super::tile_names::{TileMapping, is_level_name};
use super::tiled_tileset::TiledTileset;
use emberwalk_map::diagnostics::{Diagnostics, closest_match, shell_argument};
use emberwalk_map::terrain::Tileset;

/// The maximum number of misspelt names that are listed.
const MAX_MISSPELT: usize = 3;

/// The rule for the names of levels.
const LEVELS: &str = "levels go from 0 to 9, such as `level 9`";

/// The tiles without a known terrain.
#[derive(Default)]
pub(super) struct UnknownTiles<'a> {
    /// Their ids, by the name of the tileset.
    ids: BTreeMap<&'a str, BTreeSet<u32>>,
    /// Their ids, by the name of the tileset and by the names in their properties and classes.
    written: BTreeMap<(&'a str, &'a str), BTreeSet<u32>>,
    /// The first of their tilesets that cannot be read.
    failure: Option<&'a Diagnostics>,
    /// The first of them whose property `terrain` is not a string, with the name of its tileset and its id.
    mistyped: Option<(&'a str, u32, &'a MistypedProperty)>,
}

impl<'a> UnknownTiles<'a> {
    /// Adds a tile.
    pub fn add(&mut self, tileset: &'a TiledTileset, id: u32) {
        self.ids.entry(&tileset.name).or_default().insert(id);
        if let Some(failure) = &tileset.failure {
            self.failure.get_or_insert(failure);
        }
        let Some(tile) = tileset.tiles.get(&id) else { return };
        if let Some(property) = tile.terrain.mistyped() {
            self.mistyped.get_or_insert((&tileset.name, id, property));
        }
        let painted = tile.painted.iter().map(String::as_str);
        let names = tile.terrain.text().map(String::as_str).into_iter().chain([&*tile.class]).chain(painted);
        for name in names.filter(|name| !name.trim().is_empty()) {
            self.written.entry((&tileset.name, name)).or_default().insert(id);
        }
    }

    /// An error that lists all tiles; `Ok` if there are none.
    pub fn report(&self, context: &ReadContext<'_>) -> Result<(), Diagnostics> {
        let Some((name, ids)) = self.ids.iter().next() else { return Ok(()) };
        if let Some(failure) = self.failure {
            return Err(failure.clone());
        }
        let count: usize = self.ids.values().map(BTreeSet::len).sum();
        let list = |(name, ids): (&&str, &BTreeSet<u32>)| {
            let name = if name.trim().is_empty() { "(tileset without a name)" } else { name };
            format!("{name} {}", ranges(ids, ", "))
        };
        let list = self.ids.iter().map(list).collect::<Vec<_>>().join("; ");
        let message = match count {
            1 => format!("a tile has no known terrain: {list}"),
            _ => format!("{count} tiles have no known terrain: {list}"),
        };
        let corrections = self.corrections(context.tileset);
        let advice = match corrections.iter().find_map(|correction| Some((correction, correction.terrain?))) {
            Some((Correction { tiles, ids, .. }, terrain)) => format!("{tiles}:{}={terrain}", ranges(ids, ",")),
            None => format!("{name}:{}=grass", ranges(ids, ",")),
        };
        let corrections: BTreeSet<_> = corrections.iter().map(Correction::to_string).collect();
        let mistyped = self
            .mistyped
            .map_or(String::new(), |(tiles, id, property)| property.describe(&format!("{tiles} {id}")) + "; ");
        let help = format!(
            "{mistyped}{}in Tiled, give each tile a string property `terrain` or a class, or use `--tile {}` (or =nothing) here; {}",
            corrections.into_iter().take(MAX_MISSPELT).collect::<String>(),
            shell_argument(&advice),
            list_terrains(context.tileset)
        );
        Err(context.error(message, &help))
    }

    /// The names that are probably misspelt.
    fn corrections<'t>(&self, tileset: &'t Tileset) -> Vec<Correction<'_, 't>> {
        let names = terrain_names(tileset);
        let written = self.written.iter();
        let corrections = written.map(|(&(tiles, written), ids)| {
            let terrain = closest_terrain(written.trim(), &names);
            Correction { tiles, written, ids, terrain }
        });
        corrections.filter(|correction| correction.terrain.is_some() || is_level_name(correction.written)).collect()
    }
}

/// A name that is probably misspelt.
struct Correction<'a, 't> {
    /// The name of the Tiled tileset.
    tiles: &'a str,
    /// The name in properties and classes of its tiles.
    written: &'a str,
    /// The ids of these tiles.
    ids: &'a BTreeSet<u32>,
    /// The terrain that is probably meant; `None` if it is a level.
    terrain: Option<&'t str>,
}

/// The correction, before other help.
impl fmt::Display for Correction<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.terrain {
            Some(terrain) => write!(f, "instead of {:?}, did you mean `{terrain}`? ", self.written),
            None => write!(f, "{:?} is not a level: {LEVELS}; ", self.written),
        }
    }
}

/// Writes ascending ids as ranges, such as `1, 4-7`.
fn ranges(ids: &BTreeSet<u32>, between: &str) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &id in ids {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == id => *last = id,
            _ => ranges.push((id, id)),
        }
    }
    let text = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(between)
}

/// The error of a mapping to a terrain that does not exist.
pub(super) fn unknown_terrain(mapping: &TileMapping, tileset: &Tileset) -> Diagnostics {
    let names = terrain_names(tileset);
    let help = match closest_terrain(&mapping.terrain, &names) {
        Some(name) => format!("did you mean `{name}`?"),
        None if is_level_name(&mapping.terrain) => LEVELS.to_owned(),
        None => list_terrains(tileset),
    };
    Diagnostics::of_file(&format!("--tile {mapping}"), format!("there is no terrain {:?}", mapping.terrain), Some(help))
}

/// Reports a mapping for a tileset that the map does not have.
pub(super) fn check_tilesets(mappings: &[TileMapping], tilesets: &[TiledTileset]) -> Result<(), Diagnostics> {
    let is_unknown = |mapping: &&TileMapping| !tilesets.iter().any(|tileset| mapping.is_for(&tileset.name));
    let Some(mapping) = mappings.iter().find(is_unknown) else { return Ok(()) };
    let names: Vec<_> = tilesets.iter().map(|tileset| tileset.name.as_str()).filter(|name| !name.is_empty()).collect();
    let closest = closest_match(&mapping.tileset, &names);
    let help = closest.map(|name| format!("did you mean `{name}`?")).unwrap_or_else(|| match names[..] {
        [] if tilesets.is_empty() => "it has no tilesets".to_owned(),
        [] => "its tilesets have no names: write `--tile \":IDS=TERRAIN\"`".to_owned(),
        _ => format!("its tilesets are {}", names.join(", ")),
    });
    let message = format!("the map has no tileset {:?}", mapping.tileset);
    Err(Diagnostics::of_file(&format!("--tile {mapping}"), message, Some(help)))
}

/// The terrain that `written` probably means: one with this word in its name, or one with a similar name.
fn closest_terrain<'a>(written: &str, names: &[&'a str]) -> Option<&'a str> {
    // A single letter is the beginning of too many names.
    if written.chars().count() < 2 {
        return None;
    }
    let lower_case = written.to_lowercase();
    let has_word = |name: &&&str| name.to_lowercase().split(' ').any(|word| word == lower_case);
    names.iter().find(has_word).copied().or_else(|| closest_match(written, names))
}

fn list_terrains(tileset: &Tileset) -> String {
    format!("the terrains are {}", terrain_names(tileset).join(", "))
}

fn terrain_names(tileset: &Tileset) -> Vec<&str> {
    tileset.iter().map(|(_, terrain)| terrain.name.as_str()).collect()
}
