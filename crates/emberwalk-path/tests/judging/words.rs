//! The description of a mistake, in the numbers of the search.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::{MistakeKind, Recording, SaidEnd, SaidEvent, Trace, judge};
use emberwalk_path::{Algorithm, CostGrid, Diagonal, EntryCost, Heuristic, Moves, Options, Planner, RouteQuery};
use fastrand::Rng;

use crate::right::said;
use crate::student::{Estimate, List, Manner, Mutation, Student, Ties};

const MANNER: Manner = Manner {
    ties: Ties::LowH,
    list: List::Lazy,
    reopens: false,
    estimate: Estimate::Distance,
    closed_after: false,
    decimals: None,
    tells_g: true,
    tells_h: true,
    tells_f: true,
    tells_parent: true,
    tells_closed_g: true,
    opens_start: true,
    closes_goal: true,
    expands_goal: false,
};

/// The first mistake of a search round a swamp along a road.
#[track_caller]
fn check(mutation: Option<Mutation>, estimate: Estimate, words: &[&str]) {
    let rows = ["..RRRRR..", ".SRSSSRS.", ".SRSSSRS.", "...SSS...", "........."];
    let cost = |cell: Cell| match rows[cell.y as usize].as_bytes()[cell.x as usize] {
        b'R' => 0.5,
        b'S' => 3.0,
        _ => 1.0,
    };
    let entry = |cell| Some(EntryCost::from_tiles(cost(cell)).unwrap());
    let grid = CostGrid::from_fn(Size::new(9, 5), Diagonal::GAME, entry).unwrap();
    let query = RouteQuery::new(Cell::new(1, 3), Cell::new(7, 2));
    let manner = Manner { estimate, ..MANNER };
    let answer = Student { grid: &grid, query, manner, mutation }.search(&mut Rng::with_seed(1));
    let verdict = judge(&grid, &query, &answer.trace).unwrap();
    let text = verdict.mistakes.first().map_or("", |mistake| &mistake.text);
    for words in words {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn the_octile_distance_is_too_high_with_six_moves() {
    let grid = CostGrid::open(Size::new(6, 6)).unwrap();
    let options = Options::default().with_moves(Moves::Six).with_algorithm(Algorithm::AStar);
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(5, 5)).with_options(options);
    let octile = query.with_options(options.with_heuristic(Some(Heuristic::Octile)));
    let trace = said(&Recording::new(&mut Planner::new(), &grid, &octile).unwrap());
    let mistake = judge(&grid, &query, &trace).unwrap().mistakes.remove(0);
    assert_eq!((mistake.kind, mistake.event), (MistakeKind::Overestimates, Some(1)));
    let words = "from there costs, 5.0. h is the octile distance, which is too high for hexagons: with six moves";
    assert!(mistake.text.contains(words), "{}", mistake.text);
}

#[test]
fn an_estimate_below_zero_is_a_remark() {
    let grid = CostGrid::open(Size::new(3, 1)).unwrap();
    let cells = [2, 1, 0].map(|x| Cell::new(x, 0));
    let mut events = Vec::new();
    for (k, cell) in cells.into_iter().enumerate() {
        let parent = k.checked_sub(1).map(|before| cells[before]);
        let h = -f64::from(cell.x);
        events.extend([
            SaidEvent::opened(cell).with_parent(parent).with_costs(Some(k as f64), Some(h), None),
            SaidEvent::closed(cell),
        ]);
    }
    let end = SaidEnd::Found { cells: Some(cells.to_vec()), cost: None };
    let verdict = judge(&grid, &RouteQuery::new(cells[0], cells[2]), &Trace { events, end }).unwrap();
    assert!(verdict.is_right(), "{verdict:?}");
    let remark = &verdict.remarks[0];
    assert_eq!((remark.kind, remark.event), (MistakeKind::Inconsistent, Some(1)));
    assert!(remark.text.starts_with("h = -2.0 is below 0"), "{}", remark.text);
}

#[test]
fn the_rule_behind_a_mistake_is_told() {
    let distance = Estimate::Distance;
    let diagonal = "Every diagonal step is counted as a straight one, but it costs 1.414 times as much";
    check(
        Some(Mutation::DiagonalAs(1.0)),
        distance,
        &["g = 0.5 is wrong: the parent 1,3 has g = 0.0", "so g is 0.707", diagonal],
    );
    check(Some(Mutation::DiagonalAs(1.4)), distance, &["counted as 1.4 straight ones"]);
    check(Some(Mutation::CostOfLeft), distance, &["The cost of the cell that is left is counted"]);
    check(Some(Mutation::NoTerrain), distance, &["The terrain is ignored"]);
    check(Some(Mutation::StartCounted), distance, &["the start has g = 1.0", "The cost of the start is counted, too"]);
    check(None, Estimate::Unscaled, &["h has to be multiplied by the lowest cost", "Some cells here cost only 0.5"]);
    check(Some(Mutation::SortByG), distance, &["It seems to sort by g alone"]);
    check(Some(Mutation::SortByH), distance, &["It seems to sort by h alone"]);
    check(Some(Mutation::HighestF), distance, &["It seems to take the highest f"]);
    check(Some(Mutation::Stack), distance, &["opened last"]);
    check(Some(Mutation::Queue), distance, &["opened first"]);
    check(Some(Mutation::OldPlace), distance, &["It seems to sort by the first f of each cell"]);
    check(None, Estimate::FromStart, &["h is the octile distance to the start"]);
    check(Some(Mutation::DoubledF), distance, &["All events fit f = g + 2 h"]);
    check(Some(Mutation::NoDiagonals), distance, &["It opens no cell diagonally"]);
    check(Some(Mutation::NoDirection(1)), distance, &["It never opens the cell at x+1, y of"]);
    check(Some(Mutation::NoLastColumn), distance, &["on the edge of the map"]);
    check(Some(Mutation::UntoldClosed), distance, &["was opened from", "which was never closed"]);
    check(Some(Mutation::OffTheMap), distance, &["is off the map, whose last cell is 8,4"]);
}
