//! Agents of several kinds, paces and priorities in one crowd.

use emberwalk_path::crowd::{
    AgentId, AgentSettings, Checker, Crowd, CrowdError, CrowdEvent, CrowdTime, OnArrival, Pace, conflicts,
};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
use fastrand::Rng;

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
    for seed in 0..6 {
        let mut rng = Rng::with_seed(seed);
        let size = [Size::new(24, 20), Size::new(130, 80)][seed as usize % 2];
        let half = size.width as i32 / 2;
        let classes = ClassGrid::from_fn(size, Diagonal::GAME, kinds(), |cell| class(&mut rng, cell, half)).unwrap();
        let (rules, pace) = (StepRules::default(), Pace::new(CrowdTime::SECOND.divided_by(3)));
        let mut checker = Checker::with_kinds(classes.clone(), rules, pace).unwrap();
        let mut crowd = Crowd::with_kinds(classes, rules, pace).unwrap();
        let random_cell = |rng: &mut Rng| Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
        let mut agents = Vec::new();
        while agents.len() < 60 {
            let kind = rng.usize(0..3);
            let own = Pace::new(CrowdTime::SECOND.divided_by(rng.u32(1..6)));
            let settings = AgentSettings::new().with_kind(kind).with_priority(rng.i8(-1..2));
            let settings = if rng.bool() { settings.with_pace(own) } else { settings };
            agents.extend(crowd.add_with(random_cell(&mut rng), settings).ok());
        }
        let mut arrived = 0;
        for tick in 0..1200 {
            if tick % 20 == 0 {
                let agent = *rng.choice(&agents).unwrap();
                crowd.send(agent, random_cell(&mut rng), OnArrival::Stay);
                crowd.set_pace(agent, Pace::new(CrowdTime::SECOND.divided_by(rng.u32(1..6))));
                let cell = random_cell(&mut rng);
                crowd.set_class(cell, class(&mut rng, cell, half));
            }
            let events = crowd.advance(CrowdTime::SECOND.divided_by(20));
            arrived += events.iter().filter(|event| matches!(event, CrowdEvent::Arrived { .. })).count();
            checker.add(events);
            checker.check_until(crowd.now());
        }
        assert_eq!(checker.finish(), [], "seed {seed}");
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
    let classes = ClassGrid::from_fn(Size::new(12, 5), Diagonal::GAME, kinds(), class).unwrap();
    let mut crowd = Crowd::with_kinds(classes, StepRules::default(), Pace::default()).unwrap();
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
    assert!(one.set(Cell::new(1, 1), None), "a cost is for a crowd without kinds");
    assert!(one.grid().is_passable(Cell::new(1, 1)));
}

/// A hero goes straight through a crowd that comes towards it, however long that has been on the way.
#[test]
fn an_agent_of_high_priority_yields_to_nobody() {
    let grid = CostGrid::from_fn(Size::new(30, 3), Diagonal::GAME, |_| Some(EntryCost::TILE)).unwrap();
    let walk = |priority: i8| {
        let (rules, pace) = (StepRules::default(), Pace::default());
        let mut crowd = Crowd::new(grid.clone(), rules, pace);
        let add = |crowd: &mut Crowd, from: Cell, to: Cell, priority: i8| -> AgentId {
            let agent = crowd.add_with(from, AgentSettings::new().with_priority(priority)).unwrap();
            crowd.send(agent, to, OnArrival::Stay);
            agent
        };
        for k in 0..60 {
            let from = Cell::new(29 - k / 3, k % 3);
            add(&mut crowd, from, from + (-10, 0), 0);
        }
        let mut log = crowd.advance(CrowdTime::from_seconds(5.0)).to_vec();
        let hero = add(&mut crowd, Cell::new(0, 1), Cell::new(29, 1), priority);
        while !crowd.state(hero).unwrap().has_arrived && crowd.now() < CrowdTime::from_seconds(300.0) {
            log.extend_from_slice(crowd.advance(CrowdTime::SECOND));
        }
        assert_eq!(conflicts(grid.clone(), rules, pace, &log), []);
        crowd.now().seconds()
    };
    let [hero, other] = [walk(1), walk(0)];
    assert!(hero < 45.0 && hero <= other, "{hero} s and {other} s");
}

/// A step that an agent has decided to take keeps its duration.
#[test]
fn a_new_pace_begins_with_the_next_step() {
    let grid = CostGrid::from_fn(Size::new(5, 1), Diagonal::GAME, |_| Some(EntryCost::TILE)).unwrap();
    let (rules, pace) = (StepRules::default(), Pace::default());
    let mut crowd = Crowd::new(grid.clone(), rules, pace);
    let agent = crowd.add(Cell::new(0, 0)).unwrap();
    crowd.send(agent, Cell::new(4, 0), OnArrival::Stay);
    let mut log = crowd.advance(CrowdTime::from_seconds(0.5)).to_vec();
    crowd.set_pace(agent, Pace::new(CrowdTime::SECOND.divided_by(2)));
    log.extend_from_slice(crowd.advance(CrowdTime::from_seconds(10.0)));
    let arrival = log.iter().find_map(|event| match event {
        CrowdEvent::Arrived { time, .. } => Some(time.seconds()),
        _ => None,
    });
    assert_eq!(arrival, Some(2.5));
    assert_eq!(conflicts(grid, rules, pace, &log), []);
}
