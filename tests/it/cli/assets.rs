//! What the program logs about a folder of assets.

use std::fs;
use std::path::Path;

use image::{Rgba, RgbaImage};

use super::run_in;
use crate::scaled_tilesets as set;
use crate::support::file;
use crate::tile_sizes::in_capitals;

/// What `render` says of a folder, a line each, without the prefix of time, level and module.
fn told(folder: &Path) -> Vec<String> {
    let out = tempfile::tempdir().unwrap();
    let args = ["render", "figures/road", "--plain", "-o", "out.png", "--assets", folder.to_str().unwrap()];
    let output = run_in(out.path(), &args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && out.path().join("out.png").exists(), "{said}");
    said.lines().map(|line| line.split_once("emberwalk::terrain::").map_or(line, |(_, said)| said).to_owned()).collect()
}

#[test]
fn what_a_folder_lacks_is_told_and_what_nobody_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().display().to_string();
    let image = RgbaImage::from_pixel(54, 54, Rgba([0, 90, 0, 255]));
    image.save(folder.path().join("l1_terrain001.png")).unwrap();
    image.save(folder.path().join("L1_Terain035.png")).unwrap();
    let said = told(folder.path());
    assert_eq!(said[0], format!("asset_files: no tileset.ron in {shown}: using the embedded one"));
    let (own, others) = said[1].split_once(" images are from ").unwrap();
    assert_eq!(own, "tile_images: 1");
    assert!(others.starts_with(&format!("{shown}, 585 others are the embedded ones: L1_Terrain001b, ")), "{others}");
    assert!(others.ends_with(" and 580 more"), "{others}");
    let typo = folder.path().join("L1_Terain035.png").display().to_string();
    assert_eq!(said[2], format!("tile_images: the tileset does not use {typo}"));
    assert_eq!(said.len(), 3, "{said:?}");

    let scaled = told(set::bare(64, 48).path());
    assert!(
        scaled[0].contains("the embedded ones, scaled from tiles of 54 x 54 to 64 x 48: L1_Terrain001, "),
        "{scaled:?}"
    );
    let whole = told(set::scaled(32, 32).path());
    assert!(whole.len() == 1 && whole[0].starts_with("tile_images: all 586 images are from "), "{whole:?}");
}

#[test]
fn of_two_files_of_one_name_it_warns() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tiles")).unwrap();
    let [taken, other] = ["l2_tent01.PNG", "tiles/L2_Tent01.png"].map(|name| folder.path().join(name));
    let tent = file("assets/tiles/L2_Tent01.png");
    fs::copy(&tent, &taken).unwrap();
    fs::copy(&tent, &other).unwrap();
    let expected = format!("asset_files: {} is not used: {} has the same name", other.display(), taken.display());
    assert_eq!(told(folder.path())[0], expected);
}

#[test]
fn a_tileset_in_capitals_lacks_no_image() {
    let capitals = in_capitals(&set::scaled(64, 64));
    let said = told(capitals.path());
    assert!(said.len() == 1 && said[0].starts_with("tile_images: all 586 images are from "), "{said:?}");
}
