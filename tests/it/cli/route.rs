//! `emberwalk route`: its table of costs, and lists of queries.

use std::fmt::Write;
use std::fs;

use serde_json::{Value, json};

use super::{objects, route, run_in, run_with_input};
use crate::support::{Random, file};

/// The rows of the table, as cost in thousandths, cells, and name; and the total cost in thousandths.
fn table(text: &str) -> (Vec<(i64, usize, String)>, i64) {
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
    (rows.collect(), thousandths(total))
}

#[test]
fn the_rows_of_the_table_sum_to_the_printed_total() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows_seen = 0;
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
        let made = run_in(folder.path(), &["generate", "--seed", seed, "-o", "map.ron"]);
        assert!(made.status.success(), "{made:?}");
        let output = run_in(folder.path(), &["route", "map.ron", "--erupting"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let (rows, total) = table(&text);
        assert_eq!(rows.iter().map(|row| row.0).sum::<i64>(), total, "seed {seed}\n{text}");
        rows_seen += rows.len();
    }
    assert!(rows_seen > 20, "{rows_seen}");
}

#[test]
fn a_cell_counts_once_in_a_row_however_many_influences_are_on_it() {
    let map = r#"(name: "test", base: ["GGGGG", "GGGGG"], overlay: ["t.t.t", "1...2"])"#;
    let (_, text, _) = route(&["-"], map);
    let (rows, total) = table(&text);
    let cells: Vec<_> = rows.iter().map(|(_, cells, name)| (*cells, name.as_str())).collect();
    assert_eq!(cells, [(4, "grass"), (4, "tombstone")], "{text}");

    let (_, text, _) = route(&["-", "--json"], map);
    let answer = &objects(&text)[0];
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
    let (_, text, _) = route(&["-"], map);
    let (rows, total) = table(&text);
    let named: Vec<_> = rows.iter().map(|(cost, cells, name)| (*cost, *cells, name.as_str())).collect();
    assert_eq!(named, [(2000, 2, "grass"), (3000, 1, "snow"), (4000, 2, "climb")], "{text}");
    assert_eq!(total, 9000);
    let (_, text, _) = route(&["-", "--from", "3,0", "--to", "0,0"], map);
    let (rows, total) = table(&text);
    assert_eq!((&rows[2], total), (&(3000, 1, "climb".to_owned()), 8000), "only the way up costs more: {text}");
    let answer = &objects(&route(&["-", "--json"], map).1)[0];
    assert_eq!(answer["terrain"][2], json!({"name": "climb", "influence": true, "cost": 4.0, "cells": 2}), "{answer}");
}

#[test]
fn a_ledge_leads_down_and_not_up() {
    let folder = tempfile::tempdir().unwrap();
    let tileset = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let ledges = tileset.replacen("down: 0.0, most: 1)", "down: 0.0, up_most: 1, down_most: 2)", 1);
    assert_ne!(ledges, tileset);
    fs::write(folder.path().join("tileset.ron"), ledges).unwrap();
    let map = r#"(name: "ledge", base: ["GGGGGGG"], overlay: ["1.....2"], heights: ["2222000"])"#;
    let route = |args: &[&str]| {
        let args = [&["route", "-", "--assets", folder.path().to_str().unwrap()], args].concat();
        let output = run_with_input(folder.path(), &args, map.as_bytes());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, down) = route(&[]);
    assert!(status == Some(0) && down.contains("\ncost 6.000 "), "{down}");
    let up = ["--from", "6,0", "--to", "0,0"];
    let (status, answer) = route(&[&up[..], &["--json"]].concat());
    assert_eq!((status, &objects(&answer)[0]["cells"]), (Some(1), &json!([])), "{answer}");
    // Nothing can be opened that helps.
    let (status, breach) = route(&[&up[..], &["--breach", "--json"]].concat());
    assert_eq!((status, &objects(&breach)[0]["breach"]), (Some(1), &Value::Null), "{breach}");
}

#[test]
fn the_table_adds_up_on_generated_hills_with_all_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut climbs = 0;
    for (seed, kind) in ["1", "2", "3", "4"].into_iter().flat_map(|seed| ["highlands", "open"].map(|kind| (seed, kind)))
    {
        let size = ["--width", "26", "--height", "22", "--hills", "6"];
        let args = [&["generate", "--kind", kind, "--seed", seed, "-o", "map.ron"], &size[..]].concat();
        assert!(run_in(folder.path(), &args).status.success());
        for moves in ["8", "4", "6"] {
            let output = run_in(folder.path(), &["route", "map.ron", "--moves", moves]);
            let text = String::from_utf8(output.stdout).unwrap();
            let (rows, total) = table(&text);
            assert_eq!(rows.iter().map(|row| row.0).sum::<i64>(), total, "{kind} {seed}, {moves} moves\n{text}");
            climbs += usize::from(rows.iter().any(|row| row.2 == "climb"));
        }
    }
    assert!(climbs > 12, "{climbs}");
}

#[test]
fn six_moves_are_the_steps_of_hexagons() {
    let map = r#"(name: "hexagons", base: ["GGG", "GGG", "GGG"], overlay: ["1..", "...", "..2"])"#;
    let answer = |args: &[&str]| objects(&route(&[&["-", "--json", "--moves", "6"], args].concat(), map).1).remove(0);
    let along = answer(&[]);
    assert_eq!((&along["cost"], &along["cells"]), (&json!(2.0), &json!([[0, 0], [1, 1], [2, 2]])));
    assert_eq!((&along["heuristic"], &along["optimal"]), (&json!("hex"), &json!(true)));
    let across = answer(&["--from", "2,0", "--to", "0,2"]);
    assert_eq!((&across["cost"], &across["steps"]), (&json!(4.0), &json!(4)), "there is no step to the north-east");
    assert_eq!(answer(&["--heuristic", "octile"])["optimal"], json!(false));
}

#[test]
fn the_limits_of_the_cost_are_a_row() {
    let rows_between = |overlay: &str| {
        let sides = [overlay.repeat(9), overlay.repeat(9)];
        let [above, below] = [sides.clone(), sides].map(|rows| format!("{:?}, {:?}", rows[0], rows[1]));
        let map = format!(
            "(name: \"hot\", base: {:?}, overlay: [{above}, \"1.......2\", {below}])",
            // Water keeps the route between them.
            ["~", "~", "G", "~", "~"].map(|ground| ground.repeat(9))
        );
        let (_, text, _) = route(&["-"], &map);
        table(&text)
    };
    let named =
        |rows: &[(i64, usize, &str)]| rows.iter().map(|row| (row.0, row.1, row.2.to_owned())).collect::<Vec<_>>();
    // Eight times 1/256, and eight times 4096. No row has more than that, whatever the influences would do.
    let (rows, total) = rows_between("V");
    assert_eq!(rows, named(&[(8000, 8, "grass"), (0, 8, "limits of the cost"), (-7969, 8, "volcano")]));
    assert_eq!(total, 31);
    let (rows, total) = rows_between("t");
    assert!(rows.iter().all(|row| row.0 < 8 * 4_096_000), "{rows:?}");
    assert_eq!(rows.iter().map(|row| row.0).sum::<i64>(), total);
    assert!(rows.iter().any(|row| (row.0, row.2.as_str()) == (0, "limits of the cost")), "{rows:?}");
}

#[test]
fn many_queries_get_the_answers_of_single_ones() {
    let list = "# from to\n1,5 8,5\n\n  8,5\t1,5 # back\n2,2 2,2\r\n";
    let (status, text, errors) = route(&["figures/road", "--queries", "-"], list);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let single = |from, to| objects(&route(&["figures/road", "--json", "--from", from, "--to", to], "").1).remove(0);
    let mut answers = objects(&text);
    let mut expected = [single("1,5", "8,5"), single("8,5", "1,5"), single("2,2", "2,2")];
    for answer in answers.iter_mut().chain(&mut expected) {
        let fields = answer.as_object_mut().unwrap();
        // Preparation saves time and expansions, and nothing else.
        assert!(fields.remove("micros").unwrap().is_u64() && fields.remove("expanded").unwrap().is_u64());
    }
    assert_eq!(answers, expected);
    assert_eq!(route(&["figures/road", "--queries", "-"], "# none\n"), (Some(0), String::new(), String::new()));
}

#[test]
fn queries_are_answered_with_the_planning_options() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("list"), "1,5 8,5\n").unwrap();
    let args = ["route", "figures/snow", "--queries", "list", "--erupting", "--algorithm", "dijkstra", "--json"];
    let output = run_in(folder.path(), &args);
    let answer = &objects(std::str::from_utf8(&output.stdout).unwrap())[0];
    assert_eq!((&answer["algorithm"], answer["cost"].as_f64() < Some(21.0)), (&json!("dijkstra"), true), "{answer}");
}

#[test]
fn an_unreachable_goal_does_not_stop_the_queries_after_it() {
    let map = r#"(name: "two", base: ["GG~G"], overlay: ["...."])"#;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.ron"), map).unwrap();
    let output = run_with_input(folder.path(), &["route", "two.ron", "--queries", "-"], b"0,0 3,0\n0,0 1,0");
    let answers = objects(std::str::from_utf8(&output.stdout).unwrap());
    let found: Vec<_> = answers.iter().map(|answer| answer["found"].as_bool().unwrap()).collect();
    assert_eq!((output.status.code(), found), (Some(1), vec![false, true]));
    assert_eq!((&answers[0]["cost"], &answers[0]["terrain"]), (&Value::Null, &json!([])));
}

#[test]
fn wrong_queries_are_all_reported_and_none_is_answered() {
    let list = "1,5 8,5\n1;5 8,5\n1,5\n1, 5 8,5\n-1,0 8,5 # off the map\n  8,5 5,4\n";
    let (status, text, errors) = route(&["figures/road", "--queries", "-"], list);
    assert_eq!((status, text.as_str()), (Some(2), ""));
    for says in [
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
        assert!(errors.contains(says), "{says}\n{errors}");
    }
    for (args, says) in [
        (&["-", "--queries", "-"][..], "the map and the queries cannot both be standard input"),
        (&["valley", "--queries", "none.txt"], "none.txt: there is no such file"),
        (&["valley", "--queries", "-", "--from", "1,1"], "'--queries <FILE>' cannot be used with '--from <X,Y>'"),
        (&["valley", "--queries", "-", "--to", "1,1"], "'--queries <FILE>' cannot be used with '--to <X,Y>'"),
    ] {
        let (status, text, errors) = route(args, "");
        assert_eq!((status, text.as_str()), (Some(2), ""), "{args:?}");
        assert!(errors.contains(says), "{args:?}: {errors}");
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
    let (status, text, errors) = route(&["figures/road", "--queries", "-"], &list);
    assert_eq!((status, errors.as_str(), text.lines().count()), (Some(0), "", 2000));
    let answers = objects(&text);
    for (answer, line) in answers.iter().zip(list.lines()) {
        let cell = |name: &str| format!("{},{}", answer[name][0], answer[name][1]);
        assert_eq!(format!("{} {}", cell("from"), cell("to")), line);
    }
}
