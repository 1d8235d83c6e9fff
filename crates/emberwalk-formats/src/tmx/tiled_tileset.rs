//! Reads the tiles of a Tiled tileset: only what can tell their terrain.

use std::collections::HashMap;
use std::ops::Range;

use super::object::Alignment;
use super::properties::TerrainProperty;
use super::xml::{Element, XmlError};
use emberwalk_map::diagnostics::Diagnostics;

/// The number of corners and edges of a tile, in a Wang id.
const WANG_PLACES: usize = 8;

/// The maximum global id of a tile. The bits above it are flip flags.
const MAX_ID: u32 = (1 << 28) - 1;

/// A Tiled tileset.
#[derive(Default)]
pub(super) struct TiledTileset {
    /// Its place in the file, in bytes of the text.
    pub place: Range<usize>,
    /// The global id of its first tile.
    pub first_id: u32,
    /// The file with the rest of the tileset, relative to the map file; empty if the tileset is in the map.
    pub source: String,
    pub name: String,
    /// The tiles with their own properties, class, image or Wang id, by id.
    pub tiles: HashMap<u32, TiledTile>,
    /// Which point of an object with one of its tiles is the place of the object.
    pub alignment: Alignment,
    /// Why its file cannot be read. It matters only if a tile is used for which the user has named no terrain.
    pub failure: Option<Diagnostics>,
}

/// A tile of a tileset.
#[derive(Default)]
pub(super) struct TiledTile {
    /// Its property `terrain`.
    pub terrain: TerrainProperty,
    pub class: String,
    /// The file of its image.
    pub image: String,
    /// The names of the terrains that Tiled's terrain brush paints with it, one for each set of terrains.
    pub painted: Vec<String>,
}

impl TiledTileset {
    /// Reads a `tileset` element.
    ///
    /// # Errors
    /// The first element that does not follow the format.
    pub fn read(tileset: &Element<'_>) -> Result<Self, XmlError> {
        let first_id = tileset.number("firstgid", 1, MAX_ID)?;
        let mut tiles = HashMap::new();
        for tile in tileset.children.iter().filter(|child| child.name == "tile") {
            tiles.insert(tile.number("id", 0, MAX_ID)?, TiledTile::read(tile));
        }
        for (id, name) in painted_terrains(tileset) {
            tiles.entry(id).or_default().painted.push(name);
        }
        let [source, name] = ["source", "name"].map(|attribute| tileset.get(attribute).to_owned());
        let alignment = Alignment::of_name(tileset.get("objectalignment"));
        Ok(Self { place: tileset.place.clone(), first_id, source, name, tiles, alignment, failure: None })
    }
}

/// The terrains that Tiled's terrain brush paints, by tile: of the sets of Wang tiles, and of older files.
fn painted_terrains(tileset: &Element<'_>) -> Vec<(u32, String)> {
    let children = |parent: &'static str| tileset.children.iter().filter(move |child| child.name == parent);
    let named = |element: &Element<'_>, name: &str| -> Vec<String> {
        let colours = element.children.iter().filter(|child| child.name == name);
        colours.map(|colour| colour.get("name").to_owned()).collect()
    };
    let mut found = Vec::new();
    for set in children("wangsets").flat_map(|sets| &sets.children) {
        let colours = named(set, "wangcolor");
        for tile in set.children.iter().filter(|child| child.name == "wangtile") {
            // Colours are numbered from 1.
            let places = wang_places(tile.get("wangid"));
            let name = most_frequent(&places).and_then(|colour| colours.get(usize::from(colour)));
            found.extend(tile.get("tileid").parse().ok().zip(name.cloned()));
        }
    }
    let types: Vec<String> = children("terraintypes").flat_map(|types| named(types, "terrain")).collect();
    for tile in children("tile") {
        // The corners of a tile in files of Tiled 1.4 and older, numbered from 0.
        let corners: Vec<u8> = tile.get("terrain").split(',').filter_map(|number| number.trim().parse().ok()).collect();
        let name = most_frequent(&corners).and_then(|terrain| types.get(usize::from(terrain)));
        found.extend(tile.get("id").parse().ok().zip(name.cloned()));
    }
    found
}

/// The colours of a Wang id, numbered from 0: of its corners and edges, without those that have none.
fn wang_places(id: &str) -> Vec<u8> {
    let colour = |number: u8| number.checked_sub(1);
    match id.strip_prefix("0x") {
        // Older files have a digit for each place.
        Some(digits) => {
            digits.chars().filter_map(|digit| colour(digit.to_digit(16)? as u8)).take(WANG_PLACES).collect()
        }
        None => id.split(',').filter_map(|number| colour(number.trim().parse().ok()?)).take(WANG_PLACES).collect(),
    }
}

/// The number that occurs most often; of several ones, the smallest.
fn most_frequent(numbers: &[u8]) -> Option<u8> {
    let count = |number: u8| numbers.iter().filter(|&&other| other == number).count();
    numbers.iter().copied().max_by_key(|&number| (count(number), std::cmp::Reverse(number)))
}

impl TiledTile {
    fn read(tile: &Element<'_>) -> Self {
        // Older versions of Tiled write the class as the type.
        let class = [tile.get("class"), tile.get("type")].into_iter().find(|class| !class.is_empty());
        let class = class.unwrap_or_default().to_owned();
        let image = tile.children.iter().rfind(|child| child.name == "image");
        let image = image.map_or(String::new(), |image| image.get("source").to_owned());
        Self { terrain: TerrainProperty::of(tile), class, image, painted: Vec::new() }
    }
}
