//! The commands `route`, `maps`, `check`, `render` and `generate`, with valid and invalid arguments.

use std::fs;

use serde_json::{Value, json};

use super::{Folder, Run, run};
use crate::support::file;

#[test]
fn route_prints_one_json_object_with_the_documented_fields() {
    let run = run("route figures/road --json");
    let words = run.out.split('"').filter(|part| part.starts_with(|c: char| c.is_ascii_lowercase()));
    let all = "map from to found cost steps cells expanded reopened micros optimal algorithm auto heuristic octile \
               terrain name grass influence cost cells name road on grass influence cost cells";
    assert_eq!(words.collect::<Vec<_>>().join(" "), all);
    let route = run.json();
    run.success();
    let cells = route["cells"].as_array().unwrap();
    assert_eq!(route["map"], "The road");
    assert_eq!((&route["from"], &route["to"]), (&cells[0], &cells[cells.len() - 1]));
    assert_eq!((&route["from"], &route["to"]), (&json!([1, 5]), &json!([8, 5])));
    assert_eq!(route["steps"], cells.len() - 1);
    assert!((route["cost"].as_f64().unwrap() - 7.242).abs() < 0.001);
    assert_eq!((&route["found"], &route["optimal"], &route["reopened"]), (&true.into(), &true.into(), &0.into()));
}

#[test]
fn route_accepts_every_planning_option() {
    let route = |options: &str| run(&format!("route valley --json {options}")).json();
    let cost = |options: &str| route(options)["cost"].as_f64().unwrap();
    let best = cost("");
    assert!((best - 9.828).abs() < 0.001);
    assert!(cost("--erupting") < best && cost("--dormant") == best);
    assert!(cost("--moves 4") > best);
    for corners in ["never", "one", "always"] {
        assert!(cost(&format!("--corners {corners}")) <= best);
    }
    for heuristic in ["octile", "manhattan", "chebyshev", "euclidean", "hex", "zero"] {
        assert!(cost(&format!("--heuristic {heuristic} --algorithm astar")) >= best);
    }
    for algorithm in ["auto", "astar", "dijkstra"] {
        let ignored = format!("--algorithm {algorithm} --weight 0.1");
        assert_eq!(cost(&ignored), best, "{algorithm}: the weight is ignored");
    }
    for algorithm in ["weighted", "greedy", "breadth-first"] {
        assert!(cost(&format!("--algorithm {algorithm} --scale classic")) >= best, "{algorithm}");
    }
    let one = route("--algorithm weighted --weight 1");
    assert_eq!((&one["cost"], &one["optimal"], &one["algorithm"]), (&json!(best), &json!(true), &json!("weighted")));
    let none = route("--from 3,4 --to 3,4");
    assert_eq!((&none["cost"], &none["steps"], &none["cells"]), (&json!(0.0), &json!(0), &json!([[3, 4]])));
}

#[test]
fn the_report_says_how_good_the_route_is() {
    for (options, says) in [
        ("", "(the lowest possible)"),
        ("--algorithm weighted", "(at most 1.5 times the lowest)"),
        ("--algorithm weighted --weight 3", "(at most 3 times the lowest)"),
        ("--algorithm weighted --weight 1", "(the lowest possible)"),
        ("--algorithm weighted --scale classic", "(not guaranteed to be the lowest)"),
        ("--algorithm greedy", "(not guaranteed to be the lowest)"),
    ] {
        let text = run(&format!("route valley {options}")).success();
        assert!(text.lines().nth(1).unwrap().contains(says), "{options}\n{text}");
    }
}

#[test]
fn generate_says_if_the_eruption_does_not_change_the_route() {
    for (kind, seed, says) in [
        ("valley", 5, ""),
        ("city", 4, "note: the eruption does not change the route; with another seed it may\n"),
        ("city", 1, "note: the map has no volcano, because there is no room for one\n"),
    ] {
        let made = run(&format!("generate --kind {kind} --seed {seed} --width 24 --height 20 -o -"));
        assert_eq!((made.status, made.errors.as_str()), (0, says), "{kind}");
    }
}

#[test]
fn the_exit_status_is_1_without_a_route() {
    let folder = Folder::with(&[("two.ron", r#"(name: "Two", base: ["G~G"], overlay: ["1.2"])"#)]);
    let answer = folder.run("route two.ron --json");
    let route = answer.json();
    assert_eq!((answer.status, &route["found"], &route["cells"]), (1, &json!(false), &json!([])));
    assert_eq!((&route["cost"], &route["steps"], &route["to"]), (&Value::Null, &Value::Null, &json!([2, 0])));
    let none = "Two: there is no route from 0,0 to 2,0\n";
    assert_eq!(folder.run("route two.ron"), Run { status: 1, out: none.into(), errors: String::new() });
    let nothing_drawn = folder.run("render two.ron --route -o two.png");
    assert_eq!(nothing_drawn, Run { status: 1, out: String::new(), errors: none.into() });
    assert_eq!(folder.names(), ["two.ron"]);
}

#[test]
fn route_sums_the_cost_by_terrain() {
    let text = run("route valley --erupting").success();
    let row = |name: &str| {
        let line =
            text.lines().find(|line| line.trim_end().ends_with(name)).unwrap_or_else(|| panic!("{name}\n{text}"));
        line.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    let parts = row("  bridge") + row("  grass") + row("road on grass") + row("volcano");
    assert!(row("volcano") < 0.0);
    let cost = run("route valley --erupting --json").json()["cost"].as_f64().unwrap();
    assert!((parts - cost).abs() < 0.01, "{text}");
}

#[test]
fn invalid_arguments_are_refused() {
    let folder = Folder::with(&[
        ("bare.ron", r#"(name: "Bare", base: ["GGG"], overlay: ["..."])"#),
        ("sea.ron", r#"(name: "Sea", base: ["~~~"], overlay: ["..."])"#),
    ]);
    for (command, reason) in [
        ("route valley --to 99,0", "the goal 99,0 is not on the map, which is 24 x 20\n"),
        ("route valley --from -1,3", "the start -1,3 is not on the map, which is 24 x 20\n"),
        ("route valley --to 8,0", "the goal 8,0 is blocked: mountain\n"),
        ("render valley --route --from 8,0 -o x.png", "the start 8,0 is blocked: mountain\n"),
        ("route valley --from 3", "a cell is written X,Y"),
        ("route valley --from 3;4", "a cell is written X,Y, two whole numbers, such as 3,4"),
        ("route valley --from 2147483648,0", "the number is too large: columns and rows go from 0 to 4095"),
        ("route valley --through -2147483649,0", "the number is too large: columns and rows go from 0 to 4095"),
        ("solve a.png -o b.png --to 0,99999999999", "the number is too large: columns and rows go from 0 to 4095"),
        ("route valley --erupting --dormant", "cannot be used with"),
        ("route valley --moves 5", "[possible values: 8, 4, 6]"),
        ("route valley --corners some", "[possible values: never, one, always]"),
        ("route valley --algorithm a*", "auto, astar, weighted, dijkstra, greedy, breadth-first"),
        ("route valley --heuristic best", "octile, manhattan, chebyshev, euclidean, hex, zero"),
        ("route valley --scale 2", "[possible values: exact, classic]"),
        ("route valley --algorithm weighted --weight 0.9", "at least 1"),
        ("route valley --algorithm weighted --weight NaN", "at least 1"),
        ("route valley --weight much", "a weight is a number of at least 1, such as 1.5"),
        ("route valley --weight 1,5", "a fraction is written with a point: 1.5"),
        ("route no-such-map", "bundled maps: valley, market, figures/road"),
        ("route", "<MAP>"),
        ("route valley --assets no/folder", "no/folder: there is no such folder"),
        ("route bare.ron", "the map has no castle"),
        ("route sea.ron --to 0,0", "all cells are impassable"),
        ("route road", "did you mean `figures/road`?"),
        ("route vally", "did you mean `valley`?"),
        ("no-such-map", "there is no such file"),
        ("valley --erupting --dormant", "cannot be used with"),
        ("valley --record -", "a recording needs a file; `./-` is a file that is called `-`"),
        ("valley --record /dev/stdout", "a recording needs a file; `./-` is a file that is called `-`"),
        ("render valley", "--output"),
        ("check", "<MAP>"),
        ("maps cave", "there is no bundled map `cave`; the maps are valley, market, figures/road, "),
        ("maps road", "there is no bundled map `road`; did you mean `figures/road`?"),
        ("maps valley --tileset", "cannot be used with"),
        ("generate -o - --width 1 --height 1", "no room for both tent and castle"),
        ("generate -o - --width 4097", "1 to 4096 columns and rows, not 4097 x 32"),
        ("generate -o - --width -3", "a map has 1 to 4096 columns and rows"),
        ("generate -o - --kind dungeon", "valley, maze, rooms, islands, city, open, highlands"),
        ("generate -o - --hills 10", "'10' for '--hills <N>': hills have level 0 to 9, in whole numbers"),
        ("generate -o - --hills -1", "'-1' for '--hills <N>': hills have level 0 to 9, in whole numbers"),
        ("generate -o - --hills 2.5", "'2.5' for '--hills <N>': hills have level 0 to 9, in whole numbers"),
        ("generate -o - --hills high", "'high' for '--hills <N>': hills have level 0 to 9, in whole numbers"),
        ("generate -o - --seed -1", "'-1' for '--seed <N>': a seed is a whole number from 0 to"),
        ("generate", "--output"),
        ("--no-such-option", "unexpected argument"),
        ("--color pink maps", "[possible values: auto, always, never]"),
    ] {
        folder.refuses(command, reason);
    }
    let middle = folder.run("route bare.ron --to 0,0 --json").json();
    assert_eq!((&middle["from"], &middle["found"]), (&json!([1, 0]), &json!(true)), "from the middle");
}

#[test]
fn maps_lists_and_prints_bundled_maps_and_a_file_takes_precedence() {
    let list = run("maps").success();
    assert!(list.starts_with("valley ") && list.lines().count() >= 7, "{list}");
    let road = run("maps figures/road").success();
    assert_eq!(road, fs::read_to_string(file("maps/figures/road.ron")).unwrap());
    assert_eq!(Folder::with(&[("valley", &road)]).run("route valley --json").json()["map"], "The road");
}

#[test]
fn the_binary_alone_prints_its_tileset() {
    let tileset = run("maps --tileset").success();
    assert_eq!(tileset, fs::read_to_string(file("assets/tileset.ron")).unwrap());
    assert_eq!(Folder::with(&[("tileset.ron", &tileset)]).run("route valley --assets .").status, 0);
}

#[test]
fn check_prints_every_error_on_standard_output() {
    let folder = Folder::new();
    folder.write("bad.ron", fs::read(file("tests/bad/everything.ron")).unwrap());
    let both = "valley: ok, 24 x 20 cells\nfigures/both: ok, 10 x 10 cells\n";
    assert_eq!(folder.run("check valley figures/both").success(), both);
    let Run { status, out, .. } = folder.run("check valley bad.ron no-such.ron");
    assert!(status == 2 && out.contains("unknown terrain 'd' at 1,1") && out.contains("a second tent at 3,0"), "{out}");
    assert!(out.contains("bad.ron:6:11") && out.contains("no-such.ron: there is no such file"), "{out}");
    assert!(out.contains("valley: ok") && !out.contains('\x1b'), "{out}");
    let checked = folder.run("check --json valley bad.ron");
    let rows = checked.objects();
    assert_eq!((checked.status, rows.len()), (2, 8));
    let row = rows.iter().find(|row| row["cell"] == json!([1, 1])).unwrap();
    assert_eq!((&row["line"], &row["column"], &row["help"]), (&6.into(), &11.into(), &"did you mean 'D'?".into()));
    assert_eq!(row["file"], "bad.ron");
    assert_eq!(folder.run("check --json valley").success(), "");
}

#[test]
fn render_writes_a_complete_picture_or_none() {
    let row = "G".repeat(700);
    let wide = format!("(name: \"Wide\", base: [{row:?}], overlay: [{:?}])", ".".repeat(700));
    let folder = Folder::with(&[("wide.ron", &wide)]);
    folder.done("render figures/road --plain -o plain.png");
    folder.done("render figures/road -o full.png");
    folder.done("render figures/road -o route.png --route --corners always");
    let size = |name: &str| image::image_dimensions(folder.path(name)).unwrap();
    assert_eq!((size("plain.png"), size("full.png")), ((522, 288), (522 + 108, 288 + 108)));
    assert_ne!(folder.bytes("full.png"), folder.bytes("route.png"));
    folder.done("render figures/road --plain -o full.png");
    assert_eq!(folder.bytes("full.png"), folder.bytes("plain.png"), "it was replaced");
    let piped = folder.program("render figures/road --plain -o -").output().unwrap();
    assert_eq!(piped.stdout, folder.bytes("plain.png"));
    for (command, reason) in [
        ("render wide.ron -o no.png", " pixels; the largest side allowed is 16384"),
        ("render figures/road -o no/such/folder.png", "its folder does not exist"),
        ("render figures/road -o .", "it is a folder"),
        ("render figures/road --route --to 99,99 -o no.png", "99,99"),
        ("render no-such-map -o no.png", "no-such-map"),
    ] {
        folder.refuses(command, reason);
    }
    assert_eq!(folder.names(), ["full.png", "plain.png", "route.png", "wide.ron"]);
}

#[test]
fn a_folder_of_assets_changes_costs_and_missing_images_are_logged() {
    let tileset = fs::read_to_string(file("assets/tileset.ron")).unwrap().replace("cost: times(0.5)", "cost: times(4)");
    let folder = Folder::with(&[("tileset.ron", &tileset)]);
    let route = folder.run("route figures/road --assets . --json");
    assert!(!route.out.contains("\"cost\":7.24") && route.status == 0, "{route:?}");
    let Run { errors, .. } = folder.run("render figures/road --assets . -o out.png");
    assert!(errors.contains("INFO") && errors.contains(" embedded: ") && !errors.contains('\x1b'), "{errors}");
}

#[test]
fn the_help_lists_every_command_and_each_has_an_example() {
    let all = run("--help").success();
    assert!(all.contains("Examples:\n  emberwalk"), "{all}");
    for command in ["route", "render", "maps", "check", "import", "export", "generate", "solve", "scenario", "man"] {
        assert!(all.lines().any(|line| line.starts_with(&format!("  {command} "))), "{all}");
        let help = run(&format!("{command} --help")).success();
        assert!(help.contains("Examples:\n  emberwalk"), "{help}");
    }
    assert!(run("--version").success().starts_with("emberwalk "));
}

#[test]
fn generate_writes_the_map_of_a_seed() {
    let folder = Folder::new();
    folder.done("generate -o my.ron --seed 7 --kind rooms --width 20");
    let text = folder.text("my.ron");
    assert_eq!(run("generate -o - --seed 7 --kind rooms --width 20").success(), text);
    assert!(text.contains("--width 20 --height 32 --seed 7"), "{text}");
    assert_eq!(folder.run("check my.ron").success(), "my.ron: ok, 20 x 32 cells\n");
}

#[test]
fn generate_without_a_seed_prints_the_seed() {
    let made = run("generate -o - --name Anywhere");
    // A note about the volcano may follow, with a given seed as well.
    let seed = made.errors.lines().find_map(|line| line.strip_prefix("seed ")).unwrap_or_else(|| panic!("{made:?}"));
    let again = run(&format!("generate -o - --name Anywhere --seed {seed}"));
    assert_eq!((again.status, again.out), (0, made.out), "seed {seed}");
}

/// The system allows the program no thread but its first.
#[cfg(target_os = "linux")]
#[test]
fn commands_need_no_other_threads() {
    // A list of queries that is worth tables, on a map that is worth threads.
    let [base, overlay] = ["G", "."].map(|letter| vec![letter.repeat(128); 128]);
    let folder = Folder::with(&[
        ("meadow.ron", &format!("(name: \"Meadow\", base: {base:?}, overlay: {overlay:?})")),
        ("queries", &"1,1 120,120\n".repeat(200)),
    ]);
    // The system sets no limit for root.
    for args in ["generate --kind valley --seed 7 --width 256 --height 256 -o -", "route meadow.ron --queries queries"]
    {
        Run::of(folder.as_nobody(&["prlimit", "--nproc=1"], args).output().unwrap()).success();
    }
}
