//! `emberwalk route --breach`: the cells to open where there is no route.

use emberwalk_path::grid::Cell;
use emberwalk_path::{Planner, RouteQuery};
use serde_json::{Value, json};

use super::{Folder, run, run_with};
use crate::support::{Random, map};

/// Walls around the castle: one to the west, two on all other sides.
const MAP: &str = r#"(name: "Walls", base: ["GGGGGGGG", "GGGGGGGG", "GGGGGGGG", "GGGGGGGG", "GGGGGGGG", "GGGGGGGG"],
    overlay: ["........", ".WWWWWW.", ".WWWWWW.", ".W..2WW1", ".WWWWWW.", ".WWWWWW."])"#;

fn answer(options: &str, map: &str) -> (i32, Value) {
    let run = run_with(&format!("route - --json --breach {options}"), map);
    assert_eq!(run.errors, "", "{options}");
    (run.status, run.json())
}

#[test]
fn the_fewest_cells_come_first_and_the_cheapest_route_second() {
    let (status, walls) = answer("", MAP);
    assert_eq!((status, &walls["found"], &walls["cost"]), (1, &json!(false), &Value::Null));
    assert_eq!((&walls["cells"], &walls["steps"]), (&json!([]), &Value::Null));
    assert_eq!(walls["breach"], json!([[1, 3]]), "one from the west; two from the east would be nearer");
    assert_eq!(walls["opened_cost"], json!(17.0));

    for (base, cell) in [(["GSG", "GGG"], [1, 1]), (["GGG", "GSG"], [1, 0])] {
        let map = format!("(name: \"snow\", base: {base:?}, overlay: [\".W2\", \"1W.\"])");
        let (_, cheaper) = answer("", &map);
        assert_eq!((&cheaper["breach"], &cheaper["opened_cost"]), (&json!([cell]), &json!(3.0)), "{map}");
    }

    let (_, nothing) = answer("--to 0,0", MAP);
    assert_eq!((&nothing["breach"], &nothing["opened_cost"]), (&json!([]), &nothing["cost"]));
    assert!(nothing["found"] == json!(true) && nothing["cost"].is_number());
}

#[test]
fn an_opened_cell_costs_its_ground() {
    let cost = |base: &str, overlay: &str| {
        let map = format!("(name: \"row\", base: [{base:?}], overlay: [{overlay:?}])");
        let (_, row) = answer("", &map);
        (row["breach"].clone(), row["opened_cost"].as_f64().unwrap())
    };
    assert_eq!(cost("GSG", "1W2"), (json!([[1, 0]]), 4.0), "snow under the wall");
    assert_eq!(cost("G~G", "1.2"), (json!([[1, 0]]), 2.0), "water");
    assert_eq!(cost("G~G", "1W2"), (json!([[1, 0]]), 2.0), "a wall on water");
    let (breach, warm) = cost("GSGG", "1V.2");
    let expected = 3.0 / 10.0 + 1.0 / 8.0 + 1.0 / 6.0;
    assert!(breach == json!([[1, 0]]) && (warm / expected - 1.0).abs() < 0.001, "{warm}, not {expected}");
}

#[test]
fn the_corner_rule_is_judged_on_the_map_as_it_is() {
    // Around the end of the wall, a diagonal step would need the cell that is opened.
    let map = r#"(name: "c", base: ["GGG", "GGG"], overlay: ["1W2", ".W."])"#;
    for corners in ["never", "one", "always"] {
        let (_, straight) = answer(&format!("--corners {corners}"), map);
        assert_eq!((&straight["breach"], &straight["opened_cost"]), (&json!([[1, 0]]), &json!(2.0)), "{corners}");
    }
    // Where corners may be cut, there is a route between two walls.
    let map = r#"(name: "c", base: ["GG", "GG"], overlay: ["1W", "W2"])"#;
    assert_eq!(answer("--corners always", map).1["breach"], json!([]));
    let (status, two) = answer("", map);
    assert_eq!((status, &two["opened_cost"]), (1, &json!(2.0)));
}

#[test]
fn with_the_cells_open_there_is_a_route() {
    let mut random = Random(11);
    let mut most = 0;
    for round in 0..40 {
        let (base, overlay) = random.rows(12, 10);
        let mut map = map(&base, &overlay);
        let (Some(tent), Some(castle)) = (map.tent(), map.castle()) else { continue };
        let (status, answer) = answer("", &map.to_ron());
        let opened: Vec<Cell> = serde_json::from_value(answer["breach"].clone()).unwrap();
        map.apply(&map.edits_to_open(&opened)).unwrap();
        let query = RouteQuery::new(tent, castle);
        assert!(Planner::new().plan(map.costs(), &query).unwrap().found(), "round {round}: {answer}\n{}", map.to_ron());
        assert_eq!(opened.is_empty(), status == 0, "round {round}: {answer}");
        most = most.max(opened.len());
    }
    assert!(most > 1, "{most}");
}

#[test]
fn people_read_what_stands_in_the_cells() {
    let walls = run_with("route - --breach", MAP);
    assert_eq!((walls.status, walls.errors.as_str()), (1, ""));
    assert_eq!(
        walls.out,
        "Walls: there is no route from 7,3 to 4,3\n\
         opening 1 cell would create a route with cost 17.000 and 17 steps:\n\n       \
         1,3  stone wall\n\n\
         7,3 7,2 7,1 7,0 6,0 5,0 4,0 3,0 2,0 1,0 0,0 0,1 0,2 0,3 1,3 2,3 3,3 4,3\n"
    );
    let row = run_with("route - --breach", r#"(name: "row", base: ["G~GG"], overlay: ["1.M2"])"#).out;
    assert!(row.contains("opening 2 cells would create a route"), "{row}");
    assert!(row.contains("1,0  water\n       2,0  mountain\n"), "{row}");
    let [open, usual] = ["--breach", ""].map(|option| run(&format!("route figures/road {option}")).success());
    let without_time = |text: &str| text.lines().filter(|line| !line.contains("µs")).collect::<Vec<_>>().join("\n");
    assert_eq!(without_time(&open), format!("{}\n\nno cell has to be opened", without_time(&usual)));
}

#[test]
fn what_does_not_fit_is_refused() {
    for (options, reason) in [
        ("--from 1,1", "the start 1,1 is blocked: stone wall"),
        ("--to 9,9", "the goal 9,9 is not on the map"),
        ("--queries q", "cannot be used with"),
        ("--compare", "cannot be used with"),
    ] {
        Folder::new().refuses_with(&format!("route - --breach {options}"), MAP, reason);
    }
}

#[test]
fn the_cells_to_open_come_after_the_trace() {
    let run = run_with("route - --breach --json --trace -", MAP);
    let objects = run.objects();
    let [.., end, answer] = &objects[..] else { panic!("{run:?}") };
    assert_eq!((run.status, &end["event"], &answer["breach"]), (1, &json!("exhausted"), &json!([[1, 3]])));
}

#[test]
fn climbs_count_and_cliffs_cannot_be_opened() {
    let map = |heights: &str| format!("(name: \"row\", base: [\"GGGG\"], overlay: [\"1W.2\"], heights: [{heights:?}])");
    let (_, slope) = answer("", &map("0122"));
    assert_eq!((&slope["breach"], &slope["opened_cost"]), (&json!([[1, 0]]), &json!(5.0)));
    let (status, cliff) = answer("", &map("0133"));
    assert_eq!((status, &cliff["breach"], &cliff["opened_cost"]), (1, &Value::Null, &Value::Null));
}
