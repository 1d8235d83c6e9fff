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
