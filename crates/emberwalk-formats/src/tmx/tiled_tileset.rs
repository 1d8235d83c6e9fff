//! Reads the tiles of a Tiled tileset: only what can tell their terrain.

use std::collections::HashMap;
use std::ops::Range;

use super::properties::{TERRAIN, text_properties};
use super::xml::{Element, XmlError};

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
    /// The tiles with their own properties, class or image, by id.
    pub tiles: HashMap<u32, TiledTile>,
}

/// A tile of a tileset.
#[derive(Default)]
pub(super) struct TiledTile {
    /// Its property `terrain`.
    pub terrain: Option<String>,
    pub class: String,
    /// The file of its image.
    pub image: String,
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
        let [source, name] = ["source", "name"].map(|attribute| tileset.get(attribute).to_owned());
        Ok(Self { place: tileset.place.clone(), first_id, source, name, tiles })
    }
}

impl TiledTile {
    fn read(tile: &Element<'_>) -> Self {
        // Older versions of Tiled write the class as the type.
        let class = [tile.get("class"), tile.get("type")].into_iter().find(|class| !class.is_empty());
        let mut read = Self { class: class.unwrap_or_default().to_owned(), ..Self::default() };
        for child in &tile.children {
            match child.name.as_str() {
                "properties" => {
                    let terrain = text_properties(child).filter(|(name, _)| name.eq_ignore_ascii_case(TERRAIN)).last();
                    read.terrain = terrain.map(|(_, value)| value).or(read.terrain);
                }
                _ => child.get("source").clone_into(&mut read.image),
            }
        }
        read
    }
}
