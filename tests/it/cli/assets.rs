//! The log about a folder of assets.

use std::fs;
use std::path::Path;

use image::{Rgba, RgbaImage};

use super::{Folder, image_count};
use crate::support::file;
use crate::support::scaled_tilesets::{self as set, in_capitals};

/// The lines that `render` logs for a folder of assets, from the name of the module on.
fn log_lines(assets: &Path) -> Vec<String> {
    let run = Folder::new().run(&format!("render figures/road --plain -o out.png --assets {}", assets.display()));
    assert_eq!(run.status, 0, "{run:?}");
    // The time, the level and the crate are left out.
    run.errors
        .lines()
        .map(|line| line.split_once("::").map_or(line, |(_, log)| log))
        .map(|log| log.split_once("::").map_or(log, |(_, log)| log).to_owned())
        .collect()
}

fn all_images() -> String {
    format!("tile_images: {} images from ", image_count())
}

#[test]
fn missing_and_unused_images_of_a_folder_are_logged() {
    let folder = Folder::new();
    let shown = folder.0.path().display();
    let image = RgbaImage::from_pixel(54, 54, Rgba([0, 90, 0, 255]));
    image.save(folder.path("l1_terrain001.png")).unwrap();
    image.save(folder.path("L1_Terain035.png")).unwrap();
    let log = log_lines(folder.0.path());
    assert_eq!(log[0], format!("asset_files: no tileset.ron in {shown}: using the embedded one"));
    let (images, embedded) = (&log[1], image_count() - 1);
    assert!(
        images.starts_with(&format!("tile_images: 1 image from {shown}, {embedded} embedded: L1_Terrain001b, ")),
        "{images}"
    );
    assert!(images.ends_with(&format!(" and {} more", embedded - 5)), "{images}");
    let typo = folder.path("L1_Terain035.png");
    assert_eq!(log[2], format!("tile_images: the tileset does not use {}", typo.display()));
    assert_eq!(log.len(), 3, "{log:?}");

    let scaled = log_lines(set::bare(64, 48).path());
    assert!(scaled[0].contains(" embedded, scaled from tiles of 54 x 54 to 64 x 48: L1_Terrain001, "), "{scaled:?}");
    let whole = log_lines(set::scaled(32, 32).path());
    assert!(whole.len() == 1 && whole[0].starts_with(&all_images()), "{whole:?}");
}

#[test]
fn two_files_of_the_same_name_cause_a_warning() {
    let folder = Folder::new();
    fs::create_dir(folder.path("tiles")).unwrap();
    let [taken, other] = ["l2_tent01.PNG", "tiles/L2_Tent01.png"].map(|name| folder.path(name));
    for path in [&taken, &other] {
        fs::copy(file("assets/tiles/L2_Tent01.png"), path).unwrap();
    }
    let expected = format!("asset_files: {} is not used: {} has the same name", other.display(), taken.display());
    assert_eq!(log_lines(folder.0.path())[0], expected);
}

#[test]
fn a_tileset_with_names_in_capitals_is_complete() {
    let capitals = in_capitals(&set::scaled(64, 64));
    let log = log_lines(capitals.path());
    assert!(log.len() == 1 && log[0].starts_with(&all_images()), "{log:?}");
}
