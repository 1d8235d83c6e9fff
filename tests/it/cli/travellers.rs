//! `render --travellers` and `animate --travellers`.

use std::fs;
use std::path::Path;

use emberwalk_path::StepRules;
use emberwalk_world::town::Places;
use image::RgbaImage;

use super::animate::{animated, milliseconds, visible};
use super::run_in;
use crate::support::{bundled, file};

/// The picture that `render` draws.
fn rendered(folder: &Path, args: &[&str]) -> RgbaImage {
    let output = run_in(folder, &[["render", "--transparent", "-o", "o.png"].as_slice(), args].concat());
    assert!(output.status.success(), "{output:?}");
    image::open(folder.join("o.png")).unwrap().into_rgba8()
}

#[test]
fn frames_are_pictures_of_the_same_travellers_one_after_another() {
    let folder = tempfile::tempdir().unwrap();
    for town in [
        &["market", "--travellers", "60", "--seed", "4", "--zoom", "1/4"][..],
        &["valley", "--travellers", "30", "--erupting", "--zoom", "1/2"],
        &["figures/slope", "--travellers", "9", "--from", "8,8", "--plain", "--zoom", "2"],
    ] {
        let args = [town, &["--seconds", "2", "--fps", "4"]].concat();
        let (png, _) = animated(folder.path(), "a.png", &args);
        let (gif, status) = animated(folder.path(), "a.gif", &args);
        assert_eq!((png.len(), gif.len(), status), (9, 9, Some(0)), "{town:?}");
        assert_eq!((milliseconds(&png), milliseconds(&gif)), (2250.0, 2250.0), "{town:?}");
        for (frame, at) in [(0, "0"), (3, "0.75"), (8, "2")] {
            let picture = rendered(folder.path(), &[town, &["--at", at]].concat());
            assert!(visible(png[frame].buffer()) == visible(&picture), "{town:?} after {at} s");
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
            assert_eq!(Some(difference(frame, frame)), least, "{town:?}: frame {frame}");
        }
        for frames in [&png, &gif] {
            assert!(frames[0].buffer() != frames[8].buffer(), "{town:?}: nobody walks");
        }
    }
}

#[test]
fn the_same_options_give_the_same_animation_and_another_seed_gives_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, seed: &str| {
        let args = ["market", "--travellers", "40", "--seed", seed, "--seconds", "1", "--fps", "3", "--zoom", "1/4"];
        animated(folder.path(), name, &args);
        fs::read(folder.path().join(name)).unwrap()
    };
    for name in ["a.gif", "a.png"] {
        let first = file(name, "1");
        assert!(first == file(name, "1"), "{name}");
        assert!(first != file(name, "2"), "{name}");
    }
}

#[test]
fn the_seed_of_a_picture_chooses_its_travellers() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |args: &[&str]| {
        rendered(folder.path(), &[&["valley", "--travellers", "50", "--at", "5", "--zoom", "1/2"], args].concat())
    };
    let first = picture(&[]);
    assert!(first == picture(&["--seed", "1"]));
    assert!(first != picture(&["--seed", "2"]));
}

#[test]
fn a_map_has_as_many_travellers_as_fit() {
    let folder = tempfile::tempdir().unwrap();
    let room = Places::of(&bundled("figures/road"), StepRules::default()).room();
    let picture = |travellers: usize| {
        rendered(folder.path(), &["figures/road", "--at", "3", "--travellers", &travellers.to_string()])
    };
    let full = picture(room);
    assert!(full == picture(room + 1));
    assert!(full == picture(100_000));
    assert!(full != picture(room - 1));
}

#[test]
fn it_is_told_how_many_travellers_fit_if_more_were_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let room = Places::of(&bundled("figures/road"), StepRules::default()).room();
    for (travellers, expected) in
        [(room, String::new()), (room + 1, format!("note: there is room for {room} travellers on this map\n"))]
    {
        let travellers = ["figures/road", "--travellers", &travellers.to_string()];
        for command in [&["render", "-o", "o.png"][..], &["animate", "-o", "o.gif", "--seconds", "1"]] {
            let output = run_in(folder.path(), &[command, &travellers].concat());
            assert!(output.status.success(), "{output:?}");
            assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
        }
    }
}

#[test]
fn a_traveller_alone_stays_where_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |args: &[&str]| rendered(folder.path(), &[&["figures/road", "--zoom", "1/2"], args].concat());
    let alone = picture(&["--travellers", "1"]);
    assert!(alone != picture(&[]), "it is not drawn");
    assert!(alone == picture(&["--travellers", "1", "--at", "5"]));
    assert!(alone != picture(&["--travellers", "1", "--from", "8,8"]));
}

#[test]
fn people_of_a_tileset_without_people_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let (text, _) = text.split_once("    people: [").unwrap();
    fs::write(folder.path().join("tileset.ron"), format!("{text})")).unwrap();
    let picture = |travellers: &str| {
        rendered(folder.path(), &["figures/road", "--assets", ".", "--at", "2", "--travellers", travellers])
    };
    assert!(picture("20") != picture("1"));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let count = "the number of travellers is a whole number from 1 to 100000";
    let at = "this must be a number of seconds from 0 to 3600";
    for (args, reason) in [
        (&["render", "valley", "-o", "o.png", "--travellers", "0"][..], count),
        (&["render", "valley", "-o", "o.png", "--travellers", "100001"], count),
        (&["render", "valley", "-o", "o.png", "--travellers", "-1"], count),
        (&["render", "valley", "-o", "o.png", "--travellers", "many"], count),
        (&["render", "valley", "-o", "o.png", "--travellers", "2", "--at", "-1"], at),
        (&["render", "valley", "-o", "o.png", "--travellers", "2", "--at", "3601"], at),
        (&["render", "valley", "-o", "o.png", "--at", "3"], "not provided:\n  --travellers <N>"),
        (&["render", "valley", "-o", "o.png", "--seed", "3"], "not provided:\n  --travellers <N>"),
        (&["animate", "valley", "-o", "o.gif", "--seed", "3"], "not provided:\n  --travellers <N>"),
        (&["animate", "valley", "-o", "o.gif", "--travellers", "0"], count),
        (&["animate", "valley", "-o", "o.gif", "--travellers", "2", "--at", "3"], "unexpected argument '--at'"),
        (
            &["animate", "valley", "-o", "o.gif", "--travellers", "2", "--versus", "dijkstra"],
            "'--travellers <N>' cannot be used with '--versus <ALGORITHM>'",
        ),
        (
            &["animate", "valley", "-o", "o.gif", "--travellers", "2", "--seconds", "50"],
            "601 frames, and at most 600 are allowed",
        ),
        (&["animate", "realm", "-o", "o.gif", "--travellers", "2"], "the largest side allowed is 4096"),
    ] {
        let output = run_in(folder.path(), args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(reason), "{args:?}: {told}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{args:?}");
    }
}
