//! Fuzzes the parsers of other formats. The first byte of the input selects the format.

#![no_main]

use std::sync::{Arc, LazyLock};

use emberwalk_formats::import::{ImportFormat, import};
use emberwalk_formats::moving_ai::Scenario;
use emberwalk_formats::parse_plan;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::Size;
use libfuzzer_sys::fuzz_target;

static TILESET: LazyLock<Arc<Tileset>> = LazyLock::new(|| Arc::new(Tileset::load(None).expect("it is valid")));

/// A Tiled map with an object of a template.
const WITH_TEMPLATE: &[u8] = br#"<map orientation="orthogonal" width="2" height="1" tilewidth="32" tileheight="32">
<tileset firstgid="1" name="land" tilewidth="32" tileheight="32" tilecount="1" columns="1"><tile id="0" type="Grass"/></tileset>
<layer width="2" height="1"><data encoding="csv">1,1</data></layer>
<objectgroup><object template="object.tx" x="32" y="32"/></objectgroup></map>"#;

/// The diagnostics of the parser that `format` selects. A new format is one line.
fn diagnostics(format: u8, bytes: &[u8]) -> Option<Diagnostics> {
    match format {
        b'L' => parse_plan("fuzz.plan", &String::from_utf8_lossy(bytes)).err(),
        b'M' => import_and_parse_again(ImportFormat::MovingAi, bytes).err(),
        b'O' => {
            import_template(bytes);
            None
        }
        b'P' => import_and_parse_again(ImportFormat::Picture, bytes).err(),
        b'S' => Scenario::parse("fuzz.scen", &String::from_utf8_lossy(bytes), Size::new(8, 8)).err(),
        b'T' => import_and_parse_again(ImportFormat::Text, bytes).err(),
        b'X' => import_and_parse_again(ImportFormat::Tmx, bytes).err(),
        _ => None,
    }
}

/// Imports a map with an object of the template `bytes`. Diagnostics would have places in the map.
fn import_template(bytes: &[u8]) {
    let folder = std::env::temp_dir().join(format!("emberwalk-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join("object.tx"), bytes).expect("the template can be written");
    let map = folder.join("map.tmx").display().to_string();
    let _ = import(&map, WITH_TEMPLATE, Some(ImportFormat::Tmx), &TILESET);
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
