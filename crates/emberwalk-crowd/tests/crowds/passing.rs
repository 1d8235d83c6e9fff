//! Agents that pass through all others: they walk along cheapest routes, and nobody notices them.

use std::collections::HashMap;

use emberwalk_crowd::{AgentId, AgentSettings, Announced, Crowd, CrowdEvent, Goal, Itinerary, OnArrival, WaitsFor};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace, Step, Walker};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
use fastrand::Rng;

use super::checked::{CheckedCrowd, Game};
use super::{TICK, any_cell, arrivals, check_ticks_of_any_length, grid, lowest_cost, open, seconds, seeded};

const PASSING: AgentSettings = AgentSettings::new().passing();

/// A map with walls and terrain of several costs.
fn random_grid(random: &mut Rng, size: Size) -> CostGrid {
    let cost = |_: Cell| match random.u8(..8) {
        0 => None,
        1 => Some(EntryCost::from_tiles(3.0).unwrap()),
        2 => Some(EntryCost::from_tiles(1.5).unwrap()),
        _ => Some(EntryCost::TILE),
    };
    CostGrid::from_fn(size, Diagonal::GAME, cost).unwrap()
}

#[test]
fn they_pass_each_other_and_agents_that_stand_in_a_corridor() {
    let mut crowd = CheckedCrowd::on(grid(&["....."]));
    let [west, east] = [0, 4].map(|x| Cell::new(x, 0));
    let guard = crowd.add(Cell::new(2, 0)).unwrap();
    crowd.hold(guard);
    let one = crowd.add_with(west, PASSING).unwrap();
    let other = crowd.add_with(east, PASSING).unwrap();
    let third = crowd.add_with(Cell::new(2, 0), PASSING).unwrap();
    crowd.send(one, east, OnArrival::Stay);
    crowd.send(other, west, OnArrival::Leave);
    crowd.send(third, east, OnArrival::Stay);
    let events = crowd.advance(seconds(6.0)).to_vec();
    let times: Vec<_> = arrivals(&events).into_iter().map(|(agent, at, time)| (agent, at, time.seconds())).collect();
    assert_eq!(times, [(third, east, 2.0), (one, east, 4.0), (other, west, 4.0)]);
    assert_eq!(crowd.agent_at(Cell::new(2, 0)), Some(guard));
    assert_eq!(crowd.agent_at(east), None, "they take no cell");
    assert!(crowd.state(other).is_none(), "it has left");
}

#[test]
fn they_take_cheapest_routes_on_small_and_on_large_maps_with_links_and_kinds() {
    for (seed, mut random) in seeded(24) {
        // From about 90 x 90 cells on, each plans a route of its own.
        let size = if seed % 4 == 0 { Size::new(100, 96) } else { Size::new(17, 13) };
        let mut grids = [random_grid(&mut random, size), random_grid(&mut random, size)];
        let cell = |random: &mut Rng| any_cell(size, random);
        for grid in &mut grids {
            let (from, to) = (cell(&mut random), cell(&mut random));
            grid.add_link(from, to, EntryCost::from_tiles(2.0).unwrap());
        }
        let crowd = Crowd::with_grids(grids.clone(), StepRules::default(), Pace::default()).unwrap();
        let mut crowd = CheckedCrowd::from(crowd);
        let mut wanted = HashMap::new();
        for k in 0..6 {
            let (kind, from, to) = (k % 2, cell(&mut random), cell(&mut random));
            let Ok(agent) = crowd.add_with(from, PASSING.with_kind(kind)) else { continue };
            crowd.send(agent, to, OnArrival::Stay);
            let cost = lowest_cost(&grids[kind], StepRules::default(), from, to);
            let passable = grids[kind].is_passable(to);
            wanted.insert(agent, cost.filter(|_| passable));
            let stops = crowd.stops(agent);
            assert_eq!(stops.is_empty(), wanted[&agent].is_none(), "seed {seed}");
        }
        let last: HashMap<_, _> =
            wanted.keys().filter_map(|&agent| Some((agent, crowd.stops(agent).last()?.arrival))).collect();
        let events = crowd.advance(seconds(280.0)).to_vec();
        crowd.check(&format!("seed {seed}"));
        let arrived: HashMap<_, _> = arrivals(&events).into_iter().map(|(agent, _, time)| (agent, time)).collect();
        for (agent, cost) in wanted {
            assert_eq!(arrived.get(&agent), last.get(&agent), "seed {seed}, agent {agent}: the times that were told");
            let off_by = |cost: u64| {
                let wanted = Pace::default().time_of(emberwalk_path::RouteCost::from_units(cost)).seconds();
                (arrived[&agent].seconds() - wanted).abs()
            };
            // The time of each step is rounded.
            assert!(cost.is_none_or(|cost| off_by(cost) < 0.02), "seed {seed}, agent {agent}: {cost:?}");
        }
    }
}

/// The same orders and edits in every crowd of a seed.
fn play(seed: u64, passing: usize, tick: CrowdTime, reloads: bool) -> (Game, Vec<AgentId>) {
    let mut random = Rng::with_seed(seed);
    let size = Size::new(14, 11);
    let start = random_grid(&mut random, size);
    let mut game = Game::new(&start);
    let crowd = &mut game.crowd;
    let cell = |random: &mut Rng| any_cell(size, random);
    let solid: Vec<_> = (0..12).filter_map(|_| crowd.add(cell(&mut random)).ok()).collect();
    let (mut others, mut random_clones) = (Rng::with_seed(seed + 1000), Rng::with_seed(seed));
    let passing: Vec<_> = (0..passing).filter_map(|_| crowd.add_with(cell(&mut others), PASSING).ok()).collect();
    for second in 0..40_u32 {
        let crowd = &mut game.crowd;
        for &agent in &solid {
            if random.u8(..4) == 0 {
                crowd.send(agent, cell(&mut random), OnArrival::Stay);
            }
        }
        for &agent in &passing {
            match others.u8(..12) {
                0..4 => crowd.send(agent, cell(&mut others), OnArrival::Stay),
                4 => crowd.send(agent, Goal::Follow(passing[others.usize(..passing.len())]), OnArrival::Stay),
                5 => crowd.then(agent, cell(&mut others), OnArrival::Stay),
                6 => crowd.patrol(agent, [cell(&mut others), cell(&mut others)]),
                7 => crowd.hold(agent),
                8 => crowd.set_pace(agent, if others.bool() { Pace::STILL } else { Pace::default() }),
                _ => {}
            }
        }
        for _ in 0..2 {
            let cost = (random.u8(..3) > 0).then_some(EntryCost::from_tiles(random.u8(1..4).into()).unwrap());
            crowd.set(cell(&mut random), cost);
        }
        if random.u8(..3) == 0 {
            let at = crowd.now() + seconds(f64::from(random.u8(1..20)) / 4.0);
            let cost = random.bool().then_some(EntryCost::TILE);
            let change = Announced::cost(cell(&mut random), cost, at);
            let every = if random.u8(..3) == 0 { seconds(5.0) } else { CrowdTime::ZERO };
            crowd.announce(change.every(every));
        }
        if second % 11 == 10 {
            let cells: Vec<_> = crowd.announced().map(|announced| announced.cell).collect();
            cells.into_iter().for_each(|cell| crowd.forget_announced(cell));
        }
        if second % 7 == 3 {
            crowd.send_group(&passing, cell(&mut others));
        }
        let end = CrowdTime::from_whole_seconds(second + 1);
        while game.crowd.now() < end {
            game.advance_by(tick.min(end - game.crowd.now()));
            if reloads && random_clones.u8(..3) == 0 {
                *game.crowd = game.crowd.clone();
            }
        }
        #[cfg(feature = "serde")]
        if reloads {
            *game.crowd = super::reloaded(&game.crowd);
        }
    }
    game.check(&format!("seed {seed}"));
    (game, passing)
}

fn agent_of(event: &CrowdEvent) -> Option<AgentId> {
    match *event {
        CrowdEvent::Added { agent, .. }
        | CrowdEvent::Passes { agent, .. }
        | CrowdEvent::PaceSet { agent, .. }
        | CrowdEvent::Step { agent, .. }
        | CrowdEvent::StepChanged { agent, .. }
        | CrowdEvent::Arrived { agent, .. }
        | CrowdEvent::SetOut { agent, .. }
        | CrowdEvent::Unreachable { agent, .. }
        | CrowdEvent::Reachable { agent, .. }
        | CrowdEvent::Stuck { agent, .. }
        | CrowdEvent::Left { agent, .. } => Some(agent),
        _ => None,
    }
}

#[test]
fn nobody_notices_them_whatever_they_do() {
    for seed in 0..30 {
        let (alone, _) = play(seed, 0, TICK, false);
        let (mut beside, passing) = play(seed, 9, TICK, false);
        beside.log.retain(|event| agent_of(event).is_none_or(|agent| !passing.contains(&agent)));
        assert_eq!(alone.log, beside.log, "seed {seed}");
    }
}

#[test]
fn they_make_the_same_moves_at_every_frame_rate_and_when_they_are_saved_and_loaded() {
    for seed in 0..20 {
        check_ticks_of_any_length(&format!("seed {seed}"), |tick| {
            let reloads = tick > TICK && tick < CrowdTime::SECOND;
            play(seed, 9, tick, reloads).0.into_log_and_hash()
        });
    }
}

#[test]
fn they_turn_back_from_a_new_wall_and_take_another_route() {
    let mut crowd = CheckedCrowd::on(grid(&["...", "...", "..."]));
    let [here, wall, there] = [0, 1, 2].map(|x| Cell::new(x, 1));
    let agent = crowd.add_with(here, PASSING).unwrap();
    crowd.send(agent, there, OnArrival::Stay);
    crowd.advance(seconds(0.75));
    assert_eq!(crowd.state(agent).unwrap().cell, wall);
    crowd.set(wall, None);
    assert!(!crowd.grid().is_passable(wall), "no edit waits for it");
    crowd.advance(seconds(0.25));
    let step = crowd.state(agent).unwrap().step.unwrap();
    assert_eq!((step.from, step.to, step.end.seconds()), (wall, here, 1.5));
    let events = crowd.advance(seconds(9.0)).to_vec();
    let around = 2.0 * std::f64::consts::SQRT_2;
    let (_, at, time) = arrivals(&events)[0];
    assert_eq!(at, there);
    assert!(time.seconds() < 1.5 + 1.0 + around + 0.2, "{time:?}");
}

#[test]
fn an_agent_that_is_walled_in_is_put_beside_the_wall_and_keeps_its_goal() {
    let mut crowd = CheckedCrowd::on(grid(&["....."]));
    let agent = crowd.add_with(Cell::new(1, 0), PASSING).unwrap();
    crowd.send(agent, Cell::new(4, 0), OnArrival::Stay);
    crowd.advance(seconds(0.25));
    for x in [1, 2] {
        crowd.set(Cell::new(x, 0), None);
    }
    let events = crowd.advance(seconds(9.0)).to_vec();
    // Both of its cells are blocked.
    assert!(arrivals(&events).iter().any(|&(_, at, _)| at == Cell::new(4, 0)) || crowd.waiting(agent).is_some());
    assert!(crowd.grid().is_passable(crowd.state(agent).unwrap().cell));
}

#[test]
fn they_wait_for_a_route_and_notice_soon_when_one_opens() {
    let mut crowd = CheckedCrowd::on(grid(&["..#.."]));
    let agent = crowd.add_with(Cell::new(0, 0), PASSING).unwrap();
    crowd.send(agent, Cell::new(4, 0), OnArrival::Stay);
    let events = crowd.advance(seconds(0.5));
    assert!(events.iter().any(|event| matches!(event, CrowdEvent::Unreachable { .. })));
    assert_eq!(crowd.waiting(agent).unwrap().on, Some(WaitsFor::Route));
    crowd.set(Cell::new(2, 0), Some(EntryCost::TILE));
    let events = crowd.advance(seconds(0.1));
    assert!(events.iter().any(|event| matches!(event, CrowdEvent::Reachable { .. })), "{events:?}");
    crowd.advance(seconds(5.0));
    assert!(crowd.state(agent).unwrap().has_arrived);
}

#[test]
fn an_agent_that_is_put_on_the_map_in_the_middle_of_a_step_continues_it() {
    let mut crowd = CheckedCrowd::on(grid(&["....."]));
    crowd.advance(seconds(0.75));
    let [start, end] = [0.0, 1.0].map(seconds);
    let step = Step { from: Cell::new(1, 0), to: Cell::new(2, 0), start, end };
    let agent = crowd.add_walker(&Walker::stepping(step, false), AgentSettings::new()).unwrap();
    crowd.send(agent, Cell::new(4, 0), OnArrival::Stay);
    assert_eq!((crowd.state(agent).unwrap().cell, crowd.state(agent).unwrap().step), (step.to, Some(step)));
    let events = crowd.advance(seconds(9.0)).to_vec();
    assert_eq!(arrivals(&events)[0].2.seconds(), 3.0);
    let off = Step { to: Cell::new(-1, 0), ..step };
    assert!(crowd.add_walker(&Walker::stepping(off, false), AgentSettings::new()).is_err());
}

#[test]
fn a_group_of_both_sorts_gets_a_place_for_each() {
    let mut crowd = CheckedCrowd::on(open(20, 15));
    let solid = (0..4).map(|y| crowd.add(Cell::new(0, y)).unwrap()).collect::<Vec<_>>();
    let passing = (0..4).map(|_| crowd.add_with(Cell::new(0, 1), PASSING).unwrap()).collect::<Vec<_>>();
    let group: Vec<_> = solid.into_iter().chain(passing).collect();
    crowd.send_group(&group, Cell::new(14, 7));
    crowd.advance(seconds(40.0));
    let mut cells: Vec<_> = group.iter().map(|&agent| crowd.state(agent).unwrap().cell).collect();
    assert!(group.iter().all(|&agent| crowd.state(agent).unwrap().has_arrived));
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), group.len(), "{cells:?}");
}

#[test]
fn they_wait_in_front_of_a_gate_that_opens_if_the_detour_takes_longer() {
    // Through the gate it is 8 tiles, and round the wall 14.
    let map = ["...#...", ".......", "...#...", "...#...", "...#...", "......."];
    let gate = Cell::new(3, 1);
    for (opens, through) in [(4.0, true), (30.0, false)] {
        let mut land = grid(&map);
        land.set(gate, None);
        let mut crowd = CheckedCrowd::on(land);
        let agent = crowd.add_with(Cell::new(1, 1), PASSING).unwrap();
        crowd.announce(Announced::cost(gate, Some(EntryCost::TILE), seconds(opens)));
        crowd.send(agent, Cell::new(5, 1), OnArrival::Stay);
        let stops = crowd.stops(agent);
        assert_eq!(stops.iter().any(|stop| stop.cell == gate), through);
        assert_eq!(crowd.route(agent), stops.iter().map(|stop| stop.cell).collect::<Vec<_>>());
        crowd.advance(seconds(3.0));
        let waits = crowd.waiting(agent).map(|wait| wait.on);
        assert_eq!(waits, through.then_some(Some(WaitsFor::Opening)));
        let events = crowd.advance(seconds(20.0)).to_vec();
        let late = arrivals(&events)[0].2 - stops.last().unwrap().arrival;
        assert!(late < seconds(0.01), "{late:?}");
    }
}

#[test]
fn they_arrive_when_they_were_told_whatever_is_announced() {
    let mut waits = 0;
    for (seed, mut random) in seeded(150) {
        let size = Size::new(12, 9);
        let mut crowd = CheckedCrowd::on(random_grid(&mut random, size));
        let cell = |random: &mut Rng| any_cell(size, random);
        for _ in 0..30 {
            let cost = random.bool().then_some(EntryCost::from_tiles(random.u8(1..4).into()).unwrap());
            crowd.announce(Announced::cost(cell(&mut random), cost, seconds(f64::from(random.u8(4..80)) / 4.0)));
        }
        let agents: Vec<_> = (0..4).filter_map(|_| crowd.add_with(cell(&mut random), PASSING).ok()).collect();
        for &agent in &agents {
            crowd.send(agent, cell(&mut random), OnArrival::Stay);
        }
        let told: Vec<_> = agents.iter().map(|&agent| crowd.stops(agent)).collect();
        waits += told.iter().flatten().filter(|stop| stop.departure > stop.arrival).count();
        let events = crowd.advance(seconds(78.0)).to_vec();
        crowd.check(&format!("seed {seed}"));
        let arrived = arrivals(&events);
        for (agent, stops) in agents.into_iter().zip(told) {
            // If no route is left when it comes there, it walks as if nothing was announced, until it is told.
            let is_lost =
                |event: &CrowdEvent| matches!(*event, CrowdEvent::Unreachable { agent: lost, .. } if lost == agent);
            let Some(last) = stops.last().filter(|_| !events.iter().any(is_lost)) else { continue };
            let time = arrived.iter().find(|arrived| arrived.0 == agent).map(|arrived| arrived.2);
            let off_by = time.map(|time| (time.seconds() - last.arrival.seconds()).abs());
            assert!(off_by.is_some_and(|off_by| off_by < 0.05), "seed {seed}, agent {agent}: {off_by:?}");
        }
    }
    assert!(waits > 5, "{waits}");
}

#[test]
fn an_enclosed_agent_walks_when_the_walls_are_taken_away() {
    let mut crowd = CheckedCrowd::on(grid(&["......#.."]));
    let enclosed = crowd.add_with(Cell::new(8, 0), PASSING).unwrap();
    crowd.send(enclosed, Cell::new(0, 0), OnArrival::Stay);
    crowd.set(Cell::new(7, 0), None);
    crowd.advance(seconds(5.0));
    assert_eq!(crowd.state(enclosed).unwrap().cell, Cell::new(8, 0));
    (6..8).for_each(|x| _ = crowd.set(Cell::new(x, 0), Some(EntryCost::TILE)));
    crowd.advance(seconds(11.0));
    assert!(crowd.state(enclosed).unwrap().has_arrived, "{:?} {:?}", crowd.state(enclosed), crowd.waiting(enclosed));
}

/// Each of them gets its order alone.
#[test]
fn agents_that_come_one_after_the_other_to_the_goal_of_a_group_stand_apart() {
    let mut crowd = CheckedCrowd::on(open(20, 9));
    let agents: Vec<_> = (0..9).map(|y| crowd.add_with(Cell::new(0, y), PASSING).unwrap()).collect();
    for &agent in &agents {
        crowd.send_group(&[agent], Cell::new(15, 4));
        crowd.advance(seconds(1.0));
    }
    crowd.advance(seconds(30.0));
    let mut cells: Vec<_> = agents.iter().map(|&agent| crowd.state(agent).unwrap().cell).collect();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 9, "{cells:?}");
}

#[test]
fn an_itinerary_is_followed_to_the_last_tick_as_far_as_its_steps_are_possible() {
    let mut crowd = CheckedCrowd::on(grid(&[".....", "....."]));
    let cell = |x, y| Cell::new(x, y);
    let guard = crowd.add(cell(2, 0)).unwrap();
    assert!(!crowd.walk(guard, Itinerary::new([cell(2, 0), cell(3, 0)])), "it does not pass");
    let agent = crowd.add_with(cell(0, 0), PASSING).unwrap();
    // It makes a long detour through the guard, and waits where it has no reason to.
    let route = [(0, 0), (1, 1), (2, 0), (3, 0), (3, 1), (4, 1)].map(Cell::from);
    let until = seconds(4.0) + CrowdTime::from_ticks(3);
    assert!(crowd.walk(agent, Itinerary::new(route).with_waits([(2, until), (1, seconds(0.5))])));
    let diagonal = Pace::default().of_step(crowd.grid(), crowd.rules(), route[0], route[1]);
    let stops: Vec<_> = crowd.stops(agent).into_iter().map(|stop| (stop.cell, stop.arrival, stop.departure)).collect();
    let two = diagonal + diagonal;
    assert_eq!(
        stops[..3],
        [(route[0], CrowdTime::ZERO, CrowdTime::ZERO), (route[1], diagonal, diagonal), (route[2], two, until)]
    );
    assert_eq!(crowd.remaining(agent).unwrap().time, until + seconds(3.0));
    crowd.advance(seconds(1.5));
    assert_eq!(crowd.itinerary(agent).unwrap().ahead(), &route[2..]);
    // It stands at a wall without looking for another route, and goes on when the wall is gone.
    crowd.set(route[4], None);
    crowd.advance(seconds(5.0));
    let state = crowd.state(agent).unwrap();
    assert_eq!((state.cell, state.step, state.goal), (route[3], None, None));
    crowd.set(route[4], Some(EntryCost::TILE));
    crowd.advance(seconds(0.25));
    assert_eq!(crowd.state(agent).unwrap().step.unwrap().start, seconds(6.5));
    // A wall in the cell that it enters: it turns back, and stands.
    crowd.set(route[4], None);
    crowd.advance(seconds(3.0));
    crowd.set(route[4], Some(EntryCost::TILE));
    crowd.advance(seconds(3.0));
    assert_eq!(crowd.state(agent).unwrap().cell, route[3], "the route does not begin here");
    let (before, now) = (crowd.itinerary(agent).cloned().unwrap(), crowd.now());
    crowd.walk(agent, Itinerary::new(&route[3..]));
    let events = crowd.advance(seconds(9.0)).to_vec();
    assert_eq!(before.ahead(), &route[4..]);
    assert_eq!(arrivals(&events), [(agent, route[5], now + seconds(2.0))]);
    assert_eq!(crowd.itinerary(agent).unwrap().ahead(), &route[5..]);
    crowd.set(route[0], None);
    assert_eq!(arrivals(crowd.advance(seconds(1.0))), [], "it is told once");
}

#[test]
fn a_crowd_in_which_all_pass_keeps_nothing_for_each_cell() {
    let mut crowd = CheckedCrowd::on(open(1000, 1000));
    let agent = crowd.add_with(Cell::new(0, 0), PASSING).unwrap();
    crowd.walk(agent, Itinerary::new([0, 1, 2].map(|x| Cell::new(x, 0))));
    crowd.advance(seconds(1.5));
    assert!(crowd.clone().bytes_beside(None) < 1000);
    crowd.add(Cell::new(9, 9)).unwrap();
    assert!(crowd.clone().bytes_beside(None) > 1_000_000);
}

#[test]
fn other_orders_end_an_itinerary() {
    let route = [0, 1, 2, 3].map(|x| Cell::new(x, 0));
    let orders: [fn(&mut Crowd, AgentId); 2] =
        [Crowd::stop, |crowd, agent| crowd.send(agent, Cell::new(0, 0), OnArrival::Stay)];
    for order in orders {
        let mut crowd = CheckedCrowd::on(grid(&["....."]));
        let agent = crowd.add_with(route[0], PASSING).unwrap();
        crowd.walk(agent, Itinerary::new(route));
        crowd.advance(seconds(0.5));
        order(&mut crowd, agent);
        crowd.advance(seconds(9.0));
        assert!(crowd.state(agent).unwrap().cell.x < 2);
        assert_eq!(crowd.itinerary(agent), None);
    }
}

#[cfg(feature = "serde")]
#[test]
fn an_itinerary_is_saved_and_decides_the_hash() {
    let route = [0, 1, 2, 3].map(|x| Cell::new(x, 0));
    let mut one = CheckedCrowd::on(grid(&["....."]));
    let agent = one.add_with(route[0], PASSING).unwrap();
    one.walk(agent, Itinerary::new(route).with_waits([(2, seconds(7.0))]));
    one.advance(seconds(1.25));
    let mut other = super::reloaded(&one);
    assert_eq!(one.stops(agent), other.stops(agent));
    assert_eq!(one.advance(seconds(9.0)), other.advance(seconds(9.0)));
    let mut third = other.clone();
    let itinerary = |until| Itinerary::new([route[3], route[2]]).with_waits([(0, seconds(until))]);
    other.walk(agent, itinerary(11.0));
    third.walk(agent, itinerary(12.0));
    assert_ne!(other.state_hash(), third.state_hash());
}
