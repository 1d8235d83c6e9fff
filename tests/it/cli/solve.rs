//! `emberwalk solve`: the files that it writes, its reports, and what it refuses.

use std::fs;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::Value;

use super::Folder;
use crate::support::mazes::{PATH, bytes, huge_png, picture};
use crate::support::photographs::{exif, stored, with_exif};

/// Saves a picture, in the format of its name.
fn save(folder: &Folder, name: &str, picture: impl Into<DynamicImage>) {
    picture.into().save(folder.path(name)).unwrap();
}

#[test]
fn solve_numbers_its_pictures_and_continues_after_errors() {
    let folder = Folder::with(&[("bad.png", "bad")]);
    save(&folder, "open.png", picture(&["   ", "   ", "   "]));
    save(&folder, "closed.bmp", picture(&["  #", "###", "   "]));
    save(&folder, "wall.png", picture(&["#  "]));
    save(&folder, "wide.gif", picture(&["     "]));
    folder.write("huge.png", huge_png());
    fs::create_dir(folder.path("x")).unwrap();

    let run = folder.run("solve open.png closed.bmp wall.png wide.gif -o x/out.png");
    assert_eq!(run.status, 1, "{run:?}");
    for file in ["closed.bmp", "wall.png"] {
        assert!(run.errors.contains(&format!("{file}: there is no path")), "{run:?}");
    }
    assert_eq!(super::names(&folder.path("x")), ["out-1.png", "out-4.png"]);
    let solved = image::open(folder.path("x/out-1.png")).unwrap().to_rgb8();
    assert!((0..3).all(|k| *solved.get_pixel(k, k) == PATH));

    let run = folder.run("solve bad.png open.png closed.bmp none.png huge.png wide.gif -o x/s.PNG --json");
    assert_eq!(run.status, 2, "a bad file weighs more than no path");
    let rows = run.objects();
    let files: Vec<_> = rows.iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["open.png", "closed.bmp", "wide.gif"]);
    assert_eq!((&rows[0]["cost"], &rows[0]["steps"], &rows[0]["found"]), (&14.into(), &2.into(), &true.into()));
    assert_eq!((&rows[1]["cost"], &rows[1]["steps"], &rows[1]["found"]), (&Value::Null, &Value::Null, &false.into()));
    assert_eq!((&rows[2]["cost"], &rows[2]["closed"]), (&20.into(), &5.into()));
    assert!(rows[0]["grown"].as_u64() > Some(0) && rows[1]["grown"] == 0 && rows[2]["grown"] == 0);
    assert!(rows.iter().all(|row| row["micros"].is_u64()));
    assert_eq!(super::names(&folder.path("x")), ["out-1.png", "out-4.png", "s-2.PNG", "s-6.PNG"]);
    for says in ["bad.png: this is not a picture", "none.png: there is no such file", "60000 x 60000 pixels"] {
        assert!(run.errors.contains(says), "{run:?}");
    }
    assert!(!run.errors.contains('\x1b') && !run.errors.contains("panicked"), "no bar off a terminal");
}

#[test]
fn solve_writes_a_single_picture_to_a_file_or_standard_output() {
    let folder = Folder::new();
    save(&folder, "in.png", picture(&["  ", "  "]));
    let text = folder.run("solve in.png -o out").out;
    assert!(text.starts_with("in.png: cost 7, 1 step, 2 cells closed in ") && text.ends_with("; out\n"), "{text}");
    assert_eq!(folder.program("solve in.png -o -").output().unwrap().stdout, folder.bytes("out"));
    for (command, reason) in [
        ("solve in.png in.png -o -", "only one picture can be written to standard output"),
        ("solve in.png --json -o -", "cannot both be written to standard output"),
        ("solve in.png -o out.bmp", "so its name should end in .png"),
        ("solve in.png -o no/folder.png", "its folder does not exist"),
        ("solve in.png", "--output"),
        ("solve -o out.png", "<IN>"),
        ("solve . -o out.png", ".: this is "),
    ] {
        folder.refuses(command, reason);
    }
}

#[cfg(unix)]
#[test]
fn control_characters_in_the_names_of_pictures_are_escaped() {
    let folder = Folder::new();
    save(&folder, "\u{1b}[31ma.png", picture(&["  "]));
    save(&folder, "\u{1b}[31mb.png", picture(&["# "]));
    let run = folder.run("solve \u{1b}[31ma.png \u{1b}[31mb.png -o \u{7}.png");
    assert!(run.out.starts_with("\\u{1b}[31ma.png: cost 5, 1 step, 2 cells closed in "), "{run:?}");
    assert!(run.out.ends_with("; \\u{7}-1.png\n"), "{run:?}");
    let reason = "the top left pixel is a wall, and the border has 1 opening, not 2; use `--from X,Y --to X,Y`";
    assert_eq!(run.errors.lines().nth(1), Some(&*format!("\\u{{1b}}[31mb.png: there is no path: {reason}")));
    assert!(run.errors.chars().all(|char| char == '\n' || !char.is_control()), "{run:?}");
}

#[test]
fn ends_and_walls_of_a_maze_can_be_chosen() {
    let folder = Folder::new();
    let border = picture(&["# ###", "#   #", "### #"]);
    let mut chalk = border.clone();
    image::imageops::invert(&mut chalk);
    save(&folder, "border.png", border);
    save(&folder, "chalk.png", chalk);
    save(&folder, "closed.png", picture(&["#####", "#   #", "#####"]));
    let row = |reds: &[u8]| RgbImage::from_fn(reds.len() as u32, 1, |x, _| Rgb([reds[x as usize]; 3]));
    save(&folder, "white.png", row(&[255, 255, 255]));
    save(&folder, "grey.png", row(&[255, 34, 255]));
    save(&folder, "smooth.png", row(&[255, 120, 0, 120, 255]));
    let clear = image::RgbaImage::from_fn(3, 3, |x, y| image::Rgba([0, 0, 0, if (x, y) == (1, 1) { 255 } else { 0 }]));
    save(&folder, "clear.png", clear);
    // Viewers show the tall picture of a camera as a wide one.
    let wide = picture(&["   ", "#  "]);
    let stored = bytes(stored(&wide, 6), ImageFormat::Png);
    folder.write("photo.png", with_exif(&stored, &exif(6, true)));
    let corners = "closed.png: there is no path: the top left and the bottom right pixel are walls, and the border has 0 \
                   openings";
    for (arguments, status, out, error) in [
        (
            "border.png",
            0,
            "cost 14, 2 steps",
            "note: border.png: corners are walls, so the path leads from 1,0 to 3,2\n",
        ),
        ("border.png --from 1,1 --to 3,1", 0, "cost 10, 2 steps", ""),
        ("closed.png", 1, "", corners),
        ("closed.png --from 1,1 --to 3,1", 0, "cost 10", ""),
        ("closed.png --from 0,0 --to 3,1", 1, "", "closed.png: there is no path: the start 0,0 is a wall\n"),
        ("closed.png --from 9,1 --to 3,1", 2, "", "the start 9,1 is not in the picture, which has 5 x 3 pixels"),
        ("closed.png --from 1,1 --to -1,1", 2, "", "the goal -1,1 is not in the picture"),
        ("white.png", 0, "cost 10", "note: white.png: no pixel is a wall, because all have a red of 255"),
        ("grey.png", 0, "cost 10", "no pixel is a wall: the lowest red is 34, and a wall has 0; try `--threshold "),
        ("grey.png --threshold 34", 1, "", "grey.png: there is no path\n"),
        ("grey.png --threshold 255", 2, "", "the threshold is a whole number from 0 to 254"),
        ("clear.png", 0, "cost 17", ""),
        ("chalk.png", 1, "", "note: chalk.png: there would be a path if light pixels were walls; try `--invert`\n"),
        ("chalk.png --invert --from 1,0 --to 3,2", 0, "cost 14", ""),
        ("smooth.png --from 1,0 --to 0,0", 0, "cost 5", "note: smooth.png: 2 pixels (40.0 %) are grey, "),
        ("smooth.png --from 1,0 --to 0,0", 0, "cost 5", "so walls may have gaps; try `--threshold 187`\n"),
        ("smooth.png --threshold 128 --from 0,0 --to 0,0", 0, "cost 0", ""),
        ("photo.png --from 0,0 --to 2,1", 0, "cost 12", ""),
        ("photo.png --from 0,1 --to 2,1", 1, "", "the start 0,1 is a wall"),
    ] {
        let run = folder.run(&format!("solve -o out.png {arguments}"));
        assert_eq!(run.status, status, "{arguments}: {run:?}");
        assert!(run.out.contains(out) && run.errors.contains(error), "{arguments}: {run:?}");
        assert!(!error.is_empty() || run.errors.is_empty(), "{arguments}: {run:?}");
    }
}
