//! `emberwalk route --erupts-in` and `--at`: the earliest arrival, given announced changes.

use serde_json::{Value, json};

use super::{Folder, Run, run_with};

/// A corridor with a gate, which is open from 5:30 to 22:00.
const GATE: &str = r#"(name: "Gate", base: ["GGGGG"], overlay: ["1.g.2"])"#;

/// A corridor behind a wall, in which a volcano cannot change that.
const WALLED: &str = r#"(name: "Walled", base: ["GGGGGG"], overlay: ["1.W.2v"])"#;

fn bundled(name: &str) -> &'static str {
    emberwalk_map::bundled_maps().into_iter().find(|map| map.name == name).unwrap().source
}

fn answer(map: &str, options: &str) -> (i32, Value) {
    let run = run_with(&format!("route - --json {options}"), map);
    assert_eq!(run.errors, "", "{options}");
    (run.status, run.json())
}

/// Whether a number of the answer is this one, up to a thousandth.
fn is_about(answer: &Value, expected: f64) -> bool {
    (answer.as_f64().unwrap() - expected).abs() < 0.001
}

#[test]
fn whoever_comes_before_the_gate_opens_waits_in_front_of_it() {
    let (status, answer) = answer(GATE, "--at 5:29 --day 86400");
    assert_eq!((status, &answer["found"], &answer["optimal"]), (0, &json!(true), &json!(true)));
    assert_eq!(answer["cells"], json!([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]));
    // A step over grass takes a third of a second, and the gate opens after a minute.
    assert!(is_about(&answer["arrives"], 61.0), "{answer}");
    assert!(is_about(&answer["unaware"], 60.0 + 4.0 / 3.0), "it sets out when there is a route: {answer}");
    let waits = answer["waits"].as_array().unwrap();
    assert!(is_about(&waits[1], 60.0 - 1.0 / 3.0) && waits.iter().filter(|wait| **wait != json!(0.0)).count() == 1);
    let times = [0.0, 1.0 / 3.0, 60.0 + 1.0 / 3.0, 60.0 + 2.0 / 3.0, 61.0];
    assert!(answer["times"].as_array().unwrap().iter().zip(times).all(|(time, expected)| is_about(time, expected)));
    assert_eq!(answer["cost"].as_f64().unwrap().round(), 4.0);
}

#[test]
fn a_route_that_begins_at_a_shut_gate_is_refused_with_the_hour_at_which_it_opens() {
    let night = GATE.replacen("base:", "hour: 3.5, day: 480, base:", 1);
    for (option, end) in [("--from", "start"), ("--to", "goal"), ("--through", "waypoint")] {
        let shut = format!("error: the {end} 2,0 is blocked: the town gate is shut at 3:30 and opens at 5:30\n");
        Folder::new().refuses_with(&format!("route - {option} 2,0"), &night, &shut);
    }
    // The traveller can wait for the goal to open.
    let (status, answer) = answer(GATE, "--at 22:00 --day 480 --to 2,0");
    assert_eq!((status, &answer["found"]), (0, &json!(true)));
}

#[test]
fn a_gate_that_closes_too_early_is_waited_for_until_the_morning() {
    let arrival = |options: &str| answer(GATE, options).1["arrives"].clone();
    assert!(is_about(&arrival("--at 12:00 --day 86400"), 4.0 / 3.0));
    // From 22:00 to 5:30.
    assert!(is_about(&arrival("--at 22:00 --day 86400"), 7.5 * 3600.0 + 1.0));
    assert!(arrival("--at 21:59 --day 10").as_f64().unwrap() > 3.0, "a minute takes 7 ms");
}

#[test]
fn where_the_hour_stands_still_nothing_closes() {
    let reason = "error: Gate: the day does not pass on this map, so opening hours do not count and --at would change \
                  nothing: add --day SECONDS\n";
    Folder::new().refuses_with("route - --at 23:00", GATE, reason);
    let with_volcano = r#"(name: "Gate", base: ["GGGGGG"], overlay: ["1.g.2v"])"#;
    let (_, answer) = answer(with_volcano, "--erupts-in 1000");
    assert!(is_about(&answer["arrives"], 4.0 / 3.0), "{answer}");
    assert_eq!([&answer["at"], &answer["day"]], [&Value::Null; 2]);
}

#[test]
fn an_answer_in_json_repeats_what_is_announced() {
    let (_, gate) = answer(GATE, "--at 5:29 --day 480");
    assert_eq!([&gate["erupts_in"], &gate["at"], &gate["day"]], [&Value::Null, &json!("5:29"), &json!(480)]);
    assert_eq!(answer(GATE, "--hour 5:29 --day 480").1["arrives"], gate["arrives"]);
    let (_, snow) = answer(bundled("figures/snow"), "--erupts-in 2.5");
    assert_eq!([&snow["erupts_in"], &snow["at"], &snow["day"]], [&json!(2.5), &Value::Null, &Value::Null]);
    let (_, market) = answer(bundled("market"), "--at 24:00");
    assert_eq!([&market["at"], &market["day"]], [&json!("0:00"), &json!(480)], "the map's own day");
}

#[test]
fn only_a_dormant_volcano_can_erupt() {
    let none = "error: Gate: there is no volcano on this map, so nothing can erupt\n";
    Folder::new().refuses_with("route - --erupts-in 3", GATE, none);
    let erupting = WALLED.replace("2v", "2V");
    let already = "error: Walled: all volcanoes of this map are erupting already: calm them with --dormant\n";
    Folder::new().refuses_with("route - --erupts-in 3", &erupting, already);
    let calmed = run_with("route - --erupts-in 3 --dormant --to 1,0", erupting).success();
    assert!(calmed.starts_with("Walled: from 0,0 to 1,0; all volcanoes erupt after 3 s\n"), "{calmed}");
}

#[test]
fn the_first_line_has_rounded_times() {
    let first = |seconds: &str| {
        let text = run_with(&format!("route - --erupts-in {seconds} --to 1,0"), WALLED).success();
        text.lines().next().unwrap().to_owned()
    };
    assert_eq!(first("3.14159"), "Walled: from 0,0 to 1,0; all volcanoes erupt after 3.14 s");
    assert_eq!(first("0"), "Walled: from 0,0 to 1,0; all volcanoes erupt at the departure");
}

#[test]
fn the_earliest_arrival_is_exact_with_any_algorithm() {
    let valley = bundled("valley");
    let at = |algorithm: &str| answer(valley, &format!("--erupts-in 3 --algorithm {algorithm}")).1;
    let [exact, greedy] = ["auto", "greedy"].map(at);
    assert_eq!((&greedy["arrives"], &greedy["optimal"]), (&exact["arrives"], &json!(true)));
    assert!(greedy["unaware"].as_f64() > exact["unaware"].as_f64(), "only the comparison uses it: {greedy}");
    let said = |algorithm: &str| run_with(&format!("route - --erupts-in 3 --algorithm {algorithm}"), valley).success();
    assert!(said("greedy").contains("\nwithout knowing, by routes that may not be the cheapest: after "));
    assert!(said("dijkstra").contains("\nwithout knowing: after "));
}

#[test]
fn a_wait_has_its_reason() {
    // A tileset in which an erupting volcano is passable.
    let closed = "char: 'V', name: \"volcano\", layer: overlay, cost: closed";
    let tileset = std::fs::read_to_string(crate::support::file("assets/tileset.ron")).unwrap();
    assert!(tileset.contains(closed));
    let open = tileset.replace(closed, &closed.replace("closed", "enter(1)"));
    let folder = Folder::with(&[("tileset.ron", &open)]);
    let reasons = |options: &str, map: &str| {
        let text = folder.run_with(&format!("route - {options}"), map).success();
        let reasons = text.lines().filter_map(|line| line.split_once("  until "));
        reasons.map(|(_, reason)| reason.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(reasons("--at 5:29 --day 86400", GATE), ["the town gate at 2,0 opens at 5:30"]);
    assert_eq!(reasons("--at 5:30 --day 86400", GATE), [""; 0]);
    // A diagonal step past the gate.
    let side = r#"(name: "Side", base: ["GG", "GG"], overlay: ["1g", "W2"])"#;
    assert_eq!(reasons("--at 5:29 --day 86400 --corners one", side), ["the town gate at 1,0 opens at 5:30"]);
    let volcano = r#"(name: "Volcano", base: ["GGGGG"], overlay: ["1.v.2"])"#;
    assert_eq!(reasons("--erupts-in 5 --assets .", volcano), ["the eruption opens 2,0"]);
}

#[test]
fn an_announced_eruption_bends_the_route_before_it_happens() {
    let snow = bundled("figures/snow");
    let at = |seconds: &str| answer(snow, &format!("--erupts-in {seconds}")).1;
    let [soon, later, never] = ["1", "4", "1000"].map(at);
    let number = |answer: &Value, key: &str| answer[key].as_f64().unwrap();
    assert!(number(&soon, "arrives") < number(&soon, "unaware"), "{soon}");
    assert!(number(&soon, "arrives") < number(&later, "arrives"), "{later}");
    assert!(is_about(&never["arrives"], 7.0) && never["unaware"] == never["arrives"], "{never}");
    let erupted = at("0");
    let (_, plain) = answer(snow, "--erupting");
    assert!((number(&erupted, "arrives") - number(&plain, "cost") / 3.0).abs() < 0.05, "{erupted}");
}

#[test]
fn an_answer_for_people_has_the_times_of_cells_and_waits() {
    let text = run_with("route - --at 5:29 --day 86400", GATE).success();
    let expected = [
        "Gate: from 0,0 to 4,0 at 5:29, in a day of 86400 s",
        "without knowing: after 61.33 s",
        "    0.33     59.67  1,0  until the town gate at 2,0 opens at 5:30",
        "   61.00            4,0",
    ];
    assert!(expected.iter().all(|line| text.lines().any(|found| found.trim_end() == *line)), "{text}");
    assert!(text.contains("\narrives after 61.00 s (the earliest possible), 4 steps"), "{text}");
    let Run { status, out, .. } = run_with("route - --erupts-in 3", WALLED);
    assert_eq!((status, out.as_str()), (1, "Walled: there is no route from 0,0 to 4,0, whatever is coming\n"));
    let (status, answer) = answer(WALLED, "--erupts-in 3");
    assert_eq!((status, &answer["arrives"], &answer["unaware"]), (1, &Value::Null, &Value::Null));
}

#[test]
fn mistakes_are_told_in_words() {
    let shut = "error: the start 2,0 is blocked: the town gate is shut at 23:00 and opens at 5:30\n";
    for (options, reason) in [
        ("--erupts-in -1", "this must be a number of seconds from 0 to 86400"),
        ("--erupts-in soon", "this must be a number of seconds from 0 to 86400"),
        ("--at 25:00", "this must be a time from 0:00 to 24:00, such as 6:00"),
        ("--at -5", "invalid value '-5' for '--at <H:MM>': this must be a time from 0:00 to 24:00, such as 6:00"),
        ("--day -1", "invalid value '-1' for '--day <SECONDS>': this must be a whole number of seconds from 10"),
        ("--at 6:00 --through 1,0", "cannot be used with"),
        ("--erupts-in 3 --erupting", "cannot be used with"),
        ("--erupts-in 3 --compare", "cannot be used with"),
        ("--at 23:00 --day 480 --from 2,0", shut),
    ] {
        Folder::new().refuses_with(&format!("route - {options}"), GATE, reason);
    }
}
