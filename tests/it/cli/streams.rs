//! Standard input and output, closed pipes, colours, completions and manual pages.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::image_count;
use super::{program, run_with_input};
use crate::support::{bundled, file, tileset};

/// Runs the program in an empty folder, with `input` on its standard input.
fn run_with_stdin(args: &[&str], input: &[u8]) -> Output {
    run_with_input(tempfile::tempdir().unwrap().path(), args, input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_dash_is_standard_input() {
    let road = bundled("figures/road").to_ron();
    let route = run_with_stdin(&["route", "-", "--json"], road.as_bytes());
    let route: Value = serde_json::from_slice(&route.stdout).unwrap();
    assert_eq!((&route["map"], &route["to"].to_string()), (&"The road".into(), &"[8,5]".to_owned()));

    let checked = run_with_stdin(&["check", "-"], road.as_bytes());
    assert_eq!((text(&checked.stdout), checked.status.code()), ("-: ok, 10 x 10 cells\n", Some(0)));
    let bad = run_with_stdin(&["check", "-", "--json"], road.replace("GGGGG", "GGGgG").as_bytes());
    let row: Value = serde_json::from_str(text(&bad.stdout).lines().next().unwrap()).unwrap();
    assert_eq!((&row["file"], bad.status.code()), (&"<stdin>".into(), Some(2)));
    let twice = run_with_stdin(&["check", "-", "-"], road.as_bytes());
    assert_eq!(text(&twice.stdout).lines().count(), 2, "{twice:?}");
    assert!(text(&twice.stdout).contains("<stdin>: standard input has been read already"));

    let map = "type octile\nheight 2\nwidth 3\nmap\n...\n...\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.scen"), "version 1\n0 a.map 3 2 0 0 2 0 2\n").unwrap();
    let scen = folder.path().join("a.scen");
    let run = run_with_stdin(&["scenario", "-", scen.to_str().unwrap(), "--json"], map.as_bytes());
    assert!(text(&run.stdout).contains("\"found\":1"), "{run:?}");
}

#[test]
fn a_recording_is_not_written_to_standard_output() {
    for output in ["-", "/dev/stdout"] {
        let run = run_with_stdin(&["valley", "--record", output], b"");
        assert_eq!(run.status.code(), Some(2), "{run:?}");
        let says = "a recording needs a file; `./-` is a file that is called `-`";
        assert!(text(&run.stderr).contains(says) && run.stdout.is_empty(), "{run:?}");
    }
}

#[test]
fn standard_output_has_only_the_picture() {
    let output = run_with_stdin(&["render", "-", "--route", "-o", "-"], bundled("figures/road").to_ron().as_bytes());
    let picture = image::load_from_memory(&output.stdout).unwrap();
    assert_eq!((picture.width(), output.status.code(), text(&output.stderr)), (630, Some(0), ""));
}

#[test]
fn no_command_fails_when_its_output_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.ron"), bundled("valley").to_ron().replace('G', "x")).unwrap();
    fs::write(folder.path().join("a.map"), "type octile\nheight 1\nwidth 3\nmap\n...\n").unwrap();
    fs::write(folder.path().join("a.scen"), "0 a.map 3 1 0 0 2 0 2\n".repeat(3000)).unwrap();
    let with_wall = |x, y| image::Rgb([if (x, y) == (1, 1) { 0 } else { 255 }; 3]);
    image::RgbImage::from_fn(3, 3, with_wall).save(folder.path().join("a.png")).unwrap();
    for (args, status) in [
        (&["route", "valley"][..], 0),
        (&["route", "valley", "--json"], 0),
        (&["render", "valley", "-o", "-"], 0),
        (&["maps"], 0),
        (&["maps", "valley"], 0),
        (&["check", "valley"], 0),
        (&["check", "bad.ron", "--json"], 2),
        (&["maps", "--tileset"], 0),
        (&["import", "a.map", "-o", "-"], 0),
        (&["export", "valley", "-o", "valley.tmx"], 0),
        (&["generate", "--seed", "1", "-o", "-"], 0),
        (&["solve", "a.png", "-o", "-"], 0),
        (&["solve", "a.png", "a.png", "-o", "b.png", "--json"], 0),
        (&["scenario", "a.map", "a.scen", "--each", "--passes", "1"], 0),
        (&["--help"], 0),
        (&["route", "--help"], 0),
        (&["--version"], 0),
        (&["completions", "zsh"], 0),
        (&["man"], 0),
    ] {
        let mut child = program(folder.path(), args).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(status), ""), "{args:?}");
    }
    // The same with standard error closed too.
    fs::write(folder.path().join("L1_Terrain001.PNG"), "no picture").unwrap();
    for args in [&["route", "bad.ron", "--assets", "."][..], &["render", "valley", "--assets", ".", "-o", "-"]] {
        let mut child = program(folder.path(), args).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(2), "{args:?}");
    }
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.ron"), "(name: \"x\", base: [\"g\"], overlay: [\".\"])").unwrap();
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let output = program(folder.path(), args).envs(variables.iter().copied()).output().unwrap();
        let escapes = [output.stdout, output.stderr].map(|bytes| bytes.contains(&0x1b));
        escapes[0] || escapes[1]
    };
    for command in [
        &["check", "bad.ron"][..],
        &["route", "bad.ron"],
        &["--help"],
        &["route", "--help"],
        &["route", "--no-such"],
        &["route", "valley", "--assets", "."],
    ] {
        let with = |choice| [command, &["--color", choice]].concat();
        let before = |choice| [&["--color", choice], command].concat();
        assert!(!coloured(command, &[]), "{command:?}: no colours without a terminal");
        assert!(coloured(&with("always"), &[]) && coloured(&before("always"), &[]), "{command:?}");
        assert!(
            coloured(&with("always"), &[("NO_COLOR", "1")]),
            "{command:?}: the option takes precedence over the variable"
        );
        assert!(coloured(command, &[("CLICOLOR_FORCE", "1")]), "{command:?}");
        assert!(!coloured(&with("never"), &[("CLICOLOR_FORCE", "1")]), "{command:?}");
        assert!(!coloured(&with("auto"), &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), "{command:?}");
    }
    let output = program(folder.path(), &["--color", "pink", "maps"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("[possible values: auto, always, never]"));
}

#[test]
fn invisible_characters_in_a_name_are_escaped() {
    let name = format!("\u{200b}[31mred\u{feff}{}", "n".repeat(180));
    let map = format!("(name: \"{name}\", base: [\"G~G\"], overlay: [\"...\"])");
    for (args, status) in [
        (&["route", "-", "--from", "0,0", "--to", "0,0"][..], 0),
        (&["route", "-", "--from", "0,0", "--to", "2,0"], 1),
        (&["route", "-"], 2),
        (&["render", "-", "--route", "--from", "0,0", "--to", "2,0", "-o", "x.png"], 1),
    ] {
        let output = run_with_stdin(args, map.as_bytes());
        let all = [output.stdout, output.stderr].concat();
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        assert!(
            text(&all).contains("\\u{200b}[31mred\\u{feff}nnn") && !text(&all).contains(['\u{200b}', '\u{feff}']),
            "{args:?}"
        );
        assert!(!text(&all).contains(&"n".repeat(100)), "{args:?}: long names are shortened");
    }
}

#[test]
fn check_reports_errors_of_tilesets_and_their_images() {
    let folder = tempfile::tempdir().unwrap();
    let check = |args: &[&str]| {
        let output = program(folder.path(), &[&["check"], args].concat()).output().unwrap();
        assert!(!text(&output.stderr).contains("error"), "{output:?}");
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let own = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    fs::write(folder.path().join("tileset.ron"), &own).unwrap();
    let summary = format!("{} terrains, {} images", tileset().iter().count(), image_count());
    let good = (Some(0), format!("tileset.ron: ok, {summary}\n"));
    assert_eq!(check(&["tileset.ron"]), good);
    assert_eq!(check(&["--assets", "."]), (Some(0), format!(".: ok, {summary}\n")));

    fs::write(folder.path().join("other.ron"), own.replace("enter(3)", "enter(-3)")).unwrap();
    let (status, bad) = check(&["other.ron", "valley"]);
    assert!(status == Some(2) && bad.contains("a cost of -3") && bad.contains("[other.ron:"), "{bad}");
    assert!(bad.ends_with("valley: ok, 24 x 20 cells\n"), "{bad}");

    let mine = own.replace("L1_Terrain010\"", "L1_Dune\"").replace("L2_Tombstone01\"", "L2_Urn\"");
    fs::write(folder.path().join("tileset.ron"), mine).unwrap();
    fs::write(folder.path().join("L1_Terrain035.png"), "no picture").unwrap();
    image::RgbaImage::new(54, 55).save(folder.path().join("L1_Water01.png")).unwrap();
    for args in [&["tileset.ron"][..], &["--assets", "."], &["valley", "--assets", "."]] {
        let (status, bad) = check(args);
        assert_eq!(status, Some(2), "{args:?}");
        for says in [
            "there is no image L1_Dune.png",
            "there is no image L2_Urn.png",
            "L1_Terrain035.png cannot be read as a PNG",
            "L1_Water01.png has 54 x 55 pixels, but a tile has 54 x 54",
        ] {
            assert!(bad.contains(says), "{args:?}: {says}\n{bad}");
        }
    }
    fs::write(folder.path().join("tileset.ron"), "(").unwrap();
    let (status, bad) = check(&["valley", "--assets", "."]);
    assert!(status == Some(2) && bad.ends_with("valley: not checked, because the tileset has errors\n"), "{bad}");
}

#[test]
fn a_misspelt_bundled_map_gets_a_suggestion() {
    let output = run_with_stdin(&["route", "vally"], b"");
    assert!(text(&output.stderr).contains("did you mean `valley`?"), "{output:?}");
}

#[test]
fn help_lists_every_command() {
    let help = run_with_stdin(&["--help"], b"").stdout;
    for command in ["route", "check", "scenario", "completions", "man"] {
        assert!(text(&help).lines().any(|line| line.starts_with(&format!("  {command} "))), "{}", text(&help));
    }
}

#[test]
fn completions_cover_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run_with_stdin(&["completions", shell], b"").stdout;
        for word in ["route", "render", "check", "corners", "erupting"] {
            assert!(text(&script).contains(word), "{shell}: {word}");
        }
    }
    // If there is a bash, it must accept its script.
    let Ok(mut bash) = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() else { return };
    bash.stdin.take().unwrap().write_all(&run_with_stdin(&["completions", "bash"], b"").stdout).unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let page = run_with_stdin(&["man"], b"").stdout;
    assert!(text(&page).contains(".TH emberwalk 1") && text(&page).contains("emberwalk\\-route(1)"), "{}", text(&page));
    let page = run_with_stdin(&["man", "route"], b"").stdout;
    assert!(text(&page).contains(".TH emberwalk-route 1") && text(&page).contains("\\-\\-corners"), "{}", text(&page));
    let version = concat!("\"Emberwalk ", env!("CARGO_PKG_VERSION"), "\"");
    assert!(text(&page).contains(version), "{}", text(&page));
    assert!(text(&page).contains("[\\-\\-moves 8|4|6] [\\-\\-corners never|one|always]"), "{}", text(&page));
    assert_eq!(run_with_stdin(&["man", "no-such"], b"").status.code(), Some(2));
    let folder = tempfile::tempdir().unwrap();
    let output = program(folder.path(), &["man", "--dir", "man1"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    for name in ["emberwalk.1", "emberwalk-route.1", "emberwalk-check.1"] {
        assert!(folder.path().join("man1").join(name).is_file(), "{name}");
    }
    let output = program(folder.path(), &["man", "--dir", "man1/emberwalk.1"]).output().unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(2), "error: man1/emberwalk.1 is a file, not a folder\n")
    );
    let output = program(folder.path(), &["man", "--dir", "man1/emberwalk.1/man"]).output().unwrap();
    assert!(text(&output.stderr).ends_with("cannot be written: its folder is a file\n"), "{output:?}");
}
