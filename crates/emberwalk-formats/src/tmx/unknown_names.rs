//! Reports tiles, terrains and tilesets whose names are unknown, with what can be done about it.

use std::collections::{BTreeMap, BTreeSet};

use super::read_context::ReadContext;
use super::tile_names::TileMapping;
use super::tiled_tileset::TiledTileset;
use emberwalk_map::diagnostics::{Diagnostics, closest_match};
use emberwalk_map::terrain::Tileset;

/// The maximum number of misspelt names that are listed.
const MAX_MISSPELT: usize = 3;

/// The tiles without a known terrain.
#[derive(Default)]
pub(super) struct UnknownTiles<'a> {
    /// Their ids, by the name of the tileset.
    ids: BTreeMap<&'a str, BTreeSet<u32>>,
    /// The names in their properties and classes.
    written: BTreeSet<&'a str>,
}

impl<'a> UnknownTiles<'a> {
    /// Adds a tile.
    pub fn add(&mut self, tileset: &'a TiledTileset, id: u32) {
        self.ids.entry(&tileset.name).or_default().insert(id);
        let names = tileset.tiles.get(&id).into_iter().flat_map(|tile| [tile.terrain.as_deref(), Some(&*tile.class)]);
        self.written.extend(names.flatten().filter(|name| !name.trim().is_empty()));
    }

    /// An error that lists all tiles; `Ok` if there are none.
    pub fn report(&self, context: &ReadContext<'_>) -> Result<(), Diagnostics> {
        let Some((name, ids)) = self.ids.iter().next() else { return Ok(()) };
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
        let help = format!(
            "{}in Tiled, give each tile a property `terrain` or a class, or use `--tile {}` (or =nothing) here; {}",
            self.corrections(context.tileset),
            quoted(&format!("{name}:{}=grass", ranges(ids, ","))),
            list_terrains(context.tileset)
        );
        Err(context.error(message, &help))
    }

    /// Suggestions for misspelt names, before other help.
    fn corrections(&self, tileset: &Tileset) -> String {
        let names = terrain_names(tileset);
        let written = self.written.iter().copied();
        let misspelt = written.filter_map(|written| Some((written, closest_match(written.trim(), &names)?)));
        let misspelt = misspelt.take(MAX_MISSPELT);
        misspelt.map(|(written, name)| format!("instead of {written:?}, did you mean `{name}`? ")).collect()
    }
}

/// An argument in quotes, for a shell.
fn quoted(argument: &str) -> String {
    // Between double quotes, these characters have a meaning. Between single quotes, only a single quote has one.
    if argument.contains(['"', '$', '`', '\\', '!']) {
        return format!("'{}'", argument.replace('\'', "'\\''"));
    }
    format!("\"{argument}\"")
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
    let help = did_you_mean(&mapping.terrain, &terrain_names(tileset)).unwrap_or_else(|| list_terrains(tileset));
    Diagnostics::of_file(&format!("--tile {mapping}"), format!("there is no terrain {:?}", mapping.terrain), Some(help))
}

/// Reports a mapping for a tileset that the map does not have.
pub(super) fn check_tilesets(mappings: &[TileMapping], tilesets: &[TiledTileset]) -> Result<(), Diagnostics> {
    let is_unknown = |mapping: &&TileMapping| !tilesets.iter().any(|tileset| mapping.is_for(&tileset.name));
    let Some(mapping) = mappings.iter().find(is_unknown) else { return Ok(()) };
    let names: Vec<_> = tilesets.iter().map(|tileset| tileset.name.as_str()).filter(|name| !name.is_empty()).collect();
    let help = did_you_mean(&mapping.tileset, &names).unwrap_or_else(|| match names[..] {
        [] if tilesets.is_empty() => "it has no tilesets".to_owned(),
        [] => "its tilesets have no names: write `--tile \":IDS=TERRAIN\"`".to_owned(),
        _ => format!("its tilesets are {}", names.join(", ")),
    });
    let message = format!("the map has no tileset {:?}", mapping.tileset);
    Err(Diagnostics::of_file(&format!("--tile {mapping}"), message, Some(help)))
}

fn did_you_mean(written: &str, names: &[&str]) -> Option<String> {
    closest_match(written, names).map(|name| format!("did you mean `{name}`?"))
}

fn list_terrains(tileset: &Tileset) -> String {
    format!("the terrains are {}", terrain_names(tileset).join(", "))
}

fn terrain_names(tileset: &Tileset) -> Vec<&str> {
    tileset.iter().map(|(_, terrain)| terrain.name.as_str()).collect()
}
