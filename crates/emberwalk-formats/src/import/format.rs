//! Recognises the format of a file.

use std::path::Path;

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
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if is_tmx(start) {
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

/// Describes `source` if it is another program's map instead of a map file.
pub(super) fn describe_foreign_map(source: &str) -> Option<&'static str> {
    match source.as_bytes() {
        text if is_tmx(text) => Some("this is a Tiled map"),
        text if is_moving_ai(text) => Some("this is a Moving AI map"),
        _ => None,
    }
}

/// Whether `text` begins like a Tiled map.
fn is_tmx(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    [&b"<?xml"[..], b"<!DOCTYPE", b"<!--", b"<map"].iter().any(|opening| start.starts_with(opening))
}

/// Whether `text` begins like a Moving AI map.
fn is_moving_ai(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start().strip_prefix(b"type");
    rest.is_some_and(|rest| rest.starts_with(b" ") || rest.starts_with(b"\t"))
}
