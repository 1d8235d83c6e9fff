//! Which cell is picked at a point of a map's picture.

use std::collections::BTreeMap;

use emberwalk_map::{Map, bundled_maps};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_picture::scene::{Look, Scene, TerrainPart, projection, raised_corner, terrain_at, terrain_at_zoom};
use image::{Rgba, RgbaImage};

use crate::support::Random;
use crate::support::scaled_tilesets as set;
use crate::support::scene_fixture::{BUNDLED, Stage};

/// Which part of which cell is visible at a point, from the documented shapes: half-open diamonds, and faces as
/// half-open parallelograms. Everything is computed in half pixels, which is exact at the centres of pixels.
fn documented_terrain(map: &Map, (x, y): (i64, i64)) -> Option<(Cell, TerrainPart)> {
    let width = i64::from(map.size().width);
    let mut cells: Vec<Cell> = map.size().cells().collect();
    cells.sort_by_key(|cell| (cell.y - cell.x, cell.x));
    cells.into_iter().rev().find_map(|cell| {
        let level = |cell: Cell| i64::from(map.level(cell));
        let i = i64::from(cell.x);
        let j = i64::from(cell.y);
        let middle_y = 13 * (j - i) + 13 * (width - 1) + 12 * (i64::from(map.top()) - level(cell)) + 40;
        // From the middle of the ground, in half pixels.
        let right = 2 * x + 1 - 2 * (26 * (i + j) + 27);
        let down = 2 * y + 1 - 2 * middle_y;
        if right.abs() + 2 * down.abs() < 52 {
            return Some((cell, TerrainPart::Ground));
        }
        // How far below the lower edge, doubled.
        let below = right.abs() + 2 * down - 52;
        let side = if right < 0 { Direction::W } else { Direction::S };
        let height = 24 * (level(cell) - level(cell + side));
        (right.abs() < 52 && (0..2 * height).contains(&below)).then_some((cell, TerrainPart::Face(side)))
    })
}

/// The cell that a player means by a point: the landmark's cell, or else the terrain's.
fn pick(scene: &Scene, map: &Map, point: (f64, f64)) -> Option<Cell> {
    scene.landmark_at(map, point).or_else(|| terrain_at(map, point).map(|(cell, _)| cell))
}

/// A random map with hills.
fn random_hills(size: Size, seed: u64) -> Map {
    let levels = Random(seed + 7).levels(size);
    BUNDLED.random_map(size, seed).with_levels(levels.into()).unwrap()
}

#[test]
fn every_pixel_of_hills_is_picked_as_it_is_seen() {
    for (size, seed) in [(Size::new(1, 1), 1), (Size::new(8, 6), 2), (Size::new(5, 9), 3)] {
        let map = random_hills(size, seed);
        let (width, height) = projection(&map).picture_size();
        let mut faces = 0;
        let mut grounds = 0;
        for (x, y) in (-9..i64::from(height) + 9).flat_map(|y| (-9..i64::from(width) + 9).map(move |x| (x, y))) {
            let point = (x as f64 + 0.5, y as f64 + 0.5);
            let expected = documented_terrain(&map, (x, y));
            assert_eq!(terrain_at(&map, point), expected, "{point:?} of\n{}", map.to_ron());
            match expected {
                Some((_, TerrainPart::Face(_))) => faces += 1,
                Some(_) => grounds += 1,
                None => {}
            }
            for zoom in [2.0, 3.0, 4.0_f32] {
                // The pixels that this pixel becomes.
                for (dx, dy) in [(0.5, 0.5), (f64::from(zoom) - 0.5, 0.5), (0.5, f64::from(zoom) - 0.5)] {
                    let scaled = (x as f64 * f64::from(zoom) + dx, y as f64 * f64::from(zoom) + dy);
                    let divided = (scaled.0 / f64::from(zoom), scaled.1 / f64::from(zoom));
                    assert_eq!(terrain_at_zoom(&map, scaled, zoom), terrain_at(&map, divided), "{scaled:?} at {zoom}");
                }
            }
        }
        assert!(grounds > 300 && faces > 100, "{grounds} pixels of ground and {faces} of faces");
    }
}

#[test]
fn landmarks_on_hills_are_picked_where_they_are_seen() {
    for seed in 0..3 {
        let map = random_hills(Size::new(7, 6), seed);
        for look in [Look::Plain, Look::Full] {
            compare(&BUNDLED, &map, look, 3);
        }
    }
}

/// The characters of the terrains that are picked by their pictures.
const LANDMARKS: &str = "12tvVCm";

/// How many pixels around the picture are tried too.
const BORDER: i32 = 130;

/// The standing images of a map as a painter draws them: for each pixel, the cell of the last image with an opaque
/// pixel.
struct Painted {
    left: i32,
    top: i32,
    width: i32,
    cells: Vec<Option<Cell>>,
}

impl Painted {
    fn new(stage: &Stage, map: &Map, look: Look) -> Self {
        let terrain = DrawnTerrain::of(map);
        let projection = projection(map);
        let (width, height) = projection.picture_size();
        let width = width as i32 + 2 * BORDER;
        let height = height as i32 + 2 * BORDER;
        let mut painted = Self { left: -BORDER, top: -BORDER, width, cells: vec![None; (width * height) as usize] };
        for cell in projection.back_to_front() {
            let Some(image) = stage.in_look(look).standing(map.layers(), cell).first() else { continue };
            let image = stage.assets.image(*image);
            let (left, top) = projection.tile().align_image(raised_corner(map, cell), image.dimensions());
            for (i, j, pixel) in image.enumerate_pixels() {
                let x = left + i as i32 + BORDER;
                let y = top + j as i32 + BORDER;
                if pixel.0[3] == 255
                    && (0..width).contains(&x)
                    && (0..height).contains(&y)
                    && !terrain.hides(map, cell, (left + i as i32, top + j as i32))
                {
                    painted.cells[(y * width + x) as usize] = Some(cell);
                }
            }
        }
        painted
    }

    /// Every `step`th pixel with the cell that was drawn there last.
    fn pixels(&self, step: usize) -> impl Iterator<Item = ((i32, i32), Option<Cell>)> {
        self.cells.iter().enumerate().step_by(step).map(|(k, cell)| {
            let column = k as i32 % self.width;
            let row = k as i32 / self.width;
            ((self.left + column, self.top + row), *cell)
        })
    }
}

/// The terrain of a map with hills as a painter draws it: the cells by the left sides of their images.
struct DrawnTerrain {
    cells: BTreeMap<i32, Vec<DrawnCell>>,
}

struct DrawnCell {
    cell: Cell,
    top: i32,
    /// The heights of its western and of its southern face, in half pixels.
    faces: [i32; 2],
}

impl DrawnTerrain {
    fn of(map: &Map) -> Self {
        let mut cells: BTreeMap<i32, Vec<DrawnCell>> = BTreeMap::new();
        for cell in map.size().cells().filter(|_| map.top() > 0) {
            let (left, top) = raised_corner(map, cell);
            let level = |cell: Cell| i32::from(map.level(cell));
            let faces = [Direction::W, Direction::S].map(|side| 24 * (level(cell) - level(cell + side)).max(0));
            cells.entry(left).or_default().push(DrawnCell { cell, top, faces });
        }
        Self { cells }
    }

    /// Whether nearer and higher terrain hides what stands on a cell, at a pixel.
    fn hides(&self, map: &Map, on: Cell, pixel: (i32, i32)) -> bool {
        self.last_at(pixel).is_some_and(|cell| cell.y - cell.x > on.y - on.x && map.level(cell) > map.level(on))
    }

    /// The cell whose terrain was drawn last at a pixel. Images of the ground overlap their neighbours by a pixel,
    /// and faces are below them.
    fn last_at(&self, (x, y): (i32, i32)) -> Option<Cell> {
        let near = self.cells.range(x - 55..=x + 1);
        let drawn = near.flat_map(|(left, cells)| {
            // In half pixels, from the middle of the ground.
            let right = 2 * (x - left - 27) + 1;
            cells.iter().filter(move |DrawnCell { top, faces, .. }| {
                let down = 2 * (y - top - 40) + 1;
                let height = faces[usize::from(right >= 0)];
                let is_on = |down: i32| right.abs() + 2 * down.abs() <= 55;
                is_on(down) || (0..=height).step_by(2).any(|up| down > 0 && is_on(down - up) && down - up > 0)
            })
        });
        drawn.map(|drawn| drawn.cell).max_by_key(|cell| (cell.y - cell.x, cell.x))
    }
}

/// Compares every `step`th pixel with the painter. Returns how many points pick a landmark whose ground is elsewhere,
/// and how many of these points are off the map.
fn compare(stage: &Stage, map: &Map, look: Look, step: usize) -> (usize, usize) {
    let mut on_pictures = 0;
    let mut beyond = 0;
    for ((x, y), drawn) in Painted::new(stage, map, look).pixels(step) {
        // The middle of a pixel, and other points in it.
        let point = [(0.5, 0.5), (0.0, 0.999), (0.999, 0.0)][(x ^ y).rem_euclid(3) as usize];
        let point = (f64::from(x) + point.0, f64::from(y) + point.1);
        let ground = terrain_at(map, point).map(|(cell, _)| cell);
        let landmark = drawn.filter(|cell| {
            let terrain = map.overlay().get(*cell).copied().flatten();
            terrain.is_some_and(|terrain| LANDMARKS.contains(stage.tileset[terrain].char))
        });
        let picked = pick(stage.in_look(look), map, point);
        assert_eq!(picked, landmark.or(ground), "{point:?} of {} in the {look:?} look", map.name());
        on_pictures += usize::from(picked != ground);
        beyond += usize::from(picked.is_some() && ground.is_none());
    }
    (on_pictures, beyond)
}

#[test]
fn every_pixel_of_the_bundled_maps_is_picked_as_it_is_seen() {
    for bundled in bundled_maps() {
        let mut map = Map::parse(bundled.name, bundled.source, &BUNDLED.tileset).unwrap();
        let step = match bundled.name {
            "realm" => 41,
            "market" => 5,
            _ => 1,
        };
        for look in [Look::Plain, Look::Full] {
            let (on_pictures, _) = compare(&BUNDLED, &map, look, step);
            assert!(on_pictures > 300, "{}: {on_pictures} points mean a landmark and not the ground", bundled.name);
        }
        // The other state of the volcanoes.
        if map.any_dormant() {
            map.erupt_all()
        } else {
            map.calm_all()
        };
        compare(&BUNDLED, &map, Look::Full, 7);
    }
}

#[test]
fn random_maps_with_tiles_of_any_size_are_picked_as_they_are_seen() {
    for (size, seed) in [(Size::new(1, 1), 1), (Size::new(12, 5), 2), (Size::new(3, 17), 3)] {
        compare(&BUNDLED, &BUNDLED.random_map(size, seed), Look::Full, 1);
    }
    for (width, height) in [(32, 32), (96, 60)] {
        let folder = set::bare(width, height);
        let stage = Stage::new(Some(folder.path()));
        compare(&stage, &stage.random_map(Size::new(8, 9), 4), Look::Full, 1);
    }
}

#[test]
fn a_landmark_at_the_edge_is_picked_beyond_the_ground() {
    let map = BUNDLED.uniform_map('G', Size::new(2, 2), &[(Cell::new(1, 0), '2')]);
    let (_, beyond) = compare(&BUNDLED, &map, Look::Full, 1);
    assert!(beyond > 1000, "{beyond} pixels of the castle are off the map");
    let map = BUNDLED.uniform_map('G', Size::new(2, 2), &[(Cell::new(0, 0), 'M')]);
    assert_eq!(compare(&BUNDLED, &map, Look::Full, 1), (0, 0), "a mountain is no landmark");
}

#[test]
fn the_nearer_of_two_landmarks_is_picked_and_a_tree_before_it_is_ground() {
    let castle = Cell::new(4, 4);
    let tent = Cell::new(3, 5);
    let tree = Cell::new(4, 5);
    let map = BUNDLED.uniform_map('G', Size::new(9, 9), &[(castle, '2'), (tent, '1'), (tree, 'T')]);
    let painted = Painted::new(&BUNDLED, &map, Look::Full);
    let mut tents = 0;
    let mut trees = 0;
    for ((x, y), drawn) in painted.pixels(1) {
        let point = (f64::from(x) + 0.5, f64::from(y) + 0.5);
        let picked = pick(&BUNDLED.scene, &map, point);
        if drawn == Some(tent) {
            assert_eq!(picked, Some(tent));
            tents += 1;
        } else if drawn == Some(tree) {
            assert_eq!(picked, projection(&map).cell_at(point));
            trees += 1;
        }
    }
    assert!(tents > 300 && trees > 300, "{tents} and {trees} pixels");
}

#[test]
fn translucent_pixels_are_not_picked() {
    let folder = set::bare(54, 54);
    let half = |x| Rgba([90, 90, 90, if x < 27 { 255 } else { 254 }]);
    RgbaImage::from_fn(54, 54, |x, _| half(x)).save(folder.path().join("L2_Tombstone01.png")).unwrap();
    let stage = Stage::new(Some(folder.path()));
    let stone = Cell::new(1, 1);
    let map = stage.uniform_map('G', Size::new(3, 3), &[(stone, 't')]);
    let projection = projection(&map);
    let (left, top) = projection.corner(stone);
    for x in 0..54 {
        let point = (f64::from(left + x) + 0.5, f64::from(top) + 0.5);
        let expected = if x < 27 { Some(stone) } else { projection.cell_at(point) };
        assert_eq!(pick(&stage.scene, &map, point), expected, "{x}");
    }
}

#[test]
fn points_far_away_and_nan_pick_nothing() {
    let map = BUNDLED.uniform_map('G', Size::new(2, 2), &[(Cell::new(0, 0), '2')]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e9, -1e9, 16_777_215.0] {
        assert_eq!(pick(&BUNDLED.scene, &map, (bad, 40.0)), None);
        assert_eq!(pick(&BUNDLED.scene, &map, (40.0, bad)), None);
    }
}
