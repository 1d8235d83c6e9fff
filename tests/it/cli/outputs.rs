//! The files that commands write: what happens to a file, a link or a device that is there already.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::run_in;

/// Runs a command that must succeed.
fn done(folder: &Path, args: &[&str]) {
    let output = run_in(folder, args);
    assert!(output.status.success(), "{args:?}: {output:?}");
}

/// The standard error of a command that must fail.
fn refusal(folder: &Path, args: &[&str]) -> String {
    told(args, run_in(folder, args))
}

fn told(args: &[&str], output: Output) -> String {
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
    told
}

/// The sorted names of everything in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn maps_are_not_written_over_files_of_other_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("photo.png"), b"photo").unwrap();
    fs::write(folder.join("cave.txt"), b"WM H").unwrap();
    for args in [&["generate", "-o", "photo.png"][..], &["import", "cave.txt", "-o", "photo.png"]] {
        let told = refusal(folder, args);
        assert!(told.contains("photo.png: the output is a map, so its name should end in .ron"), "{told}");
    }
    assert_eq!(fs::read(folder.join("photo.png")).unwrap(), b"photo");
    for name in ["map", "MAP.RON"] {
        done(folder, &["generate", "--seed", "1", "-o", name]);
        done(folder, &["import", "cave.txt", "-o", name]);
    }
}

#[test]
fn a_path_with_a_slash_at_its_end_is_refused_as_that_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.ron"), "old").unwrap();
    for path in ["new.ron/", "old.ron/", "no/new.ron/"] {
        let told = refusal(folder.path(), &["generate", "-o", path]);
        assert_eq!(told, format!("error: {path} cannot be written: a path that ends in a slash is a folder\n"));
    }
    assert!(refusal(folder.path(), &["generate", "-o", "old.ron/new.ron"]).contains("its folder is a file"));
    assert_eq!(
        (names(folder.path()), fs::read(folder.path().join("old.ron")).unwrap()),
        (vec!["old.ron".into()], b"old".to_vec())
    );
}

#[test]
fn a_name_that_no_map_can_have_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cave.txt"), "WM H").unwrap();
    let long = "n".repeat(201);
    for (name, says) in [
        ("a\u{1b}[31m", "--name: the name has the character '\\u{1b}': a name is one line"),
        ("a\nb", "--name: the name has the character '\\n': a name is one line"),
        ("\u{202e}a", "--name: the name has the character '\\u{202e}'"),
        (long.as_str(), "--name: the name has 201 characters: a name has at most 200"),
    ] {
        for args in [&["generate"][..], &["import", "cave.txt"]] {
            let told = refusal(folder.path(), &[args, &["-o", "a.ron", "--name", name]].concat());
            assert!(told.contains(says) && !told.contains(['\u{1b}', '\u{202e}']), "{told}");
        }
    }
    assert_eq!(names(folder.path()), ["cave.txt"]);
    done(folder.path(), &["generate", "-o", "a.ron", "--name", &long[1..]]);
}

#[test]
fn a_failed_export_leaves_no_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("a-tall.png")).unwrap();
    let told = refusal(folder, &["export", "valley", "-o", "a.tmx"]);
    assert!(told.contains("a-tall.png cannot be written: it is a folder"), "{told}");
    assert_eq!(names(folder), ["a-tall.png"]);
}

#[test]
fn names_can_be_as_long_as_the_file_system_allows() {
    let folder = tempfile::tempdir().unwrap();
    let name = |length: usize| format!("{}.ron", "n".repeat(length - 4));
    done(folder.path(), &["generate", "--seed", "1", "-o", &name(255)]);
    done(folder.path(), &["generate", "--seed", "2", "-o", &name(255)]);
    assert_eq!(names(folder.path()), [name(255)]);
    #[cfg(unix)]
    assert!(refusal(folder.path(), &["generate", "-o", &name(256)]).contains("its name is too long"));
}

#[cfg(unix)]
mod unix {
    use std::fs::{File, Permissions};
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::{Command, Stdio};
    use std::thread;

    use super::*;
    use crate::cli::program;
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
        let folder = tempfile::tempdir().unwrap();
        for set in [0o600, 0o640, 0o777] {
            let path = folder.path().join(format!("{set:o}.png"));
            fs::write(&path, "old").unwrap();
            set_mode(&path, set);
            done(folder.path(), &["render", "figures/road", "-o", path.to_str().unwrap()]);
            assert_eq!((mode(&path), image::image_dimensions(&path).unwrap()), (set, (630, 396)));
        }
        // A new file has the permissions of any new file.
        File::create(folder.path().join("any")).unwrap();
        done(folder.path(), &["render", "figures/road", "-o", "new.png"]);
        assert_eq!(mode(&folder.path().join("new.png")), mode(&folder.path().join("any")));
    }

    /// Nobody waits for a map, or loses a recording, only to hear then that it cannot be written.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_must_not_change_is_refused_before_the_work() {
        use std::os::unix::fs::MetadataExt;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("emberwalk");
        fs::copy(env!("CARGO_BIN_EXE_emberwalk"), &program).unwrap();
        set_mode(folder.path(), 0o555);
        // Root may write everywhere, so another user runs a copy of the program that it can reach.
        let is_root = fs::metadata(&program).unwrap().uid() == 0;
        let as_nobody: &[&str] = if is_root { &["setpriv", "--reuid=65534", "--clear-groups"] } else { &[] };
        let args = ["import", "no-such-file.txt", "-o", "a.ron"];
        let words = [as_nobody, &[program.to_str().unwrap()], &args].concat();
        let output = Command::new(words[0]).args(&words[1..]).current_dir(&folder).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told, "error: a.ron cannot be written: you are not allowed to write there\n");
        set_mode(folder.path(), 0o755);
        assert_eq!(names(folder.path()), ["emberwalk"]);
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("cave.txt"), b"WM H").unwrap();
        image::RgbImage::from_pixel(3, 3, image::Rgb([255; 3])).save(folder.join("open.png")).unwrap();
        for (name, args) in [
            ("a.png", &["render", "valley", "-o", "a.png"][..]),
            ("a.ron", &["generate", "-o", "a.ron"]),
            ("a.ron", &["import", "cave.txt", "-o", "a.ron"]),
            ("b-2.png", &["solve", "open.png", "open.png", "-o", "b.png"]),
            ("c.tmx", &["export", "valley", "-o", "c.tmx"]),
            ("d-tiles.png", &["export", "valley", "-o", "d.tmx"]),
        ] {
            fs::write(folder.join(name), "old").unwrap();
            set_mode(&folder.join(name), 0o444);
            let told = refusal(folder, args);
            assert!(told.contains(&format!("{name} cannot be written: it is read-only")), "{args:?}: {told}");
            assert_eq!((fs::read(folder.join(name)).unwrap(), mode(&folder.join(name))), (b"old".to_vec(), 0o444));
        }
        assert_eq!(
            names(folder),
            ["a.png", "a.ron", "b-1.png", "b-2.png", "c.tmx", "cave.txt", "d-tiles.png", "open.png"],
            "only the other picture of `solve` is new"
        );
    }

    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join("maps")).unwrap();
        symlink("maps/new.ron", folder.join("link.ron")).unwrap();
        symlink(folder.join("link.ron"), folder.join("far.ron")).unwrap();
        for seed in ["1", "2"] {
            done(folder, &["generate", "--seed", seed, "-o", "far.ron"]);
            assert_eq!(names(&folder.join("maps")), ["new.ron"]);
            assert!(fs::read_to_string(folder.join("link.ron")).unwrap().contains(&format!("--seed {seed}")));
        }
        for link in ["link.ron", "far.ron"] {
            assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink(), "{link}");
        }
        symlink("loop.ron", folder.join("loop.ron")).unwrap();
        symlink("no/folder.ron", folder.join("lost.ron")).unwrap();
        assert!(refusal(folder, &["generate", "-o", "loop.ron"]).contains("cannot be written"));
        assert!(refusal(folder, &["generate", "-o", "lost.ron"]).contains("its folder does not exist"));
        assert_eq!(names(folder), ["far.ron", "link.ron", "loop.ron", "lost.ron", "maps"]);
    }

    #[test]
    fn no_command_overwrites_what_it_reads_however_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        // Without extensions, so that no output is refused for its name.
        fs::write(folder.join("cave"), b"WM H").unwrap();
        fs::copy(file("maps/figures/road.ron"), folder.join("map")).unwrap();
        fs::write(folder.join("orders"), "0,4 3,4\n").unwrap();
        fs::write(folder.join("walk"), RandomPlayer::new(&bundled("figures/road"), 2).recording().to_ron()).unwrap();
        fs::write(folder.join("arena"), "type octile\nheight 1\nwidth 2\nmap\n..\n").unwrap();
        fs::write(folder.join("arena.scen"), "version 1\n0\tarena\t2\t1\t0\t0\t1\t0\t1\n").unwrap();
        image::RgbImage::from_pixel(3, 3, image::Rgb([255; 3])).save(folder.join("open.png")).unwrap();
        fs::copy(folder.join("open.png"), folder.join("open")).unwrap();
        fs::create_dir_all(folder.join("art/tiles")).unwrap();
        for name in ["tileset.ron", "tiles/L0_CliffS.png"] {
            fs::copy(file("assets").join(name), folder.join("art").join(name)).unwrap();
        }
        let all = ["cave", "map", "orders", "walk", "arena", "arena.scen", "open"];
        let assets = ["art/tileset.ron", "art/tiles/L0_CliffS.png"];
        let before: Vec<_> = all.iter().chain(&assets).map(|name| read(name)).collect();
        let refused = |args: &[&str], stdin: Stdio, what: &str| {
            let told = told(args, program(folder, args).stdin(stdin).output().unwrap());
            let output = args[args.len() - 1];
            assert_eq!(told, format!("error: {output} {what}, and would be overwritten: choose another output\n"));
        };
        for name in all {
            symlink(name, folder.join(format!("{name}-link"))).unwrap();
            fs::hard_link(folder.join(name), folder.join(format!("{name}-hard"))).unwrap();
        }
        for (input, args) in [
            ("map", &["render", "map", "-o"][..]),
            ("map", &["animate", "map", "--seconds", "0.1", "-o"]),
            ("map", &["route", "map", "--trace"]),
            ("map", &["crowd", "map", "--agents", "1", "--log"]),
            ("orders", &["crowd", "map", "--orders", "orders", "--log"]),
            ("arena", &["crowd", "arena", "arena.scen", "--log"]),
            ("arena.scen", &["crowd", "arena", "arena.scen", "--log"]),
            ("map", &["export", "map", "-o"]),
            ("cave", &["import", "cave", "-o"]),
            ("open", &["import", "cave", "--heights", "open", "-o"]),
            ("open", &["solve", "open", "-o"]),
            ("walk", &["replay", "walk", "-o"]),
            ("walk", &["replay", "walk", "--at", "0", "-o"]),
        ] {
            for output in
                [input.to_owned(), format!("art/../{input}"), format!("{input}-link"), format!("{input}-hard")]
            {
                refused(&[args, &[output.as_str()]].concat(), Stdio::null(), "is an input");
            }
            let args: Vec<_> = args.iter().map(|arg| if *arg == input { "-" } else { *arg }).collect();
            if args.contains(&"-") {
                let stdin = File::open(folder.join(input)).unwrap();
                refused(&[&args[..], &[input]].concat(), stdin.into(), "is an input");
            }
        }
        for args in [&["route", "map", "--assets", "art", "--trace"][..], &["crowd", "map", "--assets", "art", "--log"]]
        {
            for name in assets {
                refused(&[args, &[name]].concat(), Stdio::null(), "belongs to the tileset");
            }
        }
        refused(&["import", "cave", "--assets", "art", "-o", assets[0]], Stdio::null(), "belongs to the tileset");
        refused(&["render", "map", "--assets", "art", "-o", assets[1]], Stdio::null(), "belongs to the tileset");
        let after: Vec<_> = all.iter().chain(&assets).map(|name| read(name)).collect();
        assert!(before == after);
        // Another file in that folder is an output as any other.
        for _ in 0..2 {
            done(folder, &["route", "map", "--assets", "art", "--trace", "art/trace.json"]);
        }
    }

    #[test]
    fn devices_are_written_to_and_get_no_neighbours() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cave.txt"), b"WM H").unwrap();
        image::RgbImage::from_pixel(3, 3, image::Rgb([255; 3])).save(folder.path().join("open.png")).unwrap();
        let before = names(Path::new("/dev"));
        for args in [
            &["render", "valley"][..],
            &["animate", "figures/road", "--seconds", "0.1", "--zoom", "1/4"],
            &["generate", "--seed", "1"],
            &["import", "cave.txt"],
            &["export", "valley"],
            &["solve", "open.png"],
            &["solve", "open.png", "open.png"],
        ] {
            done(folder.path(), &[args, &["-o", "/dev/null"]].concat());
            if Path::new("/dev/full").exists() {
                let told = refusal(folder.path(), &[args, &["-o", "/dev/full"]].concat());
                assert!(told.contains("/dev/full cannot be written: the disk is full"), "{args:?}: {told}");
            }
        }
        let new: Vec<_> = names(Path::new("/dev")).into_iter().filter(|name| !before.contains(name)).collect();
        assert!(!new.iter().any(|name| name.starts_with("null") || name.starts_with("full")), "{new:?}");
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert_eq!(names(folder.path()), ["cave.txt", "open.png"]);
    }

    #[test]
    fn a_full_disk_behind_standard_output_is_an_error() {
        let Ok(full) = File::options().write(true).open("/dev/full") else { return };
        let folder = tempfile::tempdir().unwrap();
        for args in [
            &["generate", "--seed", "1", "-o", "-"][..],
            &["route", "valley", "--json"],
            &["maps", "valley"],
            &["maps"],
            &["check", "valley"],
            &["completions", "zsh"],
            &["man"],
            &["--help"],
            &["-h"],
            &["help"],
            &["help", "route"],
            &["route", "--help"],
            &["--version"],
        ] {
            let output = program(folder.path(), args).stdout(full.try_clone().unwrap()).output().unwrap();
            let told = told(args, output);
            assert_eq!(told, "error: the result cannot be written: the disk is full\n");
        }
    }

    #[test]
    fn a_named_pipe_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        if !Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
            return;
        }
        let reader = thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        done(folder.path(), &["generate", "--seed", "1", "-o", "pipe"]);
        let written = reader.join().unwrap();
        assert_eq!(written, run_in(folder.path(), &["generate", "--seed", "1", "-o", "-"]).stdout);
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }

    #[test]
    fn standard_output_by_its_path_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = File::create_new(folder.path().join("log")).unwrap();
        std::io::Write::write_all(&mut file, b"before\n").unwrap();
        let args = ["generate", "--seed", "1", "-o", "/dev/stdout"];
        let output = program(folder.path(), &args).stdout(file).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(text.starts_with("before\n") && text.contains("--seed 1"), "{text}");
    }
}
