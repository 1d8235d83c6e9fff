//! The public data types survive a round trip through `serde`, and have the names of the command line.
#![cfg(feature = "serde")]

use std::fmt::Debug;

use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::{
    Algorithm, Corners, Diagonal, Endpoint, EntryCost, FieldDirection, FieldQuery, Heuristic, HeuristicScale, Moves,
    Options, Route, RouteCost, RouteQuery, StepRules, Ties,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Checks the JSON of a value, and that it parses to the same value.
#[track_caller]
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
}

#[test]
fn data_types_survive_a_round_trip() {
    check(Cell::new(3, -4), "[3,-4]");
    check(Size::new(5, 6), r#"{"width":5,"height":6}"#);
    check(Direction::NE, r#""NE""#);
    check(EntryCost::from_tiles(0.5).unwrap(), "131072");
    check(RouteCost::from_units(u64::MAX), "18446744073709551615");
    check(Diagonal::new(1.5).unwrap(), "1.5");
    check(Endpoint::Goal, r#""goal""#);
    check(StepRules::new(Moves::Four, Corners::One), r#"{"moves":"4","corners":"one","ignores_links":false}"#);
    check(
        FieldQuery::routes_to(Cell::new(1, 2)),
        r#"{"cells":[1,2],"direction":"to","rules":{"moves":"8","corners":"never","ignores_links":false}}"#,
    );
    check(FieldDirection::From, r#""from""#);
    let options = Options::default().with_algorithm(Algorithm::Weighted { weight: 2.5 });
    check(
        RouteQuery::new(Cell::new(0, 0), Cell::new(1, 1)).with_options(options),
        r#"{"from":[0,0],"to":[1,1],"options":{"rules":{"moves":"8","corners":"never","ignores_links":false},"algorithm":{"weighted":{"weight":2.5}},"scale":"exact"}}"#,
    );
    let ties = Options::default().with_ties(Ties::Canonical);
    let limited = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 1)).with_options(ties).with_max_length(7);
    let json = serde_json::to_string(&limited.with_partial().leaving_blocked()).unwrap();
    assert!(json.contains(r#""ties":"canonical""#) && json.contains(r#""limits":{"max_length":7},"partial":true"#));
    assert_eq!(serde_json::from_str::<RouteQuery>(&json).unwrap(), limited.with_partial().leaving_blocked());
    let cells = vec![Cell::new(0, 0), Cell::new(1, 0)];
    check(Route { cells, cost: RouteCost::from_units(7) }, r#"{"cells":[[0,0],[1,0]],"cost":7}"#);
}

#[test]
fn named_values_have_their_command_line_names() {
    for (name, value) in Algorithm::NAMES.iter().filter(|(name, _)| *name != "weighted") {
        check(*value, &format!("\"{name}\""));
    }
    Heuristic::NAMES.iter().for_each(|(name, value)| check(*value, &format!("\"{name}\"")));
    Ties::NAMES.iter().for_each(|(name, value)| check(*value, &format!("\"{name}\"")));
    HeuristicScale::NAMES.iter().for_each(|(name, value)| check(*value, &format!("\"{name}\"")));
    Moves::NAMES.iter().for_each(|(name, value)| check(*value, &format!("\"{name}\"")));
    Corners::NAMES.iter().for_each(|(name, value)| check(*value, &format!("\"{name}\"")));
}

#[test]
fn diagonal_ratios_are_exact() {
    for diagonal in [Diagonal::GAME, Diagonal::SQRT_2, Diagonal::SEVEN_FIFTHS, Diagonal::ONE] {
        let json = serde_json::to_string(&diagonal).unwrap();
        assert_eq!(serde_json::from_str::<Diagonal>(&json).unwrap(), diagonal, "{json}");
    }
}

#[test]
fn missing_options_are_the_defaults() {
    let query: RouteQuery = serde_json::from_str(r#"{"from":[0,0],"to":[2,3]}"#).unwrap();
    assert_eq!(query, RouteQuery::new(Cell::new(0, 0), Cell::new(2, 3)));
    let options: Options = serde_json::from_str(r#"{"algorithm":"dijkstra"}"#).unwrap();
    assert_eq!(options, Options::default().with_algorithm(Algorithm::Dijkstra));
}

#[test]
fn impossible_costs_are_rejected() {
    assert!(serde_json::from_str::<EntryCost>("0").is_err());
    assert!(serde_json::from_str::<Diagonal>("2.5").is_err());
}

#[test]
fn a_forecast_survives_a_round_trip() {
    use emberwalk_path::ahead::{Forecast, Hours, Stop};
    let [one, two, five] = [1, 2, 5].map(RouteCost::from_units);
    let mut forecast = Forecast::new();
    forecast.change(Cell::new(3, 4), two, Some(EntryCost::TILE));
    forecast.change_every(five, Cell::new(3, 4), one, None);
    forecast.close_every(five, Cell::new(0, 1), two..five);
    let json = r#"[{"cell":[0,1],"every":5,"changes":[],"closed":[{"from":2,"until":5}]},{"cell":[3,4],"changes":[{"at":2,"units":262144}],"closed":[]},{"cell":[3,4],"every":5,"changes":[{"at":1,"units":0}],"closed":[]}]"#;
    check(forecast, json);
    check(Stop { cell: Cell::new(1, 2), arrival: one, departure: two }, r#"{"cell":[1,2],"arrival":1,"departure":2}"#);
    check(Hours::new(five, one, two), r#"{"day":5,"opens":1,"closes":2}"#);
    assert!(serde_json::from_str::<Forecast>(&json.replace("262144", "7")).is_err(), "no entry cost");
}
