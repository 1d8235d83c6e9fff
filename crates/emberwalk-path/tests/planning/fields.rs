//! Fields against Dijkstra: every cost, and a route of that cost.

use emberwalk_path::{
    Field, FieldDirection, FieldQuery, Options, Planner, QueryError, Route, RouteCost, RouteQuery, StepRules, Ties,
};
use fastrand::Rng;

use crate::cases::cases;
use crate::limits::any_units;
use crate::oracle::{Map, any_rules, entry};
use crate::preparation::change;
use crate::seeded;

#[test]
fn fields_have_the_lowest_costs_and_their_routes() {
    let mut field = Field::new();
    let mut route = Route::default();
    for (seed, mut rng) in seeded(600) {
        let map = Map::random(&mut rng);
        let rules = any_rules(&mut rng);
        let Some(centre) = map.passable_cell(&mut rng) else { continue };
        for direction in [FieldDirection::From, FieldDirection::To] {
            let lowest = map.dijkstra(rules, centre, direction == FieldDirection::To);
            field.compute(&map.grid(), &FieldQuery::new(centre, direction).with_rules(rules)).unwrap();
            for (cell, lowest) in map.cells().zip(lowest) {
                let found = field.cost(cell).map(|cost| cost.units());
                assert_eq!(found, lowest, "seed {seed}, {direction:?} {centre}, cell {cell}\n{map:?}");
                assert_eq!(field.route_into(cell, &mut route), lowest.is_some());
                assert_eq!(field.route(cell), lowest.map(|_| route.clone()));
                if let Some(lowest) = lowest {
                    let (from, to) = if direction == FieldDirection::From { (centre, cell) } else { (cell, centre) };
                    let options = Options::default().with_rules(rules);
                    let walked = map.walk(&options, from, to, &route.cells);
                    assert_eq!(walked, Ok(lowest), "seed {seed}, {direction:?} {centre}, cell {cell}\n{map:?}");
                }
            }
        }
    }
}

/// A field that is computed in slices has the same costs as a field that is computed in one piece. After a change or for
/// another query, the work starts over.
#[test]
fn slices_change_no_field() {
    let mut slices = 0;
    for (seed, mut rng) in seeded(20) {
        let mut map = Map::random_of_size(&mut rng, 170, 130);
        let (mut grid, rules) = (map.grid(), any_rules(&mut rng));
        let mut sliced = Field::new();
        for _ in 0..3 {
            let Some(cell) = map.passable_cell(&mut rng) else { break };
            let mut query = FieldQuery::new(cell, FieldDirection::To).with_rules(rules);
            if sliced.advance(&grid, &query, 1000).is_pending() {
                assert_eq!(sliced.cost(cell), None);
                match seed % 3 {
                    0 => change(&mut rng, &mut map, &mut grid),
                    1 => query.direction = FieldDirection::From,
                    _ => {}
                }
            }
            let mut field = Field::new();
            assert!(field.update(&grid, &query).is_ok() == grid.is_passable(cell));
            while sliced.advance(&grid, &query, 1000).is_pending() {
                slices += 1;
            }
            for cell in map.cells().filter(|_| rng.u8(..8) == 0) {
                assert_eq!(sliced.cost(cell), field.cost(cell), "seed {seed}, {cell}");
            }
        }
    }
    assert!(slices > 40, "{slices}");
}

#[test]
fn a_field_and_a_search_agree() {
    let mut rng = Rng::with_seed(7);
    let map = Map::random_of_size(&mut rng, 60, 50);
    let grid = map.grid();
    let (mut field, mut planner) = (Field::new(), Planner::new());
    let from = map.passable_cell(&mut rng).unwrap();
    field.compute(&grid, &FieldQuery::routes_from(from)).unwrap();
    for to in map.cells().filter(|&cell| map.at(cell) != 0) {
        assert_eq!(planner.plan(&grid, &RouteQuery::new(from, to)).unwrap().cost(), field.cost(to), "{to}");
    }
}

#[test]
fn a_field_is_empty_after_an_error() {
    let mut rng = Rng::with_seed(3);
    let mut map = Map::random_of_size(&mut rng, 4, 4);
    let cell = map.any_cell(&mut rng);
    let query = FieldQuery::new(cell, FieldDirection::To).with_rules(StepRules::default());
    let mut field = Field::new();
    map.put(cell, 1 << 18);
    field.compute(&map.grid(), &query).unwrap();
    assert!(field.cost(cell).is_some());
    map.put(cell, 0);
    let error = field.compute(&map.grid(), &query).unwrap_err();
    assert!(matches!(error, QueryError::Blocked { .. }));
    assert_eq!((field.cost(cell), field.nearest_reachable(cell)), (None, None));
}

/// Edits of all kinds, some of them between two updates.
#[test]
fn repaired_fields_have_the_lowest_costs_and_their_routes() {
    let mut repaired = 0;
    for (seed, mut rng) in seeded(cases(300)) {
        let (width, height) = (rng.i32(1..40), rng.i32(1..40));
        let mut map = Map::random_of_size(&mut rng, width, height);
        let (mut grid, rules) = (map.grid(), any_rules(&mut rng));
        let Some(cell) = map.passable_cell(&mut rng) else { continue };
        let direction = *rng.choice(&[FieldDirection::From, FieldDirection::To]).unwrap();
        let query = FieldQuery::new(cell, direction).with_rules(rules);
        let options = Options::default().with_rules(rules);
        let mut field = Field::new();
        for _ in 0..12 {
            let expanded = field.update(&grid, &query);
            assert_eq!(expanded.is_ok(), map.at(cell) != 0);
            if let Ok(expanded) = expanded {
                let lowest = map.dijkstra(rules, cell, direction == FieldDirection::To);
                repaired += u32::from(expanded > 0 && (expanded as usize) < lowest.iter().flatten().count());
                for (other, lowest) in map.cells().zip(lowest) {
                    let cost = field.cost(other).map(|cost| cost.units());
                    assert_eq!(cost, lowest, "seed {seed}, {other}, {query:?}\n{map:?}");
                    let Some(route) = field.route(other) else { continue };
                    let (from, to) = if direction == FieldDirection::From { (cell, other) } else { (other, cell) };
                    assert_eq!(map.walk(&options, from, to, &route.cells).ok(), lowest, "seed {seed}, {other}");
                }
            }
            for _ in 0..rng.u8(1..3) {
                change(&mut rng, &mut map, &mut grid);
            }
        }
    }
    assert!(repaired > cases(500), "{repaired}");
}

#[test]
fn a_field_with_a_limit_has_the_costs_up_to_it() {
    let (mut within, mut beyond, mut slices) = (0, 0, 0);
    for (seed, mut rng) in seeded(300) {
        let mut map = Map::random(&mut rng);
        let (mut grid, rules) = (map.grid(), any_rules(&mut rng));
        let Some(cell) = map.passable_cell(&mut rng) else { continue };
        let direction = *rng.choice(&[FieldDirection::From, FieldDirection::To]).unwrap();
        let ties = *rng.choice(&[Ties::Any, Ties::Canonical]).unwrap();
        let (mut field, mut sliced) = (Field::new(), Field::new());
        let mut query = FieldQuery::new(cell, direction).with_rules(rules).with_ties(ties);
        for _ in 0..6 {
            if rng.u8(..3) == 0 {
                query.max_cost = (rng.u8(..4) > 0).then(|| RouteCost::from_units(any_units(&mut rng)));
            }
            field.update(&grid, &query).unwrap();
            while sliced.advance(&grid, &query, 7).is_pending() {
                slices += 1;
            }
            let lowest = map.dijkstra(rules, cell, direction == FieldDirection::To);
            for (other, lowest) in map.cells().zip(lowest) {
                let expected = lowest.filter(|&units| query.max_cost.is_none_or(|most| units <= most.units()));
                for field in [&field, &sliced] {
                    assert_eq!(field.cost(other).map(|cost| cost.units()), expected, "seed {seed}, {other}\n{map:?}");
                    let route = field.route(other);
                    assert_eq!(route.as_ref().map(|route| route.cost.units()), expected, "seed {seed}");
                    assert_eq!(field.next(other).is_some(), expected.is_some_and(|units| units > 0), "seed {seed}");
                }
                within += u32::from(expected.is_some());
                beyond += u32::from(expected.is_none() && lowest.is_some());
            }
            if rng.bool() {
                change(&mut rng, &mut map, &mut grid);
            }
            if !grid.is_passable(cell) {
                break;
            }
        }
    }
    assert!(within > 5000 && beyond > 5000 && slices > 500, "{within}, {beyond}, {slices}");
}

#[test]
fn an_update_after_one_edit_expands_a_tenth_of_the_cells_or_less_in_the_median() {
    let mut rng = Rng::with_seed(1);
    let mut map = Map::random_flat(&mut rng, 150, 150);
    for cell in map.cells() {
        map.put(cell, if rng.u8(..10) == 0 { 0 } else { (1 + cell.x as u32 / 9 % 3) << 18 });
    }
    let (mut grid, mut field) = (map.grid(), Field::new());
    let query = FieldQuery::routes_from(map.passable_cell(&mut rng).unwrap());
    field.compute(&grid, &query).unwrap();
    let mut expanded: Vec<_> = (0..101)
        .map(|_| {
            let cell = map.any_cell(&mut rng);
            if cell != query.cells {
                grid.set(cell, entry(rng.u32(..5) << 18));
            }
            field.update(&grid, &query).unwrap()
        })
        .collect();
    expanded.sort_unstable();
    assert!(expanded[50] * 10 <= 150 * 150, "{expanded:?}");
    assert_eq!(field.update(&grid, &query), Ok(0), "nothing changed");
}
