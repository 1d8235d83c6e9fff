//! `emberwalk import`: the files that it writes, and what it refuses.

use std::fs;

use emberwalk_map::Map;
use image::{Rgb, RgbImage};

use super::{Folder, Run, run_with};
use crate::support::foreign::{TILES, csv, rows, tmx};
use crate::support::tileset;

/// The map in a file.
fn map(folder: &Folder, name: &str) -> Map {
    Map::parse(name, &folder.text(name), &tileset()).unwrap()
}

#[test]
fn the_input_is_never_overwritten() {
    let folder = Folder::with(&[("cave.txt", "WM H")]);
    RgbImage::from_pixel(3, 3, Rgb([255; 3])).save(folder.path("a-1.png")).unwrap();
    fs::create_dir(folder.path("dir.ron")).unwrap();
    let before = folder.bytes("a-1.png");
    for (command, reason) in [
        ("import cave.txt -o ./cave.txt", "would be overwritten"),
        ("solve a-1.png -o a-1.png", "would be overwritten"),
        ("solve none.png a-1.png -o a.png", "would be overwritten"),
        ("import cave.txt -o dir.ron", "dir.ron cannot be written: it is a folder"),
        ("import cave.txt -o no/a.ron", "its folder does not exist"),
    ] {
        folder.refuses(command, reason);
    }
    assert_eq!((folder.text("cave.txt").as_str(), folder.bytes("a-1.png")), ("WM H", before));
}

#[cfg(unix)]
#[test]
fn a_tileset_of_the_map_is_never_overwritten() {
    let tiles = TILES.replace(" firstgid=\"1\"", "");
    let folder = Folder::with(&[("land.tsx", &tiles), ("other.ron", &tiles)]);
    std::os::unix::fs::symlink("land.tsx", folder.path("link.ron")).unwrap();
    for (source, output) in [("land.tsx", "link.ron"), ("other.ron", "other.ron"), ("OTHER.ron", "./other.ron")] {
        let reference = format!("<tileset firstgid=\"1\" source=\"{source}\"/>");
        folder.write("a.tmx", tmx("orthogonal", &reference, &csv("1,2,1,3,0,2")));
        let reason = format!("{output} is an input, and would be overwritten");
        folder.refuses(&format!("import a.tmx -o {output}"), &reason);
        assert_eq!(folder.run("import a.tmx -o new.ron").status, 0, "{source}");
    }
    assert_eq!([folder.text("land.tsx"), folder.text("other.ron")], [tiles.clone(), tiles]);
}

#[test]
fn what_stands_in_for_a_tileset_file_counts_only_without_the_option_tile() {
    let reference = "<tileset firstgid=\"1\" source=\"land.tsx\"/>";
    let folder = Folder::with(&[("a.tmx", &tmx("orthogonal", reference, &csv("1,1,1,1,1,1")))]);
    fs::create_dir(folder.path("land.tsx")).unwrap();
    folder.refuses("import a.tmx -o a.ron", "this is not a file");
    assert_eq!(folder.run("import a.tmx -o a.ron --tile land:0=grass").status, 0);
}

#[test]
fn a_recording_is_not_imported() {
    let recording =
        "(format: 1, program: \"\", tileset: \"\", entries: [\n(0, order(open(\"(base: [], overlay: [])\"))),\n])";
    let folder = Folder::with(&[("walk.emberplay.ron", recording)]);
    for command in ["import walk.emberplay.ron -o -", "route walk.emberplay.ron", "check walk.emberplay.ron"] {
        let Run { status, out, errors } = folder.run(command);
        let told = out + &errors;
        assert_eq!((status, told.matches('×').count()), (2, 1), "{command}: {told}");
        assert!(told.contains("this is a recording, not a map"), "{told}");
        assert!(told.contains("play it: emberwalk replay walk.emberplay.ron"), "{told}");
    }
}

#[test]
fn an_empty_picture_is_called_empty() {
    let folder = Folder::with(&[("a.png", "")]);
    folder.refuses("import a.png -o a.ron", "a.png: the file is empty");
    folder.refuses("solve a.png -o b.png", "a.png: the file is empty");
}

#[test]
fn imported_maps_are_valid() {
    let text = "WWWW\nWH MW";
    let folder = Folder::with(&[("cave.txt", text)]);
    folder.done("import cave.txt -o cave.ron");
    assert_eq!(folder.run("check cave.ron").success(), "cave.ron: ok, 5 x 2 cells\n");
    assert_eq!(folder.run("route cave.ron").status, 0);
    let cave = folder.text("cave.ron");
    assert_eq!(run_with("import - -o -", text).success().replace("\"Imported map\"", "\"cave\""), cave);
    let named = run_with("import - -o - --name 'A \"cave\"'", text).success();
    assert_eq!(named, cave.replace("\"cave\"", r#""A \"cave\"""#));
    for (command, reason) in [
        ("import cave.txt -o a.ron --format moving-ai", "this is not a line of a map's header"),
        ("import none.txt -o a.ron", "none.txt: there is no such file"),
        ("import . -o a.ron", ".: this is "),
        ("import cave.txt", "--output"),
        ("import cave.txt -o a.ron --format doc", "[possible values: text, moving-ai, picture, tmx]"),
        ("import cave.txt -o a.ron --assets no", "no: there is no such folder"),
    ] {
        folder.refuses(command, reason);
    }
}

#[test]
fn the_option_tile_maps_tiles_to_terrain() {
    let folder = Folder::with(&[("a.tmx", &tmx("orthogonal", TILES, &csv("1,4,5,6,9,2"))), ("cave.txt", "WM H")]);
    let tiles = "--tile 'land:3=pine forest' --tile land:4,6-7=nothing --tile land:5-5=Snow --tile land:6-9=t";
    assert_eq!(folder.run(&format!("import a.tmx -o a.ron {tiles}")).status, 0);
    let layers = (vec!["GGG".to_owned(), "SG~".into()], vec![".F.".to_owned(), ".t.".into()]);
    assert_eq!(rows(&map(&folder, "a.ron")), layers);
    for (tile, reason) in [
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
        folder.refuses(&format!("import a.tmx -o b.ron --tile '{tile}'"), reason);
    }
    folder.refuses("import cave.txt -o b.ron --tile land:3=sand", "cave.txt is not a Tiled map");
}

#[test]
fn walls_of_texts_and_pictures_do_not_vanish() {
    let folder = Folder::with(&[("a.txt", "####\n#MH#\n"), ("mixed.txt", "W#W\nMWH\n")]);
    let grey = |name: &str, (width, height), red: &dyn Fn(u32, u32) -> u8| {
        let picture = RgbImage::from_fn(width, height, |x, y| Rgb([red(x, y); 3]));
        picture.save(folder.path(name)).unwrap();
    };
    grey("white.png", (3, 3), &|_, _| 255);
    grey("black.png", (3, 3), &|_, _| 0);
    grey("a.png", (3, 3), &|x, _| if x == 1 { 34 } else { 255 });
    grey("chalk.png", (3, 2), &|x, y| if (x, y) == (0, 1) { 255 } else { 0 });
    grey("smooth.png", (5, 1), &|x, _| [255, 255, 255, 90, 0][x as usize]);
    for (arguments, status, says) in [
        ("a.txt", 2, "the text has '#' where other maps have walls"),
        ("a.txt --walls #", 0, ""),
        ("mixed.txt --walls #", 0, "note: mixed.txt: no wall is made of 'W', which other maps have as walls; "),
        ("mixed.txt --walls #", 0, "as walls; try `--walls \"W#\"`"),
        ("mixed.txt --walls W#", 0, ""),
        ("a.txt --walls ''", 2, "name at least one character that is a wall"),
        ("a.txt --walls #M", 2, "M is the monster, so it cannot be a wall"),
        ("a.txt --walls H", 2, "H is the hero, so it cannot be a wall"),
        ("a.txt --walls W", 0, ""),
        ("a.png", 0, "note: a.png: no pixel is a wall: the lowest red is 34, and a wall has 0; try `--threshold "),
        ("white.png", 0, "note: white.png: no pixel is a wall, because all have a red of 255\n"),
        ("black.png", 0, "note: black.png: every pixel is a wall, because all have a red of 0\n"),
        ("chalk.png", 0, "note: chalk.png: there would be a path if light pixels were walls; try `--invert`\n"),
        ("chalk.png --invert", 0, ""),
        ("smooth.png", 0, "note: smooth.png: 1 pixel (20.0 %) is grey, neither as dark as a wall nor as light as the "),
        ("smooth.png --threshold 128", 0, ""),
        ("a.txt --walls # --invert", 0, ""),
        ("a.png --threshold 34", 0, "note: a.png: there would be a path if light pixels were walls; try `--invert`\n"),
    ] {
        let run = folder.run(&format!("import -o a.ron {arguments}"));
        assert_eq!(run.status, status, "{arguments}: {run:?}");
        assert!(run.errors.contains(says) && (run.errors.is_empty() || !says.is_empty()), "{arguments}: {run:?}");
    }
    assert_eq!(rows(&map(&folder, "a.ron")).1, ["1W.", ".W.", ".W2"]);
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
    let folder = Folder::with(&[("a.tmx", &text)]);
    let program = env!("CARGO_BIN_EXE_emberwalk");
    let command = format!("ulimit -d {MEMORY_IN_KIB}; exec '{program}' import a.tmx -o a.ron");
    let output = Command::new("sh").args(["-c", &command]).current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(folder.bytes("a.ron").len() / (SIDE * SIDE), 2);
}

#[test]
fn levels_come_from_a_grey_picture() {
    let folder = Folder::with(&[("cave.txt", "W  H\nM   ")]);
    let grey = image::GrayImage::from_fn(4, 2, |x, y| image::Luma([(x * 85) as u8 * (1 - y as u8)]));
    grey.save(folder.path("alps.png")).unwrap();
    folder.done("import cave.txt --heights alps.png -o cave.ron");
    let text = folder.text("cave.ron");
    assert!(text.contains("heights: [\n        \"0369\",\n        \"0000\",\n    ],"), "{text}");
    image::GrayImage::from_pixel(4, 2, image::Luma([25])).save(folder.path("dark.png")).unwrap();
    let Run { status, errors, .. } = folder.run("import cave.txt --heights dark.png -o flat.ron");
    assert!(status == 0 && errors.contains("all of dark.png is darker than level 1"), "{errors}");
    for (command, reason) in [
        ("import cave.txt --heights none.png -o a.ron", "none.png"),
        ("import cave.txt --heights cave.txt -o a.ron", "cave.txt: this is not a picture"),
        ("import alps.png --heights alps.png -o alps.png", "would be overwritten"),
    ] {
        folder.refuses(command, reason);
    }
}
