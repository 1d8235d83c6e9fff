//! Hidden routes and figures shine through standing images in the full look.

use std::collections::HashMap;

use emberwalk_map::Map;
use emberwalk_path::Corners;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::iso::Depth;
use emberwalk_picture::paint::{PaintOptions, PaintedFigure, margin, paint};
use emberwalk_picture::scene::{Footing, Look, PlacedMark, projection};
use emberwalk_picture::tiles::ImageId;
use image::{Rgba, RgbaImage};

use crate::support::scene_fixture::BUNDLED;
use crate::support::{bundled, cheapest_route};

/// A bundled map with its cheapest route.
fn routed(name: &str) -> (Map, Vec<Cell>) {
    let map = bundled(name);
    let route = cheapest_route(&map, Corners::Never).into_iter().map(Cell::from).collect();
    (map, route)
}

fn picture(map: &Map, look: Look, route: Option<&[Cell]>, figures: &[PaintedFigure]) -> RgbaImage {
    paint(map, BUNDLED.in_look(look), &PaintOptions { route, figures, ..PaintOptions::default() })
}

/// Draws the opaque pixels of an image over a picture, aligned as the tile image at a corner of the map.
fn stamp(picture: &mut RgbaImage, map: &Map, look: Look, image: ImageId, (x, y): (i32, i32)) {
    let tile = map.tileset().tile();
    let image = BUNDLED.assets.image(image);
    let margin = margin(tile, look) as i32;
    let (left, top) = tile.align_image((x + margin, y + margin), image.dimensions());
    for (i, j, pixel) in image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] == 255) {
        let at = (left + i as i32, top + j as i32);
        if let (Ok(x), Ok(y)) = (u32::try_from(at.0), u32::try_from(at.1))
            && let Some(target) = picture.get_pixel_mut_checked(x, y)
        {
            *target = *pixel;
        }
    }
}

/// Draws the standing images of a map that are nearer than a depth, on a transparent picture.
fn standing(map: &Map, look: Look, (width, height): (u32, u32), beyond: Option<Depth>) -> RgbaImage {
    let mut picture = RgbaImage::new(width, height);
    for cell in projection(map).back_to_front().filter(|cell| Some(Depth::of_cell(*cell)) > beyond) {
        if let Some(image) = BUNDLED.in_look(look).standing(map.layers(), cell).first() {
            stamp(&mut picture, map, look, *image, projection(map).corner(cell));
        }
    }
    picture
}

/// Blends a colour over a pixel in linear light.
fn blended(below: Rgba<u8>, above: Rgba<u8>, opacity: f64) -> Rgba<u8> {
    let linear = |code: u8| {
        let code = f64::from(code) / 255.0;
        if code <= 0.040_45 { code / 12.92 } else { ((code + 0.055) / 1.055).powf(2.4) }
    };
    let encoded = |light: f64| if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    let mix = |k: usize| linear(above.0[k]) * opacity + linear(below.0[k]) * (1.0 - opacity);
    Rgba([0, 1, 2, 3].map(|k| if k == 3 { below.0[3] } else { (encoded(mix(k)) * 255.0).round() as u8 }))
}

fn differ_by_at_most_one(a: Rgba<u8>, b: Rgba<u8>) -> bool {
    (0..4).all(|k| a.0[k].abs_diff(b.0[k]) <= 1)
}

#[test]
fn a_hidden_route_shines_through_at_40_percent_in_the_full_look_only() {
    for (name, some) in [("valley", 20), ("figures/wall", 0), ("realm", 200)] {
        let (map, route) = routed(name);
        for look in [Look::Plain, Look::Full] {
            let with = picture(&map, look, Some(&route), &[]);
            let without = picture(&map, look, None, &[]);
            let mut marks = RgbaImage::new(with.width(), with.height());
            for mark in BUNDLED.scene.route_marks(&route) {
                stamp(&mut marks, &map, look, mark.image, projection(&map).corner_at(mark.feet));
            }
            let standing = standing(&map, look, with.dimensions(), None);
            let mut hidden = 0;
            for (x, y, seen) in with.enumerate_pixels() {
                let mark = *marks.get_pixel(x, y);
                let without = *without.get_pixel(x, y);
                let expected = match (mark.0[3], standing.get_pixel(x, y).0[3]) {
                    (0, _) => without,
                    (_, 0) => mark,
                    _ if look == Look::Plain => without,
                    _ => blended(without, mark, 0.4),
                };
                hidden += usize::from(mark.0[3] > 0 && standing.get_pixel(x, y).0[3] > 0);
                let place = format!("{x},{y} of {name} in the {look:?} look");
                assert!(differ_by_at_most_one(*seen, expected), "{seen:?}, not {expected:?} at {place}");
            }
            assert!(hidden >= some, "{name}: {hidden} pixels of the route are hidden");
        }
    }
}

#[test]
fn a_hidden_figure_is_seen_as_a_silhouette_in_the_full_look_only() {
    let traveller = BUNDLED.assets.find("L4_TravellerE0").unwrap();
    let size = Size::new(9, 9);
    let middle = Cell::new(4, 4);
    for thing in ['W', '2', 'v', 'F', 't'] {
        let map = BUNDLED.uniform_map('G', size, &[(middle, thing), (middle + (1, 0), 'W')]);
        let mut hidden = 0;
        for feet in [(4.0, 3.0), (4.75, 3.25), (5.0, 3.0), (5.0, 4.0), (4.5, 3.5), (4.0, 5.0), (3.5, 4.5)] {
            let figures = [PaintedFigure::at_feet(&map, traveller, feet)];
            for look in [Look::Plain, Look::Full] {
                let with = picture(&map, look, None, &figures);
                let without = picture(&map, look, None, &[]);
                let mut figure = RgbaImage::new(with.width(), with.height());
                stamp(&mut figure, &map, look, traveller, projection(&map).corner_at(feet));
                let nearer = standing(&map, look, with.dimensions(), Some(Depth::of_figure(feet)));
                let mut tints = HashMap::new();
                for (x, y, seen) in with.enumerate_pixels() {
                    let shape = *figure.get_pixel(x, y);
                    let without = *without.get_pixel(x, y);
                    let place = format!("{x},{y} of {thing} and a figure at {feet:?} in the {look:?} look");
                    match (shape.0[3], nearer.get_pixel(x, y).0[3]) {
                        (0, _) => assert_eq!(*seen, without, "{place}"),
                        (_, 0) => assert_eq!(*seen, shape, "{place}"),
                        _ if look == Look::Plain => assert_eq!(*seen, without, "{place}"),
                        _ => {
                            hidden += 1;
                            assert_ne!(*seen, without, "{place}");
                            // The tint is flat: equal colours stay equal.
                            assert_eq!(tints.insert(without, *seen).unwrap_or(*seen), *seen, "{place}");
                        }
                    }
                }
            }
        }
        assert!(hidden > 50, "{thing}: {hidden} pixels of the figure are hidden");
    }
}

#[test]
fn a_hidden_route_does_not_shine_through_a_figure_in_front() {
    let traveller = BUNDLED.assets.find("L4_TravellerE0").unwrap();
    let wall: Vec<_> = (0..9).map(|x| (Cell::new(x, 4), 'W')).collect();
    let map = BUNDLED.uniform_map('G', Size::new(9, 9), &wall);
    let route: Vec<_> = (0..9).map(|x| Cell::new(x, 3)).collect();
    let feet = (4.0, 4.75);
    let figures = [PaintedFigure::at_feet(&map, traveller, feet)];
    let with = picture(&map, Look::Full, Some(&route), &figures);
    let without = picture(&map, Look::Full, None, &figures);
    let mut figure = RgbaImage::new(with.width(), with.height());
    stamp(&mut figure, &map, Look::Full, traveller, projection(&map).corner_at(feet));
    let mut beside = 0;
    for (x, y, shape) in figure.enumerate_pixels() {
        if shape.0[3] > 0 {
            assert_eq!(with.get_pixel(x, y), shape, "{x},{y}");
        } else {
            beside += usize::from(with.get_pixel(x, y) != without.get_pixel(x, y));
        }
    }
    assert!(beside > 100, "the route is seen beside the figure");
}

#[test]
fn marks_shine_through_as_they_are_tinted() {
    let map = BUNDLED.uniform_map('G', Size::new(3, 3), &[(Cell::new(1, 1), '2')]);
    let footing = Footing::in_cell(&map, Cell::new(1, 0));
    let mark = BUNDLED.scene.route_marks(&[(0, 0), (1, 0), (2, 0)].map(Cell::from)).next().unwrap();
    let pixels = |tints: &[[f32; 4]]| -> Vec<Rgba<u8>> {
        let marks = tints.iter().map(|&tint| PlacedMark { image: mark.image, footing, tint });
        let through = BUNDLED.scene.shine_through(&map, marks);
        let picture = through[&Cell::new(1, 1)].compose(&BUNDLED.assets);
        picture.pixels().filter(|pixel| pixel.0[3] > 0).copied().collect()
    };
    let full = pixels(&[[1.0; 4]]);
    let paler = pixels(&[[1.0, 1.0, 1.0, 0.5]]);
    let dark = pixels(&[[0.2, 0.2, 0.2, 1.0]]);
    assert!(!full.is_empty());
    assert!(full.iter().all(|pixel| pixel.0[3] == 102) && paler.iter().all(|pixel| pixel.0[3] == 51));
    assert!(full.iter().zip(&dark).all(|(full, dark)| dark.0[3] == 102 && dark.0[0] < full.0[0]));
    assert_eq!(pixels(&[[0.2, 0.2, 0.2, 0.5], [1.0; 4]]), full, "the upper mark covers the lower");
    assert!(BUNDLED.scene.shine_through(&map, []).is_empty());
}
