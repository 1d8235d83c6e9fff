//! Tileset files.

#![no_main]

use emberwalk::terrain::Tileset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| if let Err(faults) = Tileset::parse("tileset.ron", text) {
    emberwalk_fuzz::hold(text, &faults);
});
