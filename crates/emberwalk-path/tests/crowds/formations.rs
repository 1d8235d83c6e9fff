//! Formations: the places of their agents, and agents that walk in them.

use std::collections::{HashMap, HashSet, VecDeque};

use emberwalk_path::crowd::{AgentId, Crowd, CrowdTime, OnArrival, Pace};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, Formation, StepRules};
use fastrand::Rng;

use super::grid;

/// Where the agents of a crowd are, from the first of them.
fn shape(crowd: &Crowd, agents: &[AgentId]) -> Vec<(f32, f32)> {
    let position = |&agent: &AgentId| {
        let state = crowd.state(agent).unwrap();
        let (from, to, part) = match state.step {
            Some(step) => (step.from, step.to, step.progress(crowd.now())),
            None => (state.cell, state.cell, 0.0),
        };
        let between = |from: i32, to: i32| from as f32 + part * (to - from) as f32;
        (between(from.x, to.x), between(from.y, to.y))
    };
    let positions: Vec<_> = agents.iter().map(position).collect();
    positions.iter().map(|&(x, y)| (x - positions[0].0, y - positions[0].1)).collect()
}

/// Sends agents that stand in a formation to another place, and lets them arrive; returns how far their shape was from the
/// first one on the way, in cells.
fn march(crowd: &mut Crowd, agents: &[AgentId], goal: Cell) -> f32 {
    let cells: Vec<_> = agents.iter().map(|&agent| crowd.state(agent).unwrap().cell).collect();
    let first = shape(crowd, agents);
    let places = Formation::of(cells).places(crowd.grid(), 1, crowd.rules(), goal);
    for (&agent, &place) in agents.iter().zip(&places) {
        crowd.send(agent, place, OnArrival::Stay);
    }
    let mut difference: f32 = 0.0;
    for _ in 0..4000 {
        crowd.advance(CrowdTime::SECOND.divided_by(20));
        let offsets =
            shape(crowd, agents).into_iter().zip(&first).map(|(one, other)| (one.0 - other.0, one.1 - other.1));
        difference = offsets.map(|(x, y)| x.abs().max(y.abs())).fold(difference, f32::max);
    }
    for (&agent, &place) in agents.iter().zip(&places) {
        let state = crowd.state(agent).unwrap();
        assert_eq!((state.cell, state.has_arrived), (place, true));
    }
    difference
}

fn block(crowd: &mut Crowd, centre: Cell, count: usize, columns: usize) -> Vec<AgentId> {
    let places = Formation::block(count, columns).places(crowd.grid(), 1, crowd.rules(), centre);
    places.into_iter().map(|place| crowd.add(place).unwrap()).collect()
}

#[test]
fn a_formation_that_goes_straight_on_over_open_ground_stays_together() {
    for (size, goal) in [(60, (50, 10)), (60, (12, 50)), (60, (46, 44)), (160, (140, 10)), (160, (112, 110))] {
        let open = CostGrid::open(Size::new(size, size)).unwrap();
        let mut crowd = Crowd::new(open, StepRules::default(), Pace::default());
        let agents = block(&mut crowd, Cell::new(12, 10), 20, 5);
        let difference = march(&mut crowd, &agents, goal.into());
        assert!(difference < 4.0, "{goal:?}: {difference}");
    }
}

#[test]
fn a_formation_folds_through_a_door_and_unfolds_behind_it() {
    let door = |cell: Cell| cell.x != 30 || cell.y == 20;
    let costs = CostGrid::from_fn(Size::new(60, 40), Diagonal::GAME, |cell| door(cell).then_some(EntryCost::TILE));
    let mut crowd = Crowd::new(costs.unwrap(), StepRules::default(), Pace::default());
    let agents = block(&mut crowd, Cell::new(12, 10), 12, 4);
    let first = shape(&crowd, &agents);
    assert!(march(&mut crowd, &agents, Cell::new(48, 22)) > 2.0, "they have to");
    assert_eq!(shape(&crowd, &agents), first);
}

#[test]
fn whoever_has_no_room_stands_beside_the_others_and_not_behind_a_wall() {
    let map =
        grid(&[".....#...", ".....#...", ".....#...", ".....#...", ".....#...", ".....#...", ".....#...", "........."]);
    let row = Formation::new([(-1, 0), (0, 0), (1, 0), (2, 0), (3, 0)]);
    let places = row.places(&map, 1, StepRules::default(), Cell::new(3, 1));
    assert_eq!(places[..3], [(2, 1), (3, 1), (4, 1)].map(Cell::from));
    assert_eq!(places[3..], [(4, 0), (4, 2)].map(Cell::from), "the wall, and what is behind it");
}

/// The fewest steps from a cell to each other one.
fn steps_from(costs: &CostGrid, rules: StepRules, start: Cell) -> HashMap<Cell, i32> {
    let mut steps = HashMap::from([(start, 0)]);
    let mut open = VecDeque::from([start]);
    while let Some(cell) = open.pop_front() {
        for next in cell.around(Size::new(1, 1)) {
            if rules.step_cost(costs, cell, next).is_some() && !steps.contains_key(&next) {
                steps.insert(next, steps[&cell] + 1);
                open.push_back(next);
            }
        }
    }
    steps
}

/// On random maps each place is one of its own, can be reached from the centre, and is the one of the formation wherever a
/// route no longer than allowed leads there.
#[test]
fn places_are_the_ones_of_the_formation_wherever_they_can_be() {
    let mut kept = 0;
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let size = Size::new(rng.u32(4..20), rng.u32(4..20));
        let walls: HashSet<_> = size.cells().filter(|_| rng.u8(0..4) == 0).collect();
        let costs = CostGrid::from_fn(size, Diagonal::GAME, |cell| (!walls.contains(&cell)).then_some(EntryCost::TILE));
        let costs = costs.unwrap();
        let offsets: HashSet<_> = (0..rng.usize(1..12)).map(|_| (rng.i32(-6..7), rng.i32(-6..7))).collect();
        let offsets: Vec<_> = offsets.into_iter().collect();
        let centre = Cell::new(rng.i32(-3..23), rng.i32(-3..23));
        let rules = StepRules::default();
        let places = Formation::new(offsets.clone()).places(&costs, 1, rules, centre);
        let Some(centre) = costs.nearest_passable(size.nearest(centre)) else { continue };
        let mut components = Components::new(rules);
        components.update(&costs);
        let room = size.cells().filter(|&cell| components.are_connected(&costs, centre, cell)).count();
        for &place in &places {
            assert!(components.are_connected(&costs, centre, place), "seed {seed}");
        }
        let different: HashSet<_> = places.iter().collect();
        let is_crowded = room < 4 * places.len();
        assert!(different.len() == places.len() || is_crowded, "seed {seed}");
        let steps = steps_from(&costs, rules, centre);
        for (&(x, y), &place) in offsets.iter().zip(&places) {
            let wanted = centre + (x, y);
            let is_near = steps.get(&wanted).is_some_and(|&steps| steps <= x.abs() + y.abs() + 4);
            assert_eq!(place == wanted, is_near, "seed {seed}: {wanted}");
            kept += usize::from(is_near);
        }
    }
    assert!(kept > 300, "{kept}");
}
