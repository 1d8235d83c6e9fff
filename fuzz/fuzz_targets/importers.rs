//! Files of other formats. The first byte says which.

#![no_main]

use emberwalk::fault::Faults;
use emberwalk::grid::Size;
use emberwalk::moving_ai::{LetterMap, Scenario};
use libfuzzer_sys::fuzz_target;

/// What the parser of the format that `which` stands for says of `text`; a new format is one line.
fn faults(which: u8, text: &str) -> Option<Faults> {
    match which {
        b'M' => LetterMap::parse("fuzz.map", text).err(),
        b'S' => Scenario::parse("fuzz.scen", text, Size::new(8, 8)).err(),
        _ => None,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    if let Some(faults) = faults(which, &text) {
        emberwalk_fuzz::hold(&text, &faults);
    }
});
