//! The painted picture, pixel by pixel.

use std::collections::HashMap;
use std::ops::Range;

use emberwalk_map::Map;
use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_picture::paint::{PaintOptions, PaintedFigure, margin, paint};
use emberwalk_picture::scene::{Look, projection};
use emberwalk_picture::tiles::ImageId;
use image::{Rgba, RgbaImage};

use crate::support::scene_fixture::{BUNDLED, Stage};
use crate::support::{Random, bundled, file, scaled_tilesets};

fn plain(map: &Map) -> RgbaImage {
    paint(map, &BUNDLED.plain, &PaintOptions::default())
}

fn full(map: &Map) -> RgbaImage {
    paint(map, &BUNDLED.scene, &PaintOptions::default())
}

/// A second painter of the classic look, which follows the documented rules and the PNGs without scene and tileset.
mod reference {
    use super::*;

    /// `levels` contains a digit for each cell.
    pub fn picture(base: &[String], overlay: &[String], levels: &[String]) -> RgbaImage {
        let w = base[0].len() as i64;
        let h = base.len() as i64;
        let level = |x: i64, y: i64| -> i64 {
            let inside = (0..w).contains(&x) && (0..h).contains(&y);
            if inside { i64::from(levels[y as usize].as_bytes()[x as usize] - b'0') } else { 0 }
        };
        let top = (0..h).flat_map(|y| (0..w).map(move |x| level(x, y))).max().unwrap();
        let height = 13 * (w + h - 2) + 54 + 12 * top;
        let mut picture = RgbaImage::new((26 * (w + h - 2) + 54) as u32, height as u32);
        // The cell whose terrain is visible at each pixel.
        let mut seen: HashMap<(i64, i64), (i64, i64)> = HashMap::new();
        let mut tiles = HashMap::new();
        let at = |rows: &[String], x: i64, y: i64| -> char {
            if (0..w).contains(&x) && (0..h).contains(&y) {
                rows[y as usize].as_bytes()[x as usize] as char
            } else {
                '.'
            }
        };
        let mut cells: Vec<(i64, i64)> = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).collect();
        cells.sort_by_key(|(x, y)| (y - x, *x));
        for &(x, y) in &cells {
            for (name, dx, dy) in [("L0_CliffW", -1, 0), ("L0_CliffS", 0, 1)] {
                let tile = tiles.entry(name.to_owned()).or_insert_with(|| read(name));
                let faces = level(x, y) - level(x + dx, y + dy);
                for number in (1..=faces).rev() {
                    let top = 13 * (y - x) + 13 * (w - 1) + 12 * (top - level(x, y)) + 12 * number;
                    draw(&mut picture, tile, (26 * (x + y), top), |at| {
                        seen.insert(at, (x, y));
                        true
                    });
                }
            }
            let name = match at(base, x, y) {
                'G' => "L1_Terrain001",
                'S' => "L1_Terrain035",
                'D' => "L1_Terrain010",
                _ => "L1_Water01",
            };
            let tile = tiles.entry(name.to_owned()).or_insert_with(|| read(name));
            let corner = (26 * (x + y), 13 * (y - x) + 13 * (w - 1) + 12 * (top - level(x, y)));
            draw(&mut picture, tile, corner, |at| {
                seen.insert(at, (x, y));
                true
            });
        }
        for pass in 1..3 {
            for &(x, y) in &cells {
                let joined = |stem: &str, with: &str| {
                    let sides = [("N", 0, -1), ("E", 1, 0), ("S", 0, 1), ("W", -1, 0)];
                    let letters = sides.iter().filter(|(_, dx, dy)| with.contains(at(overlay, x + dx, y + dy)));
                    format!("{stem}{}", letters.map(|(letter, ..)| *letter).collect::<String>())
                };
                let name = match (pass, at(overlay, x, y)) {
                    (1, 'R') => joined("L2_RoadDirt", "RB"),
                    (1, 'B') => joined("L2_BridgeWood", "RB"),
                    (2, 'W') => joined("L2_WallStone", "W"),
                    (2, 'F') => "L2_ForestPine01".to_owned(),
                    (2, 'T') => "L2_ForestDense01".to_owned(),
                    (2, 'M') => "L2_MountainRocky01".to_owned(),
                    (2, 'v') => "L2_MountainBigVolcano01".to_owned(),
                    (2, 'V') => "L2_MountainBigVolcanoErupt01".to_owned(),
                    (2, 't') => "L2_Tombstone01".to_owned(),
                    (2, '1') => "L2_Tent01".to_owned(),
                    (2, '2') => "L2_Castle01".to_owned(),
                    _ => continue,
                };
                let tile = tiles.entry(name.clone()).or_insert_with(|| read(&name));
                let tw = i64::from(tile.width());
                let th = i64::from(tile.height());
                let left = 26 * (x + y) + 27 - tw / 2;
                let top = 13 * (y - x) + 13 * (w - 1) + 12 * (top - level(x, y)) + 54 - th;
                draw(&mut picture, tile, (left, top), |at| {
                    let hides = |&(i, j): &(i64, i64)| j - i > y - x && level(i, j) > level(x, y);
                    !seen.get(&at).is_some_and(hides)
                });
            }
        }
        picture
    }

    /// Draws the pixels of a tile for which `is_drawn` is true. Pixels of embedded tiles are opaque or transparent.
    fn draw(
        picture: &mut RgbaImage,
        tile: &RgbaImage,
        (left, top): (i64, i64),
        mut is_drawn: impl FnMut((i64, i64)) -> bool,
    ) {
        for (i, j, pixel) in tile.enumerate_pixels() {
            let x = left + i64::from(i);
            let y = top + i64::from(j);
            let is_transparent = pixel.0[3] == 0 || pixel.0[..3] == [255, 0, 255];
            let inside = x >= 0 && y >= 0 && x < i64::from(picture.width()) && y < i64::from(picture.height());
            if !is_transparent && is_drawn((x, y)) && inside {
                picture.put_pixel(x as u32, y as u32, *pixel);
            }
        }
    }

    fn read(name: &str) -> RgbaImage {
        let path = file("assets/tiles").join(format!("{name}.png"));
        image::load_from_memory(&std::fs::read(path).unwrap()).unwrap().to_rgba8()
    }
}

/// The rows of a map, as in its file.
fn rows(map: &Map) -> [Vec<String>; 3] {
    let tileset = map.tileset();
    let width = map.size().width as usize;
    let lines = |chars: Vec<char>| chars.chunks(width).map(|row| row.iter().collect()).collect();
    let base = map.base().values().map(|id| tileset[*id].char);
    let overlay = map.overlay().values().map(|id| id.map_or('.', |id| tileset[id].char));
    let levels = map.size().cells().map(|cell| char::from(b'0' + map.level(cell)));
    [lines(base.collect()), lines(overlay.collect()), lines(levels.collect())]
}

#[test]
fn the_plain_picture_follows_the_documented_rules() {
    let sizes = [Size::new(1, 1), Size::new(1, 12), Size::new(17, 1), Size::new(12, 7), Size::new(9, 21)];
    let random_maps = sizes.into_iter().zip(0..).map(|(size, seed)| BUNDLED.random_map(size, seed));
    let maps = random_maps.chain(["valley", "figures/road", "figures/both"].map(bundled));
    for map in maps {
        assert_is_as_documented(&map);
    }
}

#[test]
fn the_plain_picture_of_hills_follows_the_documented_rules() {
    let sizes = [Size::new(1, 1), Size::new(1, 9), Size::new(11, 1), Size::new(8, 7), Size::new(9, 14)];
    for seed in 0..40 {
        let flat = BUNDLED.random_map(sizes[seed as usize % sizes.len()], seed);
        let levels = Random(seed + 100).levels(flat.size());
        assert_is_as_documented(&flat.with_levels(levels.into()).unwrap());
    }
    let valley = bundled("valley");
    let levels = Random(1).levels(valley.size());
    assert_is_as_documented(&valley.with_levels(levels.into()).unwrap());
}

/// Compares the plain picture of a map with the second painter's.
fn assert_is_as_documented(map: &Map) {
    let [base, overlay, levels] = rows(map);
    let ours = plain(map);
    let theirs = reference::picture(&base, &overlay, &levels);
    assert_eq!(ours.dimensions(), theirs.dimensions());
    for (x, y, pixel) in theirs.enumerate_pixels() {
        let our = ours.get_pixel(x, y);
        let same = if pixel.0[3] == 0 { our.0[3] == 0 } else { our == pixel };
        assert!(same, "pixel {x},{y} is {our:?}, not {pixel:?}, on\n{}", map.to_ron());
    }
}

#[test]
fn only_the_full_look_has_a_margin() {
    let map = BUNDLED.uniform_map('G', Size::new(5, 3), &[]);
    assert_eq!(plain(&map).dimensions(), (26 * 6 + 54, 13 * 6 + 54));
    assert_eq!(full(&map).dimensions(), (26 * 6 + 54 + 108, 13 * 6 + 54 + 108));
}

/// The columns and rows of all drawn pixels of a picture, from the top left corner of the plain picture.
fn drawn(picture: &RgbaImage, margin: i32) -> (Range<i32>, Range<i32>) {
    let visible = picture.enumerate_pixels().filter(|(.., pixel)| pixel.0[3] > 0);
    let (columns, rows): (Vec<i32>, Vec<i32>) = visible.map(|(x, y, _)| (x as i32 - margin, y as i32 - margin)).unzip();
    let span = |values: &[i32]| *values.iter().min().unwrap()..values.iter().max().unwrap() + 1;
    (span(&columns), span(&rows))
}

#[test]
fn the_seen_pixels_end_where_the_drawn_ones_do() {
    let sizes = [(1, 1), (1, 12), (17, 1), (3, 2), (12, 7), (9, 21)].map(|(width, height)| Size::new(width, height));
    let random_maps = (0..60).map(|seed| {
        let flat = BUNDLED.random_map(sizes[seed as usize % sizes.len()], seed);
        let levels = Random(seed + 100).levels(flat.size());
        if seed % 2 == 0 { flat } else { flat.with_levels(levels.into()).unwrap() }
    });
    for map in random_maps.chain(["valley", "figures/road", "highlands"].map(bundled)) {
        for look in [Look::Plain, Look::Full] {
            let scene = BUNDLED.in_look(look);
            let (columns, rows) = scene.seen_pixels(map.layers());
            let picture = paint(&map, scene, &PaintOptions::default());
            let margin = margin(TileMetrics::CLASSIC, look) as i32;
            // Images that are too tall for the picture are cut off.
            let clipped = |range: &Range<i32>, side: u32| {
                let side = side as i32 - margin;
                range.start.max(-margin)..range.end.min(side)
            };
            let expected = (clipped(&columns, picture.width()), clipped(&rows, picture.height()));
            assert_eq!(drawn(&picture, margin), expected, "{look:?}, {}", map.to_ron());
        }
    }
}

#[test]
fn wide_images_near_the_corners_of_the_map_are_seen_beside_the_ground() {
    let folder = scaled_tilesets::bare(54, 54);
    let wide = RgbaImage::from_pixel(216, 100, Rgba([90, 90, 90, 255]));
    wide.save(folder.path().join("L2_Tombstone01.png")).unwrap();
    let stage = Stage::new(Some(folder.path()));
    let at = |x, y| (Cell::new(x, y), 't');
    for (things, columns) in [
        (vec![], 0..1562),
        (vec![at(0, 1)], -55..1562),
        (vec![at(1, 0), at(29, 28)], -55..1617),
        (vec![at(0, 3), at(29, 26)], -3..1565),
        (vec![at(4, 0), at(28, 26), at(0, 15), at(15, 29)], 0..1562),
    ] {
        let map = stage.uniform_map('G', Size::new(30, 30), &things);
        assert_eq!(stage.plain.seen_pixels(map.layers()).0, columns, "{things:?}");
    }
}

#[test]
fn only_ground_and_slab_are_drawn() {
    let map = BUNDLED.uniform_map('G', Size::new(4, 6), &[]);
    // Whether a pixel is in the diamond of the ground of a cell.
    let ground = |x: u32, y: u32, margin: u32| {
        map.size().cells().any(|cell| {
            let left = 26 * (cell.x + cell.y);
            let top = 13 * (cell.y - cell.x) + 13 * 3;
            let dx = x as i32 - margin as i32 - left;
            let dy = y as i32 - margin as i32 - top;
            (f64::from(dx) - 26.5).abs() + 2.0 * (f64::from(dy) - 39.5).abs() <= 27.5
        })
    };
    for (x, y, pixel) in plain(&map).enumerate_pixels() {
        assert_eq!(pixel.0[3], if ground(x, y, 0) { 255 } else { 0 }, "pixel {x},{y}");
    }
    for (x, y, pixel) in full(&map).enumerate_pixels() {
        let slab = (1..=27).any(|up| y >= up && ground(x, y - up, 54));
        if ground(x, y, 54) {
            assert_eq!(pixel.0[3], 255);
        } else if !slab {
            assert_eq!(pixel.0[3], 0, "pixel {x},{y}");
        }
    }
}

#[test]
fn edges_are_drawn_over_the_ground() {
    let map = BUNDLED.map(&["GGG", "GSG", "GGG"], &["...", "...", "..."]);
    let picture = full(&map);
    let middle = Cell::new(1, 1);
    let border = BUNDLED.scene.edges(map.layers(), middle).compose(&BUNDLED.assets);
    let projection = projection(&map);
    let (left, top) = projection.corner(middle);
    let mut drawn = 0;
    for (i, j, pixel) in border.enumerate_pixels().filter(|(.., pixel)| pixel.0[3] == 255) {
        // Neighbours overlap the pixels at the edge.
        if (f64::from(i) - 26.5).abs() + 2.0 * (f64::from(j) - 39.5).abs() < 24.0 {
            let x = left as u32 + i + 54;
            let y = top as u32 + j + 54;
            assert_eq!(picture.get_pixel(x, y), pixel);
            drawn += 1;
        }
    }
    assert!(drawn > 100, "{drawn} pixels of snow under grass");
}

#[test]
fn no_pixel_is_pink() {
    let mut maps: Vec<_> = ["valley", "figures/snow", "figures/tombstone"].map(bundled).into();
    maps.push(BUNDLED.random_map(Size::new(20, 20), 4));
    for mut map in maps {
        for _ in 0..2 {
            for picture in [plain(&map), full(&map)] {
                let pink = picture.pixels().filter(|pixel| {
                    let [r, g, b, a] = pixel.0.map(i32::from);
                    a > 0 && r.min(b) - g > 90
                });
                assert_eq!(pink.count(), 0, "{}", map.name());
            }
            map.erupt_all();
        }
    }
}

/// The picture with `image` drawn over it, with its feet at this point.
fn over(picture: &RgbaImage, map: &Map, image: ImageId, feet: (f64, f64)) -> RgbaImage {
    let image = BUNDLED.assets.image(image);
    let mut picture = picture.clone();
    let left = (26.0 * (feet.0 + feet.1) + 0.5).floor() as i64 + 27 - i64::from(image.width()) / 2;
    let top = (13.0 * (feet.1 - feet.0) + 0.5).floor() as i64 + 13 * (i64::from(map.size().width) - 1) + 54;
    for (i, j, pixel) in image.enumerate_pixels().filter(|(.., pixel)| pixel.0[3] > 0) {
        let x = left + i64::from(i);
        let y = top - i64::from(image.height()) + i64::from(j);
        if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
            && x < picture.width()
            && y < picture.height()
        {
            picture.put_pixel(x, y, *pixel);
        }
    }
    picture
}

/// Positions between a cell and its neighbours, except those in the middle of `avoid`.
fn steps(cell: Cell, avoid: Cell) -> impl Iterator<Item = (f64, f64)> {
    let directions = Direction::ALL.into_iter().filter(move |direction| cell + *direction != avoid);
    directions.flat_map(move |direction| {
        let (dx, dy) = direction.offset();
        [0.0, 0.25, 0.5, 0.75]
            .map(|part| (f64::from(cell.x) + f64::from(dx) * part, f64::from(cell.y) + f64::from(dy) * part))
    })
}

#[test]
fn nearer_things_hide_the_traveller_and_the_traveller_hides_farther_ones() {
    let traveller = BUNDLED.assets.find("L4_TravellerE0").unwrap();
    let size = Size::new(9, 9);
    let middle = Cell::new(4, 4);
    for thing in ['W', '2', 'v', 'F'] {
        let bare = BUNDLED.uniform_map('G', size, &[]);
        let map = BUNDLED.uniform_map('G', size, &[(middle, thing)]);
        let bare = plain(&bare);
        let stands = plain(&map);
        let image = BUNDLED.plain.standing(map.layers(), middle)[0];
        let mut before = 0;
        let mut behind = 0;
        for feet in Direction::ALL.into_iter().flat_map(|direction| steps(middle + direction, middle)) {
            let figures = [PaintedFigure::at_feet(&map, traveller, feet)];
            let painted = paint(&map, &BUNDLED.plain, &PaintOptions { figures: &figures, ..PaintOptions::default() });
            let covers = over(&stands, &map, traveller, feet);
            let covered = over(&over(&bare, &map, traveller, feet), &map, image, (4.0, 4.0));
            let nearer = (feet.1 - feet.0, feet.0) > (0.0, 4.0);
            assert!(painted == if nearer { &covers } else { &covered }.clone(), "{thing} and a traveller at {feet:?}");
            if covers != covered {
                *if nearer { &mut before } else { &mut behind } += 1;
            }
        }
        assert!(before >= 12 && behind >= 12, "{thing}: {before} pictures show a traveller before it, {behind} behind");
    }
}

#[test]
fn a_traveller_is_sorted_correctly_along_both_sides_of_a_wall() {
    let traveller = BUNDLED.assets.find("L4_TravellerE0").unwrap();
    let size = Size::new(9, 9);
    for along in [(1, 0), (0, 1)] {
        let wall: Vec<(Cell, char)> =
            (0..9).map(|k| (Cell::new(4 - 4 * along.0 + k * along.0, 4 - 4 * along.1 + k * along.1), 'W')).collect();
        let bare = plain(&BUNDLED.uniform_map('G', size, &[]));
        let map = BUNDLED.uniform_map('G', size, &wall);
        let stands = plain(&map);
        for quarter in 4..28 {
            let at = f64::from(quarter) / 4.0;
            // The near side of a wall that runs east is the south side; of one that runs south, the west side.
            for (side, near) in [(1.0, along == (1, 0)), (-1.0, along == (0, 1))] {
                let feet = if along == (1, 0) { (at, 4.0 + side) } else { (4.0 + side, at) };
                let figures = [PaintedFigure::at_feet(&map, traveller, feet)];
                let options = PaintOptions { figures: &figures, ..PaintOptions::default() };
                let painted = paint(&map, &BUNDLED.plain, &options);
                let expected = if near {
                    over(&stands, &map, traveller, feet)
                } else {
                    let behind = over(&bare, &map, traveller, feet);
                    let mut wall = wall.clone();
                    wall.sort_by_key(|(cell, _)| cell.y - cell.x);
                    wall.iter().fold(behind, |picture, (cell, _)| {
                        let image = BUNDLED.plain.standing(map.layers(), *cell)[0];
                        over(&picture, &map, image, (f64::from(cell.x), f64::from(cell.y)))
                    })
                };
                assert!(painted == expected, "a traveller at {feet:?}, wall along {along:?}");
            }
        }
    }
}

#[test]
fn a_traveller_at_the_castle_is_in_front_of_its_gate() {
    let traveller = BUNDLED.assets.find("L4_TravellerE0").unwrap();
    let map = BUNDLED.uniform_map('G', Size::new(3, 3), &[(Cell::new(1, 1), '2')]);
    let figures = [PaintedFigure::at_feet(&map, traveller, (1.0, 1.0))];
    let painted = paint(&map, &BUNDLED.plain, &PaintOptions { figures: &figures, ..PaintOptions::default() });
    assert!(painted == over(&plain(&map), &map, traveller, (1.0, 1.0)));
}

/// A tileset in which each image has a single colour, so that a pixel shows which image was drawn last.
struct Colours {
    stage: Stage,
    map: Map,
}

const GROUND: [u8; 4] = [40, 200, 40, 255];
const ROAD: [u8; 4] = [120, 80, 40, 255];
const SHADOW: [u8; 4] = [0, 0, 0, 128];
const MARK: [u8; 4] = [240, 240, 200, 255];
const TOWER: [u8; 4] = [90, 90, 99, 255];

impl Colours {
    /// A tower and two roads to its east, with the tower's shadow on all three.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let save = |name: &str, size: (u32, u32), pixel: [u8; 4]| {
            let path = folder.path().join(format!("{name}.png"));
            RgbaImage::from_pixel(size.0, size.1, Rgba(pixel)).save(path).unwrap();
        };
        save("ground", (54, 54), GROUND);
        save("road", (54, 54), ROAD);
        save("tower", (2, 54), TOWER);
        save("tower_sh", (216, 54), SHADOW);
        Direction::ALL.iter().for_each(|direction| save(&format!("mark{}", direction.letters()), (54, 54), MARK));
        let tileset = r#"(
            terrains: [
                (char: 'G', name: "ground", layer: base, cost: enter(1), image: "ground"),
                (char: 'R', name: "road", layer: overlay, cost: times(1), flat: true, image: "road"),
                (char: 'T', name: "tower", layer: overlay, cost: closed, image: "tower"),
            ],
            marks: (route: "mark*"),
        )"#;
        std::fs::write(folder.path().join("tileset.ron"), tileset).unwrap();
        let stage = Stage::new(Some(folder.path()));
        let map = stage.map(&["GGG"], &["TRR"]);
        Self { stage, map }
    }

    fn pixel(&self, look: Look, route: Option<&[Cell]>, cell: Cell) -> [u8; 4] {
        let margin = margin(TileMetrics::CLASSIC, look) as i32;
        let (x, y) = projection(&self.map).centre(cell);
        let picture = paint(&self.map, self.stage.in_look(look), &PaintOptions { route, ..PaintOptions::default() });
        picture.get_pixel((x + margin) as u32, (y + margin) as u32).0
    }
}

#[test]
fn layers_are_drawn_in_order() {
    let colours = Colours::new();
    let [tower, near, far] = [0, 1, 2].map(|x| Cell::new(x, 0));
    assert_eq!(colours.pixel(Look::Plain, None, tower), TOWER);
    assert_eq!(colours.pixel(Look::Plain, None, near), ROAD, "the road is over the ground");
    let dark = colours.pixel(Look::Full, None, near);
    assert!(dark[0] < ROAD[0] && dark[0] > ROAD[0] / 2, "a shadow falls on the road, in linear light: {dark:?}");
    assert_eq!(colours.pixel(Look::Full, None, far), dark);
    assert_eq!(colours.pixel(Look::Full, None, tower), TOWER, "standing things are over the shadow");
    let route = [far, near, tower];
    assert_eq!(colours.pixel(Look::Full, Some(&route), near), MARK, "the route is over the shadow");
    // 40 % of the mark and 60 % of the tower, in linear light.
    assert_eq!(
        colours.pixel(Look::Full, Some(&route), tower),
        [172, 172, 150, 255],
        "the route shines through standing things"
    );
    assert_eq!(colours.pixel(Look::Plain, Some(&route), tower), TOWER, "in the classic look it does not");
}

#[test]
fn overlapping_shadows_are_no_darker_than_one() {
    let mut colours = Colours::new();
    let road = Cell::new(1, 0);
    let once = colours.pixel(Look::Full, None, road);
    let tower = colours.map.overlay()[Cell::new(0, 0)];
    colours.map.set_overlay(Cell::new(2, 0), tower).unwrap();
    assert_eq!(colours.pixel(Look::Full, None, road), once);
}
