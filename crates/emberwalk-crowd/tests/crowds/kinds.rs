//! Agents of several kinds, paces and priorities in one crowd.

use emberwalk_crowd::{AgentId, AgentSettings, Crowd, CrowdError, OnArrival, WaitsFor};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery, StepRules};
use fastrand::Rng;

use super::checked::{CheckedCrowd, Game};
use super::{any_cell, arrivals, crowd_on_classes, open, seeded, steps_in};

const LAND: u8 = 0;
const WATER: u8 = 1;
const SHORE: u8 = 2;
const ROCK: u8 = 3;

fn tiles(tiles: f64) -> Option<EntryCost> {
    EntryCost::from_tiles(tiles).ok()
}

/// Infantry on land, boats on water, both on the shore, and carts that are slow there.
fn kinds() -> [AgentKind; 3] {
    let infantry = AgentKind::new().with_cost(LAND, tiles(1.0)).with_cost(SHORE, tiles(1.0));
    let boat = AgentKind::new().with_cost(WATER, tiles(1.0)).with_cost(SHORE, tiles(1.5));
    let cart = AgentKind::new().with_cost(LAND, tiles(1.0)).with_cost(SHORE, tiles(3.0));
    [infantry, boat, cart]
}

fn class(rng: &mut Rng, cell: Cell, half: i32) -> u8 {
    match (rng.u8(0..8), cell.x.cmp(&half)) {
        (0, _) => ROCK,
        (1 | 2, _) => SHORE,
        (_, std::cmp::Ordering::Less) => LAND,
        _ => WATER,
    }
}

/// Agents of all kinds go to and fro while the ground changes, and break no rule, on small and on large maps.
#[test]
fn kinds_walk_on_their_own_ground_while_it_changes() {
    for (seed, mut rng) in seeded(6) {
        let size = [Size::new(24, 20), Size::new(130, 80)][seed as usize % 2];
        let half = size.width as i32 / 2;
        let mut game = Game::of(crowd_on_classes(size, kinds(), |cell| class(&mut rng, cell, half)));
        let crowd = &mut game.crowd;
        let mut agents = Vec::new();
        while agents.len() < 60 {
            let kind = rng.usize(0..3);
            let own = Pace::new(CrowdTime::SECOND.divided_by(rng.u32(1..6)));
            let settings = AgentSettings::new().with_kind(kind).with_priority(rng.i8(-1..2));
            let settings = if rng.bool() { settings.with_pace(own) } else { settings };
            agents.extend(crowd.add_with(any_cell(size, &mut rng), settings).ok());
        }
        for _ in 0..60 {
            let agent = *rng.choice(&agents).unwrap();
            game.crowd.send(agent, any_cell(size, &mut rng), OnArrival::Stay);
            game.crowd.set_pace(agent, Pace::new(CrowdTime::SECOND.divided_by(rng.u32(1..6))));
            let cell = any_cell(size, &mut rng);
            game.crowd.set_class(cell, class(&mut rng, cell, half));
            game.advance(1.0);
        }
        game.check(&format!("seed {seed}"));
        let arrived = arrivals(&game.log).len();
        assert!(arrived > 5, "seed {seed}: {arrived}");
    }
}

/// Boats and infantry meet on the shore, which only has room for one row of them.
#[test]
fn kinds_make_way_for_each_other() {
    let class = |cell: Cell| match cell.y {
        0 | 1 => LAND,
        2 => SHORE,
        _ => WATER,
    };
    let mut crowd = crowd_on_classes(Size::new(12, 5), kinds(), class);
    let orders = (0..12).map(|x| (x % 2, Cell::new(x, 2), Cell::new(11 - x, if x % 2 == 0 { 0 } else { 4 })));
    let agents: Vec<_> = orders
        .map(|(kind, from, to)| {
            let agent = crowd.add_with(from, AgentSettings::new().with_kind(kind as usize)).unwrap();
            crowd.send(agent, to, OnArrival::Stay);
            agent
        })
        .collect();
    crowd.advance(CrowdTime::from_seconds(60.0));
    assert!(agents.iter().all(|&agent| crowd.state(agent).unwrap().has_arrived));
}

#[test]
fn only_kinds_that_exist_walk() {
    let classes = |kinds: &[AgentKind]| {
        ClassGrid::from_fn(Size::new(3, 3), Diagonal::GAME, kinds.iter().cloned(), |_| LAND).unwrap()
    };
    let crowd = |kinds: &[AgentKind]| Crowd::with_kinds(classes(kinds), StepRules::default(), Pace::default());
    assert_eq!(crowd(&[]).err(), Some(CrowdError::NoKind(0)));
    let [infantry, ..] = kinds();
    let mut one = crowd(&[infantry]).unwrap();
    let settings = AgentSettings::new().with_kind(1);
    assert_eq!(one.add_with(Cell::new(0, 0), settings), Err(CrowdError::NoKind(1)));
    assert!(!one.set(Cell::new(1, 1), None) && !one.set_for(0, Cell::new(1, 1), None), "a cost is not for classes");
    assert!(!one.set_area(Cell::new(0, 0), Size::new(2, 2), None));
    assert_eq!(one.waiting_edits().count(), 0);
    assert!(one.grid().is_passable(Cell::new(1, 1)));
}

/// Carts go round the mud that walkers cross: each kind takes the route that is the cheapest on its own grid. An edit for
/// one kind leaves the other alone.
#[test]
fn each_kind_has_costs_of_its_own() {
    let size = Size::new(11, 7);
    let mud = EntryCost::from_tiles(6.0).unwrap();
    let walkers = open(11, 7);
    let is_mud = |cell: Cell| (2..9).contains(&cell.x) && (1..6).contains(&cell.y);
    let carts = CostGrid::from_fn(size, Diagonal::GAME, |cell| Some(if is_mud(cell) { mud } else { EntryCost::TILE }));
    let grids = [walkers, carts.unwrap()];
    let crowd = Crowd::with_grids(grids, StepRules::default(), Pace::default()).unwrap();
    let mut crowd = CheckedCrowd::from(crowd);
    let (from, to) = (Cell::new(0, 3), Cell::new(10, 3));
    let cells_of = |crowd: &mut CheckedCrowd, kind: usize| {
        let agent = crowd.add_with(from, AgentSettings::new().with_kind(kind)).unwrap();
        crowd.send(agent, to, OnArrival::Leave);
        let mut cells = Vec::new();
        while crowd.state(agent).is_some() && crowd.now() < CrowdTime::from_whole_seconds(1000) {
            let events = crowd.advance(CrowdTime::SECOND);
            cells.extend(steps_in(events).map(|(_, step)| step.to));
        }
        assert_eq!(cells.last(), Some(&to));
        cells
    };
    assert!(cells_of(&mut crowd, 0).iter().all(|cell| cell.y == 3));
    assert!(!cells_of(&mut crowd, 1).into_iter().any(is_mud));
    // A road through the mud, for carts alone; then a wall for walkers alone.
    (2..9).for_each(|x| assert!(crowd.set_for(1, Cell::new(x, 3), Some(EntryCost::TILE))));
    size.cells().filter(|cell| cell.x == 5).for_each(|cell| assert!(crowd.set_for(0, cell, None)));
    assert!(cells_of(&mut crowd, 1).iter().all(|cell| cell.y == 3));
    let walker = crowd.add(from).unwrap();
    crowd.send(walker, to, OnArrival::Leave);
    crowd.advance(CrowdTime::SECOND);
    assert_eq!(crowd.waiting(walker).and_then(|wait| wait.on), Some(WaitsFor::Route));
    // An edit for all opens the wall.
    assert!(crowd.set(Cell::new(5, 6), Some(mud)));
    assert!(crowd.grids().all(|grid| grid.get(Cell::new(5, 6)) == Some(mud)));
    assert!(!crowd.set_for(2, Cell::new(5, 6), None), "there is no such kind");
    assert!(!crowd.set_for(0, Cell::new(11, 6), None), "it is off the map");
    crowd.advance(CrowdTime::from_whole_seconds(60));
    assert!(crowd.state(walker).is_none());
}

/// An agent that stays in its goal is pushed out by nobody who has the same goal, of whatever kind.
#[test]
fn agents_of_two_kinds_with_one_goal_come_to_rest() {
    for kinds in [[0, 0], [0, 1], [1, 0]] {
        let mut crowd = Crowd::with_grids([open(15, 9), open(15, 9)], StepRules::default(), Pace::default()).unwrap();
        let goal = Cell::new(7, 4);
        for (kind, from) in kinds.into_iter().zip([goal, Cell::new(0, 0)]) {
            let agent = crowd.add_with(from, AgentSettings::new().with_kind(kind)).unwrap();
            crowd.send(agent, goal, OnArrival::Stay);
        }
        let steps = steps_in(crowd.advance(CrowdTime::from_whole_seconds(600))).count();
        assert!(steps < 10, "{kinds:?}: {steps} steps");
    }
}

#[test]
fn grids_of_several_kinds_have_one_size() {
    let crowd = |widths: &[u32]| {
        let grids = widths.iter().map(|&width| open(width, 3));
        Crowd::with_grids(grids, StepRules::default(), Pace::default()).err()
    };
    assert_eq!(crowd(&[4, 4]), None);
    assert_eq!(crowd(&[]), Some(CrowdError::NoKind(0)));
    assert_eq!(crowd(&[4, 4, 5]), Some(CrowdError::OtherSize(2)));
}

/// A hero goes straight through a crowd that comes towards it, however long that has been on the way.
#[test]
fn an_agent_of_high_priority_yields_to_nobody() {
    let walk = |priority: i8| {
        let mut game = Game::new(&open(30, 3));
        let add = |game: &mut Game, from: Cell, to: Cell, priority: i8| -> AgentId {
            let agent = game.crowd.add_with(from, AgentSettings::new().with_priority(priority)).unwrap();
            game.crowd.send(agent, to, OnArrival::Stay);
            agent
        };
        for k in 0..60 {
            let from = Cell::new(29 - k / 3, k % 3);
            add(&mut game, from, from + (-10, 0), 0);
        }
        game.advance(5.0);
        let hero = add(&mut game, Cell::new(0, 1), Cell::new(29, 1), priority);
        while !game.state(hero).has_arrived && game.crowd.now() < CrowdTime::from_seconds(300.0) {
            game.advance(1.0);
        }
        game.crowd.now().seconds()
    };
    let [hero, other] = [walk(1), walk(0)];
    assert!(hero < 45.0 && hero <= other, "{hero} s and {other} s");
}

/// On a small map by the field of its goal, on a large one by a route of its own.
#[test]
fn the_route_of_an_agent_is_a_cheapest_one_of_its_kind() {
    for (seed, size) in [(1, Size::new(30, 20)), (2, Size::new(120, 100))] {
        let mut rng = Rng::with_seed(seed);
        let [one, other] = [3, 6].map(|most| {
            let cost = |_| EntryCost::from_tiles(f64::from(rng.u8(0..most))).ok();
            CostGrid::from_fn(size, Diagonal::GAME, cost).unwrap()
        });
        let mut crowd = Crowd::with_grids([one, other], StepRules::default(), Pace::default()).unwrap();
        let mut planners = [Planner::new(), Planner::new()];
        let mut found = 0;
        for _ in 0..60 {
            let [from, to] = [0; 2].map(|_| any_cell(size, &mut rng));
            let kind = rng.usize(0..2);
            let Ok(agent) = crowd.add_with(from, AgentSettings::new().with_kind(kind)) else { continue };
            crowd.send(agent, to, OnArrival::Stay);
            let grid = crowd.grids().nth(kind).unwrap();
            // A blocked goal is an error.
            let plan = planners[kind].plan(grid, &RouteQuery::new(from, to)).ok().and_then(|plan| plan.route);
            let cells = crowd.route(agent);
            if let Some(plan) = plan {
                found += 1;
                assert_eq!([cells.first(), cells.last()], [Some(&from), Some(&to)]);
                let steps =
                    cells.windows(2).map(|step| crowd.rules().step_cost(grid, step[0], step[1]).unwrap().units());
                assert_eq!(steps.sum::<u64>(), plan.cost.units());
                assert_eq!(crowd.remaining(agent).unwrap().cost, plan.cost);
            } else {
                assert_eq!(cells, []);
            }
            crowd.remove(agent);
        }
        assert!(found > 20, "{found}");
    }
}
