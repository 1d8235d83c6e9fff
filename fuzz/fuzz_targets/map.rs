//! Map files.

#![no_main]

use std::sync::{Arc, LazyLock};

use emberwalk::map::Map;
use emberwalk::terrain::Tileset;
use libfuzzer_sys::fuzz_target;

static TILESET: LazyLock<Arc<Tileset>> = LazyLock::new(|| Arc::new(Tileset::load(None).expect("it is sound")));

fuzz_target!(|text: &str| match Map::parse("fuzz.ron", text, &TILESET) {
    Ok(map) => {
        // What is written reads back as the same map.
        let written = map.to_ron();
        let again = Map::parse("again.ron", &written, &TILESET).expect("what was written is a map");
        assert_eq!((again.size(), again.to_ron()), (map.size(), written));
    }
    Err(faults) => emberwalk_fuzz::hold(text, &faults),
});
