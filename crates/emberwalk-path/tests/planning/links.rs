//! Links against a Dijkstra that knows them: every search, fields, components, and edits of links and cells.

use emberwalk_path::ahead::Outlook;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::Recording;
use emberwalk_path::{
    Algorithm, Components, CostGrid, Diagonal, EntryCost, Field, FieldDirection, FieldQuery, Heuristic, HeuristicScale,
    Link, MultiQuery, Options, Planner, Replanner, RouteCost, RouteQuery, RouteSearch, SearchResult, StepRules, Ties,
};
use fastrand::Rng;

use crate::cases::cases;
use crate::fields::check;
use crate::oracle::{Map, algorithms, any_rules, planner_with_tables};
use crate::preparation::change;
use crate::seeded;
use crate::slices::in_slices;

/// A small map with a few links, or with so many that no bound knows them; and its grid.
fn linked(rng: &mut Rng) -> (Map, CostGrid) {
    let mut map = Map::random(rng);
    let mut grid = map.grid();
    let count = *rng.choice(&[1, 1, 2, 3, 5, 8, 45]).unwrap();
    (0..count).for_each(|_| add(rng, &mut map, &mut grid));
    (map, grid)
}

/// Adds a link, or changes the cost of one.
fn add(rng: &mut Rng, map: &mut Map, grid: &mut CostGrid) {
    let any = |rng: &mut Rng| map.passable_cell(rng).unwrap_or_else(|| map.any_cell(rng));
    let (from, to) = match map.links.is_empty() || rng.u8(..4) > 0 {
        true => (any(rng), any(rng)),
        false => rng.choice(&map.links).map(|&(from, to, _)| (from, to)).unwrap(),
    };
    // Between neighbours too, and cheaper than every step or more expensive.
    let near = from + *rng.choice(&[(0, 1), (1, 1), (-1, 0), (1, -1)]).unwrap();
    let to = if rng.u8(..5) == 0 && map.contains(near) { near } else { to };
    let cost = EntryCost::from_tiles(2f64.powf(rng.f64() * 12.0 - 7.0)).unwrap();
    if grid.add_link(from, to, cost) {
        map.links.retain(|link| (link.0, link.1) != (from, to));
        map.links.push((from, to, cost.units()));
    }
}

fn remove(rng: &mut Rng, map: &mut Map, grid: &mut CostGrid) {
    if !map.links.is_empty() {
        let (from, to, _) = map.links.swap_remove(rng.usize(..map.links.len()));
        assert!(grid.remove_link(from, to) && !grid.remove_link(from, to));
    }
}

/// A change of cells, of links, or of both.
fn edit(rng: &mut Rng, map: &mut Map, grid: &mut CostGrid) {
    match rng.u8(..6) {
        0 | 1 => add(rng, map, grid),
        2 => remove(rng, map, grid),
        3 => (0..map.links.len()).for_each(|_| remove(rng, map, grid)),
        _ => change(rng, map, grid),
    }
}

/// The rules of a case; now and then links cannot be used.
fn rules(rng: &mut Rng) -> StepRules {
    let rules = any_rules(rng);
    if rng.u8(..8) == 0 { rules.without_links() } else { rules }
}

#[test]
fn every_search_with_links_keeps_its_guarantee() {
    let (mut planner, mut by_links, mut one_way) = (Planner::new(), 0, 0);
    for (seed, mut rng) in seeded(cases(1500)) {
        let (map, grid) = linked(&mut rng);
        let rules = rules(&mut rng);
        let Some(from) = map.passable_cell(&mut rng) else { continue };
        let lowest = map.dijkstra(rules, from, false);
        let without = map.dijkstra(rules.without_links(), from, false);
        for _ in 0..3 {
            let Some(to) = map.passable_cell(&mut rng) else { continue };
            let lowest = lowest[map.index(to)];
            by_links += u32::from(lowest != without[map.index(to)]);
            one_way += u32::from(lowest.is_none() && map.dijkstra(rules, to, false)[map.index(from)].is_some());
            let weight = *rng.choice(&[1.0, 1.1, 3.0]).unwrap();
            for algorithm in algorithms().chain([Algorithm::Weighted { weight }]) {
                let options = Options::default()
                    .with_rules(rules)
                    .with_algorithm(algorithm)
                    .with_heuristic(Some(rng.choice(Heuristic::NAMES).unwrap().1))
                    .with_scale(rng.choice(HeuristicScale::NAMES).unwrap().1);
                let query = RouteQuery::new(from, to).with_options(options);
                let result = planner.plan(&grid, &query).unwrap();
                map.check(&query, &result, lowest, seed);
                let found = result.route.map(|route| route.to_route());
                let mut search = RouteSearch::new(query);
                let (sliced, _) = in_slices(|| {
                    let advanced = search.advance(&mut planner, &grid, 3);
                    advanced.map(|result| result.unwrap().route.map(|route| route.to_route()))
                });
                assert_eq!(sliced, found, "in slices, seed {seed}, {query:?}\n{map:?}");
            }
            let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules));
            let bound = planner.lower_bound(&grid, &query).unwrap().map(RouteCost::units);
            assert!(bound.is_some() == lowest.is_some() && bound <= lowest, "seed {seed}\n{map:?}");
        }
    }
    assert!(by_links > cases(700) && one_way > cases(70), "{by_links} routes by links, {one_way} that lead one way");
}

/// Planners, replanners, fields and components that follow a grid, prepared or not, while links and cells change.
#[test]
fn edits_of_links_are_noticed() {
    let (mut found, mut kept) = (0, 0);
    for (seed, mut rng) in seeded(cases(400)) {
        let (mut map, mut grid) = linked(&mut rng);
        let rules = rules(&mut rng);
        let options = Options::default().with_rules(rules);
        let (mut plain, mut prepared, mut replanner) = (Planner::new(), planner_with_tables(), Replanner::new());
        let (mut to_goal, mut from_start) = (Field::new(), Field::new());
        let mut components = Components::new(rules);
        let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
        for round in 0..12 {
            if rng.u8(..3) == 0 {
                prepared.prepare(&grid, &options);
            }
            if grid.is_passable(from) && grid.is_passable(to) {
                let what = || format!("seed {seed}, round {round}, {from} to {to}, {rules:?}\n{map:?}");
                let lowest = map.dijkstra(rules, from, false);
                let back = map.dijkstra(rules, to, true);
                let query = RouteQuery::new(from, to).with_options(options);
                let mut check = |result: &SearchResult<'_>| {
                    let cost = map.check(&query, result, lowest[map.index(to)], seed);
                    found += u32::from(cost.is_some());
                };
                check(&plain.plan(&grid, &query).unwrap());
                check(&prepared.plan(&grid, &query).unwrap());
                let result = replanner.plan(&mut prepared, &grid, &query).unwrap();
                kept += u32::from(result.expanded == 0);
                check(&result);
                to_goal.update(&grid, &FieldQuery::routes_to(to).with_rules(rules)).unwrap();
                from_start.update(&grid, &FieldQuery::routes_from(from).with_rules(rules)).unwrap();
                components.update(&grid);
                for cell in map.cells() {
                    let at = map.index(cell);
                    assert_eq!(to_goal.cost(cell).map(RouteCost::units), back[at], "{cell}, {}", what());
                    assert_eq!(from_start.cost(cell).map(RouteCost::units), lowest[at], "{cell}, {}", what());
                    assert_eq!(components.are_connected(&grid, from, cell), lowest[at].is_some(), "{cell}, {}", what());
                }
            }
            edit(&mut rng, &mut map, &mut grid);
        }
        let links: Vec<_> = grid.links().map(|Link { from, to, cost }| (from, to, cost.units())).collect();
        map.links.sort_by_key(|&(from, to, _)| (from.y, from.x, to.y, to.x));
        assert_eq!(links, map.links);
    }
    assert!(found > cases(3000) && kept > cases(100), "{found} routes, {kept} kept");
}

#[test]
fn fields_lead_through_links() {
    let mut field = Field::new();
    for (seed, mut rng) in seeded(600) {
        let (map, grid) = linked(&mut rng);
        let (rules, ties) = (rules(&mut rng), rng.choice(Ties::NAMES).unwrap().1);
        let centres: Vec<_> = (0..rng.u8(1..4)).filter_map(|_| map.passable_cell(&mut rng)).collect();
        if centres.is_empty() {
            continue;
        }
        for direction in [FieldDirection::From, FieldDirection::To] {
            let query = FieldQuery::new(&centres[..], direction).with_rules(rules).with_ties(ties);
            while field.advance(&grid, &query, 20).is_pending() {}
            check(&field, &map, &query, seed);
        }
    }
}

/// Several starts and goals, avoided cells, limits and partial routes.
#[test]
fn queries_with_several_ends_know_links() {
    let mut planner = Planner::new();
    let (mut found, mut partial_routes) = (0, 0);
    for (seed, mut rng) in seeded(1500) {
        let (map, grid) = linked(&mut rng);
        let rules = rules(&mut rng);
        let any = |rng: &mut Rng| -> Vec<Cell> { (0..rng.u8(1..=3)).filter_map(|_| map.passable_cell(rng)).collect() };
        let (starts, goals) = (any(&mut rng), any(&mut rng));
        let avoided: Vec<_> = map.cells().filter(|_| rng.u8(..8) == 0).collect();
        let avoided = if rng.bool() { &avoided[..] } else { &[] };
        // Avoided starts are another test's matter.
        if starts.is_empty() || starts.iter().any(|start| avoided.contains(start)) {
            continue;
        }
        // Avoided cells count as blocked, also for the corner rule.
        let mut blocked = map.clone();
        avoided.iter().for_each(|&cell| blocked.put(cell, 0));
        let usable: Vec<_> = goals.iter().copied().filter(|goal| !avoided.contains(goal)).collect();
        if usable.is_empty() {
            continue;
        }
        let options = Options::default().with_rules(rules);
        let query = MultiQuery::new(&starts, &goals).with_avoided(avoided).with_options(options).with_partial();
        // The route of a result leads to a goal at the lowest cost, or else to a cell that is nearest to the goals.
        let check = |map: &Map, starts: &[Cell], goals: &[Cell], result: &SearchResult<'_>| {
            let what = || format!("seed {seed}, {query:?}\n{map:?}");
            let lowest = map.dijkstra(rules, starts, false);
            let cheapest = goals.iter().filter_map(|&goal| lowest[map.index(goal)]).min();
            assert_eq!(result.cost().map(RouteCost::units), cheapest, "{}", what());
            let route = result.route_or_partial().unwrap();
            let (from, to) = (route.cells[0], *route.cells.last().unwrap());
            assert!(starts.contains(&from), "{}", what());
            let walked = map.walk(&options, from, to, route.cells).ok();
            assert!(walked == Some(route.cost.units()) && walked == lowest[map.index(to)], "{}", what());
            let distance = |cell: Cell| goals.iter().map(|goal| goal.distance_squared(cell)).min();
            let nearest = map.cells().filter(|&cell| lowest[map.index(cell)].is_some()).map(distance).min();
            assert_eq!(Some(distance(to)), nearest, "{}", what());
        };
        let result = planner.plan_multi(&grid, &query).unwrap();
        check(&blocked, &starts, &usable, &result);
        found += u32::from(result.found());
        partial_routes += u32::from(result.partial.is_some());
        let query = RouteQuery::new(starts[0], goals[0]).with_options(options).with_partial();
        check(&map, &starts[..1], &goals[..1], &planner.plan(&grid, &query).unwrap());
    }
    assert!(found > 500 && partial_routes > 50, "{found}, {partial_routes}");
}

#[test]
fn canonical_routes_with_links_are_the_same_everywhere() {
    for (seed, mut rng) in seeded(800) {
        let (mut map, _) = linked(&mut rng);
        // A map full of ties, also between links and steps.
        map.units.iter_mut().filter(|units| **units != 0).for_each(|units| *units = 1 << 18);
        map.levels.fill(0);
        map.links.iter_mut().for_each(|link| link.2 = rng.u32(1..4) << 18);
        let (grid, rules) = (map.grid(), any_rules(&mut rng));
        let Some(from) = map.passable_cell(&mut rng) else { continue };
        let lowest = map.dijkstra(rules, from, false);
        let mut field = Field::new();
        field.update(&grid, &FieldQuery::routes_from(from).with_rules(rules).with_ties(Ties::Canonical)).unwrap();
        for to in [(); 3].iter().filter_map(|()| map.passable_cell(&mut rng)).collect::<Vec<_>>() {
            let expected = map.canonical(rules, &lowest, to);
            for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                let options = Options::default().with_rules(rules).with_algorithm(algorithm).with_ties(Ties::Canonical);
                let query = RouteQuery::new(from, to).with_options(options);
                let found = Planner::new().plan(&grid, &query).unwrap().route.map(|route| route.cells.to_vec());
                assert_eq!(found, expected, "seed {seed}, {query:?}\n{map:?}");
            }
            let by_field = field.route(to).map(|route| route.cells);
            assert_eq!(by_field, expected, "seed {seed}, field, {from} to {to}, {rules:?}\n{map:?}");
        }
    }
}

/// Recordings show links: the parent of each cell is where the step comes from.
#[test]
fn recordings_follow_links() {
    let (mut planner, mut links) = (Planner::new(), 0);
    for (seed, mut rng) in seeded(300) {
        let (map, grid) = linked(&mut rng);
        let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
        for algorithm in algorithms() {
            let options = Options::default().with_rules(any_rules(&mut rng)).with_algorithm(algorithm);
            let query = RouteQuery::new(from, to).with_options(options);
            let recording = Recording::new(&mut planner, &grid, &query).unwrap();
            let lowest = map.dijkstra(options.rules, from, false)[map.index(to)];
            map.check(&query, &recording.result(), lowest, seed);
            let moment = recording.at(recording.len());
            for cell in map.cells() {
                let Some(parent) = moment.state(cell).and_then(|state| state.parent) else { continue };
                assert!(map.step(options.rules, parent, cell).is_some(), "seed {seed}, {parent} to {cell}");
                links += u32::from((parent.x - cell.x).abs().max((parent.y - cell.y).abs()) > 1);
            }
        }
    }
    assert!(links > 100, "{links}");
}

/// Where nothing is announced, a search that looks ahead finds the plain route, over links if the rules have them.
#[test]
fn looking_ahead_uses_links() {
    let mut planner = Planner::new();
    for (seed, mut rng) in seeded(200) {
        let (map, grid) = linked(&mut rng);
        let rules = rules(&mut rng);
        let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
        let lowest = map.dijkstra(rules, from, false)[map.index(to)];
        let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules));
        let result = planner.plan_ahead(&Outlook::new(grid), &query, RouteCost::ZERO).unwrap();
        assert_eq!(result.duration().map(RouteCost::units), lowest, "seed {seed}, {query:?}\n{map:?}");
    }
}

#[test]
fn links_off_the_grid_and_to_themselves_are_not_added() {
    let mut grid = CostGrid::from_fn(Size::new(3, 2), Diagonal::GAME, |_| Some(EntryCost::TILE)).unwrap();
    let (one, other, before) = (Cell::new(0, 0), Cell::new(2, 1), grid.stamp());
    for (from, to) in [(one, one), (one, Cell::new(3, 0)), (Cell::new(0, -1), one)] {
        assert!(!grid.add_link(from, to, EntryCost::TILE) && !grid.remove_link(from, to));
    }
    assert!(!grid.remove_link(one, other) && grid.links().next().is_none() && grid.stamp() == before);
    assert!(grid.add_link(one, other, EntryCost::MIN) && !grid.add_link(one, other, EntryCost::MIN));
    assert_eq!(grid.link_cost(one, other), Some(EntryCost::MIN));
    assert_eq!(grid.link_cost(other, one), None);
    let copy = grid.clone();
    assert!(grid.stamp() != before && grid.add_link(one, other, EntryCost::TILE) && grid.stamp() != copy.stamp());
    assert_eq!(copy.link_cost(one, other), Some(EntryCost::MIN));
    assert_eq!(StepRules::default().step_cost(&grid, one, other), Some(EntryCost::TILE.into()));
    assert_eq!(StepRules::default().without_links().step_cost(&grid, one, other), None);
    grid.set(other, None);
    assert_eq!(StepRules::default().step_cost(&grid, one, other), None);
    grid.rebuild(Size::new(3, 2), |_| Some(EntryCost::TILE)).unwrap();
    assert!(grid.links().next().is_none());
}

/// By distance, the cells beyond a portal are too far away to matter to a route.
#[test]
fn a_kept_route_is_not_kept_when_cells_beyond_a_portal_change() {
    let cost = |tiles| Some(EntryCost::from_tiles(tiles).unwrap());
    let size = Size::new(60, 3);
    let is_passage = |cell: Cell| cell.y == 1 && cell.x > 50;
    let mut grid =
        CostGrid::from_fn(size, Diagonal::GAME, |cell| cost(if is_passage(cell) { 30.0 } else { 1.0 })).unwrap();
    let (from, to) = (Cell::new(0, 0), Cell::new(20, 0));
    grid.add_link(from, Cell::new(59, 1), EntryCost::TILE);
    grid.add_link(Cell::new(55, 1), to, EntryCost::TILE);
    let (mut planner, mut replanner) = (planner_with_tables(), Replanner::new());
    let query = RouteQuery::new(from, to);
    for (tiles, expected) in [(30.0, 20.0), (1.0, 6.0)] {
        size.cells().filter(|&cell| is_passage(cell)).for_each(|cell| _ = grid.set(cell, cost(tiles)));
        let result = replanner.plan(&mut planner, &grid, &query).unwrap();
        assert_eq!(result.cost().unwrap().tiles(), expected);
    }
}

/// Links may cost far more than all cells together.
#[test]
fn the_most_expensive_links_can_be_used() {
    let is_passable = |cell: Cell| cell.x % 2 == 0;
    let cost = |cell| is_passable(cell).then_some(EntryCost::MIN);
    let mut grid = CostGrid::from_fn(Size::new(9, 1), Diagonal::GAME, cost).unwrap();
    for x in [0, 2, 4, 6] {
        grid.add_link(Cell::new(x, 0), Cell::new(x + 2, 0), EntryCost::MAX);
    }
    let (from, to, expected) = (Cell::new(0, 0), Cell::new(8, 0), Some(4 * u64::from(EntryCost::MAX.units())));
    for algorithm in algorithms() {
        let query = RouteQuery::new(from, to).with_options(Options::default().with_algorithm(algorithm));
        let cost = Planner::new().plan(&grid, &query).unwrap().cost().map(RouteCost::units);
        assert_eq!(cost, expected, "{algorithm}");
    }
    let mut field = Field::new();
    field.compute(&grid, &FieldQuery::routes_to(to)).unwrap();
    assert_eq!(field.cost(from).map(RouteCost::units), expected);
}
