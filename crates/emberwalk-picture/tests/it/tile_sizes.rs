//! Tiles of other sizes than the embedded ones.

use std::fs;
use std::path::Path;

use emberwalk_map::Map;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::paint::{PaintOptions, paint};
use emberwalk_picture::scene::{Look, projection};
use image::{Rgba, RgbaImage};

use crate::support::scaled_tilesets::{self as set, in_capitals};
use crate::support::scene_fixture::Stage;

/// The width and height of a map's picture in the classic look, as documented: a step to a neighbour is half
/// the tile's width to the side, with the width rounded down to a multiple of four, and half of that up or down.
fn picture_size(map: Size, (width, height): (u32, u32)) -> (u32, u32) {
    let steps = map.width + map.height - 2;
    (width / 4 * 2 * steps + width, width / 4 * steps + height)
}

/// The centre of a cell's ground in that picture.
fn middle(map: Size, cell: Cell, (width, height): (u32, u32)) -> (i32, i32) {
    let across = width as i32 / 4 * 2;
    let down = width as i32 / 4;
    let x = across * (cell.x + cell.y) + width as i32 / 2;
    let y = down * (cell.y - cell.x + map.width as i32 - 1) + height as i32 - (width as i32 + 3) / 4;
    (x, y)
}

fn painted(stage: &Stage, map: &Map, look: Look) -> RgbaImage {
    paint(map, stage.in_look(look), &PaintOptions::default())
}

#[test]
fn ground_tiles_of_every_size_leave_no_gaps() {
    let sizes = [(16, 16), (32, 32), (54, 54), (58, 49), (64, 32), (64, 64), (96, 96), (108, 108), (128, 96)];
    let sets = sizes.map(|size| (size, set::bare(size.0, size.1), false));
    // A scaled image may lack the last pixels of the ground, but neighbours overlap them.
    let scaled = [(32, 32), (64, 64), (96, 96), (128, 128)].map(|size| (size, set::scaled(size.0, size.1), true));
    for (size, folder, inside) in sets.into_iter().chain(scaled) {
        let stage = Stage::new(Some(folder.path()));
        let map = stage.map(&["GSD~G", "GGGSS", "~~GDD"], &["....."; 3]);
        for look in [Look::Plain, Look::Full] {
            let picture = painted(&stage, &map, look);
            let margin = if look == Look::Full { size.0 } else { 0 };
            let (width, height) = picture_size(map.size(), size);
            assert_eq!(picture.dimensions(), (width + 2 * margin, height + 2 * margin), "{size:?} {look:?}");
            let half = size.0 as i32 / 4 * 2;
            let cells = map.size().cells().filter(|cell| !inside || cell.y == 1 && (1..4).contains(&cell.x));
            for cell in cells {
                let (x, y) = middle(map.size(), cell, size);
                let own = (-half / 2..half / 2).flat_map(|dy| (-half..half).map(move |dx| (dx, dy)));
                for (dx, dy) in own.filter(|(dx, dy)| (2 * dx + 1).abs() + 2 * (2 * dy + 1).abs() < 2 * half) {
                    let at = ((x + dx + margin as i32) as u32, (y + dy + margin as i32) as u32);
                    assert_eq!(picture[at].0[3], 255, "{at:?} of {cell} at {size:?}, {look:?}");
                }
            }
        }
    }
}

#[test]
fn there_is_no_gap_between_ground_and_slab() {
    for width in [16, 30, 54, 64, 98, 128] {
        let folder = set::bare(width, width);
        let stage = Stage::new(Some(folder.path()));
        for ground in ['G', '~'] {
            let picture = painted(&stage, &stage.uniform_map(ground, Size::new(3, 4), &[]), Look::Full);
            for x in 0..picture.width() {
                let drawn = |y: &u32| picture[(x, *y)].0[3] > 0;
                let first = (0..picture.height()).find(drawn).unwrap_or(0);
                let last = (0..picture.height()).rev().find(drawn).unwrap_or(0);
                let gap = (first..last).find(|y| !drawn(y));
                assert_eq!(gap, None, "column {x} of {ground} at {width}");
            }
        }
    }
}

#[test]
fn images_of_every_size_are_aligned_as_documented() {
    const GROUND: Rgba<u8> = Rgba([10, 120, 30, 255]);
    const POST: Rgba<u8> = Rgba([250, 250, 0, 255]);
    for size in [(20, 31), (32, 48), (64, 64), (64, 32), (66, 80), (256, 512)] {
        let folder = tempfile::tempdir().unwrap();
        let (width, height) = size;
        let tileset = format!(
            r#"(
                tile: (width: {width}, height: {height}),
                terrains: [
                    (char: 'G', name: "ground", layer: base, cost: enter(1), image: "ground"),
                    (char: 'P', name: "post", layer: overlay, cost: closed, image: "post"),
                ],
            )"#
        );
        fs::write(folder.path().join("TileSet.RON"), tileset).unwrap();
        RgbaImage::from_pixel(width, height, GROUND).save(folder.path().join("Ground.png")).unwrap();
        let below = width.div_ceil(4);
        // Two pixels wide, and up to the middle of the ground, in a picture twice as wide as a tile.
        let post = RgbaImage::from_fn(2 * width, below + 6, |i, j| {
            if i.abs_diff(width - 1) + i.abs_diff(width) <= 1 && j < 6 { POST } else { Rgba([255, 0, 255, 255]) }
        });
        post.save(folder.path().join("POST.png")).unwrap();
        let stage = Stage::new(Some(folder.path()));
        let map = stage.uniform_map('G', Size::new(4, 3), &[(Cell::new(2, 1), 'P')]);
        let picture = painted(&stage, &map, Look::Plain);
        let (x, y) = middle(map.size(), Cell::new(2, 1), size);
        assert_eq!(projection(&map).centre(Cell::new(2, 1)), (x, y));
        let posts: Vec<_> = picture.enumerate_pixels().filter(|pixel| *pixel.2 == POST).collect();
        assert_eq!(posts.len(), 12, "{size:?}");
        for (i, j, _) in posts {
            assert!((x - 1..x + 1).contains(&(i as i32)) && (y - 6..y).contains(&(j as i32)), "{i},{j} at {size:?}");
        }
    }
}

#[test]
fn a_classic_tileset_with_names_in_capitals_is_drawn_the_same() {
    let small = set::scaled(64, 64);
    let capitals = in_capitals(&small);
    let [stage, other] = [&small, &capitals].map(|folder| Stage::new(Some(folder.path())));
    let map = stage.random_map(Size::new(9, 7), 3);
    assert!(painted(&stage, &map, Look::Full) == painted(&other, &other.random_map(Size::new(9, 7), 3), Look::Full));
}

#[test]
fn images_of_a_folder_are_not_mixed_with_embedded_variants() {
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, size: u32| {
        RgbaImage::from_pixel(size, size, Rgba([200, 30, 60, 255])).save(folder.path().join(name)).unwrap();
    };
    for name in
        ["L1_Terrain001.png", "L1_Terrain035.png", "L1_Terrain035c.png", "L2_ForestPine01.png", "L2_Castle01.png"]
    {
        save(name, 54);
    }
    let stage = Stage::new(Some(folder.path()));
    let map = stage.map(&["GSSSSDDDG", "GSSSSGGGD", "GSSSSGGGG"], &["FFF..2FFW", "......R..", "........."]);
    let scene = &stage.scene;
    let mut ground = std::collections::BTreeSet::new();
    for cell in map.size().cells() {
        ground.extend(stage.names(scene.ground(map.layers(), cell)));
        let borders = scene.edges(map.layers(), cell);
        assert!(stage.names(borders.images()).iter().all(|name| !name.contains("Grass") && !name.contains("Meadow")));
    }
    // The folder has a variant of snow. It has no sand, so sand keeps all embedded variants.
    let snow_and_grass = ["L1_Terrain001", "L1_Terrain035", "L1_Terrain035c"];
    assert!(snow_and_grass.iter().all(|name| ground.contains(name)), "{ground:?}");
    assert!(ground.iter().all(|name| snow_and_grass.contains(name) || name.starts_with("L1_Terrain010")), "{ground:?}");
    let standing = |x, y| stage.names(scene.standing(map.layers(), Cell::new(x, y)));
    assert_eq!(
        [standing(0, 0), standing(2, 0), standing(5, 0)],
        [["L2_ForestPine01"], ["L2_ForestPine01"], ["L2_Castle01"]]
    );
    let shadow = |name: &str| stage.assets.shadow(stage.assets.find(name).unwrap()).is_some();
    assert!(!shadow("L2_Castle01") && shadow("L2_WallStone"), "the folder's castle does not get the embedded shadow");
    // The road leads to the castle, but the embedded gate does not match the folder's castle, and is not drawn.
    assert!(!stage.names(scene.flat(map.layers(), Cell::new(6, 1)).images()).is_empty());
}

#[test]
fn every_bundled_map_is_painted_with_tiles_of_another_size() {
    let folder = set::bare(40, 36);
    let stage = Stage::new(Some(folder.path()));
    for bundled in emberwalk_map::bundled_maps() {
        let map =
            Map::open(Path::new(bundled.name), &stage.tileset).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        let picture = painted(&stage, &map, Look::Full);
        assert!(picture.pixels().filter(|pixel| pixel.0[3] == 255).count() > 10_000, "{}", bundled.name);
    }
}
