//! Jams: orders and edits while agents wait and while they follow scripts.

use fastrand::Rng;

use super::*;
use crate::board::Agent;
use crate::{AgentId, AgentSettings, Checker, Crowd, CrowdError, CrowdEvent, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::Pace;
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Level, Moves, StepRules};

const TICK: CrowdTime = CrowdTime::SECOND.divided_by(64);
const PACE: Pace = Pace::new(CrowdTime::SECOND.divided_by(3));

/// A crowd with its log.
#[derive(Clone)]
struct Play {
    checker: Checker,
    crowd: Crowd,
    log: Vec<CrowdEvent>,
}

impl Play {
    /// A long passage with some recesses, half full of agents of two kinds, which can take the same steps.
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let is_open: Vec<_> = (0..13 * 3).map(|k| k / 13 == 1 || rng.u8(0..10) < 3).collect();
        let cost = |cell: Cell| is_open[(cell.y * 13 + cell.x) as usize].then_some(EntryCost::TILE);
        let grid = CostGrid::from_fn(Size::new(13, 3), Diagonal::GAME, cost).unwrap();
        let slower = |cell: Cell| cost(cell).and_then(|cost| EntryCost::from_tiles(1.5 * cost.tiles()).ok());
        let grid_of_others = CostGrid::from_fn(grid.size(), Diagonal::GAME, slower).unwrap();
        let mut cells: Vec<_> = grid.size().cells().filter(|&cell| grid.is_passable(cell)).collect();
        let rules = StepRules::default().with_moves(Moves::Four);
        let mut crowd = Crowd::with_grids([grid, grid_of_others], rules, PACE).unwrap();
        let checker = Checker::of(&crowd);
        rng.shuffle(&mut cells);
        let starts = cells[..cells.len() / 2].iter().enumerate();
        let settings = |k: usize| AgentSettings::new().with_kind(k % 2);
        let agents: Vec<_> = starts.map(|(k, &cell)| crowd.add_with(cell, settings(k)).unwrap()).collect();
        rng.shuffle(&mut cells);
        for (&agent, &goal) in agents.iter().zip(&cells) {
            crowd.send(agent, goal, OnArrival::Stay);
        }
        Self { checker, crowd, log: Vec::new() }
    }

    /// A lane as wide as a wagon with some bays, in which wagons and walkers meet.
    fn with_wagons(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let bays = [rng.i32(2..8), rng.i32(10..16)];
        let is_open = |cell: Cell| cell.y >= 2 || bays.iter().any(|&bay| (bay..bay + 2).contains(&cell.x));
        let kind = AgentKind::new().with_cost(0, Some(EntryCost::TILE));
        let kinds = [kind.clone(), kind.with_side(2)];
        let classes = ClassGrid::from_fn(Size::new(20, 4), Diagonal::GAME, kinds, |cell| u8::from(!is_open(cell)));
        let mut crowd = Crowd::with_kinds(classes.unwrap(), StepRules::default(), PACE).unwrap();
        let checker = Checker::of(&crowd);
        for (kind, from, to) in [(1, 0, 14), (1, 3, 16), (0, 7, 19), (1, 13, 1), (0, 16, 4), (1, 18, 6)] {
            let agent = crowd.add_with(Cell::new(from, 2), AgentSettings::new().with_kind(kind)).unwrap();
            crowd.send(agent, Cell::new(to, 2), OnArrival::Stay);
        }
        Self { checker, crowd, log: Vec::new() }
    }

    /// A crowd that is in a jam, at the first time that the jam is in this phase.
    fn jammed(play: fn(u64) -> Self, phase: Phase) -> Self {
        let plays = (0..).map(play).find_map(|mut play| {
            while play.crowd.now() < CrowdTime::from_whole_seconds(60) {
                if play.crowd.jams.jams.iter().any(|jam| jam.phase == phase) {
                    return Some(play);
                }
                play.advance(TICK);
            }
            None
        });
        plays.expect("there are jams")
    }

    fn advance(&mut self, time: CrowdTime) {
        self.log.extend_from_slice(self.crowd.advance(time));
    }

    fn jam(&self) -> &Jam {
        self.crowd.jams.jams.iter().find(|jam| jam.phase != Phase::Over).expect("there is a jam")
    }

    fn is_in_jam(&self, agent: AgentIndex) -> bool {
        self.crowd.board.get(agent).is_some_and(Agent::is_in_jam)
    }

    /// Lets time pass until no agent is on the way, and returns whether all have arrived.
    fn run(&mut self) -> bool {
        let end = self.crowd.now() + CrowdTime::from_whole_seconds(100);
        while self.crowd.now() < end && self.crowd.agents().any(|(_, agent)| agent.goal.is_some() && !agent.has_arrived)
        {
            self.advance(CrowdTime::SECOND);
        }
        self.crowd.agents().all(|(_, agent)| agent.goal.is_none() || agent.has_arrived)
    }

    fn check(&self, what: &str) {
        let mut checker = self.checker.clone();
        checker.add(&self.log);
        assert_eq!(checker.finish(), [], "{what}");
        let Jams { jams, cells, .. } = &self.crowd.jams;
        let members: usize = jams.iter().filter(|jam| jam.phase != Phase::Over).map(|jam| jam.cells.len()).sum();
        assert_eq!(cells.len(), members, "{what}: cells that belong to no jam are free");
        let board = &self.crowd.board;
        for membership in board.on_map().filter_map(|agent| board[agent].membership()) {
            assert_ne!(jams[membership.jam].phase, Phase::Over, "{what}: agents that are in no jam are free");
        }
    }
}

/// Jams of small agents and of agents of all sizes, in each phase.
fn jams() -> impl Iterator<Item = (Phase, Play)> {
    let phases = [Phase::Searching, Phase::Walking].into_iter();
    phases.flat_map(|phase| [Play::new, Play::with_wagons].map(|play| (phase, Play::jammed(play, phase))))
}

/// Each order to each agent in a jam.
#[test]
fn orders_end_a_jam() {
    type Order = fn(&mut Crowd, AgentId);
    let orders: [(&str, Order); 4] = [
        ("send", |crowd, agent| crowd.send(agent, Cell::new(3, 0), OnArrival::Stay)),
        ("send away", |crowd, agent| crowd.send(agent, Cell::new(8, 2), OnArrival::Leave)),
        ("stop", |crowd, agent| crowd.stop(agent)),
        ("remove", |crowd, agent| crowd.remove(agent)),
    ];
    for (phase, jammed) in jams() {
        for (name, order) in orders {
            for member in jammed.jam().members.iter().filter(|member| jammed.is_in_jam(member.agent)) {
                let what = format!("{phase:?}, {name} {:?}", member.agent);
                let at = jammed.jam().cells[0];
                let has_to_move = phase == Phase::Searching || member.next.is_some();
                let mut jammed = jammed.clone();
                let agent = jammed.crowd.board.id(member.agent);
                order(&mut jammed.crowd, agent);
                assert!(!jammed.is_in_jam(member.agent), "{what}");
                assert_eq!(jammed.crowd.jams.cells.contains_key(&at), !has_to_move, "{what}: the others are free");
                jammed.check(&what);
                for _ in 0..200 {
                    jammed.advance(TICK);
                    jammed.check(&what);
                }
            }
        }
    }
}

/// Edits of each cell of a jam, and agents that are put there.
#[test]
fn edits_end_a_jam() {
    for (phase, jammed) in jams() {
        for &at in &jammed.jam().cells {
            for change in 0..4 {
                let mut jammed = jammed.clone();
                let cell = jammed.crowd.board.cell(at);
                let what = format!("{phase:?}, change {change} of {cell}");
                match change {
                    0 => _ = jammed.crowd.set(cell, None) || jammed.crowd.set_class(cell, 1),
                    1 => _ = jammed.crowd.set(cell, EntryCost::from_tiles(2.0).ok()),
                    2 => _ = jammed.crowd.set_level(cell, Level::new(1).unwrap()),
                    _ => match jammed.crowd.add(cell) {
                        Ok(_) => assert!(!jammed.crowd.jams.cells.contains_key(&at), "{what}"),
                        Err(error) => assert_eq!(error, CrowdError::Taken(cell)),
                    },
                }
                let grid = jammed.crowd.grid();
                let is_changed = grid.get(cell) != Some(EntryCost::TILE) || grid.level(cell) != Level::GROUND;
                assert!(!is_changed || !jammed.crowd.jams.cells.contains_key(&at), "{what}");
                for _ in 0..200 {
                    jammed.advance(TICK);
                    jammed.check(&what);
                }
            }
        }
    }
}

#[test]
fn a_copy_of_a_jam_continues_in_the_same_way() {
    for (_, mut jammed) in jams() {
        let mut copy = jammed.clone();
        for play in [&mut jammed, &mut copy] {
            play.run();
            play.check("a copy");
        }
        assert_eq!(jammed.log, copy.log);
    }
}

#[test]
fn more_agents_arrive_with_the_search_than_without() {
    let [with, without] = [true, false].map(|searches| {
        let arrive = |&seed: &u64| {
            let mut play = Play::new(seed);
            let agents: Vec<_> = play.crowd.board.on_map().collect();
            if !searches {
                agents.into_iter().for_each(|agent| play.crowd.board.begin_attempt(agent, CrowdTime::NEVER));
            }
            let all_arrive = play.run();
            play.check(&format!("seed {seed}"));
            all_arrive
        };
        (0..30).filter(arrive).count()
    });
    assert!(with >= without + 4, "on {with} maps with the search, on {without} without");
}

/// They are saved, so another machine or another compiler must not change them.
#[test]
fn the_key_of_a_configuration_is_the_same_everywhere() {
    assert_eq!(search::key(&[3, u16::MAX, 0, 7]), 0x9792_8cf1_b797_fffc);
}
