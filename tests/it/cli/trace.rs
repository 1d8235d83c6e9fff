//! `emberwalk route --trace`: the events are replayed from the text alone, with the costs of the map.

use std::collections::HashMap;

use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Corners, Moves, StepRules, UNITS_PER_TILE};
use serde_json::Value;

use super::{Folder, Run, run};
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
fn replay(map: &Map, events: &[Value], options: &str) -> (Vec<Cell>, u64) {
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
            let moves = options.split_once("--moves ").map_or(Moves::Eight, |(_, moves)| moves.parse().unwrap());
            let rules = StepRules::new(moves, Corners::Always);
            let cost = rules.step_cost(map.costs(), parent, at).expect("a possible step").tiles();
            let step = if options.contains("breadth-first") { 1.0 } else { cost };
            assert!(dx.abs().max(dy.abs()) == 1 && is_equal(g, nodes[&parent].g + step), "{event}");
        } else {
            assert!(g == 0.0 && nodes.is_empty(), "{event}");
        }
        let key = match options.split(' ').next() {
            Some("greedy") => h,
            Some("weighted") => g + 2.5 * h,
            _ => g + h,
        };
        assert!(is_equal(f, key), "{event}");
        assert!(!options.contains("dijkstra") || h == 0.0, "{event}");
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
    let folder = Folder::new();
    assert_eq!(folder.run("generate --kind highlands --width 20 --height 16 --seed 3 -o hills.ron").status, 0);
    let hills = Map::parse("hills.ron", &folder.text("hills.ron"), &tileset()).unwrap();
    assert!(hills.top() > 3);
    for name in ["valley", "figures/road", "figures/eruption", "hills.ron"] {
        let map = if name == "hills.ron" { hills.clone() } else { bundled(name) };
        for algorithm in [
            "auto",
            "astar --heuristic euclidean",
            "astar --scale classic",
            "weighted --weight 2.5",
            "dijkstra --moves 4",
            "auto --moves 6",
            "astar --heuristic chebyshev --moves 6",
            "breadth-first --moves 6",
            "greedy --corners always",
            "breadth-first",
        ] {
            let lines = folder.run(&format!("route {name} --trace - --json --algorithm {algorithm}")).objects();
            let [events @ .., end, answer] = &lines[..] else { panic!("{name}, {algorithm}: {lines:?}") };
            assert_eq!(end["event"], "found");
            assert_eq!((&end["cost"], &end["steps"]), (&answer["cost"], &answer["steps"]));
            let (route, closed) = replay(&map, events, algorithm);
            let cells: Vec<_> = answer["cells"].as_array().unwrap().iter().map(cell).collect();
            let expanded = answer["expanded"].as_u64().unwrap();
            assert_eq!((route, closed), (cells, expanded + 1), "{name}, {algorithm}");
        }
    }
}

#[test]
fn a_trace_for_an_unreachable_goal_closes_all_reachable_cells() {
    let map = r#"(name: "two", base: ["GG~G", "GG~G"], overlay: ["1...", "...2"])"#;
    let folder = Folder::with(&[("two.ron", map)]);
    let answer = folder.run("route two.ron --trace t.jsonl --json");
    assert_eq!((answer.status, &answer.json()["expanded"]), (1, &4.into()));
    let trace = Run { out: folder.text("t.jsonl"), ..answer }.objects();
    assert_eq!(trace.iter().filter(|event| event["event"] == "closed").count(), 4);
    assert_eq!(trace[trace.len() - 1]["event"], "exhausted");
}

#[test]
fn a_trace_to_standard_output_replaces_the_text() {
    let text = run("route valley --from 0,0 --to 0,0 --trace -").success();
    assert_eq!(text, "{\"event\":\"found\",\"cost\":0.0,\"steps\":0}\n", "the start is the goal");
    let text = run("route valley --trace t").success();
    assert!(text.starts_with("The valley: from "), "a file does not replace it");
}

#[test]
fn a_trace_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    folder.refuses("route valley --trace no/such/trace", "no/such/trace cannot be written: its folder does not exist");
    folder.refuses("route figures/road --to 5,4 --trace t", "the goal 5,4 is blocked");
}
