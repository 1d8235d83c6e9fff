//! Searches in slices, against the same ones in one piece.

use std::task::Poll;

use emberwalk_path::trace::{Closed, Recording, SearchObserver, SearchRecorder};
use emberwalk_path::{Algorithm, CostGrid, EntryCost, Options, Planner, Replanner, Route, RouteQuery, RouteSearch};
use fastrand::Rng;

use crate::observers::any_query;
use crate::oracle::{Map, algorithms, planner_with_tables};
use crate::preparation::change;
use crate::seeded;

/// How many cells a slice has.
const CELLS: u64 = 500;

/// Calls `advance` until it returns something; returns that, and the number of calls before.
pub fn in_slices<T>(mut advance: impl FnMut() -> Poll<T>) -> (T, usize) {
    for slices in 0..100_000 {
        if let Poll::Ready(done) = advance() {
            return (done, slices);
        }
    }
    panic!("each slice goes on");
}

/// Everything that a result says.
type Answer = (Option<Route>, u64, u64);

fn answer(planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> Answer {
    let result = planner.plan(grid, query).unwrap();
    (result.route.map(Route::from), result.expanded, result.reopened)
}

/// Continues a search, and returns its answer once it is done.
fn advance<O: SearchObserver>(search: &mut RouteSearch<O>, planner: &mut Planner, grid: &CostGrid) -> Poll<Answer> {
    let advanced = search.advance(planner, grid, CELLS).map(Result::unwrap);
    advanced.map(|result| (result.route.map(Route::from), result.expanded, result.reopened))
}

fn sliced_answer(planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> (Answer, usize) {
    let mut search = RouteSearch::new(*query);
    in_slices(|| advance(&mut search, planner, grid))
}

/// Of any kind, and so large that every algorithm is paused in its search on some of them.
fn large_map(rng: &mut Rng) -> Map {
    Map::random_of_size(rng, 210, 160)
}

#[test]
fn slices_change_no_route_and_no_count() {
    let mut slices = [0; Algorithm::NAMES.len()];
    for (seed, mut rng) in seeded(40) {
        let mut map = large_map(&mut rng);
        let mut grid = map.grid();
        let mut planners = [planner_with_tables(), planner_with_tables()];
        for (algorithm, slices) in algorithms().zip(&mut slices) {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            if seed % 4 == 0 {
                planners.iter_mut().for_each(|planner| planner.prepare(&grid, &query.options));
            }
            // The slices that make jump points are not counted.
            planners.iter_mut().for_each(|planner| planner.prepare_passes(&grid, &query.options));
            let [planner, sliced] = &mut planners;
            let (answered, number) = sliced_answer(sliced, &grid, &query);
            assert_eq!(answered, answer(planner, &grid, &query), "seed {seed}, {query:?}");
            *slices += number;
            change(&mut rng, &mut map, &mut grid);
        }
    }
    assert!(slices.iter().all(|&slices| slices > 10), "{slices:?}");
}

/// Counts the events, and how often a search begins.
#[derive(Default)]
struct Count {
    closed: usize,
    begun: usize,
}

impl SearchObserver for Count {
    fn began(&mut self, _: &CostGrid) {
        *self = Self { closed: 0, begun: self.begun + 1 };
    }

    fn closed(&mut self, _: Closed) {
        self.closed += 1;
    }
}

/// Two searches that take turns with a planner start again all the time, and a search that is left alone continues.
#[test]
fn a_search_begins_anew_where_it_cannot_go_on() {
    let mut begun_anew = 0;
    for (seed, mut rng) in seeded(40) {
        let map = large_map(&mut rng);
        let grid = map.grid();
        for algorithm in algorithms() {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            let mut planner = Planner::new();
            let mut whole = Count::default();
            let expected = planner.plan_observed(&grid, &query, &mut whole).unwrap();
            let expected = (expected.route.map(Route::from), expected.expanded, expected.reopened);
            let mut count = Count::default();
            let mut search = RouteSearch::observed(query, &mut count);
            if advance(&mut search, &mut planner, &grid).is_ready() {
                continue;
            }
            match seed % 3 {
                0 => drop(planner.plan(&grid, &query).unwrap()),
                1 => drop(RouteSearch::new(query).advance(&mut planner, &grid, 1)),
                _ => planner = planner.clone(),
            }
            let (answered, _) = in_slices(|| advance(&mut search, &mut planner, &grid));
            assert_eq!(answered, expected, "seed {seed}, {query:?}");
            assert_eq!((count.closed, count.begun), (whole.closed, if seed % 3 == 2 { 1 } else { 2 }), "seed {seed}");
            begun_anew += usize::from(count.begun > 1);
        }
    }
    assert!(begun_anew > 50, "{begun_anew}");
}

/// A search that continues with one planner does not continue with an earlier copy of it.
#[test]
fn a_search_is_not_mixed_up_with_copies_of_the_planner() {
    let mut mixed = 0;
    for (seed, mut rng) in seeded(30) {
        let map = large_map(&mut rng);
        let grid = map.grid();
        let Some(query) = any_query(&mut rng, &map, Algorithm::AStar) else { continue };
        let mut planners = [Planner::new(), Planner::new()];
        let expected = answer(&mut planners[0], &grid, &query);
        let mut search = RouteSearch::new(query);
        for step in 0..10 {
            if step == 2 {
                planners[1] = planners[0].clone();
            }
            let planner = if step < 4 { &mut planners[0] } else { rng.choice(&mut planners).unwrap() };
            if let Poll::Ready(answered) = advance(&mut search, planner, &grid) {
                assert_eq!(answered, expected, "seed {seed}");
                break;
            }
            mixed += usize::from(step > 4);
        }
        assert_eq!(in_slices(|| advance(&mut search, &mut planners[1], &grid)).0, expected, "seed {seed}");
    }
    assert!(mixed > 20, "{mixed}");
}

/// Jump points are made in slices, too.
#[test]
fn the_first_query_has_slices_before_its_search_too() {
    let map = Map::flat(300, 300, vec![1 << 18; 90_000], 6_073_083_757);
    let (grid, query) = (map.grid(), RouteQuery::new((0, 0).into(), (299, 150).into()));
    let (answered, slices) = sliced_answer(&mut Planner::new(), &grid, &query);
    assert_eq!(answered, answer(&mut Planner::new(), &grid, &query));
    assert!(answered.1 < 1000 && slices > 20, "{slices} slices");
    // A slice that makes jump points is no beginning of a search.
    let mut planner = Planner::new();
    for _ in 0..40 {
        assert!(RouteSearch::new(query).advance(&mut planner, &grid, CELLS).is_pending());
    }
    assert_eq!(answer(&mut planner, &grid, &query), answered);
}

/// Other work of the planner, and changes of the grid, between the slices of a search.
#[test]
fn a_search_gives_the_same_answer_whatever_happens_between_its_slices() {
    let mut goes_on = [0; 8];
    for (seed, mut rng) in seeded(90) {
        let mut map = large_map(&mut rng);
        let mut grid = map.grid();
        let algorithm = *rng.choice(algorithms().collect::<Vec<_>>().as_slice()).unwrap();
        let queries = [algorithm, Algorithm::Dijkstra].map(|algorithm| any_query(&mut rng, &map, algorithm));
        let [Some(query), Some(mut other)] = queries else { continue };
        let mut planner = planner_with_tables();
        planner.prepare_passes(&grid, &query.options);
        let mut search = RouteSearch::new(query);
        if advance(&mut search, &mut planner, &grid).is_ready() {
            continue;
        }
        let kind = seed as usize % goes_on.len();
        match kind {
            0 => change(&mut rng, &mut map, &mut grid),
            1 => drop(RouteSearch::new(other).advance(&mut planner, &grid, CELLS)),
            2 => planner.prepare(&grid, &Options::default()),
            3 => drop(Recording::new(&mut planner, &grid, &query).unwrap()),
            4 => drop(planner.breach(&grid, &query, |_| Some(EntryCost::TILE)).unwrap()),
            5 => grid = grid.clone(),
            6 => planner = planner.clone(),
            _ => {
                other.options = query.options;
                let _ = planner.plan(&grid, &other).unwrap();
            }
        }
        if !grid.is_passable(query.from) || !grid.is_passable(query.to) {
            continue;
        }
        let mut fresh = planner_with_tables();
        if kind == 2 {
            fresh.prepare(&grid, &Options::default());
        } else {
            fresh.prepare_passes(&grid, &query.options);
        }
        let expected = answer(&mut fresh, &grid, &query);
        let (answered, _) = in_slices(|| advance(&mut search, &mut planner, &grid));
        assert_eq!(answered, expected, "seed {seed}, {query:?}");
        goes_on[kind] += 1;
    }
    assert!(goes_on.iter().all(|&seeds| seeds > 0), "{goes_on:?}");
}

#[test]
fn a_recording_in_slices_has_the_same_events() {
    let mut slices = [0; Algorithm::NAMES.len()];
    for (seed, mut rng) in seeded(12) {
        let map = large_map(&mut rng);
        let grid = map.grid();
        for (algorithm, slices) in algorithms().zip(&mut slices) {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            let mut planners = [planner_with_tables(), planner_with_tables()];
            planners.iter_mut().for_each(|planner| planner.prepare_passes(&grid, &query.options));
            let [planner, sliced] = &mut planners;
            let expected = Recording::new(planner, &grid, &query).unwrap();
            let (mut search, mut interrupted) = (SearchRecorder::new(query), seed % 3 == 0);
            let (recording, number) = in_slices(|| {
                let recording = search.advance(sliced, &grid, CELLS);
                if recording.is_pending() && std::mem::take(&mut interrupted) {
                    // Another recording of the same query, which takes the planner's memory.
                    let _ = SearchRecorder::new(query).advance(sliced, &grid, CELLS);
                }
                recording
            });
            let recording = recording.unwrap();
            assert_eq!(recording.result(), expected.result(), "seed {seed}, {query:?}");
            assert!(recording.events().eq(expected.events()), "seed {seed}, {query:?}");
            let end = recording.len();
            assert_eq!(recording.at(end).sizes(), expected.at(end).sizes());
            *slices += number;
        }
    }
    assert!(slices.iter().all(|&slices| slices > 0), "{slices:?}");
}

#[test]
fn a_replanner_keeps_the_routes_of_searches_in_slices() {
    let (mut slices, mut known) = (0, 0);
    for (seed, mut rng) in seeded(10) {
        let mut map = large_map(&mut rng);
        let mut grid = map.grid();
        let Some(query) = any_query(&mut rng, &map, Algorithm::AStar) else { continue };
        let (mut planners, mut replanners) = ([Planner::new(), Planner::new()], [Replanner::new(), Replanner::new()]);
        for _ in 0..5 {
            if !grid.is_passable(query.from) || !grid.is_passable(query.to) {
                break;
            }
            let expected = replanners[0].plan(&mut planners[0], &grid, &query).unwrap();
            let expected = (expected.route.map(Route::from), expected.expanded);
            let (planner, replanner) = (&mut planners[1], &mut replanners[1]);
            let result = replanner.known(planner, &grid, &query).unwrap();
            let answered = match result.map(|result| (result.route.map(Route::from), result.expanded)) {
                Some(answered) => {
                    known += 1;
                    answered
                }
                None => {
                    let mut search = RouteSearch::new(query);
                    let (answered, number) = in_slices(|| {
                        search.advance(planner, &grid, CELLS).map(|result| {
                            let result = result.unwrap();
                            replanner.keep(&grid, &query, &result);
                            (result.route.map(Route::from), result.expanded)
                        })
                    });
                    slices += number;
                    answered
                }
            };
            assert_eq!(answered, expected, "seed {seed}");
            change(&mut rng, &mut map, &mut grid);
        }
    }
    assert!(slices > 20 && known > 5, "{slices} {known}");
}
