//! Canonical routes: the same cells from every planner, as the rule demands.

use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::{
    Algorithm, CostGrid, Field, FieldQuery, Moves, Options, Planner, Replanner, RouteQuery, StepRules, Ties,
};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, any_rules, entry, planner_with_tables};
use crate::preparation::change;
use crate::seeded;
use crate::ties;

fn cells(planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> Option<Vec<Cell>> {
    planner.plan(grid, query).unwrap().route.map(|route| route.cells.to_vec())
}

/// Unprepared, prepared, refreshed and copied planners, all exact algorithms and fields, on maps full of ties.
#[test]
fn every_planner_finds_the_canonical_route() {
    let (mut plain, mut with_ties, mut any_differ) = (Planner::new(), 0, 0);
    for (seed, mut rng) in seeded(cases(700)) {
        let mut map = if seed % 3 == 0 { Map::random(&mut rng) } else { ties::map(&mut rng) };
        let mut grid = map.grid();
        let rules = if rng.bool() { StepRules::default() } else { any_rules(&mut rng) };
        let options = Options::default().with_rules(rules).with_ties(Ties::Canonical);
        let mut prepared = planner_with_tables();
        prepared.prepare(&grid, &options);
        let mut field = Field::new();
        for round in 0..4 {
            let Some(from) = map.passable_cell(&mut rng) else { break };
            let lowest = map.dijkstra(rules, from, false);
            field.update(&grid, &FieldQuery::routes_from(from).with_rules(rules).with_ties(Ties::Canonical)).unwrap();
            for to in [(); 3].iter().filter_map(|()| map.passable_cell(&mut rng)).collect::<Vec<_>>() {
                let expected = map.canonical(rules, &lowest, to);
                let query = RouteQuery::new(from, to).with_options(options);
                let copy = &mut prepared.clone();
                let rebuilt = &map.grid();
                for (planner, grid) in [(&mut plain, &grid), (&mut prepared, &grid), (copy, rebuilt)] {
                    for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                        let query = query.with_options(options.with_algorithm(algorithm));
                        let found = cells(planner, grid, &query);
                        assert_eq!(found, expected, "seed {seed}, round {round}, {query:?}\n{map:?}");
                    }
                }
                assert_eq!(field.route(to).map(|route| route.cells), expected, "seed {seed}, {from} to {to}\n{map:?}");
                with_ties += u32::from(expected.is_some());
                let any = [&mut plain, &mut prepared]
                    .map(|planner| cells(planner, &grid, &query.with_options(options.with_ties(Ties::Any))));
                any_differ += u32::from(any[0] != any[1]);
            }
            if rng.bool() {
                prepared.refresh(&grid, &options);
            }
            (0..rng.u8(1..4)).for_each(|_| change(&mut rng, &mut map, &mut grid));
        }
    }
    assert!(with_ties > cases(3000) && any_differ > cases(100), "{with_ties}, {any_differ} differ without the rule");
}

/// A level map without walls on which all cells cost a tile or two.
fn stones(rng: &mut Rng) -> Map {
    let (width, height) = (rng.i32(4..12), rng.i32(4..12));
    let units = (0..width * height).map(|_| if rng.u8(..4) == 0 { 2 << 18 } else { 1 << 18 }).collect();
    Map::flat(width, height, units, *rng.choice(&[6_073_083_757, 1 << 32, 2 << 32]).unwrap())
}

/// A unit walks along its route while the map changes.
#[test]
fn replanners_keep_the_canonical_route() {
    let mut kept = 0;
    for (seed, mut rng) in seeded(1000) {
        let has_stones = rng.bool();
        let mut map = if has_stones { stones(&mut rng) } else { ties::map(&mut rng) };
        let mut grid = map.grid();
        let moves = *rng.choice(&[Moves::Eight, Moves::Four, Moves::Six]).unwrap();
        let rules = StepRules::default().with_moves(moves);
        let options = Options::default().with_ties(Ties::Canonical).with_rules(rules);
        let (mut planner, mut replanner) = (planner_with_tables(), Replanner::new());
        if rng.bool() {
            planner.prepare(&grid, &options);
        }
        let Some((mut from, to)) = map.passable_pair(&mut rng) else { continue };
        for round in 0..12 {
            if map.at(from) == 0 || map.at(to) == 0 {
                break;
            }
            let lowest = map.dijkstra(rules, from, false);
            let expected = map.canonical(rules, &lowest, to);
            let query = RouteQuery::new(from, to).with_options(options);
            let result = replanner.plan(&mut planner, &grid, &query).unwrap();
            let found = result.route.map(|route| route.cells.to_vec());
            assert_eq!(found, expected, "seed {seed}, round {round}, {query:?}, {} expanded\n{map:?}", result.expanded);
            kept += u32::from(round > 0 && result.expanded == 0 && found.as_ref().is_some_and(|cells| cells.len() > 2));
            if let Some(&next) = found.as_ref().and_then(|cells| cells.get(1)).filter(|_| rng.bool()) {
                from = next;
            }
            if has_stones {
                // A stone is laid or removed, which often makes another route as cheap.
                let cell = map.any_cell(&mut rng);
                map.put(cell, (3 << 18) - map.at(cell));
                grid.set(cell, entry(map.at(cell)));
            } else if rng.u8(..3) > 0 {
                change(&mut rng, &mut map, &mut grid);
            }
        }
    }
    assert!(kept > 200, "{kept}");
}

/// In a field to a cell, each step is the first of the first steps of all cheapest routes; also after repairs.
#[test]
fn fields_to_a_cell_have_canonical_first_steps() {
    for (seed, mut rng) in seeded(300) {
        let mut map = ties::map(&mut rng);
        let (mut grid, rules, mut field) = (map.grid(), any_rules(&mut rng), Field::new());
        let Some(goal) = map.passable_cell(&mut rng) else { continue };
        for _ in 0..6 {
            if map.at(goal) == 0 {
                break;
            }
            field.update(&grid, &FieldQuery::routes_to(goal).with_rules(rules).with_ties(Ties::Canonical)).unwrap();
            let rest = map.dijkstra(rules, goal, true);
            let cost = |cell: Cell| rest[map.index(cell)];
            for cell in map.cells().filter(|&cell| cost(cell).is_some_and(|cost| cost > 0)) {
                let cheapest = |&next: &Cell| {
                    let step = map.step(rules, cell, next).and_then(|step| Some(step + cost(next)?));
                    step.is_some() && step == cost(cell)
                };
                let first = Direction::ALL.into_iter().map(|direction| cell + direction).find(cheapest);
                assert_eq!(field.next(cell), first, "seed {seed}, {cell} to {goal}, {rules:?}\n{map:?}");
            }
            (0..rng.u8(1..3)).for_each(|_| change(&mut rng, &mut map, &mut grid));
        }
    }
}

/// A search that is stopped gets equally far, whatever is prepared.
#[test]
fn stopped_searches_with_canonical_ties_do_not_depend_on_what_is_prepared() {
    let mut rng = Rng::with_seed(3);
    let mut map = Map::random_flat(&mut rng, 60, 60);
    map.cells().for_each(|cell| map.put(cell, if rng.u8(..5) == 0 { 0 } else { rng.u32(1..4) << 18 }));
    let (grid, options) = (map.grid(), Options::default().with_ties(Ties::Canonical));
    let (mut plain, mut prepared) = (Planner::new(), planner_with_tables());
    prepared.prepare(&grid, &options);
    let mut stopped = 0;
    for most in 0..200 {
        let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
        let query = RouteQuery::new(from, to).with_options(options).with_max_expansions(most).with_partial();
        let [one, other] = [&mut plain, &mut prepared].map(|planner| {
            let result = planner.plan(&grid, &query).unwrap();
            stopped += u32::from(result.stopped_by.is_some());
            (result.route_or_partial().map(|route| route.to_route()), result.expanded)
        });
        assert_eq!(one, other, "{query:?}");
    }
    assert!(stopped > 50, "{stopped}");
}
