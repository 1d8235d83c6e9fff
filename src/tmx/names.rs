//! Which terrain a tile stands for.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use tiled::{LayerTile, PropertyValue};

use super::TERRAIN;
use super::write::unescape;
use crate::terrain::{ImageVariant, Terrain, TerrainId, Tileset};

/// What a tile is when it is nothing.
const NOTHING: [&str; 2] = ["nothing", "none"];

/// Tiles of a Tiled tileset and what they stand for, written `TILESET:IDS=TERRAIN`; the ids are numbers and ranges, such
/// as `3-5,8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileName {
    tileset: String,
    ids: Vec<RangeInclusive<u32>>,
    terrain: String,
}

/// The text is not of the form `TILESET:IDS=TERRAIN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tiles are written TILESET:IDS=TERRAIN, such as desert:30=sand or desert:3-5,8=nothing")]
pub struct ParseTileError;

impl FromStr for TileName {
    type Err = ParseTileError;

    fn from_str(text: &str) -> Result<Self, ParseTileError> {
        let (tile, terrain) = text.split_once('=').ok_or(ParseTileError)?;
        let (tileset, ids) = tile.rsplit_once(':').ok_or(ParseTileError)?;
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ParseTileError);
        let range = |text: &str| match text.split_once('-') {
            Some((first, last)) => Ok(number(first)?..=number(last)?),
            None => number(text).map(|id| id..=id),
        };
        let ids = ids.split(',').map(range).collect::<Result<_, _>>()?;
        let [tileset, terrain] = [tileset, terrain].map(|name| name.trim().to_owned());
        if terrain.is_empty() { Err(ParseTileError) } else { Ok(Self { tileset, ids, terrain }) }
    }
}

/// The table by which tiles become terrain.
///
/// What a tile is says, and the first of these that does decides: the user's own list; the tile's property `terrain`;
/// its class; the name of its image. Each may be the character of a terrain, its name, or the name of one of its images,
/// in whatever case and with a number behind it.
#[derive(Clone, Debug)]
pub struct Names {
    by_name: HashMap<String, TerrainId>,
    listed: Vec<TileName>,
}

impl Names {
    /// The table of a tileset, with the tiles that the user listed.
    ///
    /// # Errors
    /// The listed terrain that the tileset does not have.
    pub fn new(tileset: &Tileset, listed: &[TileName]) -> Result<Self, String> {
        let mut by_name = HashMap::new();
        for (id, terrain) in tileset.iter() {
            for name in images(terrain) {
                by_name.entry(name.to_lowercase()).or_insert(id);
            }
        }
        // Names and characters win over images.
        for (id, terrain) in tileset.iter() {
            by_name.insert(terrain.name.to_lowercase(), id);
        }
        for (id, terrain) in tileset.iter() {
            by_name.entry(plain(&terrain.name)).or_insert(id);
        }
        by_name.extend(tileset.iter().map(|(id, terrain)| (terrain.char.to_string(), id)));
        let names = Self { by_name, listed: listed.to_vec() };
        match listed.iter().find(|listed| names.find(&listed.terrain).is_none()) {
            Some(unknown) => Err(unknown.terrain.clone()),
            None => Ok(names),
        }
    }

    /// What `name` stands for; `Some(None)` if for nothing, `None` if it is unknown.
    fn find(&self, name: &str) -> Option<Option<TerrainId>> {
        // Of a character the case counts.
        let forms = [name.to_owned(), name.trim().to_lowercase(), plain(name)];
        let found = forms.iter().find_map(|form| self.by_name.get(form));
        match found {
            Some(&id) => Some(Some(id)),
            None if NOTHING.contains(&forms[1].as_str()) => Some(None),
            None => None,
        }
    }

    /// What a tile of a layer stands for, as [`find`](Self::find).
    pub(super) fn of(&self, tile: LayerTile<'_>) -> Option<Option<TerrainId>> {
        let names = |listed: &&TileName| {
            listed.tileset == tile.get_tileset().name && listed.ids.iter().any(|ids| ids.contains(&tile.id()))
        };
        if let Some(listed) = self.listed.iter().find(names) {
            return self.find(&listed.terrain);
        }
        let tile = tile.get_tile()?;
        let property = tile.properties.get(TERRAIN).and_then(|value| match value {
            PropertyValue::StringValue(name) => Some(unescape(name)),
            _ => None,
        });
        if let Some(name) = property {
            return self.find(&name);
        }
        let class = Some(tile.user_type.as_str()).filter(|class| !class.is_empty());
        let image = tile.image.as_ref().and_then(|image| image.source.file_stem()?.to_str());
        class.and_then(|name| self.find(name)).or_else(|| image.and_then(|name| self.find(name)))
    }
}

/// A name without case, numbers at its end and the signs that stand for spaces.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase().replace(['_', '-'], " ");
    name.trim_end_matches(|char: char| char.is_ascii_digit() || char == ' ').to_owned()
}

/// The names of all images of a terrain.
fn images(terrain: &Terrain) -> Vec<String> {
    let patch = terrain.patch.iter().flat_map(|patch| &patch.ground.variants);
    let variants = terrain.ground.variants.iter().chain(terrain.on.values().flatten()).chain(patch);
    let frames = variants.flat_map(|ImageVariant { frames, .. }| frames);
    let facing = terrain.facing.iter().flat_map(|facing| &facing.images);
    let stems = std::iter::once(&terrain.image).chain(frames).chain(facing);
    stems.flat_map(|stem| terrain.image_suffixes().map(move |suffix| format!("{stem}{suffix}"))).collect()
}
