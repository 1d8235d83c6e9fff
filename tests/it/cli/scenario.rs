//! `emberwalk scenario`: its output, and what it refuses.

use std::path::PathBuf;

use serde_json::Value;

use super::{Folder, Run, names, program};
use crate::support::foreign::{MAP, SCENARIO};

const KEYS: &str = "map algorithm queries found mean_us median_us p99_us cold_us prep_us expanded wrong";

/// A folder with a map and its scenario.
fn folder(map: &str, scenario: &str) -> Folder {
    Folder::with(&[("gate.map", map), ("gate.map.scen", scenario)])
}

/// Runs `emberwalk scenario gate.map gate.map.scen` with more options on these files. Standard error must have nothing but
/// warnings of problems with a blocked start or goal.
fn run(map: &str, scenario: &str, options: &str) -> Run {
    let run = folder(map, scenario).run(&format!("scenario gate.map gate.map.scen {options}"));
    assert!(run.errors.lines().all(|line| line.contains(" is blocked")), "{options}: {run:?}");
    run
}

/// The summary of a run. It ends with status 1 if it has wrong answers.
fn summary(map: &str, scenario: &str) -> Value {
    let run = run(map, scenario, "--json");
    let summary = run.json();
    assert_eq!(run.status, i32::from(summary["wrong"].as_u64().unwrap_or(0) > 0));
    summary
}

/// The JSON objects that a run on the small map prints. It ends with status 1 if it has wrong answers.
fn rows(options: &str) -> Vec<Value> {
    let run = run(MAP, SCENARIO, &format!("--json --passes 2 --each {options}"));
    let rows = run.objects();
    assert_eq!(run.status, i32::from(rows.last().unwrap()["wrong"].as_u64().unwrap_or(0) > 0));
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
    let run = run(MAP, SCENARIO, "--json");
    let keys = run.out.split('"').skip(1).step_by(2).filter(|part| !["gate", "auto"].contains(part));
    assert_eq!(keys.collect::<Vec<_>>().join(" "), KEYS);
    let report = run.json();
    assert_eq!((&report["map"], &report["algorithm"]), (&"gate".into(), &"auto".into()));
    assert_eq!((&report["queries"], &report["found"], &report["wrong"]), (&5.into(), &4.into(), &2.into()));
    for key in ["mean_us", "median_us", "p99_us", "cold_us", "prep_us", "expanded"] {
        assert!(report[key].as_f64().is_some_and(|value| value >= 0.0), "{key}");
    }
    assert!(report["p99_us"].as_f64() >= report["median_us"].as_f64());
}

#[test]
fn each_query_has_its_cost() {
    let rows = rows("");
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
    let text = run(MAP, SCENARIO, "--json --each").out;
    assert!(text.starts_with(r#"{"query":0,"cost":2.0,"us":"#), "{text}");
}

#[test]
fn with_costs_all_cells_but_out_of_bounds_are_passable() {
    let rows = rows("--cost T=1.5,S=2,W=4");
    // To 3,0: a diagonal step (1.414), into the gate (1), into the swamp (2), and up (1). To the trees, a diagonal step
    // from the swamp cuts no corner, and costs less than two straight steps.
    let gate = 1.414 + 1.0 + 2.0;
    assert_near(&costs(&rows), &[Some(2.0), Some(gate + 1.0), Some(gate + 1.0), Some(gate + 1.5 * 1.414), Some(0.0)]);
    assert_eq!((&rows[5]["found"], &rows[5]["wrong"]), (&5.into(), &Value::Null));
}

#[test]
fn planning_options_are_used() {
    let four = rows("--moves 4 --algorithm dijkstra");
    assert_near(&costs(&four), &[Some(2.0), Some(5.0), Some(5.0), None, Some(0.0)]);
    assert_eq!((&four[5]["algorithm"], &four[5]["wrong"]), (&"dijkstra".into(), &3.into()));
    let cutting = rows("--corners always");
    assert_near(&costs(&cutting)[1..2], &[Some(2.0 * 2f64.sqrt() + 1.0)]);
}

#[test]
fn a_cost_is_wrong_if_it_exceeds_both_tolerances() {
    let wrong =
        |from: &str, length: &str| summary(MAP, &format!("0 gate.map 5 4 {from} 0 2 {length}\n"))["wrong"].clone();
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
        assert_eq!(summary(MAP, &problem(length))["wrong"], expected, "{length}");
    }
    let both = problem("4.41") + &problem("4.4");
    assert_eq!(summary(MAP, &both)["wrong"], 1, "4.4 means 4.40 here");
}

#[test]
fn who_starts_in_water_stays_there() {
    let map = "type octile\nheight 2\nwidth 4\nmap\nWWW.\nTT.W\n";
    let scenario =
        "0 a 4 2 0 0 2 0 2\n0 a 4 2 0 0 3 1 3.41421\n0 a 4 2 0 1 1 1 1\n0 a 4 2 2 1 3 0 2\n0 a 4 2 3 0 2 0 1\n";
    let rows = run(map, scenario, "--json --each").objects();
    assert_near(&costs(&rows), &[Some(2.0), None, Some(1.0), None, None]);
    let rows = run(map, scenario, "--json --each --cost W=2").objects();
    assert_eq!(rows.last().unwrap()["found"], 5, "with costs all are connected");
}

#[test]
fn without_lengths_no_answer_is_wrong() {
    let none = "0 gate.map 5 4 0 0 0 2 0\n0 gate.map 5 4 0 0 1 0 0.0\n";
    let report = summary(MAP, none);
    assert_eq!((&report["wrong"], &report["found"]), (&Value::Null, &2.into()));
    let text = run(MAP, none, "").success();
    assert!(text.contains("wrong answers             - (all lengths in the file are 0, so it has none)\n"), "{text}");
    assert_eq!(summary(MAP, &none.replace("0.0", "1.0"))["wrong"], 1, "one length is there, so the other one is wrong");
}

#[test]
fn scenarios_of_scaled_maps_are_run() {
    // Twice as large, the way through the gate is a diagonal step and straight ones.
    assert_eq!(summary(MAP, "0 gate.map 10 8 0 0 0 5 5\n")["wrong"], 0);
    assert_eq!(summary(MAP, "0 gate.map 1 1 0 0 0 2 2\n")["wrong"], 0);
    let text = run(MAP, "0 gate.map 10 8 0 0 0 5 5\n", "").success();
    assert!(text.contains("gate: 10 x 8 cells"), "{text}");
}

#[test]
fn the_default_output_is_a_table() {
    let text = run(MAP, SCENARIO, "--each").out;
    assert!(text.contains("gate: 5 x 4 cells, 5 problems, 4 with a route, by auto\n"), "{text}");
    let row = text.lines().nth(4).unwrap().split_whitespace().take(5).collect::<Vec<_>>();
    assert_eq!(row, ["3", "0,0", "4,0", "5.414", "none"]);
    assert!(text.lines().last().unwrap().contains("wrong answers             2 of 5"), "{text}");
    let text = run(MAP, SCENARIO, "--cost T=2").success();
    assert_eq!(text.lines().count(), 9, "{text}");
    let text = run(MAP, "0 gate.map 5 4 0 0 0 2 2\n", "").success();
    assert!(text.contains("5 x 4 cells, 1 problem, 1 with a route"), "{text}");
}

#[test]
fn a_problem_without_a_route_is_wrong() {
    // Into the trees, which are blocked without `--cost`, and to a cell of the last row, which is out of bounds.
    for goal in ["4 0", "0 3"] {
        let scenario = format!("0 gate.map 5 4 0 0 0 2 2\n0 gate.map 5 4 0 0 {goal} 5.41421\n");
        let report = summary(MAP, &scenario);
        assert_eq!((&report["found"], &report["wrong"]), (&1.into(), &1.into()), "{goal}");
    }
    assert_eq!(summary(MAP, "0 gate.map 5 4 0 0 0 2 2\n")["wrong"], 0);
}

#[test]
fn blocked_starts_and_goals_are_named_with_their_lines() {
    let warnings = |scenario: &str| run(MAP, scenario, "--json").errors;
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
    let (prepared, unprepared) = (rows(""), rows("--unprepared"));
    assert_near(&costs(&unprepared), &costs(&prepared));
    assert!(unprepared[5]["prep_us"].as_f64().unwrap() >= 0.0);
}

#[test]
fn costs_of_letters_that_the_map_does_not_have_cause_a_warning() {
    let warning = "warning: --cost names Z t, which gate.map does not have; its letters are . @ G S T W\n";
    let run = folder(MAP, SCENARIO).run("scenario gate.map gate.map.scen --cost t=1.5,S=2,Z=3 --json");
    assert_eq!((run.status, run.errors.as_str()), (0, warning));
}

#[test]
fn invalid_files_and_arguments_are_refused() {
    let command = "scenario gate.map gate.map.scen";
    folder(&MAP.replace("..GSW", "..GS"), SCENARIO).refuses(command, "gate.map:6:1");
    folder(MAP, &SCENARIO.replace("4.4\n", "far\n")).refuses(command, "gate.map.scen:4:");
    let passes = "the number of passes is a whole number from 1 to 1000";
    for (options, reason) in [
        ("--cost @=2", "'@' is out of bounds"),
        ("--cost T=1,5", "a fraction is written with a point, such as T=1.5"),
        ("--passes 0", passes),
        ("--passes 1001", passes),
        ("--passes -1", passes),
        ("--passes 1.5", passes),
        ("--algorithm weighted --weight 0.5", "weight"),
        ("--from 0,0", "--from"),
    ] {
        folder(MAP, SCENARIO).refuses(&format!("{command} {options}"), reason);
    }
    Folder::new().refuses("scenario no.map no.scen", "no.map: there is no such file");
}

/// The benchmark sets are not part of the repository. `MOVING_AI=FOLDER cargo test -- --ignored sample` uses the files
/// in a folder, which has a `.map.scen` for each map.
#[test]
#[ignore = "needs files of the Moving AI sets; MOVING_AI=FOLDER cargo test -- --ignored sample"]
fn sample_files_have_the_lengths_that_they_say() {
    let folder = PathBuf::from(std::env::var_os("MOVING_AI").expect("MOVING_AI is the folder of the files"));
    // The lengths in two files were computed by other rules.
    let is_sample = |name: &String| name.ends_with(".map") && !["battleground.map", "duskwood.map"].contains(&&**name);
    let maps: Vec<_> = names(&folder).into_iter().filter(is_sample).collect();
    for name in &maps {
        let scenario = format!("{name}.scen");
        let command = ["scenario", name, &scenario, "--json", "--passes", "1"];
        let report = Run::of(program(&folder, &command).output().unwrap()).json();
        assert_eq!((&report["found"], &report["wrong"]), (&report["queries"], &0.into()), "{name}");
    }
    assert!(!maps.is_empty(), "no maps in {}", folder.display());
}

#[test]
fn letters_that_are_unknown_are_blocked_with_a_warning() {
    let map = "type octile\nheight 1\nwidth 5\nmap\n.ES.x\n";
    let errors = |map: &str, x: u32, options: &str| {
        let folder = folder(map, &format!("0\tgate.map\t5\t1\t0\t0\t{x}\t0\t{x}\n"));
        let run = folder.run(&format!("scenario gate.map gate.map.scen --json {options}"));
        assert_eq!(run.status, 0, "{run:?}");
        run.errors
    };
    let warning = "warning: gate.map: these letters are unknown, and so they are blocked: 'x' (first at 4,0)\n";
    assert_eq!(errors(map, 3, ""), warning, "endpoints and stations are passable");
    assert_eq!(errors(&map.replace('x', "E"), 4, ""), "");
    assert_eq!(errors(map, 4, "--cost x=2"), "", "it has a cost");
}
