//! Fuzzes the parser of map files.

#![no_main]

use std::sync::{Arc, LazyLock};

use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use libfuzzer_sys::fuzz_target;

static TILESET: LazyLock<Arc<Tileset>> = LazyLock::new(|| Arc::new(Tileset::load(None).expect("it is valid")));

fuzz_target!(|text: &str| match Map::parse("fuzz.ron", text, &TILESET) {
    Ok(map) => {
        // Parsing the written text gives the same map.
        let written = map.to_ron();
        let again = Map::parse("again.ron", &written, &TILESET).expect("the written text is a map");
        assert_eq!((again.size(), again.to_ron()), (map.size(), written));
    }
    Err(diagnostics) => emberwalk_fuzz::check_diagnostics(text, &diagnostics),
});
