//! `render --travellers` and `animate --travellers`.

use emberwalk_path::StepRules;
use emberwalk_world::town::Places;
use image::RgbaImage;

use super::animate::{animated, milliseconds, visible};
use super::{Folder, Run};
use crate::support::bundled;

/// The picture that `render` draws.
fn rendered(arguments: &str) -> RgbaImage {
    let folder = Folder::new();
    assert_eq!(folder.run(&format!("render --transparent -o o.png {arguments}")).status, 0, "{arguments}");
    image::open(folder.path("o.png")).unwrap().into_rgba8()
}

#[test]
fn frames_are_pictures_of_the_same_travellers_one_after_another() {
    let folder = Folder::new();
    for town in [
        "market --travellers 60 --seed 4 --zoom 1/4",
        "valley --travellers 30 --erupting --zoom 1/2",
        "figures/slope --travellers 9 --from 8,8 --plain --zoom 2",
    ] {
        let command = format!("animate {town} --seconds 2 --fps 4");
        let (png, _) = animated(&folder, &command, "a.png");
        let (gif, status) = animated(&folder, &command, "a.gif");
        assert_eq!((png.len(), gif.len(), status), (9, 9, 0), "{town}");
        assert_eq!((milliseconds(&png), milliseconds(&gif)), (2250.0, 2250.0), "{town}");
        for (frame, at) in [(0, "0"), (3, "0.75"), (8, "2")] {
            let picture = rendered(&format!("{town} --at {at}"));
            assert!(visible(png[frame].buffer()) == visible(&picture), "{town} after {at} s");
        }
        // The colours of a GIF are not exact, but its frames are in the same order.
        let difference = |one: usize, other: usize| {
            let pairs = gif[one].buffer().pixels().zip(png[other].buffer().pixels());
            let shown = pairs.filter(|(_, png)| png[3] == 255);
            let sums = shown.map(|(gif, png)| (0..3).map(|k| u64::from(gif[k].abs_diff(png[k]))).sum::<u64>());
            sums.sum::<u64>()
        };
        for frame in 0..9 {
            let least = (0..9).map(|other| difference(frame, other)).min();
            assert_eq!(Some(difference(frame, frame)), least, "{town}: frame {frame}");
        }
        for frames in [&png, &gif] {
            assert!(frames[0].buffer() != frames[8].buffer(), "{town}: nobody walks");
        }
    }
}

#[test]
fn the_same_options_give_the_same_animation_and_another_seed_gives_another() {
    let folder = Folder::new();
    for name in ["a.gif", "a.png"] {
        let file = |seed: u32| {
            let command = format!("animate market --travellers 40 --seed {seed} --seconds 1 --fps 3 --zoom 1/4");
            animated(&folder, &command, name);
            folder.bytes(name)
        };
        let first = file(1);
        assert!(first == file(1), "{name}");
        assert!(first != file(2), "{name}");
    }
}

#[test]
fn the_seed_of_a_picture_chooses_its_travellers() {
    let picture = |seed: &str| rendered(&format!("valley --travellers 50 --at 5 --zoom 1/2 {seed}"));
    let first = picture("");
    assert!(first == picture("--seed 1"));
    assert!(first != picture("--seed 2"));
}

#[test]
fn a_map_has_as_many_travellers_as_fit_and_it_is_told_if_more_were_asked_for() {
    let room = Places::of(&bundled("figures/road"), StepRules::default()).room();
    let picture = |travellers: usize| rendered(&format!("figures/road --at 3 --travellers {travellers}"));
    let full = picture(room);
    assert!(full == picture(room + 1));
    assert!(full == picture(100_000));
    assert!(full != picture(room - 1));
    let note = format!("note: there is room for {room} travellers on this map\n");
    for (travellers, expected) in [(room, ""), (room + 1, &note)] {
        for command in ["render -o o.png", "animate -o o.gif --seconds 1"] {
            let run = Folder::new().run(&format!("{command} figures/road --travellers {travellers}"));
            assert_eq!(run, Run { status: 0, out: String::new(), errors: expected.into() });
        }
    }
}

#[test]
fn a_traveller_alone_stays_where_it_starts() {
    let picture = |options: &str| rendered(&format!("figures/road --zoom 1/2 {options}"));
    let alone = picture("--travellers 1");
    assert!(alone != picture(""), "it is not drawn");
    assert!(alone == picture("--travellers 1 --at 5"));
    assert!(alone != picture("--travellers 1 --from 8,8"));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let count = "the number of travellers is a whole number from 1 to 100000";
    let at = "this must be a number of seconds from 0 to 3600";
    for (command, reason) in [
        ("render valley -o o.png --travellers 0", count),
        ("render valley -o o.png --travellers 100001", count),
        ("render valley -o o.png --travellers -1", count),
        ("render valley -o o.png --travellers many", count),
        ("render valley -o o.png --travellers 2 --at -1", at),
        ("render valley -o o.png --travellers 2 --at 3601", at),
        ("render valley -o o.png --at 3", "not provided:\n  --travellers <N>"),
        ("render valley -o o.png --seed 3", "not provided:\n  --travellers <N>"),
        ("animate valley -o o.gif --seed 3", "not provided:\n  --travellers <N>"),
        ("animate valley -o o.gif --travellers 0", count),
        ("animate valley -o o.gif --travellers 2 --at 3", "unexpected argument '--at'"),
        ("animate valley -o o.gif --travellers 2 --versus dijkstra", "cannot be used with '--versus <ALGORITHM>'"),
        ("animate valley -o o.gif --travellers 2 --seconds 50", "601 frames, and at most 600 are allowed"),
        ("animate realm -o o.gif --travellers 2", "the largest side allowed is 4096"),
    ] {
        Folder::new().refuses(command, reason);
    }
}
