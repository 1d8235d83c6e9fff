//! Which cell a point of a map's picture means.

use emberwalk::grid::{Cell, Size};
use emberwalk::map::{Map, bundled_maps};
use emberwalk::scene::{Look, projection};
use image::{Rgba, RgbaImage};

use crate::scaled_tilesets as set;
use crate::scene_fixture::{BUNDLED, Stage};

/// The characters of the terrains that are picked by their pictures.
const LANDMARKS: &str = "12tvV";

/// The pixels around the picture that are tried, too.
const BORDER: i32 = 130;

/// The standing images of a map as a painter draws them: by pixel, the cell of the last image with an opaque pixel.
struct Painted {
    left: i32,
    top: i32,
    width: i32,
    cells: Vec<Option<Cell>>,
}

impl Painted {
    fn new(stage: &Stage, map: &Map, look: Look) -> Self {
        let projection = projection(map);
        let (width, height) = projection.picture_size();
        let (width, height) = (width as i32 + 2 * BORDER, height as i32 + 2 * BORDER);
        let mut painted = Self { left: -BORDER, top: -BORDER, width, cells: vec![None; (width * height) as usize] };
        for cell in projection.back_to_front() {
            let Some(image) = stage.scene.standing(map, look, cell).first() else { continue };
            let image = stage.assets.image(*image);
            let (left, top) = projection.tile().align_image(projection.corner(cell), image.dimensions());
            for (i, j, pixel) in image.enumerate_pixels() {
                let (x, y) = (left + i as i32 + BORDER, top + j as i32 + BORDER);
                if pixel.0[3] == 255 && (0..width).contains(&x) && (0..height).contains(&y) {
                    painted.cells[(y * width + x) as usize] = Some(cell);
                }
            }
        }
        painted
    }

    /// Returns every `step`th pixel with the cell that was drawn there last.
    fn pixels(&self, step: usize) -> impl Iterator<Item = ((i32, i32), Option<Cell>)> {
        self.cells.iter().enumerate().step_by(step).map(|(k, cell)| {
            let (column, row) = (k as i32 % self.width, k as i32 / self.width);
            ((self.left + column, self.top + row), *cell)
        })
    }
}

/// Compares every `step`th pixel with the painter. Returns how many points mean a landmark whose ground is elsewhere,
/// and how many of them are off the map.
fn compare(stage: &Stage, map: &Map, look: Look, step: usize) -> (usize, usize) {
    let projection = projection(map);
    let (mut on_pictures, mut beyond) = (0, 0);
    for ((x, y), drawn) in Painted::new(stage, map, look).pixels(step) {
        // The middle of a pixel, and other points in it.
        let point = [(0.5, 0.5), (0.0, 0.999), (0.999, 0.0)][(x ^ y).rem_euclid(3) as usize];
        let point = (f64::from(x) + point.0, f64::from(y) + point.1);
        let ground = projection.cell_at(point);
        let landmark = drawn.filter(|cell| {
            let terrain = map.overlay().get(*cell).copied().flatten();
            terrain.is_some_and(|terrain| LANDMARKS.contains(stage.tileset[terrain].char))
        });
        let picked = stage.scene.pick(&stage.assets, map, look, point);
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
        let step = if bundled.name == "realm" { 41 } else { 1 };
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
    let (castle, tent, tree) = (Cell::new(4, 4), Cell::new(3, 5), Cell::new(4, 5));
    let map = BUNDLED.uniform_map('G', Size::new(9, 9), &[(castle, '2'), (tent, '1'), (tree, 'T')]);
    let painted = Painted::new(&BUNDLED, &map, Look::Full);
    let (mut tents, mut trees) = (0, 0);
    for ((x, y), drawn) in painted.pixels(1) {
        let point = (f64::from(x) + 0.5, f64::from(y) + 0.5);
        let picked = BUNDLED.scene.pick(&BUNDLED.assets, &map, Look::Full, point);
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
        assert_eq!(stage.scene.pick(&stage.assets, &map, Look::Full, point), expected, "{x}");
    }
}

#[test]
fn points_far_away_and_nan_pick_nothing() {
    let map = BUNDLED.uniform_map('G', Size::new(2, 2), &[(Cell::new(0, 0), '2')]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e9, -1e9, 16_777_215.0] {
        assert_eq!(BUNDLED.scene.pick(&BUNDLED.assets, &map, Look::Full, (bad, 40.0)), None);
        assert_eq!(BUNDLED.scene.pick(&BUNDLED.assets, &map, Look::Full, (40.0, bad)), None);
    }
}
