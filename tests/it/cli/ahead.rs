//! `emberwalk route --erupts-in` and `--at`: the earliest arrival, given what is coming.

use serde_json::{Value, json};

use super::{objects, route};

/// A corridor with a gate, which is open from 5:30 to 22:00.
const GATE: &str = r#"(name: "Gate", base: ["GGGGG"], overlay: ["1.g.2"])"#;

fn answer(map: &str, args: &[&str]) -> (Option<i32>, Value) {
    let (status, text, errors) = route(&[&["-", "--json"], args].concat(), map);
    assert_eq!(errors, "", "{args:?}");
    (status, objects(&text).remove(0))
}

/// Whether a number of the answer is this one, up to a thousandth.
fn is_about(answer: &Value, expected: f64) -> bool {
    (answer.as_f64().unwrap() - expected).abs() < 0.001
}

#[test]
fn whoever_comes_before_the_gate_opens_waits_in_front_of_it() {
    let (status, answer) = answer(GATE, &["--at", "5:29", "--day", "86400"]);
    assert_eq!((status, &answer["found"], &answer["optimal"]), (Some(0), &json!(true), &json!(true)));
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
fn a_gate_that_closes_too_early_is_waited_for_until_the_morning() {
    let hour = |hour: &str| answer(GATE, &["--at", hour, "--day", "86400"]).1["arrives"].as_f64().unwrap();
    assert!((hour("12:00") - 4.0 / 3.0).abs() < 0.001);
    // From 22:00 to 5:30.
    assert!((hour("22:00") - (7.5 * 3600.0 + 1.0)).abs() < 0.001);
    let (_, answer) = answer(GATE, &["--at", "21:59", "--day", "10"]);
    assert!(answer["arrives"].as_f64().unwrap() > 3.0, "a minute takes 7 ms: {answer}");
}

#[test]
fn where_the_hour_stands_still_nothing_closes() {
    let (status, text, errors) = route(&["-", "--at", "23:00"], GATE);
    assert_eq!((status, text.as_str()), (Some(2), ""));
    assert_eq!(errors, "error: Gate: the hour stands still, so nothing opens or closes: add --day SECONDS\n");
    let (_, answer) = answer(GATE, &["--erupts-in", "0"]);
    assert!(is_about(&answer["arrives"], 4.0 / 3.0), "{answer}");
}

#[test]
fn an_announced_eruption_bends_the_route_before_it_happens() {
    let snow = emberwalk_map::bundled_maps().into_iter().find(|map| map.name == "figures/snow").unwrap().source;
    let at = |seconds: &str| answer(snow, &["--erupts-in", seconds]).1;
    let [soon, later, never] = ["1", "4", "1000"].map(at);
    let number = |answer: &Value, key: &str| answer[key].as_f64().unwrap();
    assert!(number(&soon, "arrives") < number(&soon, "unaware"), "{soon}");
    assert!(number(&soon, "arrives") < number(&later, "arrives"), "{later}");
    assert!(is_about(&never["arrives"], 7.0) && never["unaware"] == never["arrives"], "{never}");
    let erupted = answer(snow, &["--erupts-in", "0"]).1;
    let (_, plain) = answer(snow, &["--erupting"]);
    assert!((number(&erupted, "arrives") - number(&plain, "cost") / 3.0).abs() < 0.05, "{erupted}");
}

#[test]
fn an_answer_for_people_has_the_times_of_cells_and_waits() {
    let (status, text, errors) = route(&["-", "--at", "5:29", "--day", "86400"], GATE);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let expected = [
        "Gate: from 0,0 to 4,0 at 5:29, in a day of 86400 s",
        "without knowing: after 61.33 s",
        "    0.33     59.67  1,0",
        "   61.00            4,0",
    ];
    assert!(expected.iter().all(|line| text.lines().any(|found| found.trim_end() == *line)), "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("arrives after 61.00 s (the earliest possible), 4 steps")),
        "{text}"
    );
    let walled = r#"(name: "Walled", base: ["GGGGG"], overlay: ["1.W.2"])"#;
    let (status, text, _) = route(&["-", "--erupts-in", "3"], walled);
    assert_eq!((status, text.as_str()), (Some(1), "Walled: there is no route from 0,0 to 4,0, whatever is coming\n"));
    let (status, answer) = answer(walled, &["--erupts-in", "3"]);
    assert_eq!((status, &answer["arrives"], &answer["unaware"]), (Some(1), &Value::Null, &Value::Null));
}

#[test]
fn mistakes_are_told_in_words() {
    for (args, message) in [
        (&["--erupts-in", "-1"][..], "this must be a number of seconds from 0 to 86400"),
        (&["--erupts-in", "soon"], "this must be a number of seconds from 0 to 86400"),
        (&["--at", "25:00"], "this must be an hour from 0:00 to 24:00"),
        (&["--erupts-in", "3", "--erupting"], "cannot be used with"),
        (&["--erupts-in", "3", "--compare"], "cannot be used with"),
    ] {
        let (status, _, errors) = route(&[&["-"], args].concat(), GATE);
        assert!(status == Some(2) && errors.contains(message), "{args:?}: {errors}");
    }
    let (status, _, errors) = route(&["-", "--at", "23:00", "--day", "480", "--from", "2,0"], GATE);
    assert_eq!((status, errors.as_str()), (Some(2), "error: the start 2,0 is blocked: town gate\n"));
}
