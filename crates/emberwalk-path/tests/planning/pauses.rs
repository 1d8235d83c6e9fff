//! Searches that are paused whenever that is possible, against the same ones without pauses.

use std::ops::ControlFlow;

use emberwalk_path::{
    Algorithm, Closed, Comparison, CostGrid, EntryCost, NewComparison, NewRecording, Observer, Options, Planner, Query,
    Recording, Replanner, Route,
};
use fastrand::Rng;

use crate::observers::any_query;
use crate::oracle::{Map, planner_with_tables};
use crate::preparation::change;

/// Calls `work` until it is done, with a pause whenever it asks. Returns the result and the number of pauses.
fn with_pauses<T>(mut work: impl FnMut(&(dyn Fn() -> ControlFlow<()> + Sync)) -> ControlFlow<(), T>) -> (T, usize) {
    for pauses in 0..10_000 {
        if let ControlFlow::Continue(done) = work(&|| ControlFlow::Break(())) {
            return (done, pauses);
        }
    }
    panic!("each call goes on");
}

/// Everything that a result says.
type Answer = (Option<Route>, u64, u64);

fn answer(planner: &mut Planner, grid: &CostGrid, query: &Query) -> Answer {
    let result = planner.plan(grid, query).unwrap();
    (result.route.map(Route::from), result.expanded, result.reopened)
}

fn paused_answer(planner: &mut Planner, grid: &CostGrid, query: &Query) -> (Answer, usize) {
    with_pauses(|go_on| {
        let result = planner.plan_with_pauses(grid, query, go_on)?.unwrap();
        ControlFlow::Continue((result.route.map(Route::from), result.expanded, result.reopened))
    })
}

fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::NAMES.iter().map(|&(_, algorithm)| algorithm)
}

/// Of any kind, and so large that every algorithm is paused in its search on some of them.
fn large_map(rng: &mut Rng) -> Map {
    Map::random_of_size(rng, 210, 160)
}

#[test]
fn pauses_change_no_route_and_no_count() {
    let mut pauses = [0; Algorithm::NAMES.len()];
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let mut map = large_map(&mut rng);
        let mut grid = map.grid();
        let mut planners = [planner_with_tables(), planner_with_tables()];
        for (algorithm, pauses) in algorithms().zip(&mut pauses) {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            if seed % 4 == 0 {
                planners.iter_mut().for_each(|planner| planner.prepare(&grid, &query.options));
            }
            // Whatever begins the passes over all cells is not counted.
            planners.iter_mut().for_each(|planner| planner.prepare_passes(&grid, &query.options));
            let [planner, paused] = &mut planners;
            let (answered, number) = paused_answer(paused, &grid, &query);
            assert_eq!(answered, answer(planner, &grid, &query), "seed {seed}, {query:?}");
            *pauses += number;
            change(&mut rng, &mut map, &mut grid);
        }
    }
    assert!(pauses.iter().all(|&pauses| pauses > 10), "{pauses:?}");
}

/// Counts what it is shown.
#[derive(Default)]
struct Count(usize);

impl Observer for Count {
    fn closed(&mut self, _: Closed) {
        self.0 += 1;
    }
}

/// A search that nobody watches does not go on with the memory of one that is watched, nor the other way round.
#[test]
fn a_search_begins_anew_for_whom_it_cannot_go_on() {
    let mut begun_anew = 0;
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let map = large_map(&mut rng);
        let grid = map.grid();
        for algorithm in algorithms() {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            let (mut planner, mut paused) = (Planner::new(), Planner::new());
            let (wanted, mut count) = (answer(&mut planner, &grid, &query), Count::default());
            let pause = &|| ControlFlow::Break(());
            // The passes before the search are paused, too.
            while count.0 == 0 && paused.plan_observed_with_pauses(&grid, &query, &mut count, pause).is_break() {}
            let (answered, _) = with_pauses(|go_on| {
                let result = paused.plan_observed_with_pauses(&grid, &query, &mut (), go_on)?.unwrap();
                ControlFlow::Continue((result.route.map(Route::from), result.expanded, result.reopened))
            });
            assert_eq!(answered, wanted, "seed {seed}, {query:?}");
            let _ = paused.plan_observed_with_pauses(&grid, &query, &mut (), pause);
            let mut closed = Count::default();
            let (observed, _) = with_pauses(|go_on| {
                let result = paused.plan_observed_with_pauses(&grid, &query, &mut closed, go_on)?.unwrap();
                ControlFlow::Continue((result.route.map(|route| route.cost), result.expanded))
            });
            assert_eq!(observed.0, wanted.0.map(|route| route.cost), "seed {seed}, {query:?}");
            assert!(closed.0 as u64 >= observed.1, "seed {seed}, {query:?}");
            begun_anew += usize::from(count.0 > 0);
        }
    }
    assert!(begun_anew > 50, "{begun_anew}");
}

/// Also jump points and components are found with pauses.
#[test]
fn the_first_query_is_paused_before_its_search_too() {
    let mut rng = Rng::with_seed(2);
    let map = Map::flat(300, 300, vec![1 << 18; 90_000], 6_073_083_757);
    let (grid, query) = (map.grid(), Query::new((0, 0).into(), (299, 150).into()));
    let (answered, pauses) = paused_answer(&mut Planner::new(), &grid, &query);
    assert_eq!(answered, answer(&mut Planner::new(), &grid, &query));
    assert!(answered.1 < 1000 && pauses > 20, "{pauses} pauses");
    // A pause in the first pass is no beginning of a search.
    let mut planner = Planner::new();
    for _ in 0..rng.usize(1..40) {
        let _ = planner.plan_with_pauses(&grid, &query, &|| ControlFlow::Break(()));
    }
    assert_eq!(answer(&mut planner, &grid, &query), answered);
}

/// What else a planner does, and what happens to the grid, while a query is paused.
#[test]
fn a_paused_query_begins_anew_after_anything_else() {
    let mut goes_on = [0; 9];
    for seed in 0..90 {
        let mut rng = Rng::with_seed(seed);
        let mut map = large_map(&mut rng);
        let mut grid = map.grid();
        let algorithm = *rng.choice(algorithms().collect::<Vec<_>>().as_slice()).unwrap();
        let queries = [algorithm, Algorithm::Dijkstra].map(|algorithm| any_query(&mut rng, &map, algorithm));
        let [Some(query), Some(mut other)] = queries else { continue };
        let mut planner = planner_with_tables();
        planner.prepare_passes(&grid, &query.options);
        let pause = |planner: &mut Planner, grid: &CostGrid, query: &Query| {
            planner.plan_with_pauses(grid, query, &|| ControlFlow::Break(())).is_break()
        };
        if !pause(&mut planner, &grid, &query) {
            continue;
        }
        let kind = seed as usize % goes_on.len();
        match kind {
            0 => change(&mut rng, &mut map, &mut grid),
            1 => drop(pause(&mut planner, &grid, &other)),
            2 => planner.prepare(&grid, &Options::default()),
            3 => drop(Recording::new(&mut planner, &grid, &query).unwrap()),
            4 => drop(planner.breach(&grid, &query, |_| Some(EntryCost::TILE)).unwrap()),
            5 => grid = grid.clone(),
            6 => planner = planner.clone(),
            7 => {
                other.options = query.options;
                let _ = planner.plan(&grid, &other).unwrap();
            }
            _ => planner.reserve(100_000, &query.options),
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
        assert_eq!(paused_answer(&mut planner, &grid, &query).0, expected, "seed {seed}, {query:?}");
        goes_on[kind] += 1;
    }
    assert!(goes_on.iter().all(|&seeds| seeds > 0), "{goes_on:?}");
}

#[test]
fn a_recording_with_pauses_has_the_same_events() {
    let mut pauses = [0; Algorithm::NAMES.len()];
    for seed in 0..12 {
        let mut rng = Rng::with_seed(seed);
        let map = large_map(&mut rng);
        let grid = map.grid();
        for (algorithm, pauses) in algorithms().zip(&mut pauses) {
            let Some(query) = any_query(&mut rng, &map, algorithm) else { continue };
            let mut planners = [planner_with_tables(), planner_with_tables()];
            planners.iter_mut().for_each(|planner| planner.prepare_passes(&grid, &query.options));
            let [planner, paused] = &mut planners;
            let expected = Recording::new(planner, &grid, &query).unwrap();
            let (mut new, mut interrupted) = (NewRecording::new(), seed % 3 == 0);
            let (recording, number) = with_pauses(|go_on| {
                let recording = new.record(paused, &grid, &query, go_on);
                if recording.is_break() && std::mem::take(&mut interrupted) {
                    // Another recording of the same query, which takes the planner's memory.
                    let _ = NewRecording::new().record(paused, &grid, &query, go_on);
                }
                recording
            });
            let recording = recording.unwrap();
            assert_eq!(recording.result(), expected.result(), "seed {seed}, {query:?}");
            assert!(recording.events().eq(expected.events()), "seed {seed}, {query:?}");
            let end = recording.len();
            assert_eq!(recording.at(end).sizes(), expected.at(end).sizes());
            *pauses += number;
        }
    }
    assert!(pauses.iter().all(|&pauses| pauses > 0), "{pauses:?}");
}

#[test]
fn a_replanner_with_pauses_gives_the_same_routes_and_keeps_them() {
    let mut pauses = 0;
    for seed in 0..10 {
        let mut rng = Rng::with_seed(seed);
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
            let (answered, number) = with_pauses(|go_on| {
                let result = replanners[1].plan_with_pauses(&mut planners[1], &grid, &query, go_on)?.unwrap();
                ControlFlow::Continue((result.route.map(Route::from), result.expanded))
            });
            assert_eq!(answered, expected, "seed {seed}");
            pauses += number;
            change(&mut rng, &mut map, &mut grid);
        }
    }
    assert!(pauses > 20, "{pauses}");
}

#[test]
fn nearest_cells_detours_and_comparisons_with_pauses_are_the_same() {
    let (mut nearest, mut detours, mut comparisons) = (0, 0, 0);
    for seed in 0..12 {
        let mut rng = Rng::with_seed(seed);
        let map = large_map(&mut rng);
        let grid = map.grid();
        let Some(query) = any_query(&mut rng, &map, Algorithm::AStar) else { continue };
        let mut planners = [Planner::new(), Planner::new()];
        planners.iter_mut().for_each(|planner| planner.prepare_passes(&grid, &Options::default()));
        let [planner, paused] = &mut planners;

        let expected = planner.nearest_reachable(&grid, &query).unwrap();
        let (found, number) = with_pauses(|go_on| paused.nearest_reachable_with_pauses(&grid, &query, go_on));
        assert_eq!(found.unwrap(), expected, "seed {seed}");
        nearest += number;

        let waypoint = map.passable_cell(&mut rng).unwrap();
        let expected = planner.plan_through(&grid, &query, waypoint).unwrap();
        let expected = (expected.route.map(Route::from), expected.expanded, expected.reopened);
        let (found, number) = with_pauses(|go_on| {
            let result = paused.plan_through_with_pauses(&grid, &query, waypoint, go_on)?.unwrap();
            ControlFlow::Continue((result.route.map(Route::from), result.expanded, result.reopened))
        });
        assert_eq!(found, expected, "seed {seed}");
        detours += number;

        let expected = Comparison::new(planner, &grid, &query).unwrap();
        let mut new = NewComparison::new();
        let (found, number) = with_pauses(|go_on| new.compare(paused, &grid, &query, go_on));
        let found = found.unwrap();
        assert_eq!((found.lowest, found.searches.len()), (expected.lowest, expected.searches.len()), "seed {seed}");
        for (one, other) in found.searches.iter().zip(&expected.searches) {
            assert_eq!((&one.route, one.expanded, one.reopened), (&other.route, other.expanded, other.reopened));
        }
        comparisons += number;
    }
    assert!(nearest > 10 && detours > 20 && comparisons > 200, "{nearest} {detours} {comparisons}");
}

/// After a search over jump points, too, whose records lead elsewhere.
#[test]
fn the_cells_to_open_are_found_with_pauses_and_after_any_query() {
    let (mut pauses, mut opened) = (0, 0);
    for seed in 0..20 {
        let mut rng = Rng::with_seed(seed);
        let mut map = large_map(&mut rng);
        let column = rng.i32(50..150);
        (0..map.height).for_each(|y| map.put((column, y).into(), 0));
        let grid = map.grid();
        let Some(query) = any_query(&mut rng, &map, Algorithm::Auto) else { continue };
        let opened_cost = |_| Some(EntryCost::TILE);
        let expected = Planner::new().breach(&grid, &query, opened_cost).unwrap();
        let mut planner = planner_with_tables();
        let _ = planner.plan(&grid, &query).unwrap();
        assert_eq!(planner.breach(&grid, &query, opened_cost).unwrap(), expected, "seed {seed}");
        let (found, number) = with_pauses(|go_on| planner.breach_with_pauses(&grid, &query, opened_cost, go_on));
        assert_eq!(found.unwrap(), expected, "seed {seed}");
        pauses += number;
        opened += usize::from(expected.is_some_and(|breach| !breach.opened.is_empty()));
    }
    assert!(pauses > 20 && opened > 5, "{pauses} {opened}");
}
