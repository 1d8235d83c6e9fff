//! The commands `route`, `maps`, `check`, `render` and `generate`, with valid and invalid arguments.

use std::fs;
use std::process::Output;

use serde_json::Value;

use super::{program, run_in};
use crate::support::{bundled, file};

/// Runs the program in an empty folder.
fn run(args: &[&str]) -> Output {
    run_in(tempfile::tempdir().unwrap().path(), args)
}

/// The standard output of a run that ends with `status`. If that is 0, standard error must be empty.
fn out(args: &[&str], status: i32) -> String {
    let output = run(args);
    let (text, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(status), "{args:?}\n{text}\n{errors}");
    assert!(status != 0 || errors.is_empty(), "{args:?}: {errors}");
    text
}

/// The standard error of a run that fails. Standard output must be empty.
fn refusal(args: &[&str]) -> String {
    let output = run(args);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}\n{errors}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{args:?}");
    assert!(!errors.contains("panicked") && !errors.contains('\x1b'), "{args:?}\n{errors}");
    errors
}

/// The JSON object that a run prints on one line.
fn json(args: &[&str], status: i32) -> Value {
    let text = out(args, status);
    assert!(text.ends_with('\n') && text.lines().count() == 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn route_prints_one_json_object_with_the_documented_fields() {
    let text = out(&["route", "figures/road", "--json"], 0);
    let fields: Vec<_> = text.split('"').filter(|part| part.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    let all = "map from to found cost steps cells expanded reopened micros optimal algorithm auto heuristic octile \
               terrain name grass influence cost cells name road on grass influence cost cells";
    assert_eq!(fields.join(" "), all);
    let route = json(&["route", "figures/road", "--json"], 0);
    let cells = route["cells"].as_array().unwrap();
    assert_eq!(route["map"], "The road");
    assert_eq!((&route["from"], &route["to"]), (&cells[0], &cells[cells.len() - 1]));
    assert_eq!((route["from"].to_string(), route["to"].to_string()), ("[1,5]".into(), "[8,5]".into()));
    assert_eq!(route["steps"], cells.len() - 1);
    assert!((route["cost"].as_f64().unwrap() - 7.242).abs() < 0.001);
    assert_eq!((&route["found"], &route["optimal"], &route["reopened"]), (&true.into(), &true.into(), &0.into()));
}

#[test]
fn route_accepts_every_planning_option() {
    let cost = |args: &[&str]| {
        let all: Vec<_> = ["route", "valley", "--json"].iter().chain(args).copied().collect();
        json(&all, 0)["cost"].as_f64().unwrap()
    };
    let best = cost(&[]);
    assert!((best - 9.828).abs() < 0.001);
    assert!(cost(&["--erupting"]) < best && cost(&["--dormant"]) == best);
    assert!(cost(&["--moves", "4"]) > best);
    for corners in ["never", "one", "always"] {
        assert!(cost(&["--corners", corners]) <= best);
    }
    for heuristic in ["octile", "manhattan", "chebyshev", "euclidean", "hex", "zero"] {
        assert!(cost(&["--heuristic", heuristic, "--algorithm", "astar"]) >= best);
    }
    for algorithm in ["auto", "astar", "dijkstra"] {
        assert_eq!(cost(&["--algorithm", algorithm, "--weight", "0.1"]), best, "{algorithm}: the weight is ignored");
    }
    for algorithm in ["weighted", "greedy", "breadth-first"] {
        assert!(cost(&["--algorithm", algorithm, "--scale", "classic"]) >= best, "{algorithm}");
    }
    let one = json(&["route", "valley", "--json", "--algorithm", "weighted", "--weight", "1"], 0);
    assert_eq!(
        (one["cost"].as_f64(), &one["optimal"], &one["algorithm"]),
        (Some(best), &true.into(), &"weighted".into())
    );
    let none = json(&["route", "valley", "--json", "--from", "3,4", "--to", "3,4"], 0);
    assert_eq!((&none["cost"], &none["steps"], none["cells"].to_string()), (&0.0.into(), &0.into(), "[[3,4]]".into()));
}

#[test]
fn the_report_says_how_good_the_route_is() {
    for (args, says) in [
        (&[][..], "(the lowest possible)"),
        (&["--algorithm", "weighted"], "(at most 1.5 times the lowest)"),
        (&["--algorithm", "weighted", "--weight", "3"], "(at most 3 times the lowest)"),
        (&["--algorithm", "weighted", "--weight", "1"], "(the lowest possible)"),
        (&["--algorithm", "weighted", "--scale", "classic"], "(not guaranteed to be the lowest)"),
        (&["--algorithm", "greedy"], "(not guaranteed to be the lowest)"),
    ] {
        let text = out(&[&["route", "valley"], args].concat(), 0);
        assert!(text.lines().nth(1).unwrap().contains(says), "{args:?}\n{text}");
    }
}

#[test]
fn generate_says_if_the_eruption_does_not_change_the_route() {
    for (kind, seed, says) in [
        ("valley", "5", ""),
        ("city", "4", "note: the eruption does not change the route; with another seed it may\n"),
        ("city", "1", "note: the map has no volcano, because there is no room for one\n"),
    ] {
        let output = run(&["generate", "--kind", kind, "--seed", seed, "--width", "24", "--height", "20", "-o", "-"]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.as_str()), (Some(0), says), "{kind}");
    }
}

#[test]
fn the_exit_status_is_1_without_a_route() {
    let folder = tempfile::tempdir().unwrap();
    let text = "(name: \"Two\", base: [\"G~G\"], overlay: [\"1.2\"])";
    fs::write(folder.path().join("two.ron"), text).unwrap();
    let output = run_in(folder.path(), &["route", "two.ron", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let route: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&route["found"], &route["cost"], &route["steps"]), (&false.into(), &Value::Null, &Value::Null));
    assert_eq!((route["cells"].to_string(), route["to"].to_string()), ("[]".into(), "[2,0]".into()));
    let output = run_in(folder.path(), &["route", "two.ron"]);
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stdout).unwrap()),
        (Some(1), "Two: there is no route from 0,0 to 2,0\n".into())
    );
    let output = run_in(folder.path(), &["render", "two.ron", "--route", "-o", "two.png"]);
    assert_eq!((output.status.code(), folder.path().join("two.png").exists()), (Some(1), false));
}

#[test]
fn route_sums_the_cost_by_terrain() {
    let text = out(&["route", "valley", "--erupting"], 0);
    let row = |name: &str| {
        let line =
            text.lines().find(|line| line.trim_end().ends_with(name)).unwrap_or_else(|| panic!("{name}\n{text}"));
        line.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    let parts = row("  bridge") + row("  grass") + row("road on grass") + row("volcano");
    assert!(row("volcano") < 0.0);
    assert!(
        (parts - json(&["route", "valley", "--erupting", "--json"], 0)["cost"].as_f64().unwrap()).abs() < 0.01,
        "{text}"
    );
}

#[test]
fn invalid_endpoints_and_options_are_refused() {
    for (args, says) in [
        (&["route", "valley", "--to", "99,0"][..], "the goal 99,0 is not on the map, which is 24 x 20\n"),
        (&["route", "valley", "--from", "-1,3"], "the start -1,3 is not on the map, which is 24 x 20\n"),
        (&["route", "valley", "--to", "8,0"], "the goal 8,0 is blocked: mountain\n"),
        (&["render", "valley", "--route", "--from", "8,0", "-o", "x.png"], "the start 8,0 is blocked: mountain\n"),
        (&["route", "valley", "--from", "3"], "a cell is written X,Y"),
        (&["route", "valley", "--from", "3;4"], "a cell is written X,Y"),
        (&["route", "valley", "--erupting", "--dormant"], "cannot be used with"),
        (&["route", "valley", "--moves", "5"], "[possible values: 8, 4, 6]"),
        (&["route", "valley", "--corners", "some"], "[possible values: never, one, always]"),
        (&["route", "valley", "--algorithm", "a*"], "auto, astar, weighted, dijkstra, greedy, breadth-first"),
        (&["route", "valley", "--heuristic", "best"], "octile, manhattan, chebyshev, euclidean, hex, zero"),
        (&["route", "valley", "--scale", "2"], "[possible values: exact, classic]"),
        (&["route", "valley", "--algorithm", "weighted", "--weight", "0.9"], "at least 1"),
        (&["route", "valley", "--algorithm", "weighted", "--weight", "NaN"], "at least 1"),
        (&["route", "valley", "--weight", "much"], "a weight is a number of at least 1, such as 1.5"),
        (&["route", "valley", "--weight", "1,5"], "a fraction is written with a point: 1.5"),
        (&["route", "no-such-map"], "bundled maps: valley, market, figures/road"),
        (&["route"], "<MAP>"),
        (&["route", "valley", "--assets", "no/folder"], "no/folder: there is no such folder"),
        (&["no-such-map"], "there is no such file"),
        (&["valley", "--erupting", "--dormant"], "cannot be used with"),
        (&["render", "valley"], "--output"),
        (&["check"], "<MAP>"),
        (&["maps", "cave"], "there is no bundled map `cave`; the maps are valley, market, figures/road, "),
        (&["maps", "road"], "there is no bundled map `road`; did you mean `figures/road`?"),
        (&["route", "road"], "did you mean `figures/road`?"),
        (&["--no-such-option"], "unexpected argument"),
    ] {
        let errors = refusal(args);
        assert!(errors.contains(says), "{args:?}\n{errors}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bare.ron"), "(name: \"Bare\", base: [\"GGG\"], overlay: [\"...\"])").unwrap();
    fs::write(folder.path().join("sea.ron"), "(name: \"Sea\", base: [\"~~~\"], overlay: [\"...\"])").unwrap();
    let errors = |args: &[&str]| {
        let output = run_in(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(errors(&["route", "bare.ron"]).contains("the map has no castle"));
    assert!(errors(&["route", "sea.ron", "--to", "0,0"]).contains("all cells are impassable"));
    let output = run_in(folder.path(), &["route", "bare.ron", "--to", "0,0", "--json"]);
    assert!(
        String::from_utf8(output.stdout).unwrap().contains("\"from\":[1,0],\"to\":[0,0],\"found\":true"),
        "from the middle"
    );
}

#[test]
fn maps_lists_and_prints_bundled_maps_and_a_file_takes_precedence() {
    let list = out(&["maps"], 0);
    assert!(list.starts_with("valley ") && list.lines().count() >= 7, "{list}");
    let folder = tempfile::tempdir().unwrap();
    let road = out(&["maps", "figures/road"], 0);
    assert_eq!(road, fs::read_to_string(file("maps/figures/road.ron")).unwrap());
    fs::write(folder.path().join("valley"), road).unwrap();
    let output = run_in(folder.path(), &["route", "valley", "--json"]);
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("{\"map\":\"The road\""));
}

#[test]
fn the_binary_alone_prints_its_tileset() {
    let folder = tempfile::tempdir().unwrap();
    let tileset = out(&["maps", "--tileset"], 0);
    assert_eq!(tileset, fs::read_to_string(file("assets/tileset.ron")).unwrap());
    fs::write(folder.path().join("tileset.ron"), tileset).unwrap();
    assert_eq!(run_in(folder.path(), &["route", "valley", "--assets", "."]).status.code(), Some(0));
    assert_eq!(run_in(folder.path(), &["maps", "valley", "--tileset"]).status.code(), Some(2));
}

#[test]
fn check_prints_every_error_on_standard_output() {
    let bad = file("tests/bad/everything.ron");
    let bad = bad.to_str().unwrap();
    assert_eq!(
        out(&["check", "valley", "figures/both"], 0),
        "valley: ok, 24 x 20 cells\nfigures/both: ok, 10 x 10 cells\n"
    );
    let text = out(&["check", "valley", bad, "no-such.ron"], 2);
    assert!(text.contains("unknown terrain 'd' at 1,1") && text.contains("a second tent at 3,0"), "{text}");
    assert!(text.contains("everything.ron:6:11") && text.contains("no-such.ron: there is no such file"), "{text}");
    assert!(text.contains("valley: ok") && !text.contains('\x1b'), "{text}");
    let lines = out(&["check", "--json", "valley", bad], 2);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 8);
    let row = rows.iter().find(|row| row["cell"] == serde_json::json!([1, 1])).unwrap();
    assert_eq!((&row["line"], &row["column"], &row["help"]), (&6.into(), &11.into(), &"did you mean 'D'?".into()));
    assert!(row["file"].as_str().unwrap().ends_with("everything.ron"));
    assert_eq!(out(&["check", "--json", "valley"], 0), "");
}

#[test]
fn check_reports_an_invalid_tileset() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("tileset.ron"),
        "(terrains: [(char: '.', name: \"\", layer: base, cost: closed, image: \"x\")])",
    )
    .unwrap();
    let output = run_in(folder.path(), &["check", "valley", "--assets", "."]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("'.' cannot stand for a terrain") && text.contains("no ground is passable"), "{text}");
}

#[test]
fn render_writes_a_complete_picture_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let done = |args: &[&str]| {
        let output = run_in(folder.path(), args);
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    };
    done(&["render", "figures/road", "--plain", "-o", "plain.png"]);
    done(&["render", "figures/road", "-o", "full.png"]);
    done(&["render", "figures/road", "-o", "route.png", "--route", "--corners", "always"]);
    let size = |name: &str| image::image_dimensions(path(name)).unwrap();
    assert_eq!((size("plain.png"), size("full.png")), ((522, 288), (522 + 108, 288 + 108)));
    assert_ne!(fs::read(path("full.png")).unwrap(), fs::read(path("route.png")).unwrap());
    done(&["render", "figures/road", "--plain", "-o", "full.png"]);
    assert_eq!(fs::read(path("full.png")).unwrap(), fs::read(path("plain.png")).unwrap(), "it was replaced");
    let output = run_in(folder.path(), &["render", "figures/road", "--plain", "-o", "-"]);
    assert_eq!(output.stdout, fs::read(path("plain.png")).unwrap());
    let row = "G".repeat(700);
    let text = format!("(name: \"Wide\", base: [{row:?}], overlay: [{:?}])", ".".repeat(700));
    fs::write(path("wide.ron"), text).unwrap();
    for args in [
        &["render", "wide.ron", "-o", "no.png"][..],
        &["render", "figures/road", "-o", "no/such/folder.png"],
        &["render", "figures/road", "-o", "."],
        &["render", "figures/road", "--route", "--to", "99,99", "-o", "no.png"],
        &["render", "no-such-map", "-o", "no.png"],
    ] {
        let output = run_in(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["full.png", "plain.png", "route.png", "wide.ron"]);
}

#[test]
fn a_picture_that_is_too_large_is_refused_before_it_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let side = 400;
    let rows = |char: &str| format!("{:?},", char.repeat(side)).repeat(side);
    let text = format!("(name: \"Large\", base: [{}], overlay: [{}])", rows("G"), rows("."));
    fs::write(folder.path().join("large.ron"), text).unwrap();
    let output = run_in(folder.path(), &["render", "large.ron", "-o", "large.png"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("20910 x 10536 pixels; the largest side allowed is 16384"), "{errors}");
}

#[test]
fn a_folder_of_assets_changes_costs_and_missing_images_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    let tileset = fs::read_to_string(file("assets/tileset.ron")).unwrap().replace("cost: times(0.5)", "cost: times(4)");
    fs::write(folder.path().join("tileset.ron"), tileset).unwrap();
    let output = run_in(folder.path(), &["route", "figures/road", "--assets", ".", "--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("\"cost\":7.24") && output.status.success(), "{text}");
    let output = run_in(folder.path(), &["render", "figures/road", "--assets", ".", "-o", "out.png"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("INFO") && errors.contains(" embedded: ") && !errors.contains('\x1b'), "{errors}");
}

#[test]
fn the_help_of_every_command_has_an_example() {
    for command in ["", "route", "render", "maps", "check", "import", "export", "generate", "solve", "scenario"] {
        let args: Vec<_> = [command, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let text = out(&args, 0);
        assert!(text.contains("Examples:\n  emberwalk"), "{text}");
    }
    assert!(out(&["--version"], 0).starts_with("emberwalk "));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    // The report is too long for the buffer of a pipe.
    let bad = bundled("valley").to_ron().replace('G', "x");
    fs::write(folder.path().join("bad.ron"), bad).unwrap();
    let mut child = program(folder.path(), &["check", "bad.ron"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(2), "the status still says that the map is invalid");
}

#[test]
fn generate_writes_the_map_of_a_seed() {
    let folder = tempfile::tempdir().unwrap();
    let made = run_in(folder.path(), &["generate", "-o", "my.ron", "--seed", "7", "--kind", "rooms", "--width", "20"]);
    assert_eq!((made.status.code(), made.stdout.len(), made.stderr.len()), (Some(0), 0, 0));
    let text = fs::read_to_string(folder.path().join("my.ron")).unwrap();
    assert_eq!(out(&["generate", "-o", "-", "--seed", "7", "--kind", "rooms", "--width", "20"], 0), text);
    assert!(text.contains("--width 20 --height 32 --seed 7"), "{text}");
    let checked = run_in(folder.path(), &["check", "my.ron"]);
    assert_eq!(String::from_utf8(checked.stdout).unwrap(), "my.ron: ok, 20 x 32 cells\n");
}

#[test]
fn generate_without_a_seed_prints_the_seed() {
    let made = run(&["generate", "-o", "-", "--name", "Anywhere"]);
    let told = String::from_utf8(made.stderr).unwrap();
    // A note about the volcano may follow, with a given seed as well.
    let seed = told.lines().find_map(|line| line.strip_prefix("seed ")).unwrap_or_else(|| panic!("{told}"));
    let again = run(&["generate", "-o", "-", "--name", "Anywhere", "--seed", seed]);
    assert!(again.status.success(), "seed {seed}");
    assert_eq!(again.stdout, made.stdout, "seed {seed}");
}

#[test]
fn generate_refuses_impossible_maps() {
    let one = refusal(&["generate", "-o", "-", "--width", "1", "--height", "1"]);
    assert!(one.contains("no room for both tent and castle"), "{one}");
    let large = refusal(&["generate", "-o", "-", "--width", "4097"]);
    assert!(large.contains("1 to 4096 columns and rows, not 4097 x 32"), "{large}");
    let kind = refusal(&["generate", "-o", "-", "--kind", "dungeon"]);
    assert!(kind.contains("valley, maze, rooms, islands, city, open, highlands"), "{kind}");
    for hills in ["10", "-1", "2.5", "high"] {
        let high = refusal(&["generate", "-o", "-", "--hills", hills]);
        assert!(high.contains("hills have level 0 to 9, in whole numbers") && high.contains(hills), "{high}");
    }
    assert!(refusal(&["generate", "--seed", "-1", "-o", "-"]).contains("-1"));
    assert!(refusal(&["generate"]).contains("--output"));
}

/// The system allows the program no thread but its first.
#[cfg(target_os = "linux")]
#[test]
fn commands_need_no_other_threads() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    // The system sets no limit for root, so another user runs a copy that it can reach.
    let program = folder.path().join("emberwalk");
    fs::copy(env!("CARGO_BIN_EXE_emberwalk"), &program).unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let is_root = fs::metadata(&program).unwrap().uid() == 0;
    let as_nobody: &[&str] = if is_root { &["setpriv", "--reuid=65534", "--clear-groups"] } else { &[] };
    // A list of queries that is worth tables, on a map that is worth threads.
    let [base, overlay] = ["G", "."].map(|letter| vec![letter.repeat(128); 128]);
    let meadow = format!("(name: \"Meadow\", base: {base:?}, overlay: {overlay:?})");
    fs::write(folder.path().join("meadow.ron"), meadow).unwrap();
    fs::write(folder.path().join("queries"), "1,1 120,120\n".repeat(200)).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new("prlimit");
        command.arg("--nproc=1").args(as_nobody).arg(&program).args(args).current_dir(&folder);
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{args:?}: {errors}");
        output.stdout
    };
    run(&["generate", "--kind", "valley", "--seed", "7", "--width", "256", "--height", "256", "-o", "-"]);
    run(&["route", "meadow.ron", "--queries", "queries"]);
}
