//! `emberwalk crowd`: its report, its log, and what it refuses.

use serde_json::Value;

use super::{Folder, Run};
use crate::support::foreign::{MAP, SCENARIO};

/// Orders of all kinds, for the map of the road.
const ORDERS: &str = "\
0,0 1,0 2,0 0,1 -> 8,3 # a group
9,0 0,9|7,0|0,2 # the nearest
1,9 beside 5,5
0,9 follow 1,9
9,9 hold
";

/// Lines that are no orders.
const FAULTS: &str = "\
0,0 1,0 ->
0,0 1,0 -> 3,0 6,0
-> 3,0
2,0 beside
2,2 follow 0,7 3,0
2,4 3,0 hold
2,5
2,6 3,0|5
0,2 beside 99,0
0,7 7,7
";

/// Orders that cannot be carried out.
const IMPOSSIBLE: &str = "\
0,8 0,9 0,8 -> 3,0
0,3 follow 0,3
0,4 follow 9,0
";

/// A small meadow, two meadows with a ford between them, and a corridor.
const MEADOW: &str = r#"(name: "Meadow", base: ["GGGGG", "GGGGG", "GGGGG"], overlay: [".....", ".....", "....."])"#;
const FORD: &str = r#"(name: "Ford", base: ["GGGGG", "~~G~~", "GGGGG"], overlay: [".....", ".....", "....."])"#;
const CORRIDOR: &str = r#"(name: "Corridor", base: ["GGGGGGGGG"], overlay: ["........."])"#;

/// A folder with maps, scenarios and orders.
fn folder() -> Folder {
    let problem = |ends: &str| format!("version 1\n0 maps/gate.map 5 4 {ends}\n");
    Folder::with(&[
        ("gate.map", MAP),
        ("gate.map.scen", SCENARIO),
        ("renamed.map", MAP),
        ("hill.map", &MAP.replace("..GSW\n..@..", "..@SW\n.....")),
        ("through.scen", &problem("0 0 3 0 4.41421")),
        ("no-length.scen", &problem("0 0 3 0 0")),
        ("same-start.scen", &(problem("0 0 3 0 0") + "0 gate.map 5 4 0 0 1 2 0\n")),
        ("meadow.ron", MEADOW),
        ("ford.ron", FORD),
        ("corridor.ron", CORRIDOR),
        ("all.txt", ORDERS),
        ("all-faults.txt", FAULTS),
        ("impossible.txt", IMPOSSIBLE),
        ("turns.txt", "1,5 8,5 1,5\n"),
        ("stays.txt", "1,5 1,5 1,5 6,5\n"),
        ("guard.txt", "2,1 hold\n0,0 4,2\n"),
        ("corridor.txt", "0,0 8,0\n"),
        ("wall.txt", "0,0 1,0 0,1 -> 7,7\n"),
        ("orders.txt", "1,5 8,5 # there\n8,5 1,5\n"),
        ("twice.txt", "1,5 8,5\n1,5 2,2\n"),
        ("none.txt", "# nobody\n"),
        ("empty.txt", ""),
        ("faults.txt", "1,5 8,5\n\n# next\n1,5 2,5 # again\n2,5 8,5\n1,5 2,5\n"),
        ("cr.txt", "# from to\r1,5 8,5\r\r8,5 1,5\r"),
    ])
}

/// Runs `emberwalk crowd` in this folder.
fn run(arguments: &str) -> Run {
    folder().run(&format!("crowd {arguments}"))
}

/// The lines of the log that `emberwalk crowd` prints.
fn log(arguments: &str) -> Vec<Value> {
    let run = run(&format!("{arguments} --log -"));
    let lines = run.objects();
    run.success();
    lines
}

/// The report of `emberwalk crowd`.
fn json(arguments: &str) -> Value {
    let run = run(&format!("{arguments} --json"));
    let report = run.json();
    run.success();
    report
}

/// The cell to which an agent has gone last.
fn last_cell(log: &[Value], agent: usize) -> (i64, i64) {
    let mut cells = log.iter().filter(|line| line["unit"] == agent).filter_map(|line| line.get("to"));
    serde_json::from_value(cells.next_back().unwrap().clone()).unwrap()
}

/// `--units`, the former name of `--agents`, still works.
#[test]
fn all_agents_arrive_and_the_same_seed_gives_the_same_steps() {
    let arguments = "valley --units 60 --goals 5 --edits";
    let lines = log(arguments);
    assert_eq!(log(arguments), lines);
    assert_ne!(log(&format!("{arguments} --seed 2")), lines);
    let count = |key: &str| lines.iter().filter(|line| line.get(key).is_some()).count();
    assert_eq!((count("goal"), count("leaves")), (60, 60), "they share goals, so they leave there");
    assert!(count("edit") > 0);
    let report = json("valley --agents 60 --goals 5");
    assert_eq!((&report["units"], &report["arrived"], &report["conflicts"]), (&60.into(), &60.into(), &0.into()));
    assert!(report["mean_stretch"].as_f64().unwrap() >= 1.0);
}

#[test]
fn agents_change_places_by_the_orders_of_a_file() {
    let log = log("figures/road --orders orders.txt");
    assert_eq!([0, 1].map(|agent| last_cell(&log, agent)), [(8, 5), (1, 5)]);
}

#[test]
fn orders_that_cannot_be_walked_are_refused_with_file_and_line() {
    let errors = run("figures/road --orders faults.txt").errors;
    for place in ["faults.txt:4:1", "faults.txt:6:1"] {
        assert!(errors.contains(place), "{place}: {errors}");
    }
    assert_eq!(errors.matches("two agents start in 1,5: this one and the one in line 1").count(), 2, "{errors}");
}

#[test]
fn lines_of_orders_may_end_in_cr() {
    let report = json("figures/road --orders cr.txt");
    assert_eq!((&report["units"], &report["arrived"]), (&2.into(), &2.into()));
}

#[test]
fn a_log_in_a_file_is_the_log_on_standard_output() {
    let folder = Folder::with(&[("steps.json", "old")]);
    let log = folder.run("crowd valley --agents 20 --log -").success();
    let report = folder.run("crowd valley --agents 20 --log steps.json").success();
    assert!(report.contains("conflicts  none"), "{report}");
    assert_eq!((folder.text("steps.json"), folder.names().len()), (log, 1));
}

#[test]
fn what_cannot_be_walked_is_refused() {
    for (arguments, reason) in [
        ("figures/road --orders twice.txt", "two agents start in 1,5"),
        ("figures/road --orders none.txt", "there are no orders"),
        ("figures/road --orders none.txt", "[none.txt:"),
        ("figures/road --orders empty.txt", "there are no orders"),
        ("figures/road --orders empty.txt", "empty.txt"),
        ("figures/road --agents 1000", "too few for that many agents and goals"),
        ("gate.map gate.map.scen --agents 1000", "there cannot be 1000 agents"),
        ("- --orders -", "only one of the files can be standard input"),
        ("valley --lifelong --goals 1", "with --lifelong, there are at least two goals"),
        ("valley --seconds -1", "the number of seconds is from 0 to 86400"),
        ("hill.map through.scen", "through.scen:2:1"),
        // A scenario of another map of the same size.
        ("hill.map through.scen", "a problem of the map maps/gate.map: its length is 4.41421, and on hill.map 6.414"),
        ("gate.map same-start.scen", "two agents start in 0,0: this one and the one in line 2"),
        ("gate.map same-start.scen", "same-start.scen:3:16"),
    ] {
        folder().refuses(&format!("crowd {arguments}"), reason);
    }
}

#[test]
fn agents_go_to_goals_of_all_kinds() {
    let lines = log("figures/road --orders all.txt");
    let agent = |k: usize| lines.iter().find(|line| line["unit"] == k && line.get("at").is_some()).unwrap();
    let cell = |value: &Value| -> (i64, i64) { serde_json::from_value(value.clone()).unwrap() };
    let last = |k: usize| last_cell(&lines, k);
    for k in 0..4 {
        let place = cell(&agent(k)["goal"]);
        assert!((7..=9).contains(&place.0) && (2..=4).contains(&place.1), "{k}: {place:?}");
        assert_eq!(last(k), place);
    }
    assert_eq!(agent(4)["any_of"].as_array().unwrap().len(), 3);
    assert_eq!(last(4), (7, 0));
    assert_eq!(cell(&agent(5)["beside"]), (5, 5));
    assert_eq!(last(5).0, 4);
    assert_eq!(agent(6)["follow"], 5);
    assert!((last(6).0 - last(5).0).abs() <= 1 && (last(6).1 - last(5).1).abs() <= 1);
    assert_eq!(agent(7).as_object().unwrap().len(), 2, "it holds");
    let report = json("figures/road --orders all.txt");
    assert_eq!((&report["units"], &report["arrived"], &report["goals_reached"]), (&8.into(), &8.into(), &7.into()));
}

#[test]
fn errors_in_orders_are_shown_with_line_and_column() {
    let group = "a group has its starts before the ->, and one goal after it";
    let faults = [
        ("1:1", group),
        ("2:1", group),
        ("3:1", group),
        ("4:5", "after `beside` comes a cell"),
        ("5:5", "`follow` must be the last goal in a line"),
        ("6:9", "an agent that holds has no goals"),
        ("7:1", "the line has 1 word, not a start and a goal"),
        ("8:9", "the goal '5' is not a cell"),
        ("9:12", "the goal 99,0 is not on the map"),
        ("10:5", "the goal 7,7 is blocked"),
    ];
    let impossible = [
        ("1:9", "two agents start in 0,8: this one and the one in line 1"),
        ("2:12", "no other agent starts in 0,3"),
        ("3:12", "no other agent starts in 9,0"),
    ];
    for (file, expected) in [("all-faults.txt", &faults[..]), ("impossible.txt", &impossible)] {
        let Run { status, errors, .. } = run(&format!("figures/road --orders {file}"));
        assert_eq!(status, 2, "{file}");
        for (place, message) in expected {
            let mut reports = errors.split("× ");
            let report = reports.find(|report| report.contains(&format!("[{file}:{place}]")));
            assert!(report.is_some_and(|report| report.starts_with(message)), "{place}: {message}\n{errors}");
        }
    }
}

#[test]
fn other_files_than_orders_get_one_report() {
    let instance = "agents:\n-   goal: [2, 0]\n    start: [0, 0]\nmap:\n    dimensions: [3, 3]\n";
    let folder = Folder::with(&[
        ("map.ron", &crate::support::bundled("valley").to_ron()),
        ("a.map", MAP),
        ("instance.yaml", instance),
        ("league.json", "{\"mapFile\": \"a.map\", \"agentFile\": \"agents\"}"),
        ("agents", "2\n17\n3\n"),
        ("far.txt", "0,0 99999999999,0\n0,1 beside 0,-99999999999\n"),
    ]);
    folder.write("a.png", b"\x89PNG\r\n\x1a\n");
    for (command, count, says) in [
        ("crowd valley --orders map.ron", 1, "this is a map, not a list of orders"),
        ("crowd valley --orders instance.yaml", 1, "this is a MAPF instance, not a list of orders"),
        ("crowd instance.yaml", 1, "this is a MAPF instance, not a map"),
        ("crowd a.map instance.yaml", 1, "this is a MAPF instance, not a Moving AI scenario"),
        ("crowd valley --orders league.json", 1, "this is a problem of the League of Robot Runners, not a"),
        ("route valley --queries league.json", 1, "of the League of Robot Runners, not a list of queries"),
        ("crowd valley --orders a.map", 1, "this is a Moving AI map, not a list of orders"),
        ("route valley --queries agents", 1, "this is a list of cell numbers, as the League"),
        ("route valley --queries map.ron", 1, "this is a map, not a list of queries"),
        ("crowd valley --orders a.png", 1, "this is a PNG picture, not a text file"),
        ("scenario a.map a.png", 1, "this is a PNG picture, not a text file"),
        ("crowd valley --orders far.txt", 2, "the goal 99999999999,0 is not on the map, which is 24 x 20"),
        ("crowd valley --orders far.txt", 2, "the goal 0,-99999999999 is not on the map"),
    ] {
        let Run { status, errors, .. } = folder.run(command);
        assert_eq!((status, errors.matches('×').count()), (2, count), "{command}: {errors}");
        assert!(errors.contains(says) && !errors.contains("emberwalk import"), "{command}: {errors}");
    }
}

#[test]
fn a_group_may_be_sent_to_a_wall() {
    let wall = "figures/road --orders wall.txt";
    let mut places: Vec<_> = log(wall).iter().filter_map(|line| Some(line.get("goal")?.to_string())).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 3, "{places:?}");
    let report = json(wall);
    assert_eq!((&report["arrived"], &report["unreachable"], &report["stuck"]), (&3.into(), &3.into(), &0.into()));
    let text = run(wall).success();
    assert!(text.contains("\nno route   3 agents, for example agent 0 in "), "{text}");
}

#[test]
fn an_agent_goes_to_its_goals_in_turn() {
    let turns = "figures/road --orders turns.txt";
    let goals: Vec<_> = log(turns).into_iter().filter_map(|line| Some(line.get("goal")?.to_string())).collect();
    assert_eq!(goals, ["[8,5]", "[1,5]"]);
    let report = json(turns);
    assert_eq!((&report["arrived"], &report["goals_reached"]), (&1.into(), &2.into()));
    assert_eq!(report["mean_stretch"], 1.0);
}

#[test]
fn a_goal_where_the_agent_stands_counts() {
    let report = json("figures/road --orders stays.txt");
    assert_eq!((&report["arrived"], &report["goals_reached"]), (&1.into(), &3.into()));
    assert!(report["seconds"].as_f64().unwrap() < 20.0, "{report}");
}

#[test]
fn lifelong_agents_get_new_goals_until_the_time_is_over() {
    let arguments = "valley --agents 30 --lifelong --seconds 40 --edits";
    let lines = log(arguments);
    assert_eq!(log(arguments), lines);
    assert_ne!(log(&format!("{arguments} --seed 2")), lines);
    let goals = lines.iter().filter(|line| line.get("goal").is_some() && line.get("time").is_some()).count();
    let report = json(arguments);
    assert_eq!((&report["goals_reached"], &report["seconds"]), (&goals.into(), &40.0.into()));
    assert_eq!(report["goals_per_second"], goals as f64 / 40.0);
    assert!(goals > 30, "{goals}");
    let text = run(arguments).success();
    assert!(text.contains(&format!("goals      {goals} reached in 40.0 s, ")), "{text}");
    // Only the goals that agents share.
    let shared = log(&format!("{arguments} --goals 3"));
    let mut ends: Vec<_> = shared.iter().filter_map(|line| Some(line.get("goal")?.to_string())).collect();
    ends.sort();
    ends.dedup();
    assert_eq!(ends.len(), 3);
    let after_turns = |seed| log(&format!("figures/road --orders turns.txt --lifelong --seconds 60 --seed {seed}"));
    assert_ne!(after_turns(1), after_turns(2));
    // After those in a file or in a scenario, too.
    for arguments in ["figures/road --orders turns.txt", "gate.map through.scen --seed 3"] {
        let report = json(&format!("{arguments} --lifelong --seconds 60"));
        assert!(report["goals_reached"].as_u64().unwrap() > 4, "{arguments}: {report}");
    }
}

/// Also if another agent pushes one off its goal in the tick in which it arrives.
#[test]
fn every_goal_that_is_reached_is_followed_by_another_one() {
    for seed in 1..9 {
        let arguments = format!("meadow.ron --agents 10 --lifelong --seconds 20 --seed {seed}");
        let lines = log(&arguments);
        let goals = lines.iter().filter(|line| line.get("goal").is_some() && line.get("time").is_some()).count();
        assert_eq!(json(&arguments)["goals_reached"], goals, "seed {seed}");
        assert!(goals > 20, "seed {seed}: {goals}");
    }
}

#[test]
fn the_report_names_an_agent_that_does_not_get_on_and_whom_it_waits_for() {
    let guarded = "ford.ron --orders guard.txt --seconds 30";
    let text = run(guarded).success();
    assert!(text.contains("stuck      1 agent, for example agent 1 in 2,0, which waits for agent 0\n"), "{text}");
    let report = json(guarded);
    assert_eq!((&report["stuck"], &report["unreachable"], &report["arrived"]), (&1.into(), &0.into(), &1.into()));
    assert!(report["longest_stand"].as_f64().unwrap() > 20.0, "{report}");
    // A wall is built in front of it.
    let walled = "corridor.ron --orders corridor.txt --edits --seed 7 --seconds 4";
    let text = run(walled).success();
    assert!(text.contains("no route   1 agent, for example agent 0 in "), "{text}");
    assert_eq!(json(walled)["unreachable"], 1);
}

#[test]
fn a_scenario_is_told_of_another_map_only_if_nothing_else_says_so() {
    // A map may have been renamed.
    for arguments in ["renamed.map through.scen", "gate.map no-length.scen"] {
        run(arguments).success();
    }
    let Run { status, errors, .. } = run("hill.map no-length.scen");
    let warning =
        "warning: no-length.scen: the scenario is for maps/gate.map, which may be another map than hill.map\n";
    assert_eq!((status, errors.as_str()), (0, warning));
}
