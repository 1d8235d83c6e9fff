//! Standard input and output, closed pipes, colours, completions and manual pages.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::json;

use super::{Folder, Run, image_count, run, run_with};
use crate::support::{bundled, file, tileset};

#[test]
fn a_dash_is_standard_input() {
    let road = bundled("figures/road").to_ron();
    let route = run_with("route - --json", &road).json();
    assert_eq!((&route["map"], &route["to"]), (&json!("The road"), &json!([8, 5])));
    assert_eq!(run_with("check -", &road).success(), "-: ok, 10 x 10 cells\n");
    let bad = run_with("check - --json", road.replace("GGGGG", "GGGgG"));
    assert_eq!((&bad.objects()[0]["file"], bad.status), (&json!("<stdin>"), 2));
    let Run { out, .. } = run_with("check - -", &road);
    assert!(out.lines().count() == 2 && out.contains("<stdin>: standard input has been read already"), "{out}");
    let folder = Folder::with(&[("a.scen", "version 1\n0 a.map 3 2 0 0 2 0 2\n")]);
    let run = folder.run_with("scenario - a.scen --json", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    assert_eq!(run.json()["found"], 1);
}

#[test]
fn standard_output_has_only_the_picture() {
    let output = Folder::new().output_with("render - --route -o -", bundled("figures/road").to_ron());
    let picture = image::load_from_memory(&output.stdout).unwrap();
    assert_eq!((picture.width(), output.status.code(), &output.stderr[..]), (630, Some(0), &[][..]));
}

#[test]
fn no_command_fails_when_its_output_is_closed() {
    let folder = Folder::with(&[
        // The report is too long for the buffer of a pipe.
        ("bad.ron", &bundled("valley").to_ron().replace('G', "x")),
        ("a.map", "type octile\nheight 1\nwidth 3\nmap\n...\n"),
        ("a.scen", &"0 a.map 3 1 0 0 2 0 2\n".repeat(3000)),
    ]);
    let with_wall = |x, y| image::Rgb([if (x, y) == (1, 1) { 0 } else { 255 }; 3]);
    image::RgbImage::from_fn(3, 3, with_wall).save(folder.path("a.png")).unwrap();
    for (command, status) in [
        ("route valley", 0),
        ("route valley --json", 0),
        ("render valley -o -", 0),
        ("maps", 0),
        ("maps valley", 0),
        ("check valley", 0),
        ("check bad.ron", 2),
        ("check bad.ron --json", 2),
        ("maps --tileset", 0),
        ("import a.map -o -", 0),
        ("export valley -o valley.tmx", 0),
        ("generate --seed 1 -o -", 0),
        ("solve a.png -o -", 0),
        ("solve a.png a.png -o b.png --json", 0),
        ("scenario a.map a.scen --each --passes 1", 0),
        ("--help", 0),
        ("route --help", 0),
        ("--version", 0),
        ("completions zsh", 0),
        ("man", 0),
    ] {
        let mut child = folder.program(command).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.status, run.errors.as_str()), (status, ""), "{command}");
    }
    // The same with standard error closed too.
    folder.write("L1_Terrain001.PNG", "no picture");
    for command in ["route bad.ron --assets .", "render valley --assets . -o -"] {
        let mut child = folder.program(command).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(2), "{command}");
    }
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let folder = Folder::with(&[("bad.ron", r#"(name: "x", base: ["g"], overlay: ["."])"#)]);
    let coloured = |command: &str, variables: &[(&str, &str)]| {
        let run = Run::of(folder.program(command).envs(variables.iter().copied()).output().unwrap());
        run.out.contains('\x1b') || run.errors.contains('\x1b')
    };
    for command in
        ["check bad.ron", "route bad.ron", "--help", "route --help", "route --no-such", "route valley --assets ."]
    {
        let with = |choice| format!("{command} --color {choice}");
        assert!(!coloured(command, &[]), "{command}: no colours without a terminal");
        assert!(coloured(&with("always"), &[]) && coloured(&format!("--color always {command}"), &[]), "{command}");
        let precedes = "the option takes precedence over the variable";
        assert!(coloured(&with("always"), &[("NO_COLOR", "1")]), "{command}: {precedes}");
        assert!(coloured(command, &[("CLICOLOR_FORCE", "1")]), "{command}");
        assert!(!coloured(&with("never"), &[("CLICOLOR_FORCE", "1")]), "{command}");
        assert!(!coloured(&with("auto"), &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), "{command}");
    }
}

#[test]
fn invisible_characters_in_a_name_are_escaped() {
    let name = format!("\u{200b}[31mred\u{feff}{}", "n".repeat(180));
    let map = format!("(name: \"{name}\", base: [\"G~G\"], overlay: [\"...\"])");
    for (command, status) in [
        ("route - --from 0,0 --to 0,0", 0),
        ("route - --from 0,0 --to 2,0", 1),
        ("route -", 2),
        ("render - --route --from 0,0 --to 2,0 -o x.png", 1),
    ] {
        let run = run_with(command, &map);
        let all = run.out + &run.errors;
        assert_eq!(run.status, status, "{command}");
        assert!(all.contains("\\u{200b}[31mred\\u{feff}nnn") && !all.contains(['\u{200b}', '\u{feff}']), "{command}");
        assert!(!all.contains(&"n".repeat(100)), "{command}: long names are shortened");
    }
}

#[test]
fn check_reports_errors_of_tilesets_and_their_images() {
    let own = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let folder = Folder::with(&[("tileset.ron", &own), ("other.ron", &own.replace("enter(3)", "enter(-3)"))]);
    let summary = format!("{} terrains, {} images", tileset().iter().count(), image_count());
    let good = ["check tileset.ron", "check --assets ."].map(|command| folder.run(command));
    assert_eq!(good.each_ref().map(|run| run.status), [0, 0]);
    assert_eq!(good.map(|run| run.out), [format!("tileset.ron: ok, {summary}\n"), format!(".: ok, {summary}\n")]);
    let fails = |command: &str, reasons: &[&str]| {
        let run = folder.run(command);
        assert_eq!((run.status, run.errors.contains("error")), (2, false), "{run:?}");
        for reason in reasons {
            assert!(run.out.contains(reason), "{command}: {reason}\n{}", run.out);
        }
        run.out
    };
    let bad = fails("check other.ron valley", &["a cost of -3", "[other.ron:"]);
    assert!(bad.ends_with("valley: ok, 24 x 20 cells\n"), "{bad}");

    folder.write("tileset.ron", own.replace("L1_Terrain010\"", "L1_Dune\"").replace("L2_Tombstone01\"", "L2_Urn\""));
    folder.write("L1_Terrain035.png", "no picture");
    image::RgbaImage::new(54, 55).save(folder.path("L1_Water01.png")).unwrap();
    for command in ["check tileset.ron", "check --assets .", "check valley --assets ."] {
        let reasons = [
            "there is no image L1_Dune.png",
            "there is no image L2_Urn.png",
            "L1_Terrain035.png cannot be read as a PNG",
            "L1_Water01.png has 54 x 55 pixels, but a tile has 54 x 54",
        ];
        fails(command, &reasons);
    }
    folder.write("tileset.ron", r#"(terrains: [(char: '.', name: "", layer: base, cost: closed, image: "x")])"#);
    let reasons = ["'.' cannot stand for a terrain", "no ground is passable"];
    let bad = fails("check valley --assets .", &reasons);
    assert!(bad.ends_with("valley: not checked, because the tileset has errors\n"), "{bad}");
}

#[test]
fn completions_cover_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&format!("completions {shell}")).success();
        for word in ["route", "render", "check", "corners", "erupting"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    // If there is a bash, it must accept its script.
    let Ok(mut bash) = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() else { return };
    bash.stdin.take().unwrap().write_all(run("completions bash").out.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let page = run("man").success();
    assert!(page.contains(".TH emberwalk 1") && page.contains("emberwalk\\-route(1)"), "{page}");
    let page = run("man route").success();
    assert!(page.contains(".TH emberwalk-route 1") && page.contains("\\-\\-corners"), "{page}");
    assert!(page.contains(concat!("\"Emberwalk ", env!("CARGO_PKG_VERSION"), "\"")), "{page}");
    assert!(page.contains("[\\-\\-moves 8|4|6] [\\-\\-corners never|one|always]"), "{page}");
    let folder = Folder::new();
    folder.done("man --dir man1");
    for name in ["emberwalk.1", "emberwalk-route.1", "emberwalk-check.1"] {
        assert!(folder.path("man1").join(name).is_file(), "{name}");
    }
    folder.refuses("man no-such", "there is no command `no-such`");
    folder.refuses("man --dir man1/emberwalk.1", "error: man1/emberwalk.1 is a file, not a folder\n");
    folder.refuses("man --dir man1/emberwalk.1/man", "cannot be written: its folder is a file\n");
}
