//! Routes that know what is coming, against a search over all times.

mod oracle;
mod rules;

use emberwalk_path::ahead::{AheadResult, Outlook};
use emberwalk_path::crowd::{CrowdTime, Pace, Walker};
use emberwalk_path::grid::Cell;
use emberwalk_path::{LimitKind, MultiQuery, Planner, RouteCost, RouteQuery};
use fastrand::Rng;

use crate::oracle::{Map, any_rules, planner_with_tables};
use oracle::{Announced, World};

/// A small map on which a few cells change, with times that matter for routes on it.
fn random_world(rng: &mut Rng) -> (World, u64) {
    let (width, height) = *rng.choice(&[(1, 6), (7, 1), (3, 3), (4, 3), (5, 5), (6, 4)]).unwrap();
    let map = Map::random_of_size(rng, width, height);
    let most = u64::from(*map.units.iter().max().unwrap());
    let scale = most.max(1 << 10) * u64::from(rng.u32(1..6));
    let periods = [rng.u64(scale / 4..=scale), scale / 2, scale / 4 * 3, scale];
    let palette: Vec<u32> = map.units.iter().copied().filter(|&units| units != 0).collect();
    let count = rng.usize(0..10);
    let announced = (0..count).map(|_| {
        let cell = map.any_cell(rng);
        let period = if rng.u8(..3) == 0 { *rng.choice(&periods).unwrap() } else { 0 };
        let at = rng.u64(0..2 * scale);
        if rng.bool() {
            let units = if rng.bool() { 0 } else { rng.choice(&palette).copied().unwrap_or(1 << 18) };
            Announced::Change { cell, period, at, units }
        } else {
            Announced::Closed { cell, period, from: at, until: at + rng.u64(0..scale) }
        }
    });
    let announced = announced.collect();
    (World { map, announced, bounds: (0, u64::MAX) }, scale)
}

/// Checks a result against the search over all times; returns the arrival.
#[track_caller]
fn check(world: &World, query: &MultiQuery<'_>, departure: u64, result: &AheadResult<'_>, horizon: u64, seed: u64) {
    let times = world.times(query.options.rules, query.avoided, departure, horizon);
    let case = || format!("seed {seed}, {query:?}, from {departure}, {result:?}\n{world:?}");
    if let Some(route) = result.route {
        let times = world.times(query.options.rules, query.avoided, departure, route.last().unwrap().arrival.units());
        let walked = times.walk(route);
        assert_eq!(walked, Ok(result.arrival().unwrap().units()), "{}", case());
        assert!(query.starts.contains(&route[0].cell) && route[0].arrival.units() == departure, "{}", case());
        assert!(query.goals.contains(&route.last().unwrap().cell), "{}", case());
    }
    let is_usable = |cell: &&Cell| times.is_passable(**cell, departure);
    let starts: Vec<Cell> = query.starts.iter().filter(is_usable).copied().collect();
    let goals: Vec<Cell> = query.goals.iter().filter(|goal| !query.avoided.contains(goal)).copied().collect();
    if let Ok(earliest) = times.earliest(&starts, &goals, departure) {
        let found = result.arrival().map(RouteCost::units).filter(|&arrival| arrival <= horizon);
        assert_eq!(found, earliest, "{}", case());
    }
}

#[test]
fn arrivals_are_the_earliest() {
    let (mut found, mut waits, mut ends, mut late) = (0, 0, 0, 0);
    for seed in 0..20_000 {
        let rng = &mut Rng::with_seed(seed);
        let (mut world, scale) = random_world(rng);
        let cells = |rng: &mut Rng, most: usize| -> Vec<Cell> {
            let count = if rng.u8(..4) == 0 { rng.usize(1..=most) } else { 1 };
            (0..count).map(|_| world.map.any_cell(rng)).collect()
        };
        let (starts, goals) = (cells(rng, 2), cells(rng, 3));
        let avoided = if rng.u8(..6) == 0 { cells(rng, 3) } else { Vec::new() };
        let departure = if rng.bool() { 0 } else { rng.u64(0..2 * scale) };
        let mut outlook = world.outlook();
        if rng.u8(..5) == 0 {
            let pace = Pace::new(CrowdTime::from_whole_seconds(4));
            let bounds = (rng.u64(0..1 << 18), rng.u64(1 << 18..1 << 20));
            world.bounds = bounds;
            let [shortest, longest] = [bounds.0, bounds.1].map(|units| pace.time_of(RouteCost::from_units(units)));
            outlook = outlook.with_pace(pace.with_bounds(shortest, longest));
        }
        let mut query = MultiQuery::new(&starts, &goals).with_avoided(&avoided).with_rules(any_rules(rng));
        let mut planner = if rng.bool() { planner_with_tables() } else { Planner::new() };
        if rng.bool() {
            planner.prepare(outlook.lowest(), &query.options);
        }
        let limit = rng.u64(0..4 * scale);
        if rng.u8(..8) == 0 {
            query = query.with_max_cost(RouteCost::from_units(limit));
        }
        let Ok(result) = planner.plan_ahead(&outlook, query, RouteCost::from_units(departure)) else {
            ends += 1;
            continue;
        };
        let horizon = departure + if query.limits.max_cost.is_some() { limit } else { 8 * scale };
        check(&world, &query, departure, &result, horizon, seed);
        assert!(
            result.is_proved() && (result.found() || query.limits.max_cost.is_some() || result.stopped_by.is_none())
        );
        found += u64::from(result.found());
        waits += u64::from(result.waits() > RouteCost::ZERO);
        late += u64::from(result.stopped_by == Some(LimitKind::Cost));
    }
    println!("{found} found, {waits} with waits, {late} too late, {ends} without ends");
    assert!(found > 8000 && waits > 800 && late > 100);
}

#[test]
fn without_changes_the_route_is_the_plain_one() {
    for seed in 0..2000 {
        let rng = &mut Rng::with_seed(seed);
        let map = Map::random(rng);
        let (Some(from), Some(to)) = (map.passable_cell(rng), map.passable_cell(rng)) else { continue };
        let query = RouteQuery::new(from, to).with_rules(any_rules(rng));
        let outlook = Outlook::new(map.grid());
        let mut planner = if rng.bool() { planner_with_tables() } else { Planner::new() };
        let plain = planner.plan(outlook.grid(), &query).unwrap();
        let (cells, cost) = (plain.cells().to_vec(), plain.cost());
        let result = planner.plan_ahead(&outlook, &query, RouteCost::from_units(77)).unwrap();
        assert_eq!(result.duration(), cost, "seed {seed}");
        assert!(result.cells().eq(cells), "seed {seed}");
    }
}

/// The walker of a crowd, which plans again at each change.
#[test]
fn the_unaware_walk_as_walkers_do() {
    // A tick is a unit.
    let pace = Pace::new(CrowdTime::from_whole_seconds(4));
    let ticks = |units: u64| pace.time_of(RouteCost::from_units(units));
    let (mut arrived, mut later) = (0, 0);
    for seed in 0..3000 {
        let rng = &mut Rng::with_seed(seed);
        let (mut world, scale) = random_world(rng);
        let even = |units: u32| if units == 0 { 0 } else { (units >> 10).clamp(1, 64) << 10 };
        world.map.units.iter_mut().for_each(|units| *units = even(*units));
        world.map.ratio = 3 << 31;
        world.map.levels.fill(0);
        for announced in &mut world.announced {
            match announced {
                Announced::Change { units, .. } => *units = even(*units),
                Announced::Closed { .. } => {}
            }
        }
        let rules = any_rules(rng);
        let (from, to) = (world.map.any_cell(rng), world.map.any_cell(rng));
        let horizon = 4 * scale;
        let outlook = world.outlook();
        let query = RouteQuery::new(from, to).with_rules(rules).with_max_cost(RouteCost::from_units(horizon));
        let Ok(arrival) = Planner::new().arrival_unaware(&outlook, &query, RouteCost::ZERO) else { continue };

        let (mut planner, mut walker) = (Planner::new(), Walker::standing(from));
        let (mut now, mut expected) = (0, None);
        while now <= horizon && expected.is_none() {
            let grid = outlook.grid_at(RouteCost::from_units(now));
            if now > 0 && !walker.revise(&grid, ticks(now), |from, to| pace.of_step(&grid, rules, from, to)) {
                let Some(cell) = grid.nearest_passable(walker.entered()) else { break };
                walker = Walker::standing(cell);
            }
            let again = RouteQuery { from: walker.entered(), ..query };
            let plan = planner.plan(&grid, &RouteQuery::new(again.from, to).with_rules(rules));
            let route = plan.map_or(Vec::new(), |plan| plan.cells().to_vec());
            let next_change =
                outlook.forecast().next_change(RouteCost::from_units(now)).map_or(u64::MAX, RouteCost::units);
            let until = next_change.min(horizon + 1);
            let mut end = None;
            let mut index = 0;
            // The times at which it decides are the ends of its steps.
            let mut at = now;
            while at < until {
                let step_end = walker.step().map_or(until, |step| (step.end.seconds() * 65536.0) as u64);
                let next = if walker.step().is_some() { step_end.min(until) } else { at };
                walker.advance(ticks(at), ticks(next), |cell| {
                    let next = *route.get(index + 1).filter(|_| route[index] == cell)?;
                    index += 1;
                    Some((next, pace.of_step(&grid, rules, cell, next)))
                });
                if walker.standing_cell() == Some(to) {
                    end = Some(next);
                    break;
                }
                if walker.step().is_none() {
                    break;
                }
                at = next;
            }
            expected = end;
            now = until;
        }
        let expected = expected.filter(|&end| end <= horizon);
        assert_eq!(arrival.map(RouteCost::units), expected, "seed {seed}, {query:?}\n{world:?}");
        arrived += u64::from(expected.is_some());
        let aware = Planner::new().plan_ahead(&outlook, &query, RouteCost::ZERO);
        if let (Some(unaware), Ok(aware)) = (arrival, aware) {
            later += u64::from(aware.arrival().is_some_and(|aware| unaware > aware));
        }
    }
    println!("{arrived} arrived, {later} later than with knowledge");
    assert!(arrived > 1000 && later > 100);
}
