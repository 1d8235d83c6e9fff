//! Recognises the format of a file.

use std::path::Path;

use crate::foreign_file::{is_moving_ai, xml_root};

/// The length of the beginning of a file by which its format is detected, in bytes.
const BEGINNING: usize = 1 << 12;

/// The formats that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    /// A text map: `W` is a wall, `H` the hero, `M` the monster, anything else is empty.
    Text,
    /// A Moving AI map.
    MovingAi,
    /// A black and white picture.
    Picture,
    /// A Tiled map.
    Tmx,
}

impl ImportFormat {
    /// Detects the format of a file by its content, or by its extension if the content is ambiguous.
    pub fn detect(file: &str, bytes: &[u8]) -> Self {
        let is_text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
        if !is_text && image::guess_format(bytes).is_ok() {
            return Self::Picture;
        }
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(BEGINNING)]);
        let start = start.strip_prefix('\u{feff}').unwrap_or(&start);
        if xml_root(start).is_some() {
            return Self::Tmx;
        }
        if is_moving_ai(start) {
            return Self::MovingAi;
        }
        Self::of_extension(file.as_ref()).unwrap_or(Self::Text)
    }

    /// The format of files with the extension of `file`; `None` if no format has it.
    pub fn of_extension(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_string_lossy().to_lowercase();
        Some(match extension.as_str() {
            "tmx" | "tsx" | "xml" => Self::Tmx,
            "map" => Self::MovingAi,
            "png" | "bmp" | "gif" | "jpg" | "jpeg" => Self::Picture,
            "txt" => Self::Text,
            _ => return None,
        })
    }
}
