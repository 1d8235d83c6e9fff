//! `emberwalk route`: its table of costs, and lists of queries.

use std::fmt::Write;
use std::fs;

use serde_json::{Value, json};

use super::{Folder, Run, run, run_with};
use crate::support::{Random, file};

/// The rows of the table, as cost in thousandths, cells, and name; and the total cost in thousandths. They add up.
fn table(run: Run) -> (Vec<(i64, usize, String)>, i64) {
    let text = run.success();
    let thousandths = |word: &str| {
        assert_eq!(word.split_once('.').unwrap().1.len(), 3, "{word}");
        word.replace('.', "").parse().unwrap()
    };
    let total = text.lines().find_map(|line| line.strip_prefix("cost ")).unwrap().split(' ').next().unwrap();
    let rows = text.lines().skip_while(|line| !line.ends_with("cells  terrain")).skip(1);
    let rows = rows.take_while(|line| !line.is_empty()).map(|line| {
        let mut words = line.split_whitespace();
        let (cost, cells) = (thousandths(words.next().unwrap()), words.next().unwrap().parse().unwrap());
        (cost, cells, words.collect::<Vec<_>>().join(" "))
    });
    let (rows, total): (Vec<_>, _) = (rows.collect(), thousandths(total));
    assert_eq!(rows.iter().map(|row| row.0).sum::<i64>(), total, "{text}");
    (rows, total)
}

/// Rows with these costs, cells and names.
fn named(rows: &[(i64, usize, &str)]) -> Vec<(i64, usize, String)> {
    rows.iter().map(|(cost, cells, name)| (*cost, *cells, (*name).to_owned())).collect()
}

#[test]
fn the_rows_of_the_table_sum_to_the_printed_total() {
    let folder = Folder::new();
    let (mut rows_seen, mut climbs) = (0, 0);
    for (seed, kind) in (1..5).flat_map(|seed| ["valley", "highlands", "open"].map(|kind| (seed, kind))) {
        let generate = format!("generate --kind {kind} --seed {seed} --width 26 --height 22 --hills 6 -o map.ron");
        assert_eq!(folder.run(&generate).status, 0);
        for options in ["--erupting", "--moves 8", "--moves 4", "--moves 6"] {
            let (rows, _) = table(folder.run(&format!("route map.ron {options}")));
            rows_seen += rows.len();
            climbs += usize::from(rows.iter().any(|row| row.2 == "climb"));
        }
    }
    assert!(rows_seen > 60 && climbs > 12, "{rows_seen}, {climbs}");
}

#[test]
fn a_cell_counts_once_in_a_row_however_many_influences_are_on_it() {
    let map = r#"(name: "test", base: ["GGGGG", "GGGGG"], overlay: ["t.t.t", "1...2"])"#;
    let (rows, total) = table(run_with("route -", map));
    let cells: Vec<_> = rows.iter().map(|(_, cells, name)| (*cells, name.as_str())).collect();
    assert_eq!(cells, [(4, "grass"), (4, "tombstone")]);

    let answer = run_with("route - --json", map).json();
    let terrain = answer["terrain"].as_array().unwrap();
    let row = |k: usize, field: &str| terrain[k][field].clone();
    assert_eq!([row(0, "name"), row(0, "influence"), row(0, "cells")], [json!("grass"), json!(false), json!(4)]);
    assert_eq!([row(1, "name"), row(1, "influence"), row(1, "cells")], [json!("tombstone"), json!(true), json!(4)]);
    let sum: f64 = terrain.iter().map(|row| row["cost"].as_f64().unwrap()).sum();
    assert_eq!(sum, answer["cost"].as_f64().unwrap(), "exact");
    assert_eq!((sum * 1000.0).round() as i64, total);
}

#[test]
fn climbs_are_a_row_and_the_table_still_adds_up() {
    let map = r#"(name: "hill", base: ["GGSG"], overlay: ["1..2"], heights: ["0121"])"#;
    let (rows, total) = table(run_with("route -", map));
    assert_eq!((rows, total), (named(&[(2000, 2, "grass"), (3000, 1, "snow"), (4000, 2, "climb")]), 9000));
    let (rows, total) = table(run_with("route - --from 3,0 --to 0,0", map));
    assert_eq!((&rows[2], total), (&(3000, 1, "climb".to_owned()), 8000), "only the way up costs more");
    let answer = run_with("route - --json", map).json();
    assert_eq!(answer["terrain"][2], json!({"name": "climb", "influence": true, "cost": 4.0, "cells": 2}), "{answer}");
}

#[test]
fn a_ledge_leads_down_and_not_up() {
    let tileset = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let ledges = tileset.replacen("down: 0.0, most: 1)", "down: 0.0, up_most: 1, down_most: 2)", 1);
    assert_ne!(ledges, tileset);
    let map = r#"(name: "ledge", base: ["GGGGGGG"], overlay: ["1.....2"], heights: ["2222000"])"#;
    let folder = Folder::with(&[("tileset.ron", &ledges), ("map.ron", map)]);
    let down = folder.run("route map.ron --assets .").success();
    assert!(down.contains("\ncost 6.000 "), "{down}");
    let up = folder.run("route map.ron --assets . --from 6,0 --to 0,0 --json");
    assert_eq!((up.status, &up.json()["cells"]), (1, &json!([])));
    // Nothing can be opened that helps.
    let breach = folder.run("route map.ron --assets . --from 6,0 --to 0,0 --breach --json");
    assert_eq!((breach.status, &breach.json()["breach"]), (1, &Value::Null));
}

#[test]
fn six_moves_are_the_steps_of_hexagons() {
    let map = r#"(name: "hexagons", base: ["GGG", "GGG", "GGG"], overlay: ["1..", "...", "..2"])"#;
    let answer = |options: &str| run_with(&format!("route - --json --moves 6 {options}"), map).json();
    let along = answer("");
    assert_eq!((&along["cost"], &along["cells"]), (&json!(2.0), &json!([[0, 0], [1, 1], [2, 2]])));
    assert_eq!((&along["heuristic"], &along["optimal"]), (&json!("hex"), &json!(true)));
    let across = answer("--from 2,0 --to 0,2");
    assert_eq!((&across["cost"], &across["steps"]), (&json!(4.0), &json!(4)), "there is no step to the north-east");
    assert_eq!(answer("--heuristic octile")["optimal"], json!(false));
}

#[test]
fn the_limits_of_the_cost_are_a_row() {
    let table_between = |overlay: &str| {
        let sides = overlay.repeat(9);
        let map = format!(
            "(name: \"hot\", base: {:?}, overlay: {:?})",
            // Water keeps the route between them.
            ["~", "~", "G", "~", "~"].map(|ground| ground.repeat(9)),
            [&sides, &sides, "1.......2", &sides, &sides]
        );
        table(run_with("route -", map))
    };
    // Eight times 1/256, and eight times 4096. No row has more than that, whatever the influences would do.
    let (rows, total) = table_between("V");
    assert_eq!(rows, named(&[(8000, 8, "grass"), (0, 8, "limits of the cost"), (-7969, 8, "volcano")]));
    assert_eq!(total, 31);
    let (rows, _) = table_between("t");
    assert!(rows.iter().all(|row| row.0 < 8 * 4_096_000), "{rows:?}");
    assert!(rows.iter().any(|row| (row.0, row.2.as_str()) == (0, "limits of the cost")), "{rows:?}");
}

#[test]
fn many_queries_get_the_answers_of_single_ones() {
    let list = "# from to\n1,5 8,5\n\n  8,5\t1,5 # back\n2,2 2,2\r\n";
    let mut answers = run_with("route figures/road --queries -", list).objects();
    let single = |from, to| run(&format!("route figures/road --json --from {from} --to {to}")).json();
    let mut expected = [single("1,5", "8,5"), single("8,5", "1,5"), single("2,2", "2,2")];
    for answer in answers.iter_mut().chain(&mut expected) {
        let fields = answer.as_object_mut().unwrap();
        // Preparation saves time and expansions, and nothing else.
        assert!(fields.remove("micros").unwrap().is_u64() && fields.remove("expanded").unwrap().is_u64());
    }
    assert_eq!(answers, expected);
    assert_eq!(run_with("route figures/road --queries -", "# none\n").success(), "");
}

#[test]
fn queries_are_answered_with_the_planning_options() {
    let options = "--erupting --algorithm dijkstra --json";
    let answer = run_with(&format!("route figures/snow --queries - {options}"), "1,5 8,5\n").json();
    assert_eq!((&answer["algorithm"], answer["cost"].as_f64() < Some(21.0)), (&json!("dijkstra"), true), "{answer}");
}

#[test]
fn an_unreachable_goal_does_not_stop_the_queries_after_it() {
    let folder = Folder::with(&[("two.ron", r#"(name: "two", base: ["GG~G"], overlay: ["...."])"#)]);
    let run = folder.run_with("route two.ron --queries -", "0,0 3,0\n0,0 1,0");
    let answers = run.objects();
    let found: Vec<_> = answers.iter().map(|answer| answer["found"].as_bool().unwrap()).collect();
    assert_eq!((run.status, found), (1, vec![false, true]));
    assert_eq!((&answers[0]["cost"], &answers[0]["terrain"]), (&Value::Null, &json!([])));
}

#[test]
fn wrong_queries_are_all_reported_and_none_is_answered() {
    let list = "1,5 8,5\n1;5 8,5\n1,5\n1, 5 8,5\n-1,0 8,5 # off the map\n  8,5 5,4\n";
    for reason in [
        "[<stdin>:2:1]",
        "the start '1;5' is not a cell",
        "[<stdin>:3:1]",
        "the line has 1 word, not two cells",
        "the line has 3 words, not two cells",
        "the start -1,0 is not on the map, which is 10 x 10",
        "[<stdin>:6:7]",
        "the goal 5,4 is blocked: stone wall",
        "such as `3,4 17,2`",
    ] {
        Folder::new().refuses_with("route figures/road --queries -", list, reason);
    }
    for (arguments, reason) in [
        ("- --queries -", "the map and the queries cannot both be standard input"),
        ("valley --queries none.txt", "none.txt: there is no such file"),
        ("valley --queries - --from 1,1", "'--queries <FILE>' cannot be used with '--from <X,Y>'"),
        ("valley --queries - --to 1,1", "'--queries <FILE>' cannot be used with '--to <X,Y>'"),
    ] {
        Folder::new().refuses(&format!("route {arguments}"), reason);
    }
}

#[test]
fn a_long_list_is_answered_by_a_prepared_planner() {
    let mut list = String::new();
    let mut random = Random(3);
    for _ in 0..2000 {
        let [from, to] = [(); 2].map(|()| (random.below(10), random.below(2)));
        writeln!(list, "{},{} {},{}", from.0, from.1, to.0, to.1).unwrap();
    }
    let answers = run_with("route figures/road --queries -", &list).objects();
    assert_eq!(answers.len(), 2000);
    for (answer, line) in answers.iter().zip(list.lines()) {
        let cell = |name: &str| format!("{},{}", answer[name][0], answer[name][1]);
        assert_eq!(format!("{} {}", cell("from"), cell("to")), line);
    }
}
