//! Goals about other agents that move: in range, in sight, and away from them.

use emberwalk_crowd::{AgentId, AgentSettings, Crowd, CrowdEvent, Goal, OnArrival, WaitsFor};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Moves, RouteCost, StepRules};
use fastrand::Rng;

use super::checked::Game;
use super::orders::{both, on_both};
use super::{
    add_and_send, any_cell, arrivals, check_ticks_of_any_length, count, grid, lowest_costs, open, open_where, seeded,
    steps_in, unreachable,
};

const STAY: OnArrival = OnArrival::Stay;

/// A pace of so many tiles per second.
fn pace(tiles: u32) -> Pace {
    Pace::new(CrowdTime::SECOND.divided_by(tiles))
}

/// With and without a budget, on a small and a large map. The logs have different paces, so they are checked here.
fn play(grid: &CostGrid, test: impl Fn(&mut Game)) {
    for grid in both(grid) {
        for budget in [u64::MAX, 300] {
            let mut game = Game::new(&grid);
            game.crowd.set_search_budget(budget);
            test(&mut game);
        }
    }
}

fn add(game: &mut Game, x: i32, y: i32, tiles: u32) -> AgentId {
    let agent = game.add(x, y);
    game.crowd.set_pace(agent, pace(tiles));
    agent
}

fn distance(game: &Game, one: AgentId, other: AgentId) -> i64 {
    game.cell(one).distance_squared(game.cell(other))
}

fn lost(game: &Game, of: AgentId) -> usize {
    count(&game.log, |event| matches!(event, CrowdEvent::Unreachable { agent, .. } if *agent == of))
}

fn steps_of(agent: AgentId, log: &[CrowdEvent]) -> impl Iterator<Item = Step> {
    steps_in(log).filter(move |&(other, _)| other == agent).map(|(_, step)| step)
}

fn has_arrived(game: &Game, agent: AgentId) -> bool {
    game.state(agent).has_arrived
}

/// Of each of the three sorts.
fn goal_about(other: AgentId, sort: usize, cells: u32) -> Goal {
    match sort {
        0 => Goal::InRange { of: other, cells },
        1 => Goal::InSight { of: other, cells },
        _ => Goal::Flee { from: other, cells },
    }
}

#[test]
fn a_hunter_keeps_its_prey_in_range() {
    play(&open(60, 9), |game| {
        let (prey, hunter) = (add(game, 10, 4, 1), add(game, 0, 4, 3));
        game.crowd.send(hunter, Goal::InRange { of: prey, cells: 4 }, STAY);
        game.advance(5.0);
        assert_eq!(game.arrivals(hunter), [Cell::new(6, 4)]);
        // In range it stays where it is.
        for x in [8, 10] {
            game.crowd.send(prey, Cell::new(x, 4), STAY);
            game.advance(4.0);
            assert!(has_arrived(game, hunter));
        }
        assert_eq!(game.arrivals(hunter), [Cell::new(6, 4)]);
        game.crowd.send(prey, Cell::new(45, 4), STAY);
        for _ in 0..40 {
            game.advance(1.0);
            assert!(distance(game, hunter, prey) <= 6 * 6);
        }
        assert!(has_arrived(game, hunter) && distance(game, hunter, prey) <= 4 * 4);
        let arrivals = game.arrivals(hunter).len();
        assert!(arrivals > 2);
        game.advance(5.0);
        assert_eq!(game.arrivals(hunter).len(), arrivals);
        assert_eq!(lost(game, hunter), 0);
    });
}

/// The other one comes to it: it has arrived as soon as that is in range, in the middle of its route.
#[test]
fn a_hunter_stops_when_its_prey_comes_into_range() {
    play(&open(60, 9), |game| {
        let (prey, hunter) = (add(game, 40, 4, 8), add(game, 0, 4, 1));
        game.crowd.send(hunter, Goal::InRange { of: prey, cells: 4 }, STAY);
        game.advance(2.0);
        game.crowd.send(prey, Cell::new(9, 4), STAY);
        let mut cell = Cell::new(0, 0);
        for _ in 0..200 {
            game.advance(0.05);
            if distance(game, hunter, prey) > 4 * 4 {
                cell = game.state(hunter).step.map_or(game.cell(hunter), |step| step.to);
            }
        }
        let arrivals = game.arrivals(hunter);
        assert!(arrivals.len() == 1 && arrivals[0].distance_squared(cell) <= 1, "{arrivals:?}, not {cell}");
    });
}

/// It does not stop where its prey was in range a moment ago.
#[test]
fn a_hunter_does_not_stop_before_its_prey_is_in_range() {
    for mut game in on_both(&open(60, 3)) {
        let (prey, hunter) = (add(&mut game, 8, 1, 2), add(&mut game, 0, 1, 4));
        game.crowd.send(prey, Cell::new(58, 1), STAY);
        game.crowd.send(hunter, Goal::InRange { of: prey, cells: 3 }, STAY);
        while game.arrivals(hunter).is_empty() {
            game.advance(0.05);
        }
        let steps: Vec<_> = steps_of(hunter, &game.log).collect();
        assert!(steps.len() > 8 && steps.windows(2).all(|pair| pair[0].end == pair[1].start), "{steps:?}");
    }
}

/// An agent that has come where the other agent was in range a moment ago has not arrived.
#[test]
fn a_hunter_arrives_only_where_its_prey_is_in_range() {
    for cells in [3, 6] {
        play(&open(60, 9), |game| {
            let (prey, hunter) = (add(game, 8, 4, 3), add(game, 0, 4, 3));
            let home = Cell::new(0, 8);
            game.crowd.send(hunter, Goal::InRange { of: prey, cells }, STAY);
            game.crowd.then(hunter, home, STAY);
            game.crowd.send(prey, Cell::new(50, 4), STAY);
            let (mut was_there, mut arrived) = (game.cell(prey), 0);
            for _ in 0..1500 {
                let before = game.log.len();
                game.advance(0.02);
                let there = game.cell(prey);
                for (agent, at, _) in arrivals(&game.log[before..]) {
                    if agent == hunter && at != home {
                        let nearest = at.distance_squared(was_there).min(at.distance_squared(there));
                        assert!(nearest <= i64::from(cells * cells), "{at}, {there}");
                        arrived += 1;
                    } else if agent == hunter {
                        game.crowd.send(hunter, Goal::InRange { of: prey, cells }, STAY);
                        game.crowd.then(hunter, home, STAY);
                    }
                }
                if has_arrived(game, hunter) && game.cell(hunter) != home {
                    assert!(distance(game, hunter, prey) <= i64::from(cells * cells));
                }
                was_there = there;
            }
            assert!(arrived > 0);
        });
    }
}

#[test]
fn a_wall_counts_for_a_standing_archer_and_for_a_coming_one() {
    play(&open(20, 9), |game| {
        let target = game.add(15, 4);
        let archers = [(9, 4), (0, 4)].map(|(x, y)| add(game, x, y, 2));
        for archer in archers {
            game.crowd.send(archer, Goal::InSight { of: target, cells: 6 }, STAY);
        }
        game.advance(2.0);
        assert_eq!(game.arrivals(archers[0]), [Cell::new(9, 4)]);
        let wall = (Cell::new(12, 2), Size::new(1, 5));
        game.crowd.set_area(wall.0, wall.1, None);
        game.advance(12.0);
        for archer in archers {
            assert!(has_arrived(game, archer));
            let at = game.cell(archer);
            assert!(at.sees(Cell::new(15, 4), |cell| !game.crowd.grid().is_passable(cell)), "{at}");
        }
        assert_eq!(archers.map(|archer| game.arrivals(archer).len()), [2, 1]);
        // Without the wall they still see it, and stay.
        game.crowd.set_area(wall.0, wall.1, Some(EntryCost::TILE));
        game.advance(3.0);
        assert_eq!(archers.map(|archer| game.arrivals(archer).len()), [2, 1]);
    });
}

/// An agent that is reported as arrived has its target in range, and it comes back without a rest.
#[test]
fn an_archer_that_others_push_out_of_range_comes_back_immediately() {
    play(&grid(&["##.#################", "....................", "####.###############"]), |game| {
        let deer = game.add(9, 1);
        let archer = game.add_and_send(2, 1, Goal::InRange { of: deer, cells: 5 });
        game.advance(4.0);
        assert_eq!(game.arrivals(archer), [Cell::new(4, 1)]);
        game.add_and_send(0, 1, Cell::new(12, 1));
        let (mut was_near, mut out) = (true, 0);
        for _ in 0..300 {
            game.advance(0.05);
            let is_near = distance(game, archer, deer) <= 25;
            out += usize::from(was_near && !is_near);
            was_near = is_near;
            assert!(is_near || !has_arrived(game, archer));
        }
        assert!(has_arrived(game, archer));
        assert!(out > 0);
        assert_eq!(game.arrivals(archer).len(), 1 + out);
    });
}

/// An agent that is pushed from cell to cell in range has arrived once.
#[test]
fn an_archer_that_is_pushed_within_range_stays_there() {
    play(&open(30, 5), |game| {
        let target = game.add(20, 2);
        let archer = game.add_and_send(12, 2, Goal::InRange { of: target, cells: 9 });
        game.advance(2.0);
        for y in 0..5 {
            game.add_and_send(2, y, Cell::new(24, y));
        }
        game.advance(40.0);
        assert!(has_arrived(game, archer) && distance(game, archer, target) <= 81);
        assert_eq!(game.arrivals(archer).len(), 1);
    });
}

#[test]
fn a_sheep_flees_when_a_wolf_comes_nearer() {
    play(&open(40, 1), |game| {
        let (wolf, sheep) = (add(game, 0, 0, 1), add(game, 10, 0, 3));
        game.crowd.send(sheep, Goal::Flee { from: wolf, cells: 6 }, STAY);
        game.advance(1.0);
        assert_eq!(game.arrivals(sheep), [Cell::new(10, 0)], "it is far enough away");
        game.crowd.send(wolf, Cell::new(25, 0), STAY);
        for _ in 0..300 {
            game.advance(0.1);
            assert!(!has_arrived(game, sheep) || distance(game, sheep, wolf) >= 36);
            assert!(distance(game, sheep, wolf) >= 4 * 4, "{} {}", game.cell(sheep), game.cell(wolf));
        }
        assert!(has_arrived(game, sheep) && distance(game, sheep, wolf) >= 36);
        assert_eq!(lost(game, sheep), 0);
    });
}

/// The only cells that are far enough away are behind the wolf: it runs into the dead end, and stays there.
#[test]
fn a_sheep_in_a_corridor_does_not_run_past_the_wolf() {
    for follows in [false, true] {
        play(&open(30, 1), |game| {
            let (sheep, wolf) = (add(game, 4, 0, 2), add(game, 7, 0, 2));
            if follows {
                game.crowd.send(wolf, Goal::Follow(sheep), STAY);
            }
            game.crowd.send(sheep, Goal::Flee { from: wolf, cells: 10 }, STAY);
            game.advance(20.0);
            assert_eq!(game.cell(sheep), Cell::new(0, 0));
            assert!(has_arrived(game, sheep));
            assert_eq!(game.arrivals(sheep), [Cell::new(0, 0)]);
            assert_eq!(steps_of(sheep, &game.log).count(), 4, "straight to the end");
        });
    }
}

/// On the other side of the wolf a route out would be open.
#[test]
fn a_sheep_with_two_routes_takes_the_route_that_the_wolf_does_not_reach_first() {
    let map = grid(&[
        "####################",
        "#..................#",
        "#.########.#########",
        "#.########.#########",
        "#..........#########",
        "####.###############",
        "####.###############",
        "####.###############",
    ]);
    // The corridor in the north leads farther away, but the wolf is at its door first.
    for (cells, at, is_far_enough) in [(5, Cell::new(1, 4), true), (7, Cell::new(1, 1), false)] {
        play(&map, |game| {
            let (wolf, sheep) = (game.add(6, 4), game.add(4, 4));
            game.crowd.send(sheep, Goal::Flee { from: wolf, cells }, STAY);
            game.advance(30.0);
            assert_eq!((game.arrivals(sheep), has_arrived(game, sheep)), (vec![at], true));
            assert_eq!(distance(game, sheep, wolf) >= i64::from(cells).pow(2), is_far_enough);
        });
    }
}

/// The cheapest routes to all cells that are far enough away lead past the wolf; a route that does not is longer.
#[test]
fn a_sheep_takes_the_longer_route_that_is_safe() {
    let map = grid(&[
        "#########",
        "#.......#",
        "#.#####.#",
        "#.#####.#",
        "#.......#",
        "###.#.###",
        "###.#.###",
        "###...###",
        "#########",
    ]);
    play(&map, |game| {
        let (wolf, sheep) = (game.add(4, 7), game.add(5, 4));
        game.crowd.send(sheep, Goal::Flee { from: wolf, cells: 6 }, STAY);
        game.advance(30.0);
        assert!(has_arrived(game, sheep) && game.cell(sheep).y == 1, "{}", game.cell(sheep));
    });
}

/// A wolf that follows: no step of the sheep leads nearer to where the wolf is.
#[test]
fn a_sheep_never_runs_at_a_wolf_that_follows_it() {
    let mut steps = 0;
    for (seed, mut rng) in seeded(12) {
        let map = open_where(Size::new(24, 18), |_| rng.u8(0..5) > 0);
        for budget in [u64::MAX, 500] {
            let mut game = Game::new(&map);
            game.crowd.set_search_budget(budget);
            let free: Vec<_> = map.size().cells().filter(|&cell| map.is_passable(cell)).collect();
            let cell = |rng: &mut Rng| free[rng.usize(0..free.len())];
            let sheep = game.crowd.add(cell(&mut rng)).unwrap();
            let Ok(wolf) = game.crowd.add(cell(&mut rng)) else { continue };
            game.crowd.set_pace(wolf, Pace::new(CrowdTime::from_seconds(1.3)));
            game.crowd.send(sheep, Goal::Flee { from: wolf, cells: 7 }, STAY);
            game.crowd.send(wolf, Goal::Follow(sheep), STAY);
            let mut towards = 0;
            for _ in 0..1500 {
                let there = game.cell(wolf);
                let before = game.log.len();
                game.advance(0.04);
                for step in steps_of(sheep, &game.log[before..]) {
                    steps += 1;
                    let [from, to] = [step.from, step.to].map(|cell| cell.distance_squared(there));
                    // What it has seen may be a second old.
                    towards += usize::from(to < from && from <= 9);
                }
            }
            assert!(towards <= 3, "seed {seed}: {towards} steps");
        }
    }
    assert!(steps > 200, "{steps}");
}

/// It is told so once, and stays where it is.
#[test]
fn nobody_pursues_an_agent_that_is_gone() {
    play(&open(30, 12), |game| {
        let other = game.add(15, 6);
        let goals = [(0, 2), (1, 2), (2, 14)].map(|(sort, cells)| goal_about(other, sort, cells));
        let send = |game: &mut Game, x: i32, y: i32| -> Vec<_> {
            (y..).zip(&goals).map(|(y, goal)| game.add_and_send(x, y, goal.clone())).collect()
        };
        let agents = send(game, 5, 0);
        game.advance(24.0);
        agents.iter().for_each(|&agent| assert_eq!(game.arrivals(agent).len(), 1));
        game.crowd.remove(other);
        let late = send(game, 10, 9);
        let cells: Vec<_> = agents.iter().chain(&late).map(|&agent| game.cell(agent)).collect();
        game.advance(5.0);
        for (&agent, &cell) in agents.iter().chain(&late).zip(&cells) {
            assert_eq!((lost(game, agent), game.cell(agent), has_arrived(game, agent)), (1, cell, false));
        }
        // Its id means no other agent.
        game.add(15, 6);
        game.advance(5.0);
        assert!(agents.iter().all(|&agent| !has_arrived(game, agent)));
    });
}

#[test]
fn an_agent_is_in_range_of_itself_and_cannot_flee_from_itself() {
    play(&open(9, 9), |game| {
        let agents = [0, 2, 4].map(|y| game.add(0, y));
        for (k, &agent) in agents.iter().enumerate() {
            game.crowd.send(agent, goal_about(agent, k, 3), STAY);
        }
        game.advance(5.0);
        assert_eq!(agents.map(|agent| (game.arrivals(agent).len(), lost(game, agent))), [(1, 0), (1, 0), (0, 1)]);
    });
}

#[test]
fn such_goals_are_queued_and_patrolled() {
    play(&open(40, 9), |game| {
        let enemy = game.add(20, 4);
        let (agent, sentry) = (add(game, 8, 4, 4), add(game, 8, 6, 4));
        let home = Cell::new(0, 0);
        game.crowd.then(agent, Goal::InRange { of: enemy, cells: 3 }, STAY);
        game.crowd.then(agent, Goal::Flee { from: enemy, cells: 10 }, STAY);
        game.crowd.then(agent, home, STAY);
        game.crowd.then(agent, Goal::InSight { of: enemy, cells: 5 }, OnArrival::Leave);
        game.crowd.patrol(sentry, [Goal::InRange { of: enemy, cells: 3 }, Goal::Flee { from: enemy, cells: 10 }]);
        game.advance(40.0);
        let arrivals = game.arrivals(agent);
        let there = Cell::new(20, 4);
        let squares: Vec<_> = arrivals.iter().map(|at| at.distance_squared(there)).collect();
        assert!(arrivals.len() == 4 && arrivals[2] == home, "{arrivals:?}");
        assert!(squares[0] <= 9 && squares[1] >= 100 && squares[3] <= 25, "{arrivals:?}");
        assert!(game.crowd.state(agent).is_none(), "it has left");
        let rounds = game.arrivals(sentry);
        assert!(rounds.len() > 8, "{rounds:?}");
        for (k, at) in rounds.iter().enumerate() {
            let square = at.distance_squared(there);
            assert!(if k % 2 == 0 { square <= 9 } else { square >= 100 }, "{rounds:?}");
        }
    });
}

#[test]
fn a_repeated_order_changes_nothing() {
    for k in 0..3 {
        play(&open(40, 30), |game| {
            let mut logs = Vec::new();
            for repeats in [false, true] {
                let mut crowd = game.crowd.clone();
                let [agent, other] = [(6, 6), (10, 9)].map(|(x, y)| crowd.add(Cell::new(x, y)).unwrap());
                let goal = goal_about(other, k, [2, 2, 100][k]);
                crowd.send(agent, goal.clone(), STAY);
                crowd.send(other, Cell::new(30, 20), STAY);
                let mut log = Vec::new();
                for _ in 0..200 {
                    log.extend_from_slice(crowd.advance(CrowdTime::SECOND.divided_by(10)));
                    if repeats && !crowd.state(agent).unwrap().has_arrived {
                        crowd.send(agent, goal.clone(), STAY);
                    }
                }
                logs.push(log);
            }
            assert_eq!(logs[0], logs[1]);
        });
    }
}

/// A crowd in which each agent hunts another or flees from it.
fn hunters(seed: u64, budget: u64) -> (Crowd, Vec<AgentId>) {
    let mut rng = Rng::with_seed(seed);
    let size = if seed.is_multiple_of(2) { Size::new(30, 20) } else { Size::new(110, 90) };
    let grid = open_where(size, |_| rng.u8(0..5) > 0);
    let mut crowd = Crowd::new(grid, StepRules::default(), pace(3));
    crowd.set_search_budget(budget);
    let mut agents = Vec::new();
    while agents.len() < 24 {
        let cell = Cell::new(rng.i32(0..30), rng.i32(0..20));
        agents.extend(crowd.add_with(cell, AgentSettings::new().with_pace(pace(rng.u32(1..5)))).ok());
    }
    (crowd, agents)
}

/// Gives two random orders, and makes an edit.
fn interfere(crowd: &mut Crowd, agents: &[AgentId], rng: &mut Rng) {
    let cell = Cell::new(rng.i32(0..30), rng.i32(0..20));
    for _ in 0..2 {
        let [agent, of] = [0, 1].map(|_| agents[rng.usize(0..agents.len())]);
        let cells = rng.u32(0..12);
        match rng.u8(0..6) {
            0 => crowd.send(agent, cell, STAY),
            1 => crowd.send(agent, Goal::InRange { of, cells }, STAY),
            2 => crowd.send(agent, Goal::InSight { of, cells }, STAY),
            3 => crowd.then(agent, Goal::Flee { from: of, cells }, STAY),
            4 => crowd.send(agent, Goal::Flee { from: of, cells }, STAY),
            _ => crowd.send(agent, Goal::Near(cell), STAY),
        }
    }
    match rng.u8(0..4) {
        0 => _ = crowd.set(cell, None),
        1 => _ = crowd.set(cell, Some(EntryCost::TILE)),
        2 if rng.u8(0..9) == 0 => crowd.remove(agents[rng.usize(0..agents.len())]),
        _ => {}
    }
}

#[test]
fn everybody_moves_in_the_same_way_with_ticks_of_any_length() {
    for (seed, budget) in (0..8).flat_map(|seed| [(seed, u64::MAX), (seed, 400)]) {
        check_ticks_of_any_length(&format!("seed {seed}, budget {budget}"), |tick| {
            let (crowd, agents) = hunters(seed, budget);
            let (mut game, mut rng) = (Game::of(crowd), Rng::with_seed(seed));
            for second in 1..40 {
                interfere(&mut game.crowd, &agents, &mut rng);
                game.advance_until(CrowdTime::from_whole_seconds(second), tick);
            }
            game.into_log_and_hash()
        });
    }
}

/// What an agent has seen decides, so that it is saved and in the hash.
#[cfg(feature = "serde")]
#[test]
fn saved_hunters_go_on_as_before() {
    for seed in 0..8 {
        let (mut crowd, agents) = hunters(seed, if seed < 4 { u64::MAX } else { 400 });
        let mut rng = Rng::with_seed(seed);
        for _ in 0..10 {
            interfere(&mut crowd, &agents, &mut rng);
            crowd.advance(CrowdTime::from_seconds(rng.f64() * 1.5));
            let mut loaded = super::reloaded(&crowd);
            let mut copy = crowd.clone();
            let mut other = rng.clone();
            for _ in 0..2 {
                let mut same = other.clone();
                interfere(&mut copy, &agents, &mut other);
                interfere(&mut loaded, &agents, &mut same);
                let tick = CrowdTime::from_seconds(1.2);
                assert_eq!(copy.advance(tick), loaded.advance(tick), "seed {seed}");
                assert_eq!(copy.state_hash(), loaded.state_hash(), "seed {seed}");
            }
        }
    }
}

/// Agents alone with another one that stands still: everything that can be reached is looked at.
#[test]
fn agents_go_where_looking_at_every_cell_says() {
    const SIZE: Size = Size::new(14, 11);
    let mut counts = [[0; 2]; 3];
    for (seed, mut rng) in seeded(1200) {
        let blocked = rng.f64() * 0.45;
        let classes: Vec<u8> = SIZE.cells().map(|_| if rng.f64() < blocked { 0 } else { rng.u8(1..5) }).collect();
        let tiles = [[0.0, 1.0, 1.0, 3.0, 0.0], [0.0, 1.0, 0.5, 0.0, 1.0]];
        let kinds =
            tiles.map(|tiles| AgentKind::from_fn(|class| EntryCost::from_tiles(*tiles.get(usize::from(class))?).ok()));
        let class = |cell: Cell| classes[SIZE.index(cell).unwrap()];
        let grid = ClassGrid::from_fn(SIZE, Diagonal::GAME, kinds, class).unwrap();
        let rules = StepRules::default().with_moves([Moves::Eight, Moves::Four, Moves::Six][rng.usize(0..3)]);
        let mut crowd = Crowd::with_kinds(grid, rules, pace(4)).unwrap();
        let grids: Vec<_> = crowd.grids().cloned().collect();
        let mut add = |rng: &mut Rng| {
            let cell = any_cell(SIZE, rng);
            let kind = rng.usize(0..2);
            let settings = AgentSettings::new().with_kind(kind).with_pace(pace(rng.u32(2..6)));
            Some((crowd.add_with(cell, settings).ok()?, cell, kind, settings.pace.unwrap()))
        };
        let (Some((agent, here, kind, own)), Some((other, there, its_kind, its))) = (add(&mut rng), add(&mut rng))
        else {
            continue;
        };
        let sort = rng.usize(0..3);
        let cells = rng.u32(0..12);
        let limit = i64::from(cells).pow(2);
        let goal = goal_about(other, sort, cells);
        let what = format!("seed {seed}: {here} to {there} by {goal:?}");
        crowd.hold(other);
        crowd.send(agent, goal, STAY);
        let log = crowd.advance(CrowdTime::from_seconds(60.0)).to_vec();
        let state = crowd.state(agent).unwrap();
        let at = state.cell;
        let route: Vec<_> = std::iter::once(here).chain(steps_of(agent, &log).map(|step| step.to)).collect();
        let arrivals = arrivals(&log).into_iter().filter(|&(it, ..)| it == agent).count();
        let lost = unreachable(&log);
        let hides = |cell: Cell| !grids.iter().any(|grid| grid.is_passable(cell));
        let square = |cell: Cell| cell.distance_squared(there);
        if sort < 2 {
            let is_goal = |cell: Cell| square(cell) <= limit && (sort == 0 || cell.sees(there, hides));
            let costs = lowest_costs(&grids[kind], rules, here, |_, _| true);
            let ends = costs.into_iter().map(|(cell, cost)| (cost, cell)).filter(|&(_, cell)| is_goal(cell));
            // The other one does not make room.
            let best = ends.filter(|&(_, cell)| cell != there || cells == 0).min();
            match best {
                Some((_, cell)) if cell == there => assert_eq!(arrivals, 0, "{what}"),
                Some((best, _)) => {
                    assert!(state.has_arrived && is_goal(at), "{what}: in {at}");
                    let steps =
                        route.windows(2).map(|pair| rules.step_cost(&grids[kind], pair[0], pair[1]).unwrap().units());
                    let cost: u64 = steps.sum();
                    assert_eq!((cost, arrivals, lost), (best, 1, 0), "{what}: in {at}");
                }
                None => assert_eq!((at, arrivals, lost), (here, 0, 1), "{what}"),
            }
            counts[sort][usize::from(best.is_some())] += 1;
            continue;
        }
        // No other cells are looked at.
        let reach = cells as i32 + 2;
        let is_near = |cell: Cell| (cell.x - there.x).abs().max((cell.y - there.y).abs()) <= reach;
        if square(here) >= limit {
            assert_eq!((at, arrivals), (here, 1), "{what}");
            continue;
        }
        let chased = lowest_costs(&grids[its_kind], rules, there, |cell, _| is_near(cell));
        let time = |pace: Pace, cost: u64| pace.time_of(RouteCost::from_units(cost));
        let is_safe = |cell: Cell, cost: u64| {
            let comes_first = || chased.get(&cell).is_none_or(|&its_cost| time(own, cost) < time(its, its_cost));
            is_near(cell) && square(cell) >= square(here) && comes_first()
        };
        let safe = lowest_costs(&grids[kind], rules, here, is_safe);
        let farthest = safe.into_keys().map(square).max().unwrap();
        assert!(state.has_arrived && square(at) >= farthest.min(limit), "{what}: in {at}");
        assert_eq!((arrivals, lost), (1, 0), "{what}: in {at}");
        assert!(route.iter().all(|&cell| square(cell) >= square(here)), "{what}: {route:?}");
        counts[2][usize::from(farthest >= limit)] += 1;
    }
    assert!(counts.as_flattened().iter().all(|count| *count > 15), "{counts:?}");
}

/// The searches of fleeing agents are paid from the budget.
#[test]
fn many_sheep_wait_for_their_turns() {
    let mut crowd = Crowd::new(open(200, 200), StepRules::default(), pace(3));
    crowd.set_search_budget(2000);
    let wolf = crowd.add(Cell::new(100, 100)).unwrap();
    let goal = Goal::Flee { from: wolf, cells: 40 };
    let sheep: Vec<_> = (80..120).map(|x| add_and_send(&mut crowd, Cell::new(x, 104), goal.clone())).collect();
    crowd.advance(CrowdTime::from_whole_seconds(2));
    let waits = |&agent: &AgentId| crowd.waiting(agent).is_some_and(|wait| wait.on == Some(WaitsFor::Search));
    assert!(sheep.iter().any(waits), "some still wait");
    crowd.advance(CrowdTime::from_seconds(120.0));
    for agent in sheep {
        let state = crowd.state(agent).unwrap();
        assert!(state.has_arrived && state.cell.distance_squared(Cell::new(100, 100)) >= 1600);
    }
}
