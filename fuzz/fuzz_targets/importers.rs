//! Fuzzes the parsers of other formats. The first byte of the input selects the format.

#![no_main]

use std::sync::{Arc, LazyLock};

use emberwalk_formats::import::{ImportFormat, import};
use emberwalk_formats::moving_ai::Scenario;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::Size;
use libfuzzer_sys::fuzz_target;

static TILESET: LazyLock<Arc<Tileset>> = LazyLock::new(|| Arc::new(Tileset::load(None).expect("it is valid")));

/// The diagnostics of the parser that `format` selects. A new format is one line.
fn diagnostics(format: u8, bytes: &[u8]) -> Option<Diagnostics> {
    match format {
        b'M' => import_and_parse_again(ImportFormat::MovingAi, bytes).err(),
        b'P' => import_and_parse_again(ImportFormat::Picture, bytes).err(),
        b'S' => Scenario::parse("fuzz.scen", &String::from_utf8_lossy(bytes), Size::new(8, 8)).err(),
        b'T' => import_and_parse_again(ImportFormat::Text, bytes).err(),
        b'X' => import_and_parse_again(ImportFormat::Tmx, bytes).err(),
        _ => None,
    }
}

/// Imports `bytes`, and checks that the map can be written and parsed again.
fn import_and_parse_again(format: ImportFormat, bytes: &[u8]) -> Result<(), Diagnostics> {
    let written = import("fuzz", bytes, Some(format), &TILESET)?.to_ron();
    let parsed = Map::parse("again.ron", &written, &TILESET).expect("the written text is a map");
    assert_eq!(parsed.to_ron(), written);
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&format, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    // A byte order mark is not part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if let Some(diagnostics) = diagnostics(format, bytes) {
        emberwalk_fuzz::check_diagnostics(text, &diagnostics);
    }
});
