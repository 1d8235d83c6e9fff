//! Fields against Dijkstra: every cost, and a route of that cost.

use emberwalk_path::grid::Cell;
use emberwalk_path::{Field, FieldDirection, FieldQuery, Options, QueryError, Route, RouteCost, Ties};
use fastrand::Rng;

use crate::cases::cases;
use crate::goals::some_cells;
use crate::limits::any_units;
use crate::oracle::{Map, any_rules, entry};
use crate::preparation::change;
use crate::seeded;

/// Checks every cost of a field of cells that are passable, and a route of that cost from or to each cell.
pub fn check(field: &Field, map: &Map, query: &FieldQuery<&[Cell]>, seed: u64) {
    let FieldQuery { cells, direction, rules, .. } = *query;
    let (is_to, options) = (direction == FieldDirection::To, Options::default().with_rules(rules));
    let mut route = Route::default();
    for (cell, lowest) in map.cells().zip(map.dijkstra(rules, cells, is_to)) {
        let what = || format!("seed {seed}, {cell}, {query:?}\n{map:?}");
        assert_eq!(field.cost(cell).map(|cost| cost.units()), lowest, "{}", what());
        assert_eq!(field.route_into(cell, &mut route), lowest.is_some(), "{}", what());
        assert_eq!(field.route(cell), lowest.map(|_| route.clone()), "{}", what());
        if lowest.is_none() {
            assert_eq!(field.next(cell), None, "{}", what());
            continue;
        }
        let (first, last) = (route.cells[0], *route.cells.last().unwrap());
        assert_eq!(map.walk(&options, first, last, &route.cells).ok(), lowest, "{}", what());
        let (near, far) = if is_to { (last, first) } else { (first, last) };
        assert!(cells.contains(&near) && far == cell, "{}", what());
        let next = if is_to { route.cells.get(1) } else { route.cells.iter().nth_back(1) };
        assert_eq!(field.next(cell).as_ref(), next, "{}", what());
    }
}

/// Fields of one cell and of several, some of them blocked or off the map, with edits of all kinds between two updates.
#[test]
fn fields_have_the_lowest_costs_and_their_routes() {
    let (mut field, mut repaired) = (Field::new(), 0);
    for (seed, mut rng) in seeded(cases(700)) {
        let (width, height) = (rng.i32(1..40), rng.i32(1..40));
        let mut map = if rng.bool() { Map::random(&mut rng) } else { Map::random_of_size(&mut rng, width, height) };
        let mut grid = map.grid();
        let cells = if rng.bool() { some_cells(&mut rng, &map) } else { vec![map.any_cell(&mut rng)] };
        let direction = *rng.choice(&[FieldDirection::From, FieldDirection::To]).unwrap();
        let ties = *rng.choice(&[Ties::Any, Ties::Canonical]).unwrap();
        let query = FieldQuery::new(&cells[..], direction).with_rules(any_rules(&mut rng)).with_ties(ties);
        for _ in 0..12 {
            let usable: Vec<_> = cells.iter().copied().filter(|&cell| map.at(cell) != 0).collect();
            let expanded = field.update(&grid, &query);
            assert_eq!(expanded.is_ok(), !usable.is_empty(), "seed {seed}");
            let mut of_usable = query;
            of_usable.cells = &usable;
            check(&field, &map, &of_usable, seed);
            let reached = map.cells().filter(|&cell| field.cost(cell).is_some()).count();
            repaired += u32::from(expanded.is_ok_and(|expanded| expanded > 0 && (expanded as usize) < reached));
            (0..rng.u8(1..4)).for_each(|_| change(&mut rng, &mut map, &mut grid));
        }
    }
    assert!(repaired > cases(500), "{repaired}");
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

/// A repair with a highest number of cells to expand, which is often too low.
#[test]
fn a_repair_that_gives_up_leaves_the_field_as_it_was() {
    let (mut given_up, mut done) = (0, 0);
    for (seed, mut rng) in seeded(300) {
        let map = Map::random_of_size(&mut rng, 30, 30);
        let mut grid = map.grid();
        let Some(cell) = map.passable_cell(&mut rng) else { continue };
        let cells = [cell];
        let query = FieldQuery::new(&cells[..], FieldDirection::To).with_rules(any_rules(&mut rng));
        let mut field = Field::new();
        field.compute(&grid, &query).expect("the cell is passable");
        let known = |field: &Field| map.cells().map(|cell| (field.cost(cell), field.next(cell))).collect::<Vec<_>>();
        let before = known(&field);
        let mut edited = map.clone();
        (0..rng.u8(1..4)).for_each(|_| change(&mut rng, &mut edited, &mut grid));
        if field.repair(&grid, query, rng.u64(1..200)).is_none() {
            assert!(known(&field) == before, "seed {seed}, {query:?}\n{map:?}\n{edited:?}");
            given_up += 1;
        } else if grid.is_passable(cell) {
            check(&field, &edited, &query, seed);
            done += 1;
        }
    }
    assert!(given_up > 30 && done > 30, "{given_up}, {done}");
}

#[test]
fn a_field_is_empty_after_an_error() {
    let mut map = Map::flat(4, 4, vec![1 << 18; 16], 1 << 32);
    let cell = Cell::new(1, 2);
    let (query, mut field) = (FieldQuery::routes_to(cell), Field::new());
    field.compute(&map.grid(), &query).unwrap();
    assert!(field.cost(cell).is_some());
    map.put(cell, 0);
    let error = field.compute(&map.grid(), &query).unwrap_err();
    assert!(matches!(error, QueryError::Blocked { .. }));
    assert_eq!((field.cost(cell), field.nearest_reachable(cell)), (None, None));
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
    map.lay_terrain(&mut rng, 0.1);
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
