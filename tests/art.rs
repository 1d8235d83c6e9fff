//! The pictures in `assets/tiles/` are those that `examples/draw_tiles` draws, and there are no others.

#[path = "../examples/draw_tiles/art/mod.rs"]
mod art;

use image::RgbaImage;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Maths libraries differ in the last digit, which a rounded channel may show.
const TOLERANCE: u8 = 2;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/tiles")
}

fn alike(drawn: &RgbaImage, stored: &RgbaImage) -> bool {
    drawn.dimensions() == stored.dimensions()
        && drawn.iter().zip(stored.iter()).all(|(a, b)| a.abs_diff(*b) <= TOLERANCE)
}

#[test]
fn every_tile_is_as_the_generator_draws_it() {
    let mut stored: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the folder of tiles can be read")
        .map(|entry| entry.expect("its entries too").file_name().to_string_lossy().into_owned())
        .collect();
    let mut wrong = Vec::new();
    for (name, drawn) in art::draw_all() {
        let file = format!("{name}.png");
        stored.remove(&file);
        match image::open(folder().join(&file)) {
            Ok(image) if alike(&drawn, &image.to_rgba8()) => {}
            Ok(_) => wrong.push(format!("{file} differs")),
            Err(error) => wrong.push(format!("{file}: {error}")),
        }
    }
    wrong.extend(stored.into_iter().map(|file| format!("{file} is drawn by nobody")));
    assert!(wrong.is_empty(), "draw the tiles again and look at them:\n{}", wrong.join("\n"));
}
