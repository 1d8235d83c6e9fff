//! Fields against Dijkstra: every cost, and routes of that cost.

use emberwalk_path::{Field, FieldDirection, Options, Planner, Query, QueryError};
use fastrand::Rng;

use crate::oracle::{Map, any_rules};

#[test]
fn fields_hold_the_least_costs_and_their_routes() {
    let mut field = Field::new();
    let mut cells = Vec::new();
    for seed in 0..600 {
        let mut rng = Rng::with_seed(seed);
        let map = Map::random(&mut rng);
        let (moves, corners) = any_rules(&mut rng);
        let Some(centre) = map.open_cell(&mut rng) else { continue };
        for way in [FieldDirection::From, FieldDirection::To] {
            let least = map.dijkstra(moves, corners, centre, way == FieldDirection::To);
            field.compute(&map.grid(), centre, way, moves, corners).unwrap();
            for (cell, least) in map.cells().zip(least) {
                let told = field.cost(cell).map(|cost| cost.units());
                assert_eq!(told, least, "seed {seed}, {way:?} {centre}, cell {cell}\n{map:?}");
                assert_eq!(field.route(cell, &mut cells), least.is_some());
                if let Some(least) = least {
                    let (from, to) = if way == FieldDirection::From { (centre, cell) } else { (cell, centre) };
                    let options = Options { moves, corners, ..Options::default() };
                    let walked = map.walk(&options, from, to, &cells);
                    assert_eq!(walked, Ok(least), "seed {seed}, {way:?} {centre}, cell {cell}\n{map:?}");
                }
            }
        }
    }
}

#[test]
fn a_field_and_a_search_agree() {
    let mut rng = Rng::with_seed(7);
    let map = Map::random_of_size(&mut rng, 60, 50);
    let grid = map.grid();
    let (mut field, mut planner) = (Field::new(), Planner::new());
    let from = map.open_cell(&mut rng).unwrap();
    let options = Options::default();
    field.compute(&grid, from, FieldDirection::From, options.moves, options.corners).unwrap();
    for to in map.cells().filter(|&cell| map.at(cell) != 0) {
        assert_eq!(planner.plan(&grid, &Query::new(from, to)).unwrap().cost(), field.cost(to), "{to}");
    }
}

#[test]
fn a_refused_field_is_empty() {
    let mut rng = Rng::with_seed(3);
    let mut map = Map::random_of_size(&mut rng, 4, 4);
    let cell = map.any_cell(&mut rng);
    let options = Options::default();
    let mut field = Field::new();
    map.put(cell, 1 << 18);
    field.compute(&map.grid(), cell, FieldDirection::To, options.moves, options.corners).unwrap();
    assert!(field.cost(cell).is_some());
    map.put(cell, 0);
    let error = field.compute(&map.grid(), cell, FieldDirection::To, options.moves, options.corners).unwrap_err();
    assert!(matches!(error, QueryError::Blocked { .. }));
    assert_eq!((field.cost(cell), field.nearest_reachable(cell)), (None, None));
}
