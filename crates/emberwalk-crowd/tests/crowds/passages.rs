//! Agents that stand in the way, and full rooms: everybody arrives.

use std::collections::HashMap;

use emberwalk_crowd::{AgentId, Crowd, CrowdEvent, Goal, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, Moves, StepRules};
use fastrand::Rng;

use super::checked::Game;
use super::{PACE, TICK, add_and_send, arrivals, enlarged, first, open, open_where, steps_in};

/// Two square rooms, and a passage between them.
struct Rooms {
    grid: CostGrid,
    west: Vec<Cell>,
    east: Vec<Cell>,
    passage: Vec<Cell>,
}

impl Rooms {
    fn new(side: i32, length: i32) -> Self {
        let size = Size::new((2 * side + length) as u32, side as u32);
        let is_passage = |cell: Cell| (side..side + length).contains(&cell.x);
        let grid = open_where(size, |cell| !is_passage(cell) || cell.y == side / 2);
        let passable: Vec<_> = size.cells().filter(|&cell| grid.is_passable(cell)).collect();
        let (passage, rooms): (Vec<_>, Vec<_>) = passable.into_iter().partition(|&cell| is_passage(cell));
        let (west, east) = rooms.into_iter().partition(|cell| cell.x < side);
        Self { grid, west, east, passage }
    }
}

fn shuffled(cells: &[Cell], rng: &mut Rng) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    rng.shuffle(&mut cells);
    cells
}

/// Everybody arrives, also on a large map, where agents follow routes of their own instead of fields.
#[track_caller]
fn check_that_all_arrive(grid: &CostGrid, rules: StepRules, orders: &[(Cell, Cell)], seconds: f64, what: &str) {
    check_on_one_grid(grid, rules, orders, seconds, what);
    check_on_one_grid(&enlarged(grid), rules, orders, seconds, &format!("{what}, own routes"));
}

#[track_caller]
fn check_on_one_grid(grid: &CostGrid, rules: StepRules, orders: &[(Cell, Cell)], seconds: f64, what: &str) {
    let mut play = Game::with_rules(grid.clone(), rules, orders, OnArrival::Stay);
    play.run_and_check(seconds, what);
    let steps = play.log.len();
    play.advance_by(TICK);
    assert_eq!(play.log.len(), steps, "{what}: they stay");
}

/// Seven travellers, and two agents that stay in the passage.
#[test]
fn agents_that_stay_in_a_passage_let_others_through() {
    let orders = [
        ((8, 0), (27, 8)),
        ((7, 6), (25, 7)),
        ((6, 4), (26, 3)),
        ((27, 6), (0, 7)),
        ((24, 1), (2, 3)),
        ((18, 3), (9, 5)),
        ((25, 4), (8, 1)),
        ((10, 5), (10, 5)),
        ((17, 5), (17, 5)),
    ];
    let orders = orders.map(|(from, to)| (Cell::from(from), Cell::from(to)));
    check_that_all_arrive(&Rooms::new(10, 8).grid, StepRules::default(), &orders, 60.0, "two in a passage");
}

#[test]
fn travellers_of_both_directions_pass_guards() {
    for (side, length, guards, travellers, runs) in
        [(10, 8, 2, 4, 12), (10, 8, 3, 15, 6), (10, 30, 5, 8, 4), (7, 3, 3, 9, 6)]
    {
        let rooms = Rooms::new(side, length);
        for seed in 0..runs {
            let rng = &mut Rng::with_seed(seed);
            let cells = [&rooms.west, &rooms.east, &rooms.east, &rooms.west].map(|cells| shuffled(cells, rng));
            let [west, to_east, east, to_west] = cells.each_ref().map(|cells| cells.iter().copied().take(travellers));
            let guards = shuffled(&rooms.passage, rng).into_iter().take(guards).map(|cell| (cell, cell));
            let orders: Vec<_> = west.zip(to_east).chain(east.zip(to_west)).chain(guards).collect();
            let rules = StepRules::default().with_moves([Moves::Eight, Moves::Four][seed as usize % 2]);
            let what = format!("a passage of {length}, seed {seed}");
            check_that_all_arrive(&rooms.grid, rules, &orders, 240.0, &what);
        }
    }
}

/// A full room behind a door: as many agents come out as go in.
#[test]
fn agents_that_come_out_of_a_full_room_have_the_door() {
    for (side, length) in [(6, 1), (5, 4), (8, 2)] {
        // The hall beside the room is wide enough for all.
        let hall = 4 * side;
        let size = Size::new((side + length + hall) as u32, side as u32);
        let is_door = |cell: Cell| (side..side + length).contains(&cell.x);
        let grid = open_where(size, |cell| !is_door(cell) || cell.y == 3);
        let inside: Vec<_> = size.cells().filter(|cell| cell.x < side).collect();
        let outside: Vec<_> = size.cells().filter(|cell| cell.x >= side + length).collect();
        for seed in 0..6 {
            let rng = &mut Rng::with_seed(seed);
            let [starts, goals] = [(); 2].map(|()| shuffled(&inside, rng));
            let [from, to] = [(); 2].map(|()| shuffled(&outside, rng));
            let mut orders: Vec<_> = from.into_iter().zip(goals).chain(starts.into_iter().zip(to)).collect();
            if seed % 2 == 1 {
                rng.shuffle(&mut orders);
            }
            let what = format!("a room of {side} behind a door of {length}, seed {seed}");
            check_that_all_arrive(&grid, StepRules::default(), &orders, 400.0, &what);
        }
    }
}

/// Two crowds meet at a door of one cell, and agents that come out have to get past all agents that wait to go in. If
/// agents that are pushed aside chose the steps that are best for themselves, or stayed impatient for half a minute,
/// half as many would arrive. If no agent became impatient, one would stand in one cell for 200 s.
#[test]
fn agents_that_come_out_get_past_a_crowd_at_the_door_and_none_stands_for_long() {
    let side = 40;
    let Rooms { grid, west, .. } = Rooms::new(side, 1);
    let west = shuffled(&west, &mut Rng::with_seed(5));
    let east = |cell: Cell| cell + (side + 1, 0);
    let pairs = west.iter().zip(west.iter().rev()).take(400);
    let orders: Vec<_> = pairs.flat_map(|(&one, &other)| [(one, east(other)), (east(one), other)]).collect();
    let mut play = Game::with_rules(grid, StepRules::default(), &orders, OnArrival::Leave);
    for _ in 0..8000 {
        play.advance_by(TICK);
    }
    let arrived = orders.len() - play.crowd.agents().count();
    assert!(arrived >= 600, "{arrived} of 800 agents arrive in 400 s");
    let longest = longest_stand(&play);
    assert!(longest < 35.0, "an agent stands in one cell for {longest} s");
}

/// The longest time for which an agent that was still on the way stood in one cell, in seconds.
fn longest_stand(play: &Game) -> f64 {
    let mut since = HashMap::new();
    let mut longest = 0.0;
    for event in &play.log {
        let (agent, from, to) = match *event {
            CrowdEvent::Added { agent, time, .. } => (agent, time, time),
            CrowdEvent::Step { agent, step } => (agent, step.start, step.end),
            _ => continue,
        };
        let stood = since.insert(agent, to).map_or(0.0, |since| from.seconds() - since.seconds());
        longest = f64::max(longest, stood);
    }
    longest
}

#[test]
fn resting_agents_are_walked_round_where_there_is_room() {
    let rester = Cell::new(4, 1);
    let orders = [(Cell::new(0, 1), Cell::new(8, 1))];
    let mut play = Game::with_orders(open(9, 3), &orders);
    let walks = first(&play);
    let rests = play.crowd.add(rester).unwrap();
    (0..200).for_each(|_| play.advance_by(TICK));
    assert!(play.crowd.state(walks).unwrap().has_arrived);
    assert!(steps_in(&play.log).all(|(agent, _)| agent != rests), "it was pushed");
}

/// An agent that makes way in a passage with a recess stays in the recess for a while, and does not arrive once more.
#[test]
fn an_agent_that_is_pushed_off_its_goal_rests_near_it_before_it_comes_back() {
    let grid = open_where(Size::new(10, 2), |cell| cell.y == 0 || cell.x == 4);
    let [goal, recess] = [0, 1].map(|y| Cell::new(4, y));
    let mut play = Game::with_orders(grid, &[(recess, goal)]);
    assert!(play.run(10.0));
    let agent = first(&play);
    let passes = play.crowd.add(Cell::new(0, 0)).unwrap();
    play.crowd.send(passes, Cell::new(9, 0), OnArrival::Leave);
    while play.crowd.state(passes).is_some() {
        play.advance_by(TICK);
    }
    let state = play.crowd.state(agent).unwrap();
    assert_eq!((state.cell, state.has_arrived), (recess, true), "it rests");
    let mut sent_again = play.crowd.clone();
    (0..200).for_each(|_| play.advance_by(TICK));
    assert_eq!(play.crowd.state(agent).unwrap().cell, goal, "it has come back");
    assert_eq!(play.arrivals(agent).len(), 1);
    // Another order brings it back immediately, and it arrives for that one.
    sent_again.send(agent, goal, OnArrival::Stay);
    let arrivals = arrivals(sent_again.advance(CrowdTime::from_seconds(2.0)));
    assert!(arrivals.iter().any(|&(other, ..)| other == agent));
}

/// A recess in a corridor of width 1, in which an agent rests that another one has pushed off its goal.
const RECESS: Cell = Cell::new(7, 1);
const BESIDE_CORRIDOR: Cell = Cell::new(4, 1);

/// The corridor is the first of these rows.
fn corridor_with_recess(others: &[Cell]) -> Game {
    let is_open = |cell: Cell| cell.y == 0 || cell == RECESS || others.contains(&cell);
    Game::with_orders(open_where(Size::new(20, 3), is_open), &[])
}

/// With an agent beside the corridor, and another one in it that follows it.
fn corridor_with_follower() -> (Game, [AgentId; 2]) {
    let mut game = corridor_with_recess(&[BESIDE_CORRIDOR]);
    let walker = game.crowd.add(BESIDE_CORRIDOR).unwrap();
    let dog = game.add_and_send(2, 0, Goal::Follow(walker));
    (game, [walker, dog])
}

/// Lets an agent arrive, and another one go from the west to the east end of the corridor.
fn push_into_recess(game: &mut Game, rests: AgentId) {
    game.advance(10.0);
    assert!(game.state(rests).has_arrived);
    let passes = game.add(0, 0);
    game.crowd.send(passes, Cell::new(19, 0), OnArrival::Leave);
    while game.crowd.state(passes).is_some_and(|state| state.cell.x <= RECESS.x) && game.crowd.now().seconds() < 30.0 {
        game.advance(0.05);
    }
    let state = game.state(rests);
    assert_eq!((state.cell, state.has_arrived), (RECESS, true), "it rests in the recess");
}

/// An agent that is pushed off looks for a better goal while it rests, as an agent does in its goal: one follows an
/// agent that goes away, and the goal of the other can be reached again.
#[test]
fn an_agent_that_was_pushed_off_looks_for_its_goal_while_it_rests() {
    let (mut game, [walker, dog]) = corridor_with_follower();
    push_into_recess(&mut game, dog);
    game.crowd.send(walker, Cell::new(0, 0), OnArrival::Stay);
    game.advance(3.0);
    assert_ne!(game.state(dog).cell, RECESS, "it follows");

    let goal = Cell::new(5, 2);
    let mut game = corridor_with_recess(&[goal]);
    let member = game.crowd.add(Cell::new(3, 0)).unwrap();
    game.crowd.send_group(&[member], goal);
    push_into_recess(&mut game, member);
    game.crowd.set(Cell::new(5, 1), Some(EntryCost::TILE));
    game.advance(3.0);
    assert_ne!(game.state(member).cell, RECESS, "it goes on");
}

/// A follower that was pushed off has caught up again when it has come back.
#[test]
fn a_follower_that_was_pushed_off_arrives_when_it_is_back() {
    let (mut game, [_, dog]) = corridor_with_follower();
    push_into_recess(&mut game, dog);
    let before = game.arrivals(dog).len();
    game.advance(20.0);
    assert!(game.state(dog).cell.distance_squared(BESIDE_CORRIDOR) <= 2, "it is back");
    assert_eq!(game.arrivals(dog).len(), before + 1);
}

/// When its rest is over, an agent says that it goes back, also if it has to wait. It is stuck only after it has tried for as
/// long as others.
#[test]
fn an_agent_is_not_stuck_as_soon_as_its_rest_is_over() {
    let goal = Cell::new(5, 0);
    let mut game = corridor_with_recess(&[]);
    let agent = add_and_send(&mut game.crowd, Cell::new(3, 0), goal);
    push_into_recess(&mut game, agent);
    let guard = game.crowd.add(goal).unwrap();
    game.crowd.hold(guard);
    game.advance(60.0);
    let time = |is_searched: fn(&CrowdEvent) -> bool| {
        let event = game.log.iter().find(|event| is_searched(event));
        event.expect("it is told").time().seconds()
    };
    let sets_out = time(|event| matches!(event, CrowdEvent::SetOut { .. }));
    let is_stuck = time(|event| matches!(event, CrowdEvent::Stuck { .. }));
    assert!(is_stuck >= sets_out + 6.0, "it sets out at {sets_out} s and is stuck at {is_stuck} s");
}

/// The route back counts, not the distance: an agent that is pushed round a corner of a wall comes back immediately.
#[test]
fn an_agent_rests_only_where_the_way_back_is_short() {
    let recess = Cell::new(4, 3);
    let grid = open_where(Size::new(10, 4), |cell| cell.y % 2 == 0 || cell == Cell::new(9, 1) || cell == recess);
    let mut crowd = Crowd::new(grid, StepRules::default(), PACE);
    let agent = add_and_send(&mut crowd, Cell::new(5, 0), Cell::new(5, 0));
    crowd.advance(CrowdTime::SECOND);
    let passes = crowd.add(Cell::new(0, 0)).unwrap();
    crowd.send(passes, Cell::new(0, 2), OnArrival::Leave);
    let mut was_in_recess = false;
    for _ in 0..1200 {
        crowd.advance(TICK);
        let state = crowd.state(agent).unwrap();
        was_in_recess |= state.cell == recess;
        let rest = crowd.remaining(agent).unwrap().cost.tiles();
        assert!(!state.has_arrived || rest <= 5.0, "it rests {rest} tiles away");
    }
    assert!(was_in_recess && crowd.state(passes).is_none());
}

/// An agent without a goal makes way to cells that cost little.
#[test]
fn an_agent_without_a_goal_makes_way_to_cheap_ground() {
    for x in 3..17 {
        let size = Size::new(20, 3);
        let cost = |cell: Cell| EntryCost::from_tiles([4.0, 1.0, 2.0][cell.y as usize]).ok();
        // It cannot be walked round.
        let is_open = |cell: Cell| cell.x == x || cell.y == 1;
        let grid = CostGrid::from_fn(size, Diagonal::GAME, |cell| cost(cell).filter(|_| is_open(cell)));
        let mut crowd = Crowd::new(grid.unwrap(), StepRules::default().with_moves(Moves::Four), PACE);
        let [rests, passes] = [x, 0].map(|x| crowd.add(Cell::new(x, 1)).unwrap());
        crowd.send(passes, Cell::new(19, 1), OnArrival::Leave);
        for _ in 0..1200 {
            crowd.advance(TICK);
        }
        assert_eq!(crowd.state(rests).unwrap().cell, Cell::new(x, 2));
    }
}

/// Half of the cells of a map with narrow gaps have an agent, so that most who arrive rest in gaps that others need. If
/// these did not change places with resting agents, some would never arrive.
#[test]
fn agents_change_places_with_resting_agents_on_a_dense_map() {
    let rng = &mut Rng::with_seed(386);
    let grid = open_where(Size::new(32, 32), |_| rng.u8(..5) > 0);
    let mut components = Components::new(StepRules::default());
    components.update(&grid);
    let cells = grid.size().cells().filter(|&cell| grid.is_passable(cell));
    let cells: Vec<_> = cells.filter(|&cell| components.are_connected(&grid, cell, Cell::new(16, 16))).collect();
    assert!(cells.len() > 700);
    let [starts, goals] = [(); 2].map(|()| shuffled(&cells, rng));
    let orders: Vec<_> = starts.into_iter().zip(goals).take(cells.len() / 2).collect();
    let mut play = Game::with_orders(grid, &orders);
    (0..2000).for_each(|_| play.advance_by(TICK));
    assert_eq!(arrivals(&play.log).len(), orders.len(), "arrivals in 100 s");
}

/// The road over the bridge is so cheap that places for the last of a group are on its own bank. If the other group had
/// them as well, an agent would wait for ever at the end of the bridge.
#[test]
fn two_groups_that_change_banks_all_arrive() {
    let road = 4;
    let cost = |cell: Cell| match (cell.x, cell.y == road) {
        (_, true) => EntryCost::from_tiles(0.5).ok(),
        (4 | 5, false) => None,
        (..) => Some(EntryCost::TILE),
    };
    let size = Size::new(10, 10);
    let grid = CostGrid::from_fn(size, Diagonal::GAME, cost).unwrap();
    for people in 8..=34 {
        let mut play = Game::with_orders(grid.clone(), &[]);
        for (columns, to) in [(0..4, 9), (6..10, 0)] {
            let bank = size.cells().filter(|cell| columns.contains(&cell.x));
            let group: Vec<_> = bank.take(people).map(|cell| play.crowd.add(cell).unwrap()).collect();
            play.crowd.send_group(&group, Cell::new(to, road));
        }
        play.run_and_check(600.0, &format!("{people} on each bank"));
    }
}
