//! Dangers: agents follow the routes with the lowest sum of costs and dangers, at the pace of the costs alone.

use std::collections::HashMap;

use emberwalk_crowd::{AgentSettings, Crowd, CrowdEvent, Danger, OnArrival, Rest};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Link, RouteCost, StepRules};
use fastrand::Rng;

use super::checked::Game;
use super::{
    PACE, TICK, add_and_send, any_cell, crowd_on_classes, grid, kinds_of_sides, lowest_cost, random_play, seeded,
    steps_in,
};

fn tiles(tiles: f64) -> EntryCost {
    EntryCost::from_tiles(tiles).unwrap()
}

/// Random dangers: what was set, and what fades.
#[derive(Default)]
struct Dangers {
    set: HashMap<Cell, EntryCost>,
    fading: Vec<(Danger, CrowdTime)>,
}

impl Dangers {
    /// Adds some to a crowd, too.
    fn add(&mut self, crowd: &mut Crowd, lasts: CrowdTime, rng: &mut Rng) {
        let size = crowd.grid().size();
        for _ in 0..rng.usize(1..size.area() / 3 + 2) {
            let (cell, danger) = (any_cell(size, rng), (rng.u8(0..5) > 0).then(|| tiles(rng.f64() * 9.0 + 0.01)));
            assert!(crowd.set_danger(cell, danger));
            match danger {
                Some(danger) => _ = self.set.insert(cell, danger),
                None => _ = self.set.remove(&cell),
            }
        }
        for _ in 0..rng.usize(0..3) {
            let danger = Danger::new(any_cell(size, rng), rng.u32(0..6), tiles(rng.f64() * 20.0 + 0.01), lasts);
            assert!(crowd.add_danger(danger));
            self.fading.push((danger, crowd.now()));
        }
    }

    /// The danger of a cell at a time, in units.
    fn units(&self, cell: Cell, now: CrowdTime) -> u64 {
        let fading = self.fading.iter().map(|(danger, since)| danger.cost_in(cell, now - *since).units());
        self.set.get(&cell).map_or(0, |set| u64::from(set.units())) + fading.sum::<u64>()
    }

    /// A grid with them.
    fn with(&self, grid: &CostGrid, now: CrowdTime) -> CostGrid {
        let mut with = grid.clone();
        for cell in grid.size().cells() {
            with.set(cell, grid.get(cell).map(|cost| sum(cost, self.units(cell, now))));
        }
        for Link { from, to, cost } in grid.links() {
            with.add_link(from, to, sum(cost, self.units(to, now)));
        }
        with
    }
}

fn sum(cost: EntryCost, danger: u64) -> EntryCost {
    let most = u64::from(EntryCost::MAX.units());
    EntryCost::from_units((u64::from(cost.units()) + danger).min(most) as u32).unwrap()
}

/// Adds some links to a grid.
fn link(grid: &mut CostGrid, rng: &mut Rng) {
    for _ in 0..rng.u8(0..4) {
        let [from, to] = [(); 2].map(|()| any_cell(grid.size(), rng));
        grid.add_link(from, to, tiles(rng.f64() * 6.0 + 0.01));
    }
}

fn cost_along(grid: &CostGrid, rules: StepRules, cells: &[Cell]) -> RouteCost {
    cells.windows(2).map(|pair| rules.step_cost(grid, pair[0], pair[1]).unwrap()).sum()
}

#[test]
fn an_agent_follows_the_route_with_the_lowest_cost_and_danger() {
    let mut detours = 0;
    for (seed, mut rng) in seeded(300) {
        let Some(play) = random_play(&mut rng) else { continue };
        let (mut start, rules) = (play.crowd.grid().clone(), play.crowd.rules());
        link(&mut start, &mut rng);
        let size = start.size();
        let mut game = Game::with_rules(start.clone(), rules, &[], OnArrival::Stay);
        let crowd = &mut game.crowd;
        let mut dangers = Dangers::default();
        dangers.add(crowd, CrowdTime::NEVER, &mut rng);
        let (from, to) = (any_cell(size, &mut rng), any_cell(size, &mut rng));
        let Ok(agent) = crowd.add(from) else { continue };
        crowd.send(agent, to, OnArrival::Stay);
        let with = dangers.with(&start, CrowdTime::ZERO);
        assert!(size.cells().all(|cell| crowd.grid_with_danger(0).unwrap().get(cell) == with.get(cell)));
        let Some(lowest) = lowest_cost(&with, rules, from, to) else { continue };
        let planned = crowd.route(agent);
        assert_eq!(cost_along(&with, rules, &planned).units(), lowest, "seed {seed}: the route");
        let cost = cost_along(&start, rules, &planned);
        let rest = crowd.remaining(agent).unwrap();
        assert_eq!((rest.cost, rest.time), (cost, PACE.time_of(cost)), "seed {seed}");
        // The times of the steps follow from the costs alone.
        game.run_and_check(200.0, &format!("seed {seed}"));
        let cells: Vec<_> = std::iter::once(from).chain(steps_in(&game.log).map(|(_, step)| step.to)).collect();
        assert_eq!(cost_along(&with, rules, &cells).units(), lowest, "seed {seed}: the route");
        detours +=
            usize::from(cost_along(&start, rules, &cells).units() > lowest_cost(&start, rules, from, to).unwrap());
    }
    assert!(detours > 50, "{detours}");
}

/// Two floors with stairs at both ends of them; something waits at the end of the nearer ones.
#[test]
fn what_waits_at_the_end_of_a_link_counts_as_by_a_step() {
    let floors = || {
        let mut floors = grid(&["..........", "##########", ".........."]);
        for x in [2, 7] {
            floors.add_link(Cell::new(x, 0), Cell::new(x, 2), tiles(1.0));
        }
        Crowd::new(floors, StepRules::default(), PACE)
    };
    let (from, to, end) = (Cell::new(0, 0), Cell::new(0, 2), Cell::new(2, 2));
    let stairs =
        |crowd: &Crowd, agent| crowd.route(agent).windows(2).find(|pair| pair[0].y != pair[1].y).map(|pair| pair[0].x);
    let mut crowd = floors();
    let agent = add_and_send(&mut crowd, from, to);
    assert_eq!(stairs(&crowd, agent), Some(2));
    // The route from the other stairs does not pass the fire.
    crowd.send(agent, Cell::new(4, 2), OnArrival::Stay);
    crowd.set_danger(end, Some(tiles(50.0)));
    crowd.advance(CrowdTime::SECOND.divided_by(8));
    assert_eq!(stairs(&crowd, agent), Some(7), "a fire");
    assert_eq!(crowd.remaining(agent).unwrap().cost.tiles(), 10.0, "after a step, as long as without the fire");
    crowd.set_danger(end, None);
    crowd.advance(CrowdTime::SECOND.divided_by(8));
    assert_eq!(stairs(&crowd, agent), Some(2), "no fire");
    // Stairs that are built later, and a fire that burns already.
    crowd.set_danger(Cell::new(1, 2), Some(tiles(50.0)));
    crowd.add_link(Cell::new(1, 0), Cell::new(1, 2), tiles(1.0));
    crowd.advance(CrowdTime::SECOND.divided_by(8));
    assert_eq!(stairs(&crowd, agent), Some(2), "new stairs");

    let mut crowd = floors();
    let guard = crowd.add(end).unwrap();
    crowd.hold(guard);
    let agent = add_and_send(&mut crowd, from, Cell::new(4, 2));
    crowd.advance(CrowdTime::from_whole_seconds(20));
    assert!(crowd.state(agent).unwrap().has_arrived, "a guard");
}

/// On a large map agents follow routes of their own. The same is asked after dangers have changed on the way.
#[test]
fn an_own_route_has_the_lowest_cost_and_danger() {
    for (seed, mut rng) in seeded(6) {
        let size = Size::new(100, 100);
        let cost =
            |_| if rng.u8(0..5) == 0 { None } else { EntryCost::from_tiles([1.0, 1.0, 3.0][rng.usize(0..3)]).ok() };
        let mut start = CostGrid::from_fn(size, Diagonal::GAME, cost).unwrap();
        link(&mut start, &mut rng);
        let rules = StepRules::default();
        let mut game = Game::with_orders(start.clone(), &[]);
        let [from, to] = [3, 95].map(|x| start.nearest_passable(Cell::new(x, 50)).unwrap());
        let mut dangers = Dangers::default();
        dangers.add(&mut game.crowd, CrowdTime::from_seconds(1000.0), &mut rng);
        let agent = add_and_send(&mut game.crowd, from, to);
        for _ in 0..3 {
            game.advance_until(game.crowd.now() + CrowdTime::from_whole_seconds(4), TICK);
            let route = game.crowd.route(agent);
            let with = dangers.with(&start, game.crowd.now());
            let Some(lowest) = lowest_cost(&with, rules, route[0], to) else { panic!("seed {seed}") };
            assert_eq!(cost_along(&with, rules, &route).units(), lowest, "seed {seed}");
            dangers.add(&mut game.crowd, CrowdTime::from_seconds(1000.0), &mut rng);
        }
        game.check(&format!("seed {seed}"));
    }
}

#[test]
fn crowds_among_changing_dangers_arrive_without_a_conflict() {
    for (seed, mut rng) in seeded(60) {
        let Some(mut play) = random_play(&mut rng) else { continue };
        let mut dangers = Dangers::default();
        for _ in 0..20 {
            dangers.add(&mut play.crowd, CrowdTime::from_seconds(rng.f64() * 5.0), &mut rng);
            play.advance(rng.f64());
            for cell in play.crowd.grid().size().cells() {
                assert_eq!(play.crowd.danger(0, cell).units(), dangers.units(cell, play.crowd.now()), "seed {seed}");
            }
        }
        play.run_and_check(600.0, &format!("seed {seed}"));
    }
}

#[test]
fn danger_of_blocked_cells_changes_no_move() {
    for seed in 0..30 {
        let logs = [false, true].map(|has_danger| {
            let Some(mut play) = random_play(&mut Rng::with_seed(seed)) else { return Vec::new() };
            let blocked: Vec<_> =
                play.crowd.grid().size().cells().filter(|&cell| !play.crowd.grid().is_passable(cell)).collect();
            for &cell in blocked.iter().filter(|_| has_danger) {
                assert!(play.crowd.set_danger(cell, Some(EntryCost::MAX)));
            }
            play.advance(20.0);
            play.log.retain(|event| !matches!(event, CrowdEvent::DangerChanged { .. }));
            play.log
        });
        assert!(logs[0] == logs[1], "seed {seed}");
    }
}

/// How finely time passes, copies and pauses change nothing.
#[test]
fn dangers_fade_at_exact_times() {
    let mut crowd = Crowd::new(grid(&["..........", "..........", ".........."]), StepRules::default(), PACE);
    let [at, beside] = [Cell::new(4, 1), Cell::new(5, 1)];
    // Ninths of this duration are no whole times.
    let lasts = CrowdTime::from_seconds(1.0 / 3.0);
    crowd.advance(CrowdTime::from_seconds(0.77));
    crowd.add_danger(Danger::new(at, 1, tiles(8.0), lasts));
    crowd.add_danger(Danger::new(beside, 0, tiles(1.0), CrowdTime::NEVER));
    crowd.advance(CrowdTime::ZERO);
    let begun = crowd.now();
    let mut other = crowd.clone();
    let mut seen = Vec::new();
    while crowd.now() - begun < CrowdTime::from_seconds(0.5) {
        let after = crowd.now() - begun;
        let parts = (after.seconds() * 8.0 / lasts.seconds()).floor().min(8.0);
        assert_eq!(crowd.danger(0, at).tiles(), 8.0 - parts, "{after} s");
        assert_eq!(crowd.danger(0, beside).tiles(), (8.0 - parts) * 0.75 + 1.0, "{after} s");
        let events = crowd.advance(CrowdTime::SECOND.divided_by(512));
        seen.extend(events.iter().map(|event| event.time()));
    }
    assert_eq!(seen.len(), 8, "one event each time");
    other.advance(crowd.now() - begun);
    assert_eq!(crowd.state_hash(), other.state_hash());
    assert_eq!(crowd.danger(0, beside).tiles(), 1.0, "it never ends");
}

#[test]
fn the_hash_tells_dangers_apart() {
    let with = |change: &dyn Fn(&mut Crowd)| {
        let mut crowd = Crowd::new(grid(&["....."]), StepRules::default(), PACE);
        change(&mut crowd);
        crowd.state_hash()
    };
    let (at, fire) = (Cell::new(2, 0), Danger::new(Cell::new(2, 0), 1, tiles(2.0), CrowdTime::SECOND));
    let hashes = [
        with(&|_| {}),
        with(&|crowd| _ = crowd.set_danger(at, Some(tiles(1.0)))),
        with(&|crowd| _ = crowd.set_danger(at, Some(tiles(2.0)))),
        with(&|crowd| _ = crowd.add_danger(fire)),
        with(&|crowd| (0..2).for_each(|_| _ = crowd.add_danger(fire))),
    ];
    assert!(hashes.iter().enumerate().all(|(k, hash)| !hashes[..k].contains(hash)));
    let taken_back = with(&|crowd| {
        crowd.set_danger(at, Some(tiles(1.0)));
        crowd.set_danger(at, None);
    });
    assert_eq!(taken_back, hashes[0]);
    let over = |lasts: f64| {
        with(&|crowd| {
            crowd.add_danger(Danger::new(at, 1, tiles(2.0), CrowdTime::from_seconds(lasts)));
            crowd.advance(CrowdTime::from_seconds(5.0));
        })
    };
    assert_eq!(over(1.0), with(&|crowd| _ = crowd.advance(CrowdTime::from_seconds(5.0))));
}

#[test]
fn one_kind_knows_a_danger_that_another_does_not() {
    let grids = [grid(&["........."; 3]), grid(&["........."; 3])];
    let mut crowd = Crowd::with_grids(grids, StepRules::default(), PACE).unwrap();
    for x in 3..6 {
        assert!(crowd.set_danger_for(1, Cell::new(x, 1), Some(tiles(9.0))));
    }
    assert!(!crowd.set_danger_for(2, Cell::new(3, 1), None), "there is no such kind");
    assert!(!crowd.add_danger(Danger::new(Cell::new(3, 1), 1, tiles(1.0), CrowdTime::SECOND).for_kind(2)));
    let routes = [0, 1].map(|kind| {
        let agent = crowd.add_with(Cell::new(0, 1), AgentSettings::new().with_kind(kind)).unwrap();
        crowd.send(agent, Cell::new(8, 1), OnArrival::Stay);
        let route = crowd.route(agent);
        crowd.remove(agent);
        route.contains(&Cell::new(4, 1))
    });
    assert_eq!(routes, [true, false]);
}

/// The danger of a large agent is the largest one of its square, also where the map changes.
#[test]
fn large_agents_keep_away_from_each_cell_of_their_square() {
    let mut rng = Rng::with_seed(7);
    let size = Size::new(12, 9);
    let mut crowd = crowd_on_classes(size, kinds_of_sides([1, 2, 3]), |_| 0);
    let mut dangers = Dangers::default();
    for _ in 0..100 {
        if rng.bool() {
            dangers.add(&mut crowd, CrowdTime::SECOND, &mut rng);
        }
        crowd.set_class(any_cell(size, &mut rng), rng.u8(0..2));
        crowd.advance(CrowdTime::from_seconds(rng.f64() * 0.3));
        for (kind, costs) in crowd.grids().enumerate() {
            for place in size.cells() {
                let square = Size::new(kind as u32 + 1, kind as u32 + 1).cells().map(|cell| place + (cell.x, cell.y));
                let danger = square.map(|cell| dangers.units(cell, crowd.now())).max().unwrap();
                let expected = costs.get(place).map(|cost| sum(cost, danger));
                assert_eq!(crowd.grid_with_danger(kind).unwrap().get(place), expected, "kind {kind} in {place}");
            }
        }
    }
}

#[test]
fn dangers_at_all_bounds_do_no_harm() {
    let start = grid(&[".....", ".#.#.", "....."]);
    let mut game = Game::with_orders(start.clone(), &[]);
    let agent = game.add(0, 1);
    let crowd = &mut game.crowd;
    let fire = |at, cells, lasts| Danger::new(at, cells, EntryCost::MAX, lasts);
    for off in [Cell::new(-1, 0), Cell::new(0, 3), Cell::new(i32::MIN, i32::MAX)] {
        assert!(!crowd.set_danger(off, Some(EntryCost::MAX)));
        assert!(!crowd.add_danger(fire(off, u32::MAX, CrowdTime::SECOND)));
        assert_eq!(crowd.danger(0, off), RouteCost::ZERO);
        assert_eq!(
            fire(off, u32::MAX, CrowdTime::NEVER).cost_in(Cell::new(i32::MAX, i32::MIN), CrowdTime::NEVER).units(),
            0
        );
    }
    assert_eq!(crowd.danger(9, Cell::new(0, 0)), RouteCost::ZERO);
    assert!(crowd.grid_with_danger(1).is_none() && crowd.shared_grid_with_danger(1).is_none());
    // Under an agent, on blocked cells, at the highest costs, and for all times.
    start.size().cells().for_each(|cell| assert!(crowd.set_danger(cell, Some(EntryCost::MAX))));
    let lasts = [CrowdTime::ZERO, CrowdTime::from_seconds(1e-5), CrowdTime::SECOND, CrowdTime::NEVER];
    for k in 0..4000 {
        assert!(crowd.add_danger(fire(Cell::new(k % 5, 0), k as u32, lasts[k as usize % 4])));
    }
    assert_eq!(crowd.grid_with_danger(0).unwrap().get(Cell::new(1, 1)), None, "blocked cells stay blocked");
    assert_eq!(crowd.grid_with_danger(0).unwrap().get(Cell::new(2, 1)), Some(EntryCost::MAX));
    crowd.send(agent, Cell::new(4, 1), OnArrival::Stay);
    assert!(game.run(20.0));
    let Rest { cost, .. } = game.crowd.remaining(agent).unwrap();
    assert_eq!(cost, RouteCost::ZERO);
}

#[test]
fn a_danger_never_waits_for_agents() {
    let mut crowd = Crowd::new(grid(&["....."]), StepRules::default(), Pace::default());
    let agent = add_and_send(&mut crowd, Cell::new(0, 0), Cell::new(4, 0));
    crowd.advance(CrowdTime::from_seconds(0.5));
    for x in 0..5 {
        crowd.set_danger(Cell::new(x, 0), Some(tiles(50.0)));
    }
    assert_eq!(crowd.waiting_edits().count(), 0);
    assert_eq!(crowd.danger(0, Cell::new(1, 0)).tiles(), 50.0);
    crowd.advance(CrowdTime::from_seconds(3.5));
    assert!(crowd.state(agent).unwrap().has_arrived, "at the same time as without it");
}
