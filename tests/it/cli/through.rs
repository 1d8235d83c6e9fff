//! `emberwalk route --through`: the detour, and what it costs by terrain.

use serde_json::{Value, json};

use super::{Folder, run, run_with};

/// A wall with a gap in the north; `~` is a pond that nothing reaches.
const MAP: &str = r#"(name: "Gap", base: ["GGGGG", "GSGGG", "GGGG~"], overlay: ["...W.", "1.W2.", "..W.W"])"#;

fn answer(options: &str) -> (i32, Value) {
    let run = run_with(&format!("route - --json {options}"), MAP);
    assert_eq!(run.errors, "", "{options}");
    (run.status, run.json())
}

fn cells(answer: &Value) -> Vec<(i64, i64)> {
    let cell = |cell: &Value| (cell[0].as_i64().unwrap(), cell[1].as_i64().unwrap());
    answer["cells"].as_array().unwrap().iter().map(cell).collect()
}

#[test]
fn the_detour_is_what_the_two_routes_cost_more_than_one() {
    for options in ["", "--moves 4", "--algorithm greedy", "--corners always"] {
        let single = |from, to| answer(&format!("--from {from} --to {to} {options}")).1;
        let (status, through) = answer(&format!("--from 0,1 --to 0,2 --through 2,0 {options}"));
        let legs = [single("0,1", "2,0"), single("2,0", "0,2")];
        let best = single("0,1", "0,2");
        let cost = |answer: &Value| answer["cost"].as_f64().unwrap();
        assert_eq!((status, &through["through"], &through["found"]), (0, &json!([2, 0]), &json!(true)));
        assert_eq!(cost(&through), legs.iter().map(cost).sum::<f64>(), "{options}");
        assert_eq!(through["best"], best["cost"]);
        assert_eq!(through["detour"].as_f64().unwrap(), cost(&through) - cost(&best));
        let mut joined = cells(&legs[0]);
        joined.extend(&cells(&legs[1])[1..]);
        assert_eq!(cells(&through), joined, "{options}");
        assert_eq!(through["steps"].as_u64().unwrap() as usize, joined.len() - 1);
        for field in ["algorithm", "heuristic", "optimal", "from", "to", "map"] {
            assert_eq!(through[field], best[field], "{options}");
        }
    }
}

#[test]
fn a_route_through_its_start_or_goal_is_no_detour() {
    for waypoint in ["0,1", "2,0"] {
        let (_, without) = answer("--to 2,0");
        let (status, with) = answer(&format!("--to 2,0 --through {waypoint}"));
        assert_eq!((status, &with["detour"]), (0, &json!(0.0)), "{waypoint}");
        for field in ["cells", "cost", "best"] {
            assert_eq!(with[field], without[if field == "best" { "cost" } else { field }], "{waypoint} {field}");
        }
    }
}

#[test]
fn a_search_without_a_guarantee_can_find_a_cheaper_route_by_the_detour() {
    let map = r#"(name: "mud", base: ["GGGGGGGGG", "GSSSSSSSG", "GSSSSSSSG"],
        overlay: [".........", ".........", "1.......2"])"#;
    let through = run_with("route - --json --algorithm greedy --through 4,0", map);
    assert!(through.status == 0 && through.json()["detour"].as_f64().unwrap() < -1.0, "{through:?}");
}

#[test]
fn an_unreachable_waypoint_leaves_no_route() {
    // The cell is passable, and walls are around it.
    let (status, through) = answer("--from 0,1 --to 2,0 --through 3,2");
    assert_eq!((status, &through["found"], cells(&through)), (1, &json!(false), vec![]));
    for field in ["cost", "steps", "detour"] {
        assert_eq!(through[field], Value::Null, "{field}");
    }
    assert!(through["best"].is_number());
    assert_eq!(
        run_with("route - --to 2,0 --through 3,2", MAP).out,
        "Gap: there is no route from 0,1 to 2,0 through 3,2, which is unreachable\n\
         the direct route costs 2.414\n"
    );
    // The goal is unreachable, and the waypoint is not.
    let (status, through) = answer("--through 1,0");
    let numbers = ["cost", "best", "detour"].map(|field| through[field].clone());
    assert_eq!((status, numbers), (1, [Value::Null, Value::Null, Value::Null]));
    assert_eq!(
        run_with("route - --through 1,0", MAP).out,
        "Gap: there is no route from 0,1 to 3,1\n\
         --breach finds the fewest blocked cells to open for a route\n"
    );
}

#[test]
fn a_waypoint_that_is_blocked_or_off_the_map_is_refused_with_the_reason() {
    for (options, reason) in [
        ("--to 2,0 --through 3,0", "error: the waypoint 3,0 is blocked: stone wall\n"),
        ("--to 2,0 --through 5,1", "error: the waypoint 5,1 is not on the map, which is 5 x 3\n"),
        ("--to 2,0 --through -1,0", "error: the waypoint -1,0 is not on the map, which is 5 x 3\n"),
        ("--through 3;1", "'3;1' for '--through <X,Y>'"),
        ("--through 1,0 --trace t", "--through <X,Y>' cannot be used with"),
        ("--through 1,0 --queries q", "--through <X,Y>' cannot be used with"),
        ("--through 1,0 --breach", "--through <X,Y>' cannot be used with"),
        ("--through 1,0 --compare", "--through <X,Y>' cannot be used with"),
    ] {
        Folder::new().refuses_with(&format!("route - {options}"), MAP, reason);
    }
}

#[test]
fn the_sums_by_terrain_stand_side_by_side_and_add_up() {
    let text = run("route figures/eruption --through 1,8").success();
    let thousandths = |word: &str| word.replace('.', "").parse::<i64>().unwrap();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(words(lines[4]), ["through", "cells", "best", "cells", "difference", "terrain"], "{text}");
    let rows: Vec<_> = lines[5..].iter().take_while(|line| !line.is_empty()).map(|line| words(line)).collect();
    let sum = |column: usize| rows.iter().map(|row| thousandths(&row[column])).sum::<i64>();
    let [first, second] = [words(lines[1]), words(lines[2])];
    let totals = [&first[1], second[3].trim_end_matches(':'), second.last().unwrap()];
    let [cost, detour, best] = totals.map(thousandths);
    assert_eq!([sum(0), sum(4), sum(2)], [cost, detour, best], "{text}");
    assert_eq!(cost - best, detour);
    assert_eq!(rows.iter().map(|row| row[5].as_str()).collect::<Vec<_>>(), ["snow", "volcano"], "{text}");
    for row in &rows {
        assert_eq!(thousandths(&row[0]) - thousandths(&row[2]), thousandths(&row[4]), "{text}");
    }
    // The numbers belong to the two routes alone.
    let alone = run("route figures/eruption").success();
    assert!(alone.lines().any(|line| words(line) == [&rows[0][2], &rows[0][3], "snow"]), "{alone}\n{text}");
    // A terrain that only one of the routes enters has a row too.
    let text = run("route valley --through 0,0").success();
    let forest = text.lines().find(|line| line.ends_with("  pine forest on grass")).unwrap();
    assert_eq!(words(forest)[2..4], ["0.000", "0"], "{text}");
}

#[test]
fn climbs_of_both_routes_stand_side_by_side() {
    let map = r#"(name: "hill", base: ["GGG", "GGG"], overlay: ["1.2", "..."], heights: ["010", "000"])"#;
    let text = run_with("route - --through 1,0", map).success();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.ends_with("terrain"))
        .skip(1)
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["2.000", "2", "2.828", "2", "-0.828", "grass"], "{text}");
    assert_eq!(rows[1], ["1.000", "1", "0.000", "0", "1.000", "climb"], "{text}");
    assert!(text.contains("\nthe detour costs 0.172: the direct route costs 2.828\n"), "{text}");
}
