//! `emberwalk crowd --plan`: plans of solvers and of the League of Robot Runners.

use super::{Folder, Run};

const MAP: &str = "type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n....\n";

/// Checks a plan on the map. The errors are words without line breaks.
fn check(plan: &str, options: &str) -> Run {
    let run = Folder::with(&[("yard.map", MAP), ("plan", plan)]).run(&format!("crowd yard.map --plan plan {options}"));
    let errors = run.errors.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    Run { errors, ..run }
}

fn league(model: &str, start: &str, paths: &str) -> String {
    format!(r#"{{"actionModel": "{model}", "teamSize": 2, "start": {start}, "actualPaths": {paths}, "errors": []}}"#)
}

#[test]
fn plans_in_all_formats_are_told_with_their_costs() {
    let lines = "Agent 0: (0,0)->(0,1)->(0,2)->(0,2)->\nAgent 1: (0,1)->(0,2)->(1,2)->(1,2)->(1,3)\n";
    let moves = league("MAPF", r#"[[0, 0, "N/A"], [0, 1, "N/A"], [2, 2, "N/A"]]"#, r#"["R,R,W", "R,D,W,R,W,W,"]"#);
    for plan in [lines, &lines.replace('\n', "\r\n\r\n").replace("->", " -> "), &moves] {
        let told = "yard: 2 agents\nsum of costs    6\nmakespan        4\nfirst conflict  none\n";
        assert_eq!(check(plan, "").success(), told, "{plan}");
    }
    let turns = league("MAPF_T", r#"[[2, 3, "N"], [0, 0, "S"]]"#, r#"["F,C,F,T,R,F", "C,F,R,R,F,W"]"#);
    let told = "{\"agents\":2,\"sum_of_costs\":11,\"makespan\":6,\"conflict\":null}\n";
    assert_eq!(check(&turns, "--json").success(), told);
}

#[test]
fn the_first_conflict_of_a_plan_is_told_with_its_tick() {
    for (paths, words) in [
        (&["(0,0)->(0,1)", "(0,2)->(0,1)"][..], "agents 0 and 1 are both in 1,0, tick 1"),
        (&["(0,0)", "(0,2)->(0,1)->(0,0)"], "agents 0 and 1 are both in 0,0, tick 2"),
        (&["(2,1)", "(2,1)"], "agents 0 and 1 are both in 1,2, tick 0"),
        (&["(0,3)", "(0,0)->(0,1)", "(0,1)->(0,0)"], "agents 1 and 2 change places at 1,0, tick 1"),
        (&["(0,0)->(1,0)->(1,1)"], "agent 0 is in 1,1, which is blocked, tick 2"),
        (&["(0,0)->(-1,0)"], "agent 0 is in 0,-1, off the map, tick 1"),
        (&["(2147483647,-2147483648)"], "agent 0 is in -2147483648,2147483647, off the map, tick 0"),
        (&["(0,0)->(0,2)"], "agent 0 takes a forbidden step to 2,0, tick 1"),
        (&["(0,2)->(1,3)"], "agent 0 takes a forbidden step to 3,1, tick 1"),
        // A later one of an earlier agent is not the first.
        (&["(0,0)->(0,1)->(0,3)", "(2,3)->(3,3)"], "agent 1 is in 3,3, off the map, tick 1"),
        // They follow each other in a ring.
        (&["(0,2)->(0,3)", "(0,3)->(1,3)", "(1,3)->(1,2)", "(1,2)->(0,2)"], "none"),
    ] {
        let lines = paths.iter().enumerate().map(|(agent, path)| format!("Agent {agent}: {path}->\n"));
        let Run { status, out, errors } = check(&lines.collect::<String>(), "");
        assert_eq!(out.lines().last().unwrap(), format!("first conflict  {words}"), "{paths:?}");
        assert_eq!((status, errors.as_str()), (i32::from(words != "none"), ""), "{paths:?}");
    }
    let told = check("Agent 0: (0,0)->(0,1)\nAgent 1: (0,1)->(0,0)\n", "--json").out;
    let conflict = r#"{"kind":"changed-places","tick":1,"cell":[1,0],"agent":0,"other":1}"#;
    assert_eq!(told, format!("{{\"agents\":2,\"sum_of_costs\":2,\"makespan\":1,\"conflict\":{conflict}}}\n"));
}

#[test]
fn the_goals_of_a_scenario_are_checked() {
    let plan = "Agent 0: (0,0)->(0,1)->\nAgent 1: (2,0)->(2,1)->(2,2)->\nAgent 2: (2,3)->(1,3)->\n";
    let folder = Folder::with(&[("yard.map", MAP), ("plan", plan)]);
    let problem = |ends: &&str| format!("0\tyard.map\t4\t3\t{}\t1\n", ends.replace(' ', "\t"));
    let scenario = |problems: &[&str]| folder.write("yard.scen", problems.iter().map(problem).collect::<String>());
    scenario(&["0 0 1 0", "0 2 2 2", "3 2 3 1", "3 0 3 0"]);
    let told = folder.run("crowd yard.map yard.scen --plan plan").success();
    assert_eq!(told.lines().last(), Some("goals           all reached"), "{told}");
    scenario(&["0 0 1 0", "0 2 3 2", "3 2 3 0"]);
    let Run { status, out, .. } = folder.run("crowd yard.map yard.scen --plan plan");
    let words = "goals           agent 1 ends in 2,2, but its goal is 3,2, and 1 more";
    assert_eq!((status, out.lines().last()), (1, Some(words)), "{out}");
    let Run { status, out, .. } = folder.run("crowd yard.map yard.scen --plan plan --json");
    let words = r#""unreached":[{"agent":1,"cell":[2,2],"goal":[3,2]},{"agent":2,"cell":[3,1],"goal":[3,0]}]}"#;
    assert!(status == 1 && out.trim_end().ends_with(words), "{out}");
    for (problems, reason) in [
        (&["0 0 1 0"][..], "the scenario has 1 problem, and the plan 3 agents"),
        (&["0 0 1 0", "1 2 2 2", "3 2 3 1"], "agent 1 starts in 0,2 in the plan, but in 1,2 in the scenario"),
    ] {
        scenario(problems);
        folder.refuses("crowd yard.map yard.scen --plan plan", reason);
    }
}

#[test]
fn plans_that_cannot_be_understood_are_errors() {
    let start = r#"[[0, 0, "E"], [1, 0, "X"]]"#;
    for (plan, words) in [
        ("", "the file has no paths"),
        ("Agent 0: (0,0)->\nAgent 2: (0,1)->\n", "[plan:2:1]"),
        ("Agent 0: (0,0)->\nAgent 0: (0,1)->\n", "this is not Agent 1, which comes next"),
        ("runtime 7\nAgent 1: (0,0)->\n", "this is not the path of an agent"),
        ("Agent 0:\n", "a cell is (row,column), two whole numbers"),
        ("Agent 0: (0,0)->(0;1)->\n", "[plan:1:17]"),
        ("Agent 0: (0,0)->(0,99999999999)->\n", "[plan:1:17]"),
        (MAP, "this is a Moving AI map, not a plan"),
        ("statistics:\n  cost: 7\nschedule:\n", "this is a MAPF schedule, not a plan"),
        ("{\n\"actionModel\": \"MAPF\",\n\"start\": 7}", "line 3"),
        ("{\"start\": [], \"actualPaths\": []}", "missing field `actionModel`"),
        (&league("MAPF_X", start, r#"["W"]"#), "known are MAPF and MAPF_T"),
        (&league("MAPF", start, r#"["D,U", "R,F"]"#), "move 2 of agent 1 is not a move of MAPF"),
        (&league("MAPF_T", start, r#"["F", "W,F"]"#), "agent 1 faces none of E, S, W and N"),
        (&league("MAPF_T", start, r#"["F,U"]"#), "move 2 of agent 0 is not a move of MAPF_T"),
        (&league("MAPF_T", start, r#"["[(0,0,0,0,0):(F 10)]"]"#), "a step takes several ticks"),
        (&league("MAPF", start, r#"["W", "W", "W"]"#), "there are 3 actualPaths, and 2 agents in start"),
        (&league("MAPF", start, "[]"), "there are 0 actualPaths"),
    ] {
        let Run { status, out, errors } = check(plan, "");
        assert_eq!((status, out.as_str()), (2, ""), "{plan}");
        assert!(errors.contains(words), "{plan}: {errors}");
    }
    Folder::with(&[("plan", "Agent 0: (0,0)\n")]).refuses("crowd valley --plan plan --agents 3", "cannot be used with");
}

#[test]
fn a_plan_is_checked_on_maps_of_all_formats_and_named_where_orders_are_expected() {
    let folder = Folder::with(&[("plan", &league("MAPF", "[[5, 1]]", r#"["U"]"#))]);
    folder.run("crowd figures/road --plan plan").success();
    folder.refuses("crowd figures/road --orders plan", "--plan plan");
}
