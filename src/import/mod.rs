//! Maps of other formats, made into maps of the program's own.
//!
//! ```
//! use emberwalk::import::import;
//! use emberwalk::terrain::Tileset;
//! let tileset = Tileset::load(None)?.into();
//! let map = import("cave.txt", b"WWWWW\nWM HW\nWWWWW\n", None, &tileset)?;
//! assert_eq!((map.tent(), map.castle()), (Some((1, 1).into()), Some((3, 1).into())));
//! # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
//! ```

mod moving_ai;
mod named_terrains;
mod picture;
mod text;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use named_terrains::NamedTerrains;

use crate::diagnostics::{Diagnostics, decode_text};
use crate::map::{Map, is_moving_ai, is_tiled};
use crate::terrain::Tileset;
use crate::tmx::{self, TileMapping};

/// What a file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    /// A text map: `W` wall, `H` hero, `M` monster, anything else empty.
    Text,
    /// A map of the Moving AI benchmarks.
    MovingAi,
    /// A black and white picture.
    Picture,
    /// A map of the Tiled editor.
    Tmx,
}

impl ImportFormat {
    /// What a file of this name and content is: its content decides, and where that says nothing its ending.
    pub fn detect(file: &str, bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
        if !text && image::guess_format(bytes).is_ok() {
            return Self::Picture;
        }
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if is_tiled(start) {
            return Self::Tmx;
        }
        if is_moving_ai(start) {
            return Self::MovingAi;
        }
        let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("tmx" | "tsx" | "xml") => Self::Tmx,
            Some("map") => Self::MovingAi,
            Some("png" | "bmp" | "gif" | "jpg" | "jpeg") => Self::Picture,
            _ => Self::Text,
        }
    }
}

/// Makes a map of `bytes`, the file that the user knows as `file`, of that format or else of the one that it looks like.
/// The map is called after the file, unless it says a name itself. A map for Tiled may need other files: these are looked
/// for from the folder of `file`.
///
/// # Errors
/// Every fault of the file; without a format also that it is a map of the program's own, or one for Tiled in JSON.
pub fn import(
    file: &str,
    bytes: &[u8],
    format: Option<ImportFormat>,
    tileset: &Arc<Tileset>,
) -> Result<Map, Diagnostics> {
    import_with(file, bytes, format, tileset, &[])
}

/// As [`import`], where tiles of a map for Tiled are what `listed` says.
///
/// # Errors
/// As [`import`].
pub fn import_with(
    file: &str,
    bytes: &[u8],
    format: Option<ImportFormat>,
    tileset: &Arc<Tileset>,
    listed: &[TileMapping],
) -> Result<Map, Diagnostics> {
    let terrains = NamedTerrains::new(file, tileset);
    let guessed = ImportFormat::detect(file, bytes);
    if format.is_none() && guessed == ImportFormat::Text {
        let text = as_text(file, bytes)?;
        if let Some((what, help)) = elsewhere(&text) {
            return Err(terrains.error(what, help));
        }
    }
    match format.unwrap_or(guessed) {
        ImportFormat::Picture => picture::map(&terrains, bytes),
        ImportFormat::Text => text::map(&terrains, &as_text(file, bytes)?),
        ImportFormat::MovingAi => moving_ai::map(&terrains, &as_text(file, bytes)?),
        ImportFormat::Tmx => tmx::read_with(file, &as_text(file, bytes)?, tileset, listed),
    }
}

/// What to say of a text that would make a text map, as any does, but is known to mean something else.
fn elsewhere(text: &str) -> Option<(&'static str, &'static str)> {
    if text.contains("overlay:") && text.contains("base:") {
        return Some(("this is a map of the program's own already", "use it as it is"));
    }
    let json = text.trim_start().starts_with('{') && text.contains("\"layers\"");
    json.then_some((
        "this is a map for Tiled in JSON",
        "in Tiled choose File > Export As, and a name that ends in .tmx",
    ))
}

/// The text without a byte order mark; a copy only of what is faulty.
fn as_text<'a>(file: &str, bytes: &'a [u8]) -> Result<Cow<'a, str>, Diagnostics> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).into()),
        Err(_) => decode_text(file, bytes.to_vec()).map(Cow::from),
    }
}
