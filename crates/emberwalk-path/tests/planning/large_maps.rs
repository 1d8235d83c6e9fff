//! Maps of the size of games, on which labels, buckets and routes get as large as they do there.

use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, Corners, Field, FieldQuery, Moves, Options, Planner, RouteQuery};
use fastrand::Rng;

use crate::oracle::Map;

const TILE: u32 = 1 << 18;
/// The diagonal ratio of the game, 1.414, times 2^32.
const RATIO: u64 = 6_073_083_757;

/// A map with terrain of four costs, scattered blocked and slow cells, long walls with gaps, and roads.
fn terrain(side: i32, rng: &mut Rng) -> Map {
    let mut map = Map::flat(side, side, Vec::new(), RATIO);
    let pitch = 32;
    let knots: Vec<i32> = (0..(side / pitch + 2).pow(2)).map(|_| rng.i32(0..100)).collect();
    let height = |cell: Cell| {
        let (x, y, row) = (cell.x / pitch, cell.y / pitch, side / pitch + 2);
        let knot = |dx, dy| knots[((y + dy) * row + x + dx) as usize];
        let (right, down) = (cell.x % pitch, cell.y % pitch);
        let along = |dy| knot(0, dy) * (pitch - right) + knot(1, dy) * right;
        (along(0) * (pitch - down) + along(1) * down) / (pitch * pitch)
    };
    let cost = |cell: Cell| match (cell.x % 97, cell.y % 89, height(cell)) {
        (0, 7.., _) | (9.., 0, _) => 0,
        (50, ..) | (_, 44, _) => TILE / 2,
        (_, _, ..30) => 4 * TILE,
        (_, _, ..45) => TILE,
        (_, _, ..60) => TILE * 3 / 2,
        (_, _, ..75) => 3 * TILE,
        _ => 0,
    };
    map.units = map.cells().map(cost).collect();
    for _ in 0..side * side / 12 {
        let cell = map.any_cell(rng);
        map.put(cell, *rng.choice(&[0, 2 * TILE]).unwrap());
    }
    map
}

/// Checks hundreds of routes by the prepared default and by plain A*.
#[test]
fn routes_across_large_maps_are_exact() {
    let mut planner = Planner::new();
    for (seed, moves) in [(1, Moves::Eight), (2, Moves::Eight), (3, Moves::Four)] {
        let mut rng = Rng::with_seed(seed);
        let map = terrain(512, &mut rng);
        let grid = map.grid();
        let options = Options::default().with_moves(moves).with_corners(Corners::Never);
        planner.prepare(&grid, &options);
        for _ in 0..3 {
            let from = map.passable_cell(&mut rng).expect("most cells are open");
            let lowest = map.dijkstra(options.rules, from, false);
            for _ in 0..20 {
                let to = map.passable_cell(&mut rng).expect("most cells are open");
                let lowest = lowest[map.index(to)];
                for algorithm in [Algorithm::Auto, Algorithm::AStar] {
                    let query = RouteQuery::new(from, to).with_options(options.with_algorithm(algorithm));
                    let result = planner.plan(&grid, &query).unwrap();
                    assert!(result.optimal);
                    let found = result.route.map(|route| {
                        let walked = map.walk(&query.options, from, to, route.cells);
                        assert_eq!(walked, Ok(route.cost.units()), "seed {seed}, {query:?}");
                        route.cost.units()
                    });
                    assert_eq!(found, lowest, "seed {seed}, {query:?}");
                }
            }
        }
    }
}

/// Costs from 1/256 to 4096 tiles: routes cost more than small labels can count.
#[test]
fn routes_over_costs_far_apart_are_exact() {
    let (mut planner, mut field) = (Planner::new(), Field::new());
    for (seed, lowest_units) in [(1, 1 << 10), (2, 1 << 14)] {
        let mut rng = Rng::with_seed(seed);
        let mut map = terrain(200, &mut rng);
        for cell in map.cells().filter(|cell| cell.x == 120 && cell.y % 7 != 0) {
            map.put(cell, 1 << 30);
        }
        map.put(Cell::new(3, 3), lowest_units);
        let (grid, options) = (map.grid(), Options::default());
        planner.prepare(&grid, &options);
        let from = Cell::new(3, 3);
        let lowest = map.dijkstra(options.rules, from, false);
        field.compute(&grid, &FieldQuery::routes_from(from)).unwrap();
        let mut largest = 0;
        for (to, lowest) in map.cells().zip(lowest).step_by(191) {
            assert_eq!(field.cost(to).map(|cost| cost.units()), lowest, "seed {seed}, {to}");
            if map.at(to) == 0 {
                continue;
            }
            for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                let query = RouteQuery::new(from, to).with_options(options.with_algorithm(algorithm));
                let found = planner.plan(&grid, &query).unwrap().cost().map(|cost| cost.units());
                assert_eq!(found, lowest, "seed {seed}, {query:?}");
                largest = largest.max(found.unwrap_or(0));
            }
        }
        assert!(largest > u64::from(lowest_units) << 16, "{largest}");
    }
}

/// A maze of 2048 x 2048 cells in which exactly one route leads from the first cell to any other, the cell with
/// the longest route, and the steps of that route.
fn perfect_maze(rng: &mut Rng) -> (Map, Cell, usize) {
    let side = 2048;
    let mut map = Map::flat(side, side, vec![0; (side * side) as usize], RATIO);
    let mut corridor = vec![Cell::new(0, 0)];
    map.put(corridor[0], TILE);
    let (mut farthest, mut steps) = (corridor[0], 0);
    while let Some(&cell) = corridor.last() {
        let free = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(dx, dy)| (cell + (dx, dy), cell + (2 * dx, 2 * dy)));
        let inside = |next: Cell| (0..side).contains(&next.x) && (0..side).contains(&next.y);
        let mut free = free.into_iter().filter(|&(_, next)| inside(next) && map.at(next) == 0);
        let count = free.clone().count();
        if count == 0 {
            if 2 * (corridor.len() - 1) > steps {
                (farthest, steps) = (cell, 2 * (corridor.len() - 1));
            }
            corridor.pop();
            continue;
        }
        let (gap, next) = free.nth(rng.usize(..count)).expect("one of them");
        map.put(gap, TILE);
        map.put(next, TILE);
        corridor.push(next);
    }
    (map, farthest, steps)
}

#[test]
fn a_route_of_hundreds_of_thousands_of_cells_is_found() {
    let (map, farthest, steps) = perfect_maze(&mut Rng::with_seed(1));
    assert!(steps > 200_000, "{steps}");
    let grid = map.grid();
    let mut planner = Planner::new();
    for (moves, algorithm) in
        [(Moves::Eight, Algorithm::Auto), (Moves::Four, Algorithm::Auto), (Moves::Eight, Algorithm::AStar)]
    {
        let options = Options::default().with_moves(moves).with_algorithm(algorithm);
        for (from, to) in [(Cell::new(0, 0), farthest), (farthest, Cell::new(0, 0))] {
            let result = planner.plan(&grid, &RouteQuery::new(from, to).with_options(options)).unwrap();
            let walked = map.walk(&options, from, to, result.cells());
            let cost = (steps * TILE as usize) as u64;
            assert_eq!((walked, result.cost().map(|cost| cost.units())), (Ok(cost), Some(cost)), "{options:?}");
        }
    }
}
