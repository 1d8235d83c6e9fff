//! The checker of logs: what happens at one time happens in order, and logs of any kind can be checked.

use emberwalk_crowd::{AgentId, Checker, ConflictKind, Crowd, CrowdEvent, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::ClassGrid;
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::{ClimbRule, Corners, CostGrid, Diagonal, EntryCost, Level, Moves, RouteCost, StepRules};

use super::checked::CheckedCrowd;
use super::{PACE, add_and_send, kinds_of_sides, open};

fn kinds(grid: CostGrid, log: &[CrowdEvent]) -> Vec<ConflictKind> {
    conflicts(grid, StepRules::default(), PACE, log).iter().map(|conflict| conflict.kind).collect()
}

#[test]
fn a_cell_is_blocked_and_opened_before_a_agent_is_put_there() {
    let cell = Cell::new(1, 0);
    let mut crowd = Crowd::new(open(3, 1), StepRules::default(), PACE);
    crowd.set(cell, None);
    crowd.set(cell, Some(EntryCost::TILE));
    let agent = crowd.add(cell).unwrap();
    crowd.remove(agent);
    crowd.set(cell, None);
    let log = crowd.advance(CrowdTime::SECOND).to_vec();
    assert_eq!(kinds(open(3, 1), &log), []);
    let mut wrong = log;
    wrong.swap(1, 2);
    assert_eq!(kinds(open(3, 1), &wrong), [ConflictKind::BlockedCell; 1]);
}

/// The second agent enters the cell that the first one is leaving slowly, so that the second agent is recorded there.
#[test]
fn a_level_waits_for_the_step_out_of_its_cell() {
    let cell = |x| Cell::new(x, 0);
    let tiles = |cell: Cell| EntryCost::from_tiles(if cell.x == 2 { 4.0 } else { 1.0 }).ok();
    let mut start = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, tiles).unwrap();
    start.set_levels(ClimbRule::new(1.0, 0.5, 1).unwrap(), |_| Level::GROUND);
    let pace = Pace::new(CrowdTime::SECOND);
    let mut crowd = Crowd::new(start.clone(), StepRules::default(), pace);
    let [slow, fast] = [1, 0].map(|x| crowd.add(cell(x)).unwrap());
    crowd.send(slow, cell(2), OnArrival::Stay);
    crowd.send(fast, cell(1), OnArrival::Stay);
    let mut log = crowd.advance(CrowdTime::from_seconds(3.0)).to_vec();
    let level = Level::new(1).unwrap();
    crowd.set_level(cell(1), level);
    assert_eq!(crowd.grid().level(cell(1)), Level::GROUND, "it waits");
    log.extend_from_slice(crowd.advance(CrowdTime::from_seconds(2.0)));
    assert_eq!(crowd.grid().level(cell(1)), level);
    assert_eq!(conflicts(start.clone(), StepRules::default(), pace, &log), []);
    for event in &mut log {
        if let CrowdEvent::LevelSet { time, .. } = event {
            *time = CrowdTime::from_seconds(3.0);
        }
    }
    let found = conflicts(start, StepRules::default(), pace, &log);
    assert_eq!((found.len(), found[0].kind, found[0].agent), (1, ConflictKind::ChangedStep, slow));
    assert_eq!(found[0].to_string(), "the step of agent 0 to 2,0 is changed while it is taken, 3.000 s");
}

#[test]
fn cells_off_the_map_are_conflicts() {
    let agent = AgentId::from(3);
    let time = CrowdTime::SECOND;
    let far = [(-1, 0), (3, 0), (0, 1), (i32::MAX, i32::MAX), (i32::MIN, i32::MAX), (i32::MAX, 0)].map(Cell::from);
    for at in far {
        let added = CrowdEvent::Added { agent, at, time };
        assert_eq!(kinds(open(3, 1), &[added]), [ConflictKind::BlockedCell], "{at}");
        for (from, to) in [(at, at + (1, 0)), (at + (1, 0), at), (at, Cell::new(0, 0)), (Cell::new(0, 0), at)] {
            let step = Step { from, to, start: time, end: time + PACE.of(EntryCost::TILE.into()) };
            let log = [CrowdEvent::Added { agent, at: from, time }, CrowdEvent::Step { agent, step }];
            assert!(kinds(open(3, 1), &log).contains(&ConflictKind::ForbiddenStep), "{from} to {to}");
        }
        let log = [
            CrowdEvent::CostSet { cell: at, kind: 0, cost: None, time },
            CrowdEvent::LevelSet { cell: at, level: Level::MAX, time },
        ];
        assert_eq!(kinds(open(3, 1), &log), [], "{at}");
    }
}

#[test]
fn a_agent_is_where_its_log_says() {
    let (agent, time) = (AgentId::from(1), CrowdTime::SECOND);
    let [here, there] = [0, 1].map(|x| Cell::new(x, 0));
    let added = CrowdEvent::Added { agent, at: here, time };
    let end = time + PACE.of(EntryCost::TILE.into());
    let step = CrowdEvent::Step { agent, step: Step { from: here, to: there, start: time, end } };
    let left = |at, time| CrowdEvent::Left { agent, at, time };
    let arrived = |at, time| CrowdEvent::Arrived { agent, at, time };
    assert_eq!(kinds(open(3, 1), &[added, step, arrived(there, end), left(there, end)]), []);
    assert_eq!(kinds(open(3, 1), &[added, step, left(here, time)]), [], "the step does not begin");
    for log in [
        vec![added, added],
        vec![step],
        vec![left(here, time)],
        vec![added, left(there, time)],
        vec![added, arrived(there, time)],
        vec![added, step, arrived(there, time)],
        vec![added, left(here, time), step],
        vec![added, step, step],
    ] {
        assert!(kinds(open(3, 1), &log).contains(&ConflictKind::BrokenPath), "{log:?}");
    }
    // A step of no time, and a step that ends before it begins.
    for end in [time, CrowdTime::ZERO] {
        let step = CrowdEvent::Step { agent, step: Step { from: here, to: there, start: time, end } };
        assert!(kinds(open(3, 1), &[added, step]).contains(&ConflictKind::WrongDuration), "{end}");
    }
}

/// A jump is not a step, whatever its duration and the size of the agent.
#[test]
fn a_jump_is_a_conflict() {
    let (agent, time) = (AgentId::from(0), CrowdTime::ZERO);
    for moves in [Moves::Eight, Moves::Four, Moves::Six] {
        let rules = StepRules::default().with_moves(moves);
        for side in [1, 2] {
            // A wall from north to south, too thin for the jumps.
            let class = |cell: Cell| u8::from(cell.x == 7);
            let kinds = kinds_of_sides([side]);
            let classes = ClassGrid::from_fn(Size::new(12, 9), Diagonal::GAME, kinds, class).unwrap();
            let from = Cell::new(4, 4);
            for to in classes.grids()[0].size().cells().filter(|&to| classes.grids()[0].is_passable(to)) {
                let mut checker = Checker::with_kinds(classes.clone(), rules, PACE).unwrap();
                let is_diagonal = moves == Moves::Eight && from.is_diagonal_to(to);
                let tile = RouteCost::from(EntryCost::TILE);
                let cost = if is_diagonal { Diagonal::GAME.cost(EntryCost::TILE) } else { tile };
                let step = Step { from, to, start: time, end: time + PACE.of(cost) };
                checker.add(&[CrowdEvent::Added { agent, at: from, time }, CrowdEvent::Step { agent, step }]);
                let found: Vec<_> = checker.finish().iter().map(|conflict| conflict.kind).collect();
                let is_step = moves.directions().iter().any(|&direction| from + direction == to);
                let expected = if is_step { &[][..] } else { &[ConflictKind::ForbiddenStep] };
                assert_eq!(found, expected, "{moves} moves, side {side}: {from} to {to}");
            }
        }
    }
}

/// With one free corner, a step is possible. That corner is blocked behind a large agent, and the other one opened: the
/// step is as possible as it was.
#[test]
fn a_step_that_edits_behind_it_forbid_may_be_allowed_again() {
    let class = |cell: Cell| u8::from(cell == Cell::new(2, 0));
    let classes = ClassGrid::from_fn(Size::new(4, 4), Diagonal::GAME, kinds_of_sides([2]), class).unwrap();
    let rules = StepRules::default().with_corners(Corners::One);
    let mut crowd = CheckedCrowd::from(Crowd::with_kinds(classes, rules, PACE).unwrap());
    let agent = add_and_send(&mut crowd, Cell::new(0, 0), Cell::new(1, 1));
    crowd.advance(CrowdTime::from_seconds(0.4));
    assert!(crowd.state(agent).is_some_and(|agent| agent.step.is_some() && agent.cell == Cell::new(1, 1)));
    crowd.set_class(Cell::new(0, 1), 1);
    assert_eq!(crowd.classes().unwrap().class(Cell::new(0, 1)), Some(1), "the agent has left it");
    crowd.set_class(Cell::new(2, 0), 0);
    crowd.advance(CrowdTime::SECOND);
}

/// The events of other programs may be ordered by agents.
#[test]
fn events_of_different_times_can_be_in_any_order() {
    let mut crowd = Crowd::new(open(12, 9), StepRules::default(), PACE);
    for y in 0..9 {
        for (from, to) in [(0, 11), (11, 0)] {
            let agent = crowd.add(Cell::new(from, y)).unwrap();
            crowd.send(agent, Cell::new(to, y), OnArrival::Leave);
        }
    }
    let mut log = crowd.advance(CrowdTime::from_seconds(60.0)).to_vec();
    log.sort_by_key(|event| match event {
        CrowdEvent::Added { agent, .. } | CrowdEvent::Step { agent, .. } | CrowdEvent::Left { agent, .. } => {
            agent.index()
        }
        _ => 0,
    });
    assert!(log.iter().filter(|event| matches!(event, CrowdEvent::Left { .. })).count() == 18);
    assert_eq!(kinds(open(12, 9), &log), []);
}

/// What an agent costs, and what the checker remembers, is given back when the agent leaves.
#[test]
fn slots_of_agents_that_have_left_are_used_again() {
    let mut crowd = CheckedCrowd::on(open(9, 9));
    let mut gone = Vec::new();
    for round in 0..300 {
        let agents: Vec<_> = (0..5).map(|y| crowd.add(Cell::new(round % 9, y)).unwrap()).collect();
        assert!(agents.iter().all(|agent| agent.index() < 5 && !gone.contains(agent)));
        for &old in &gone {
            crowd.send(old, Cell::new(0, 0), OnArrival::Stay);
            crowd.stop(old);
            crowd.remove(old);
            assert_eq!(crowd.state(old), None);
        }
        for (k, &agent) in agents.iter().enumerate() {
            crowd.send(agent, Cell::new(k as i32, 8), OnArrival::Leave);
        }
        crowd.advance(CrowdTime::from_seconds(if round % 2 == 0 { 1.2 } else { 60.0 }));
        for &agent in &agents {
            crowd.remove(agent);
        }
        assert_eq!(crowd.agents().count(), 0);
        gone.extend(agents);
    }
    crowd.advance(CrowdTime::ZERO);
}
