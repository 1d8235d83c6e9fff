//! The files that commands write: what happens to a file, a link or a device that is there already.

use std::fs;
use std::path::Path;

use super::{Folder, Run, names};

/// A picture without walls.
fn open_picture() -> image::RgbImage {
    image::RgbImage::from_pixel(3, 3, image::Rgb([255; 3]))
}

#[test]
fn maps_are_not_written_over_files_of_other_kinds() {
    let folder = Folder::with(&[("photo.png", "photo"), ("cave.txt", "WM H")]);
    for command in ["generate -o photo.png", "import cave.txt -o photo.png"] {
        folder.refuses(command, "photo.png: the output is a map, so its name should end in .ron");
    }
    assert_eq!(folder.text("photo.png"), "photo");
    for name in ["map", "MAP.RON"] {
        folder.run(&format!("generate --seed 1 -o {name}")).success();
        folder.run(&format!("import cave.txt -o {name}")).success();
    }
}

#[test]
fn a_path_with_a_slash_at_its_end_is_refused_as_that_of_a_folder() {
    let folder = Folder::with(&[("old.ron", "old")]);
    for path in ["new.ron/", "old.ron/", "no/new.ron/"] {
        let reason = format!("error: {path} cannot be written: a path that ends in a slash is a folder\n");
        folder.refuses(&format!("generate -o {path}"), &reason);
    }
    folder.refuses("generate -o old.ron/new.ron", "its folder is a file");
    assert_eq!(folder.text("old.ron"), "old");
}

#[test]
fn a_name_that_no_map_can_have_is_refused() {
    let folder = Folder::with(&[("cave.txt", "WM H")]);
    let long = "n".repeat(201);
    for (name, reason) in [
        ("a\u{1b}[31m", "--name: the name has the character '\\u{1b}': a name is one line"),
        ("a\nb", "--name: the name has the character '\\n': a name is one line"),
        ("\u{202e}a", "--name: the name has the character '\\u{202e}'"),
        (long.as_str(), "--name: the name has 201 characters: a name has at most 200"),
    ] {
        folder.refuses(&format!("generate -o a.ron --name '{name}'"), reason);
        folder.refuses(&format!("import cave.txt -o a.ron --name '{name}'"), reason);
    }
    folder.run(&format!("generate --seed 1 -o a.ron --name {}", &long[1..])).success();
}

#[test]
fn a_failed_export_leaves_no_pictures() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("a-tall.png")).unwrap();
    folder.refuses("export valley -o a.tmx", "a-tall.png cannot be written: it is a folder");
}

#[test]
fn names_can_be_as_long_as_the_file_system_allows() {
    let folder = Folder::new();
    let name = |length: usize| format!("{}.ron", "n".repeat(length - 4));
    for seed in [1, 2] {
        folder.run(&format!("generate --seed {seed} -o {}", name(255))).success();
    }
    assert_eq!(folder.names(), [name(255)]);
    #[cfg(unix)]
    folder.refuses(&format!("generate -o {}", name(256)), "its name is too long");
}

#[cfg(unix)]
mod unix {
    use std::fs::{File, Permissions};
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::{Command, Stdio};
    use std::thread;

    use super::*;
    use crate::support::random_player::RandomPlayer;
    use crate::support::{bundled, file};

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_permissions() {
        let folder = Folder::new();
        for set in [0o600, 0o640, 0o777] {
            folder.write("old.png", "old");
            set_mode(&folder.path("old.png"), set);
            folder.done("render figures/road -o old.png");
            let size = image::image_dimensions(folder.path("old.png")).unwrap();
            assert_eq!((mode(&folder.path("old.png")), size), (set, (630, 396)));
        }
        // A new file has the permissions of any new file.
        folder.write("any", "");
        folder.done("render figures/road -o new.png");
        assert_eq!(mode(&folder.path("new.png")), mode(&folder.path("any")));
    }

    /// Nobody waits for a map, or loses a recording, only to hear then that it cannot be written.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_must_not_change_is_refused_before_the_work() {
        let folder = Folder::new();
        // Root may write everywhere.
        let mut program = folder.as_nobody(&[], "import no-such-file.txt -o a.ron");
        set_mode(&folder.path(""), 0o555);
        let Run { errors, .. } = Run::of(program.output().unwrap());
        assert_eq!(errors, "error: a.ron cannot be written: you are not allowed to write there\n");
        set_mode(&folder.path(""), 0o755);
        assert_eq!(folder.names(), ["emberwalk"]);
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = Folder::with(&[("cave.txt", "WM H")]);
        open_picture().save(folder.path("open.png")).unwrap();
        for (name, command) in [
            ("a.png", "render valley -o a.png"),
            ("a.ron", "generate -o a.ron"),
            ("a.ron", "import cave.txt -o a.ron"),
            ("b-2.png", "solve open.png open.png -o b.png"),
            ("c.tmx", "export valley -o c.tmx"),
            ("d-tiles.png", "export valley -o d.tmx"),
        ] {
            folder.write(name, "old");
            set_mode(&folder.path(name), 0o444);
            let Run { status, errors, .. } = folder.run(command);
            let reason = format!("{name} cannot be written: it is read-only");
            assert!(status == 2 && errors.contains(&reason), "{command}: {errors}");
            assert_eq!((folder.text(name).as_str(), mode(&folder.path(name))), ("old", 0o444));
        }
        let left = ["a.png", "a.ron", "b-1.png", "b-2.png", "c.tmx", "cave.txt", "d-tiles.png", "open.png"];
        assert_eq!(folder.names(), left, "only the other picture of `solve` is new");
    }

    #[test]
    fn links_are_followed() {
        let folder = Folder::new();
        fs::create_dir(folder.path("maps")).unwrap();
        symlink("maps/new.ron", folder.path("link.ron")).unwrap();
        symlink(folder.path("link.ron"), folder.path("far.ron")).unwrap();
        for seed in ["1", "2"] {
            folder.run(&format!("generate --seed {seed} -o far.ron")).success();
            assert_eq!(names(&folder.path("maps")), ["new.ron"]);
            assert!(folder.text("link.ron").contains(&format!("--seed {seed}")));
        }
        for link in ["link.ron", "far.ron"] {
            assert!(fs::symlink_metadata(folder.path(link)).unwrap().is_symlink(), "{link}");
        }
        symlink("loop.ron", folder.path("loop.ron")).unwrap();
        symlink("no/folder.ron", folder.path("lost.ron")).unwrap();
        folder.refuses("generate -o loop.ron", "cannot be written");
        folder.refuses("generate -o lost.ron", "its folder does not exist");
        assert_eq!(folder.names(), ["far.ron", "link.ron", "loop.ron", "lost.ron", "maps"]);
    }

    #[test]
    fn no_command_overwrites_what_it_reads_however_that_is_named() {
        // Without extensions, so that no output is refused for its name.
        let folder = Folder::with(&[
            ("cave", "WM H"),
            ("orders", "0,4 3,4\n"),
            ("walk", &RandomPlayer::new(&bundled("figures/road"), 2).recording().to_ron()),
            ("arena", "type octile\nheight 1\nwidth 2\nmap\n..\n"),
            ("arena.scen", "version 1\n0\tarena\t2\t1\t0\t0\t1\t0\t1\n"),
        ]);
        fs::copy(file("maps/figures/road.ron"), folder.path("map")).unwrap();
        open_picture().save_with_format(folder.path("open"), image::ImageFormat::Png).unwrap();
        fs::create_dir_all(folder.path("art/tiles")).unwrap();
        for name in ["tileset.ron", "tiles/L0_CliffS.png"] {
            fs::copy(file("assets").join(name), folder.path("art").join(name)).unwrap();
        }
        let all = ["cave", "map", "orders", "walk", "arena", "arena.scen", "open"];
        let assets = ["art/tileset.ron", "art/tiles/L0_CliffS.png"];
        let contents = || all.iter().chain(&assets).map(|name| folder.bytes(name)).collect::<Vec<_>>();
        let before = contents();
        let refused = |command: &str, output: &str, stdin: Stdio, what: &str| {
            let run = folder.program(&format!("{command} {output}")).stdin(stdin).output().unwrap();
            let reason = format!("error: {output} {what}, and would be overwritten: choose another output\n");
            assert_eq!(Run::of(run), Run { status: 2, out: String::new(), errors: reason }, "{command}");
        };
        for name in all {
            symlink(name, folder.path(&format!("{name}-link"))).unwrap();
            fs::hard_link(folder.path(name), folder.path(&format!("{name}-hard"))).unwrap();
        }
        for (input, command) in [
            ("map", "render map -o"),
            ("map", "animate map --seconds 0.1 -o"),
            ("map", "route map --trace"),
            ("map", "crowd map --agents 1 --log"),
            ("orders", "crowd map --orders orders --log"),
            ("arena", "crowd arena arena.scen --log"),
            ("arena.scen", "crowd arena arena.scen --log"),
            ("map", "export map -o"),
            ("cave", "import cave -o"),
            ("open", "import cave --heights open -o"),
            ("open", "solve open -o"),
            ("walk", "replay walk -o"),
            ("walk", "replay walk --at 0 -o"),
        ] {
            for output in [input, &format!("art/../{input}"), &format!("{input}-link"), &format!("{input}-hard")] {
                refused(command, output, Stdio::null(), "is an input");
            }
            let stdin = File::open(folder.path(input)).unwrap();
            let piped = format!("{command} ").replace(&format!(" {input} "), " - ");
            refused(piped.trim_end(), input, stdin.into(), "is an input");
        }
        for name in assets {
            refused("route map --assets art --trace", name, Stdio::null(), "belongs to the tileset");
            refused("crowd map --assets art --log", name, Stdio::null(), "belongs to the tileset");
        }
        refused("import cave --assets art -o", assets[0], Stdio::null(), "belongs to the tileset");
        refused("render map --assets art -o", assets[1], Stdio::null(), "belongs to the tileset");
        assert!(before == contents());
        // Another file in that folder is an output as any other.
        for _ in 0..2 {
            folder.run("route map --assets art --trace art/trace.json").success();
        }
    }

    #[test]
    fn devices_are_written_to_and_get_no_neighbours() {
        let folder = Folder::with(&[("cave.txt", "WM H")]);
        open_picture().save(folder.path("open.png")).unwrap();
        let before = names(Path::new("/dev"));
        for command in [
            "render valley",
            "animate figures/road --seconds 0.1 --zoom 1/4",
            "generate --seed 1",
            "import cave.txt",
            "export valley",
            "solve open.png",
            "solve open.png open.png",
        ] {
            assert_eq!(folder.run(&format!("{command} -o /dev/null")).status, 0, "{command}");
            if Path::new("/dev/full").exists() {
                let reason = "/dev/full cannot be written: the disk is full";
                folder.refuses(&format!("{command} -o /dev/full"), reason);
            }
        }
        let new: Vec<_> = names(Path::new("/dev")).into_iter().filter(|name| !before.contains(name)).collect();
        assert!(!new.iter().any(|name| name.starts_with("null") || name.starts_with("full")), "{new:?}");
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert_eq!(folder.names(), ["cave.txt", "open.png"]);
    }

    #[test]
    fn a_full_disk_behind_standard_output_is_an_error() {
        let Ok(full) = File::options().write(true).open("/dev/full") else { return };
        for command in [
            "generate --seed 1 -o -",
            "route valley --json",
            "maps valley",
            "maps",
            "check valley",
            "completions zsh",
            "man",
            "--help",
            "-h",
            "help",
            "help route",
            "route --help",
            "--version",
        ] {
            let output = Folder::new().program(command).stdout(full.try_clone().unwrap()).output().unwrap();
            let reason = "error: the result cannot be written: the disk is full\n";
            assert_eq!(Run::of(output), Run { status: 2, out: String::new(), errors: reason.into() }, "{command}");
        }
    }

    #[test]
    fn a_named_pipe_is_written_to() {
        let folder = Folder::new();
        let path = folder.path("pipe");
        if !Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
            return;
        }
        let reader = thread::spawn({
            let path = path.clone();
            move || fs::read_to_string(path).unwrap()
        });
        folder.run("generate --seed 1 -o pipe").success();
        assert_eq!(reader.join().unwrap(), folder.run("generate --seed 1 -o -").success());
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }

    #[test]
    fn standard_output_by_its_path_is_not_replaced() {
        let folder = Folder::with(&[("log", "before\n")]);
        let log = File::options().append(true).open(folder.path("log")).unwrap();
        let output = folder.program("generate --seed 1 -o /dev/stdout").stdout(log).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = folder.text("log");
        assert!(text.starts_with("before\n") && text.contains("--seed 1"), "{text}");
    }
}
