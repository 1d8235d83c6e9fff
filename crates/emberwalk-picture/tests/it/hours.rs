//! The light of the hours in pictures.

use emberwalk_map::{Hour, Map};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::light::{LightArea, LightPicture, TerrainLight};
use emberwalk_picture::paint::{PaintOptions, PaintedFigure, paint};
use emberwalk_picture::scene::{Look, projection};
use image::{Rgba, RgbaImage};

use crate::support::bundled;
use crate::support::scene_fixture::BUNDLED;
use crate::support::vision::{VISIBLE, VISIONS, Vision, lightness, linear, seen};

fn hour(text: &str) -> Hour {
    text.parse().unwrap()
}

fn at_hour(map: &Map, look: Look, hour: Hour) -> RgbaImage {
    paint(map, BUNDLED.in_look(look), &PaintOptions { hour, ..PaintOptions::default() })
}

/// The light at the centre of a cell of a flat map.
fn light_at(map: &Map, hour: Hour, cell: Cell) -> [f32; 3] {
    let (x, y) = projection(map).centre(cell);
    let area = LightArea { corner: (x - 20, y - 20), size: (40, 40), spacing: LightPicture::SPACING };
    LightPicture::new(map, &BUNDLED.scene, hour, area, []).unwrap().at((x as f32, y as f32))
}

#[test]
fn at_noon_and_in_the_classic_look_nothing_is_added() {
    let map = bundled("market");
    let area = LightArea { corner: (0, 0), size: (100, 100), spacing: 8 };
    assert_eq!(LightPicture::new(&map, &BUNDLED.scene, Hour::NOON, area, []), None);
    let day = at_hour(&map, Look::Full, Hour::NOON);
    assert!(at_hour(&map, Look::Full, hour("11:00")) == day);
    assert!(at_hour(&map, Look::Full, hour("20:30")) != day);
    assert!(at_hour(&map, Look::Plain, hour("20:30")) == at_hour(&map, Look::Plain, Hour::NOON));
}

#[test]
fn parts_of_the_light_are_those_of_the_whole() {
    let mut map = bundled("market");
    map.erupt_all();
    let (width, height) = projection(&map).picture_size();
    for spacing in [8, 32] {
        let light = |corner, size| {
            let area = LightArea { corner, size, spacing };
            LightPicture::new(&map, &BUNDLED.scene, hour("21:10"), area, []).unwrap()
        };
        let whole = light((0, 0), (width, height));
        for (x, y) in [(-30, -9), (301, 207), (1200, 640), (1999, 33)] {
            let part = light((x, y), (200, 130));
            for (dx, dy) in [(1.0, 1.0), (57.5, 101.5), (199.0, 129.0)] {
                let point = (x as f32 + dx, y as f32 + dy);
                if point.0 >= 0.0 && point.1 >= 0.0 {
                    let (of_part, of_whole) = (part.at(point), whole.at(point));
                    let is_same = (0..3).all(|k| (of_part[k] - of_whole[k]).abs() < 1e-4);
                    assert!(is_same, "{point:?} by {spacing}: {of_part:?}, {of_whole:?}");
                }
            }
        }
    }
}

#[test]
fn fires_flicker_around_their_brightness_and_are_steady_in_still_pictures() {
    let size = Size::new(21, 21);
    let middle = Cell::new(10, 10);
    let (x, y) = projection(&BUNDLED.uniform_map('G', size, &[])).centre(middle);
    let area = LightArea { corner: (x - 20, y - 20), size: (40, 40), spacing: LightPicture::SPACING };
    let light = |thing: char, at: &str, beat: Option<u64>| {
        let map = BUNDLED.uniform_map('G', size, &[(middle, thing)]);
        let terrain = TerrainLight::new(&map, &BUNDLED.scene, hour(at), area).unwrap();
        (terrain.flickers(), terrain.picture(&map, [], beat).at((x as f32, y as f32))[0])
    };
    let (flickers, steady) = light('1', "21:00", None);
    assert!(flickers && !light('s', "21:00", None).0, "a fire does, a stall does not");
    let seen: Vec<f32> = (0..60).map(|beat| light('1', "21:00", Some(beat)).1).collect();
    assert!(seen.iter().all(|light| (light / steady - 1.0).abs() < 0.16), "{seen:?}");
    assert!(seen.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.06), "slowly: {seen:?}");
    assert!(seen.iter().any(|light| light / steady > 1.02) && seen.iter().any(|light| light / steady < 0.98));
}

#[test]
fn the_light_of_the_same_place_at_another_hour_is_as_if_it_was_new() {
    let map = bundled("market");
    let area = LightArea { corner: (500, 300), size: (800, 500), spacing: 16 };
    let new = |at: &str| TerrainLight::new(&map, &BUNDLED.scene, hour(at), area).unwrap();
    let picture = |light: &TerrainLight| light.picture(&map, [], None);
    let later = new("21:00").at_hour(&map, hour("23:30")).unwrap().with_lamps(&map);
    assert!(picture(&later) == picture(&new("23:30")));
    assert!(new("21:00").at_hour(&map, Hour::NOON).is_none());
    // In slices, too.
    let mut light = TerrainLight::of_sky(&map, &BUNDLED.scene, hour("21:00"), area).unwrap();
    let slices = std::iter::repeat_with(|| light.add_lamps(&map, 100)).take_while(|poll| poll.is_pending()).count();
    assert!(slices > 5 && picture(&light) == picture(&new("21:00")), "{slices} slices");
}

#[test]
fn terrains_shine_in_their_hours_and_tombstones_take_light() {
    let size = Size::new(41, 41);
    let [middle, corner] = [Cell::new(20, 20), Cell::new(1, 1)];
    let beside = Cell::new(21, 20);
    let brighter = |thing: char, at: &str| {
        let map = BUNDLED.uniform_map('G', size, &[(middle, thing)]);
        light_at(&map, hour(at), beside)[0] - light_at(&map, hour(at), Cell::new(21, 38))[0]
    };
    assert!(brighter('s', "21:00") > 0.3, "a stall in the evening");
    assert!(brighter('s', "3:00").abs() < 0.05, "a stall at night");
    assert!(brighter('V', "3:00") > brighter('1', "3:00"), "the volcano is the largest light");
    assert!(brighter('1', "3:00") > 0.3 && brighter('t', "3:00") < 0.0);
    let map = BUNDLED.uniform_map('G', size, &[(middle, 'V')]);
    let dark = light_at(&map, hour("0:00"), corner);
    assert!(dark[2] > 1.5 * dark[0] && dark[2] > 1.5 * dark[1], "the night is blue: {dark:?}");
}

#[test]
fn a_shut_gate_is_closed_in_the_picture_and_shines_red() {
    let gate = Cell::new(7, 7);
    let things = [(Cell::new(7, 6), 'W'), (gate, 'g'), (Cell::new(7, 8), 'W')];
    let mut map = BUNDLED.uniform_map('G', Size::new(15, 15), &things);
    let night = hour("23:00");
    let image = |map: &Map, look: Look| BUNDLED.names(&BUNDLED.in_look(look).standing(map, gate)[..1]).join("");
    let picture = |map: &Map| at_hour(map, Look::Full, night);
    assert_eq!(image(&map, Look::Full), "L2_GateNS");
    let (open, open_light) = (picture(&map), light_at(&map, night, gate));
    assert_eq!(map.set_hour(Some(night)), [gate]);
    assert_eq!(image(&map, Look::Full), "L2_GateNS_shut");
    assert_eq!(image(&map, Look::Plain), "L2_GateNS");
    let is_shown = [Look::Full, Look::Plain].map(|look| BUNDLED.in_look(look).shows_shut(&map, gate));
    assert_eq!(is_shown, [true, false]);
    let light = light_at(&map, night, gate);
    assert!(picture(&map) != open);
    assert!(light[0] > 2.0 * light[1] && open_light[0] < 2.0 * open_light[1], "{light:?}, open {open_light:?}");
    map.set_hour(Some(hour("12:00")));
    assert!(picture(&map) == open, "it is the same as if it had never been shut");
}

#[test]
fn snow_is_darker_at_night_than_its_colour_but_for_its_ridges() {
    let size = Size::new(31, 31);
    let light = |ground: char, at: &str| -> Vec<[f32; 3]> {
        let map = BUNDLED.uniform_map(ground, size, &[]);
        let cells = size.cells().filter(|cell| cell.x > 5 && cell.y > 5 && cell.x < 25 && cell.y < 25);
        cells.map(|cell| light_at(&map, hour(at), cell)).collect()
    };
    let grass = light('G', "0:00");
    let share: Vec<f32> = light('S', "0:00").iter().zip(&grass).map(|(snow, grass)| snow[1] / grass[1]).collect();
    let mean = share.iter().sum::<f32>() / share.len() as f32;
    assert!((0.6..0.8).contains(&mean), "a third darker, and not {mean}");
    assert!(share.iter().any(|share| *share > 0.9) && share.iter().all(|share| *share > 0.6), "{share:?}");
    let snow_is_grey = |[red, _, blue]: [f32; 3]| blue / red;
    assert!(light('S', "0:00").into_iter().map(snow_is_grey).fold(0.0, f32::max) < snow_is_grey(grass[0]));
}

/// The pixels of a picture that are as bright and warm as a lamp.
fn lamps_in(picture: &RgbaImage) -> usize {
    let is_lamp = |pixel: &&Rgba<u8>| pixel.0[0] > 230 && pixel.0[0] > pixel.0[2] + 60;
    picture.pixels().filter(is_lamp).count()
}

#[test]
fn windows_shine_while_they_are_lit_where_nothing_is_before_them() {
    let size = Size::new(15, 15);
    let church = (Cell::new(7, 7), 'C');
    let seen = |things: &[(Cell, char)], at: &str| {
        lamps_in(&at_hour(&BUNDLED.uniform_map('G', size, things), Look::Full, hour(at)))
    };
    let alone = seen(&[church], "3:00");
    assert!(alone > 10, "{alone} pixels");
    let before = [(7, 8), (6, 7), (6, 8)].map(|cell| (Cell::from(cell), 'H'));
    let hidden = seen(&[&[church][..], &before].concat(), "3:00");
    assert!(hidden < alone / 2, "{hidden} pixels beside {alone}");
    // A person in front of it hides them, too.
    let map = BUNDLED.uniform_map('G', size, &[church]);
    let image = BUNDLED.assets.find("L4_TravellerSI").unwrap();
    let paint_with = |figures: &[PaintedFigure]| {
        paint(&map, &BUNDLED.scene, &PaintOptions { hour: hour("3:00"), figures, ..PaintOptions::default() })
    };
    let somebody = PaintedFigure { shines_through: false, ..PaintedFigure::at_feet(&map, image, (6.95, 7.5)) };
    let hidden = lamps_in(&paint_with(&[somebody]));
    assert!(hidden < alone, "{hidden} pixels beside {alone}");
    // At three in the night, the cottages have gone to bed.
    let cottages: Vec<_> = (0..9).map(|k| (Cell::new(3 + 4 * (k % 3), 3 + 4 * (k / 3)), 'h')).collect();
    assert!(seen(&cottages, "20:30") > 5 && seen(&cottages, "3:00") == 0);
}

#[test]
fn not_all_houses_are_lit_and_not_all_of_the_time() {
    let things: Vec<_> = (0..20).flat_map(|y| (0..20).map(move |x| (Cell::new(8 * x, 8 * y), 'H'))).collect();
    let map = BUNDLED.uniform_map('G', Size::new(160, 160), &things);
    let lit = |at: &str| -> Vec<bool> {
        let light = |cell: Cell| light_at(&map, hour(at), cell)[0] > light_at(&map, hour("3:00"), cell)[0] + 0.2;
        things.iter().map(|(cell, _)| light(*cell)).collect()
    };
    let (early, late) = (lit("21:15"), lit("22:15"));
    let count = |lit: &[bool]| lit.iter().filter(|lit| **lit).count();
    assert!((240..360).contains(&count(&early)), "{}", count(&early));
    let changed = early.iter().zip(&late).filter(|(early, late)| early != late).count();
    assert!(changed > 40, "{changed}");
}

/// The images of people who stand, of the player's traveller and of all kinds.
fn standing_people() -> impl Iterator<Item = &'static str> {
    ["L4_TravellerSI"].into_iter().chain(BUNDLED.tileset.people().iter().map(|kind| kind.idle.as_str()))
}

/// The least difference in lightness that a quarter of the differing pixels of two pictures have, or 60 of them, as somebody
/// sees it.
fn clear_step(with: &RgbaImage, without: &RgbaImage, vision: &Vision) -> f64 {
    let light_of = |pixel: &Rgba<u8>| lightness(seen(vision, [0, 1, 2].map(|k| linear(pixel.0[k]))));
    let differing = with.pixels().zip(without.pixels()).filter(|(a, b)| a != b);
    let mut steps: Vec<f64> = differing.map(|(a, b)| (light_of(a) - light_of(b)).abs()).collect();
    steps.sort_by(f64::total_cmp);
    steps.iter().rev().nth(60.min(steps.len() / 4)).copied().unwrap_or_default()
}

#[test]
fn at_midnight_and_at_dusk_routes_and_people_can_be_told_from_the_ground() {
    let size = Size::new(15, 15);
    let route: Vec<_> = (2..12).map(|x| Cell::new(x, 7)).collect();
    let mut unclear = Vec::new();
    for (at, ground) in
        ["0:00", "20:00", "21:00", "5:00"].into_iter().flat_map(|at| "GSDP".chars().map(move |g| (at, g)))
    {
        let map = BUNDLED.uniform_map(ground, size, &[]);
        let options = PaintOptions { hour: hour(at), ..PaintOptions::default() };
        let scene = BUNDLED.in_look(Look::Full);
        let without = paint(&map, scene, &options);
        let mut check = |what: &str, with: &RgbaImage| {
            for (name, vision) in &VISIONS {
                let step = clear_step(with, &without, vision);
                if step < VISIBLE {
                    unclear.push(format!("{what} on {ground} at {at}, {name}: {step:.1}"));
                }
            }
        };
        check("a route", &paint(&map, scene, &PaintOptions { route: Some(&route), ..options }));
        for name in standing_people() {
            let name = name.replace('*', "S");
            let figures = [PaintedFigure::at_feet(&map, BUNDLED.assets.find(&name).unwrap(), (7.0, 4.0))];
            check(&name, &paint(&map, scene, &PaintOptions { figures: &figures, ..options }));
        }
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
}

#[test]
fn kinds_of_ground_differ_in_lightness_by_day_and_by_night() {
    let size = Size::new(15, 15);
    let midnight = hour("0:00");
    let mean = |ground: char, hour: Hour| {
        let map = BUNDLED.uniform_map(ground, size, &[]);
        let picture = paint(&map, &BUNDLED.scene, &PaintOptions { hour, ..PaintOptions::default() });
        let (x, y) = (picture.width() / 2, picture.height() / 2);
        let pixels: Vec<f64> =
            (0..400).map(|k| light_of(picture.get_pixel(x - 10 + k % 20, y - 10 + k / 20))).collect();
        pixels.iter().sum::<f64>() / 400.0
    };
    for (a, b) in [('G', 'S'), ('G', 'D'), ('S', '~'), ('D', '~'), ('P', 'G')] {
        let step = (mean(a, midnight) - mean(b, midnight)).abs();
        assert!(step > 4.0, "{a} and {b}: {step}");
    }
}

fn light_of(pixel: &Rgba<u8>) -> f64 {
    lightness([0, 1, 2].map(|k| linear(pixel.0[k])))
}
