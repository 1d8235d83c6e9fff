//! Agents of 2 x 2 and 3 x 3 cells, among others.

use std::collections::HashMap;

use emberwalk_crowd::{AgentId, AgentSettings, Crowd, CrowdEvent, Goal, OnArrival};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{ClimbRule, Components, Diagonal, EntryCost, Level, StepRules};
use fastrand::Rng;

use super::checked::{CheckedCrowd, Game};
use super::taken::gap;
use super::{TICK, any_cell, arrivals, count, crowd_on_classes, kinds_of_sides, random_rules, seeded, stuck};

const LAND: u8 = 0;
const ROCK: u8 = 1;
const ROAD: u8 = 2;
/// How many random worlds are tried.
const WORLDS: u64 = 150;

/// The side of an agent, where it starts, and where it goes.
type Trip = (usize, (i32, i32), (i32, i32));

/// Kinds of 1 x 1, 2 x 2 and 3 x 3 cells on land.
pub(super) fn land(size: Size, is_rock: impl Fn(Cell) -> bool) -> Crowd {
    let class = |cell| if is_rock(cell) { ROCK } else { LAND };
    let classes = ClassGrid::from_fn(size, Diagonal::GAME, kinds_of_sides([1, 2, 3]), class).unwrap();
    let pace = Pace::new(CrowdTime::SECOND.divided_by(3));
    Crowd::with_kinds(classes, StepRules::default(), pace).unwrap()
}

/// Puts an agent of a side on the map.
pub(super) fn add(crowd: &mut Crowd, side: usize, at: Cell) -> AgentId {
    crowd.add_with(at, AgentSettings::new().with_kind(side - 1)).unwrap()
}

/// Adds agents of these sides that go from cell to cell.
fn add_trips(crowd: &mut Crowd, trips: &[Trip]) -> Vec<AgentId> {
    let mut add_trip = |&(side, from, to): &Trip| {
        let agent = add(crowd, side, from.into());
        crowd.send(agent, Cell::from(to), OnArrival::Stay);
        agent
    };
    trips.iter().map(&mut add_trip).collect()
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

/// A large agent goes round agents that rest in any of the cells that it would take up.
#[test]
fn a_large_agent_walks_round_resting_agents() {
    for y in [3, 4] {
        let mut crowd = land(Size::new(14, 8), |_| false);
        let rests = add(&mut crowd, 1, Cell::new(7, y));
        let cart = add(&mut crowd, 2, Cell::new(0, 3));
        crowd.send(cart, Cell::new(12, 3), OnArrival::Leave);
        crowd.advance(CrowdTime::from_seconds(30.0));
        assert!(crowd.state(cart).is_none());
        assert_eq!(crowd.state(rests).unwrap().cell, Cell::new(7, y));
    }
}

/// Random orders and edits, checked by the checker of logs and by the states.
#[test]
fn agents_of_all_sizes_share_no_cell_while_the_ground_changes() {
    for (seed, mut rng) in seeded(8) {
        let size = [Size::new(26, 22), Size::new(130, 80)][seed as usize % 2];
        let rocks: Vec<_> = (0..size.area() / 20).map(|_| any_cell(size, &mut rng)).collect();
        let mut game = Game::of(land(size, |cell| rocks.contains(&cell)));
        let mut sides = HashMap::new();
        while sides.len() < 30 {
            let kind = rng.usize(0..3);
            let settings = AgentSettings::new().with_kind(kind).with_priority(rng.i8(0..2));
            if let Ok(agent) = game.crowd.add_with(any_cell(size, &mut rng), settings) {
                sides.insert(agent, kind + 1);
            }
        }
        let mut agents: Vec<_> = sides.keys().copied().collect();
        agents.sort_unstable();
        for _ in 0..2000 {
            let crowd = &mut game.crowd;
            let agent = *rng.choice(&agents).unwrap();
            let cell = any_cell(size, &mut rng);
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
            game.advance_by(TICK);
            check_states(&game.crowd, &sides);
        }
        game.check(&format!("seed {seed}"));
        let arrived = arrivals(&game.log).len();
        assert!(arrived > 20, "seed {seed}: {arrived}");
    }
}

/// A small world of agents of random sizes with random climb rules, whose ground changes where they are: walls, areas and
/// levels.
struct World {
    crowd: CheckedCrowd,
    kinds: HashMap<AgentId, usize>,
    rng: Rng,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let size = Size::new(rng.u32(3..18), rng.u32(3..14));
        let kinds: Vec<_> = (0..rng.usize(1..4))
            .map(|_| {
                let climb = ClimbRule::new(1.0, 0.5, 1).unwrap().with_most(rng.u8(0..3), rng.u8(0..3)).unwrap();
                let road = EntryCost::from_tiles(3.0).ok().filter(|_| rng.bool());
                let kind = AgentKind::new().with_cost(LAND, Some(EntryCost::TILE)).with_cost(ROAD, road);
                kind.with_climb(climb).with_side(rng.u8(1..5))
            })
            .collect();
        let class = |_| if rng.u8(0..12) == 0 { ROCK } else { LAND };
        let classes = ClassGrid::from_fn(size, Diagonal::GAME, kinds, class).unwrap();
        let crowd = Crowd::with_kinds(classes, random_rules(&mut rng), Pace::default()).unwrap();
        Self { crowd: crowd.into(), kinds: HashMap::new(), rng }
    }

    /// Any cell, often one where an agent is or that it is about to enter, or one beside it.
    fn cell(&mut self) -> Cell {
        let any = any_cell(self.crowd.grid().size(), &mut self.rng);
        let positions: Vec<_> = self.crowd.positions().collect();
        let Some(&(_, at, step)) = self.rng.choice(&positions) else { return any };
        let at = step.filter(|_| self.rng.bool()).map_or(at, |step| step.to);
        if self.rng.u8(0..3) == 0 { any } else { at + (self.rng.i32(-1..4), self.rng.i32(-1..4)) }
    }

    fn interfere(&mut self) {
        let agents: Vec<_> = self.crowd.agents().map(|(agent, _)| agent).collect();
        let (agent, cell) = (self.rng.choice(&agents).copied(), self.cell());
        let class = [LAND, ROAD, ROCK][self.rng.usize(0..3)];
        let kind = self.rng.usize(0..self.crowd.classes().unwrap().kinds().len());
        match (self.rng.u8(0..20), agent) {
            (0..2, _) | (_, None) => {
                if let Ok(agent) = self.crowd.add_with(cell, AgentSettings::new().with_kind(kind)) {
                    self.kinds.insert(agent, kind);
                }
            }
            (2..7, Some(agent)) => self.crowd.send(agent, cell, OnArrival::Stay),
            (7, Some(agent)) => self.crowd.hold(agent),
            (8, Some(agent)) => self.crowd.stop(agent),
            (9, Some(agent)) if agents.len() > 3 => self.crowd.remove(agent),
            (10..12, _) => _ = self.crowd.set_class(cell, class),
            (12, _) => {
                let size = Size::new(self.rng.u32(1..4), self.rng.u32(1..4));
                _ = self.crowd.set_class_area(cell, size, class);
            }
            (13..18, _) => _ = self.crowd.set_level(cell, Level::new(self.rng.u8(0..4)).unwrap()),
            _ => {}
        }
    }

    /// Checks from the state alone that no cell belongs to two agents, and that each agent can stand where it is.
    fn check(&self, what: &str) {
        let classes = self.crowd.classes().unwrap();
        let mut owners = HashMap::new();
        for (agent, at, _) in self.crowd.positions() {
            let kind = &classes.kinds()[self.kinds[&agent]];
            let side = u32::from(kind.side());
            let cells: Vec<_> = Size::new(side, side).cells().map(|cell| at + (cell.x, cell.y)).collect();
            for &cell in &cells {
                assert_eq!(owners.insert(cell, agent), None, "{what}: {cell}");
                assert!(
                    classes.class(cell).is_some_and(|class| kind.cost(class).is_some()),
                    "{what}: {agent} in {cell}"
                );
            }
            let levels = || cells.iter().map(|&cell| classes.level(cell));
            let steepest = levels().max().unwrap().get() - levels().min().unwrap().get();
            let most = kind.climb.up_most().max(kind.climb.down_most());
            assert!(steepest <= most, "{what}: {agent} at {at}");
        }
    }
}

/// Edits wait for agents of all sizes: nobody ever stands where its kind cannot be.
#[test]
fn levels_and_walls_trap_nobody() {
    for seed in 0..WORLDS {
        let mut world = World::new(seed);
        for tick in 0..150 {
            for _ in 0..world.rng.u8(0..4) {
                world.interfere();
            }
            let seconds = [0.05, 0.25, 0.4][world.rng.usize(0..3)];
            world.crowd.advance(CrowdTime::from_seconds(seconds));
            world.check(&format!("seed {seed}, tick {tick}"));
        }
        world.crowd.check(&format!("seed {seed}"));
    }
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
    let walkers = add_trips(&mut crowd, &[0, 1, 2].map(|x| (1, (x, 0), (11 + x, 1))));
    assert!(all_arrive(&mut crowd, &walkers, 30.0));
}

/// Two tanks meet in the open.
#[test]
fn large_agents_pass_each_other_where_there_is_room() {
    let mut crowd = land(Size::new(20, 8), |_| false);
    let tanks = add_trips(&mut crowd, &[(2, (0, 2), (17, 3)), (2, (17, 3), (0, 2))]);
    assert!(all_arrive(&mut crowd, &tanks, 60.0));
}

/// Sends agents of these sides from cell to cell, and checks that all arrive without a conflict. Returns the time.
#[track_caller]
fn check_arrivals(crowd: Crowd, orders: &[Trip], seconds: f64) {
    let mut crowd = CheckedCrowd::from(crowd);
    let agents = add_trips(&mut crowd, orders);
    let sides: HashMap<_, _> = agents.iter().zip(orders).map(|(&agent, order)| (agent, order.0)).collect();
    while !agents.iter().all(|&agent| crowd.state(agent).unwrap().has_arrived) {
        assert!(crowd.now() < CrowdTime::from_seconds(seconds), "{orders:?}");
        crowd.advance(TICK);
        check_states(&crowd, &sides);
    }
    crowd.check(&format!("{orders:?}"));
}

/// A lane along the southern border, as wide as this, and bays north of it: the first column, the width and the depth
/// of each.
fn lane(length: u32, width: i32, bays: &[(i32, i32, i32)]) -> Crowd {
    let is_in_bay =
        |cell: Cell| bays.iter().any(|&(x, width, depth)| (x..x + width).contains(&cell.x) && cell.y >= 4 - depth);
    land(Size::new(length, 4 + width as u32), |cell| cell.y < 4 && !is_in_bay(cell))
}

/// In a lane that is as wide as they are, there is a bay that is exactly as wide and as deep.
#[test]
fn large_agents_change_places_at_a_bay_of_their_size() {
    for side in [2, 3] {
        let (size, end) = (side as i32, 20 - side as i32);
        for bay in [3, 9, end - 3] {
            let crowd = lane(20, size, &[(bay, size, size)]);
            check_arrivals(crowd, &[(side, (0, 4), (end, 4)), (side, (end, 4), (0, 4))], 120.0);
        }
    }
    check_arrivals(lane(24, 3, &[(12, 2, 2)]), &[(3, (0, 4), (21, 4)), (2, (22, 5), (0, 4))], 120.0);
}

/// They are led out of a jam together, two and two, and with agents of one cell.
#[test]
fn agents_of_all_sizes_change_places_at_a_bay() {
    let wagons = [(2, (2, 4), (16, 4)), (2, (17, 4), (2, 4))];
    for walker in [((5, 4), (19, 5)), ((0, 4), (19, 5)), ((16, 5), (0, 4))] {
        check_arrivals(lane(20, 2, &[(9, 2, 2)]), &[wagons[0], wagons[1], (1, walker.0, walker.1)], 200.0);
    }
    let others = [(2, (5, 4), (20, 4)), (2, (20, 4), (6, 4))];
    check_arrivals(lane(24, 2, &[(8, 2, 2), (13, 2, 2)]), &[wagons[0], others[0], wagons[1], others[1]], 300.0);
}

/// Four carts from each side meet in a gate of three.
#[test]
fn carts_change_sides_through_a_gate_for_one() {
    let gate = |cell: Cell| cell.x == 20 && !(8..11).contains(&cell.y);
    let orders = (0..4).flat_map(|k| [(2, (4, 3 * k + 2), (34, 3 * k + 2)), (2, (34, 3 * k + 2), (4, 3 * k + 2))]);
    let walkers = (0..6).flat_map(|k| [(1, (0, k + 2), (40, k + 2)), (1, (40, k + 2), (0, k + 2))]);
    check_arrivals(land(Size::new(41, 20), gate), &orders.clone().collect::<Vec<_>>(), 120.0);
    check_arrivals(land(Size::new(41, 20), gate), &orders.chain(walkers).collect::<Vec<_>>(), 240.0);
}

/// Where two meet, the only bay is far behind one of them.
#[test]
fn a_bay_far_back_is_found() {
    for side in [1, 2] {
        let (width, depth) = (side as i32, side as i32);
        let crowd = lane(500, width, &[(10, width, depth)]);
        check_arrivals(crowd, &[(side, (20, 4), (498, 4)), (side, (480, 4), (0, 4))], 900.0);
    }
}

/// Nobody gets out where there is no room at all, and that is said once.
#[test]
fn large_agents_that_cannot_get_out_are_told() {
    let mut crowd = lane(16, 2, &[(7, 2, 1)]);
    let wagons = add_trips(&mut crowd, &[(2, (0, 4), (14, 4)), (2, (14, 4), (0, 4))]);
    let log = crowd.advance(CrowdTime::from_seconds(120.0));
    assert!(wagons.into_iter().all(|wagon| stuck(log, wagon) == 1));
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

/// A level under a part of a large agent that would make its place too steep waits until the agent is somewhere else.
#[test]
fn a_level_waits_for_a_large_agent_that_it_would_trap() {
    for (goal, at) in [(None, (6, 4)), (Some((1, 3)), (6, 4)), (Some((10, 3)), (5, 3)), (Some((9, 5)), (5, 4))] {
        let mut crowd = CheckedCrowd::from(land(Size::new(14, 8), |_| false));
        let (wagon, at) = (add(&mut crowd, 2, Cell::new(5, 3)), Cell::from(at));
        let goal = goal.map(Cell::from);
        goal.into_iter().for_each(|goal| crowd.send(wagon, goal, OnArrival::Stay));
        let level = Level::new(2).unwrap();
        assert!(crowd.set_level(at, level));
        let waiting: Vec<_> = crowd.waiting_edits().map(|edit| (edit.cell, edit.agent)).collect();
        assert_eq!(waiting, [(at, Some(wagon))]);
        let log = crowd.advance(CrowdTime::from_seconds(10.0)).to_vec();
        assert_eq!(count(&log, |event| matches!(event, CrowdEvent::EditWaits { .. })), 1);
        assert_eq!(crowd.classes().unwrap().level(at), level, "the wagon makes room");
        assert_eq!(crowd.state(wagon).unwrap().has_arrived, goal.is_some());
        crowd.check(&format!("{at}"));
    }
}

/// What is not too steep for a large agent, and what is under a small one, is changed immediately.
#[test]
fn a_level_waits_only_for_agents_that_it_would_trap() {
    let mut crowd = land(Size::new(12, 8), |_| false);
    add(&mut crowd, 2, Cell::new(5, 3));
    add(&mut crowd, 1, Cell::new(2, 2));
    for (at, level) in [((6, 4), 1), ((2, 2), 2), ((4, 3), 2), ((7, 4), 2), ((6, 2), 3), ((5, 3), 1)] {
        let (at, level) = (Cell::from(at), Level::new(level).unwrap());
        crowd.set_level(at, level);
        assert_eq!(crowd.classes().unwrap().level(at), level, "{at}");
    }
}

/// An edit waits for steps near all borders, in a crowd in which some kind is large.
#[test]
fn edits_wait_for_steps_along_the_borders() {
    let size = Size::new(9, 7);
    for side in [2, 3] {
        for from in size.cells() {
            for direction in Direction::CORNERS {
                let (to, mut crowd) = (from + direction, CheckedCrowd::from(land(size, |_| false)));
                let Ok(walker) = crowd.add(from) else { continue };
                if !size.contains(to) {
                    continue;
                }
                let far = if from.x < 4 { Cell::new(6, 4) } else { Cell::new(0, 4) };
                _ = crowd.add_with(far, AgentSettings::new().with_kind(side - 1));
                crowd.advance(CrowdTime::ZERO);
                crowd.send(walker, to, OnArrival::Stay);
                crowd.advance(TICK);
                let corners = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
                crowd.set_class(corners[0], ROCK);
                crowd.set_level(corners[1], Level::new(2).unwrap());
                crowd.set_level(from, Level::new(2).unwrap());
                let waiting = crowd.waiting_edits().filter(|edit| edit.agent == Some(walker)).count();
                assert_eq!(waiting, 3, "{from} to {to}");
                crowd.advance(CrowdTime::SECOND);
                assert_eq!(crowd.waiting_edits().count(), 0, "{from} to {to}");
                crowd.check(&format!("{from} to {to}"));
            }
        }
    }
}

/// Walls that are built one after the other where a wagon stands, and taken away again, leave nothing behind.
#[test]
fn nobody_goes_round_a_wall_that_is_gone() {
    let mut crowd = crowd_on_classes(Size::new(12, 2), kinds_of_sides([2]), |_| LAND);
    let wagon = crowd.add(Cell::new(5, 0)).unwrap();
    let walls = [(5, 0), (5, 1), (6, 0), (6, 1)].map(Cell::from);
    walls.iter().for_each(|&wall| assert!(crowd.set_class(wall, ROCK)));
    crowd.advance(CrowdTime::from_seconds(10.0));
    assert_eq!(crowd.waiting_edits().count(), 0);
    walls.iter().for_each(|&wall| assert!(crowd.set_class(wall, LAND)));
    let goal = if crowd.state(wagon).unwrap().cell.x < 5 { 10 } else { 0 };
    crowd.send(wagon, Cell::new(goal, 0), OnArrival::Stay);
    assert!(crowd.remaining(wagon).unwrap().cost.tiles() < 12.0);
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
            let (side, from) = (rng.usize(1..4), any_cell(Size::new(16, 13), &mut rng) + (-2, -2));
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

/// In a game there is always an agent somewhere that comes nearer to its goal. Carts that cannot get past each other
/// are no queue that only has to wait because of that.
#[test]
fn carts_pass_each_other_whatever_happens_elsewhere() {
    // A lane of width 2 between two rooms, with two bays, and a yard of its own.
    let is_lane =
        |cell: Cell| (4..6).contains(&cell.y) || (2..4).contains(&cell.y) && [14, 15, 22, 23].contains(&cell.x);
    let is_room = |cell: Cell| cell.x < 8 || (30..38).contains(&cell.x);
    let is_rock = |cell: Cell| match cell.x {
        38 => true,
        39.. => false,
        _ => !is_room(cell) && !is_lane(cell),
    };
    for is_busy in [false, true] {
        let mut crowd = land(Size::new(42, 10), is_rock);
        let starts_and_goals = [(6, (36, 0)), (4, (36, 2)), (2, (36, 6)), (0, (36, 8)), (30, (0, 0))];
        let carts = add_trips(&mut crowd, &starts_and_goals.map(|(x, goal)| (2, (x, 4), goal)));
        if is_busy {
            let sentry = add(&mut crowd, 1, Cell::new(39, 0));
            crowd.patrol(sentry, [Cell::new(39, 0), Cell::new(41, 9)]);
        }
        assert!(all_arrive(&mut crowd, &carts, 120.0), "busy: {is_busy}");
    }
}
