//! Links against a Dijkstra that knows them: every search, fields, components, and edits of links and cells.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use emberwalk_path::ahead::Outlook;
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::trace::Recording;
use emberwalk_path::{
    Algorithm, Components, CostGrid, Diagonal, EntryCost, Field, FieldDirection, FieldQuery, Heuristic, HeuristicScale,
    Link, MultiQuery, Options, Planner, Replanner, RouteCost, RouteQuery, RouteSearch, StepRules, Ties,
};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, any_rules, entry, planner_with_tables};
use crate::preparation::change;
use crate::seeded;

/// A map with links.
#[derive(Clone, Debug)]
struct Linked {
    map: Map,
    links: Vec<(Cell, Cell, u32)>,
}

impl Linked {
    /// A small map with a few links, or with so many that no bound knows them; and its grid.
    fn random(rng: &mut Rng) -> (Self, CostGrid) {
        let map = Map::random(rng);
        let mut grid = map.grid();
        let mut linked = Self { map, links: Vec::new() };
        let count = *rng.choice(&[1, 1, 2, 3, 5, 8, 45]).unwrap();
        (0..count).for_each(|_| linked.add(rng, &mut grid));
        (linked, grid)
    }

    /// Adds a link, or changes the cost of one.
    fn add(&mut self, rng: &mut Rng, grid: &mut CostGrid) {
        let map = &self.map;
        let any = |rng: &mut Rng| map.passable_cell(rng).unwrap_or_else(|| map.any_cell(rng));
        let (from, to) = match self.links.is_empty() || rng.u8(..4) > 0 {
            true => (any(rng), any(rng)),
            false => self.links.iter().map(|&(from, to, _)| (from, to)).nth(rng.usize(..self.links.len())).unwrap(),
        };
        // Between neighbours too, and cheaper than every step or more expensive.
        let near = from + *rng.choice(&[(0, 1), (1, 1), (-1, 0), (1, -1)]).unwrap();
        let to = if rng.u8(..5) == 0 && grid.size().contains(near) { near } else { to };
        let units = EntryCost::from_tiles(2f64.powf(rng.f64() * 12.0 - 7.0)).unwrap().units();
        if grid.add_link(from, to, EntryCost::from_units(units).unwrap()) {
            self.links.retain(|link| (link.0, link.1) != (from, to));
            self.links.push((from, to, units));
        }
    }

    fn remove(&mut self, rng: &mut Rng, grid: &mut CostGrid) {
        if !self.links.is_empty() {
            let (from, to, _) = self.links.swap_remove(rng.usize(..self.links.len()));
            assert!(grid.remove_link(from, to) && !grid.remove_link(from, to));
        }
    }

    /// A change of cells, of links, or of both.
    fn edit(&mut self, rng: &mut Rng, grid: &mut CostGrid) {
        match rng.u8(..6) {
            0 | 1 => self.add(rng, grid),
            2 => self.remove(rng, grid),
            3 => {
                while !self.links.is_empty() {
                    self.remove(rng, grid);
                }
            }
            _ => change(rng, &mut self.map, grid),
        }
    }

    /// The cost of a step or of a link.
    fn step(&self, rules: StepRules, from: Cell, to: Cell) -> Option<u64> {
        let is_passable = self.map.at(from) != 0 && self.map.at(to) != 0;
        let usable = |link: &&(Cell, Cell, u32)| is_passable && !rules.ignores_links && (link.0, link.1) == (from, to);
        let link = self.links.iter().find(usable).map(|link| u64::from(link.2));
        self.map.step(rules, from, to).into_iter().chain(link).min()
    }

    /// The lowest cost from the starts to every cell, row by row; with `reverse`, from every cell to them.
    fn dijkstra(&self, rules: StepRules, starts: &[Cell], reverse: bool, avoided: &[Cell]) -> Vec<Option<u64>> {
        let mut lowest = vec![None; self.map.units.len()];
        let mut heap: BinaryHeap<_> = starts.iter().map(|&start| Reverse((0, start))).collect();
        while let Some(Reverse((cost, cell))) = heap.pop() {
            let known = &mut lowest[self.index(cell)];
            if known.is_some() {
                continue;
            }
            *known = Some(cost);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).map(|offset| cell + offset);
            let ends = self.links.iter().map(|link| if reverse { link.0 } else { link.1 });
            for next in around.chain(ends).filter(|next| self.map.at(*next) != 0 && !avoided.contains(next)) {
                let (one, other) = if reverse { (next, cell) } else { (cell, next) };
                if let Some(step) = self.step(rules, one, other) {
                    heap.push(Reverse((cost + step, next)));
                }
            }
        }
        lowest
    }

    fn index(&self, cell: Cell) -> usize {
        (cell.y * self.map.width + cell.x) as usize
    }

    /// The cost of a route.
    fn walk(&self, rules: StepRules, from: Cell, to: Cell, cells: &[Cell]) -> Option<u64> {
        assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)));
        cells.windows(2).map(|pair| self.step(rules, pair[0], pair[1])).sum()
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
        let (linked, grid) = Linked::random(&mut rng);
        let rules = rules(&mut rng);
        let Some(from) = linked.map.passable_cell(&mut rng) else { continue };
        let lowest = linked.dijkstra(rules, &[from], false, &[]);
        let without = linked.map.dijkstra(rules, from, false);
        for _ in 0..3 {
            let Some(to) = linked.map.passable_cell(&mut rng) else { continue };
            let lowest = lowest[linked.index(to)];
            by_links += u32::from(lowest != without[linked.index(to)]);
            one_way +=
                u32::from(lowest.is_none() && linked.dijkstra(rules, &[to], false, &[])[linked.index(from)].is_some());
            let weight = *rng.choice(&[1.0, 1.1, 3.0]).unwrap();
            let algorithms = Algorithm::NAMES.iter().map(|&(_, algorithm)| algorithm);
            for algorithm in algorithms.chain([Algorithm::Weighted { weight }]) {
                let options = Options::default()
                    .with_rules(rules)
                    .with_algorithm(algorithm)
                    .with_heuristic(Some(rng.choice(Heuristic::NAMES).unwrap().1))
                    .with_scale(rng.choice(HeuristicScale::NAMES).unwrap().1);
                let query = RouteQuery::new(from, to).with_options(options);
                let what = || format!("seed {seed}, {query:?}\n{linked:?}");
                let result = planner.plan(&grid, &query).unwrap();
                let found = result.route.map(|route| {
                    let walked = linked.walk(rules, from, to, route.cells);
                    assert_eq!(walked, Some(route.cost.units()), "{}", what());
                    route.cost.units()
                });
                assert_eq!(found.is_some(), lowest.is_some(), "{}", what());
                if result.optimal {
                    assert_eq!(found, lowest, "{}", what());
                }
                let found = result.route.map(|route| route.to_route());
                let mut search = RouteSearch::new(query);
                let sliced = loop {
                    if let std::task::Poll::Ready(result) = search.advance(&mut planner, &grid, 3) {
                        break result.unwrap().route.map(|route| route.to_route());
                    }
                };
                assert_eq!(sliced, found, "in slices, {}", what());
            }
            let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules));
            let bound = planner.lower_bound(&grid, &query).unwrap().map(RouteCost::units);
            assert!(bound.is_some() == lowest.is_some() && bound <= lowest, "seed {seed}\n{linked:?}");
        }
    }
    assert!(by_links > cases(700) && one_way > cases(70), "{by_links} routes by links, {one_way} that lead one way");
}

/// Planners, replanners, fields and components that follow a grid, prepared or not, while links and cells change.
#[test]
fn edits_of_links_are_noticed() {
    let (mut found, mut kept) = (0, 0);
    for (seed, mut rng) in seeded(cases(400)) {
        let (mut linked, mut grid) = Linked::random(&mut rng);
        let rules = rules(&mut rng);
        let options = Options::default().with_rules(rules);
        let (mut plain, mut prepared, mut replanner) = (Planner::new(), planner_with_tables(), Replanner::new());
        let (mut to_goal, mut from_start) = (Field::new(), Field::new());
        let mut components = Components::new(rules);
        let [Some(from), Some(to)] = [(); 2].map(|()| linked.map.passable_cell(&mut rng)) else { continue };
        for round in 0..12 {
            if rng.u8(..3) == 0 {
                prepared.prepare(&grid, &options);
            }
            let is_possible = grid.is_passable(from) && grid.is_passable(to);
            if is_possible {
                let what = || format!("seed {seed}, round {round}, {from} to {to}, {rules:?}\n{linked:?}");
                let lowest = linked.dijkstra(rules, &[from], false, &[]);
                let back = linked.dijkstra(rules, &[to], true, &[]);
                let query = RouteQuery::new(from, to).with_options(options);
                let mut check = |result: &emberwalk_path::SearchResult<'_>, by: &str| {
                    let cost = result.route.map(|route| {
                        assert_eq!(linked.walk(rules, from, to, route.cells), Some(route.cost.units()), "{}", what());
                        route.cost.units()
                    });
                    assert_eq!(cost, lowest[linked.index(to)], "{by}, {}", what());
                    found += u32::from(cost.is_some());
                };
                check(&plain.plan(&grid, &query).unwrap(), "plain");
                check(&prepared.plan(&grid, &query).unwrap(), "prepared");
                let result = replanner.plan(&mut prepared, &grid, &query).unwrap();
                kept += u32::from(result.expanded == 0);
                check(&result, "replanner");
                to_goal.update(&grid, &FieldQuery::routes_to(to).with_rules(rules)).unwrap();
                from_start.update(&grid, &FieldQuery::routes_from(from).with_rules(rules)).unwrap();
                components.update(&grid);
                for cell in linked.map.cells() {
                    let at = linked.index(cell);
                    assert_eq!(to_goal.cost(cell).map(RouteCost::units), back[at], "{cell}, {}", what());
                    assert_eq!(from_start.cost(cell).map(RouteCost::units), lowest[at], "{cell}, {}", what());
                    assert_eq!(components.are_connected(&grid, from, cell), lowest[at].is_some(), "{cell}, {}", what());
                }
            }
            linked.edit(&mut rng, &mut grid);
        }
        let links: Vec<_> = grid.links().map(|Link { from, to, cost }| (from, to, cost.units())).collect();
        linked.links.sort_by_key(|&(from, to, _)| (from.y, from.x, to.y, to.x));
        assert_eq!(links, linked.links);
    }
    assert!(found > cases(3000) && kept > cases(100), "{found} routes, {kept} kept");
}

#[test]
fn fields_lead_through_links() {
    let mut field = Field::new();
    for (seed, mut rng) in seeded(600) {
        let (linked, grid) = Linked::random(&mut rng);
        let (rules, ties) = (rules(&mut rng), rng.choice(Ties::NAMES).unwrap().1);
        let centres: Vec<_> = (0..rng.u8(1..4)).filter_map(|_| linked.map.passable_cell(&mut rng)).collect();
        if centres.is_empty() {
            continue;
        }
        for direction in [FieldDirection::From, FieldDirection::To] {
            let lowest = linked.dijkstra(rules, &centres, direction == FieldDirection::To, &[]);
            let query = FieldQuery::new(&centres, direction).with_rules(rules).with_ties(ties);
            while field.advance(&grid, &query, 20).is_pending() {}
            for (cell, lowest) in linked.map.cells().zip(lowest) {
                let route = field.route(cell);
                assert_eq!(route.as_ref().map(|route| route.cost.units()), lowest, "seed {seed}, {cell}\n{linked:?}");
                let Some(route) = route else { continue };
                let (first, last) = (route.cells[0], *route.cells.last().unwrap());
                assert_eq!(linked.walk(rules, first, last, &route.cells), lowest, "seed {seed}, {cell}\n{linked:?}");
                let (near, far) = if direction == FieldDirection::From { (first, last) } else { (last, first) };
                assert!(centres.contains(&near) && far == cell);
                let next =
                    if direction == FieldDirection::To { route.cells.get(1) } else { route.cells.iter().nth_back(1) };
                assert_eq!(field.next(cell).as_ref(), next);
            }
        }
    }
}

/// Several starts and goals, avoided cells, limits and partial routes.
#[test]
fn queries_with_several_ends_know_links() {
    let mut planner = Planner::new();
    let (mut found, mut partial_routes) = (0, 0);
    for (seed, mut rng) in seeded(1500) {
        let (linked, grid) = Linked::random(&mut rng);
        let rules = rules(&mut rng);
        let any = |rng: &mut Rng, most| -> Vec<Cell> {
            (0..rng.u8(1..=most)).filter_map(|_| linked.map.passable_cell(rng)).collect()
        };
        let (starts, goals) = (any(&mut rng, 3), any(&mut rng, 3));
        let avoided: Vec<_> = linked.map.cells().filter(|_| rng.u8(..8) == 0).collect();
        let avoided = if rng.bool() { &avoided[..] } else { &[] };
        if starts.is_empty() || !goals.iter().any(|goal| !avoided.contains(goal)) {
            continue;
        }
        // Avoided cells count as blocked, also for the corner rule.
        let mut blocked = linked.clone();
        avoided.iter().for_each(|&cell| blocked.map.put(cell, 0));
        let options = Options::default().with_rules(rules);
        let query = MultiQuery::new(&starts, &goals).with_avoided(avoided).with_options(options).with_partial();
        let result = planner.plan_multi(&grid, &query).unwrap();
        let what = || format!("seed {seed}, {query:?}\n{linked:?}");
        // Avoided starts are another test's matter.
        if starts.iter().any(|start| avoided.contains(start)) {
            continue;
        }
        let lowest = blocked.dijkstra(rules, &starts, false, avoided);
        let cheapest =
            goals.iter().filter(|goal| !avoided.contains(goal)).filter_map(|&goal| lowest[linked.index(goal)]).min();
        assert_eq!(result.cost().map(RouteCost::units), cheapest, "{}", what());
        if let Some(route) = result.route {
            let (from, to) = (route.cells[0], *route.cells.last().unwrap());
            assert_eq!(blocked.walk(rules, from, to, route.cells), cheapest, "{}", what());
            found += 1;
        }
        if let Some(route) = result.partial {
            let (from, to) = (route.cells[0], *route.cells.last().unwrap());
            let walked = blocked.walk(rules, from, to, route.cells);
            assert!(walked == Some(route.cost.units()) && walked == lowest[linked.index(to)], "{}", what());
            let usable: Vec<_> = goals.iter().filter(|goal| !avoided.contains(goal)).collect();
            let distance = |cell: Cell| usable.iter().map(|goal| goal.distance_squared(cell)).min();
            let nearest = linked.map.cells().filter(|&cell| lowest[linked.index(cell)].is_some()).map(distance).min();
            assert_eq!(Some(distance(to)), nearest, "{}", what());
            partial_routes += 1;
        }
        let query = RouteQuery::new(starts[0], goals[0]).with_options(options).with_partial();
        let lowest = linked.dijkstra(rules, &starts[..1], false, &[]);
        let result = planner.plan(&grid, &query).unwrap();
        let end = *result.route_or_partial().unwrap().cells.last().unwrap();
        let distance = |cell: Cell| cell.distance_squared(goals[0]);
        let nearest = linked.map.cells().filter(|&cell| lowest[linked.index(cell)].is_some()).map(distance).min();
        assert_eq!(Some(distance(end)), nearest, "{}", what());
        let route = result.route_or_partial().unwrap();
        assert_eq!(linked.walk(rules, starts[0], end, route.cells), lowest[linked.index(end)], "{}", what());
    }
    assert!(found > 500 && partial_routes > 50, "{found}, {partial_routes}");
}

/// The canonical route by its definition: the first step by direction, and links after the steps, by their other ends.
fn canonical(linked: &Linked, rules: StepRules, lowest: &[Option<u64>], to: Cell) -> Option<Vec<Cell>> {
    let cost = |cell: Cell| if linked.map.at(cell) != 0 { lowest[linked.index(cell)] } else { None };
    let (mut cells, mut here) = (vec![to], to);
    while cost(here)? > 0 {
        let is_last = |before: Cell, step: Option<u64>| {
            cost(before).zip(step).is_some_and(|(g, step)| Some(g + step) == cost(here))
        };
        let around = Direction::ALL.into_iter().map(|direction| here + direction.opposite());
        let by_step = around.filter(|&before| is_last(before, linked.map.step(rules, before, here)));
        let mut ends: Vec<_> = linked.links.iter().filter(|link| link.1 == here).collect();
        ends.sort_by_key(|link| (link.0.y, link.0.x));
        let by_link = ends.iter().filter(|link| is_last(link.0, Some(link.2.into()))).map(|link| link.0);
        here = by_step.chain(by_link).next().expect("every reachable cell has a last step");
        cells.push(here);
    }
    cells.reverse();
    Some(cells)
}

#[test]
fn canonical_routes_with_links_are_the_same_everywhere() {
    for (seed, mut rng) in seeded(800) {
        let (mut linked, _) = Linked::random(&mut rng);
        // A map full of ties, also between links and steps.
        linked.map.units.iter_mut().filter(|units| **units != 0).for_each(|units| *units = 1 << 18);
        linked.map.levels.fill(0);
        let mut grid = linked.map.grid();
        for link in &mut linked.links {
            link.2 = rng.u32(1..4) << 18;
            grid.add_link(link.0, link.1, entry(link.2).unwrap());
        }
        let rules = any_rules(&mut rng);
        let Some(from) = linked.map.passable_cell(&mut rng) else { continue };
        let lowest = linked.dijkstra(rules, &[from], false, &[]);
        let mut field = Field::new();
        field.update(&grid, &FieldQuery::routes_from(from).with_rules(rules).with_ties(Ties::Canonical)).unwrap();
        for to in [(); 3].iter().filter_map(|()| linked.map.passable_cell(&mut rng)).collect::<Vec<_>>() {
            let expected = canonical(&linked, rules, &lowest, to);
            for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                let options = Options::default().with_rules(rules).with_algorithm(algorithm).with_ties(Ties::Canonical);
                let query = RouteQuery::new(from, to).with_options(options);
                let found = Planner::new().plan(&grid, &query).unwrap().route.map(|route| route.cells.to_vec());
                assert_eq!(found, expected, "seed {seed}, {query:?}\n{linked:?}");
            }
            let by_field = field.route(to).map(|route| route.cells);
            assert_eq!(by_field, expected, "seed {seed}, field, {from} to {to}, {rules:?}\n{linked:?}");
        }
    }
}

/// Recordings show links: the parent of each cell is where the step comes from.
#[test]
fn recordings_follow_links() {
    let (mut planner, mut links) = (Planner::new(), 0);
    for (seed, mut rng) in seeded(300) {
        let (linked, grid) = Linked::random(&mut rng);
        let [Some(from), Some(to)] = [(); 2].map(|()| linked.map.passable_cell(&mut rng)) else { continue };
        for &(_, algorithm) in Algorithm::NAMES {
            let options = Options::default().with_rules(any_rules(&mut rng)).with_algorithm(algorithm);
            let query = RouteQuery::new(from, to).with_options(options);
            let recording = Recording::new(&mut planner, &grid, &query).unwrap();
            let lowest = linked.dijkstra(options.rules, &[from], false, &[])[linked.index(to)];
            let found = recording.result().cost().map(RouteCost::units);
            assert_eq!(found.is_some(), lowest.is_some(), "seed {seed}, {query:?}\n{linked:?}");
            if options.optimal() {
                assert_eq!(found, lowest, "seed {seed}, {query:?}\n{linked:?}");
            }
            let moment = recording.at(recording.len());
            for cell in linked.map.cells() {
                let Some(parent) = moment.state(cell).and_then(|state| state.parent) else { continue };
                assert!(linked.step(options.rules, parent, cell).is_some(), "seed {seed}, {parent} to {cell}");
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
        let (linked, grid) = Linked::random(&mut rng);
        let rules = if rng.u8(..4) == 0 { any_rules(&mut rng).without_links() } else { any_rules(&mut rng) };
        let [Some(from), Some(to)] = [(); 2].map(|()| linked.map.passable_cell(&mut rng)) else { continue };
        let lowest = linked.dijkstra(rules, &[from], false, &[])[linked.index(to)];
        let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules));
        let result = planner.plan_ahead(&Outlook::new(grid), &query, RouteCost::ZERO).unwrap();
        assert_eq!(result.duration().map(RouteCost::units), lowest, "seed {seed}, {query:?}\n{linked:?}");
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
    for &(_, algorithm) in Algorithm::NAMES {
        let query = RouteQuery::new(from, to).with_options(Options::default().with_algorithm(algorithm));
        let cost = Planner::new().plan(&grid, &query).unwrap().cost().map(RouteCost::units);
        assert_eq!(cost, expected, "{algorithm}");
    }
    let mut field = Field::new();
    field.compute(&grid, &FieldQuery::routes_to(to)).unwrap();
    assert_eq!(field.cost(from).map(RouteCost::units), expected);
}
