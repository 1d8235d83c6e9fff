//! Formations: the places of their agents, and agents that walk in them.

use std::collections::{HashMap, HashSet, VecDeque};

use emberwalk_crowd::{AgentId, Crowd, Formation, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{Components, CostGrid, StepRules};

use super::{any_cell, open, open_where, seeded};

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
        let mut crowd = Crowd::new(open(size, size), StepRules::default(), Pace::default());
        let agents = block(&mut crowd, Cell::new(12, 10), 20, 5);
        let difference = march(&mut crowd, &agents, goal.into());
        assert!(difference < 4.0, "{goal:?}: {difference}");
    }
}

#[test]
fn a_formation_folds_through_a_door_and_unfolds_behind_it() {
    let costs = open_where(Size::new(60, 40), |cell| cell.x != 30 || cell.y == 20);
    let mut crowd = Crowd::new(costs, StepRules::default(), Pace::default());
    let agents = block(&mut crowd, Cell::new(12, 10), 12, 4);
    let first = shape(&crowd, &agents);
    assert!(march(&mut crowd, &agents, Cell::new(48, 22)) > 2.0, "they have to");
    assert_eq!(shape(&crowd, &agents), first);
}

#[test]
fn an_agent_without_room_stands_beside_the_others_and_not_behind_a_wall() {
    let map = open_where(Size::new(9, 8), |cell| cell.x != 5 || cell.y == 7);
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
    for (seed, mut rng) in seeded(300) {
        let size = Size::new(rng.u32(4..20), rng.u32(4..20));
        let walls: HashSet<_> = size.cells().filter(|_| rng.u8(0..4) == 0).collect();
        let costs = open_where(size, |cell| !walls.contains(&cell));
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

/// Whether two agents change sides on the way to these places: whether it would be shorter the other way round.
fn crosses(agents: (Cell, Cell), places: (Cell, Cell)) -> bool {
    let ((ax, ay), (px, py)) = (agents.1 - agents.0, places.1 - places.0);
    ax * px + ay * py < 0
}

#[track_caller]
fn assert_nobody_crosses(agents: &[Cell], places: &[Cell], what: &str) {
    for k in 0..agents.len() {
        for other in 0..k {
            let pairs = ((agents[k], agents[other]), (places[k], places[other]));
            assert!(!crosses(pairs.0, pairs.1), "{what}: agents {k} and {other} of {agents:?} in {places:?}");
        }
    }
}

#[test]
fn nobody_changes_wings_or_ranks_in_an_about_face() {
    let costs = open(80, 80);
    let wedge = Formation::new([(0, 0), (-1, 1), (1, 1), (-2, 2), (2, 2), (0, 2)]);
    let middle = Cell::new(40, 40);
    for (what, formation) in [
        ("block of 6", Formation::block(6, 3)),
        ("block of 20", Formation::block(20, 6)),
        ("row", Formation::block(5, 5)),
        ("column", Formation::block(5, 1)),
        ("wedge", wedge),
    ] {
        for there in [(15, 0), (-15, 0), (0, 15), (0, -15), (12, 12), (-12, 12)] {
            let there = middle + there;
            let places = |from, to| formation.facing(from, to).places(&costs, 1, StepRules::default(), to);
            let (stand, back) = (places(middle, there), places(there, middle));
            assert_nobody_crosses(&stand, &back, what);
            assert_nobody_crosses(&back, &stand, what);
            // It is the same shape as with a first rank that stays the first.
            let turned = formation.turned(there, middle).places(&costs, 1, StepRules::default(), middle);
            assert_eq!(back.iter().collect::<HashSet<_>>(), turned.iter().collect(), "{what}");
        }
    }
}

/// Agents that stand in any order and place get those places of the formation that do not cross.
#[test]
fn places_for_agents_let_nobody_cross() {
    for (seed, mut rng) in seeded(60) {
        let size = Size::new(60, 60);
        let costs = open_where(size, |_| rng.u8(0..9) > 0);
        let agents: HashSet<_> = (0..rng.usize(1..40)).map(|_| any_cell(size, &mut rng)).collect();
        let mut agents: Vec<_> = agents.into_iter().collect();
        agents.sort();
        rng.shuffle(&mut agents);
        let formation = Formation::block(agents.len(), rng.usize(1..9));
        let (from, to) = (any_cell(size, &mut rng), Cell::new(rng.i32(20..40), rng.i32(20..40)));
        let formation = formation.facing(from, to);
        let rules = StepRules::default();
        let places = formation.places_for(&agents, &costs, 1, rules, to);
        assert_nobody_crosses(&agents, &places, &format!("seed {seed}"));
        let sorted = |mut places: Vec<Cell>| {
            places.sort();
            places
        };
        assert_eq!(sorted(places.clone()), sorted(formation.places(&costs, 1, rules, to)), "seed {seed}");
        // Who stands there already stays.
        assert_eq!(formation.places_for(&places, &costs, 1, rules, to), places, "seed {seed}");
    }
}

/// The ranks march back as they are, and none of them has to make way for another one.
#[test]
fn a_block_that_faces_about_marches_back_without_a_step_aside() {
    let costs = open(60, 30);
    let (west, east) = (Cell::new(10, 15), Cell::new(40, 15));
    let block = Formation::block(12, 6);
    let mut crowd = Crowd::new(costs.clone(), StepRules::default(), Pace::default());
    let stand = block.facing(west, east).places(&costs, 1, StepRules::default(), east);
    let agents: Vec<_> = stand.iter().map(|&place| crowd.add(place).unwrap()).collect();
    let back = block.facing(east, west).places(&costs, 1, StepRules::default(), west);
    for (&agent, &place) in agents.iter().zip(&back) {
        crowd.send(agent, place, OnArrival::Stay);
    }
    let moves: HashSet<_> = stand.iter().zip(&back).map(|(&from, &to)| to - from).collect();
    assert_eq!(moves.len(), 1, "all go in the same direction, and as far: {moves:?}");
    crowd.advance(CrowdTime::from_whole_seconds(31));
    assert!(agents.iter().all(|&agent| crowd.state(agent).unwrap().has_arrived));
}
