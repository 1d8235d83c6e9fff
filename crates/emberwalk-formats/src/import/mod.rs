//! Imports maps from other formats.
//!
//! ```
//! use emberwalk_formats::import::import;
//! use emberwalk_map::terrain::Tileset;
//! let tileset = Tileset::load(None)?.into();
//! let map = import("cave.txt", b"WWWWW\nWM HW\nWWWWW\n", None, &tileset)?;
//! assert_eq!((map.tent(), map.castle()), (Some((1, 1).into()), Some((3, 1).into())));
//! # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
//! ```

mod format;
mod heights;
mod moving_ai;
mod named_terrains;
mod picture;
mod text;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

pub use format::ImportFormat;
pub use heights::levels_from_picture;
pub use text::probable_walls;

use crate::foreign_file::{ForeignFile, at_first_word};
use crate::picture::{PictureWalls, WallHint};
use crate::tmx::{self, TileMapping, TiledMap};
use emberwalk_map::diagnostics::{Diagnostics, decode_map};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{Map, MapContent};
use named_terrains::NamedTerrains;

/// Imports a map from `bytes`, the content of the file that messages call `file`.
///
/// The format is detected if `format` is `None`. The map gets the name in the file, or else the name of the file; a
/// `file` in angle brackets, such as `<stdin>`, is not a file name. A Tiled map may refer to other files, relative to
/// the folder of `file`.
///
/// # Errors
/// All errors in the file. If the format is detected, also if the file is already an Emberwalk map, a file of another
/// program that cannot be imported, a text of words, or a text without a wall, hero or monster.
pub fn import(
    file: &str,
    bytes: &[u8],
    format: Option<ImportFormat>,
    tileset: &Arc<Tileset>,
) -> Result<Map, Diagnostics> {
    let options = ImportOptions { format, ..ImportOptions::default() };
    import_with(file, bytes, tileset, &options).map(|imported| Map::of_content(imported.content))
}

/// How a file is imported.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The format of the file; detected if it is `None`.
    pub format: Option<ImportFormat>,
    /// The terrains of tiles of a Tiled map.
    pub tile_mappings: Vec<TileMapping>,
    /// The characters that are walls in a text map. If it is `None`, `W` is a wall, and a text with other characters
    /// that are probably walls is an error.
    pub walls: Option<String>,
    /// Which pixels of a picture are walls.
    pub picture_walls: PictureWalls,
}

/// An imported map.
#[derive(Debug)]
pub struct Imported {
    /// The map, without its costs.
    pub content: MapContent,
    /// What the user may not expect of the walls, if the file is a picture.
    pub wall_hint: Option<WallHint>,
    /// What else the user should know, such as what is left out of a Tiled map: sentences without a full stop.
    pub notes: Vec<String>,
    /// The other files that were read, such as the tilesets of a Tiled map.
    pub other_files: Vec<PathBuf>,
}

impl From<MapContent> for Imported {
    fn from(content: MapContent) -> Self {
        Self { content, wall_hint: None, notes: Vec::new(), other_files: Vec::new() }
    }
}

/// Imports a map like [`import`], but with all options, and does not compute its costs.
///
/// # Errors
/// As for [`import`]. Also if there are mappings but the file is not a Tiled map, or if a mapping names a terrain or a
/// tileset that does not exist.
pub fn import_with(
    file: &str,
    bytes: &[u8],
    tileset: &Arc<Tileset>,
    options: &ImportOptions,
) -> Result<Imported, Diagnostics> {
    let terrains = NamedTerrains { file, tileset };
    let format = options.format.unwrap_or_else(|| ImportFormat::detect(file, bytes));
    if format != ImportFormat::Picture && options.format != Some(ImportFormat::Text) {
        let text = as_text(file, bytes)?;
        if let Some(foreign) = ForeignFile::of_text(&text).filter(|foreign| !foreign.has_parser()) {
            return Err(terrains.error(foreign.message(), &foreign.help(file)));
        }
        if format == ImportFormat::Text && text.contains("overlay:") && text.contains("base:") {
            return Err(terrains.error("this is already an Emberwalk map", "use it as it is"));
        }
    }
    if let Some(mapping) = options.tile_mappings.first().filter(|_| format != ImportFormat::Tmx) {
        let message = format!("{file} is not a Tiled map, so it has no tilesets");
        return Err(Diagnostics::of_file(&format!("--tile {mapping}"), message, None));
    }
    let content = match format {
        ImportFormat::Picture => return picture::map(&terrains, bytes, options.picture_walls),
        ImportFormat::Text => text::map(&terrains, &as_text(file, bytes)?, options)?,
        ImportFormat::MovingAi => moving_ai::map(&terrains, &as_text(file, bytes)?)?,
        ImportFormat::Tmx => {
            let map = tmx::read(file, &as_text(file, bytes)?, tileset, &options.tile_mappings)?;
            let TiledMap { content, notes, files } = map;
            return Ok(Imported { notes, other_files: files, ..content.into() });
        }
    };
    Ok(content.into())
}

/// Parses a map file like [`MapContent::parse`]. If the text is a file of another program, the error says which, and
/// what to do with it.
///
/// # Errors
/// As for [`Map::parse`].
pub fn parse_map(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<MapContent, Diagnostics> {
    match ForeignFile::of_text(source) {
        Some(foreign) => Err(at_first_word(file, source, &foreign.message(), &foreign.help(file))),
        None => MapContent::parse(file, source, tileset),
    }
}

/// The text without a byte order mark. Copies only a text with errors.
fn as_text<'a>(file: &str, bytes: &'a [u8]) -> Result<Cow<'a, str>, Diagnostics> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).into()),
        Err(_) => decode_map(file, bytes.to_vec()).map(Cow::from),
    }
}
