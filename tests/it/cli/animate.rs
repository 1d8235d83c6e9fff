//! `emberwalk animate`: the frames of both formats, their times, and what is refused.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Options, Planner, RouteQuery};
use emberwalk_picture::animation::{BACKDROP, Playback};
use emberwalk_picture::overlay::SearchOverlay;
use emberwalk_picture::paint::{PaintOptions, paint};
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Frame, RgbaImage};

use super::run_in;
use crate::support::bundled;
use crate::support::scene_fixture::BUNDLED;

/// Runs `animate` with an output of this name, and returns the frames of the file and the exit status.
pub fn animated(folder: &Path, name: &str, args: &[&str]) -> (Vec<Frame>, Option<i32>) {
    animated_by("animate", folder, name, args)
}

/// The same for any command.
pub fn animated_by(command: &str, folder: &Path, name: &str, args: &[&str]) -> (Vec<Frame>, Option<i32>) {
    let output = run_in(folder, &[[command, "-o", name].as_slice(), args].concat());
    let file = fs::read(folder.join(name)).unwrap_or_else(|_| panic!("{output:?}"));
    (frames(&file), output.status.code())
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
    let folder = tempfile::tempdir().unwrap();
    let args = ["figures/road", "--algorithm", "astar", "--seconds", "1.5", "--fps", "8", "--zoom", "1/2"];
    let (map, recording) = (bundled("figures/road"), recording("figures/road", Algorithm::AStar));
    let playback = Playback::new(vec![&recording], 1.5, 8);
    let painted = |frame| {
        let (position, route) = playback.at(0, frame);
        let overlay = SearchOverlay::new(&recording, position);
        let zoom = "1/2".parse().unwrap();
        let options = PaintOptions { overlay: Some(&overlay), route: Some(route), zoom, ..PaintOptions::default() };
        paint(&map, &BUNDLED.scene, &options)
    };
    let (png, _) = animated(folder.path(), "o.png", &args);
    let (gif, _) = animated(folder.path(), "o.GIF", &args);
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
    let folder = tempfile::tempdir().unwrap();
    let args = ["valley", "--algorithm", "dijkstra", "--versus", "astar", "--zoom", "1/4", "--seconds", "3"];
    let (frames, status) = animated(folder.path(), "o.gif", &args);
    assert_eq!((frames.len(), status), (3 * 12 + 12 + 1, Some(0)));
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
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.ron"), r#"(name: "two", base: ["GGG~G"], overlay: ["1...2"])"#).unwrap();
    let (frames, status) = animated(folder.path(), "o.gif", &["two.ron", "--seconds", "1"]);
    assert_eq!((frames.len(), status, milliseconds(&frames)), (12 + 1, Some(1), 3000.0));
    assert!(frames[0].buffer() != frames[12].buffer());
}

#[test]
fn a_start_that_is_the_goal_is_one_frame() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["o.gif", "o.png"] {
        let (frames, status) =
            animated(folder.path(), name, &["valley", "--from", "3,3", "--to", "3,3", "--zoom", "1/4"]);
        assert_eq!((frames.len(), status, milliseconds(&frames)), (1, Some(0), 2000.0), "{name}");
    }
}

#[test]
fn standard_output_is_a_gif() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["animate", "figures/snow", "--zoom", "1/4", "--plain", "--seconds", "0.5", "-o", "-"];
    let output = run_in(folder.path(), &args);
    assert_eq!(frames(&output.stdout).len(), 6 + 12 + 1);
}

#[test]
fn what_is_too_large_or_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (args, reason) in [
        (&["valley", "-o", "o.gif", "--seconds", "50"][..], "613 frames, and at most 600 are allowed"),
        (&["valley", "-o", "o.gif", "--seconds", "600", "--fps", "100"], "60101 frames"),
        (&["realm", "-o", "o.gif"], "6766 x 3464 pixels at zoom 1; the largest side allowed is 4096"),
        (&["realm", "-o", "o.png", "--zoom", "1/2", "--versus", "greedy"], "the largest side allowed is 4096"),
        (&["valley", "-o", "o.gif", "--fps", "0"], "the number of frames per second is a whole number from 1 to 100"),
        (&["valley", "-o", "o.gif", "--seconds", "0"], "a number of seconds from 0.01 to 600"),
        (&["valley", "-o", "o.gif", "--seconds", "NaN"], "a number of seconds from 0.01 to 600"),
        (&["valley", "-o", "o.webp"], "o.webp: the output is an animated GIF or PNG, so its name should end in .gif"),
        (&["valley", "-o", "o.gif", "--versus", "fastest"], "[possible values: auto, astar"),
        (&["valley", "-o", "o.gif", "--to", "99,99"], "99,99"),
        (&["figures/road", "-o", "o.gif", "--to", "5,5"], "5,5"),
    ] {
        let output = run_in(folder.path(), &[["animate"].as_slice(), args].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(reason), "{args:?}: {told}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{args:?}");
    }
}

#[test]
fn a_frame_rate_that_hundredths_of_a_second_cannot_express_keeps_its_length() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["figures/road", "--plain", "--zoom", "1/4", "--seconds", "2", "--fps", "30"];
    assert_eq!(milliseconds(&animated(folder.path(), "o.gif", &args).0), 5000.0);
}

/// `route figures/snow --erupts-in 1` arrives after 4.33 s.
#[test]
fn a_traveller_walks_while_the_volcano_erupts_as_announced() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["figures/snow", "--erupts-in", "1", "--zoom", "1/4", "--fps", "4"];
    let (png, status) = animated(folder.path(), "a.png", &args);
    assert_eq!((png.len(), milliseconds(&png), status), (18, 17.0 * 250.0 + 2000.0, Some(0)));
    let differing = |one: usize, other: usize| {
        let [one, other] = [one, other].map(|frame| visible(png[frame].buffer()));
        one.iter().zip(&other).filter(|(one, other)| one != other).count()
    };
    assert!((1..500).contains(&differing(2, 3)), "{} pixels: only the traveller moves", differing(2, 3));
    assert!(differing(3, 5) > 500, "{} pixels: the volcano erupts", differing(3, 5));
    let blocked = r#"(name: "Walled", base: ["GGGGGG"], overlay: ["1.W.2v"])"#;
    fs::write(folder.path().join("walled.ron"), blocked).unwrap();
    let refused = |map: &str, more: &[&str]| {
        let output = run_in(folder.path(), &[&["animate", map, "--erupts-in", "5", "-o", "c.gif"], more].concat());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let no_route = "Walled: there is no route from 0,0 to 4,0, whatever is coming\n";
    assert_eq!(refused("walled.ron", &[]), (Some(1), no_route.into()));
    let no_volcano = "error: The road: there is no volcano on this map, so nothing can erupt\n";
    assert_eq!(refused("figures/road", &[]), (Some(2), no_volcano.into()));
    let (status, told) = refused("figures/coming", &["--fps", "100"]);
    assert!(status == Some(2) && told.ends_with("at most 600 are allowed: choose a smaller --fps\n"), "{told}");
}
