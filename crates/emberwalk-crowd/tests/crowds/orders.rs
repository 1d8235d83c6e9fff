//! Orders: goals of several cells, following, queues, patrols, holding, groups, and what agents wait for.

use std::collections::HashSet;

use emberwalk_crowd::{CrowdEvent, Goal, OnArrival, WaitsFor};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, EntryCost};
use fastrand::Rng;

use super::checked::Game;
use super::{arrivals, count, enlarged, grid, open, open_where, seeded, steps_in, stuck, unreachable};

/// On a small map, where agents share fields, and on a large one, where they follow routes of their own.
pub(super) fn both(grid: &CostGrid) -> [CostGrid; 2] {
    [grid.clone(), enlarged(grid)]
}

pub(super) fn on_both(grid: &CostGrid) -> [Game; 2] {
    both(grid).map(|grid| Game::new(&grid))
}

#[test]
fn the_nearest_of_several_cells_is_the_goal() {
    for mut game in on_both(&open(20, 9)) {
        let agent = game.add(0, 4);
        // A blocked one and one off the map do not count.
        game.crowd.set(Cell::new(2, 4), None);
        let goals = [(19, 4), (6, 0), (2, 4), (-3, 4)].map(Cell::from);
        game.crowd.send(agent, Goal::AnyOf(goals.to_vec()), OnArrival::Stay);
        game.advance(30.0);
        assert_eq!(game.arrivals(agent), [goals[1]]);
        // The blocked one becomes free, and is nearer.
        game.crowd.send(agent, Goal::AnyOf(vec![goals[0], goals[2]]), OnArrival::Stay);
        game.crowd.set(Cell::new(2, 4), Some(EntryCost::TILE));
        game.advance(30.0);
        assert_eq!(game.cell(agent), goals[2]);
    }
}

#[test]
fn several_agents_take_several_goals() {
    for mut game in on_both(&open(20, 9)) {
        let goals = [(12, 3), (13, 3), (12, 4), (13, 4)].map(Cell::from);
        let agents = [0, 1, 2, 3].map(|y| game.add_and_send(0, y, Goal::AnyOf(goals.to_vec())));
        game.advance(60.0);
        assert!(agents.iter().all(|&agent| goals.contains(&game.cell(agent)) && game.state(agent).has_arrived));
    }
}

#[test]
fn a_goal_can_be_beside_a_blocked_cell() {
    for mut game in on_both(&open(12, 9)) {
        let tree = Cell::new(8, 4);
        game.crowd.set(tree, None);
        let agent = game.add_and_send(0, 4, Goal::Beside(tree));
        game.advance(20.0);
        assert_eq!(game.cell(agent), Cell::new(7, 4));
    }
}

#[test]
fn an_agent_follows_another_one() {
    for mut game in on_both(&open(30, 30)) {
        let (dog, walker) = (game.add(0, 0), game.add(5, 5));
        game.crowd.send(dog, Goal::Follow(walker), OnArrival::Stay);
        game.advance(10.0);
        let distance = |game: &Game| game.cell(dog).distance_squared(game.cell(walker));
        assert!(distance(&game) <= 2);
        let arrivals = game.arrivals(dog).len();
        game.advance(20.0);
        assert_eq!(game.arrivals(dog).len(), arrivals, "it does not arrive again while it stands there");
        game.crowd.send(walker, Cell::new(25, 20), OnArrival::Stay);
        game.advance(40.0);
        assert_eq!(game.cell(walker), Cell::new(25, 20));
        assert!(distance(&game) <= 2);
        // Nobody is left to follow.
        game.crowd.remove(walker);
        game.advance(5.0);
        assert!(!game.state(dog).has_arrived);
    }
}

/// An agent that has come where the other agent was has not arrived yet, and its later orders wait.
#[test]
fn a_follower_arrives_beside_the_agent_that_it_follows_wherever_that_has_gone() {
    let (mut reunions, mut rounds) = (0, 0);
    for (seed, mut rng) in seeded(8) {
        for mut game in on_both(&open(24, 18)) {
            let [dog, walker] = [game.add(2, 2), game.add(rng.i32(8..16), rng.i32(8..16))];
            for agent in [dog, walker] {
                game.crowd.set_pace(agent, Pace::new(CrowdTime::from_seconds(0.2 + rng.f64() / 2.0)));
            }
            game.crowd.send(dog, Goal::Follow(walker), OnArrival::Stay);
            let home = Cell::new(0, 0);
            game.crowd.then(dog, home, OnArrival::Stay);
            let mut is_following = true;
            for _ in 0..4000 {
                if rng.u8(0..90) == 0 {
                    let at = game.cell(walker);
                    let to = at + (rng.i32(-3..4), rng.i32(-3..4));
                    game.crowd.send(walker, Cell::new(to.x.clamp(1, 22), to.y.clamp(1, 16)), OnArrival::Stay);
                }
                let before = game.log.len();
                // No change of a cell is missed: the longest duration that is not divided further.
                game.advance_by(CrowdTime::SECOND.divided_by(50));
                for (agent, at, time) in arrivals(&game.log[before..]) {
                    if agent != dog {
                        continue;
                    }
                    if !is_following {
                        assert_eq!(at, home, "seed {seed}");
                        rounds += 1;
                        game.crowd.send(dog, Goal::Follow(walker), OnArrival::Stay);
                        game.crowd.then(dog, home, OnArrival::Stay);
                        is_following = true;
                        continue;
                    }
                    let mut steps = steps_in(&game.log).rev();
                    let last = steps.find(|(agent, step)| *agent == walker && step.middle() <= time);
                    let there = last.map_or_else(|| game.cell(walker), |(_, step)| step.to);
                    assert!(at.distance_squared(there) <= 2, "seed {seed}: {at} at {time}, and the other in {there}");
                    reunions += 1;
                    is_following = false;
                }
                let state = game.state(dog);
                if is_following && state.has_arrived {
                    assert!(state.cell.distance_squared(game.cell(walker)) <= 2, "seed {seed}");
                }
            }
        }
    }
    assert!(reunions > 40 && rounds > 20, "{reunions} reunions and {rounds} rounds");
}

/// It goes on without a stop, is told once that no route leads to any of several targets, and arrives again.
#[test]
fn an_agent_is_redirected_by_the_order_that_it_has() {
    let grid = open_where(Size::new(40, 9), |cell| cell.x != 30);
    for budget in [u64::MAX, 200] {
        let mut game = Game::new(&grid);
        game.crowd.set_search_budget(budget);
        let agent = game.add(0, 4);
        let row = |x: i32| vec![Cell::new(x, 4), Cell::new(x, 5)];
        game.crowd.redirect(agent, row(5));
        assert_eq!(game.state(agent).goal, None, "it has no order");
        game.crowd.send(agent, Goal::AnyOf(row(20)), OnArrival::Stay);
        game.advance(3.5);
        game.crowd.redirect(agent, row(10));
        assert_eq!(game.crowd.waiting(agent), None);
        game.advance(15.0);
        assert_eq!(game.arrivals(agent), [Cell::new(10, 4)]);
        for x in 31..35 {
            game.crowd.redirect(agent, row(x));
            game.advance(2.0);
        }
        assert_eq!(unreachable(&game.log), 1);
        game.crowd.redirect(agent, row(12));
        game.advance(5.0);
        assert_eq!(game.arrivals(agent), [Cell::new(10, 4), Cell::new(12, 4)]);
    }
}

#[test]
fn orders_follow_each_other() {
    let mut game = Game::new(&open(9, 9));
    let agent = game.add(4, 4);
    let corners = [(0, 0), (8, 0), (8, 8)].map(Cell::from);
    game.crowd.then(agent, corners[0], OnArrival::Stay);
    game.crowd.then(agent, corners[1], OnArrival::Stay);
    game.crowd.then(agent, corners[2], OnArrival::Leave);
    game.advance(60.0);
    assert_eq!(game.arrivals(agent), corners);
    assert!(game.crowd.state(agent).is_none());
}

/// An order to go where the agent already stands is an order like others: it arrives there before the next one begins.
#[test]
fn an_order_to_stay_there_is_not_forgotten() {
    let (here, there) = (Cell::new(4, 4), Cell::new(8, 4));
    for grid in both(&open(9, 9)) {
        for rests in [false, true] {
            let mut game = Game::new(&grid);
            let agent = game.add(4, 4);
            if rests {
                game.crowd.send(agent, here, OnArrival::Stay);
                game.advance(1.0);
                game.log.retain(|event| !matches!(event, CrowdEvent::Arrived { .. }));
            }
            game.crowd.send(agent, here, OnArrival::Stay);
            game.crowd.then(agent, here, OnArrival::Stay);
            game.crowd.then(agent, there, OnArrival::Stay);
            game.advance(20.0);
            assert_eq!(game.arrivals(agent), [here, here, there]);
            // It rests, so that the next order begins immediately.
            game.crowd.then(agent, here, OnArrival::Stay);
            assert_eq!(game.state(agent).goal, Some(here));
            game.advance(20.0);
            game.crowd.then(agent, here, OnArrival::Leave);
            game.crowd.then(agent, there, OnArrival::Stay);
            game.advance(20.0);
            assert_eq!(game.arrivals(agent), [here, here, there, here, here]);
            assert!(game.crowd.state(agent).is_none(), "it leaves, and its other orders go with it");
        }
    }
}

/// The same while it steps there, and while another one pushes it aside.
#[test]
fn orders_are_added_to_an_agent_that_is_about_to_arrive() {
    let (here, there) = (Cell::new(1, 0), Cell::new(4, 0));
    for seconds in [0.3, 0.7, 1.0, 1.1] {
        let mut game = Game::new(&open(5, 1));
        let agent = game.add_and_send(0, 0, here);
        game.advance(seconds);
        game.crowd.then(agent, there, OnArrival::Stay);
        game.advance(20.0);
        assert_eq!(game.arrivals(agent), [here, there], "{seconds} s");
    }
}

#[test]
fn a_patrol_without_goals_does_not_keep_later_orders_from_beginning() {
    let mut game = Game::new(&open(9, 1));
    let agent = game.add(0, 0);
    game.crowd.patrol(agent, [] as [Cell; 0]);
    game.crowd.then(agent, Cell::new(3, 0), OnArrival::Stay);
    game.crowd.then(agent, Cell::new(5, 0), OnArrival::Stay);
    game.advance(20.0);
    assert_eq!(game.arrivals(agent), [3, 5].map(|x| Cell::new(x, 0)));
}

#[test]
fn a_patrol_goes_on_until_another_order() {
    let mut game = Game::new(&open(9, 9));
    let agent = game.add(0, 0);
    let ends = [(8, 0), (0, 0)].map(Cell::from);
    game.crowd.patrol(agent, ends);
    game.advance(40.5);
    assert_eq!(game.arrivals(agent), [ends, ends, [ends[0]; 2]].concat()[..5]);
    game.crowd.send(agent, Cell::new(4, 8), OnArrival::Stay);
    game.advance(40.0);
    assert_eq!(game.cell(agent), Cell::new(4, 8));
}

/// It does not arrive where it stands again and again.
#[test]
fn a_patrol_of_one_cell_ends_there() {
    let [here, there] = [(4, 8), (0, 8)].map(Cell::from);
    for goals in [&[here][..], &[here, here], &[here, there, here], &[here, here, there]] {
        let mut game = Game::new(&open(9, 9));
        let agent = game.add(4, 4);
        game.crowd.patrol(agent, goals.iter().copied());
        game.advance(13.5);
        let visits = [here, there, here];
        let visits = if goals.contains(&there) { &visits[..] } else { &visits[..1] };
        assert_eq!(game.arrivals(agent), visits, "{goals:?}");
    }
    let mut game = Game::new(&open(9, 9));
    let agent = game.add_and_send(4, 4, here);
    game.crowd.patrol(agent, [] as [Cell; 0]);
    game.advance(8.0);
    assert_eq!((game.cell(agent), game.state(agent).goal), (Cell::new(4, 4), None));
}

/// A guard in a gate is not pushed. Others wait for it first, and then go round by another gate.
#[test]
fn others_go_round_an_agent_that_holds() {
    let map = grid(&[
        "...........",
        ".####.#####",
        "...........",
        "....#.#....",
        "....#.#....",
        "....#.#....",
        "...........",
    ]);
    for mut game in on_both(&map) {
        let gate = Cell::new(5, 1);
        let guard = game.add(5, 1);
        let walker = game.add(5, 4);
        game.crowd.hold(guard);
        game.crowd.send(walker, Cell::new(5, 0), OnArrival::Stay);
        game.advance(3.5);
        assert_eq!(game.crowd.waiting(walker).unwrap().on, Some(WaitsFor::Agent(guard)));
        game.advance(26.5);
        assert_eq!((game.cell(walker), game.cell(guard)), (Cell::new(5, 0), gate), "round by the other gate");
        // Once it may move again, the route is short again.
        game.crowd.stop(guard);
        game.crowd.send(guard, Cell::new(10, 0), OnArrival::Stay);
        game.crowd.send(walker, Cell::new(5, 4), OnArrival::Stay);
        game.advance(10.0);
        assert_eq!(game.cell(walker), Cell::new(5, 4));
    }
}

/// Where there is no other route, they queue in front of it.
#[test]
fn nobody_passes_an_agent_that_holds_in_the_only_gate() {
    for mut game in on_both(&grid(&["......", "##.###", "......"])) {
        let (guard, walker) = (game.add(2, 1), game.add(5, 2));
        game.crowd.hold(guard);
        game.crowd.send(walker, Cell::new(5, 0), OnArrival::Stay);
        game.advance(60.0);
        assert_eq!(game.cell(guard), Cell::new(2, 1));
        assert_eq!(game.crowd.waiting(walker).unwrap().on, Some(WaitsFor::Agent(guard)));
        assert_eq!(stuck(&game.log, walker), 1);
        game.crowd.remove(guard);
        game.advance(20.0);
        assert_eq!(game.cell(walker), Cell::new(5, 0));
    }
}

#[test]
fn a_goal_that_becomes_unreachable_is_reported() {
    for mut game in on_both(&grid(&["......", "##.###", "......"])) {
        let walker = game.add_and_send(5, 2, Cell::new(5, 0));
        assert!((game.crowd.remaining(walker).unwrap().cost.tiles() - 8.0).abs() < 2.0);
        game.crowd.set(Cell::new(2, 1), None);
        game.advance(10.0);
        game.crowd.set(Cell::new(2, 1), Some(EntryCost::TILE));
        assert_eq!(game.crowd.remaining(walker), None);
        assert_eq!(game.crowd.waiting(walker).unwrap().on, Some(WaitsFor::Route));
        game.advance(20.0);
        assert_eq!(game.told(walker), [false, true]);
        assert_eq!(game.cell(walker), Cell::new(5, 0));
    }
}

/// All of a group come to rest near the goal, none in a doorway, and nobody moves afterwards.
#[test]
fn a_group_comes_to_rest() {
    // Two rooms of 20 x 20, and a door between them.
    let rooms = open_where(Size::new(41, 20), |cell| cell.x != 20 || cell.y == 10);
    for (grid, prepared) in both(&rooms).into_iter().zip([false, true]) {
        for goal in [(30, 10), (21, 10), (40, 0), (20, 10)].map(Cell::from) {
            let mut game = Game::new(&grid);
            if prepared {
                game.crowd.prepare();
            }
            let mut rng = Rng::with_seed(7);
            let mut cells: Vec<_> = Size::new(20, 20).cells().collect();
            rng.shuffle(&mut cells);
            let group: Vec<_> = cells.iter().take(60).map(|&cell| game.crowd.add(cell).unwrap()).collect();
            game.crowd.send_group(&group, goal);
            game.advance(240.0);
            assert!(group.iter().all(|&agent| game.state(agent).has_arrived), "{goal}");
            assert!(group.iter().all(|&agent| game.cell(agent).x != 20), "{goal}: nobody stays in the door");
            let farthest = group.iter().map(|&agent| game.cell(agent).distance_squared(goal)).max().unwrap();
            assert!(farthest <= 12 * 12, "{goal}: {farthest}");
            let steps = game.log.len();
            game.advance(20.0);
            assert_eq!(game.log.len(), steps, "{goal}: they rest");
        }
    }
}

/// Several groups are sent to one goal, where agents that were sent alone are about to stay, too.
#[test]
fn a_group_leaves_out_the_cells_where_others_are_going_to_stay() {
    for mut game in on_both(&open(30, 12)) {
        let goal = Cell::new(20, 6);
        let mut agents: Vec<_> = (0..3).map(|k| game.add_and_send(0, k, Cell::new(19 + k, 6))).collect();
        for x in 1..4 {
            let group: Vec<_> = (0..12).map(|y| game.add(x, y)).collect();
            game.crowd.send_group(&group, goal);
            agents.extend(group);
        }
        let goals: HashSet<_> = agents.iter().map(|&agent| game.state(agent).goal).collect();
        assert_eq!(goals.len(), agents.len());
        // Agents that are pushed off their goals rest before they come back.
        game.advance(90.0);
        assert!(agents.iter().all(|&agent| game.state(agent).has_arrived));
    }
}

#[test]
fn a_group_may_be_sent_anywhere() {
    let mut game = Game::new(&grid(&["..#.", "..#."]));
    let group = [game.add(0, 0), game.add(1, 0), game.add(0, 1)];
    let gone = game.add(1, 1);
    game.crowd.remove(gone);
    for goal in [(2, 0), (3, 0), (-1, 7), (0, 0)].map(Cell::from) {
        game.crowd.send_group(&[group.to_vec(), group.to_vec(), vec![gone]].concat(), goal);
        game.advance(5.0);
    }
    game.crowd.send_group(&[], Cell::new(0, 0));
    assert!(group.iter().all(|&agent| game.state(agent).has_arrived));
}

/// An agent that rests where a wall is wanted steps aside, and an agent that holds does not.
#[test]
fn agents_step_aside_for_edits() {
    let mut game = Game::new(&open(5, 5));
    let agent = game.add(2, 2);
    game.crowd.set(Cell::new(2, 2), None);
    let waiting: Vec<_> = game.crowd.waiting_edits().collect();
    assert_eq!((waiting.len(), waiting[0].cell, waiting[0].agent), (1, Cell::new(2, 2), Some(agent)));
    game.advance(2.0);
    assert!(!game.crowd.grid().is_passable(Cell::new(2, 2)));
    assert_eq!(game.crowd.waiting_edits().count(), 0);
    assert_eq!(count(&game.log, |event| matches!(event, CrowdEvent::EditWaits { agent: on, .. } if *on == agent)), 1);
    let at = game.cell(agent);
    game.crowd.hold(agent);
    game.crowd.set(at, None);
    game.advance(10.0);
    assert!(game.crowd.grid().is_passable(at));
    game.crowd.stop(agent);
    game.advance(2.0);
    assert!(!game.crowd.grid().is_passable(at));
}

#[test]
fn a_building_waits_as_one() {
    let mut game = Game::new(&open(8, 8));
    let agents = [game.add(2, 2), game.add(4, 4)];
    game.crowd.hold(agents[1]);
    let (corner, size) = (Cell::new(2, 2), Size::new(3, 3));
    assert!(game.crowd.set_area(corner, size, None));
    let walker = game.add_and_send(0, 3, Cell::new(7, 3));
    game.advance(12.0);
    let is_open = |game: &Game, cell: Cell| game.crowd.grid().is_passable(corner + (cell.x, cell.y));
    assert!(size.cells().all(|cell| is_open(&game, cell)), "it waits for the guard");
    assert_eq!(game.crowd.waiting_edits().filter(|edit| edit.agent.is_some()).count(), 1);
    assert_eq!(game.cell(walker), Cell::new(7, 3), "and is not entered");
    game.crowd.stop(agents[1]);
    game.advance(3.0);
    assert!(!size.cells().any(|cell| is_open(&game, cell)));
    let edits: Vec<_> = game.log.iter().filter(|event| matches!(event, CrowdEvent::CostSet { .. })).collect();
    assert!(edits.len() == 9 && edits.iter().all(|edit| edit.time() == edits[0].time()));
    for (corner, size) in [((6, 6), (3, 1)), ((-1, 0), (1, 1)), ((0, 0), (0, 3)), ((7, 7), (u32::MAX, u32::MAX))] {
        assert!(!game.crowd.set_area(Cell::from(corner), Size::new(size.0, size.1), None));
    }
}
