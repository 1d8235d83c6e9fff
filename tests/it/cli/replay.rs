//! `emberwalk replay`.

use std::fs;
use std::path::Path;
use std::process::Output;

use emberwalk::agent_images::AgentImages;
use emberwalk_map::CellEdit;
use emberwalk_path::grid::Cell;
use emberwalk_picture::paint::{PaintOptions, paint};
use emberwalk_world::{Entry, Order, Paint, Position, Recording, Timeline};
use image::RgbaImage;

use super::animate::{animated_by, milliseconds, visible};
use super::{run_in, run_with_input};
use crate::support::random_player::{RandomPlayer, open};
use crate::support::scene_fixture::BUNDLED;
use crate::support::{bundled, tileset};

/// Eight seconds on the valley, with a town, walls, hills and a route.
fn player() -> RandomPlayer {
    let mut player = RandomPlayer::new(&bundled("valley"), 2);
    let cell = bundled("valley").start().unwrap();
    player.give(Order::Put(Some(Position { cell, leaving: None })));
    player.walk();
    player.play(4.0, 0.5);
    player.populate(25, 3);
    player.play(4.0, 0.5);
    player
}

/// The same without orders by chance.
fn walk() -> Recording {
    let mut player = RandomPlayer::new(&bundled("figures/road"), 2);
    let map = bundled("figures/road");
    player.give(Order::Put(Some(Position { cell: map.start().unwrap(), leaving: None })));
    player.walk();
    player.wait(2.5);
    player.recording()
}

/// Saves a recording as `o.emberplay.ron` in a folder, and runs `replay` with it.
fn replay(folder: &Path, recording: &Recording, args: &[&str]) -> Output {
    fs::write(folder.join("o.emberplay.ron"), recording.to_ron()).unwrap();
    run_in(folder, &[["replay", "o.emberplay.ron"].as_slice(), args].concat())
}

/// The exit status, standard output and standard error of `replay` with a text.
fn told(text: &[u8], args: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("o.emberplay.ron"), text).unwrap();
    let output = run_in(folder.path(), &[["replay", "o.emberplay.ron"].as_slice(), args].concat());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn picture(folder: &Path, recording: &Recording, args: &[&str]) -> RgbaImage {
    let output = replay(folder, recording, &[args, &["-o", "o.png"]].concat());
    assert!(output.status.success(), "{output:?}");
    image::open(folder.join("o.png")).unwrap().into_rgba8()
}

#[test]
fn a_recording_that_comes_true_is_one_line() {
    // Writing adds the hash of the map.
    let recording = Recording::parse(&player().recording().to_ron()).unwrap();
    let (status, out, errors) = told(recording.to_ron().as_bytes(), &["--check"]);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let hashes = recording.entries.iter().filter(|(_, entry)| !matches!(entry, Entry::Order(_))).count();
    let orders = recording.entries.len() - hashes;
    let line = format!("o.emberplay.ron: ok, 8 s with {orders} orders and {hashes} hashes, checked ");
    assert!(out.starts_with(&line) && out.ends_with(" times as fast as played\n"), "{out}");

    let folder = tempfile::tempdir().unwrap();
    let output = run_with_input(folder.path(), &["replay", "-", "--check"], recording.to_ron().as_bytes());
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("<stdin>: ok, 8 s with "));
}

#[test]
fn a_difference_is_named_with_its_second_and_both_hashes() {
    let mut player = RandomPlayer::new(&bundled("valley"), 2);
    player.wait(1.25);
    let cell = Cell::new(3, 3);
    let edit = CellEdit::overlay(cell, tileset().find('W'));
    player.give(Order::Paint(Paint::of(&tileset(), &[edit])));
    player.wait(2.0);
    let mut recording = player.recording();
    let good = recording.to_ron();
    recording.entries.remove(2);
    let (status, out, errors) = told(recording.to_ron().as_bytes(), &["--check"]);
    assert_eq!((status, errors.as_str()), (Some(1), ""));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "o.emberplay.ron: different at 2 s: the map at 3,3");
    assert!(lines[1].starts_with("  recorded: ") && lines[2].starts_with("  played:   0 "), "{out}");
    let recorded = lines[1].trim_start_matches("  recorded: ");
    assert!(good.contains(&format!("(2, hash(\"{recorded}\"))")), "{recorded}: {good}");

    // The version and the tileset are named only if something is different.
    let other =
        |text: String| text.replacen(env!("CARGO_PKG_VERSION"), "9.8.7", 1).replacen("tileset: \"", "tileset: \"f", 1);
    let (status, _, errors) = told(other(recording.to_ron()).as_bytes(), &["--check"]);
    assert_eq!(status, Some(1));
    assert!(errors.contains("note: the recording was made by version 9.8.7, and this is version"), "{errors}");
    assert!(errors.contains("note: the recording was made with another tileset"), "{errors}");
    assert_eq!(told(other(good).as_bytes(), &["--check"]).2, "");
}

#[test]
fn an_order_that_is_not_possible_is_a_difference() {
    let mut recording = walk();
    let text = recording.to_ron().replace("])\n", "    (2.75, order(send(people: [5], to: (1, 1)))),\n])\n");
    let line = text.lines().count() - 1;
    let (status, out, _) = told(text.as_bytes(), &["--check"]);
    assert_eq!(status, Some(1));
    assert_eq!(
        out,
        format!(
            "o.emberplay.ron:{line}: different at 2.75 s: an order is not possible: there is nobody with the number 5\n"
        )
    );
    // A picture warns of it, and is drawn.
    recording = Recording::parse(&text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = replay(folder.path(), &recording, &["--at", "2.75", "-o", "p.png"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    let warning = format!("warning: o.emberplay.ron:{line}: different at 2.75 s: an order is not possible");
    assert!(errors.starts_with(&warning), "{errors}");
    assert!(folder.path().join("p.png").exists());
    assert_eq!(replay(folder.path(), &recording, &["--at", "2.5", "-o", "p.png"]).status.code(), Some(0));
}

#[test]
fn a_file_that_is_cut_off_is_checked_as_far_as_it_is_whole() {
    let mut map = bundled("figures/road");
    map.set_name_and_about("Zürich".to_owned(), None);
    let mut player = RandomPlayer::new(&map, 1);
    player.wait(2.0);
    player.give(open(&map));
    let text = player.recording().to_ron().into_bytes();
    let in_letter = text.windows(2).rposition(|pair| pair == "ü".as_bytes()).unwrap() + 1;
    for cut in [in_letter + 9, in_letter] {
        let (status, out, errors) = told(&text[..cut], &["--check"]);
        assert_eq!(status, Some(0), "{errors}");
        assert_eq!(errors, "note: o.emberplay.ron: the end of the file is missing, so it ends at 2 s\n");
        assert!(out.starts_with("o.emberplay.ron: ok, 2 s with 1 order and 3 hashes"), "{out}");
    }
}

#[test]
fn what_is_no_recording_is_refused_with_its_place() {
    let good = walk().to_ron();
    let lines = |marker: &str| good[..good.find(marker).unwrap()].matches('\n').count() + 1;
    let map = "base: [";
    for (text, reason) in [
        (String::new(), "error: o.emberplay.ron: the file is empty\n".to_owned()),
        (" \n".to_owned(), "error: o.emberplay.ron: the file is empty\n".to_owned()),
        ("(".to_owned(), "error: o.emberplay.ron:1:".to_owned()),
        (
            "(name: \"A map\", base: [\"G\"], overlay: [\".\"])".to_owned(),
            "error: o.emberplay.ron: this is a map, not a recording: `emberwalk MAP` opens it\n".to_owned(),
        ),
        (good.replace("put(", "putt("), format!("error: o.emberplay.ron:{}:", lines("put("))),
        (
            good.replace("(1, hash", "(1e300, hash"),
            format!("error: o.emberplay.ron:{}:6: `1e300` is not a time", lines("(1, hash")),
        ),
        (
            good.replace("(1, hash", "(9, hash"),
            format!("error: o.emberplay.ron:{}:5: this entry", lines("(1, hash") + 1),
        ),
        (good.replace("format: 1", "format: 7"), "error: o.emberplay.ron: this recording has format 7".to_owned()),
        (good.replace("format: 1", "format: -1"), "error: o.emberplay.ron: this recording has format -1".to_owned()),
        (good.replace(map, "bass: ["), format!("error: o.emberplay.ron:{}:5: in a map: ", lines(map))),
        (
            "(format: 1, program: \"\", tileset: \"\", entries: [])".to_owned(),
            "begins with `order(open(...))`".to_owned(),
        ),
    ] {
        for args in [&["--check"][..], &["-o", "o.gif"], &["--at", "0", "-o", "o.png"]] {
            let (status, out, errors) = told(text.as_bytes(), args);
            assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}: {errors}");
            assert!(errors.contains(&reason), "{args:?}: {reason}: {errors}");
        }
    }
    for time in ["86401", "-1", "NaN", "1e300", "inf", "-0.001"] {
        let leaving = format!("(1, order(put((cell: (0, 0), leaving: ((0, 0), {time}, 1))))),\n    (1, hash");
        for text in [good.replace("(1, hash", &format!("({time}, hash")), good.replace("(1, hash", &leaving)] {
            let (_, _, errors) = told(text.as_bytes(), &["--check"]);
            let says = format!("`{time}` is not a time: a time is a number of seconds from 0 to 86400\n");
            assert!(errors.ends_with(&says), "{time}: {errors}");
        }
    }
    let binary = told(b"(format: 1, \xff\xfe\x00", &["--check"]);
    assert_eq!(binary.0, Some(2));
    let folder = tempfile::tempdir().unwrap();
    let missing = run_in(folder.path(), &["replay", "missing.emberplay.ron", "--check"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn a_picture_is_the_world_at_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let player = player();
    let images = AgentImages::find(BUNDLED.scene.images(), &tileset());
    let mut timeline = Timeline::of(player.recording(), &tileset()).unwrap();
    for at in [0.0, 2.25, 3.9, 4.0, 7.5] {
        timeline.go_to(emberwalk_path::time::CrowdTime::from_seconds(at));
        let world = timeline.world();
        let figures = images.painted_together(world.map(), world.figures(), |_| true, 0);
        let figures: Vec<_> = figures.into_iter().map(|(_, painted)| painted).collect();
        let zoom = "1/2".parse().unwrap();
        let (route, hour) = (Some(world.route()), world.day().start);
        let options = PaintOptions { figures: &figures, route, hour, zoom, ..PaintOptions::default() };
        let expected = paint(world.map(), &BUNDLED.scene, &options);
        let found = picture(folder.path(), &player.recording(), &["--at", &at.to_string(), "--zoom", "1/2"]);
        assert!(visible(&found) == visible(&expected), "at {at} s");
    }
}

#[test]
fn frames_are_pictures_one_after_another_while_the_map_changes() {
    let folder = tempfile::tempdir().unwrap();
    let recording = player().recording();
    fs::write(folder.path().join("o.emberplay.ron"), recording.to_ron()).unwrap();
    let args = ["o.emberplay.ron", "--from", "2.5", "--to", "5", "--fps", "2", "--zoom", "1/4"];
    let (png, _) = animated_by("replay", folder.path(), "a.png", &args);
    let (gif, status) = animated_by("replay", folder.path(), "a.gif", &args);
    assert_eq!((png.len(), gif.len(), status), (6, 6, Some(0)));
    assert_eq!((milliseconds(&png), milliseconds(&gif)), (3000.0, 3000.0));
    for (frame, at) in [(0, "2.5"), (3, "4"), (5, "5")] {
        let still = picture(folder.path(), &recording, &["--at", at, "--zoom", "1/4"]);
        // Hills that grow make the picture higher.
        let frame = png[frame].buffer();
        let above = frame.height() - still.height();
        let frame = image::imageops::crop_imm(frame, 0, above, still.width(), still.height()).to_image();
        assert!(visible(&frame) == visible(&still), "at {at} s");
    }
    let everything = animated_by("replay", folder.path(), "b.gif", &["o.emberplay.ron", "--zoom", "1/4", "--fps", "1"]);
    assert_eq!(everything.0.len(), 9);
}

#[test]
fn maps_of_other_sizes_are_in_the_middle() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = RandomPlayer::new(&bundled("valley"), 2);
    player.wait(1.0);
    player.give(open(&bundled("figures/road")));
    player.wait(1.0);
    let recording = player.recording();
    fs::write(folder.path().join("o.emberplay.ron"), recording.to_ron()).unwrap();
    let args = ["o.emberplay.ron", "--fps", "2", "--zoom", "1/4"];
    let (frames, status) = animated_by("replay", folder.path(), "a.png", &args);
    assert_eq!((frames.len(), status), (5, Some(0)));
    let small = picture(folder.path(), &recording, &["--at", "1", "--zoom", "1/4"]);
    let large = picture(folder.path(), &recording, &["--at", "0.5", "--zoom", "1/4"]);
    assert!(visible(frames[0].buffer()) == visible(&large));
    let last = frames[4].buffer();
    let (left, top) = ((last.width() - small.width()) / 2, last.height() - small.height());
    let inside = image::imageops::crop_imm(last, left, top, small.width(), small.height()).to_image();
    assert!(visible(&inside) == visible(&small));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let recording = walk();
    let seconds = "this must be a number of seconds from 0 to 86400";
    for (args, reason) in [
        (&["--at", "1"][..], "--output <OUT.gif|OUT.png>"),
        (&["--check", "-o", "o.gif"], "cannot be used with"),
        (&["--check", "--at", "1"], "cannot be used with"),
        (&["--check", "--from", "1"], "cannot be used with"),
        (&["-o", "o.png", "--at", "1", "--to", "2"], "cannot be used with"),
        (&["-o", "o.png", "--at", "-1"], seconds),
        (&["-o", "o.png", "--at", "NaN"], seconds),
        (&["-o", "o.png", "--at", "1e300"], seconds),
        (&["-o", "o.gif", "--to", "x"], seconds),
        (&["-o", "o.gif", "--at", "1"], "with --at, the output is a PNG picture"),
        (&["-o", "o.webp"], "the output is an animated GIF or PNG"),
        (&["-o", "o.png", "--at", "2.75"], "--at: o.emberplay.ron ends at 2 s"),
        (&["-o", "o.gif", "--to", "3"], "--to: o.emberplay.ron ends at 2 s"),
        (&["-o", "o.gif", "--from", "2", "--to", "1"], "--from is later than --to"),
        (&["-o", "o.gif", "--fps", "0"], "the number of frames per second is a whole number from 1 to 100"),
        (&["-o", "o.emberplay.ron"], "o.emberplay.ron is an input, and would be overwritten"),
    ] {
        let output = replay(folder.path(), &recording, args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(reason), "{args:?}: {told}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{args:?}");
    }
    let mut long = RandomPlayer::new(&bundled("figures/road"), 1);
    long.wait(60.0);
    let output = replay(folder.path(), &long.recording(), &["-o", "o.gif"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("721 frames, and at most 600 are allowed: choose --from and --to at most 49.9 s apart"),
        "{told}"
    );
}
