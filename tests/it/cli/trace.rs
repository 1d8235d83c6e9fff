//! `emberwalk route --trace`: the events are replayed from the text alone, with the costs of the map.

use std::collections::HashMap;
use std::fs;

use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Corners, Moves, StepRules, UNITS_PER_TILE};
use serde_json::Value;

use super::run_in;
use crate::support::{bundled, tileset};

struct Node {
    parent: Option<Cell>,
    g: f64,
    h: f64,
    is_open: bool,
}

fn cell(value: &Value) -> Cell {
    let number = |k: usize| value[k].as_i64().unwrap() as i32;
    Cell::new(number(0), number(1))
}

fn number(event: &Value, name: &str) -> f64 {
    event[name].as_f64().unwrap()
}

fn is_equal(a: f64, b: f64) -> bool {
    (a - b).abs() < 1.5 / f64::from(UNITS_PER_TILE)
}

/// Replays a trace, and returns the route by its parents and the number of closed events.
fn replay(map: &Map, events: &[Value], options: &[&str]) -> (Vec<Cell>, u64) {
    let mut nodes: HashMap<Cell, Node> = HashMap::new();
    let (mut closed, mut last) = (0, None);
    for event in events {
        let at = cell(&event["cell"]);
        let g = number(event, "g");
        if event["event"] == "closed" {
            let node = nodes.get_mut(&at).expect("opened before closed");
            assert!(node.is_open && is_equal(node.g, g), "{event}");
            node.is_open = false;
            (closed, last) = (closed + 1, Some(at));
            continue;
        }
        assert_eq!(event["event"], "opened");
        let (h, f) = (number(event, "h"), number(event, "f"));
        let parent = (!event["parent"].is_null()).then(|| cell(&event["parent"]));
        if let Some(parent) = parent {
            let (dx, dy) = at - parent;
            let moves = match options {
                [.., "--moves", moves] => moves.parse().unwrap(),
                _ => Moves::Eight,
            };
            let rules = StepRules::new(moves, Corners::Always);
            let cost = rules.step_cost(map.costs(), parent, at).expect("a possible step").tiles();
            let step = if options.contains(&"breadth-first") { 1.0 } else { cost };
            assert!(dx.abs().max(dy.abs()) == 1 && is_equal(g, nodes[&parent].g + step), "{event}");
        } else {
            assert!(g == 0.0 && nodes.is_empty(), "{event}");
        }
        let key = match options {
            [_, "greedy", ..] => h,
            [_, "weighted", ..] => g + 2.5 * h,
            _ => g + h,
        };
        assert!(is_equal(f, key), "{event}");
        assert!(!options.contains(&"dijkstra") || h == 0.0, "{event}");
        assert!(nodes.get(&at).is_none_or(|node| node.g > g && is_equal(node.h, h)), "{event}");
        nodes.insert(at, Node { parent, g, h, is_open: true });
    }
    let mut route = Vec::from_iter(last);
    while let Some(parent) = route.last().and_then(|cell| nodes[cell].parent) {
        route.push(parent);
    }
    route.reverse();
    (route, closed)
}

#[test]
fn the_events_replay_to_the_printed_route() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["generate", "--kind", "highlands", "--width", "20", "--height", "16", "--seed", "3", "-o", "hills.ron"];
    assert!(run_in(folder.path(), &args).status.success());
    let hills = fs::read_to_string(folder.path().join("hills.ron")).unwrap();
    let hills = Map::parse("hills.ron", &hills, &tileset()).unwrap();
    assert!(hills.top() > 3);
    for name in ["valley", "figures/road", "figures/eruption", "hills.ron"] {
        let map = if name == "hills.ron" { hills.clone() } else { bundled(name) };
        for algorithm in [
            ["--algorithm", "auto"].as_slice(),
            &["--algorithm", "astar", "--heuristic", "euclidean"],
            &["--algorithm", "astar", "--scale", "classic"],
            &["--algorithm", "weighted", "--weight", "2.5"],
            &["--algorithm", "dijkstra", "--moves", "4"],
            &["--algorithm", "auto", "--moves", "6"],
            &["--algorithm", "astar", "--heuristic", "chebyshev", "--moves", "6"],
            &["--algorithm", "breadth-first", "--moves", "6"],
            &["--algorithm", "greedy", "--corners", "always"],
            &["--algorithm", "breadth-first"],
        ] {
            let args = [["route", name, "--trace", "-", "--json"].as_slice(), algorithm].concat();
            let output = run_in(folder.path(), &args);
            let lines: Vec<Value> = output
                .stdout
                .split(|byte| *byte == b'\n')
                .filter_map(|line| serde_json::from_slice(line).ok())
                .collect();
            let [events @ .., end, answer] = &lines[..] else { panic!("{args:?}: {output:?}") };
            assert_eq!(
                (&end["event"], &end["cost"], &end["steps"]),
                (&"found".into(), &answer["cost"], &answer["steps"])
            );
            let (route, closed) = replay(&map, events, algorithm);
            let cells: Vec<_> = answer["cells"].as_array().unwrap().iter().map(cell).collect();
            assert_eq!((route, closed), (cells, answer["expanded"].as_u64().unwrap() + 1), "{args:?}");
        }
    }
}

#[test]
fn a_trace_for_an_unreachable_goal_closes_all_reachable_cells() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.ron"), r#"(name: "two", base: ["GG~G", "GG~G"], overlay: ["1...", "...2"])"#)
        .unwrap();
    let output = run_in(folder.path(), &["route", "two.ron", "--trace", "t.jsonl", "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let trace = fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
    let kinds: Vec<_> =
        trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].clone()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "closed").count(), 4);
    assert_eq!((kinds.last(), &answer["expanded"]), (Some(&"exhausted".into()), &4.into()));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_trace_to_standard_output_replaces_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), &["route", "valley", "--from", "0,0", "--to", "0,0", "--trace", "-"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "{\"event\":\"found\",\"cost\":0.0,\"steps\":0}\n", "the start is the goal");
    let text = run_in(folder.path(), &["route", "valley", "--trace", "t"]).stdout;
    assert!(text.starts_with(b"The valley: from "), "a file does not replace it");
}

#[test]
fn a_trace_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), &["route", "valley", "--trace", "no/such/trace"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), [].as_slice()));
    assert!(error.contains("no/such/trace cannot be written: its folder does not exist"), "{error}");
    let blocked = run_in(folder.path(), &["route", "figures/road", "--to", "5,4", "--trace", "t"]);
    assert_eq!((blocked.status.code(), folder.path().join("t").exists()), (Some(2), false), "nothing half written");
}

#[test]
fn outputs_do_not_overwrite_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let map = r#"(name: "two", base: ["GG"], overlay: ["12"])"#;
    fs::write(folder.path().join("two.png"), map).unwrap();
    for args in [
        ["route", "two.png", "--trace", "two.png"],
        ["render", "two.png", "-o", "./two.png"],
        ["animate", "two.png", "-o", "two.png"],
    ] {
        let output = run_in(folder.path(), &args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("is an input, and would be overwritten"), "{args:?}: {error}");
        assert_eq!(fs::read_to_string(folder.path().join("two.png")).unwrap(), map);
    }
}
