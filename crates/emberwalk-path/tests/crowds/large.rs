//! Agents of 2 x 2 and 3 x 3 cells, among others.

use std::collections::HashMap;

use emberwalk_path::crowd::{AgentId, AgentSettings, Checker, Crowd, CrowdEvent, CrowdTime, Goal, OnArrival, Pace};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::{Components, Diagonal, EntryCost, Level, StepRules};
use fastrand::Rng;

const LAND: u8 = 0;
const ROCK: u8 = 1;
const TICK: CrowdTime = CrowdTime::SECOND.divided_by(20);

/// Kinds of 1 x 1, 2 x 2 and 3 x 3 cells on land.
fn land(size: Size, is_rock: impl Fn(Cell) -> bool) -> Crowd {
    let kinds = [1, 2, 3].map(|side| AgentKind::new().with_cost(LAND, Some(EntryCost::TILE)).with_side(side));
    let class = |cell| if is_rock(cell) { ROCK } else { LAND };
    let classes = ClassGrid::from_fn(size, Diagonal::GAME, kinds, class).unwrap();
    let pace = Pace::new(CrowdTime::SECOND.divided_by(3));
    Crowd::with_kinds(classes, StepRules::default(), pace).unwrap()
}

/// Puts an agent of a side on the map.
fn add(crowd: &mut Crowd, side: usize, at: Cell) -> AgentId {
    crowd.add_with(at, AgentSettings::new().with_kind(side - 1)).unwrap()
}

/// Checks that no cell belongs to two agents, and that none is on rock, from the states alone.
fn check_states(crowd: &Crowd, sides: &HashMap<AgentId, usize>) {
    let classes = crowd.classes().unwrap();
    let mut owners = HashMap::new();
    for (agent, state) in crowd.agents() {
        let side = sides[&agent] as u32;
        for cell in Size::new(side, side).cells().map(|cell| state.cell + (cell.x, cell.y)) {
            assert_eq!(owners.insert(cell, agent), None, "{cell}, {:.3} s", crowd.now());
            assert_eq!(classes.class(cell), Some(LAND), "{agent} in {cell}, {:.3} s", crowd.now());
            assert_eq!(crowd.agent_at(cell), Some(agent));
        }
    }
}

/// Lets time pass until all have arrived, and says whether they did.
fn all_arrive(crowd: &mut Crowd, agents: &[AgentId], seconds: f64) -> bool {
    let end = crowd.now() + CrowdTime::from_seconds(seconds);
    while crowd.now() < end && !agents.iter().all(|&agent| crowd.state(agent).unwrap().has_arrived) {
        crowd.advance(TICK);
    }
    agents.iter().all(|&agent| crowd.state(agent).unwrap().has_arrived)
}

/// Random orders and edits, checked by the checker of logs and by the states.
#[test]
fn agents_of_all_sizes_share_no_cell_while_the_ground_changes() {
    for seed in 0..8 {
        let mut rng = Rng::with_seed(seed);
        let size = [Size::new(26, 22), Size::new(130, 80)][seed as usize % 2];
        let rocks: Vec<_> = (0..size.area() / 20).map(|_| cell_of(&mut rng, size)).collect();
        let mut crowd = land(size, |cell| rocks.contains(&cell));
        let mut checker = Checker::with_kinds(crowd.classes().unwrap().clone(), crowd.rules(), crowd.pace()).unwrap();
        let mut sides = HashMap::new();
        while sides.len() < 30 {
            let kind = rng.usize(0..3);
            let settings = AgentSettings::new().with_kind(kind).with_priority(rng.i8(0..2));
            if let Ok(agent) = crowd.add_with(cell_of(&mut rng, size), settings) {
                sides.insert(agent, kind + 1);
            }
        }
        let mut agents: Vec<_> = sides.keys().copied().collect();
        agents.sort_unstable();
        let mut arrived = 0;
        for _ in 0..2000 {
            let agent = *rng.choice(&agents).unwrap();
            let cell = cell_of(&mut rng, size);
            match rng.u8(0..40) {
                0..4 => crowd.send(agent, cell, OnArrival::Stay),
                4 => crowd.send(agent, Goal::Follow(agents[0]), OnArrival::Stay),
                5 => crowd.send(agent, Goal::Beside(cell), OnArrival::Stay),
                6 => crowd.hold(agent),
                7 => _ = crowd.set_class(cell, ROCK),
                8 | 9 => _ = crowd.set_class(cell, LAND),
                10 => _ = crowd.set_class_area(cell, Size::new(2, 3), rng.u8(0..2)),
                11 => crowd.send_group(&agents[..6], cell),
                12 => crowd.stop(agent),
                13 => _ = crowd.set_level(cell, Level::new(rng.u8(0..2)).unwrap()),
                _ => {}
            }
            let events = crowd.advance(TICK);
            arrived += events.iter().filter(|event| matches!(event, CrowdEvent::Arrived { .. })).count();
            checker.add(events);
            checker.check_until(crowd.now());
            check_states(&crowd, &sides);
        }
        assert_eq!(checker.finish(), [], "seed {seed}");
        assert!(arrived > 20, "seed {seed}: {arrived}");
    }
}

fn cell_of(rng: &mut Rng, Size { width, height }: Size) -> Cell {
    Cell::new(rng.i32(0..width as i32), rng.i32(0..height as i32))
}

#[test]
fn a_large_agent_only_stands_where_its_whole_square_is_free() {
    let mut crowd = land(Size::new(6, 6), |cell| cell == Cell::new(3, 3));
    let two = AgentSettings::new().with_kind(1);
    for at in [Cell::new(2, 2), Cell::new(3, 3), Cell::new(5, 0), Cell::new(0, 5)] {
        assert!(crowd.add_with(at, two).is_err(), "{at}");
    }
    let tank = crowd.add_with(Cell::new(0, 0), two).unwrap();
    assert!(crowd.add(Cell::new(1, 1)).is_err());
    assert_eq!(crowd.agent_at(Cell::new(1, 1)), Some(tank));
    crowd.remove(tank);
    assert_eq!(crowd.agent_at(Cell::new(1, 1)), None);
    assert!(crowd.add(Cell::new(1, 1)).is_ok());
}

/// A giant walks through a field full of people who have nothing to do.
#[test]
fn small_agents_make_way_for_a_large_one() {
    let mut crowd = land(Size::new(24, 11), |_| false);
    let giant = add(&mut crowd, 3, Cell::new(0, 4));
    for cell in Size::new(10, 11).cells().filter(|cell| (cell.x + cell.y) % 2 == 0) {
        add(&mut crowd, 1, cell + (7, 0));
    }
    crowd.send(giant, Cell::new(21, 4), OnArrival::Stay);
    assert!(all_arrive(&mut crowd, &[giant], 40.0), "{:?}", crowd.state(giant));
}

/// A tank that rests in a lane as wide as itself makes way for travellers, as there is a recess beside it.
#[test]
fn a_large_agent_makes_way_for_small_ones() {
    let is_rock = |cell: Cell| cell.y >= 2 && !(6..8).contains(&cell.x);
    let mut crowd = land(Size::new(14, 4), is_rock);
    add(&mut crowd, 2, Cell::new(6, 0));
    let walkers: Vec<_> = (0..3).map(|x| add(&mut crowd, 1, Cell::new(x, 0))).collect();
    for (k, &walker) in walkers.iter().enumerate() {
        crowd.send(walker, Cell::new(11 + k as i32, 1), OnArrival::Stay);
    }
    assert!(all_arrive(&mut crowd, &walkers, 30.0));
}

/// Two tanks meet in the open.
#[test]
fn large_agents_pass_each_other_where_there_is_room() {
    let mut crowd = land(Size::new(20, 8), |_| false);
    let tanks = [(0, 2), (17, 3)].map(|(x, y)| add(&mut crowd, 2, Cell::new(x, y)));
    crowd.send(tanks[0], Cell::new(17, 3), OnArrival::Stay);
    crowd.send(tanks[1], Cell::new(0, 2), OnArrival::Stay);
    assert!(all_arrive(&mut crowd, &tanks, 60.0));
}

#[test]
fn an_edit_under_a_large_agent_asks_it_to_step_aside() {
    for side in [2, 3] {
        let mut crowd = land(Size::new(12, 12), |_| false);
        let agent = add(&mut crowd, side, Cell::new(5, 5));
        crowd.set_class(Cell::new(6, 6), ROCK);
        assert_eq!(crowd.classes().unwrap().class(Cell::new(6, 6)), Some(LAND));
        let waiting: Vec<_> = crowd.waiting_edits().collect();
        assert_eq!((waiting.len(), waiting[0].agent), (1, Some(agent)));
        crowd.advance(CrowdTime::from_seconds(4.0));
        assert_eq!(crowd.classes().unwrap().class(Cell::new(6, 6)), Some(ROCK), "side {side}");
    }
}

#[test]
fn large_agents_of_a_group_get_places_of_their_own() {
    let mut crowd = land(Size::new(30, 20), |_| false);
    let mut group: Vec<_> = (0..6).map(|k| add(&mut crowd, 2, Cell::new(0, 3 * k))).collect();
    group.extend((0..6).map(|k| add(&mut crowd, 1, Cell::new(3, 3 * k))));
    crowd.send_group(&group, Cell::new(22, 9));
    assert!(all_arrive(&mut crowd, &group, 60.0));
    let distance = |agent: &AgentId| crowd.state(*agent).unwrap().cell.distance_squared(Cell::new(22, 9));
    assert!(group.iter().all(|agent| distance(agent) <= 36));
}

#[test]
fn large_agents_come_beside_trees_and_each_other() {
    let tree = Cell::new(12, 6);
    let mut crowd = land(Size::new(24, 12), |cell| cell == tree);
    let leader = add(&mut crowd, 2, Cell::new(0, 0));
    let follower = add(&mut crowd, 3, Cell::new(20, 8));
    crowd.send(leader, Goal::Beside(tree), OnArrival::Stay);
    crowd.send(follower, Goal::Follow(leader), OnArrival::Stay);
    crowd.advance(CrowdTime::from_seconds(30.0));
    // How many columns or rows are between two squares.
    let gap = |one: Cell, side: i32, other: Cell, other_side: i32| {
        let between = |one: i32, other: i32| (other - one - side).max(one - other - other_side);
        between(one.x, other.x).max(between(one.y, other.y))
    };
    let [leader, follower] = [leader, follower].map(|agent| crowd.state(agent).unwrap().cell);
    assert_eq!(gap(leader, 2, tree, 1), 0);
    assert_eq!(gap(leader, 2, follower, 3), 0);
}

/// A free cell for another agent is free with all that it takes up, and no wall is between.
#[test]
fn the_nearest_free_cell_has_room_for_the_whole_agent() {
    let mut rng = Rng::with_seed(29);
    for round in 0..200 {
        let mut crowd = land(Size::new(12, 9), |_| false);
        let is_rock = |cell: Cell, rng: &mut Rng| cell.x == 6 && round % 3 > 0 || rng.u8(..8) == 0;
        let classes: Vec<_> = Size::new(12, 9).cells().filter(|&cell| is_rock(cell, &mut rng)).collect();
        classes.into_iter().for_each(|cell| assert!(crowd.set_class(cell, ROCK)));
        crowd.advance(TICK);
        for _ in 0..60 {
            let (side, from) = (rng.usize(1..4), Cell::new(rng.i32(-2..14), rng.i32(-2..11)));
            let Some(cell) = crowd.nearest_free(side - 1, from) else { continue };
            let grid = crowd.grids().nth(side - 1).unwrap().clone();
            let start = grid.nearest_passable(from).unwrap();
            let mut components = Components::new(StepRules::default());
            components.update(&grid);
            assert!(components.are_connected(&grid, start, cell), "round {round}: from {from} to {cell}");
            assert!(crowd.add_with(cell, AgentSettings::new().with_kind(side - 1)).is_ok(), "round {round}");
        }
        let full = Size::new(12, 9).cells().all(|cell| crowd.nearest_free(0, cell).is_none());
        let taken = Size::new(12, 9).cells().filter(|&cell| crowd.grid().is_passable(cell));
        assert_eq!(full, taken.into_iter().all(|cell| crowd.agent_at(cell).is_some()), "round {round}");
    }
}
