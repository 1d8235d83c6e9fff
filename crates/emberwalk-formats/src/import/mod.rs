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
use std::sync::Arc;

pub use format::ImportFormat;
pub use heights::levels_from_picture;

use crate::tmx::{self, TileMapping};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics, IMPORT_HELP, decode_text};
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
/// All errors in the file. If the format is detected, also if the file is already an Emberwalk map, a Tiled map in
/// JSON, or a text without a wall, hero or monster.
pub fn import(
    file: &str,
    bytes: &[u8],
    format: Option<ImportFormat>,
    tileset: &Arc<Tileset>,
) -> Result<Map, Diagnostics> {
    import_with(file, bytes, format, tileset, &[]).map(Map::of_content)
}

/// Imports a map like [`import`], but does not compute its costs. `tile_mappings` maps tiles of a Tiled map to
/// terrains.
///
/// # Errors
/// As for [`import`]. Also if there are mappings but the file is not a Tiled map, or if a mapping names a terrain or a
/// tileset that does not exist.
pub fn import_with(
    file: &str,
    bytes: &[u8],
    format: Option<ImportFormat>,
    tileset: &Arc<Tileset>,
    tile_mappings: &[TileMapping],
) -> Result<MapContent, Diagnostics> {
    let terrains = NamedTerrains { file, tileset };
    let detected = ImportFormat::detect(file, bytes);
    if format.is_none() && detected == ImportFormat::Text {
        let text = as_text(file, bytes)?;
        if let Some((message, help)) = not_a_text_map(&text) {
            return Err(terrains.error(message, help));
        }
    }
    let is_asked_for = format.is_some();
    let format = format.unwrap_or(detected);
    if let Some(mapping) = tile_mappings.first().filter(|_| format != ImportFormat::Tmx) {
        let message = format!("{file} is not a Tiled map, so it has no tilesets");
        return Err(Diagnostics::of_file(&format!("--tile {mapping}"), message, None));
    }
    match format {
        ImportFormat::Picture => picture::map(&terrains, bytes),
        ImportFormat::Text => text::map(&terrains, &as_text(file, bytes)?, is_asked_for),
        ImportFormat::MovingAi => moving_ai::map(&terrains, &as_text(file, bytes)?),
        ImportFormat::Tmx => tmx::read(file, &as_text(file, bytes)?, tileset, tile_mappings),
    }
}

/// Parses a map file like [`MapContent::parse`]. If the text is another program's map, the error explains how to import
/// it.
///
/// # Errors
/// As for [`Map::parse`].
pub fn parse_map(file: &str, source: &str, tileset: &Arc<Tileset>) -> Result<MapContent, Diagnostics> {
    if let Some(message) = format::describe_foreign_map(source) {
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let first_word = source.split_ascii_whitespace().next().unwrap_or_default();
        diagnostics.add(first_word, message, IMPORT_HELP.to_owned());
        diagnostics.finish()?;
    }
    MapContent::parse(file, source, tileset)
}

/// A message and help for a text that is known to be something other than a text map.
fn not_a_text_map(text: &str) -> Option<(&'static str, &'static str)> {
    if text.contains("overlay:") && text.contains("base:") {
        return Some(("this is already an Emberwalk map", "use it as it is"));
    }
    let json = text.trim_start().starts_with('{') && text.contains("\"layers\"");
    json.then_some(("this is a Tiled map in JSON", "in Tiled choose File > Export As, and a name that ends in .tmx"))
}

/// The text without a byte order mark. Copies only a text with errors.
fn as_text<'a>(file: &str, bytes: &'a [u8]) -> Result<Cow<'a, str>, Diagnostics> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).into()),
        Err(_) => decode_text(file, bytes.to_vec()).map(Cow::from),
    }
}
