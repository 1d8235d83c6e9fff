//! Exported Tiled maps look the same in Tiled, and importing them gives the same map.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use emberwalk_formats::import::import;
use emberwalk_formats::tmx::{Export, export};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{Map, MapContent, bundled_maps};
use emberwalk_picture::paint::{self, paint};
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages;
use image::RgbaImage;
use proptest::prelude::*;

use crate::support::{Random, map, tileset};

fn assets() -> TileImages {
    TileImages::load(&tileset(), None).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))
}

fn exported(map: &Map) -> Export {
    thread_local! { static ASSETS: TileImages = assets(); }
    ASSETS.with(|assets| export(map, assets, "out"))
}

fn back(text: &str) -> Map {
    import("out.tmx", text.as_bytes(), None, &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))
}

#[test]
fn every_bundled_map_survives_export_and_import() {
    for bundled in bundled_maps() {
        let mut map = Map::parse(bundled.name, bundled.source, &tileset()).unwrap();
        assert_eq!(back(&exported(&map).text).to_ron(), map.to_ron(), "{}", bundled.name);
        map.erupt_all();
        assert_eq!(back(&exported(&map).text).to_ron(), map.to_ron(), "{}, erupting", bundled.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_maps_survive_export_and_import(
        seed in any::<u64>(), width in 1..20usize, height in 1..20usize, name in any::<String>(),
        about in proptest::option::of(any::<String>()),
    ) {
        let mut random = Random(seed);
        let (base, overlay) = random.rows(width, height);
        let rows = map(&base, &overlay);
        let (base, overlay) = (rows.base().clone(), rows.overlay().clone());
        let map = Map::of_content(MapContent::from_layers(name, about, &tileset(), base, overlay).unwrap());
        let back = back(&exported(&map).text);
        prop_assert_eq!(back.to_ron(), map.to_ron());
        prop_assert_eq!((back.name(), back.about()), (map.name(), map.about()));
        let written = Map::parse("a.ron", &back.to_ron(), &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
        prop_assert_eq!((written.name(), written.about()), (map.name(), map.about()));
    }
}

#[test]
fn changes_made_in_tiled_are_imported() {
    let before = map(&["GGG", "GGG"], &["1..", "..2"]);
    let text = exported(&before).text;
    let wall = tileset().iter().position(|(_, terrain)| terrain.char == 'W').unwrap();
    assert!(wall > 0);
    let loaded = load(&text, "out.tmx");
    let gid = |char: &str| {
        let mut first = 1;
        for tileset in loaded.tilesets() {
            let tile = (0..tileset.tilecount).find(|&id| {
                let tile = tileset.get_tile(id).unwrap();
                tile.properties["terrain"] == tiled::PropertyValue::StringValue(char.into())
            });
            if let Some(id) = tile {
                return first + id;
            }
            first += tileset.tilecount;
        }
        panic!("no tile for {char}")
    };
    // In Tiled the map has two columns and three rows. Our first row is its first column, from bottom to top.
    let (road, snow) = (gid("R"), gid("S"));
    let painted = text.replacen("0,0,\n0,0,\n0,0\n", &format!("0,0,\n{road},0,\n0,0\n"), 1);
    assert_ne!(painted, text);
    let painted = painted.replacen(&format!("{0},{0},\n", gid("G")), &format!("{0},{snow},\n", gid("G")), 1);
    let after = back(&painted);
    let expected = map(&["GGG", "GGS"], &["1R.", "..2"]);
    assert_eq!((after.base(), after.overlay()), (expected.base(), expected.overlay()));
}

fn load(text: &str, file: &str) -> tiled::Map {
    let bytes = text.as_bytes().to_vec();
    let reader = move |_: &Path| -> std::io::Result<_> { Ok(std::io::Cursor::new(bytes.clone())) };
    tiled::Loader::with_reader(reader).load_tmx_map(file).unwrap()
}

#[test]
fn tiled_draws_the_same_picture() {
    // Tiled draws layer by layer, so nothing may stand in front of something in a higher layer.
    let rows = ["GGSSGG", "GD~~SG", "GDD~SG", "GGGGGG"];
    let map = map(&rows, &["WWF...", "W..BBR", ".RRR.R", "WWWWFT"]);
    let Export { text, atlases } = exported(&map);
    let loaded = load(&text, "out.tmx");
    let scene = Scene::new(&tileset(), assets(), Look::Plain);
    let ours = paint(&map, &scene, &paint::PaintOptions::default());
    let (step_x, step_y) = (loaded.tile_width as i64, loaded.tile_height as i64);
    assert_eq!((step_x, step_y, loaded.orientation), (52, 26, tiled::Orientation::Isometric));
    let mut theirs = RgbaImage::new(ours.width(), ours.height());
    for layer in loaded.layers() {
        let layer = layer.as_tile_layer().unwrap();
        for (x, y) in (0..loaded.height as i32).flat_map(|y| (0..loaded.width as i32).map(move |x| (x, y))) {
            let Some(tile) = layer.get_tile(x, y) else { continue };
            let (tileset, atlas) = (tile.get_tileset(), &atlases[tile.tileset_index()]);
            let (width, height) = (tileset.tile_width, tileset.tile_height);
            let (column, row) = (tile.id() % tileset.columns, tile.id() / tileset.columns);
            let image = image::imageops::crop_imm(&atlas.picture, column * width, row * height, width, height);
            // The box of a cell has the same bottom left corner as the image. The left corner of the map is the left
            // corner of the last row.
            let (x, y) = (i64::from(x), i64::from(y));
            let left = (x - y + i64::from(loaded.height) - 1) * step_x / 2 + 1;
            let bottom = (x + y) * step_y / 2 + step_y + 27;
            let (left, top) =
                (left + i64::from(tileset.offset_x), bottom + i64::from(tileset.offset_y) - i64::from(height));
            image::imageops::overlay(&mut theirs, &image.to_image(), left, top);
        }
    }
    let near =
        |(one, other): (&image::Rgba<u8>, &image::Rgba<u8>)| one.0.iter().zip(other.0).all(|(a, b)| a.abs_diff(b) < 3);
    let same = ours.pixels().zip(theirs.pixels()).filter(|pair| near(*pair)).count();
    let all = (ours.width() * ours.height()) as usize;
    assert!(same * 100 >= all * 97, "{same} of {all} pixels are the same");
}

#[test]
fn the_terrain_sets_describe_how_tiles_join() {
    let road = map(&["GGGG"; 4], &["RR.R", ".RRR", "RR..", ".R.R"]);
    let loaded = load(&exported(&road).text, "out.tmx");
    let layer = loaded.get_layer(1).unwrap().as_tile_layer().unwrap();
    let sides = |x: i32, y: i32| {
        let tile = layer.get_tile(x, y)?;
        let set = tile.get_tileset().wang_sets.iter().find(|set| set.wang_tiles.contains_key(&tile.id()));
        // The tile without joined neighbours is in no set.
        Some(set.map_or([0; 8], |set| set.wang_tiles[&tile.id()].wang_id.0))
    };
    for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
        let Some(sides_here) = sides(x, y) else { continue };
        for (side, dx, dy) in [(0, 0, -1), (2, 1, 0), (4, 0, 1), (6, -1, 0)] {
            let there = sides(x + dx, y + dy);
            assert_eq!(sides_here[side] == 1, there.is_some(), "side {side} of {x},{y}");
            assert!(there.is_none_or(|there| there[(side + 4) % 8] == 1));
        }
    }
    let names: Vec<_> =
        loaded.tilesets()[0].wang_sets.iter().map(|set| (set.name.as_str(), set.wang_tiles.len())).collect();
    assert_eq!(names, [("road", 15), ("bridge", 15), ("stone wall", 15)]);
}

#[test]
fn terrain_of_another_tileset_survives_export_and_import() {
    let source = fs::read_to_string(crate::support::file("assets/tileset.ron")).unwrap();
    let own = "(char: '<', name: \"lava & \\\"ash\\\" 2\", layer: base, cost: enter(9), image: \"L1_Terrain010\"),\n        (char: 'G',";
    let tileset =
        Arc::new(Tileset::parse("tileset.ron", &source.replacen("(\n            char: 'G',", own, 1)).unwrap());
    let assets = TileImages::load(&tileset, None).unwrap();
    let map = Map::parse("a.ron", "(name: \"Lava\", base: [\"<G<\"], overlay: [\"1.2\"])", &tileset).unwrap();
    let back = import("a.tmx", export(&map, &assets, "a").text.as_bytes(), None, &tileset)
        .unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
    assert_eq!(back.to_ron(), map.to_ron());
}
