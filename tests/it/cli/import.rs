//! `emberwalk import`: the files that it writes, and what it refuses.

use std::fs;

use emberwalk_map::Map;
use image::{Rgb, RgbImage};

use super::run_with_input as run_with;
use crate::support::foreign::{TILES, csv, rows, tmx};
use crate::support::tileset;

#[test]
fn the_input_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cave.txt"), "WM H").unwrap();
    RgbImage::from_pixel(3, 3, Rgb([255; 3])).save(folder.path().join("a-1.png")).unwrap();
    fs::create_dir(folder.path().join("dir.ron")).unwrap();
    let before = fs::read(folder.path().join("a-1.png")).unwrap();
    for (args, says) in [
        (&["import", "cave.txt", "-o", "./cave.txt"][..], "would be overwritten"),
        (&["solve", "a-1.png", "-o", "a-1.png"], "would be overwritten"),
        (&["solve", "none.png", "a-1.png", "-o", "a.png"], "would be overwritten"),
        (&["import", "cave.txt", "-o", "dir.ron"], "dir.ron cannot be written: it is a folder"),
        (&["import", "cave.txt", "-o", "no/a.ron"], "its folder does not exist"),
        (&["export", "valley", "-o", "."], "this is a folder, not a file"),
        (&["generate", "--seed", "-1", "-o", "a.ron"], "a seed is a whole number from 0 to"),
        (&["generate", "--width", "-3", "-o", "a.ron"], "a map has 1 to 4096 columns and rows"),
    ] {
        let output = run_with(folder.path(), args, b"");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(says), "{args:?}: {told}");
    }
    assert_eq!(fs::read(folder.path().join("cave.txt")).unwrap(), b"WM H");
    assert_eq!(fs::read(folder.path().join("a-1.png")).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[cfg(unix)]
#[test]
fn a_tileset_of_the_map_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let tiles = TILES.replace(" firstgid=\"1\"", "");
    fs::write(path("land.tsx"), &tiles).unwrap();
    fs::write(path("other.ron"), &tiles).unwrap();
    std::os::unix::fs::symlink("land.tsx", path("link.ron")).unwrap();
    for (source, output) in [("land.tsx", "link.ron"), ("other.ron", "other.ron"), ("OTHER.ron", "./other.ron")] {
        let reference = format!("<tileset firstgid=\"1\" source=\"{source}\"/>");
        fs::write(path("a.tmx"), tmx("orthogonal", &reference, &csv("1,2,1,3,0,2"))).unwrap();
        let run = run_with(folder.path(), &["import", "a.tmx", "-o", output], b"");
        let told = String::from_utf8(run.stderr).unwrap();
        let says = format!("{output} is an input, and would be overwritten");
        assert!(run.status.code() == Some(2) && told.contains(&says), "{source}: {told}");
        assert!(run_with(folder.path(), &["import", "a.tmx", "-o", "new.ron"], b"").status.success(), "{source}");
    }
    for file in ["land.tsx", "other.ron"] {
        assert_eq!(fs::read_to_string(path(file)).unwrap(), tiles);
    }
}

#[test]
fn what_stands_in_for_a_tileset_file_counts_only_without_the_option_tile() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("land.tsx")).unwrap();
    let reference = "<tileset firstgid=\"1\" source=\"land.tsx\"/>";
    fs::write(folder.path().join("a.tmx"), tmx("orthogonal", reference, &csv("1,1,1,1,1,1"))).unwrap();
    let run = |more: &[&str]| run_with(folder.path(), &[&["import", "a.tmx", "-o", "a.ron"], more].concat(), b"");
    let output = run(&[]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.contains("this is not a file"), "{told}");
    assert!(run(&["--tile", "land:0=grass"]).status.success());
}

#[test]
fn a_recording_is_not_imported() {
    let folder = tempfile::tempdir().unwrap();
    let recording =
        "(format: 1, program: \"\", tileset: \"\", entries: [\n(0, order(open(\"(base: [], overlay: [])\"))),\n])";
    fs::write(folder.path().join("walk.emberplay.ron"), recording).unwrap();
    for args in [
        &["import", "walk.emberplay.ron", "-o", "-"][..],
        &["route", "walk.emberplay.ron"],
        &["check", "walk.emberplay.ron"],
    ] {
        let output = run_with(folder.path(), args, b"");
        let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!((output.status.code(), told.matches('×').count()), (Some(2), 1), "{args:?}: {told}");
        assert!(told.contains("this is a recording, not a map"), "{told}");
        assert!(told.contains("play it: emberwalk replay walk.emberplay.ron"), "{told}");
    }
}

#[test]
fn an_empty_picture_is_called_empty() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.png"), b"").unwrap();
    for args in [&["import", "a.png", "-o", "a.ron"][..], &["solve", "a.png", "-o", "b.png"]] {
        let output = run_with(folder.path(), args, b"");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains("a.png: the file is empty"), "{args:?}: {told}");
    }
}

#[test]
fn imported_maps_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cave.txt"), "WWWW\nWH MW").unwrap();
    let run = |args: &[&str], input: &[u8]| run_with(folder.path(), args, input);
    let output = run(&["import", "cave.txt", "-o", "cave.ron"], b"");
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    let check = run(&["check", "cave.ron"], b"");
    assert_eq!(String::from_utf8_lossy(&check.stdout), "cave.ron: ok, 5 x 2 cells\n");
    assert!(run(&["route", "cave.ron"], b"").status.success());
    let output = run(&["import", "-", "-o", "-"], b"WWWW\nWH MW");
    let text = String::from_utf8(output.stdout).unwrap();
    let cave = fs::read_to_string(folder.path().join("cave.ron")).unwrap();
    assert_eq!(text.replace("\"Imported map\"", "\"cave\""), cave);
    let output = run(&["import", "-", "-o", "-", "--name", "A \"cave\""], b"WWWW\nWH MW");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, cave.replace("\"cave\"", r#""A \"cave\"""#));
    let output = run(&["import", "cave.txt", "-o", "a.ron", "--format", "moving-ai"], b"");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("this is not a line of a map's header"), "{errors}");
    for args in [
        &["import", "none.txt", "-o", "a.ron"][..],
        &["import", ".", "-o", "a.ron"],
        &["import", "cave.txt"],
        &["import", "cave.txt", "-o", "no/a.ron"],
        &["import", "cave.txt", "-o", "a.ron", "--format", "doc"],
        &["import", "cave.txt", "-o", "a.ron", "--assets", "no"],
    ] {
        let output = run(args, b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    assert!(!folder.path().join("a.ron").exists());
    let help = run(&["import", "--help"], b"");
    assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:"));
}

#[test]
fn the_option_tile_maps_tiles_to_terrain() {
    let text = tmx("orthogonal", TILES, &csv("1,4,5,6,9,2"));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tmx"), text).unwrap();
    let args = ["import", "a.tmx", "-o", "a.ron", "--tile", "land:3=pine forest", "--tile", "land:4,6-7=nothing"];
    let more = ["--tile", "land:5-5=Snow", "--tile", "land:6-9=t"];
    let output = run_with(folder.path(), &[&args[..], &more].concat(), b"");
    assert!(output.status.success(), "{output:?}");
    let map = fs::read_to_string(folder.path().join("a.ron")).unwrap();
    let map = Map::parse("a.ron", &map, &tileset()).unwrap();
    assert_eq!(rows(&map), (vec!["GGG".to_owned(), "SG~".into()], vec![".F.".to_owned(), ".t.".into()]));
    for (tile, says) in [
        ("land:3=lava", "--tile land:3=lava: there is no terrain \"lava\""),
        ("land:3=montain", "did you mean `mountain`?"),
        ("land=grass", "TILESET:IDS=TERRAIN"),
        ("land:3-=grass", "such as desert:30=sand"),
        ("land:0-4294967295=", "such as desert:30=sand"),
        ("land:1-0=grass", "the range 1-0 is reversed: write 0-1"),
        ("land:4294967296=grass", "an id is too large"),
        ("land:3=wall", "did you mean `stone wall`?"),
        ("land:3=level 10", "levels go from 0 to 9"),
        ("land:100-4294967295=grass", "have no known terrain"),
        ("grass:0-4294967295=grass", "--tile grass:0-4294967295=grass: the map has no tileset \"grass\""),
        ("grass:0=grass", "its tilesets are land"),
        ("lnad:0=grass", "did you mean `land`?"),
    ] {
        let output = run_with(folder.path(), &["import", "a.tmx", "-o", "b.ron", "--tile", tile], b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(says), "{tile}: {output:?}");
    }
    fs::write(folder.path().join("cave.txt"), "WM H").unwrap();
    let output = run_with(folder.path(), &["import", "cave.txt", "-o", "b.ron", "--tile", "land:3=sand"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cave.txt is not a Tiled map"), "{output:?}");
    assert!(!folder.path().join("b.ron").exists());
}

#[test]
fn walls_of_texts_and_pictures_do_not_vanish() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "####\n#MH#\n").unwrap();
    fs::write(folder.path().join("mixed.txt"), "W#W\nMWH\n").unwrap();
    RgbImage::from_pixel(3, 3, Rgb([255; 3])).save(folder.path().join("white.png")).unwrap();
    RgbImage::from_pixel(3, 3, Rgb([0; 3])).save(folder.path().join("black.png")).unwrap();
    RgbImage::from_fn(3, 3, |x, _| Rgb([if x == 1 { 34 } else { 255 }; 3])).save(folder.path().join("a.png")).unwrap();
    let chalk = RgbImage::from_fn(3, 2, |x, y| Rgb([if (x, y) == (0, 1) { 255 } else { 0 }; 3]));
    chalk.save(folder.path().join("chalk.png")).unwrap();
    let smooth = RgbImage::from_fn(5, 1, |x, _| Rgb([[255, 255, 255, 90, 0][x as usize]; 3]));
    smooth.save(folder.path().join("smooth.png")).unwrap();
    for (args, status, says) in [
        (&["a.txt"][..], 2, "the text has '#' where other maps have walls"),
        (&["a.txt", "--walls", "#"], 0, ""),
        (
            &["mixed.txt", "--walls", "#"],
            0,
            "note: mixed.txt: no wall is made of 'W', which other maps have as walls; try `--walls \"W#\"`",
        ),
        (&["mixed.txt", "--walls", "W#"], 0, ""),
        (&["a.txt", "--walls", ""], 2, "name at least one character that is a wall"),
        (&["a.txt", "--walls", "#M"], 2, "M is the monster, so it cannot be a wall"),
        (&["a.txt", "--walls", "H"], 2, "H is the hero, so it cannot be a wall"),
        (&["a.txt", "--walls", "W"], 0, ""),
        (&["a.png"], 0, "note: a.png: no pixel is a wall: the lowest red is 34, and a wall has 0; try `--threshold "),
        (&["white.png"], 0, "note: white.png: no pixel is a wall, because all have a red of 255\n"),
        (&["black.png"], 0, "note: black.png: every pixel is a wall, because all have a red of 0\n"),
        (&["chalk.png"], 0, "note: chalk.png: there would be a path if light pixels were walls; try `--invert`\n"),
        (&["chalk.png", "--invert"], 0, ""),
        (
            &["smooth.png"],
            0,
            "note: smooth.png: 1 pixel (20.0 %) is grey, neither as dark as a wall nor as light as the floor, so",
        ),
        (&["smooth.png", "--threshold", "128"], 0, ""),
        (&["a.txt", "--walls", "#", "--invert"], 0, ""),
        (
            &["a.png", "--threshold", "34"],
            0,
            "note: a.png: there would be a path if light pixels were walls; try `--invert`\n",
        ),
    ] {
        let output = run_with(folder.path(), &[&["import", "-o", "a.ron"], args].concat(), b"");
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {told}");
        assert!(told.contains(says) && (told.is_empty() || !says.is_empty()), "{args:?}: {told}");
    }
    let map = Map::parse("a.ron", &fs::read_to_string(folder.path().join("a.ron")).unwrap(), &tileset()).unwrap();
    assert_eq!(rows(&map).1, ["1W.", ".W.", ".W2"]);
}

/// The cells of a map that is compressed to a thousandth are not all in memory together.
#[cfg(target_os = "linux")]
#[test]
fn large_maps_of_many_layers_are_imported_in_little_memory() {
    use std::io::Write;
    use std::process::Command;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    const SIDE: usize = 2048;
    /// A byte for each cell of each layer would be 64 MiB more.
    const MEMORY_IN_KIB: usize = 80_000;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&[1, 0, 0, 0].repeat(SIDE * SIDE)).unwrap();
    let cells = STANDARD.encode(encoder.finish().unwrap());
    let layer = format!(
        "<layer width=\"{SIDE}\" height=\"{SIDE}\"><data encoding=\"base64\" compression=\"zlib\">{cells}</data></layer>"
    );
    let text = format!("<map width=\"{SIDE}\" height=\"{SIDE}\">{TILES}{}</map>", layer.repeat(16));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tmx"), text).unwrap();
    let program = env!("CARGO_BIN_EXE_emberwalk");
    let command = format!("ulimit -d {MEMORY_IN_KIB}; exec '{program}' import a.tmx -o a.ron");
    let output = Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::metadata(folder.path().join("a.ron")).unwrap().len() / (SIDE * SIDE) as u64, 2);
}

#[test]
fn levels_come_from_a_grey_picture() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cave.txt"), "W  H\nM   ").unwrap();
    let grey = image::GrayImage::from_fn(4, 2, |x, y| image::Luma([(x * 85) as u8 * (1 - y as u8)]));
    grey.save(folder.path().join("alps.png")).unwrap();
    let run = |args: &[&str]| run_with(folder.path(), args, b"");
    let output = run(&["import", "cave.txt", "--heights", "alps.png", "-o", "cave.ron"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = fs::read_to_string(folder.path().join("cave.ron")).unwrap();
    assert!(text.contains("heights: [\n        \"0369\",\n        \"0000\",\n    ],"), "{text}");
    image::GrayImage::from_pixel(4, 2, image::Luma([25])).save(folder.path().join("dark.png")).unwrap();
    let output = run(&["import", "cave.txt", "--heights", "dark.png", "-o", "flat.ron"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("all of dark.png is darker than level 1"), "{told}");
    for (args, says) in [
        (&["import", "cave.txt", "--heights", "none.png", "-o", "a.ron"][..], "none.png"),
        (&["import", "cave.txt", "--heights", "cave.txt", "-o", "a.ron"], "cave.txt: this is not a picture"),
        (&["import", "alps.png", "--heights", "alps.png", "-o", "alps.png"], "would be overwritten"),
    ] {
        let output = run(args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(says), "{args:?}: {told}");
    }
    assert!(!folder.path().join("a.ron").exists());
}
