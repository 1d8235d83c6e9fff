//! Routes with announced changes, against a search over all times.

mod larger_maps;
mod oracle;
mod recordings;
mod rules;

use emberwalk_path::ahead::{AheadResult, Outlook};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace, Walker};
use emberwalk_path::{EntryCost, LimitKind, MultiQuery, Planner, RouteCost, RouteQuery, StepRules};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, any_rules, planner_with_tables};
use oracle::{Announced, World};

/// A small map on which a few cells change, with times that matter for routes on it. All repeats soon, unless the world
/// may have any periods.
fn random_world(rng: &mut Rng, has_any_periods: bool, has_bounds: bool) -> (World, u64) {
    let (width, height) = *rng.choice(&[(1, 6), (7, 1), (3, 3), (4, 3), (5, 5), (6, 4), (9, 8)]).unwrap();
    let map = Map::random_of_size(rng, width, height);
    let most = u64::from(*map.units.iter().max().unwrap()).max(1 << 10);
    let tile = 1 << 18;
    // A longest time is at least a tile. Periods are not much shorter than steps.
    let (most, bounds) = match has_bounds {
        true => (most.max(tile), (rng.u64(0..tile), rng.u64(tile..4 * tile))),
        false => (most, (0, u64::MAX)),
    };
    let scale = most * rng.u64(1..6);
    let part = rng.u64(scale / 8..=scale / 4);
    let periods = if has_any_periods {
        [rng.u64(scale / 4..=scale), rng.u64(scale / 4..=scale), scale / 2, scale]
    } else {
        [part, 2 * part, 3 * part, 4 * part]
    };
    let palette: Vec<u32> = map.units.iter().copied().filter(|&units| units != 0).collect();
    let count = rng.usize(0..14);
    let announced = (0..count).map(|_| {
        let cell = map.any_cell(rng);
        let period = if rng.u8(..3) == 0 { *rng.choice(&periods).unwrap() } else { 0 };
        let at = rng.u64(0..2 * scale);
        if rng.u8(..3) == 0 {
            let units = if rng.bool() { 0 } else { rng.choice(&palette).copied().unwrap_or(1 << 10) };
            Announced::Change { cell, period, at, units }
        } else {
            Announced::Closed { cell, period, from: at, until: at + rng.u64(0..scale) }
        }
    });
    let announced = announced.collect();
    (World { map, announced, bounds }, scale)
}

/// Adds a few links.
fn link(map: &mut Map, rng: &mut Rng) {
    for _ in 0..rng.usize(1..5) {
        let (from, to) = (map.any_cell(rng), map.any_cell(rng));
        if from != to && map.links.iter().all(|&(one, other, _)| (one, other) != (from, to)) {
            let most = map.units.iter().max().copied().unwrap_or(0).max(1 << 10);
            let units = rng.u32(most / 8..=2 * most).clamp(EntryCost::MIN.units(), EntryCost::MAX.units());
            // Rounded as costs are.
            map.links.push((from, to, EntryCost::from_units(units).unwrap().units()));
        }
    }
}

/// Checks a result against the search over all times; returns whether that search has ended.
#[track_caller]
fn check(
    world: &World,
    query: &MultiQuery<'_>,
    departure: u64,
    result: &AheadResult<'_>,
    horizon: u64,
    seed: u64,
) -> bool {
    let times = world.times(query.options.rules, query.avoided, departure, horizon);
    let case = || format!("seed {seed}, {query:?}, from {departure}, {result:?}\n{world:?}");
    if let Some(route) = result.route {
        let arrival = route.last().unwrap().arrival.units();
        let walked = match arrival > horizon {
            true => world.times(query.options.rules, query.avoided, departure, arrival).walk(route),
            false => times.walk(route),
        };
        assert_eq!(walked, Ok(result.arrival().unwrap().units()), "{}", case());
        assert!(query.starts.contains(&route[0].cell) && route[0].arrival.units() == departure, "{}", case());
        assert!(query.goals.contains(&route.last().unwrap().cell), "{}", case());
    }
    let is_usable = |cell: &&Cell| times.is_passable(**cell, departure);
    let starts: Vec<Cell> = query.starts.iter().filter(is_usable).copied().collect();
    let goals: Vec<Cell> = query.goals.iter().filter(|goal| !query.avoided.contains(goal)).copied().collect();
    let Ok(earliest) = times.earliest(&starts, &goals, departure) else { return false };
    let found = result.arrival().map(RouteCost::units).filter(|&arrival| arrival <= horizon);
    assert_eq!(found, earliest, "{}", case());
    true
}

#[test]
fn arrivals_are_the_earliest() {
    let (mut exact, mut found, mut waits, mut ends, mut late) = (0, 0, 0, 0, 0);
    for seed in 0..cases(3500) {
        let rng = &mut Rng::with_seed(seed);
        let has_any_periods = rng.u8(..6) == 0;
        let has_bounds = rng.u8(..5) == 0;
        let (mut world, scale) = random_world(rng, has_any_periods, has_bounds);
        if rng.u8(..3) == 0 {
            link(&mut world.map, rng);
        }
        let cells = |rng: &mut Rng, most: usize| -> Vec<Cell> {
            let count = if rng.u8(..4) == 0 { rng.usize(1..=most) } else { 1 };
            let often_passable = |rng: &mut Rng| if rng.u8(..8) == 0 { None } else { world.map.passable_cell(rng) };
            (0..count).map(|_| often_passable(rng).unwrap_or_else(|| world.map.any_cell(rng))).collect()
        };
        let (starts, goals) = (cells(rng, 2), cells(rng, 3));
        let avoided = if rng.u8(..6) == 0 { cells(rng, 3) } else { Vec::new() };
        let departure = if rng.bool() { 0 } else { rng.u64(0..2 * scale) };
        let mut outlook = world.outlook();
        if has_bounds {
            let pace = Pace::new(CrowdTime::from_whole_seconds(4));
            let [shortest, longest] = [world.bounds.0, world.bounds.1].map(RouteCost::from_units);
            outlook = outlook.with_pace(pace.with_bounds(pace.time_of(shortest), pace.time_of(longest)));
        }
        let rules = if rng.bool() { StepRules::default() } else { any_rules(rng) };
        let mut query = MultiQuery::new(&starts, &goals).with_avoided(&avoided).with_rules(rules);
        let mut planner = if rng.bool() { planner_with_tables() } else { Planner::new() };
        if rng.bool() {
            planner.prepare(outlook.lowest(), &query.options);
        }
        let limit = rng.u64(0..4 * scale);
        // If all repeats late, there may be no proof that it never arrives.
        if has_any_periods || rng.u8(..8) == 0 {
            query = query.with_max_cost(RouteCost::from_units(limit));
        }
        let horizon = departure + if query.limits.max_cost.is_some() { limit } else { 8 * scale };
        let Ok(result) = planner.plan_ahead(&outlook, query, RouteCost::from_units(departure)) else {
            let times = world.times(rules, &avoided, departure, horizon);
            let has_start = starts.iter().any(|&start| times.is_passable(start, departure));
            let has_goal = goals.iter().any(|&goal| times.is_ever_passable(goal));
            assert!(!has_start || !has_goal, "seed {seed}, {query:?}, from {departure}\n{world:?}");
            ends += 1;
            continue;
        };
        exact += u64::from(check(&world, &query, departure, &result, horizon, seed));
        let is_proved = result.is_proved() && (query.limits.max_cost.is_some() || result.stopped_by.is_none());
        assert!(is_proved, "seed {seed}, {query:?}, from {departure}, {result:?}\n{world:?}");
        found += u64::from(result.found());
        waits += u64::from(result.waits() > RouteCost::ZERO);
        late += u64::from(result.stopped_by == Some(LimitKind::Cost));
    }
    println!("{exact} compared, {found} found, {waits} with waits, {late} too late, {ends} without ends");
    assert!(exact > cases(1800) && found > cases(1500) && waits > cases(50) && late > cases(80));
}

#[test]
fn without_changes_the_route_is_the_plain_one() {
    for seed in 0..cases(200) {
        let rng = &mut Rng::with_seed(seed);
        let map = Map::random(rng);
        let Some((from, to)) = map.passable_pair(rng) else { continue };
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

/// The walker of a crowd, which plans again at each change. An agent that knows the changes never arrives later, unless
/// the other one turns round or is put elsewhere.
#[test]
fn the_unaware_walk_as_walkers_do() {
    // A tick is a unit.
    let pace = Pace::new(CrowdTime::from_whole_seconds(4));
    let ticks = |units: u64| pace.time_of(RouteCost::from_units(units));
    let (mut arrived, mut later) = (0, 0);
    for seed in 0..cases(300) {
        let rng = &mut Rng::with_seed(seed);
        let (mut world, scale) = random_world(rng, true, false);
        let even = |units: u32| if units == 0 { 0 } else { (units >> 10).clamp(1, 64) << 10 };
        if rng.u8(..3) == 0 {
            link(&mut world.map, rng);
            // Between neighbours, a walker changes from the link to the step in the middle of it.
            world.map.links.retain(|(from, to, _)| from.distance_squared(*to) > 2);
            world.map.links.iter_mut().for_each(|(.., units)| *units = even(*units));
        }
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
        let (mut now, mut expected, mut is_pushed) = (0, None, false);
        while now <= horizon && expected.is_none() {
            let grid = outlook.grid_at(RouteCost::from_units(now));
            let entered = walker.entered();
            let goes_on = now == 0 || walker.revise(&grid, ticks(now), |from, to| pace.of_step(&grid, rules, from, to));
            is_pushed |= !goes_on || walker.entered() != entered;
            if !goes_on {
                let Some(cell) = grid.nearest_passable(walker.entered()) else { break };
                walker = Walker::standing(cell);
            }
            let plan = planner.plan(&grid, &RouteQuery::new(walker.entered(), to).with_rules(rules));
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
        let mut planner = Planner::new();
        let aware = planner.plan_ahead(&outlook, &query, RouteCost::ZERO).ok().and_then(|result| result.arrival());
        later += u64::from(arrival.zip(aware).is_some_and(|(unaware, aware)| unaware > aware));
        let is_no_later = arrival.is_none_or(|arrival| aware.is_some_and(|aware| aware <= arrival));
        assert!(is_no_later || is_pushed, "seed {seed}, {query:?}, {aware:?} for {arrival:?}\n{world:?}");
    }
    println!("{arrived} arrived, {later} later than with knowledge");
    assert!(arrived > cases(100) && later > cases(2));
}
