//! Finds the terrain of a tile of a Tiled map.

use std::collections::HashMap;
use std::fmt;
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::object::TiledObject;
use super::tiled_tileset::TiledTileset;
use super::tileset_files::file_stem;
use emberwalk_map::MAX_LEVEL;
use emberwalk_map::diagnostics::escape_invisible;
use emberwalk_map::terrain::{ImageVariant, Terrain, TerrainId, Tileset};

/// The names of tiles that mean an empty cell.
const EMPTY_NAMES: [&str; 2] = ["nothing", "none"];

/// The start of tile names that mean a level.
const LEVEL: &str = "level";

/// A rule for some tiles of a Tiled tileset, written `TILESET:IDS=TERRAIN`. The ids are numbers and ranges, such as
/// `3-5,8`. The name of the tileset may be empty, and may itself contain `:` and `=`.
///
/// ```
/// use emberwalk_formats::tmx::TileMapping;
///
/// assert!("desert:3-5,8=sand".parse::<TileMapping>().is_ok());
/// assert!("a:1=b:2=sand".parse::<TileMapping>().is_ok());
/// assert!("desert=sand".parse::<TileMapping>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMapping {
    /// The rule as written.
    text: String,
    pub(super) tileset: String,
    ids: Vec<RangeInclusive<u32>>,
    pub(super) terrain: String,
}

/// Why a text is not a rule for tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTileMappingError {
    /// The text does not have the form `TILESET:IDS=TERRAIN`.
    #[error("tiles are written TILESET:IDS=TERRAIN, such as desert:30=sand or desert:3-5,8=nothing")]
    Form,
    /// The first id of a range is greater than the last.
    #[error("the range {first}-{last} is reversed: write {last}-{first}")]
    ReversedRange {
        /// The id before the hyphen.
        first: u32,
        /// The id after the hyphen.
        last: u32,
    },
    /// An id has more than 32 bits.
    #[error("an id is too large: the ids of tiles go up to {}", u32::MAX)]
    IdTooLarge,
}

impl FromStr for TileMapping {
    type Err = ParseTileMappingError;

    fn from_str(text: &str) -> Result<Self, ParseTileMappingError> {
        let mut reason = ParseTileMappingError::Form;
        // The last place that fits, because names of tilesets can contain anything.
        for (at, _) in text.rmatch_indices('=') {
            let Some((tileset, ids)) = text[..at].rsplit_once(':') else { continue };
            let terrain = text[at + 1..].trim();
            if terrain.is_empty() {
                continue;
            }
            match parse_ids(ids) {
                Ok(ids) => {
                    let [tileset, terrain, text] = [tileset, terrain, text].map(str::to_owned);
                    return Ok(Self { text, tileset, ids, terrain });
                }
                Err(error) if reason == ParseTileMappingError::Form => reason = error,
                Err(_) => {}
            }
        }
        Err(reason)
    }
}

/// Parses numbers and ranges such as `3-5,8`.
fn parse_ids(text: &str) -> Result<Vec<RangeInclusive<u32>>, ParseTileMappingError> {
    let number = |text: &str| {
        text.trim().parse::<u32>().map_err(|error| match error.kind() {
            IntErrorKind::PosOverflow => ParseTileMappingError::IdTooLarge,
            _ => ParseTileMappingError::Form,
        })
    };
    let range = |text: &str| {
        let Some((first, last)) = text.split_once('-') else { return number(text).map(|id| id..=id) };
        let (first, last) = (number(first)?, number(last)?);
        if first > last { Err(ParseTileMappingError::ReversedRange { first, last }) } else { Ok(first..=last) }
    };
    text.split(',').map(range).collect()
}

impl TileMapping {
    /// Whether the rule is for the tileset of this name. The name may be written as messages show it.
    pub(super) fn is_for(&self, tileset: &str) -> bool {
        self.tileset.trim() == tileset.trim() || self.tileset == escape_invisible(tileset)
    }
}

/// The rule as written.
impl fmt::Display for TileMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The meaning of a tile on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileMeaning {
    Terrain(TerrainId),
    /// The cell has this level.
    Level(u8),
    Empty,
}

/// Finds terrains by name.
///
/// The name of a tile comes from the first of these that exists: the user's mappings, the tile's property `terrain`,
/// its class, the file name of its image, the terrain that Tiled's terrain brush paints with it. It may be the character
/// of a terrain, its name, or the name of one of its images; a name such as `level 3` means a level. Case (except of
/// characters) and a number at the end are ignored.
#[derive(Clone, Debug)]
pub struct TileNames {
    by_name: HashMap<String, TerrainId>,
    mappings: Vec<TileMapping>,
}

impl TileNames {
    /// Collects the names of a tileset and the user's mappings.
    ///
    /// # Errors
    /// The first mapping whose terrain the tileset does not have.
    pub fn new<'a>(tileset: &Tileset, mappings: &'a [TileMapping]) -> Result<Self, &'a TileMapping> {
        let mut by_name = HashMap::new();
        for (id, terrain) in tileset.iter() {
            for name in image_names(terrain) {
                by_name.entry(name.to_lowercase()).or_insert(id);
            }
        }
        // Names and characters take precedence over images.
        for (id, terrain) in tileset.iter() {
            by_name.insert(terrain.name.to_lowercase(), id);
        }
        for (id, terrain) in tileset.iter() {
            by_name.entry(normalized(&terrain.name)).or_insert(id);
        }
        by_name.extend(tileset.iter().map(|(id, terrain)| (terrain.char.to_string(), id)));
        let names = Self { by_name, mappings: mappings.to_vec() };
        match mappings.iter().find(|mapping| names.find(&mapping.terrain).is_none()) {
            Some(unknown) => Err(unknown),
            None => Ok(names),
        }
    }

    /// The meaning of `name`; `None` if it is unknown.
    fn find(&self, name: &str) -> Option<TileMeaning> {
        // The exact name is tried first, because the case of a character matters.
        let forms = [name.to_owned(), name.trim().to_lowercase(), normalized(name)];
        let found = forms.iter().find_map(|form| self.by_name.get(form));
        match found {
            Some(&id) => Some(TileMeaning::Terrain(id)),
            None if EMPTY_NAMES.contains(&forms[1].as_str()) => Some(TileMeaning::Empty),
            None => level_of_name(&forms[1]).map(TileMeaning::Level),
        }
    }

    /// The meaning of a tile; `None` if it has no known name.
    pub(super) fn meaning_of(&self, tileset: &TiledTileset, id: u32) -> Option<TileMeaning> {
        let applies =
            |mapping: &&TileMapping| mapping.is_for(&tileset.name) && mapping.ids.iter().any(|ids| ids.contains(&id));
        if let Some(mapping) = self.mappings.iter().find(applies) {
            return self.find(&mapping.terrain);
        }
        let tile = tileset.tiles.get(&id)?;
        if let Some(name) = tile.terrain.text() {
            return self.find(name);
        }
        let painted = tile.painted.iter().map(String::as_str);
        let names = [tile.class.as_str(), file_stem(&tile.image)].into_iter().chain(painted);
        names.filter(|name| !name.is_empty()).find_map(|name| self.find(name))
    }

    /// The terrain that an object is. Only its property can be a character; a name or a class of one character means
    /// something else.
    pub(super) fn terrain_of_object(&self, object: &TiledObject) -> Option<TerrainId> {
        let names = object.names.iter().map(|name| &**name).filter(|name| name.chars().nth(1).is_some());
        let names = object.terrain.text().map(String::as_str).into_iter().chain(names);
        names.filter_map(|name| self.find(name)).find_map(|meaning| match meaning {
            TileMeaning::Terrain(terrain) => Some(terrain),
            TileMeaning::Level(_) | TileMeaning::Empty => None,
        })
    }
}

/// The name of the tile of a level.
pub(super) fn name_of_level(level: u8) -> String {
    format!("{LEVEL} {level}")
}

/// The level of a tile with this name in lower case, such as `level 3`; `None` if the name is not a level.
fn level_of_name(name: &str) -> Option<u8> {
    number_of_level(name)?.parse().ok().filter(|level| *level <= MAX_LEVEL)
}

/// Whether a name means a level, which may be too high, such as `Level 10`.
pub(super) fn is_level_name(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let number = number_of_level(&name).unwrap_or_default();
    !number.is_empty() && number.chars().all(|char| char.is_ascii_digit())
}

/// The text after `level` in a name in lower case.
fn number_of_level(name: &str) -> Option<&str> {
    Some(name.strip_prefix(LEVEL)?.trim_start_matches([' ', '_', '-']))
}

/// A name in lower case, with spaces instead of `_` and `-`, and without numbers at its end.
fn normalized(name: &str) -> String {
    let name = name.trim().to_lowercase().replace(['_', '-'], " ");
    name.trim_end_matches(|char: char| char.is_ascii_digit() || char == ' ').to_owned()
}

/// The names of all images of a terrain.
fn image_names(terrain: &Terrain) -> Vec<String> {
    let patch = terrain.patch.iter().flat_map(|patch| &patch.ground.variants);
    let variants = terrain.ground.variants.iter().chain(terrain.on.values().flatten()).chain(patch);
    let frames = variants.flat_map(|ImageVariant { frames, .. }| frames);
    let facing = terrain.facing.iter().flat_map(|facing| &facing.images);
    let stems = std::iter::once(&terrain.image).chain(frames).chain(facing);
    stems.flat_map(|stem| terrain.image_suffixes().map(move |suffix| format!("{stem}{suffix}"))).collect()
}
