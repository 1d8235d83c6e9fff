//! `emberwalk crowd`: its report, its log, and what it refuses.

use std::fs;

use serde_json::Value;

use super::run_in;
use crate::support::foreign::{MAP, SCENARIO};

/// Runs `emberwalk crowd` in a folder with some files. Returns the status, standard output and standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gate.map"), MAP).unwrap();
    fs::write(folder.path().join("gate.map.scen"), SCENARIO).unwrap();
    fs::write(folder.path().join("orders.txt"), "1,5 8,5 # there\n8,5 1,5\n").unwrap();
    fs::write(folder.path().join("twice.txt"), "1,5 8,5\n1,5 2,2\n").unwrap();
    fs::write(folder.path().join("none.txt"), "# nobody\n").unwrap();
    fs::write(folder.path().join("empty.txt"), "").unwrap();
    fs::write(folder.path().join("faults.txt"), "1,5 8,5\n\n# next\n1,5 2,5 # again\n2,5 8,5\n1,5 2,5\n").unwrap();
    fs::write(folder.path().join("cr.txt"), "# from to\r1,5 8,5\r\r8,5 1,5\r").unwrap();
    let output = run_in(folder.path(), &[&["crowd"], args].concat());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// `--units`, the former name of `--agents`, still works.
#[test]
fn all_agents_arrive_and_the_same_seed_gives_the_same_steps() {
    let args = ["valley", "--units", "60", "--goals", "5", "--edits", "--log", "-"];
    let (status, log, errors) = run(&args);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(run(&args).1, log);
    assert_ne!(run(&[&args[..], &["--seed", "2"]].concat()).1, log);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |key: &str| lines.iter().filter(|line| line.get(key).is_some()).count();
    assert_eq!((count("goal"), count("leaves")), (60, 60), "they share goals, so they leave there");
    assert!(count("edit") > 0);
    let (_, json, _) = run(&["valley", "--agents", "60", "--goals", "5", "--json"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["units"], &report["arrived"], &report["conflicts"]), (&60.into(), &60.into(), &0.into()));
    assert!(report["mean_stretch"].as_f64().unwrap() >= 1.0);
}

#[test]
fn agents_change_places_by_the_orders_of_a_file() {
    let (status, log, _) = run(&["figures/road", "--orders", "orders.txt", "--log", "-"]);
    assert_eq!(status, 0);
    let last_cell = |agent: u64| {
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut steps = lines.filter(|line| line["unit"] == agent && line.get("to").is_some());
        steps.next_back().map(|line| line["to"].to_string())
    };
    assert_eq!((last_cell(0), last_cell(1)), (Some("[8,5]".into()), Some("[1,5]".into())));
}

#[test]
fn orders_that_cannot_be_walked_are_refused_with_file_and_line() {
    let (_, _, errors) = run(&["figures/road", "--orders", "faults.txt"]);
    for place in ["faults.txt:4:1", "faults.txt:6:1"] {
        assert!(errors.contains(place), "{place}: {errors}");
    }
    assert_eq!(errors.matches("two agents start in 1,5: this one and the one in line 1").count(), 2, "{errors}");
    for file in ["none.txt", "empty.txt"] {
        let (status, _, errors) = run(&["figures/road", "--orders", file]);
        assert!(status == 2 && errors.contains(file) && errors.contains("there are no orders"), "{errors}");
    }
}

#[test]
fn lines_of_orders_may_end_in_cr() {
    let (status, json, errors) = run(&["figures/road", "--orders", "cr.txt", "--json"]);
    let report: Value = serde_json::from_str(&json).unwrap_or_else(|_| panic!("{errors}"));
    assert_eq!((status, &report["units"], &report["arrived"]), (0, &2.into(), &2.into()));
}

#[test]
fn a_log_in_a_file_is_the_log_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.json");
    let args = ["valley", "--agents", "20", "--log"];
    let (_, log, _) = run(&[&args[..], &["-"]].concat());
    fs::write(&path, "old").unwrap();
    let (status, report, _) = run(&[&args[..], &[path.to_str().unwrap()]].concat());
    assert!(status == 0 && report.contains("conflicts  none"), "{report}");
    assert_eq!(fs::read_to_string(&path).unwrap(), log);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_cannot_be_walked_is_refused() {
    for (args, message) in [
        (&["figures/road", "--orders", "twice.txt"][..], "two agents start in 1,5"),
        (&["figures/road", "--orders", "none.txt"], "there are no orders"),
        (&["figures/road", "--agents", "1000"], "too few for that many agents and goals"),
        (&["gate.map", "gate.map.scen", "--agents", "1000"], "there cannot be 1000 agents"),
        (&["-", "--orders", "-"], "only one of the files can be standard input"),
        (&["valley", "--seconds", "-1"], "the number of seconds is from 0 to 86400"),
    ] {
        let (status, out, errors) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(errors.contains(message), "{args:?}: {errors}");
    }
}
