//! `emberwalk solve`: the files that it writes, its reports, and what it refuses.

use std::fs;
use std::process::Output;

use image::ImageFormat;
use serde_json::Value;

use super::run_in;
use crate::support::mazes::{PATH, bytes, huge_png, picture};
use crate::support::photographs::{exif, stored, with_exif};

fn rows(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn solve_numbers_its_pictures_and_continues_after_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("open.png"), bytes(picture(&["   ", "   ", "   "]), ImageFormat::Png)).unwrap();
    fs::write(path("closed.bmp"), bytes(picture(&["  #", "###", "   "]), ImageFormat::Bmp)).unwrap();
    fs::write(path("wall.png"), bytes(picture(&["#  "]), ImageFormat::Png)).unwrap();
    fs::write(path("bad.png"), b"bad").unwrap();
    fs::write(path("huge.png"), huge_png()).unwrap();
    fs::write(path("wide.gif"), bytes(picture(&["     "]), ImageFormat::Gif)).unwrap();

    let output = run_in(folder.path(), &["solve", "open.png", "closed.bmp", "wall.png", "wide.gif", "-o", "out.png"]);
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("closed.bmp: there is no path") && errors.contains("wall.png: there is no path"));
    let there = ["out-1.png", "out-2.png", "out-3.png", "out-4.png", "out.png"].map(|name| path(name).exists());
    assert_eq!(there, [true, false, false, true, false]);
    let solved = image::open(path("out-1.png")).unwrap().to_rgb8();
    assert!((0..3).all(|k| *solved.get_pixel(k, k) == PATH));

    let args =
        ["solve", "bad.png", "open.png", "closed.bmp", "none.png", "huge.png", "wide.gif", "-o", "x/s.PNG", "--json"];
    fs::create_dir(path("x")).unwrap();
    let output = run_in(folder.path(), &args);
    assert_eq!(output.status.code(), Some(2), "a bad file weighs more than no path");
    let rows = rows(&output);
    let files: Vec<_> = rows.iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["open.png", "closed.bmp", "wide.gif"]);
    assert_eq!((&rows[0]["cost"], &rows[0]["steps"], &rows[0]["found"]), (&14.into(), &2.into(), &true.into()));
    assert_eq!((&rows[1]["cost"], &rows[1]["steps"], &rows[1]["found"]), (&Value::Null, &Value::Null, &false.into()));
    assert_eq!((&rows[2]["cost"], &rows[2]["closed"]), (&20.into(), &5.into()));
    assert!(rows[0]["grown"].as_u64() > Some(0) && rows[1]["grown"] == 0 && rows[2]["grown"] == 0);
    assert!(rows.iter().all(|row| row["micros"].is_u64()));
    let there =
        ["x/s-1.PNG", "x/s-2.PNG", "x/s-3.PNG", "x/s-4.PNG", "x/s-5.PNG", "x/s-6.PNG"].map(|n| path(n).exists());
    assert_eq!(there, [false, true, false, false, false, true]);
    let errors = String::from_utf8(output.stderr).unwrap();
    for says in ["bad.png: this is not a picture", "none.png: there is no such file", "60000 x 60000 pixels"] {
        assert!(errors.contains(says), "{errors}");
    }
    assert!(!errors.contains('\x1b') && !errors.contains("panicked"), "no bar off a terminal");
}

#[test]
fn solve_writes_a_single_picture_to_a_file_or_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.png"), bytes(picture(&["  ", "  "]), ImageFormat::Png)).unwrap();
    let output = run_in(folder.path(), &["solve", "in.png", "-o", "out"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("in.png: cost 7, 1 step, 2 cells closed in ") && text.ends_with("; out\n"), "{text}");
    let file = fs::read(folder.path().join("out")).unwrap();
    let output = run_in(folder.path(), &["solve", "in.png", "-o", "-"]);
    assert_eq!(output.stdout, file);
    for args in [
        &["solve", "in.png", "in.png", "-o", "-"][..],
        &["solve", "in.png", "--json", "-o", "-"],
        &["solve", "in.png", "-o", "out.bmp"],
        &["solve", "in.png", "-o", "no/folder.png"],
        &["solve", "in.png"],
        &["solve", "-o", "out.png"],
        &["solve", ".", "-o", "out.png"],
    ] {
        let output = run_in(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    let help = run_in(folder.path(), &["solve", "--help"]);
    assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:\n  emberwalk solve maze.png -o solved.png"));
}

#[cfg(unix)]
#[test]
fn control_characters_in_the_names_of_pictures_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, rows: &[&str]| fs::write(folder.path().join(name), bytes(picture(rows), ImageFormat::Png));
    write("\u{1b}[31ma.png", &["  "]).unwrap();
    write("\u{1b}[31mb.png", &["# "]).unwrap();
    let output = run_in(folder.path(), &["solve", "\u{1b}[31ma.png", "\u{1b}[31mb.png", "-o", "\u{7}.png"]);
    let [out, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(out.starts_with("\\u{1b}[31ma.png: cost 5, 1 step, 2 cells closed in "), "{out:?}");
    assert!(out.ends_with("; \\u{7}-1.png\n"), "{out:?}");
    let reason = "the top left pixel is a wall, and the border has 1 opening, not 2; use `--from X,Y --to X,Y`";
    assert_eq!(errors.lines().nth(1), Some(&*format!("\\u{{1b}}[31mb.png: there is no path: {reason}")));
    assert!(errors.chars().all(|char| char == '\n' || !char.is_control()), "{errors:?}");
}

#[test]
fn ends_and_walls_of_a_maze_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, rows: &[&str]| {
        fs::write(folder.path().join(name), bytes(picture(rows), ImageFormat::Png)).unwrap();
    };
    write("border.png", &["# ###", "#   #", "### #"]);
    write("closed.png", &["#####", "#   #", "#####"]);
    let grey = image::RgbImage::from_fn(3, 1, |x, _| image::Rgb([if x == 1 { 34 } else { 255 }; 3]));
    let white = image::RgbImage::from_pixel(3, 1, image::Rgb([255; 3]));
    fs::write(folder.path().join("white.png"), bytes(white, ImageFormat::Png)).unwrap();
    fs::write(folder.path().join("grey.png"), bytes(grey, ImageFormat::Png)).unwrap();
    let clear = image::RgbaImage::from_fn(3, 3, |x, y| image::Rgba([0, 0, 0, if (x, y) == (1, 1) { 255 } else { 0 }]));
    fs::write(folder.path().join("clear.png"), bytes(clear, ImageFormat::Png)).unwrap();
    let mut chalk = picture(&["# ###", "#   #", "### #"]);
    image::imageops::invert(&mut chalk);
    fs::write(folder.path().join("chalk.png"), bytes(chalk, ImageFormat::Png)).unwrap();
    let smooth = image::RgbImage::from_fn(5, 1, |x, _| image::Rgb([[255, 120, 0, 120, 255][x as usize]; 3]));
    fs::write(folder.path().join("smooth.png"), bytes(smooth, ImageFormat::Png)).unwrap();
    // Viewers show the tall picture of a camera as a wide one.
    let wide = picture(&["   ", "#  "]);
    let stored = bytes(stored(&wide, 6), ImageFormat::Png);
    fs::write(folder.path().join("photo.png"), with_exif(&stored, &exif(6, true))).unwrap();
    for (args, status, out, error) in [
        (
            &["border.png"][..],
            0,
            "cost 14, 2 steps",
            "note: border.png: corners are walls, so the path leads from 1,0 to 3,2\n",
        ),
        (&["border.png", "--from", "1,1", "--to", "3,1"], 0, "cost 10, 2 steps", ""),
        (
            &["closed.png"],
            1,
            "",
            "closed.png: there is no path: the top left and the bottom right pixel are walls, and the border has 0 openings",
        ),
        (&["closed.png", "--from", "1,1", "--to", "3,1"], 0, "cost 10", ""),
        (
            &["closed.png", "--from", "0,0", "--to", "3,1"],
            1,
            "",
            "closed.png: there is no path: the start 0,0 is a wall\n",
        ),
        (
            &["closed.png", "--from", "9,1", "--to", "3,1"],
            2,
            "",
            "the start 9,1 is not in the picture, which has 5 x 3 pixels",
        ),
        (&["closed.png", "--from", "1,1", "--to", "-1,1"], 2, "", "the goal -1,1 is not in the picture"),
        (&["white.png"], 0, "cost 10", "note: white.png: no pixel is a wall, because all have a red of 255"),
        (&["grey.png"], 0, "cost 10", "no pixel is a wall: the lowest red is 34, and a wall has 0; try `--threshold "),
        (&["grey.png", "--threshold", "34"], 1, "", "grey.png: there is no path\n"),
        (&["grey.png", "--threshold", "255"], 2, "", "the threshold is a whole number from 0 to 254"),
        (&["clear.png"], 0, "cost 17", ""),
        (&["chalk.png"], 1, "", "note: chalk.png: there would be a path if light pixels were walls; try `--invert`\n"),
        (&["chalk.png", "--invert", "--from", "1,0", "--to", "3,2"], 0, "cost 14", ""),
        (
            &["smooth.png", "--from", "1,0", "--to", "0,0"],
            0,
            "cost 5",
            "note: smooth.png: 2 pixels (40.0 %) are grey, ",
        ),
        (
            &["smooth.png", "--from", "1,0", "--to", "0,0"],
            0,
            "cost 5",
            "so walls may have gaps; try `--threshold 187`\n",
        ),
        (&["smooth.png", "--threshold", "128", "--from", "0,0", "--to", "0,0"], 0, "cost 0", ""),
        (&["photo.png", "--from", "0,0", "--to", "2,1"], 0, "cost 12", ""),
        (&["photo.png", "--from", "0,1", "--to", "2,1"], 1, "", "the start 0,1 is a wall"),
    ] {
        let output = run_in(folder.path(), &[&["solve", "-o", "out.png"], args].concat());
        let [written, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(status), "{args:?}: {written}{errors}");
        assert!(written.contains(out) && errors.contains(error), "{args:?}: {written}{errors}");
        assert!(!error.is_empty() || errors.is_empty(), "{args:?}: {errors}");
    }
}
