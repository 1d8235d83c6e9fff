//! Paths through black and white pictures.

use emberwalk_formats::picture::{PictureQuery, PictureSolver, Transparency, is_wall};
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_path::grid::Cell;
use image::{DynamicImage, GrayImage, ImageFormat, Luma, Rgb, RgbImage};

use crate::support::Random;
use crate::support::mazes::{BORDER, PATH, bytes, huge_png, picture};
use crate::support::vision::{VISIBLE, VISIONS, lightness, linear, seen};

fn decode(file: &str, bytes: &[u8]) -> Result<RgbImage, Diagnostics> {
    emberwalk_formats::picture::decode(file, bytes, Transparency::OnWhite)
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
        (0..width).contains(&x) && (0..height).contains(&y) && !is_wall(*picture.get_pixel(x as u32, y as u32), 0)
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
        let solution = solver.solve_query(&mut picture, &query, |_| {});
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
            assert!(was == is || !is_wall(*was, 0), "round {round}: walls stay");
        }
    }
    assert!(found > 60);
    let mut open = RgbImage::from_pixel(300, 200, Rgb([1; 3]));
    let path = solver.solve(&mut open, |_| {}).path.unwrap();
    assert_eq!((path.steps, path.cost), (299, 199 * 7 + 100 * 5), "exactly, however long");
}

#[test]
fn closed_cells_are_coloured_in_the_order_of_closing() {
    // A corridor without branches: its cells are closed in their order.
    let mut picture = picture(&["    ", "### ", "    ", " ###", "    "]);
    let solution = PictureSolver::default().solve(&mut picture, |_| {});
    let path = solution.path.unwrap();
    assert_eq!((path.steps, path.cost), (9, 9 * 5 + 4 * 2), "corners are cut: four of the nine steps are diagonal");
    // The dead end next to the path is closed too.
    let mut maze = self::picture(&["     ", "#### ", "     "]);
    let solution = PictureSolver::default().solve(&mut maze, |_| {});
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
    let solution = PictureSolver::default().solve(&mut picture, |_| {});
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
    PictureSolver::default().solve(&mut open, |_| {});
    let is_path = |x: u32, y: u32| *open.get_pixel(x, y) == PATH;
    for (x, y, pixel) in open.enumerate_pixels() {
        let mut around = (x.saturating_sub(1)..(x + 2).min(40))
            .flat_map(|x| (y.saturating_sub(1)..(y + 2).min(30)).map(move |y| (x, y)));
        let is_beside = !is_path(x, y) && around.any(|(x, y)| is_path(x, y));
        let is_wall = is_wall(*before.get_pixel(x, y), 0);
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
    let mut grown = |width: u32, height: u32, walls: usize| {
        solver.solve(&mut random_picture(&mut random, width, height, walls), |_| {}).grown
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
        assert_eq!(solver.solve(&mut picture, |_| {}).grown, 0);
    }
    assert!(solver.solve(&mut random_picture(&mut Random(1), 81, 60, 20), |_| {}).grown > 0, "this one is larger");
}

#[test]
fn the_red_channel_decides_in_every_pixel_format() {
    let rows = ["  #", "## ", "   "];
    let red_is_0 = |picture: &RgbImage| picture.pixels().map(|pixel| is_wall(*pixel, 0)).collect::<Vec<_>>();
    let plain = picture(&rows);
    let expected = red_is_0(&plain);
    let grey = GrayImage::from_fn(3, 3, |x, y| Luma([if is_wall(*plain.get_pixel(x, y), 0) { 0 } else { 1 }]));
    let dynamic = DynamicImage::from(plain);
    for (name, image, format) in [
        ("rgb", dynamic.clone(), ImageFormat::Png),
        ("rgba", DynamicImage::from(dynamic.to_rgba8()), ImageFormat::Png),
        ("rgb16", DynamicImage::from(dynamic.to_rgb16()), ImageFormat::Png),
        ("grey", DynamicImage::from(grey), ImageFormat::Png),
        ("bmp", dynamic.clone(), ImageFormat::Bmp),
        ("gif", dynamic.clone(), ImageFormat::Gif),
    ] {
        let read = decode(name, &bytes(image, format)).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        assert_eq!(red_is_0(&read), expected, "{name}");
    }
    // JPEG is lossy, so the fields are large.
    let field = RgbImage::from_fn(64, 32, |x, _| Rgb([if x < 32 { 255 } else { 0 }; 3]));
    let read = decode("jpeg", &bytes(field, ImageFormat::Jpeg)).unwrap();
    assert!(!is_wall(*read.get_pixel(10, 10), 0) && is_wall(*read.get_pixel(50, 10), 0));
    // 16 bits are rounded to 8.
    let deep = image::ImageBuffer::<Rgb<u16>, _>::from_fn(2, 1, |x, _| Rgb([128 + x as u16, 0, 0]));
    let read = decode("deep", &bytes(DynamicImage::from(deep), ImageFormat::Png)).unwrap();
    assert_eq!(red_is_0(&read), [true, false]);
}

#[test]
fn invalid_pictures_are_refused_with_a_reason() {
    let says = |bytes: &[u8]| decode("x.png", bytes).unwrap_err().to_string();
    assert!(says(b"").contains("the file is empty"));
    assert!(says(b"hello").contains("PNG, BMP, GIF or JPEG"));
    assert!(says(b"RIFF\x04\0\0\0WEBPVP8 ").contains("cannot be read: it is of a kind that is not supported"));
    let wide = bytes(RgbImage::new(4097, 1), ImageFormat::Png);
    assert!(says(&wide).contains("4097 x 1 pixels") && says(&wide).contains("4096 x 4096"));
    assert!(says(&bytes(RgbImage::new(1, 4097), ImageFormat::Bmp)).contains("1 x 4097 pixels"));
    let good = bytes(picture(&["  ", "  "]), ImageFormat::Png);
    for length in 0..good.len() - 12 {
        assert!(decode("x.png", &good[..length]).is_err(), "cut to {length}");
    }
    assert!(says(&huge_png()).contains("60000 x 60000 pixels"));
    // A GIF has its size in its first bytes.
    let mut gif = bytes(picture(&["  "]), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0x60, 0xea, 0x60, 0xea]);
    assert!(says(&gif).contains("60000 x 60000") || says(&gif).contains("too"));
    let mut random = Random(5);
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::Jpeg] {
        let good = bytes(picture(&["  # ", "    ", "### "]), format);
        for _ in 0..500 {
            let mut bad = good.clone();
            (0..1 + random.below(6)).for_each(|_| {
                let at = random.below(bad.len());
                bad[at] = random.next() as u8;
            });
            // Any result is fine, but not a panic.
            let _ = decode("x", &bad).map(|mut picture| PictureSolver::default().solve(&mut picture, |_| {}));
        }
    }
}

#[test]
fn a_maze_with_a_border_is_solved_between_its_openings() {
    let maze = ["# ###", "#   #", "### #", "### #"];
    let mut solved = picture(&maze);
    let path = PictureSolver::default().solve(&mut solved, |_| {}).path.unwrap();
    assert_eq!((path.from, path.to, path.steps), (Cell::new(1, 0), Cell::new(3, 3), 3));
    assert!([(1, 0), (3, 2), (3, 3)].iter().all(|&(x, y)| *solved.get_pixel(x, y) == PATH));
    let closed = ["#####", "#   #", "#####"];
    let mut unsolved = picture(&closed);
    let solution = PictureSolver::default().solve(&mut unsolved, |_| {});
    assert!(solution.path.is_none() && solution.missing.unwrap().contains("the border has 0 openings"));
    assert_eq!(unsolved, picture(&closed));
    let query = PictureQuery { from: Some(Cell::new(1, 1)), to: Some(Cell::new(3, 1)), ..PictureQuery::default() };
    assert_eq!(PictureSolver::default().solve_query(&mut unsolved, &query, |_| {}).path.unwrap().cost, 10);
}

#[test]
fn the_threshold_makes_grey_pixels_walls() {
    let grey = |row: &[u8]| RgbImage::from_fn(row.len() as u32, 1, |x, _| Rgb([row[x as usize]; 3]));
    let cost = |row: &[u8], threshold| {
        let query = PictureQuery { threshold, ..PictureQuery::default() };
        PictureSolver::default().solve_query(&mut grey(row), &query, |_| {}).path.map(|path| path.cost)
    };
    assert_eq!([0, 33, 34].map(|threshold| cost(&[255, 34, 255], threshold)), [Some(10), Some(10), None]);
}

#[test]
fn a_transparent_picture_is_drawn_on_white() {
    let black = |alpha| image::Rgba([0, 0, 0, alpha]);
    let picture = image::RgbaImage::from_fn(3, 1, |x, _| black([0, 128, 255][x as usize]));
    let read = decode("a.png", &bytes(picture, ImageFormat::Png)).unwrap();
    assert_eq!([0, 1, 2].map(|x| read.get_pixel(x, 0).0), [[255; 3], [127; 3], [0; 3]]);
}
