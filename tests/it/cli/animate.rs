//! `emberwalk animate`: the frames of both formats, their times, and what is refused.

use std::io::Cursor;

use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Options, Planner, RouteQuery};
use emberwalk_picture::animation::{BACKDROP, Playback};
use emberwalk_picture::overlay::SearchOverlay;
use emberwalk_picture::paint::{PaintOptions, paint};
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Frame, RgbaImage};

use super::Folder;
use crate::support::bundled;
use crate::support::scene_fixture::BUNDLED;

/// Runs a command with an output of this name, and returns the frames of the file and the exit status.
pub fn animated(folder: &Folder, command: &str, name: &str) -> (Vec<Frame>, i32) {
    let run = folder.run(&format!("{command} -o {name}"));
    assert!(folder.path(name).exists(), "{run:?}");
    (frames(&folder.bytes(name)), run.status)
}

fn frames(file: &[u8]) -> Vec<Frame> {
    let reader = Cursor::new(file);
    let frames = match file {
        [b'G', ..] => GifDecoder::new(reader).unwrap().into_frames(),
        _ => PngDecoder::new(reader).unwrap().apng().unwrap().into_frames(),
    };
    frames.collect_frames().unwrap()
}

/// The sum of all delays, in milliseconds.
pub fn milliseconds(frames: &[Frame]) -> f64 {
    frames.iter().map(|frame| frame.delay().numer_denom_ms()).map(|(part, of)| f64::from(part) / f64::from(of)).sum()
}

/// The search from tent to castle on a bundled map.
fn recording(name: &str, algorithm: Algorithm) -> Recording {
    let map = bundled(name);
    let query = RouteQuery::new(map.start().unwrap(), map.castle().unwrap());
    let query = query.with_options(Options::default().with_algorithm(algorithm));
    Recording::new(&mut Planner::new(), map.costs(), &query).unwrap()
}

#[test]
fn every_frame_is_what_the_painter_draws() {
    let folder = Folder::new();
    let command = "animate figures/road --algorithm astar --seconds 1.5 --fps 8 --zoom 1/2";
    let (map, recording) = (bundled("figures/road"), recording("figures/road", Algorithm::AStar));
    let playback = Playback::new(vec![&recording], 1.5, 8);
    let painted = |frame| {
        let (position, route) = playback.at(0, frame);
        let overlay = SearchOverlay::new(&recording, position);
        let zoom = "1/2".parse().unwrap();
        let options = PaintOptions { overlay: Some(&overlay), route: Some(route), zoom, ..PaintOptions::default() };
        paint(&map, &BUNDLED.scene, &options)
    };
    let [(png, _), (gif, _)] = ["o.png", "o.GIF"].map(|name| animated(&folder, command, name));
    // A second and a half for the search, one for the route, and the last frame.
    assert_eq!((png.len(), gif.len()), (12 + 8 + 1, 12 + 8 + 1));
    assert!((milliseconds(&png) - 4500.0).abs() < 1.0 && milliseconds(&gif) == 4500.0);
    for (frame, (png, gif)) in png.iter().zip(&gif).enumerate() {
        let expected = painted(frame);
        assert!(visible(png.buffer()) == visible(&expected), "frame {frame} of the PNG");
        let opaque = expected.pixels().zip(gif.buffer().pixels()).filter(|(pixel, _)| pixel.0[3] == 255);
        let errors: Vec<_> = opaque.map(|(a, b)| (0..3).map(|k| a.0[k].abs_diff(b.0[k])).max().unwrap()).collect();
        let mean = errors.iter().map(|error| f64::from(*error)).sum::<f64>() / errors.len() as f64;
        assert!(mean < 4.0, "frame {frame} of the GIF: on average {mean} off");
        let [r, g, b] = BACKDROP;
        assert_eq!(gif.buffer().get_pixel(0, 0).0, [r, g, b, 255], "nothing is transparent");
    }
}

/// The pixels of a picture; transparent ones have no colour.
pub fn visible(picture: &RgbaImage) -> Vec<[u8; 4]> {
    picture.pixels().map(|pixel| if pixel.0[3] == 0 { [0; 4] } else { pixel.0 }).collect()
}

#[test]
fn of_two_searches_the_one_with_fewer_events_ends_first() {
    let folder = Folder::new();
    let command = "animate valley --algorithm dijkstra --versus astar --zoom 1/4 --seconds 3";
    let (frames, status) = animated(&folder, command, "o.gif");
    assert_eq!((frames.len(), status), (3 * 12 + 12 + 1, 0));
    let (width, height) = frames[0].buffer().dimensions();
    assert!(width > 2 * 314 && height > 177, "two pictures of 314 x 177: {width} x {height}");

    let (long, short) = (recording("valley", Algorithm::Dijkstra), recording("valley", Algorithm::AStar));
    let playback = Playback::new(vec![&long, &short], 3.0, 12);
    for frame in 0..36 {
        let (position, other) = (playback.at(0, frame).0, playback.at(1, frame).0);
        assert_eq!((position, other), (long.len() * frame / 36, position.min(short.len())), "frame {frame}");
    }
    let end = (0..).find(|frame| playback.at(1, *frame).0 == short.len()).unwrap();
    assert!(end < 30, "the shorter search ends at frame {end}");
    let lengths: Vec<_> = (end..=end + 12).map(|frame| playback.at(1, frame).1.len()).collect();
    assert!(lengths.is_sorted() && lengths[0] == 0 && lengths[12] == short.result().cells().len(), "{lengths:?}");
    // The last frame shows both routes. Before the shorter search ended, no frame of it did.
    let right_half = |frame: usize| {
        frames[frame].buffer().as_raw()[..]
            .chunks_exact(4 * width as usize)
            .flat_map(|row| row[2 * width as usize + 40..].to_vec())
            .collect::<Vec<_>>()
    };
    assert!(right_half(end + 12) == right_half(48) && right_half(end) != right_half(48));
}

#[test]
fn a_search_without_a_route_is_played_too() {
    let folder = Folder::with(&[("two.ron", r#"(name: "two", base: ["GGG~G"], overlay: ["1...2"])"#)]);
    let (frames, status) = animated(&folder, "animate two.ron --seconds 1", "o.gif");
    assert_eq!((frames.len(), status, milliseconds(&frames)), (12 + 1, 1, 3000.0));
    assert!(frames[0].buffer() != frames[12].buffer());
}

#[test]
fn a_start_that_is_the_goal_is_one_frame() {
    for name in ["o.gif", "o.png"] {
        let (frames, status) = animated(&Folder::new(), "animate valley --from 3,3 --to 3,3 --zoom 1/4", name);
        assert_eq!((frames.len(), status, milliseconds(&frames)), (1, 0, 2000.0), "{name}");
    }
}

#[test]
fn standard_output_is_a_gif() {
    let command = "animate figures/snow --zoom 1/4 --plain --seconds 0.5 -o -";
    assert_eq!(frames(&Folder::new().program(command).output().unwrap().stdout).len(), 6 + 12 + 1);
}

#[test]
fn what_is_too_large_or_makes_no_sense_is_refused() {
    for (arguments, reason) in [
        ("valley -o o.gif --seconds 50", "613 frames, and at most 600 are allowed"),
        ("valley -o o.gif --seconds 600 --fps 100", "60101 frames"),
        ("realm -o o.gif", "6766 x 3464 pixels at zoom 1; the largest side allowed is 4096"),
        ("realm -o o.png --zoom 1/2 --versus greedy", "the largest side allowed is 4096"),
        ("valley -o o.gif --fps 0", "the number of frames per second is a whole number from 1 to 100"),
        ("valley -o o.gif --fps -1", "the number of frames per second is a whole number from 1 to 100"),
        ("valley -o o.gif --seconds 0", "a number of seconds from 0.01 to 600"),
        ("valley -o o.gif --seconds NaN", "a number of seconds from 0.01 to 600"),
        ("valley -o o.webp", "o.webp: the output is an animated GIF or PNG, so its name should end in .gif"),
        ("valley -o o.gif --versus fastest", "[possible values: auto, astar"),
        ("valley -o o.gif --to 99,99", "99,99"),
        ("figures/road -o o.gif --to 5,5", "5,5"),
        (
            "figures/road -o c.gif --erupts-in 5",
            "error: The road: there is no volcano on this map, so nothing can erupt\n",
        ),
        ("figures/coming -o c.gif --erupts-in 5 --fps 100", "at most 600 are allowed: choose a smaller --fps\n"),
    ] {
        Folder::new().refuses(&format!("animate {arguments}"), reason);
    }
}

#[test]
fn a_frame_rate_that_hundredths_of_a_second_cannot_express_keeps_its_length() {
    let command = "animate figures/road --plain --zoom 1/4 --seconds 2 --fps 30";
    assert_eq!(milliseconds(&animated(&Folder::new(), command, "o.gif").0), 5000.0);
}

/// `route figures/snow --erupts-in 1` arrives after 4.33 s.
#[test]
fn a_traveller_walks_while_the_volcano_erupts_as_announced() {
    let folder = Folder::with(&[("walled.ron", r#"(name: "Walled", base: ["GGGGGG"], overlay: ["1.W.2v"])"#)]);
    let (png, status) = animated(&folder, "animate figures/snow --erupts-in 1 --zoom 1/4 --fps 4", "a.png");
    assert_eq!((png.len(), milliseconds(&png), status), (18, 17.0 * 250.0 + 2000.0, 0));
    let differing = |one: usize, other: usize| {
        let [one, other] = [one, other].map(|frame| visible(png[frame].buffer()));
        one.iter().zip(&other).filter(|(one, other)| one != other).count()
    };
    assert!((1..500).contains(&differing(2, 3)), "{} pixels: only the traveller moves", differing(2, 3));
    assert!(differing(3, 5) > 500, "{} pixels: the volcano erupts", differing(3, 5));
    let none = folder.run("animate walled.ron --erupts-in 5 -o c.gif");
    let reason = "Walled: there is no route from 0,0 to 4,0, whatever is coming\n";
    assert_eq!((none.status, none.errors.as_str()), (1, reason));
}
