//! `emberwalk scenario`: its output, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use super::run_in;
use crate::support::foreign::{MAP, SCENARIO};

const KEYS: &str = "map algorithm queries found mean_us median_us p99_us cold_us prep_us expanded wrong";

/// Runs `emberwalk scenario gate.map gate.map.scen` with more arguments on these files.
fn run(map: &str, scenario: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gate.map"), map).unwrap();
    fs::write(folder.path().join("gate.map.scen"), scenario).unwrap();
    run_files(folder.path(), &["gate.map", "gate.map.scen"], args)
}

fn run_files(folder: &Path, files: &[&str], args: &[&str]) -> Output {
    run_in(folder, &[&["scenario"], files, args].concat())
}

/// The standard output of a run that ends with `status`. Standard error must have nothing but warnings of problems with
/// a blocked start or goal.
fn out(output: Output, status: i32) -> String {
    let errors = String::from_utf8(output.stderr).unwrap();
    let others: Vec<_> = errors.lines().filter(|line| !line.contains(" is blocked")).collect();
    assert_eq!((output.status.code(), others), (Some(status), vec![]));
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON objects that a run on the small map prints. It ends with status 1 if it has wrong answers.
fn rows(args: &[&str]) -> Vec<Value> {
    let args: Vec<_> = ["--json", "--passes", "2"].iter().chain(args).copied().collect();
    let output = run(MAP, SCENARIO, &args);
    let status = output.status.code().unwrap();
    let rows: Vec<Value> = out(output, status).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(status, i32::from(rows.last().unwrap()["wrong"].as_u64().unwrap_or(0) > 0));
    rows
}

fn costs(rows: &[Value]) -> Vec<Option<f64>> {
    rows[..rows.len() - 1].iter().map(|row| row["cost"].as_f64()).collect()
}

fn assert_near(costs: &[Option<f64>], right: &[Option<f64>]) {
    let near = |(a, b): (&Option<f64>, &Option<f64>)| match (a, b) {
        // Costs are stored with thirteen binary digits.
        (Some(a), Some(b)) => (a - b).abs() <= 2e-4 * b,
        (a, b) => a == b,
    };
    assert!(costs.len() == right.len() && costs.iter().zip(right).all(near), "{costs:?}, not {right:?}");
}

#[test]
fn the_summary_is_one_json_object_with_the_documented_fields() {
    let text = out(run(MAP, SCENARIO, &["--json"]), 1);
    assert!(text.ends_with('\n') && text.lines().count() == 1, "{text}");
    let keys = text.split('"').skip(1).step_by(2).filter(|part| !["gate", "auto"].contains(part));
    assert_eq!(keys.collect::<Vec<_>>().join(" "), KEYS);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["map"], &report["algorithm"]), (&"gate".into(), &"auto".into()));
    assert_eq!((&report["queries"], &report["found"], &report["wrong"]), (&5.into(), &4.into(), &2.into()));
    for key in ["mean_us", "median_us", "p99_us", "cold_us", "prep_us", "expanded"] {
        assert!(report[key].as_f64().is_some_and(|value| value >= 0.0), "{key}");
    }
    assert!(report["p99_us"].as_f64() >= report["median_us"].as_f64());
}

#[test]
fn each_query_has_its_cost() {
    let rows = rows(&["--each"]);
    assert_eq!(rows.len(), 6);
    for (k, row) in rows[..5].iter().enumerate() {
        let keys: Vec<_> = row.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["cost", "expanded", "query", "us"], "serde_json sorts them");
        assert_eq!(row["query"], k);
        assert!(row["us"].as_f64().unwrap() >= 0.0 && row["expanded"].is_u64());
    }
    // One diagonal step, then straight steps through the gate and up, because no diagonal step may cut its corners.
    let through = 2f64.sqrt() + 3.0;
    assert_near(&costs(&rows), &[Some(2.0), Some(through), Some(through), None, Some(0.0)]);
    let first = out(run(MAP, SCENARIO, &["--json", "--each"]), 1).lines().next().unwrap().to_owned();
    assert!(first.starts_with(r#"{"query":0,"cost":2.0,"us":"#), "{first}");
}

#[test]
fn with_costs_all_cells_but_out_of_bounds_are_passable() {
    let rows = rows(&["--each", "--cost", "T=1.5,S=2,W=4"]);
    // To 3,0: a diagonal step (1.414), into the gate (1), into the swamp (2), and up (1). To the trees, a diagonal step
    // from the swamp cuts no corner, and costs less than two straight steps.
    let gate = 1.414 + 1.0 + 2.0;
    assert_near(&costs(&rows), &[Some(2.0), Some(gate + 1.0), Some(gate + 1.0), Some(gate + 1.5 * 1.414), Some(0.0)]);
    assert_eq!((&rows[5]["found"], &rows[5]["wrong"]), (&5.into(), &Value::Null));
}

#[test]
fn planning_options_are_used() {
    let four = rows(&["--each", "--moves", "4", "--algorithm", "dijkstra"]);
    assert_near(&costs(&four), &[Some(2.0), Some(5.0), Some(5.0), None, Some(0.0)]);
    assert_eq!((&four[5]["algorithm"], &four[5]["wrong"]), (&"dijkstra".into(), &3.into()));
    let cutting = rows(&["--each", "--corners", "always"]);
    assert_near(&costs(&cutting)[1..2], &[Some(2.0 * 2f64.sqrt() + 1.0)]);
}

#[test]
fn a_cost_is_wrong_if_it_exceeds_both_tolerances() {
    let wrong = |from: &str, length: &str| {
        let scenario = format!("0 gate.map 5 4 {from} 0 2 {length}\n");
        let output = run(MAP, &scenario, &["--json"]);
        let status = output.status.code().unwrap();
        let report: Value = serde_json::from_str(&out(output, status)).unwrap();
        assert_eq!(report["wrong"], status, "the status says whether the answer is wrong");
        status
    };
    // For a route of 2 tiles, 0.1 % is 0.002 tiles.
    assert_eq!(wrong("0 0", "2.0019"), 0);
    assert_eq!(wrong("0 0", "2.0021"), 1);
    assert_eq!(wrong("0 0", "1.9979"), 1);
    // For a route of length 0, 0.1 % is nothing, and the tolerance is 0.001 tiles.
    assert_eq!(wrong("0 2", "0.0009"), 0);
    assert_eq!(wrong("0 2", "0.0011"), 1);
}

#[test]
fn lengths_are_compared_as_precisely_as_they_are_written() {
    let wrong = |text: &str| {
        let output = run(MAP, text, &["--json"]);
        let status = output.status.code().unwrap();
        let report: Value = serde_json::from_str(&out(output, status)).unwrap();
        report["wrong"].as_u64().unwrap()
    };
    let problem = |length: &str| format!("0 gate.map 5 4 0 0 3 0 {length}\n");
    for (length, expected) in [
        ("4.41", 0),
        ("4.42", 1),
        ("4.40", 1),
        ("4.4", 0),
        ("4.43", 1),
        ("4.414", 0),
        ("4.418", 0),
        ("4.4200", 1),
        ("4", 1),
    ] {
        assert_eq!(wrong(&problem(length)), expected, "{length}");
    }
    assert_eq!(wrong(&[problem("4.41"), problem("4.4")].concat()), 1, "4.4 means 4.40 here");
}

#[test]
fn who_starts_in_water_stays_there() {
    let map = "type octile\nheight 2\nwidth 4\nmap\nWWW.\nTT.W\n";
    let scenario =
        "0 a 4 2 0 0 2 0 2\n0 a 4 2 0 0 3 1 3.41421\n0 a 4 2 0 1 1 1 1\n0 a 4 2 2 1 3 0 2\n0 a 4 2 3 0 2 0 1\n";
    let output = run(map, scenario, &["--json", "--each"]);
    let rows: Vec<Value> = out(output, 1).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_near(&costs(&rows), &[Some(2.0), None, Some(1.0), None, None]);
    let output = run(map, scenario, &["--json", "--each", "--cost", "W=2"]);
    let rows: Vec<Value> = out(output, 0).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.last().unwrap()["found"], 5, "with costs all are connected");
}

#[test]
fn without_lengths_no_answer_is_wrong() {
    let none = "0 gate.map 5 4 0 0 0 2 0\n0 gate.map 5 4 0 0 1 0 0.0\n";
    let report: Value = serde_json::from_str(&out(run(MAP, none, &["--json"]), 0)).unwrap();
    assert_eq!((&report["wrong"], &report["found"]), (&Value::Null, &2.into()));
    let text = out(run(MAP, none, &[]), 0);
    assert!(text.contains("wrong answers             - (all lengths in the file are 0, so it has none)\n"), "{text}");
    let one = none.replace("0.0", "1.0");
    let report: Value = serde_json::from_str(&out(run(MAP, &one, &["--json"]), 1)).unwrap();
    assert_eq!(report["wrong"], 1, "one length is there, so the other one is wrong");
}

#[test]
fn scenarios_of_scaled_maps_are_run() {
    let found = |scenario: &str| {
        let report: Value = serde_json::from_str(&out(run(MAP, scenario, &["--json"]), 0)).unwrap();
        assert_eq!(report["wrong"], 0);
    };
    // Twice as large, the way through the gate is a diagonal step and straight ones.
    found("0 gate.map 10 8 0 0 0 5 5\n");
    found("0 gate.map 1 1 0 0 0 2 2\n");
    let text = out(run(MAP, "0 gate.map 10 8 0 0 0 5 5\n", &[]), 0);
    assert!(text.contains("gate: 10 x 8 cells"), "{text}");
}

#[test]
fn the_default_output_is_a_table() {
    let text = out(run(MAP, SCENARIO, &["--each"]), 1);
    assert!(text.contains("gate: 5 x 4 cells, 5 problems, 4 with a route, by auto\n"), "{text}");
    let row = text.lines().nth(4).unwrap().split_whitespace().take(5).collect::<Vec<_>>();
    assert_eq!(row, ["3", "0,0", "4,0", "5.414", "none"]);
    assert!(text.lines().last().unwrap().contains("wrong answers             2 of 5"), "{text}");
    let text = out(run(MAP, SCENARIO, &["--cost", "T=2"]), 0);
    assert_eq!(text.lines().count(), 9, "{text}");
    let text = out(run(MAP, "0 gate.map 5 4 0 0 0 2 2\n", &[]), 0);
    assert!(text.contains("5 x 4 cells, 1 problem, 1 with a route"), "{text}");
}

#[test]
fn a_problem_without_a_route_is_wrong() {
    // Into the trees, which are blocked without `--cost`, and to a cell of the last row, which is out of bounds.
    for goal in ["4 0", "0 3"] {
        let scenario = format!("0 gate.map 5 4 0 0 0 2 2\n0 gate.map 5 4 0 0 {goal} 5.41421\n");
        let report: Value = serde_json::from_str(&out(run(MAP, &scenario, &["--json"]), 1)).unwrap();
        assert_eq!((&report["found"], &report["wrong"]), (&1.into(), &1.into()), "{goal}");
    }
    let report: Value = serde_json::from_str(&out(run(MAP, "0 gate.map 5 4 0 0 0 2 2\n", &["--json"]), 0)).unwrap();
    assert_eq!(report["wrong"], 0);
}

#[test]
fn blocked_starts_and_goals_are_named_with_their_lines() {
    let warnings = |scenario: &str| String::from_utf8(run(MAP, scenario, &["--json"]).stderr).unwrap();
    assert_eq!(
        warnings(SCENARIO),
        "warning: gate.map.scen:5: the goal 4,0 is blocked for a start on .: its letter is T\n"
    );
    assert_eq!(warnings("0 gate.map 5 4 0 0 0 2 2\n"), "");
    let blocked = warnings(&"0 gate.map 5 4 2 0 0 0 2\n".repeat(5));
    assert!(blocked.starts_with("warning: gate.map.scen:1: the start 2,0 is blocked: its letter is @\n"), "{blocked}");
    let last = "warning: gate.map.scen: 2 more problems with a start or goal that is blocked\n";
    assert!(blocked.lines().count() == 4 && blocked.ends_with(last), "{blocked}");
}

#[test]
fn unprepared_runs_give_the_same_costs() {
    let (prepared, unprepared) = (rows(&["--each"]), rows(&["--each", "--unprepared"]));
    assert_near(&costs(&unprepared), &costs(&prepared));
    assert!(unprepared[5]["prep_us"].as_f64().unwrap() >= 0.0);
}

#[test]
fn costs_of_letters_that_the_map_does_not_have_cause_a_warning() {
    let output = run(MAP, SCENARIO, &["--cost", "t=1.5,S=2,Z=3", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "warning: --cost names Z t, which gate.map does not have; its letters are . @ G S T W\n"
    );
}

#[test]
fn invalid_files_and_arguments_are_refused() {
    let refusal = |map: &str, scenario: &str, args: &[&str]| {
        let output = run(map, scenario, args);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        errors
    };
    assert!(refusal(&MAP.replace("..GSW", "..GS"), SCENARIO, &[]).contains("gate.map:6:1"));
    assert!(refusal(MAP, &SCENARIO.replace("4.4\n", "far\n"), &[]).contains("gate.map.scen:4:"));
    assert!(refusal(MAP, SCENARIO, &["--cost", "@=2"]).contains("'@' is out of bounds"));
    assert!(refusal(MAP, SCENARIO, &["--cost", "T=1,5"]).contains("a fraction is written with a point, such as T=1.5"));
    for passes in ["0", "1001", "-1", "1.5"] {
        let errors = refusal(MAP, SCENARIO, &["--passes", passes]);
        assert!(errors.contains("the number of passes is a whole number from 1 to 1000"), "{errors}");
    }
    assert!(refusal(MAP, SCENARIO, &["--algorithm", "weighted", "--weight", "0.5"]).contains("weight"));
    assert!(refusal(MAP, SCENARIO, &["--from", "0,0"]).contains("--from"));
    let folder = tempfile::tempdir().unwrap();
    let output = run_files(folder.path(), &["no.map", "no.scen"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no.map: there is no such file"));
}

/// The benchmark sets are not part of the repository. `MOVING_AI=FOLDER cargo test -- --ignored sample` uses the files
/// in a folder, which has a `.map.scen` for each map.
#[test]
#[ignore = "needs files of the Moving AI sets; MOVING_AI=FOLDER cargo test -- --ignored sample"]
fn sample_files_have_the_lengths_that_they_say() {
    let folder = PathBuf::from(std::env::var_os("MOVING_AI").expect("MOVING_AI is the folder of the files"));
    let mut maps = 0;
    for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // The lengths in these two files were computed by other rules.
        if !name.ends_with(".map") || ["battleground.map", "duskwood.map"].contains(&name.as_str()) {
            continue;
        }
        let scenario = format!("{name}.scen");
        let text = out(run_files(&folder, &[&name, &scenario], &["--json", "--passes", "1"]), 0);
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&report["found"], &report["wrong"]), (&report["queries"], &0.into()), "{name}");
        maps += 1;
    }
    assert!(maps > 0, "no maps in {}", folder.display());
}

#[test]
fn letters_that_are_unknown_are_blocked_with_a_warning() {
    let map = "type octile\nheight 1\nwidth 5\nmap\n.ES.x\n";
    let output = run(map, "0\tgate.map\t5\t1\t0\t0\t3\t0\t3\n", &["--json"]);
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    let says = "warning: gate.map: these letters are unknown, and so they are blocked: 'x' (first at 4,0)\n";
    assert_eq!((errors.as_str(), output.status.code()), (says, Some(0)), "endpoints and stations are passable");
    let known = run(&map.replace('x', "E"), "0\tgate.map\t5\t1\t0\t0\t4\t0\t4\n", &["--json"]);
    assert_eq!((known.stderr, known.status.code()), (vec![], Some(0)));
    let listed = run(map, "0\tgate.map\t5\t1\t0\t0\t4\t0\t4\n", &["--cost", "x=2"]);
    assert_eq!((listed.stderr, listed.status.code()), (vec![], Some(0)), "it has a cost");
}
