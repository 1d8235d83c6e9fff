//! Fuzzes the parser of tileset files.

#![no_main]

use emberwalk_map::terrain::Tileset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| if let Err(diagnostics) = Tileset::parse("tileset.ron", text) {
    emberwalk_fuzz::check_diagnostics(text, &diagnostics);
});
