//! The tile images: which are needed, where they are found, and the diagnostics of invalid images.

use std::fs;
use std::path::Path;

use emberwalk_map::terrain::Tileset;
use emberwalk_picture::tiles::TileImages;
use image::{Rgba, RgbaImage};

use crate::support::{file, tileset};

fn load(folder: Option<&Path>) -> TileImages {
    TileImages::load(&tileset(), folder).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))
}

fn messages(tileset: &Tileset, folder: &Path) -> Vec<String> {
    let diagnostics = TileImages::load(tileset, Some(folder)).unwrap_err();
    assert!(
        diagnostics.list().iter().all(|diagnostic| diagnostic.location.is_some()),
        "each has the place where the tileset mentions the image"
    );
    diagnostics.list().iter().map(|diagnostic| diagnostic.message.clone()).collect()
}

#[test]
fn every_image_of_the_tileset_is_embedded() {
    let assets = load(None);
    let find = |name: &str| assets.find(name).unwrap_or_else(|| panic!("{name}"));
    for id in
        ["L1_Terrain001", "l1_terrain001", "L2_ROADDIRTEW", "L2_WallStone", "L4_TravellerSE3", "L9_Cursor"].map(find)
    {
        assert!(assets.image(id).pixels().any(|pixel| pixel.0[3] > 0), "{}", assets.name(id));
    }
    assert_eq!(assets.name(find("l2_roaddirtew")), "L2_RoadDirtEW");
    assert_eq!(assets.shadow(find("L2_Castle01")), assets.find("L2_Castle01_sh"));
    assert!(assets.shadow(find("L2_Castle01")).is_some());
    assert_eq!(assets.lamps(find("L2_Castle01")), assets.find("L2_Castle01_lit"));
    assert!(assets.lamps(find("L2_Castle01")).is_some() && assets.lamps(find("L2_Well01")).is_none());
    let shut = find("L2_GateEW_shut");
    assert_eq!(assets.shut(find("L2_GateEW")), [shut]);
    assert_eq!(assets.shadow(shut), assets.find("L2_GateEW_shut_sh"));
    assert_eq!(assets.shut(find("L2_WallStoneEW")), []);
    assert_eq!(assets.shadow(find("L1_Terrain001")), None);
    assert_eq!(assets.second_shape(find("L1_EdgeGrassN")), assets.find("L1_EdgeGrassNb"));
    assert!(assets.second_shape(find("L1_EdgeGrassN")).is_some());
    assert_eq!(assets.find("no such image"), None);
}

#[test]
fn no_pixel_of_the_key_colour_is_drawn() {
    for image in load(None).images() {
        assert!(image.pixels().all(|pixel| pixel.0[3] == 0 || pixel.0[..3] != [255, 0, 255]));
    }
}

#[test]
fn every_image_in_the_repository_is_used() {
    let assets = load(None);
    for entry in fs::read_dir(file("assets/tiles")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let png = path.extension().is_some_and(|ending| ending == "png");
        assert!(!png || assets.find(name).is_some(), "{name}");
    }
}

#[test]
fn a_gate_of_the_folder_never_gets_an_embedded_image_for_when_it_is_shut() {
    let folder = tempfile::tempdir().unwrap();
    RgbaImage::new(54, 54).save(folder.path().join("L2_GateEW.png")).unwrap();
    let assets = load(Some(folder.path()));
    let shut = |name: &str| assets.shut(assets.find(name).unwrap()).len();
    assert_eq!((shut("L2_GateEW"), shut("L2_GateNS")), (0, 1));
    RgbaImage::new(54, 54).save(folder.path().join("L2_GateEW_shut.png")).unwrap();
    let assets = load(Some(folder.path()));
    assert_eq!(assets.shut(assets.find("L2_GateEW").unwrap()).len(), 1);
}

#[test]
fn a_folder_replaces_some_images_and_the_others_stay_embedded() {
    let folder = tempfile::tempdir().unwrap();
    let blue = RgbaImage::from_pixel(54, 54, Rgba([0, 0, 200, 255]));
    fs::create_dir(folder.path().join("tiles")).unwrap();
    blue.save(folder.path().join("tiles/l1_TERRAIN001.png")).unwrap();
    blue.save(folder.path().join("L1_Terrain035.png")).unwrap();
    fs::rename(folder.path().join("L1_Terrain035.png"), folder.path().join("L1_Terrain035.PNG")).unwrap();
    fs::write(folder.path().join("notes.txt"), "not an image").unwrap();
    let assets = load(Some(folder.path()));
    let own = load(None);
    for name in ["L1_Terrain001", "L1_Terrain035"] {
        assert_eq!(*assets.image(assets.find(name).unwrap()), blue, "{name}");
    }
    assert_eq!(assets.images().len(), own.images().len());
    let same = |name: &str| assets.image(assets.find(name).unwrap()) == own.image(own.find(name).unwrap());
    assert!(same("L1_Terrain010") && !same("L1_Terrain001"));
}

#[test]
fn names_that_differ_only_in_case_resolve_the_same_on_every_platform() {
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, shade: u8| {
        let path = folder.path().join(name);
        let mut bytes = std::io::Cursor::new(Vec::new());
        let image = RgbaImage::from_pixel(54, 54, Rgba([shade, shade, shade, 255]));
        image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        fs::write(path, bytes.into_inner()).unwrap();
    };
    fs::create_dir(folder.path().join("tiles")).unwrap();
    for (name, shade) in [
        ("l1_terrain001.png", 1),
        ("L1_TERRAIN001.PNG", 2),
        ("L1_Terrain001.png", 3),
        ("tiles/L1_TERRAIN001.PNG", 4),
        ("tiles/L1_TERRAIN035.png", 5),
        ("zoo.png", 6),
    ] {
        save(name, shade);
    }
    let assets = load(Some(folder.path()));
    let shade = |name: &str| assets.image(assets.find(name).unwrap()).get_pixel(27, 40).0[0];
    // On a file system that ignores case, the last of the three has replaced the others.
    let one = fs::read_dir(folder.path()).unwrap().count() == 3;
    assert_eq!(
        shade("L1_Terrain001"),
        if one { 3 } else { 2 },
        "capitals before small letters, the folder before `tiles`"
    );
    assert_eq!(shade("L1_Terrain035"), 5);
}

#[test]
fn every_invalid_image_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, width, height| RgbaImage::new(width, height).save(folder.path().join(name)).unwrap();
    save("L1_Terrain001.png", 54, 55);
    save("L2_Castle01.png", 218, 54);
    save("L2_Tent01.png", 53, 54);
    save("L2_Tombstone01.png", 216, 216);
    fs::write(folder.path().join("L1_Terrain035.png"), "no image at all").unwrap();
    fs::write(folder.path().join("L1_Terrain010.png"), "").unwrap();
    fs::create_dir(folder.path().join("L1_Water01.png")).unwrap();
    let messages = messages(&tileset(), folder.path());
    assert_eq!(messages.len(), 6, "{messages:?}");
    let has = |start: &str| {
        let start = folder.path().join(start).display().to_string();
        messages.iter().any(|message| message.starts_with(&start))
    };
    assert!(has("L1_Terrain001.png has 54 x 55 pixels, but a tile has 54 x 54"), "{messages:?}");
    assert!(has("L2_Castle01.png has 218 x 54 pixels, but at most 216 x 216 are allowed"), "{messages:?}");
    assert!(has("L2_Tent01.png is 53 pixels wide, but the width must be even"), "{messages:?}");
    assert!(has("L1_Terrain035.png cannot be read as a PNG: "), "{messages:?}");
    assert!(has("L1_Terrain010.png cannot be read as a PNG: "), "{messages:?}");
    assert!(has("L1_Water01.png cannot be read: "), "{messages:?}");
}

#[cfg(unix)]
#[test]
fn a_named_pipe_instead_of_a_png_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("L1_Terrain001.png")).status();
    if made.is_ok_and(|status| status.success()) {
        let messages = messages(&tileset(), folder.path());
        assert!(
            messages.len() == 1
                && messages[0].ends_with("L1_Terrain001.png cannot be read: this is not a regular file"),
            "{messages:?}"
        );
    }
}

#[test]
fn a_png_that_claims_to_be_60000_pixels_wide_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("L1_Terrain001.png");
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0".to_vec();
    bytes.extend(crc(&bytes[12..]).to_be_bytes());
    bytes.extend(b"\0\0\0\0IEND\xae\x42\x60\x82");
    fs::write(path, bytes).unwrap();
    let messages = messages(&tileset(), folder.path());
    let start = format!("{} cannot be read as a PNG: ", folder.path().join("L1_Terrain001.png").display());
    assert!(messages.len() == 1 && messages[0].starts_with(&start), "{messages:?}");
}

/// The checksum of a PNG chunk.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[test]
fn every_missing_image_is_reported() {
    let source = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let source = source.replace("\"L2_WallStone\"", "\"L2_Wall\"").replace("\"L9_Cursor\"", "\"L9_Pointer\"");
    let tileset = Tileset::parse("tileset.ron", &source).unwrap();
    let diagnostics = TileImages::load(&tileset, None).unwrap_err();
    assert_eq!(diagnostics.list().len(), 17, "sixteen walls and a pointer");
    assert_eq!(diagnostics.list()[0].message, "there is no image L2_Wall.png");
    assert_eq!(&source[diagnostics.list()[0].location.as_ref().unwrap().span.clone()], "\"L2_Wall\"");
}

#[test]
fn a_missing_folder_is_reported() {
    let diagnostics = TileImages::load(&tileset(), Some(&file("no/such/folder"))).unwrap_err();
    assert_eq!(diagnostics.list()[0].message, "there is no such folder");
    let diagnostics = Tileset::load(Some(&file("Cargo.toml"))).unwrap_err();
    assert_eq!(diagnostics.list()[0].message, "this is a file, not a folder");
}

#[test]
fn pixels_above_the_ground_are_drawn_in_tilemaps() {
    let bundled = load(None);
    for name in ["L1_Terrain001", "L2_RoadDirt", "L2_BridgeWood"] {
        let image = bundled.image(bundled.find(name).unwrap());
        let first = image.enumerate_pixels().find(|(_, _, pixel)| pixel.0[3] > 0).unwrap();
        assert!(bundled.top_of_tiles() <= first.1, "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut grass = bundled.image(bundled.find("L1_Terrain001").unwrap()).clone();
    grass.put_pixel(27, 3, Rgba([9, 9, 9, 255]));
    grass.save(folder.path().join("L1_Terrain001.png")).unwrap();
    assert_eq!(load(Some(folder.path())).top_of_tiles(), 3);
}
