//! Files of other formats. The first byte says which.

#![no_main]

use std::sync::{Arc, LazyLock};

use emberwalk::diagnostics::Diagnostics;
use emberwalk::grid::Size;
use emberwalk::import::{ImportFormat, import};
use emberwalk::map::Map;
use emberwalk::moving_ai::Scenario;
use emberwalk::terrain::Tileset;
use libfuzzer_sys::fuzz_target;

static TILESET: LazyLock<Arc<Tileset>> = LazyLock::new(|| Arc::new(Tileset::load(None).expect("it is sound")));

/// What the parser of the format that `which` stands for says of `bytes`; a new format is one line.
fn faults(which: u8, bytes: &[u8]) -> Option<Diagnostics> {
    match which {
        b'M' => imported(ImportFormat::MovingAi, bytes).err(),
        b'P' => imported(ImportFormat::Picture, bytes).err(),
        b'S' => Scenario::parse("fuzz.scen", &String::from_utf8_lossy(bytes), Size::new(8, 8)).err(),
        b'T' => imported(ImportFormat::Text, bytes).err(),
        b'X' => imported(ImportFormat::Tmx, bytes).err(),
        _ => None,
    }
}

/// What becomes a map is one that can be written and read.
fn imported(format: ImportFormat, bytes: &[u8]) -> Result<(), Diagnostics> {
    let written = import("fuzz", bytes, Some(format), &TILESET)?.to_ron();
    let read = Map::parse("again.ron", &written, &TILESET).expect("what was written is a map");
    assert_eq!(read.to_ron(), written);
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    // Before the text a byte order mark is not part of it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if let Some(faults) = faults(which, bytes) {
        emberwalk_fuzz::hold(text, &faults);
    }
});
