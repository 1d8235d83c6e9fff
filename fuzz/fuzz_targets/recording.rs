//! Fuzzes the parser of recordings, and plays their first seconds.

#![no_main]

use std::sync::{Arc, LazyLock};

use emberwalk_map::terrain::Tileset;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{Recording, Timeline};
use libfuzzer_sys::fuzz_target;

static TILESET: LazyLock<Arc<Tileset>> = LazyLock::new(|| Arc::new(Tileset::load(None).expect("it is valid")));

fuzz_target!(|text: &str| {
    let Ok(recording) = Recording::parse(text) else { return };
    // What is written is the same when it is read.
    let written = recording.to_ron();
    let again = Recording::parse(&written).expect("the written text is a recording");
    assert_eq!(again.to_ron(), written);
    if let Ok(mut timeline) = Timeline::of(recording, &TILESET) {
        timeline.go_to(CrowdTime::from_whole_seconds(3));
        timeline.go_to(CrowdTime::SECOND);
    }
});
