//! Guarantees of single algorithms in addition to the cost, and the limits of inexact options.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    Algorithm, CostGrid, Diagonal, EntryCost, Heuristic, HeuristicScale, Options, Planner, RouteQuery,
};
use fastrand::Rng;

use crate::oracle::{Climb, Map, any_rules};
use crate::seeded;

#[test]
fn breadth_first_takes_the_fewest_steps() {
    let mut planner = Planner::new();
    for (seed, mut rng) in seeded(400) {
        let map = Map::random(&mut rng);
        let rules = any_rules(&mut rng);
        let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
        // Every step costs the same on this copy, so the lowest cost counts the steps.
        let flat = Map {
            units: map.units.iter().map(|&units| units.min(1) << 18).collect(),
            ratio: 1 << 32,
            climb: Climb { up: 0.0, down: 0.0, ..map.climb },
            ..map.clone()
        };
        let fewest = flat.dijkstra(rules, from, false)[map.index(to)];
        let options = Options::default().with_rules(rules).with_algorithm(Algorithm::BreadthFirst);
        let result = planner.plan(&map.grid(), &RouteQuery::new(from, to).with_options(options)).unwrap().route;
        assert_eq!(result.map(|route| route.steps() as u64), fewest.map(|cost| cost >> 18), "seed {seed}\n{map:?}");
    }
}

/// A road around the edge of the map costs half a tile a cell. A heuristic of 1 a tile overestimates it.
#[test]
fn classic_scale_can_miss_the_road() {
    let size = Size::new(21, 8);
    let road = |cell: Cell| cell.y == 7 || cell.x == 0 || cell.x == 20;
    let grid =
        CostGrid::from_fn(size, Diagonal::GAME, |cell| EntryCost::from_tiles(if road(cell) { 0.5 } else { 1.0 }).ok())
            .unwrap();
    let mut planner = Planner::new();
    let mut cost = |scale| {
        let options = Options::default().with_algorithm(Algorithm::AStar).with_scale(scale);
        let query = RouteQuery::new(Cell::new(0, 0), Cell::new(20, 0)).with_options(options);
        planner.plan(&grid, &query).unwrap().cost().unwrap().tiles()
    };
    assert!(cost(HeuristicScale::Exact) < 17.5);
    assert_eq!(cost(HeuristicScale::Classic), 19.5);
}

/// The cells of a bucket are not sorted. With costs that differ by less than its width, a search once reopened each
/// cell of a map of 512 x 512 cells two thousand times.
#[test]
fn nearly_equal_costs_do_not_make_a_search_reopen_without_end() {
    let mut rng = Rng::with_seed(5);
    let size = Size::new(256, 256);
    let grid =
        CostGrid::from_fn(size, Diagonal::ONE, |_| EntryCost::from_tiles(1.0 + rng.f64() / 1000.0).ok()).unwrap();
    let mut planner = Planner::new();
    let (from, to) = (Cell::new(0, 120), Cell::new(255, 130));
    let query = |algorithm| RouteQuery::new(from, to).with_options(Options::default().with_algorithm(algorithm));
    let lowest = planner.plan(&grid, &query(Algorithm::Dijkstra)).unwrap().cost();
    let result = planner.plan(&grid, &query(Algorithm::AStar)).unwrap();
    assert_eq!(result.cost(), lowest);
    assert!(result.expanded < 2 * size.area() as u64, "{} expanded", result.expanded);
}

/// Costs from 1/256 to 4096 tiles with the classic scale: a search once took minutes.
#[test]
fn a_heuristic_that_overestimates_does_not_make_a_search_reopen_without_end() {
    let mut rng = Rng::with_seed(5);
    let size = Size::new(256, 256);
    let cost = |rng: &mut Rng| EntryCost::from_tiles(2f64.powf(rng.f64() * 20.0 - 8.0)).ok();
    let grid = CostGrid::from_fn(size, Diagonal::GAME, |_| cost(&mut rng)).unwrap();
    let mut planner = Planner::new();
    for algorithm in [Algorithm::AStar, Algorithm::Weighted { weight: 1.5 }] {
        for heuristic in [Heuristic::Octile, Heuristic::Manhattan] {
            let options = Options::default()
                .with_algorithm(algorithm)
                .with_heuristic(Some(heuristic))
                .with_scale(HeuristicScale::Classic);
            let query = RouteQuery::new(Cell::new(3, 100), Cell::new(250, 180)).with_options(options);
            let result = planner.plan(&grid, &query).unwrap();
            assert!(result.found());
            assert!(result.expanded <= 3 * size.area() as u64, "{} expanded by {options:?}", result.expanded);
        }
    }
}
