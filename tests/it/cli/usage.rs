//! Mistakes in the name and the place of a command.

use std::fs;

use super::run_in;

/// The first line of standard error of a run that is refused, in a folder with a file `mine`.
fn refusal(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine"), "no map").unwrap();
    let output = run_in(folder.path(), args);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
    String::from_utf8(output.stderr).unwrap().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_misspelt_command_gets_a_suggestion() {
    for (args, expected) in [
        (&["rout"][..], "error: there is no command `rout`; did you mean `route`?"),
        (&["rout", "valley", "--json"], "error: there is no command `rout`; did you mean `route`?"),
        (&["Check", "mine"], "error: there is no command `Check`; did you mean `check`?"),
        (&["help", "solv"], "error: there is no command `solv`; did you mean `solve`?"),
        (&["man", "solv"], "error: there is no command `solv`; did you mean `solve`?"),
        (&["fly", "valley"], "error: there is no command `fly`; `emberwalk --help` lists the commands"),
        (&["\u{1b}[31m", "valley"], "error: there is no command `\\u{1b}[31m`; `emberwalk --help` lists the commands"),
    ] {
        assert_eq!(refusal(args), expected, "{args:?}");
    }
}

#[test]
fn numbers_out_of_bounds_are_refused_in_plain_words() {
    let too_large = "the number is too large: columns and rows go from 0 to 4095";
    for (args, says) in [
        (&["route", "valley", "--from", "2147483648,0"][..], too_large),
        (&["solve", "a.png", "-o", "b.png", "--to", "0,99999999999"], too_large),
        (&["route", "valley", "--through", "-2147483649,0"], too_large),
        (&["route", "valley", "--from", "3;4"], "a cell is written X,Y, two whole numbers, such as 3,4"),
        (&["animate", "valley", "-o", "a.gif", "--fps", "-1"], "the number of frames per second is a whole number"),
    ] {
        assert!(refusal(args).contains(says), "{args:?}: {}", refusal(args));
    }
}

#[test]
fn control_characters_in_arguments_are_escaped() {
    let odd = "a\u{1b}[31m\r\u{9b}\u{202e}\nb";
    let folder = tempfile::tempdir().unwrap();
    let value = format!("--{odd}");
    for args in [
        &["route", "valley", odd][..],
        &["route", "valley", &value],
        &["route", "valley", "--moves", odd],
        &["route", "valley", "--from", odd],
        &["scenario", "a", "b", "--cost", odd],
        &["import", "a", "-o", "b.ron", "--tile", odd],
        &["solve", "a", "-o", "b.png", "--threshold", odd],
        &["valley", odd],
        &[odd, "valley"],
        &["--moves", odd],
        &["help", odd],
        &["crowd", odd, odd],
        &["check", odd],
    ] {
        let output = run_in(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains("a\\u{1b}[31m\\r\\u{9b}\\u{202e}\\nb"), "{args:?}: {text}");
        assert!(
            text.chars().all(|char| char == '\n' || !char.is_control() && char != '\u{202e}'),
            "{args:?}: {text:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn control_characters_in_names_of_files_are_escaped() {
    let odd = "a\u{1b}[31m\r\u{9b}\u{202e}b";
    let folder = tempfile::tempdir().unwrap();
    let name = |ending: &str| format!("{odd}{ending}");
    let path = |ending: &str| folder.path().join(name(ending));
    fs::write(path(".map"), crate::support::foreign::MAP).unwrap();
    fs::write(path(".scen"), "0 a 5 4 0 0 0 2 2\n").unwrap();
    fs::create_dir(path("")).unwrap();
    fs::write(path("").join("odd\r.png"), "").unwrap();
    let (map, scenario, ron) = (name(".map"), name(".scen"), name(".ron"));
    for args in [
        &["crowd", &map, &scenario][..],
        &["scenario", &map, &scenario],
        &["check", "valley", "--assets", odd],
        &["route", "valley", "--assets", odd],
        &["import", &map, "-o", &ron],
        &["check", &ron],
        &["route", &ron],
        &["render", &ron, "-o", &name(".png")],
    ] {
        let output = run_in(folder.path(), args);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains("[31m") != ["import", "render"].contains(&args[0]), "{args:?}: {text}");
        assert!(
            text.chars().all(|char| char == '\n' || !char.is_control() && char != '\u{202e}'),
            "{args:?}: {text:?}"
        );
    }
}

#[test]
fn a_word_that_can_be_a_map_is_not_taken_for_a_command() {
    let one_map =
        "error: unexpected argument 'mine': one map is opened at a time; `emberwalk --help` lists the commands";
    for (args, expected) in [
        (&["vally"][..], "  × vally: there is no such file"),
        (&["route.ron"], "  × route.ron: there is no such file"),
        (&["./rout"], "  × ./rout: there is no such file"),
        (&["road"], "  × road: there is no such file"),
        (&["vally", "mine"], one_map),
        (&["valley", "mine"], one_map),
    ] {
        assert_eq!(refusal(args), expected, "{args:?}");
    }
    assert!(refusal(&["mine"]).starts_with("  × "), "the file is read");
}

#[test]
fn options_before_the_command_are_put_in_their_place() {
    for (args, expected) in [
        (&["--json", "route", "valley"][..], "error: options go after the command: `emberwalk route --json valley`"),
        (
            &["--erupting", "route", "valley"],
            "error: options go after the command: `emberwalk route --erupting valley`",
        ),
        (&["--from", "1,2", "route"], "error: options go after the command: `emberwalk route --from 1,2`"),
        (&["-o", "x.png", "render", "mine"], "error: options go after the command: `emberwalk render -o x.png mine`"),
        (&["--plain", "maps"], "error: options go after the command: `emberwalk maps --plain`"),
        (&["valley", "route"], "error: the command goes first: `emberwalk route valley`"),
    ] {
        assert_eq!(refusal(args), expected, "{args:?}");
    }
    // The parser's own words are better here.
    assert!(refusal(&["--erupting", "--dormant", "valley"]).contains("'--erupting' cannot be used with '--dormant'"));
    assert!(refusal(&["route", "valley", "valley"]).contains("unexpected argument 'valley' found"));
}
