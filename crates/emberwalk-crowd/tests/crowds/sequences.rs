//! Random sequences of all calls, many of them at one time: nothing breaks the rules, and no id means another agent.

use std::collections::{HashMap, HashSet};

use emberwalk_crowd::{AgentId, Crowd, CrowdEvent, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{ClimbRule, CostGrid, Diagonal, EntryCost, Level, StepRules};
use fastrand::Rng;

use super::checked::Game;
use super::{PACE, any_cell, random_rules, seeded};

/// A call of a crowd's method.
#[derive(Clone, Copy, Debug)]
enum Call {
    Add(Cell),
    Send(AgentId, Cell, OnArrival),
    Stop(AgentId),
    Remove(AgentId),
    Set(Cell, Option<EntryCost>),
    SetLevel(Cell, Level),
    Advance(CrowdTime),
}

impl Call {
    fn random(rng: &mut Rng, size: Size, agents: &[AgentId]) -> Self {
        let cell = any_cell(size, rng);
        let agent = rng.choice(agents).copied();
        match (rng.u8(0..16), agent) {
            (0 | 1, _) | (.., None) => Self::Add(cell),
            (2..=4, Some(agent)) => Self::Send(agent, cell, *rng.choice(&[OnArrival::Stay, OnArrival::Leave]).unwrap()),
            (5, Some(agent)) => Self::Stop(agent),
            (6, Some(agent)) => Self::Remove(agent),
            (7, _) => Self::Set(cell, None),
            (8, _) => Self::Set(cell, EntryCost::from_tiles([0.25, 1.0, 4.0][rng.usize(0..3)]).ok()),
            (9, _) => Self::SetLevel(cell, Level::new(rng.u8(0..3)).unwrap()),
            _ => Self::Advance(CrowdTime::from_seconds([0.01, 0.03, 1.0 / 6.0, 1.0 / 3.0, 1.3][rng.usize(0..5)])),
        }
    }
}

fn call(game: &mut Game, call: Call) {
    match call {
        Call::Add(cell) => drop(game.crowd.add(cell)),
        Call::Send(agent, goal, on_arrival) => game.crowd.send(agent, goal, on_arrival),
        Call::Stop(agent) => game.crowd.stop(agent),
        Call::Remove(agent) => game.crowd.remove(agent),
        Call::Set(cell, cost) => _ = game.crowd.set(cell, cost),
        Call::SetLevel(cell, level) => _ = game.crowd.set_level(cell, level),
        Call::Advance(time) => game.advance_by(time),
    }
}

/// A small map, sometimes with hills and walls, and random rules.
fn random_world(rng: &mut Rng) -> (CostGrid, StepRules) {
    let size = Size::new(rng.u32(1..9), rng.u32(1..9));
    let blocked = rng.u8(0..40);
    let cost =
        |_| (rng.u8(0..100) >= blocked).then(|| EntryCost::from_tiles([0.5, 1.0, 4.0][rng.usize(0..3)]).unwrap());
    let mut grid = CostGrid::from_fn(size, Diagonal::GAME, cost).unwrap();
    let climb = ClimbRule::new(1.0, 0.5, 1).unwrap().with_most(rng.u8(0..2), rng.u8(0..2)).unwrap();
    grid.set_levels(climb, |_| Level::new(rng.u8(0..2)).unwrap());
    (grid, random_rules(rng))
}

#[test]
fn any_sequence_of_calls_keeps_the_rules() {
    for (seed, mut rng) in seeded(400) {
        let (grid, rules) = random_world(&mut rng);
        let crowd = Crowd::new(grid.clone(), rules, PACE);
        let mut play = Game::of(crowd.clone());
        // The same calls, and an `advance` of no time after each of them.
        let mut interrupted = Game::of(crowd);
        let mut agents = Vec::<AgentId>::new();
        for _ in 0..rng.usize(10..250) {
            let next = Call::random(&mut rng, grid.size(), &agents);
            for play in [&mut play, &mut interrupted] {
                call(play, next);
            }
            interrupted.advance(0.0);
            let states: HashMap<_, _> = play.crowd.agents().collect();
            let cells: HashSet<_> = states.values().map(|state| state.cell).collect();
            assert_eq!(cells.len(), states.len(), "seed {seed}: two agents are in one cell after {next:?}");
            let all_passable = cells.iter().all(|&cell| play.crowd.grid().is_passable(cell));
            assert!(all_passable, "seed {seed}: an agent is in a blocked cell after {next:?}");
            for (agent, cell, step) in play.crowd.positions() {
                assert_eq!(states.get(&agent).map(|state| (state.cell, state.step)), Some((cell, step)), "seed {seed}");
            }
            assert_eq!(play.crowd.positions().count(), states.len(), "seed {seed}");
            for (&agent, state) in &states {
                assert_eq!(play.crowd.state(agent), Some(*state), "seed {seed}");
                assert_eq!(play.crowd.agent_at(state.cell), Some(agent), "seed {seed}, after {next:?}");
                if !agents.contains(&agent) {
                    agents.push(agent);
                }
            }
        }
        [&mut play, &mut interrupted].into_iter().for_each(|play| play.advance(20.0));
        play.check(&format!("seed {seed}: checked while the log is written"));
        let log = &play.log;
        assert_eq!(*log, interrupted.log, "seed {seed}: an `advance` of no time changes the moves");
        assert_eq!(conflicts(grid, rules, PACE, log), [], "seed {seed}");
        let added = log.iter().filter_map(|event| match event {
            CrowdEvent::Added { agent, .. } => Some(agent),
            _ => None,
        });
        let added: Vec<_> = added.collect();
        let different: HashSet<_> = added.iter().collect();
        assert_eq!(different.len(), added.len(), "seed {seed}: no id is used twice");
    }
}
