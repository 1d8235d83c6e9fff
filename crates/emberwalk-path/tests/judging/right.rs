//! No right search is called wrong.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::{Recording, SaidEnd, SaidEvent, SearchEvent, Trace, judge};
use emberwalk_path::{Algorithm, CostGrid, Heuristic, Planner, RouteQuery};
use fastrand::Rng;

use crate::cases::cases;
use crate::student::{Estimate, Student, describe, manner, problem};

#[test]
fn right_searches_in_all_manners_have_no_mistake() {
    for seed in 0..cases(20_000) {
        let rng = &mut Rng::with_seed(seed);
        let (grid, query) = problem(rng);
        let manner = manner(rng);
        let algorithm = *rng.choice(&[Algorithm::Auto, Algorithm::Auto, Algorithm::Weighted { weight: 2.0 }]).unwrap();
        let query = query.with_options(query.options.with_algorithm(algorithm));
        let answer = Student { grid: &grid, query, manner, mutation: None }.search(rng);
        let verdict = judge(&grid, &query, &answer.trace).unwrap();
        let case = || format!("seed {seed}, {manner:?}\n{query:?}\n{}\n{verdict:#?}", describe(&grid, &answer.trace));
        assert!(verdict.is_right(), "{}", case());
        let is_known = manner.tells_h && manner.decimals.is_none() && algorithm == Algorithm::Auto;
        if is_known
            && manner.estimate != Estimate::Jumpy
            && !manner.reopens
            && query.from != query.to
            && verdict.expanded.is_some()
        {
            assert!(verdict.possible.is_some(), "its number of expansions is not possible: {}", case());
        }
    }
}

/// The trace that the planner itself gives.
pub fn said(recording: &Recording) -> Trace {
    let event = |event| match event {
        SearchEvent::Opened(opened) => {
            let [g, h, f] = [opened.g, opened.h, opened.f].map(|cost| Some(cost.tiles()));
            SaidEvent::opened(opened.cell).with_parent(opened.parent).with_costs(g, h, f)
        }
        SearchEvent::Closed(closed) => SaidEvent::closed(closed.cell).with_costs(Some(closed.g.tiles()), None, None),
    };
    let cost = recording.result().route.map(|route| Some(route.cost.tiles()));
    let end = cost.map_or(SaidEnd::Exhausted, |cost| SaidEnd::Found { cells: None, cost });
    Trace { events: recording.events().map(event).collect(), end }
}

#[test]
fn the_searches_of_the_planner_have_no_mistake() {
    for seed in 0..cases(4000) {
        let rng = &mut Rng::with_seed(seed);
        let (grid, query) = problem(rng);
        // The search of `Auto` leaves out successors from which no jump point can be reached.
        for &(_, algorithm) in Algorithm::NAMES.iter().filter(|(_, algorithm)| *algorithm != Algorithm::Auto) {
            let heuristic = *rng.choice(&[None, None, Some(Heuristic::Chebyshev), Some(Heuristic::Zero)]).unwrap();
            let options = query.options.with_algorithm(algorithm).with_heuristic(heuristic);
            let query = query.with_options(options);
            let mut planner = Planner::new();
            if rng.bool() {
                planner.always_use_tables();
                planner.prepare(&grid, &options);
            }
            let trace = said(&Recording::new(&mut planner, &grid, &query).unwrap());
            let verdict = judge(&grid, &query, &trace).unwrap();
            assert!(verdict.is_right(), "seed {seed}\n{query:?}\n{}\n{verdict:#?}", describe(&grid, &trace));
        }
    }
}

#[test]
fn a_route_alone_is_judged_alone() {
    let grid = CostGrid::open(Size::new(3, 2)).unwrap();
    let cells: Vec<_> = (0..3).map(|x| Cell::new(x, 1)).collect();
    let query = RouteQuery::new(cells[0], cells[2]);
    let end = SaidEnd::Found { cells: Some(cells), cost: None };
    let verdict = judge(&grid, &query, &Trace { events: Vec::new(), end }).unwrap();
    assert!(verdict.is_right() && verdict.cost == Some(2.0) && verdict.expanded.is_none());
}

#[test]
fn costs_are_exact_although_those_of_the_grid_are_rounded() {
    let grid = CostGrid::open(Size::new(6, 6)).unwrap();
    let cells: Vec<_> = (0..6).map(|x| Cell::new(x, x)).collect();
    let query = RouteQuery::new(cells[0], cells[5]);
    let end = SaidEnd::Found { cells: Some(cells), cost: None };
    let verdict = judge(&grid, &query, &Trace { events: Vec::new(), end }).unwrap();
    assert!((verdict.lowest.unwrap() - 5.0 * std::f64::consts::SQRT_2).abs() < 1e-9, "{:?}", verdict.lowest);
    assert_eq!(verdict.cost, verdict.lowest);
}
