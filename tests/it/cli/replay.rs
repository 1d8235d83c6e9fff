//! `emberwalk replay`.

use emberwalk::agent_images::AgentImages;
use emberwalk_map::CellEdit;
use emberwalk_path::grid::Cell;
use emberwalk_picture::paint::{PaintOptions, paint};
use emberwalk_world::{Entry, Order, Paint, Position, Recording, Timeline};
use image::RgbaImage;

use super::animate::{animated, milliseconds, visible};
use super::{Folder, Run};
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

/// The name of the file of a recording.
const NAME: &str = "o.emberplay.ron";

/// Runs `replay` with a text.
fn replay(text: impl AsRef<[u8]>, options: &str) -> Run {
    let folder = Folder::new();
    folder.write(NAME, text);
    folder.run(&format!("replay {NAME} {options}"))
}

/// The picture of a recording, which is in the folder.
fn picture(folder: &Folder, options: &str) -> RgbaImage {
    folder.run(&format!("replay {NAME} -o o.png {options}")).success();
    image::open(folder.path("o.png")).unwrap().into_rgba8()
}

#[test]
fn a_recording_that_comes_true_is_one_line() {
    // Writing adds the hash of the map.
    let recording = Recording::parse(&player().recording().to_ron()).unwrap();
    let out = replay(recording.to_ron(), "--check").success();
    let hashes = recording.entries.iter().filter(|(_, entry)| !matches!(entry, Entry::Order(_))).count();
    let orders = recording.entries.len() - hashes;
    let line = format!("o.emberplay.ron: ok, 8 s with {orders} orders and {hashes} hashes, checked ");
    assert!(out.starts_with(&line) && out.ends_with(" times as fast as played\n"), "{out}");

    let piped = super::run_with("replay - --check", recording.to_ron()).success();
    assert!(piped.starts_with("<stdin>: ok, 8 s with "), "{piped}");
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
    let Run { status, out, errors } = replay(recording.to_ron(), "--check");
    assert_eq!((status, errors.as_str()), (1, ""));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "o.emberplay.ron: different at 2 s: the map at 3,3");
    assert!(lines[1].starts_with("  recorded: ") && lines[2].starts_with("  played:   0 "), "{out}");
    let recorded = lines[1].trim_start_matches("  recorded: ");
    assert!(good.contains(&format!("(2, hash(\"{recorded}\"))")), "{recorded}: {good}");

    // The version and the tileset are named only if something is different.
    let other =
        |text: String| text.replacen(env!("CARGO_PKG_VERSION"), "9.8.7", 1).replacen("tileset: \"", "tileset: \"f", 1);
    let Run { status, errors, .. } = replay(other(recording.to_ron()), "--check");
    assert_eq!(status, 1);
    assert!(errors.contains("note: the recording was made by version 9.8.7, and this is version"), "{errors}");
    assert!(errors.contains("note: the recording was made with another tileset"), "{errors}");
    replay(other(good), "--check").success();
}

#[test]
fn an_order_that_is_not_possible_is_a_difference() {
    let text = walk().to_ron().replace("])\n", "    (2.75, order(send(people: [5], to: (1, 1)))),\n])\n");
    let line = text.lines().count() - 1;
    let difference = format!("o.emberplay.ron:{line}: different at 2.75 s: an order is not possible");
    let Run { status, out, .. } = replay(&text, "--check");
    assert_eq!((status, out), (1, format!("{difference}: there is nobody with the number 5\n")));
    // A picture warns of it, and is drawn.
    let folder = Folder::with(&[(NAME, &text)]);
    let Run { status, errors, .. } = folder.run("replay o.emberplay.ron --at 2.75 -o p.png");
    assert!(status == 1 && errors.starts_with(&format!("warning: {difference}")), "{errors}");
    assert!(folder.path("p.png").exists());
    assert_eq!(folder.run("replay o.emberplay.ron --at 2.5 -o p.png").status, 0);
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
        let Run { status, out, errors } = replay(&text[..cut], "--check");
        assert_eq!(status, 0, "{errors}");
        assert_eq!(errors, "note: o.emberplay.ron: the end of the file is missing, so it ends at 2 s\n");
        assert!(out.starts_with("o.emberplay.ron: ok, 2 s with 1 order and 3 hashes"), "{out}");
    }
}

#[test]
fn what_is_no_recording_is_refused_with_its_place() {
    let good = walk().to_ron();
    let at = |marker: &str| {
        let line = good[..good.find(marker).unwrap()].matches('\n').count() + 1;
        format!("o.emberplay.ron:{line}:")
    };
    for (text, reason) in [
        (String::new(), "error: o.emberplay.ron: the file is empty\n".to_owned()),
        (
            bundled("valley").to_ron(),
            "error: o.emberplay.ron: this is a map, not a recording: `emberwalk MAP`".to_owned(),
        ),
        (good.replace("put(", "putt("), at("put(")),
        (good.replace("(1, hash", "(1e300, hash"), at("(1, hash") + "6: `1e300` is not a time"),
        (good.replace("format: 1", "format: 7"), "error: o.emberplay.ron: this recording has format 7".to_owned()),
        (good.replace("format: 1", "format: -1"), "error: o.emberplay.ron: this recording has format -1".to_owned()),
        (good.replace("base: [", "bass: ["), at("base: [") + "5: in a map: "),
        (
            "(format: 1, program: \"\", tileset: \"\", entries: [])".to_owned(),
            "begins with `order(open(...))`".to_owned(),
        ),
    ] {
        let folder = Folder::with(&[(NAME, &text)]);
        for options in ["--check", "-o o.gif", "--at 0 -o o.png"] {
            folder.refuses(&format!("replay {NAME} {options}"), &reason);
        }
    }
    for time in ["86401", "-1", "NaN", "1e300", "inf", "-0.001"] {
        let leaving = format!("(1, order(put((cell: (0, 0), leaving: ((0, 0), {time}, 1))))),\n    (1, hash");
        for text in [good.replace("(1, hash", &format!("({time}, hash")), good.replace("(1, hash", &leaving)] {
            let errors = replay(text, "--check").errors;
            let says = format!("`{time}` is not a time: a time is a number of seconds from 0 to 86400\n");
            assert!(errors.ends_with(&says), "{time}: {errors}");
        }
    }
    assert_eq!(replay(b"(format: 1, \xff\xfe\x00", "--check").status, 2);
    Folder::new().refuses("replay missing.emberplay.ron --check", "there is no such file");
}

#[test]
fn a_picture_is_the_world_at_its_time() {
    let player = player();
    let folder = Folder::with(&[(NAME, &player.recording().to_ron())]);
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
        let found = picture(&folder, &format!("--at {at} --zoom 1/2"));
        assert!(visible(&found) == visible(&expected), "at {at} s");
    }
}

#[test]
fn frames_are_pictures_one_after_another_while_the_map_changes() {
    let folder = Folder::with(&[(NAME, &player().recording().to_ron())]);
    let command = "replay o.emberplay.ron --from 2.5 --to 5 --fps 2 --zoom 1/4";
    let (png, _) = animated(&folder, command, "a.png");
    let (gif, status) = animated(&folder, command, "a.gif");
    assert_eq!((png.len(), gif.len(), status), (6, 6, 0));
    assert_eq!((milliseconds(&png), milliseconds(&gif)), (3000.0, 3000.0));
    for (frame, at) in [(0, "2.5"), (3, "4"), (5, "5")] {
        let still = picture(&folder, &format!("--at {at} --zoom 1/4"));
        // Hills that grow make the picture higher.
        let frame = png[frame].buffer();
        let above = frame.height() - still.height();
        let frame = image::imageops::crop_imm(frame, 0, above, still.width(), still.height()).to_image();
        assert!(visible(&frame) == visible(&still), "at {at} s");
    }
    let (everything, _) = animated(&folder, "replay o.emberplay.ron --zoom 1/4 --fps 1", "b.gif");
    assert_eq!(everything.len(), 9);
}

#[test]
fn maps_of_other_sizes_are_in_the_middle() {
    let mut player = RandomPlayer::new(&bundled("valley"), 2);
    player.wait(1.0);
    player.give(open(&bundled("figures/road")));
    player.wait(1.0);
    let folder = Folder::with(&[(NAME, &player.recording().to_ron())]);
    let (frames, status) = animated(&folder, "replay o.emberplay.ron --fps 2 --zoom 1/4", "a.png");
    assert_eq!((frames.len(), status), (5, 0));
    let small = picture(&folder, "--at 1 --zoom 1/4");
    let large = picture(&folder, "--at 0.5 --zoom 1/4");
    assert!(visible(frames[0].buffer()) == visible(&large));
    let last = frames[4].buffer();
    let (left, top) = ((last.width() - small.width()) / 2, last.height() - small.height());
    let inside = image::imageops::crop_imm(last, left, top, small.width(), small.height()).to_image();
    assert!(visible(&inside) == visible(&small));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = Folder::with(&[(NAME, &walk().to_ron())]);
    let seconds = "this must be a number of seconds from 0 to 86400";
    for (options, reason) in [
        ("--at 1", "--output <OUT.gif|OUT.png>"),
        ("--check -o o.gif", "cannot be used with"),
        ("--check --at 1", "cannot be used with"),
        ("--check --from 1", "cannot be used with"),
        ("-o o.png --at 1 --to 2", "cannot be used with"),
        ("-o o.png --at -1", seconds),
        ("-o o.png --at NaN", seconds),
        ("-o o.png --at 1e300", seconds),
        ("-o o.gif --to x", seconds),
        ("-o o.gif --at 1", "with --at, the output is a PNG picture"),
        ("-o o.webp", "the output is an animated GIF or PNG"),
        ("-o o.png --at 2.75", "--at: o.emberplay.ron ends at 2 s"),
        ("-o o.gif --to 3", "--to: o.emberplay.ron ends at 2 s"),
        ("-o o.gif --from 2 --to 1", "--from is later than --to"),
        ("-o o.gif --fps 0", "the number of frames per second is a whole number from 1 to 100"),
        ("-o o.emberplay.ron", "o.emberplay.ron is an input, and would be overwritten"),
    ] {
        folder.refuses(&format!("replay {NAME} {options}"), reason);
    }
    let mut long = RandomPlayer::new(&bundled("figures/road"), 1);
    long.wait(60.0);
    let reason = "721 frames, and at most 600 are allowed: choose --from and --to at most 49.9 s apart";
    Folder::with(&[(NAME, &long.recording().to_ron())]).refuses("replay o.emberplay.ron -o o.gif", reason);
}
