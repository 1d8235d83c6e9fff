//! Folders with tilesets whose tiles have another size than the embedded ones.

use std::fs;

use crate::file;
use image::imageops::{FilterType, resize};
use tempfile::TempDir;

/// A folder with a tileset of this tile size, and without images.
pub fn bare(width: u32, height: u32) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let source = fs::read_to_string(file("assets/tileset.ron")).expect("the tileset can be read");
    let tile = |width, height| format!("tile: (width: {width}, height: {height})");
    let other = source.replace(&tile(54, 54), &tile(width, height));
    assert!(other != source || (width, height) == (54, 54), "the tileset has a tile size");
    fs::write(folder.path().join("tileset.ron"), other).expect("a file can be written");
    folder
}

/// A folder with a tileset of this tile size and all images, scaled without filtering.
pub fn scaled(width: u32, height: u32) -> TempDir {
    let folder = bare(width, height);
    fs::create_dir(folder.path().join("tiles")).expect("a folder can be made");
    for entry in fs::read_dir(file("assets/tiles")).expect("the tiles can be listed") {
        let path = entry.expect("they can be listed").path();
        let picture = image::open(&path).expect("a tile is a picture").to_rgba8();
        // Images of standing things have an even width.
        let size = ((picture.width() * width / 54).next_multiple_of(2), picture.height() * height / 54);
        let name = path.file_name().expect("a file has a name");
        let larger = resize(&picture, size.0, size.1.max(1), FilterType::Nearest);
        larger.save(folder.path().join("tiles").join(name)).expect("a picture can be saved");
    }
    folder
}

/// A folder with the images of `small`, with names in capitals, and not in the folder `tiles`.
pub fn in_capitals(small: &TempDir) -> TempDir {
    let capitals = bare(64, 64);
    for entry in fs::read_dir(small.path().join("tiles")).expect("the tiles can be listed") {
        let path = entry.expect("they can be listed").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a tile has a name").to_uppercase();
        fs::copy(&path, capitals.path().join(name)).expect("a picture can be copied");
    }
    capitals
}
