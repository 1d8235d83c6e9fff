//! Groups: places of their own near goals that they have reached already, and near goals that they cannot reach; and
//! orders that are repeated.

use std::collections::HashSet;

use emberwalk_crowd::{
    AgentId, AgentSettings, Crowd, CrowdEvent, Goal, GroupGround, GroupMember, OnArrival, group_places,
};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::AgentKind;
use emberwalk_path::time::Pace;
use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, Planner, RouteQuery, StepRules};

use super::checked::Game;
use super::{any_cell, arrivals, crowd_on_classes, enlarged, grid, open_where, seeded, steps_in, unreachable};

const LAND: u8 = b'.';
const WATER: u8 = b'~';

/// A game on a map of rows. Kind 0 walks, kind 1 is a wagon of 2 x 2 cells, and kind 2 is a boat.
fn on_rows(rows: &[&str]) -> Game {
    let size = Size::new(rows[0].len() as u32, rows.len() as u32);
    on_classes(size, |cell| rows[cell.y as usize].as_bytes()[cell.x as usize])
}

fn on_open_land(width: u32, height: u32) -> Game {
    on_classes(Size::new(width, height), |_| LAND)
}

fn on_classes(size: Size, class: impl FnMut(Cell) -> u8) -> Game {
    let walker = AgentKind::new().with_cost(LAND, Some(EntryCost::TILE));
    let boat = AgentKind::new().with_cost(WATER, Some(EntryCost::TILE));
    Game::of(crowd_on_classes(size, [walker.clone(), walker.with_side(2), boat], class))
}

fn add(game: &mut Game, kind: usize, cells: impl IntoIterator<Item = (i32, i32)>) -> Vec<AgentId> {
    let settings = AgentSettings::new().with_kind(kind);
    cells.into_iter().map(|cell| game.crowd.add_with(cell.into(), settings).unwrap()).collect()
}

fn cells(game: &Game, agents: &[AgentId]) -> Vec<Cell> {
    agents.iter().map(|&agent| game.cell(agent)).collect()
}

fn goals(game: &Game, agents: &[AgentId]) -> Vec<Option<Cell>> {
    agents.iter().map(|&agent| game.state(agent).goal).collect()
}

/// How many steps agents have decided to take since the log was cleared.
fn steps(game: &Game) -> usize {
    steps_in(&game.log).count()
}

/// All have arrived, each in a place of its own.
fn assert_at_rest(game: &mut Game, agents: &[AgentId], what: &str) {
    let states: Vec<_> = agents.iter().map(|&agent| game.state(agent)).collect();
    assert!(states.iter().all(|state| state.has_arrived), "{what}: {states:?}");
    game.log.clear();
    game.advance(20.0);
    assert_eq!(steps(game), 0, "{what}: they rest");
}

fn block(x: i32, y: i32, width: i32, height: i32, step: usize) -> impl Iterator<Item = (i32, i32)> {
    (y..y + height).step_by(step).flat_map(move |y| (x..x + width).step_by(step).map(move |x| (x, y)))
}

#[test]
fn a_group_that_stands_at_its_goal_stays_there() {
    // Kind, where the group stands, and the goal.
    let cases: [(_, Vec<_>, _); 9] = [
        (0, block(8, 8, 3, 3, 1).collect(), (9, 9)),
        (0, block(8, 8, 3, 3, 1).collect(), (8, 10)),
        (0, block(8, 8, 2, 2, 1).collect(), (9, 9)),
        (0, block(8, 8, 3, 2, 1).collect(), (10, 8)),
        (0, block(0, 0, 4, 4, 1).collect(), (0, 0)),
        (0, vec![(9, 9), (8, 8), (10, 10), (8, 10), (10, 8)], (9, 9)),
        (1, block(6, 6, 6, 6, 2).collect(), (8, 8)),
        (1, block(6, 6, 4, 4, 2).collect(), (7, 7)),
        (1, vec![(9, 9)], (9, 9)),
    ];
    for (kind, cells, goal) in cases {
        let what = format!("kind {kind} at {cells:?}, goal {goal:?}");
        let mut game = on_open_land(20, 20);
        let group = add(&mut game, kind, cells);
        game.advance(0.1);
        game.log.clear();
        game.crowd.send_group(&group, goal.into());
        game.advance(20.0);
        assert_eq!(steps(&game), 0, "{what}");
        let arrived: HashSet<_> = arrivals(&game.log).into_iter().map(|(agent, ..)| agent).collect();
        assert_eq!(arrived.len(), group.len(), "{what}: each is told to have arrived");
    }
}

/// Groups of all sizes, on ground with walls, with others who rest there.
#[test]
fn a_group_that_has_arrived_does_not_move_when_it_is_sent_there_again() {
    for (seed, mut rng) in seeded(30) {
        let walls: HashSet<_> = (0..60).map(|_| any_cell(Size::new(24, 18), &mut rng)).collect();
        let mut game = on_classes(Size::new(24, 18), |cell| if walls.contains(&cell) { b'#' } else { LAND });
        let mut group = Vec::new();
        for _ in 0..rng.usize(2..30) {
            let kind = if rng.u8(0..4) == 0 { 1 } else { 0 };
            let at = any_cell(Size::new(24, 18), &mut rng);
            let added = game.crowd.add_with(at, AgentSettings::new().with_kind(kind)).ok();
            // Some others just rest.
            group.extend(added.filter(|_| rng.u8(0..6) > 0));
        }
        let goal = Cell::new(rng.i32(-2..26), rng.i32(-2..20));
        game.crowd.send_group(&group, goal);
        let before = goals(&game, &group);
        game.advance(240.0);
        game.log.clear();
        game.advance(1.0);
        if steps(&game) > 0 || !group.iter().all(|&agent| game.state(agent).has_arrived) {
            // A few of them can be in a jam for good.
            continue;
        }
        game.log.clear();
        game.crowd.send_group(&group, goal);
        assert_eq!(goals(&game, &group), before, "seed {seed}");
        game.advance(20.0);
        assert_eq!(steps(&game), 0, "seed {seed}");
    }
}

#[test]
fn agents_in_their_places_keep_them_when_others_come() {
    for kind in [0, 1] {
        let step = kind as i32 + 1;
        let mut game = on_open_land(40, 30);
        let there: Vec<_> = block(20 - step, 15 - step, 3 * step, 3 * step, step as usize).skip(1).collect();
        let mut group = add(&mut game, kind, there.iter().copied());
        let far = add(&mut game, kind, [(1, 1)]);
        group.extend(&far);
        game.crowd.send_group(&group, Cell::new(20, 15));
        game.advance(60.0);
        let expected: Vec<_> = there.into_iter().chain([(20 - step, 15 - step)]).map(Cell::from).collect();
        assert_eq!(cells(&game, &group), expected, "kind {kind}");
        assert!(steps_in(&game.log).all(|(agent, _)| agent == far[0]), "kind {kind}");
    }
}

/// The directions to the goal add up to nothing.
#[test]
fn a_group_all_around_its_goal_comes_closer_without_changing_sides() {
    let mut game = on_open_land(41, 41);
    let goal = Cell::new(20, 20);
    let around = [(0, -9), (9, -9), (9, 0), (9, 9), (0, 9), (-9, 9), (-9, 0), (-9, -9)];
    let group = add(&mut game, 0, around.map(|(x, y)| (20 + x, 20 + y)));
    game.crowd.send_group(&group, goal);
    game.advance(30.0);
    let mut on_other_side = 0;
    for (agent, (x, y)) in group.iter().zip(around) {
        let (dx, dy) = game.state(*agent).cell - goal;
        assert!(dx.abs() <= 1 && dy.abs() <= 1);
        on_other_side += usize::from(dx * x < 0 || dy * y < 0);
    }
    assert_eq!(on_other_side, 0);
}

/// Where nobody can pass, they shift.
#[test]
fn a_group_goes_on_in_a_passage_one_behind_the_other() {
    let mut game = on_rows(&["............"]);
    let group = add(&mut game, 0, (3..8).map(|x| (x, 0)));
    game.crowd.send_group(&group, Cell::new(11, 0));
    game.advance(30.0);
    assert_eq!(cells(&game, &group), [7, 8, 9, 10, 11].map(|x| Cell::new(x, 0)));
}

/// The same order in every tick: nobody changes the place, and it is told once that a goal is unreachable.
#[test]
fn an_order_that_is_repeated_changes_nothing() {
    let rows = ["..........", "..........", "......####", "......#..#", "......####"];
    let [mut once, mut often] = [on_rows(&rows), on_rows(&rows)];
    let mut agents = add(&mut once, 0, block(0, 0, 3, 3, 1));
    agents.extend(add(&mut once, 0, [(9, 0)]));
    add(&mut often, 0, block(0, 0, 3, 3, 1));
    add(&mut often, 0, [(9, 0)]);
    let [alone, rests] = [agents[8], agents[9]];
    let give = |game: &mut Game| {
        game.crowd.send_group(&agents[..6], Cell::new(7, 3));
        game.crowd.send(agents[6], Cell::new(7, 0), OnArrival::Stay);
        game.crowd.send(agents[7], Goal::Follow(rests), OnArrival::Stay);
        game.crowd.send(alone, Cell::new(8, 3), OnArrival::Stay);
    };
    give(&mut once);
    let mut repeated = 0;
    for tick in 0..400 {
        // Until an agent has arrived, which would arrive again.
        if !often.log.iter().any(|event| matches!(event, CrowdEvent::Arrived { .. })) {
            give(&mut often);
            repeated += 1;
        }
        once.advance(0.05);
        often.advance(0.05);
        assert_eq!(once.log, often.log, "tick {tick}");
    }
    assert!(repeated > 40, "{repeated}");
    assert_eq!(once.told(alone), [false]);
    assert!(agents[..6].iter().all(|&agent| once.told(agent) == [false]));
}

/// A wall, a walled-in yard, off the map, the land for boats and the last column for a wagon.
#[test]
fn a_group_goes_to_the_nearest_places_that_it_can_reach() {
    let rows = [
        "......................~~~~~~",
        "......................~~~~~~",
        "......................~~~~~~",
        "..........#...........~~~~~~",
        "......................~~~~~~",
        ".................#####~~~~~~",
        ".................#...#~~~~~~",
        ".................#...#~~~~~~",
        ".................#...#~~~~~~",
        ".................#####~~~~~~",
        "......................~~~~~~",
        "......................~~~~~~",
    ];
    // Kind, starts, goal, and how far the farthest place may be from the nearest cell that it can reach.
    let walkers: Vec<_> = block(0, 0, 3, 3, 1).collect();
    let wagons: Vec<_> = block(0, 4, 4, 4, 2).collect();
    let boats: Vec<_> = block(24, 8, 3, 3, 1).collect();
    let cases = [
        (0, &walkers, (10, 3), "a wall"),
        (0, &walkers, (19, 7), "a walled-in yard"),
        (0, &walkers, (-5, 4), "off the map"),
        (0, &walkers, (7, 4000), "far off the map"),
        (0, &walkers, (25, 3), "water"),
        (1, &wagons, (10, 3), "a wall"),
        (1, &wagons, (19, 7), "a yard that is walled in"),
        (1, &wagons, (12, 11), "the last row"),
        (1, &wagons, (i32::MAX, i32::MIN), "far off the map"),
        (2, &boats, (15, 2), "land"),
        (2, &boats, (27, -1), "off the map"),
    ];
    for (kind, starts, goal, what) in cases {
        let what = format!("kind {kind} to {what}, {goal:?}");
        let mut game = on_rows(&rows);
        let group = add(&mut game, kind, starts.iter().copied());
        let goal = Cell::from(goal);
        game.crowd.send_group(&group, goal);
        let places: HashSet<_> = goals(&game, &group).into_iter().collect();
        assert_eq!(places.len(), group.len(), "{what}: {places:?}");
        game.advance(60.0);
        // The distance to the nearest cell of all that are connected with the group.
        let ground = game.crowd.grids().nth(kind).unwrap();
        let mut components = Components::new(StepRules::default());
        components.update(ground);
        let is_reachable = |cell: &Cell| components.are_connected(ground, starts[0].into(), *cell);
        let size = ground.size();
        let aim = Cell::new(goal.x.clamp(0, size.width as i32 - 1), goal.y.clamp(0, size.height as i32 - 1));
        let mut distances: Vec<_> = size.cells().filter(is_reachable).map(|cell| cell.distance_squared(aim)).collect();
        distances.sort_unstable();
        let cells = cells(&game, &group);
        let nearest = cells.iter().map(|cell| cell.distance_squared(aim)).min();
        assert_eq!(nearest, Some(distances[0]), "{what}: {cells:?}");
        let farthest = cells.iter().map(|cell| cell.distance_squared(aim)).max().unwrap();
        let side = if kind == 1 { 2 } else { 1 };
        let allowed = (distances[0].isqrt() + 4 * side).pow(2);
        assert!(farthest <= allowed, "{what}: {cells:?}");
        let touches = group.len() == 4 && kind == 1 && goal == Cell::new(12, 11);
        for &agent in &group {
            assert_eq!(game.told(agent), if touches { vec![] } else { vec![false] }, "{what}");
            let unreachable = game.state(agent).unreachable;
            assert_eq!(unreachable, Some(goal).filter(|_| !touches), "{what}");
        }
        assert_at_rest(&mut game, &group, &what);
        game.crowd.send_group(&group, goal);
        game.advance(10.0);
        assert_eq!(steps(&game), 0, "{what}: again");
        assert!(group.iter().all(|&agent| game.told(agent).is_empty()), "{what}: told again");
    }
}

/// One alone ends where the route of a planner to the nearest cell ends.
#[test]
fn one_alone_goes_where_a_partial_route_leads() {
    for (seed, mut rng) in seeded(40) {
        let size = Size::new(rng.u32(2..30), rng.u32(2..30));
        let ground = open_where(size, |_| rng.u8(0..3) > 0);
        let [start, goal] = [(); 2].map(|()| any_cell(size, &mut rng));
        if !ground.is_passable(start) {
            continue;
        }
        let mut planner = Planner::new();
        let result = planner.plan(&ground, &RouteQuery::new(start, goal).with_partial()).unwrap();
        let end = *result.route_or_partial().unwrap().cells.last().unwrap();
        let mut crowd = Crowd::new(ground, StepRules::default(), Pace::default());
        let agent = crowd.add(start).unwrap();
        crowd.send_group(&[agent], goal);
        let place = crowd.state(agent).unwrap().goal.unwrap();
        assert_eq!(place.distance_squared(goal), end.distance_squared(goal), "seed {seed}: {place}, {end}");
    }
}

/// When a route opens, they walk on, each to a place of its own; when the ground changes elsewhere, they stay.
#[test]
fn a_group_walks_on_when_a_route_opens() {
    let rows = grid(&["........######", "........#....#", "........#....#", "........#....#", "........######"]);
    for ground in [rows.clone(), enlarged(&rows)] {
        let mut game = Game::new(&ground);
        let group: Vec<_> = block(0, 1, 3, 3, 1).map(|cell| game.crowd.add(cell.into()).unwrap()).collect();
        let goal = Cell::new(11, 2);
        game.crowd.send_group(&group, goal);
        game.advance(20.0);
        let cells = |game: &Game| -> HashSet<_> { group.iter().map(|&agent| game.cell(agent)).collect() };
        let before = cells(&game);
        assert!(before.len() == 9 && before.iter().all(|cell| (5..8).contains(&cell.x)), "{before:?}");
        game.crowd.set(Cell::new(0, 0), None);
        game.advance(5.0);
        assert_eq!(cells(&game), before, "the goal is as far as it was");
        game.crowd.set(Cell::new(8, 2), Some(EntryCost::TILE));
        game.advance(1.0);
        let places: HashSet<_> = group.iter().map(|&agent| game.state(agent).goal.unwrap()).collect();
        assert_eq!(places.len(), 9);
        assert!(places.iter().all(|place| place.distance_squared(goal) <= 4), "{places:?}");
        game.advance(30.0);
        assert_eq!(cells(&game), places);
        for &agent in &group {
            assert_eq!(game.told(agent), [false, true]);
            assert_eq!(game.state(agent).unreachable, None);
        }
    }
}

/// Walkers, a wagon, a boat and a walker in a yard, in one order.
#[test]
fn each_of_a_mixed_group_goes_where_its_kind_and_size_can() {
    let rows = ["..........~~~~", "..........~~~~", "..###.....~~~~", "..#.#.....~~~~", "..###.....~~~~"];
    let mut game = on_rows(&rows);
    let mut group = add(&mut game, 0, [(0, 0), (1, 0), (3, 3)]);
    group.extend(add(&mut game, 1, [(0, 2)]));
    group.extend(add(&mut game, 2, [(13, 4)]));
    game.crowd.send_group(&group, Cell::new(9, 0));
    game.advance(30.0);
    let cells = cells(&game, &group);
    assert!(cells[..2].contains(&Cell::new(9, 0)));
    assert_eq!(cells[2], Cell::new(3, 3), "nobody leaves the yard");
    assert!(cells[3].distance_squared(Cell::new(9, 0)) <= 9, "{cells:?}");
    assert_eq!(cells[4], Cell::new(10, 0), "the shore");
    let unreachable: Vec<_> = group.iter().map(|&agent| game.state(agent).unreachable.is_some()).collect();
    assert_eq!(unreachable, [false, false, true, false, true]);
    assert_at_rest(&mut game, &group, "all");
}

/// A follower is told once that no route leads to a boat, and once that a route leads there again.
#[test]
fn a_follower_is_told_once_that_it_cannot_follow() {
    let mut game = on_rows(&[".~~~~~~~~~~~~~~~~~~~"]);
    let [walker, boat] = [(0, (0, 0)), (2, (1, 0))].map(|(kind, at)| add(&mut game, kind, [at])[0]);
    game.crowd.send(walker, Goal::Follow(boat), OnArrival::Stay);
    game.advance(3.0);
    assert!(game.told(walker).is_empty());
    game.crowd.send(boat, Cell::new(19, 0), OnArrival::Stay);
    game.advance(40.0);
    assert_eq!(game.told(walker), [false]);
    game.crowd.send(boat, Cell::new(1, 0), OnArrival::Stay);
    game.advance(40.0);
    assert_eq!(game.told(walker), [false, true]);
}

/// It is there already, so that its other orders go on.
#[test]
fn an_agent_that_follows_itself_stays_where_it_is() {
    let mut game = on_open_land(12, 12);
    let agent = add(&mut game, 0, [(4, 4)])[0];
    game.crowd.send(agent, Goal::Follow(agent), OnArrival::Stay);
    game.advance(10.0);
    assert_eq!(steps(&game), 0);
    assert!(game.state(agent).has_arrived);
    game.crowd.then(agent, Cell::new(8, 4), OnArrival::Stay);
    game.crowd.then(agent, Goal::Follow(agent), OnArrival::Stay);
    game.crowd.then(agent, Cell::new(4, 4), OnArrival::Leave);
    game.advance(20.0);
    assert!(game.crowd.state(agent).is_none());
    let patrol = add(&mut game, 0, [(4, 4)])[0];
    game.crowd.patrol(patrol, [Goal::Follow(patrol)]);
    game.advance(10.0);
    assert_eq!(cells(&game, &[patrol]), [Cell::new(4, 4)]);
}

#[test]
fn places_can_be_asked_for_without_a_crowd() {
    let ground = grid(&["......", ".#..#.", "......"]);
    let rules = StepRules::default();
    let mut planner = Planner::new();
    let components = planner.components(&ground, rules);
    let grounds = [GroupGround { grid: &ground, components, side: 1, spares_passages: false }];
    let member = |x: i32, y: i32| GroupMember { kind: 0, at: Cell::new(x, y), place: None };
    let goal = Cell::new(4, 1);
    let group = [member(0, 0), member(0, 1), member(1, 1), member(9, 9)];
    let is_taken = |cell| cell == Cell::new(3, 1);
    let places = group_places(&grounds, rules, goal, &group, is_taken);
    let cells: HashSet<_> = places.iter().flatten().map(|place| place.cell).collect();
    assert_eq!(cells.len(), 2);
    assert!(cells.iter().all(|cell| cell.distance_squared(goal) == 1 && !is_taken(*cell)));
    assert!(places.iter().flatten().all(|place| !place.reaches_goal));
    assert_eq!(places[2..], [None; 2], "in a wall and off the map");
}

/// A wall in the place of an agent: it gets another one, on the way and where it would have arrived, and is told nothing.
#[test]
fn an_agent_whose_place_is_walled_in_gets_another_one() {
    for (budget, width) in [(u64::MAX, 20), (2000, 20), (u64::MAX, 120), (2000, 120)] {
        for (x, y) in (13..18).flat_map(|x| (8..13).map(move |y| (x, y))).filter(|&cell| cell != (15, 10)) {
            let mut game = on_open_land(width, width);
            game.crowd.set_search_budget(budget);
            let guard = add(&mut game, 0, [(15, 10)]);
            game.crowd.hold(guard[0]);
            let group = add(&mut game, 0, (0..5).map(|k| (1, 6 + k)));
            game.crowd.send_group(&group, Cell::new(15, 10));
            game.advance(4.0);
            game.crowd.set_class(Cell::new(x, y), WATER);
            game.advance(40.0);
            for &agent in &group {
                let state = game.state(agent);
                let case = format!("{x},{y} with {budget} on {width}: {state:?}");
                assert!(state.has_arrived && state.cell.distance_squared(Cell::new(15, 10)) <= 8, "{case}");
            }
            assert_eq!(unreachable(&game.log), 0, "{x},{y} with {budget} on {width}");
        }
    }
}

/// The places of a group of these cells on one grid.
fn places_of(grid: &CostGrid, rules: StepRules, goal: Cell, cells: &[Cell], taken: &[Cell]) -> Vec<Option<Cell>> {
    let mut components = Components::new(rules);
    components.update(grid);
    let ground = GroupGround { grid, components: &components, side: 1, spares_passages: false };
    let group: Vec<_> = cells.iter().map(|&at| GroupMember { kind: 0, at, place: None }).collect();
    let places = group_places(&[ground], rules, goal, &group, |cell| taken.contains(&cell));
    places.into_iter().map(|place| Some(place?.cell)).collect()
}

/// A house in a meadow, a tree, and a cell where an agent stays, in the middle of a map.
#[test]
fn a_group_stays_on_its_side_of_a_goal_that_it_cannot_enter() {
    let (goal, size) = (Cell::new(10, 10), Size::new(21, 21));
    for (reach, is_taken) in [(1, false), (0, false), (0, true)] {
        let is_house = |cell: Cell| {
            let (x, y) = cell - goal;
            !is_taken && x.abs().max(y.abs()) <= reach && (reach == 0 || cell != goal)
        };
        let meadow = open_where(size, |cell| !is_house(cell));
        for (x, y) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let [from, place] = [9, reach + 1].map(|distance| goal + (x * distance, y * distance));
            let taken = if is_taken { vec![goal] } else { Vec::new() };
            let places = places_of(&meadow, StepRules::default(), goal, &[from], &taken);
            assert_eq!(places, [Some(place)], "house of {reach}, from {from}");

            let mut game = Game::new(&meadow);
            for &cell in &taken {
                let guard = game.crowd.add(cell).unwrap();
                game.crowd.hold(guard);
            }
            let agent = game.crowd.add(from).unwrap();
            game.crowd.send_group(&[agent], goal);
            game.advance(30.0);
            assert_eq!(game.cell(agent), place, "house of {reach}, from {from}");
            assert_eq!(steps(&game) as i32, 8 - reach, "house of {reach}, from {from}");

            // Three beside each other find room on their side, too.
            let group = [-1, 0, 1].map(|k| from + (k * y, k * x));
            for place in places_of(&meadow, StepRules::default(), goal, &group, &taken).into_iter().flatten() {
                let (dx, dy) = place - goal;
                assert!(dx * x + dy * y >= 0, "house of {reach}, from {from}: {place} is behind it");
            }
        }
    }
}

/// Groups from two sides get the cells on both.
#[test]
fn agents_that_come_from_two_sides_of_a_house_stay_on_their_sides() {
    let goal = Cell::new(10, 10);
    let meadow = open_where(Size::new(21, 21), |cell| cell != goal);
    for sides in [[(-8, 0), (8, 0)], [(0, -8), (0, 8)]] {
        let places = places_of(&meadow, StepRules::default(), goal, &sides.map(|side| goal + side), &[]);
        let expected = sides.map(|(x, y)| Some(goal + (x / 8, y / 8)));
        assert_eq!(places, expected);
    }
}

/// By their routes, not by the straight line: behind walls, over links, and on ground of all costs.
#[test]
fn of_the_nearest_cells_to_a_goal_an_agent_gets_the_cell_that_it_reaches_first() {
    let (mut planner, mut several) = (Planner::new(), 0);
    for (seed, mut rng) in seeded(400) {
        let size = Size::new(rng.u32(4..20), rng.u32(4..20));
        let walls = rng.f64() * 0.45;
        let mut cost = || (rng.f64() >= walls).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap());
        let mut grid = CostGrid::from_fn(size, Diagonal::GAME, |_| cost()).unwrap();
        let (from, goal) = (any_cell(size, &mut rng), any_cell(size, &mut rng));
        grid.set(goal, None);
        grid.set(from, Some(EntryCost::TILE));
        for _ in 0..rng.u8(0..3) {
            let (one, other) = (any_cell(size, &mut rng), any_cell(size, &mut rng));
            // In both directions, so that the linked components are one.
            for (one, other) in [(one, other), (other, one)] {
                grid.add_link(one, other, EntryCost::TILE);
            }
        }
        if from == goal {
            continue;
        }
        let rules = StepRules::default();
        let mut components = Components::new(rules.without_links());
        components.update(&grid);
        let mut costs = Vec::new();
        for cell in size.cells().filter(|&cell| components.are_connected(&grid, from, cell)) {
            let result = planner.plan(&grid, &RouteQuery::new(from, cell)).unwrap();
            costs.push((cell.distance_squared(goal), result.cost().unwrap(), cell));
        }
        let (nearest, lowest, _) = costs.iter().copied().min().unwrap();
        several += usize::from(costs.iter().filter(|(distance, ..)| *distance == nearest).count() > 1);
        let place = places_of(&grid, rules, goal, &[from], &[])[0].unwrap();
        let reached = costs.iter().find(|(.., cell)| *cell == place).copied();
        assert_eq!(reached, Some((nearest, lowest, place)), "seed {seed}: from {from} to {goal}, {grid:?}");
    }
    assert!(several > 100, "{several}");
}
