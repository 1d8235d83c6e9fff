//! Hills in the full look: faces, joins, and hidden things that shine through.

use std::collections::BTreeSet;

use emberwalk_map::Map;
use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_picture::paint::{PaintOptions, PaintedFigure, margin, paint, picture_size};
use emberwalk_picture::scene::{Face, Footing, Look, projection, raised_corner};
use image::RgbaImage;

use crate::support::Random;
use crate::support::scene_fixture::BUNDLED;

/// A map of grass with these overlays and levels.
fn map(overlay: &[&str], levels: &[&str]) -> Map {
    let base: Vec<String> = overlay.iter().map(|row| "G".repeat(row.len())).collect();
    let source = format!("(name: \"test\", base: {base:?}, overlay: {overlay:?}, heights: {levels:?})");
    Map::parse("test.ron", &source, &BUNDLED.tileset).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

fn random_hills(size: Size, seed: u64) -> Map {
    let levels = Random(seed).levels(size);
    BUNDLED.random_map(size, seed).with_levels(levels.into()).unwrap()
}

fn picture(map: &Map, look: Look, route: Option<&[Cell]>, figures: &[PaintedFigure]) -> RgbaImage {
    paint(map, BUNDLED.in_look(look), &PaintOptions { route, figures, ..PaintOptions::default() })
}

#[test]
fn a_picture_is_higher_by_the_highest_level() {
    let map = map(&["...", "..."], &["000", "040"]);
    assert_eq!(picture_size(&map, Look::Plain), (26 * 3 + 54, 13 * 3 + 54 + 48));
    assert_eq!(raised_corner(&map, Cell::new(1, 1)), (52, 26));
    assert_eq!(raised_corner(&map, Cell::new(2, 0)), (52, 48));
}

#[test]
fn a_side_has_a_face_for_each_level_of_the_difference() {
    let map = map(&["...", "...", "..."], &["030", "241", "000"]);
    for (look, west, south) in [
        (Look::Plain, &["L0_CliffW"; 2][..], &["L0_CliffS"; 4][..]),
        (
            Look::Full,
            &["L0_CliffFootW", "L0_CliffGrassTopW"],
            &["L0_CliffFootS", "L0_CliffS", "L0_CliffS", "L0_CliffGrassTopS"],
        ),
    ] {
        let faces: Vec<_> = BUNDLED.in_look(look).faces(map.layers(), Cell::new(1, 1)).collect();
        let below: Vec<u8> = faces.iter().map(|face| face.below).collect();
        assert_eq!(below, [2, 1, 4, 3, 2, 1], "the lowest first, the west side before the south side");
        for (face, stem) in faces.iter().zip(west.iter().chain(south)) {
            let name = BUNDLED.assets.name(face.image);
            assert!(name.trim_end_matches(['b', 'c', 'd', 'e']) == *stem, "{name} is no {stem}");
        }
    }
    let name =
        |x, y| BUNDLED.scene.faces(map.layers(), Cell::new(x, y)).map(|face| BUNDLED.assets.name(face.image)).next();
    assert!(name(2, 1).unwrap().starts_with("L0_CliffGrassBankS"));
    assert_eq!(name(0, 2), None);
}

#[test]
fn a_waterfall_has_as_many_frames_as_the_water() {
    let source = r#"(name: "fall", base: ["~G", "~G"], overlay: ["..", ".."], heights: ["33", "00"])"#;
    let map = Map::parse("fall.ron", source, &BUNDLED.tileset).unwrap();
    let scene = &BUNDLED.scene;
    let frames = |look, cell: Cell| -> Vec<usize> {
        let faces = BUNDLED.in_look(look).faces(map.layers(), cell);
        faces.map(|face| scene.face_frames(&face.image).iter().collect::<BTreeSet<_>>().len()).collect()
    };
    let water = scene.ground(map.layers(), Cell::new(0, 0)).len();
    assert!(water > 1);
    assert!(frames(Look::Full, Cell::new(0, 0))[3..].iter().all(|&frames| frames == water), "the fall to the south");
    assert_eq!(frames(Look::Plain, Cell::new(0, 0)), [1; 6]);
    assert_eq!(frames(Look::Full, Cell::new(1, 0)), [1; 3]);
    let first = |face: Face| scene.face_frames(&face.image)[0] == face.image;
    assert!(scene.faces(map.layers(), Cell::new(0, 0)).all(first));
}

#[test]
fn roads_join_across_a_step_that_can_be_taken() {
    let map = map(&["RRRR"], &["0124"]);
    let names = |look| {
        let flat = |x| BUNDLED.in_look(look).flat(map.layers(), Cell::new(x, 0)).images().to_vec();
        let name = |x| BUNDLED.assets.name(*flat(x).last().unwrap()).trim_end_matches(['b', 'c']).to_owned();
        [0, 1, 2, 3].map(name)
    };
    assert_eq!(names(Look::Plain), ["L2_RoadDirtE", "L2_RoadDirtEW", "L2_RoadDirtEW", "L2_RoadDirtW"]);
    assert_eq!(names(Look::Full), ["L2_RoadDirtE", "L2_RoadDirtEW", "L2_RoadDirtW", "L2_RoadDirt"]);
    let has_ramp = |look, x| {
        let mut faces = BUNDLED.in_look(look).faces(map.layers(), Cell::new(x, 0));
        faces.any(|face| BUNDLED.assets.name(face.image) == "L2_RoadDirtRampW")
    };
    assert_eq!([1, 2, 3].map(|x| has_ramp(Look::Full, x)), [true, true, false]);
    assert!(!has_ramp(Look::Plain, 1));
}

#[test]
fn a_figure_behind_a_hill_shows_as_a_silhouette() {
    let map = map(&["...", "...", "..."], &["000", "030", "000"]);
    let image = BUNDLED.assets.find("L4_TravellerE0").unwrap();
    let behind = (2.0, 0.0);
    let silhouette = |feet, look| BUNDLED.in_look(look).silhouette(&map, image, feet, Footing::of_feet(&map, feet));
    assert!(silhouette(behind, Look::Full).is_some());
    assert!([(0.0, 2.0), (1.0, 1.0)].into_iter().all(|feet| silhouette(feet, Look::Full).is_none()));
    assert!(silhouette(behind, Look::Plain).is_none());
    // In the classic look, a hidden figure changes nothing.
    let figure = [PaintedFigure::at_feet(&map, image, behind)];
    let changed = |look| {
        let with = picture(&map, look, None, &figure);
        let without = picture(&map, look, None, &[]);
        with.pixels().zip(without.pixels()).filter(|(a, b)| a != b).count()
    };
    let visible = BUNDLED.assets.image(image).pixels().filter(|pixel| pixel.0[3] > 0).count();
    assert!(changed(Look::Plain) < visible / 2, "{} of {visible}", changed(Look::Plain));
    assert!(changed(Look::Full) > visible * 9 / 10, "{} of {visible}", changed(Look::Full));
}

#[test]
fn a_route_behind_a_hill_shows_through() {
    let map = map(&["......", "......", "......", "......"], &["000000", "000000", "000000", "088880"]);
    let route: Vec<Cell> = (0..6).map(|x| Cell::new(x, 2)).collect();
    let marks: Vec<_> = BUNDLED.scene.route_marks(&route).collect();
    let changed = |look| {
        let with = picture(&map, look, Some(&route), &[]);
        let without = picture(&map, look, None, &[]);
        let margin = margin(BUNDLED.tileset.tile(), look) as i32;
        let hidden = marks.iter().filter(|mark| {
            let (left, top) = Footing::of_mark(&map, mark).corner;
            let pixels = (0..54).flat_map(|j| (0..54).map(move |i| (i, j)));
            let at = |(i, j)| ((left + margin + i) as u32, (top + margin + j) as u32);
            pixels.map(at).any(|(x, y)| with.get_pixel(x, y) != without.get_pixel(x, y))
        });
        hidden.count()
    };
    assert_eq!(changed(Look::Full), marks.len());
    assert!(changed(Look::Plain) < marks.len(), "some marks are hidden");
}

#[test]
fn feet_are_at_the_height_in_between_and_on_the_higher_cell() {
    let map = map(&["...", "..."], &["013", "001"]);
    let corner = |x: f64, y: f64| projection(&map).corner_at((x, y));
    let low = Cell::new(0, 0);
    let high = Cell::new(1, 0);
    for part in [0.25, 0.5, 0.75] {
        let (x, y) = corner(part, 0.0);
        let climbing = Footing { on: high, corner: (x, y - (12.0 * part).round() as i32) };
        assert_eq!(Footing::on_step(&map, low, high, part), climbing);
        assert_eq!(Footing::of_feet(&map, (part, 0.0)), climbing);
        assert_eq!(Footing::on_step(&map, high, low, 1.0 - part), climbing);
    }
    assert_eq!(Footing::of_feet(&map, (1.0, 0.0)), Footing::in_cell(&map, high));
    let diagonal = Footing::of_feet(&map, (0.25, 0.75));
    assert_eq!(diagonal, Footing::on_step(&map, Cell::new(0, 1), high, 0.25));
    assert_eq!(Footing::of_feet(&map, (0.25, 0.25)), Footing::on_step(&map, low, Cell::new(1, 1), 0.25));
}

#[test]
fn hills_in_bands_are_those_that_are_painted_at_once() {
    let map = random_hills(Size::new(30, 40), 5);
    let whole = paint(&map, &BUNDLED.scene, &PaintOptions::default());
    let zoom = "1/2".parse().unwrap();
    let half = paint(&map, &BUNDLED.scene, &PaintOptions { zoom, ..PaintOptions::default() });
    for (x, y, pixel) in half.enumerate_pixels() {
        let square = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| whole.get_pixel_checked(2 * x + i, 2 * y + j));
        if let [Some(first), rest @ ..] = square
            && rest.iter().all(|other| *other == Some(first))
        {
            assert_eq!(pixel, first, "{x},{y}");
        }
    }
}

#[test]
fn levels_that_are_all_zero_change_no_pixel() {
    let flat = BUNDLED.random_map(Size::new(9, 8), 3);
    let zero = flat.clone().with_levels(Grid::from_fn(flat.size(), |_| 0).into()).unwrap();
    for look in [Look::Plain, Look::Full] {
        assert!(picture(&flat, look, None, &[]) == picture(&zero, look, None, &[]), "{look:?}");
    }
}

#[test]
fn a_change_of_levels_affects_no_cell_beyond_the_documented_distance() {
    use emberwalk_map::CellEdit;
    for seed in 0..6 {
        let before = random_hills(Size::new(14, 12), seed);
        let mut after = before.clone();
        let changed = Cell::new(6, 5);
        let mut random = Random(seed);
        after.apply(&[CellEdit::level(changed, random.below(10) as u8)]).unwrap();
        let scene = &BUNDLED.scene;
        let near: Vec<_> = scene.images_affected_by(before.size(), changed).collect();
        let is_lit = |cell: Cell| {
            let reach = scene.reach_of_changes();
            (cell.x - changed.x).abs() <= reach && (cell.y - changed.y).abs() <= reach
        };
        for cell in before.size().cells() {
            let images = |map: &Map| {
                let faces: Vec<_> = scene.faces(map.layers(), cell).collect();
                let ground = scene.ground(map.layers(), cell).to_vec();
                let standing = scene.standing(map.layers(), cell).to_vec();
                (faces, ground, scene.edges(map.layers(), cell), scene.flat(map.layers(), cell), standing)
            };
            assert!(near.contains(&cell) || images(&before) == images(&after), "seed {seed}, {cell}");
            let light = |map: &Map| (scene.shading_key(map, cell), scene.tint(map, cell));
            assert!(is_lit(cell) || light(&before) == light(&after), "seed {seed}, {cell}");
        }
    }
}

#[test]
fn higher_ground_casts_a_shadow_away_from_the_sun() {
    let map = map(&["....."; 5], &["00000", "00000", "00300", "00000", "00000"]);
    let darkest = |x, y| {
        let key = BUNDLED.scene.shading_key(&map, Cell::new(x, y))?;
        let tile = BUNDLED.scene.shading_image(&key);
        tile.pixels().filter(|pixel| pixel.0[2] < 100).map(|pixel| pixel.0[3]).max()
    };
    // The sun is in the south-east.
    for (x, y) in [(1, 2), (2, 1), (1, 1)] {
        assert!(darkest(x, y) > Some(100), "{x},{y}: {:?}", darkest(x, y));
    }
    for (x, y) in [(3, 2), (3, 3), (0, 0), (4, 4)] {
        assert_eq!(darkest(x, y), None, "{x},{y}");
    }
    let south = darkest(2, 3).unwrap();
    assert!((20..80).contains(&south), "a little at the foot of the sunny face: {south}");
    let rim = BUNDLED.scene.shading_key(&map, Cell::new(2, 2)).unwrap();
    let rim = BUNDLED.scene.shading_image(&rim);
    assert!(rim.pixels().any(|pixel| pixel.0[3] > 30 && pixel.0[0] > 240), "its edge is bright");
}
