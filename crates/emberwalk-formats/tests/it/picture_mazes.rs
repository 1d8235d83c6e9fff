//! Paths through black and white pictures.

use emberwalk_formats::picture::{
    PictureQuery, PictureSolution, PictureSolver, PictureWalls, WallHint, no_path_hint, wall_hint,
};
use emberwalk_path::grid::Cell;
use image::{Rgb, RgbImage};

use crate::support::Random;
use crate::support::mazes::{BORDER, PATH, picture};
use crate::support::vision::{VISIBLE, VISIONS, lightness, linear, seen};

/// Whether a pixel is a wall by default.
fn is_wall(pixel: Rgb<u8>) -> bool {
    PictureWalls::default().is_wall(pixel)
}

/// Solves a picture from corner to corner, or between its openings.
fn solve(picture: &mut RgbImage) -> PictureSolution {
    PictureSolver::default().solve(picture, &PictureQuery::default(), &mut |_| {})
}

/// A picture with random walls, without walls at start and goal.
fn random_picture(random: &mut Random, width: u32, height: u32, walls: usize) -> RgbImage {
    let mut picture = RgbImage::from_fn(width, height, |_, _| Rgb([u8::from(random.below(100) >= walls); 3]));
    picture.put_pixel(0, 0, Rgb([9, 9, 9]));
    picture.put_pixel(width - 1, height - 1, Rgb([9, 9, 9]));
    picture
}

/// The lowest cost of a path, by relaxing every step until nothing changes (Bellman-Ford).
fn lowest_cost(picture: &RgbImage) -> Option<u64> {
    let (width, height) = (picture.width() as i64, picture.height() as i64);
    let free = |x: i64, y: i64| {
        (0..width).contains(&x) && (0..height).contains(&y) && !is_wall(*picture.get_pixel(x as u32, y as u32))
    };
    let mut costs = vec![None; (width * height) as usize];
    costs[0] = free(0, 0).then_some(0u64);
    loop {
        let before = costs.clone();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let Some(cost) = costs[(y * width + x) as usize] else { continue };
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                if free(x + dx, y + dy) {
                    let there = &mut costs[((y + dy) * width + x + dx) as usize];
                    let new = cost + if dx != 0 && dy != 0 { 7 } else { 5 };
                    *there = Some(there.map_or(new, |known| known.min(new)));
                }
            }
        }
        if costs == before {
            return costs[costs.len() - 1];
        }
    }
}

#[test]
fn the_path_is_the_cheapest_with_steps_of_five_and_seven() {
    let mut solver = PictureSolver::default();
    let mut random = Random(7);
    let mut found = 0;
    for round in 0..150 {
        let (width, height) = (1 + random.below(14) as u32, 1 + random.below(14) as u32);
        let walls = random.pick(&[0, 20, 40, 60]);
        let mut picture = random_picture(&mut random, width, height, walls);
        if round % 10 == 0 {
            picture.put_pixel(width - 1, height - 1, Rgb([0, 9, 9]));
        }
        let before = picture.clone();
        let (from, to) = (Cell::new(0, 0), Cell::new(width as i32 - 1, height as i32 - 1));
        let query = PictureQuery { from: Some(from), to: Some(to), ..PictureQuery::default() };
        let solution = solver.solve(&mut picture, &query, &mut |_| {});
        let path = solution.path;
        assert_eq!(path.map(|path| path.cost), lowest_cost(&before), "round {round}, {width} x {height}");
        let Some(path) = path else {
            assert_eq!(picture, before, "without a path nothing is drawn");
            continue;
        };
        found += 1;
        let green = picture.pixels().filter(|pixel| **pixel == PATH).count();
        assert_eq!(green, path.steps + 1, "round {round}");
        assert_eq!((path.from, path.to), (from, to), "round {round}");
        for (was, is) in before.pixels().zip(picture.pixels()) {
            assert!(was == is || !is_wall(*was), "round {round}: walls stay");
        }
    }
    assert!(found > 60);
    let mut open = RgbImage::from_pixel(300, 200, Rgb([1; 3]));
    let path = solver.solve(&mut open, &PictureQuery::default(), &mut |_| {}).path.unwrap();
    assert_eq!((path.steps, path.cost), (299, 199 * 7 + 100 * 5), "exactly, however long");
}

#[test]
fn closed_cells_are_coloured_in_the_order_of_closing() {
    // A corridor without branches: its cells are closed in their order.
    let mut picture = picture(&["    ", "### ", "    ", " ###", "    "]);
    let solution = solve(&mut picture);
    let path = solution.path.unwrap();
    assert_eq!((path.steps, path.cost), (9, 9 * 5 + 4 * 2), "corners are cut: four of the nine steps are diagonal");
    // The dead end next to the path is closed too.
    let mut maze = self::picture(&["     ", "#### ", "     "]);
    let solution = solve(&mut maze);
    let n = solution.closed as u64;
    let mut seen: Vec<u8> = Vec::new();
    for pixel in maze.pixels().filter(|pixel| **pixel != PATH && pixel.0[1] == 0) {
        let [red, _, v] = pixel.0;
        assert_eq!(red, 255 - v);
        assert!((0..n).any(|k| (255 * k / n) as u8 == v), "{v} of {n}");
        seen.push(v);
    }
    assert!(seen.len() as u64 <= n);
}

#[test]
fn closed_cells_have_distinct_colours_if_there_are_enough() {
    // A wall in front of the goal makes the search close all other pixels.
    let mut picture = RgbImage::from_pixel(12, 12, Rgb([255; 3]));
    (0..11).for_each(|k| picture.put_pixel(k, 10, Rgb([0; 3])));
    (1..11).for_each(|k| picture.put_pixel(10, k, Rgb([0; 3])));
    let solution = solve(&mut picture);
    let n = solution.closed as u64;
    let mut colours: Vec<u8> = (0..n).map(|k| (255 * k / n) as u8).collect();
    for pixel in picture.pixels().filter(|pixel| pixel.0[1] == 0 && pixel.0 != [0; 3]) {
        let at = colours.iter().position(|&v| [255 - v, 0, v] == pixel.0);
        colours.remove(at.unwrap_or_else(|| panic!("{pixel:?} twice, or none of {n}")));
    }
    let path = picture.pixels().filter(|pixel| [PATH, BORDER].contains(pixel)).count();
    assert!(
        colours.len() <= path && solution.closed > path,
        "only the closed cells of the path and beside it have no colour of their own"
    );
}

#[test]
fn the_path_has_a_border_of_another_lightness_which_everybody_sees_on_every_colour() {
    let mut open = RgbImage::from_pixel(40, 30, Rgb([255; 3]));
    (5..30).for_each(|y| open.put_pixel(20, y, Rgb([0; 3])));
    let before = open.clone();
    solve(&mut open);
    let is_path = |x: u32, y: u32| *open.get_pixel(x, y) == PATH;
    for (x, y, pixel) in open.enumerate_pixels() {
        let mut around = (x.saturating_sub(1)..(x + 2).min(40))
            .flat_map(|x| (y.saturating_sub(1)..(y + 2).min(30)).map(move |y| (x, y)));
        let is_beside = !is_path(x, y) && around.any(|(x, y)| is_path(x, y));
        let is_wall = is_wall(*before.get_pixel(x, y));
        assert_eq!(*pixel == BORDER, is_beside && !is_wall, "{x},{y}");
    }
    for (name, vision) in &VISIONS {
        let lightness = |Rgb(colour): Rgb<u8>| lightness(seen(vision, colour.map(linear)));
        let [path, border] = [PATH, BORDER].map(lightness);
        assert!((path - border).abs() > 2.0 * VISIBLE, "{name}: {path} and {border}");
        for v in 0..=255 {
            let closed = lightness(Rgb([255 - v, 0, v]));
            let difference = (closed - path).abs().max((closed - border).abs());
            assert!(difference > 2.0 * VISIBLE, "{name}: {difference} at {v} of 255");
        }
    }
}

#[test]
fn pictures_of_the_same_run_reuse_memory() {
    let mut random = Random(3);
    let mut solver = PictureSolver::default();
    let query = PictureQuery::default();
    let mut grown = |width: u32, height: u32, walls: usize| {
        let mut picture = random_picture(&mut random, width, height, walls);
        solver.solve(&mut picture, &query, &mut |_| {}).grown
    };
    assert!(grown(80, 60, 30) > 80 * 60 * 16);
    // Pictures of any shape with as many pixels, or fewer.
    for (width, height) in [(60, 80), (4096, 1), (1, 4096), (80, 60), (2, 2), (69, 69), (1200, 4)] {
        for walls in [0, 10, 35, 60] {
            assert_eq!(grown(width, height, walls), 0, "{width} x {height}");
        }
    }
    // The longest possible path, and the longest open list.
    let serpentine = RgbImage::from_fn(69, 69, |x, y| {
        let wall = y % 2 == 1 && x != if y % 4 == 1 { 68 } else { 0 };
        Rgb([if wall { 0 } else { 255 }; 3])
    });
    let comb = RgbImage::from_fn(69, 69, |x, y| {
        let wall = y % 3 == 1 && x != 0 || y % 3 != 1 && x % 2 == 1;
        Rgb([if wall { 0 } else { 255 }; 3])
    });
    for mut picture in [serpentine, comb] {
        assert_eq!(solver.solve(&mut picture, &query, &mut |_| {}).grown, 0);
    }
    let mut larger = random_picture(&mut Random(1), 81, 60, 20);
    assert!(solver.solve(&mut larger, &query, &mut |_| {}).grown > 0, "this one is larger");
}

#[test]
fn a_maze_with_a_border_is_solved_between_its_openings() {
    let maze = ["# ###", "#   #", "### #", "### #"];
    let mut solved = picture(&maze);
    let path = solve(&mut solved).path.unwrap();
    assert_eq!((path.from, path.to, path.steps), (Cell::new(1, 0), Cell::new(3, 3), 3));
    assert!([(1, 0), (3, 2), (3, 3)].iter().all(|&(x, y)| *solved.get_pixel(x, y) == PATH));
    let closed = ["#####", "#   #", "#####"];
    let mut unsolved = picture(&closed);
    let solution = solve(&mut unsolved);
    assert!(solution.path.is_none() && solution.missing.unwrap().contains("the border has 0 openings"));
    assert_eq!(unsolved, picture(&closed));
    let query = PictureQuery { from: Some(Cell::new(1, 1)), to: Some(Cell::new(3, 1)), ..PictureQuery::default() };
    assert_eq!(PictureSolver::default().solve(&mut unsolved, &query, &mut |_| {}).path.unwrap().cost, 10);
}

#[test]
fn the_threshold_makes_grey_pixels_walls() {
    let grey = |row: &[u8]| RgbImage::from_fn(row.len() as u32, 1, |x, _| Rgb([row[x as usize]; 3]));
    let cost = |row: &[u8], threshold| {
        let query = PictureQuery { walls: PictureWalls { threshold, inverted: false }, ..PictureQuery::default() };
        PictureSolver::default().solve(&mut grey(row), &query, &mut |_| {}).path.map(|path| path.cost)
    };
    assert_eq!([0, 33, 34].map(|threshold| cost(&[255, 34, 255], threshold)), [Some(10), Some(10), None]);
}

/// A picture with a slanted wall from edge to edge whose edges are smooth: a pixel is as dark as its distance from the
/// middle of the wall.
fn smooth_wall() -> RgbImage {
    RgbImage::from_fn(60, 40, |x, y| {
        let distance = (f64::from(x) - 20.0 - f64::from(y) * 0.4).abs() / 1.4_f64.hypot(0.4);
        Rgb([(distance * 160.0).min(255.0) as u8; 3])
    })
}

/// The cost of the path through a picture, and the hint on its walls.
fn cost_and_hint(picture: &RgbImage, walls: PictureWalls) -> (Option<u64>, Option<WallHint>) {
    cost_and_hint_of(picture, PictureQuery { walls, ..PictureQuery::default() })
}

fn cost_and_hint_of(picture: &RgbImage, query: PictureQuery) -> (Option<u64>, Option<WallHint>) {
    let walls = query.walls;
    let path = PictureSolver::default().solve(&mut picture.clone(), &query, &mut |_| {}).path;
    let hint = if path.is_some() { wall_hint(picture, walls) } else { no_path_hint(picture, &query) };
    (path.map(|path| path.cost), hint)
}

#[test]
fn gaps_in_smooth_walls_are_announced_with_the_threshold_that_closes_them() {
    for inverted in [false, true] {
        let mut picture = smooth_wall();
        // It ends above the lower edge.
        (36..40).for_each(|y| (25..45).for_each(|x| picture.put_pixel(x, y, Rgb([255; 3]))));
        if inverted {
            image::imageops::invert(&mut picture);
        }
        let query = PictureQuery {
            from: Some(Cell::new(0, 9)),
            to: Some(Cell::new(59, 9)),
            walls: PictureWalls { inverted, threshold: 0 },
        };
        let (through, hint) = cost_and_hint_of(&picture, query);
        let hint = hint.unwrap();
        assert!(hint.reason.contains(" pixels (") && hint.reason.contains(" %) are grey"), "{hint}");
        let better = hint.better.unwrap();
        assert_eq!(better.inverted, inverted);
        let (around, hint) = cost_and_hint_of(&picture, PictureQuery { walls: better, ..query });
        assert!(around > through && hint.is_none(), "{around:?} and {through:?}: {hint:?}");
    }
    let flat = picture(&["  #", "# #", "   "]);
    assert_eq!(cost_and_hint(&flat, PictureWalls::default()).1, None, "there is nothing between walls and floor");
}

#[test]
fn pictures_with_light_walls_are_recognised() {
    let rows = ["# ###", "#   #", "### #"];
    let mut picture = picture(&rows);
    image::imageops::invert(&mut picture);
    // Without grey pixels, and with some around the wall.
    for (grey, advice) in [(0, "try `--invert`"), (90, "try `--invert --threshold ")] {
        picture.put_pixel(0, 1, Rgb([255 - grey; 3]));
        let (cost, hint) = cost_and_hint(&picture, PictureWalls::default());
        let hint = hint.unwrap();
        assert!(cost.is_none() && hint.to_string().contains(advice), "{hint}");
        let (cost, hint) = cost_and_hint(&picture, hint.better.unwrap());
        assert_eq!((cost, hint), (Some(14), None));
    }
    let dark = self::picture(&rows);
    let (cost, hint) = cost_and_hint(&dark, PictureWalls { inverted: true, threshold: 0 });
    assert!(cost.is_none() && hint.unwrap().to_string().ends_with("; try it without `--invert`"));
    // Where neither kind of wall leaves a path, nothing is promised.
    let closed = self::picture(&["  ", "##", "  ", "##"]);
    assert_eq!(cost_and_hint(&closed, PictureWalls::default()), (None, None));
    let black = RgbImage::new(3, 3);
    assert!(cost_and_hint(&black, PictureWalls::default()).1.unwrap().reason.starts_with("every pixel is a wall"));
}
