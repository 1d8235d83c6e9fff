//! `emberwalk route --compare`: a row for each search.

use serde_json::{Value, json};

use super::{Folder, Run, run, run_with};

fn rows(arguments: &str) -> Vec<Value> {
    let run = run(&format!("route {arguments} --compare --json"));
    let rows = run.objects();
    run.success();
    rows
}

const HEURISTICS: [&str; 6] = ["octile", "manhattan", "chebyshev", "euclidean", "hex", "zero"];
/// A* has a row for each heuristic; auto is before them, and four algorithms are after them.
const ROWS: usize = HEURISTICS.len() + 5;
/// The index of the row of Dijkstra's algorithm.
const DIJKSTRA: usize = HEURISTICS.len() + 2;

#[test]
fn every_row_is_what_that_search_prints_alone() {
    for (options, heuristic) in [
        ("", "octile"),
        ("--scale classic --weight 3 --erupting", "manhattan"),
        ("--moves 4 --corners always", "euclidean"),
    ] {
        let rows = rows(&format!("valley {options} --heuristic {heuristic}"));
        let a_star = HEURISTICS.map(|heuristic| ("astar", heuristic));
        let others = ["weighted", "dijkstra", "greedy", "breadth-first"].map(|algorithm| (algorithm, heuristic));
        let searches: Vec<_> = [("auto", heuristic)].into_iter().chain(a_star).chain(others).collect();
        assert_eq!(rows.len(), searches.len());
        for (mut row, (algorithm, heuristic)) in rows.into_iter().zip(searches) {
            let search = format!("valley {options} --json --algorithm {algorithm} --heuristic {heuristic}");
            let mut alone = run(&format!("route {search}")).json();
            let fields = alone.as_object_mut().unwrap();
            assert!(fields.remove("cells").is_some() && fields.remove("micros").is_some());
            assert!(row.as_object_mut().unwrap().remove("micros").unwrap().is_u64());
            assert_eq!(row, alone, "{search}");
        }
    }
    assert_eq!(rows("valley --algorithm greedy").len(), ROWS, "the algorithm is ignored");
}

#[test]
fn people_see_how_far_each_cost_is_above_the_lowest() {
    let text = run("route figures/road --compare --scale classic --weight 2.5").success();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "The road: from 1,5 to 8,5, the lowest cost is 7.242");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let header = "algorithm heuristic cost above steps expanded reopened µs guaranteed";
    assert_eq!(words(lines[2]).join(" "), header);
    let rows: Vec<_> = lines[3..].iter().map(|line| words(line)).collect();
    assert_eq!(rows.len(), ROWS);
    let reports = self::rows("figures/road --scale classic --weight 2.5");
    for (row, report) in rows.iter().zip(&reports) {
        let cost = report["cost"].as_f64().unwrap();
        let lowest = reports[DIJKSTRA]["cost"].as_f64().unwrap();
        assert_eq!(reports[DIJKSTRA]["algorithm"], json!("dijkstra"));
        let expected = [
            format!("{cost:.3}"),
            format!("{:.3}", cost - lowest),
            format!("{:.1}", (cost / lowest - 1.0) * 100.0),
            "%".into(),
            report["steps"].to_string(),
            report["expanded"].to_string(),
            report["reopened"].to_string(),
        ];
        assert_eq!(row[2..9], expected, "{text}");
        assert_eq!(row[10], if report["optimal"] == json!(true) { "yes" } else { "no" }, "{text}");
    }
    assert!(rows.iter().any(|row| row[3] != "0.000"), "{text}");
    assert_eq!((rows[DIJKSTRA][1].as_str(), rows[DIJKSTRA + 2][1].as_str()), ("-", "-"), "they use no heuristic");
    // With the exact scale, weighted A* has a separate guarantee.
    let text = run("route figures/road --compare --weight 2.5").success();
    assert!(text.lines().any(|line| line.starts_with("weighted ") && line.ends_with("  at most 2.5 times the lowest")));
}

#[test]
fn the_columns_are_aligned() {
    for arguments in ["valley --erupting", "realm --to 1,1"] {
        let text = run(&format!("route {arguments} --compare")).success();
        let lines: Vec<Vec<char>> = text.lines().skip(2).map(|line| line.chars().collect()).collect();
        let header: String = lines[0].iter().collect();
        // Numbers end where their heading ends.
        for name in ["cost", "above", "steps", "expanded", "reopened", "µs"] {
            let end = header[..header.find(name).unwrap()].chars().count() + name.chars().count();
            for line in &lines {
                assert!(line[end - 1] != ' ' && line[end] == ' ', "{name}\n{text}");
            }
        }
        let start = header[..header.find("guaranteed").unwrap()].chars().count();
        assert!(lines.iter().all(|line| line[start - 1] == ' ' && line[start] != ' '), "{text}");
    }
}

#[test]
fn without_a_route_every_row_says_so() {
    let map = r#"(name: "two", base: ["GG~G"], overlay: ["1..2"])"#;
    let json = run_with("route - --compare --json", map);
    let rows = json.objects();
    assert_eq!((json.status, rows.len()), (1, ROWS));
    for row in rows {
        assert_eq!((&row["found"], &row["cost"], &row["steps"]), (&json!(false), &Value::Null, &Value::Null));
        assert_eq!(row["expanded"], json!(2));
        assert_eq!(row.get("cells"), None);
    }
    let Run { status, out: text, .. } = run_with("route - --compare", map);
    assert_eq!((status, text.lines().next()), (1, Some("two: there is no route from 0,0 to 3,0")));
    // Every search has really looked for one, and nothing is said about a route that is not there.
    for line in text.lines().skip(3) {
        let row: Vec<_> = line.split_whitespace().collect();
        assert_eq!((&row[2..6], row[6], row[9]), (&["-"; 4][..], "2", "-"), "{text}");
    }
}

#[test]
fn a_route_of_one_cell_is_not_above_itself() {
    let text = run("route figures/road --compare --from 8,5").success();
    assert_eq!(text.lines().filter(|line| line.contains("  0.000  0.000  0.0 %  ")).count(), ROWS, "{text}");
}

#[test]
fn a_huge_weight_is_printed_with_an_exponent() {
    for options in ["--compare", "--algorithm weighted"] {
        let text = run(&format!("route figures/road --weight 1e308 {options}")).success();
        assert!(text.contains("1e308") && !text.contains("00000000"), "{text}");
    }
}

#[test]
fn mistakes_are_refused_before_any_row_is_printed() {
    for (options, reason) in [
        ("--weight 0.5", "the weight must be a finite number and at least 1, not 0.5"),
        ("--weight -1e308", "the weight must be a finite number and at least 1, not -1e308"),
        ("--weight 1e-308", "the weight must be a finite number and at least 1, not 1e-308"),
        ("--to 5,4", "the goal 5,4 is blocked: stone wall"),
        ("--trace t", "cannot be used with"),
        ("--queries q", "cannot be used with"),
        ("--breach", "cannot be used with"),
    ] {
        Folder::new().refuses(&format!("route figures/road --compare {options}"), reason);
    }
}
