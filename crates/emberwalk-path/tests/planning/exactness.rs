//! Every search against Dijkstra on thousands of maps.

use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, Heuristic, HeuristicScale, Moves, Options, Planner, RouteQuery};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, algorithms, any_rules, planner_with_tables};
use crate::seeded;

/// Checks a random map and a few queries with every algorithm, heuristic and scale; returns how many cells were
/// reopened.
fn check(planner: &mut Planner, seed: u64) -> u64 {
    let mut reopened = 0;
    let mut rng = Rng::with_seed(seed);
    let map = Map::random(&mut rng);
    let grid = map.grid();
    let rules = any_rules(&mut rng);
    let Some(from) = map.passable_cell(&mut rng) else { return reopened };
    let lowest = map.dijkstra(rules, from, false);
    for _ in 0..3 {
        let Some(to) = map.passable_cell(&mut rng) else { return reopened };
        let lowest = lowest[map.index(to)];
        let weight = *rng.choice(&[1.0, 1.000_1, 1.1, 1.5, 3.0, 77.7, 1e300]).unwrap();
        for algorithm in algorithms().chain([Algorithm::Weighted { weight }]) {
            for (&(_, heuristic), &(_, scale)) in Heuristic::NAMES
                .iter()
                .flat_map(|heuristic| HeuristicScale::NAMES.iter().map(move |scale| (heuristic, scale)))
            {
                let heuristic = Some(heuristic);
                let options = Options::default()
                    .with_rules(rules)
                    .with_algorithm(algorithm)
                    .with_heuristic(heuristic)
                    .with_scale(scale);
                let query = RouteQuery::new(from, to).with_options(options);
                let result = planner.plan(&grid, &query).unwrap();
                reopened += result.reopened;
                let found = map.check(&query, &result, lowest, seed);
                if let (Algorithm::Weighted { weight }, true) = (algorithm, admissible(&map, &options)) {
                    let bound = lowest.map(|lowest| lowest as f64 * weight);
                    assert!(found.map(|found| found as f64) <= bound, "seed {seed}, {query:?}\n{map:?}");
                } else if algorithm == Algorithm::AStar && admissible(&map, &options) {
                    assert_eq!(found, lowest, "seed {seed}, {query:?}\n{map:?}");
                }
            }
        }
    }
    reopened
}

/// Whether the heuristic never overestimates on this map.
fn admissible(map: &Map, options: &Options) -> bool {
    let cheapest = map.units.iter().filter(|&&units| units != 0).min();
    let scaled = options.scale == HeuristicScale::Exact || cheapest.is_some_and(|&units| units >= 1 << 18);
    let heuristic = options.heuristic();
    let for_moves = match options.rules.moves {
        Moves::Six => [Heuristic::Hex, Heuristic::Chebyshev].contains(&heuristic),
        Moves::Four => true,
        _ => ![Heuristic::Hex, Heuristic::Manhattan].contains(&heuristic),
    };
    heuristic == Heuristic::Zero || scaled && for_moves
}

#[test]
fn every_search_keeps_its_guarantee_on_every_kind_of_map() {
    let mut planner = Planner::new();
    let reopened: u64 = (0..cases(3000)).map(|seed| check(&mut planner, seed)).sum();
    assert!(reopened > cases(1000), "too few reopened cells to prove anything: {reopened}");
}

/// Larger maps, so that keys go around the ring of buckets.
#[test]
fn long_routes_are_exact() {
    let mut planner = planner_with_tables();
    for (seed, mut rng) in seeded(24) {
        let map = Map::random_of_size(&mut rng, 150, 120);
        let grid = map.grid();
        let rules = any_rules(&mut rng);
        let Some(from) = map.passable_cell(&mut rng) else { continue };
        let lowest = map.dijkstra(rules, from, false);
        for _ in 0..4 {
            let Some(to) = map.passable_cell(&mut rng) else { continue };
            for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                let query = RouteQuery::new(from, to)
                    .with_options(Options::default().with_rules(rules).with_algorithm(algorithm));
                let result = planner.plan(&grid, &query).unwrap();
                map.check(&query, &result, lowest[map.index(to)], seed);
            }
        }
    }
}

/// Flat terrain with a few regions that are far cheaper, like eruptions: the heuristic of the default search counts the
/// cost of the terrain, and the search must still find the routes through the regions.
#[test]
fn routes_through_regions_of_cheap_cells_are_exact() {
    let mut planner = Planner::new();
    let mut expanded = [0; 2];
    for (seed, mut rng) in seeded(150) {
        let mut map = Map::random_of_size(&mut rng, 70, 50);
        // On flat terrain without walls the bounds are as large as they can be.
        let (walls, max_cost) = (*rng.choice(&[0, 0, 10, 30]).unwrap(), rng.u32(1..3));
        for cell in map.cells() {
            map.put(cell, if rng.u8(..100) < walls { 0 } else { rng.u32(1..=max_cost) << 18 });
        }
        for _ in 0..rng.u8(1..6) {
            let (corner, width, height) = (map.any_cell(&mut rng), rng.i32(1..7), rng.i32(1..7));
            for (dx, dy) in (0..height).flat_map(|dy| (0..width).map(move |dx| (dx, dy))) {
                let cell = Cell::new((corner.x + dx).min(map.width - 1), (corner.y + dy).min(map.height - 1));
                if map.at(cell) != 0 {
                    map.put(cell, rng.u32((1 << 14)..(1 << 18)));
                }
            }
        }
        let grid = map.grid();
        let rules = any_rules(&mut rng);
        let Some(from) = map.passable_cell(&mut rng) else { continue };
        let lowest = map.dijkstra(rules, from, false);
        for _ in 0..4 {
            let Some(to) = map.passable_cell(&mut rng) else { continue };
            for (algorithm, sum) in [Algorithm::Auto, Algorithm::AStar].into_iter().zip(&mut expanded) {
                let query = RouteQuery::new(from, to)
                    .with_options(Options::default().with_rules(rules).with_algorithm(algorithm));
                let result = planner.plan(&grid, &query).unwrap();
                *sum += result.expanded;
                map.check(&query, &result, lowest[map.index(to)], seed);
            }
        }
    }
    assert!(expanded[0] * 4 < expanded[1] * 3, "{expanded:?}");
}
