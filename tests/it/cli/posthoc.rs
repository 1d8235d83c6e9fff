//! Search traces of Posthoc, which `route --trace` writes and `judge --trace` reads.

use super::Folder;

/// A search of two steps, as Posthoc's own examples write it: the start is not generated, and the goal not expanded.
const TRACE: &str = "---
# by hand
version: 1.4.0
views: {main: [{$: rect, fill: '${{ color[$.type] }}'}]}
events:
  - {type: source, id: 5, x: 0, y: 0}
  - type: destination
    id: 7
    x: 2
    y: 0
  - {type: expanding, id: 5, x: 0, y: 0, g: 0, f: 2}
  - type: generating
    id: 6
    pId: 5
    x: 1.0
    y: 0
    g: 1
    f: 2
    info: {of: [anything, {at: all}]}
  - {type: closing, id: 5, x: 0, y: 0}
  - {type: expanding, id: 6, x: 1, y: 0}
  - {type: 'generating', \"id\": \"7\", pId: 6, x: 2, y: 0, g: 2.0e+00, h: null, f: ~}
  - {type: spark}
  - {type: end, id: 7, g: 2}
";

const LANE: &str = r#"(name: "Lane", base: ["GGG"], overlay: ["1.2"])"#;
const PEN: &str = r#"(name: "Pen", base: ["GGGGG", "GG~~~", "GG~GG"], overlay: ["1....", ".....", "....2"])"#;

/// The name and the text of the first mistake in a trace on the lane.
fn mistake(trace: &str) -> (String, String) {
    let folder = Folder::with(&[("lane.ron", LANE), ("a.trace.yaml", trace)]);
    let run = folder.run("judge lane.ron --json --trace a.trace.yaml");
    let problem = &run.json()["problems"][0];
    assert!(run.status < 2 && problem["right"] == (run.status == 0), "{run:?}");
    let word = |key: &str| problem["mistakes"][0][key].as_str().unwrap_or_default().to_owned();
    (word("name"), word("text"))
}

#[test]
fn a_written_trace_is_read_again_as_the_same_search() {
    let folder = Folder::with(&[("pen.ron", PEN)]);
    for (map, options) in [
        ("valley", "--algorithm astar"),
        ("valley", "--algorithm dijkstra --moves 4"),
        ("valley", "--algorithm weighted --weight 3"),
        ("figures/road", "--algorithm breadth-first"),
        ("figures/road", "--from 1,5 --to 1,5"),
        ("pen.ron", "--algorithm astar"),
    ] {
        let [lines, yaml] = ["a.jsonl", "a.trace.yaml"].map(|file| {
            let written = folder.run(&format!("route {map} --trace {file} {options}"));
            assert!(written.status < 2, "{map} {options}: {written:?}");
            folder.run(&format!("judge {map} --json --trace {file} {options}")).out
        });
        assert_eq!(lines, yaml, "{map} {options}");
        assert!(lines.starts_with("{\"right\":true"), "{map} {options}: {lines}");
    }
}

#[test]
fn a_written_trace_has_what_posthoc_shows() {
    let folder = Folder::new();
    folder.run("route figures/road --algorithm astar --trace a.trace.yaml").success();
    let text = folder.text("a.trace.yaml");
    let (head, events) = text.split_once("\nevents:\n").unwrap();
    assert!(head.starts_with("version: 1.4.0\nviews:\n  main:\n    - $: rect\n"), "{head}");
    let events: Vec<_> = events.lines().collect();
    let start = r#"id: "1,5", x: 1, y: 5"#;
    assert_eq!(events[0], format!("  - {{ type: source, {start} }}"));
    assert_eq!(events[1], r#"  - { type: destination, id: "8,5", x: 8, y: 5 }"#);
    assert_eq!(events[2], format!("  - {{ type: generating, {start}, pId: null, g: 0, h: 3.5, f: 3.5 }}"));
    assert_eq!(events[3], format!("  - {{ type: expanding, {start}, g: 0 }}"));
    assert!(events[4].contains(r#"pId: "1,5""#), "{}", events[4]);
    assert!(events[events.len() - 1].starts_with(r#"  - { type: end, id: "8,5""#));
    let count = |kind: &str| events.iter().filter(|event| event.contains(&format!("type: {kind},"))).count();
    assert_eq!(count("expanding"), count("closing") + 1, "the goal is not closed");
    let ids = |kind: &str| {
        let of_kind = events.iter().filter(move |event| event.contains(kind));
        of_kind.map(|event| event.split('"').nth(1).unwrap()).collect::<Vec<_>>()
    };
    let generated = ids("type: generating");
    let mut once = generated.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), generated.len(), "a cell is generated once");
    assert!(ids("type: updating").iter().all(|id| generated.contains(id)));
}

#[test]
fn traces_in_yaml_and_json_are_judged() {
    assert_eq!(mistake(TRACE), Default::default());
    assert_eq!(mistake(&format!("\u{feff}{}", TRACE.replace('\n', "\r\n"))), Default::default());
    assert_eq!(mistake(&TRACE.replace("g: 1\n", "g: 1.5\n")).0, "wrong-g");
    assert_eq!(mistake(&TRACE.replace("id: 7, g: 2}", "id: 7, g: 3}")).0, "wrong-cost");
    assert_eq!(mistake(&TRACE.replace("  - {type: end, id: 7, g: 2}\n", "")).0, "missed-route");
    let json = r#"{"version": "1.4.0", "events": [{"type": "source", "id": 1, "x": 0, "y": 0},
        {"type": "generating", "id": 1, "pId": null, "x": 0, "y": 0, "g": 0, "tags": [[]]},
        {"type": "expanding", "id": 1, "x": 0, "y": 0}, {"type": "generating", "id": "b", "pId": 1, "x": 1, "y": 0, "g": 1},
        {"type": "expanding", "id": "b", "x": 1, "y": 0}, {"type": "generating", "id": 3, "pId": "b", "x": 2, "y": 0, "g": 2},
        {"type": "expanding", "id": 3, "x": 2, "y": 0}, {"type": "end", "id": 3, "g": 2}], "views": {}}"#;
    for json in [json.to_owned(), json.replace('\n', ""), json.replacen('{', "{\n", 1)] {
        assert_eq!(mistake(&json), Default::default(), "{json}");
    }
    let (name, text) = mistake(&json.replace("\"g\": 1}", "\"g\": \"a\"}"));
    assert!(name == "not-understood" && text.starts_with("line 3 is not understood: invalid type"), "{text}");
}

#[test]
fn traces_that_cannot_be_understood_are_told_with_the_line() {
    let deep = "version: 1\nx: ".to_owned() + &"[".repeat(100_000);
    let deep_json = r#"{"version":"#.to_owned() + &"[".repeat(100_000);
    let bomb = "version: &a [1, 1]\nviews: &b [*a, *a]\npivot: [*b, *b]\nevents:\n  - *b\n";
    for (trace, words) in [
        ("version: 1.4.0\n", "it has no events of a search"),
        ("version: 1.4.0\nevents:\n", "line 2 is not understood: events are a list"),
        ("version: 1.4.0\nevents: []\n", "it has no events of a search"),
        ("# mine\nversion: 1.4.0\nevents:\n  - 7\n", "line 4 is not understood: an event has keys"),
        ("version: [\n", "line 2"),
        ("version: 1.4.0\0\nevents: []\n", "it has a zero byte"),
        ("{\"version\": \"1.4.0\"}", "it has no events of a search"),
        ("{\"version\": \"1.4.0\",\n\"events\": 7}", "line 2 is not understood: invalid type"),
        ("{\n\"events\": [", "line 2 is not understood: EOF"),
        (bomb, "line 5 is not understood: an event has keys"),
        (&deep, "line 2 is not understood: recursion limit exceeded"),
        (&deep_json, "line 1 is not understood: EOF"),
        (&TRACE.replace("x: 1.0", "x: 1.5"), "event 4 (generating) has no whole numbers x and y"),
        (&TRACE.replace("x: 1.0", "x: 1e300"), "event 4 (generating) has no whole numbers x and y"),
        (&TRACE.replace("x: 1.0", "u: 1"), "line 12 is not understood: event 4 (generating)"),
        (&TRACE.replace("g: 1\n", "g: .nan\n"), "line 17 is not understood: g is not a number"),
        (&TRACE.replace("g: 1\n", "g: inf\n"), "line 17 is not understood: g is not a number"),
        (
            &TRACE.replace("pId: 5", "pId: 9"),
            "event 4 (generating) has a pId that no earlier generated or expanded cell has",
        ),
        (&TRACE.replace("spark", "end"), "event 9 (end) comes after the event that ends the search"),
    ] {
        let (name, text) = mistake(trace);
        let start: String = trace.chars().take(300).collect();
        assert!(name == "not-understood" && text.contains(words), "{start}: {name}: {text}");
    }
}

/// The first words of a program may look like the first line of such a trace, and a trace may have no end at all.
#[test]
fn other_traces_are_no_traces_of_posthoc() {
    let exhausted = "{\"event\":\"exhausted\"}\n";
    assert_eq!(mistake(&format!("version: 3.11\n{exhausted}")).0, "missed-route");
    assert_eq!(mistake(&format!("\u{feff}{exhausted}")).0, "missed-route");
    assert_eq!(mistake(&format!("%YAML 1.2\n{TRACE}")), Default::default());
    for trace in ["", "searching\n", "{\"event\":\"opened\",\"cell\":[0,0]}\n"] {
        assert_eq!(mistake(trace).0, "silent", "{trace}");
    }
}
