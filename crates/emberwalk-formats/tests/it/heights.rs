//! The heights of maps: parsing, editing, writing, importing and exporting.

use emberwalk_formats::import::{import, levels_from_picture};
use emberwalk_formats::tmx;
use emberwalk_map::{CellEdit, Edges, EditError, MAX_LEVEL, Map, bundled_maps};
use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_picture::tiles::TileImages;
use image::{GrayImage, Luma, Rgb, RgbImage};
use proptest::prelude::*;
use std::io::Cursor;

use crate::support::{Random, bundled, map, tileset};

fn parse(text: &str) -> Map {
    Map::parse("hills.ron", text, &tileset()).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics}"))
}

/// A random map, with hills or flat.
fn random_map(seed: u64) -> Map {
    let mut random = Random(seed);
    let (width, height) = (1 + random.below(9), 1 + random.below(9));
    let (base, overlay) = random.rows(width, height);
    let map = map(&base, &overlay);
    if random.below(5) == 0 { map } else { hilly(map, &mut random) }
}

fn hilly(map: Map, random: &mut Random) -> Map {
    let levels = random.levels(map.size());
    map.with_levels(levels.into()).unwrap()
}

fn levels(map: &Map) -> Vec<String> {
    let Size { width, height } = map.size();
    let row = |y| (0..width as i32).map(|x| char::from(b'0' + map.level(Cell::new(x, y)))).collect();
    (0..height as i32).map(row).collect()
}

#[test]
fn levels_are_digits_and_dots_and_spaces_are_zero() {
    let map = parse(r#"(name: "x", base: ["GGGG", "GGGG"], overlay: ["....", "...."], heights: ["0.9 ", "3127"])"#);
    assert_eq!(levels(&map), ["0090", "3127"]);
    assert_eq!(map.top(), 9);
    for off in [Cell::new(-1, 0), Cell::new(4, 0), Cell::new(0, 2), Cell::new(i32::MIN, i32::MAX)] {
        assert_eq!(map.level(off), 0, "{off}");
    }
}

#[test]
fn a_map_without_hills_is_written_without_heights() {
    for bundled in bundled_maps() {
        let map = parse(bundled.source);
        if !bundled.source.contains("heights") {
            assert_eq!(map.top(), 0, "{}", bundled.name);
            assert!(!map.to_ron().contains("heights"), "{}", bundled.name);
        }
    }
    let text = r#"(name: "x", base: ["GG"], overlay: [".."], heights: ["0."])"#;
    assert!(!parse(text).to_ron().contains("heights"));
    assert_eq!(parse(text).patch("x.ron", text.as_bytes()).unwrap(), text.as_bytes(), "the file keeps its layer");
}

#[test]
fn the_top_follows_every_edit() {
    for seed in 0..60 {
        let mut map = random_map(seed);
        let mut random = Random(seed + 1000);
        for _ in 0..40 {
            let size = map.size();
            let cell = Cell::new(random.below(size.width as usize) as i32, random.below(size.height as usize) as i32);
            map.apply(&[CellEdit::level(cell, random.below(10) as u8)]).unwrap();
            let highest = size.cells().map(|cell| map.level(cell)).max().unwrap();
            assert_eq!(map.top(), highest, "seed {seed}\n{}", map.to_ron());
        }
        let down: Vec<_> = map.size().cells().map(|cell| CellEdit::level(cell, 0)).collect();
        let before = map.clone();
        let undo = map.apply(&down).unwrap();
        assert_eq!(map.top(), 0, "seed {seed}");
        map.apply(&undo).unwrap();
        assert!(map.is_same(&before), "seed {seed}");
    }
}

#[test]
fn levels_that_cannot_be_are_refused() {
    let mut map = map(&["GG"], &[".."]);
    assert_eq!(map.apply(&[CellEdit::level(Cell::new(0, 0), 10)]), Err(EditError::Level(10)));
    let off = Cell::new(2, 0);
    assert_eq!(map.apply(&[CellEdit::level(off, 1)]), Err(EditError::OffTheMap(off)));
    let grid = |size, level| Grid::from_fn(size, |_| level);
    let error = map.clone().with_levels(grid(Size::new(1, 2), 0).into()).unwrap_err();
    assert_eq!(error.to_string(), "the map has 2 x 1 cells, but there are 1 x 2 levels");
    assert_eq!(map.clone().with_levels(grid(map.size(), MAX_LEVEL + 1).into()).unwrap_err(), EditError::Level(10));
    assert_eq!(map.top(), 0);
}

#[test]
fn an_edit_of_levels_changes_no_entry_cost() {
    let mut map = bundled("valley");
    let costs: Vec<_> = map.size().cells().map(|cell| map.cost(cell)).collect();
    let edits: Vec<_> = map.size().cells().map(|cell| CellEdit::level(cell, (cell.x % 4) as u8)).collect();
    map.apply(&edits).unwrap();
    assert!(map.size().cells().map(|cell| map.cost(cell)).eq(costs));
}

#[test]
fn saving_adds_the_layer_in_the_style_of_the_file() {
    for (text, expected) in [
        (
            "(name: \"x\", base: [\"GG\"], overlay: [\"..\"])",
            "(name: \"x\", base: [\"GG\"], overlay: [\"..\"], heights: [\"07\"])",
        ),
        (
            "(name:\"x\",base:[\"GG\"],overlay:[\"..\"],)",
            "(name:\"x\",base:[\"GG\"],overlay:[\"..\"],heights: [\"07\"],)",
        ),
        (
            "(\r\n\toverlay: [\r\n\t\t\"..\", // on top\r\n\t],\r\n\tbase: [\r\n\t\t\"GG\",\r\n\t], // ground\r\n\tname: \"x\",\r\n)",
            "(\r\n\toverlay: [\r\n\t\t\"..\", // on top\r\n\t],\r\n\tbase: [\r\n\t\t\"GG\",\r\n\t], // ground\r\n\theights: [\r\n\t\t\"07\",\r\n\t],\r\n\tname: \"x\",\r\n)",
        ),
    ] {
        let mut map = parse(text);
        map.apply(&[CellEdit::level(Cell::new(1, 0), 7)]).unwrap();
        let patched = String::from_utf8(map.patch("x.ron", text.as_bytes()).unwrap()).unwrap();
        assert_eq!(patched, expected);
        assert!(parse(&patched).is_same(&map));
    }
}

#[test]
fn saving_changes_only_the_digits_of_changed_cells() {
    let text = "(heights: [ r\"1 .\" /* a */, \"\\x30\\\n  12\"], name: \"x\", base: [\"GGG\", \"GGG\"], overlay: [\"...\", \"1.2\"])";
    let mut map = parse(text);
    map.apply(&[CellEdit::level(Cell::new(0, 0), 0), CellEdit::level(Cell::new(2, 1), 5)]).unwrap();
    let patched = String::from_utf8(map.patch("x.ron", text.as_bytes()).unwrap()).unwrap();
    assert_eq!(patched, text.replace("r\"1 .\"", "r\"0 .\"").replace("12\"]", "15\"]"));
    assert!(parse(&patched).is_same(&map));
}

#[test]
fn every_map_can_be_saved_into_the_file_of_any_other_of_its_size() {
    for seed in 0..200 {
        let before = random_map(seed);
        let mut random = Random(seed + 5000);
        let (base, overlay) = random.rows(before.size().width as usize, before.size().height as usize);
        let after = hilly(map(&base, &overlay), &mut random);
        let text = before.to_ron();
        let patched = String::from_utf8(after.patch("x.ron", text.as_bytes()).unwrap()).unwrap();
        assert!(parse(&patched).is_same(&after), "{text}\n{patched}");
        assert_eq!(before.edits_towards(&after).map(|edits| before.clone().apply(&edits).is_ok()), Some(true));
    }
}

#[test]
fn a_resized_map_keeps_the_levels_of_its_cells() {
    let grass = tileset().find('G').unwrap();
    for seed in 0..200 {
        let before = random_map(seed);
        let mut random = Random(seed);
        let mut side = || random.below(5) as i32 - 2;
        let edges = Edges { north: side(), east: side(), south: side(), west: side() };
        let Ok(after) = before.resized(edges, grass) else { continue };
        for cell in after.size().cells() {
            assert_eq!(after.level(cell), before.level(edges.reversed().moved(cell)), "seed {seed}, {cell}");
        }
        let patched = after.patch("x.ron", before.to_ron().as_bytes()).unwrap();
        assert!(parse(&String::from_utf8(patched).unwrap()).is_same(&after), "seed {seed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hills_survive_writing_exporting_and_importing(seed in any::<u64>()) {
        thread_local! {
            static IMAGES: TileImages = TileImages::load(&tileset(), None).unwrap();
        }
        let map = random_map(seed);
        prop_assert!(parse(&map.to_ron()).is_same(&map));
        let export = IMAGES.with(|images| tmx::export(&map, images, "out"));
        prop_assert_eq!(export.atlases.iter().any(|atlas| atlas.suffix == "levels"), map.top() > 0);
        let back = import("out.tmx", export.text.as_bytes(), None, &tileset()).unwrap();
        prop_assert!(back.is_same(&map), "{}", export.text);
    }
}

fn png(picture: &image::DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    bytes
}

#[test]
fn levels_follow_the_grey_of_a_picture() {
    let picture = GrayImage::from_fn(256, 1, |x, _| Luma([x as u8]));
    for bytes in [png(&picture.clone().into()), png(&image::DynamicImage::from(picture).to_rgb8().into())] {
        let levels = levels_from_picture("grey.png", &bytes, Size::new(256, 1)).unwrap();
        for (grey, level) in levels.values().enumerate() {
            assert_eq!(usize::from(*level), grey * 10 / 256, "{grey}");
        }
    }
}

#[test]
fn a_height_picture_of_another_size_or_kind_is_refused() {
    let coloured = RgbImage::from_fn(3, 2, |x, y| Rgb(if (x, y) == (2, 1) { [7, 7, 8] } else { [7; 3] }));
    let coloured = png(&coloured.into());
    for (bytes, size, message) in [
        (&coloured[..], Size::new(2, 3), "the picture has 3 x 2 pixels, but the map has 2 x 3 cells"),
        (&coloured, Size::new(3, 2), "the pixel at 2,1 has the colour 7, 7, 8, which is not a grey"),
        (b"GGG", Size::new(3, 1), "this is not a picture"),
        (&coloured[..40], Size::new(3, 2), "the picture cannot be read"),
    ] {
        let diagnostics = levels_from_picture("alps.png", bytes, size).unwrap_err();
        let found = &diagnostics.list()[0].message;
        assert!(found.starts_with(message), "{found}");
    }
}
