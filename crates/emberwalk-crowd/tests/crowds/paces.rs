//! Agents whose paces change on the way: the rest of a step follows, and nobody enters a cell too early.

use std::collections::HashMap;

use emberwalk_crowd::{
    AgentId, AgentSettings, Checker, ConflictKind, Crowd, CrowdEvent, OnArrival, WaitsFor, conflicts,
};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{Corners, Moves, StepRules};
use fastrand::Rng;

use super::checked::{CheckedCrowd, Game};
use super::{add_and_send, any_cell, arrivals, crowd_on_classes, kinds_of_sides, open, open_where, seconds, seeded};

const SECOND: Pace = Pace::new(CrowdTime::SECOND);

/// A crowd in a corridor, in which an agent walks from each of these columns to the eastern end.
fn corridor(columns: &[i32]) -> (Game, Vec<AgentId>) {
    let mut game = Game::of(Crowd::new(open(20, 1), StepRules::default(), SECOND));
    let goals = (0..20).rev().map(|x| Cell::new(x, 0));
    let agents = columns.iter().zip(goals).map(|(&x, goal)| game.add_and_send(x, 0, goal)).collect();
    (game, agents)
}

fn arrival(log: &[CrowdEvent], agent: AgentId) -> Option<f64> {
    arrivals(log).into_iter().find(|&(other, ..)| other == agent).map(|(_, _, time)| time.seconds())
}

fn found(log: &[CrowdEvent]) -> Vec<ConflictKind> {
    conflicts(open(20, 1), StepRules::default(), SECOND, log).iter().map(|conflict| conflict.kind).collect()
}

#[test]
fn the_rest_of_a_step_takes_what_it_costs_at_the_new_pace() {
    for (factor, arrives) in [(2.0, 0.5 + 1.0 + 36.0), (0.5, 0.5 + 0.25 + 9.0), (0.125, 0.5 + 0.0625 + 2.25)] {
        let (mut game, agents) = corridor(&[0]);
        game.advance(0.5);
        game.crowd.set_pace(agents[0], Pace::new(seconds(factor)));
        game.advance(60.0);
        assert_eq!(arrival(&game.log, agents[0]), Some(arrives), "{factor}");
    }
}

/// As long as they want, also at the very beginning, and the step ends by exactly that much later.
#[test]
fn agents_stand_still_in_the_middle_of_a_step_and_between_two() {
    for (begins, lasts) in [(0.25, 2.0), (0.75, 3600.0), (1.0, 2.0), (7.3, 0.01), (0.0, 5.0)] {
        let (mut game, agents) = corridor(&[0]);
        game.advance(begins);
        game.crowd.set_pace(agents[0], Pace::STILL);
        let there = |game: &Game| {
            let state = game.state(agents[0]);
            let progress = state.step.map_or(0.0, |step| step.progress(game.crowd.now()));
            (state.cell, state.step.map(|step| step.from), (progress * 1e6).round())
        };
        let before = there(&game);
        for _ in 0..10 {
            game.advance(lasts / 10.0);
            assert_eq!(there(&game), before);
            assert_eq!(game.crowd.waiting(agents[0]).unwrap().on, None);
        }
        game.crowd.set_pace(agents[0], SECOND);
        let stood = game.crowd.now().seconds() - begins;
        game.advance(30.0);
        let late = arrival(&game.log, agents[0]).unwrap() - 19.0 - stood;
        assert!(late.abs() < 2.0 / 65536.0, "{begins}, {lasts}: {late}");
    }
}

#[test]
fn agents_behind_are_held_up_and_walk_on_with_the_agent_ahead() {
    for is_removed in [false, true] {
        let (mut game, agents) = corridor(&[3, 2, 1, 0]);
        game.advance(4.25);
        game.crowd.set_pace(agents[0], Pace::STILL);
        game.advance(60.0);
        for pair in agents.windows(2) {
            assert_eq!(game.crowd.waiting(pair[1]).unwrap().on, Some(WaitsFor::Agent(pair[0])));
        }
        if is_removed {
            game.crowd.remove(agents[0]);
        } else {
            game.crowd.set_pace(agents[0], Pace::new(seconds(0.5)));
        }
        game.advance(40.0);
        assert!(agents[1..].iter().all(|&agent| game.state(agent).has_arrived), "{is_removed}");
    }
}

/// Whether they wait between two steps or were held up in the middle of one.
#[test]
fn agents_behind_a_standing_agent_are_reported_once_as_stuck() {
    for begins in [0.0, 0.25, 0.6, 1.0, 4.25, 4.75] {
        let (mut game, agents) = corridor(&[2, 1, 0]);
        game.advance(begins);
        game.crowd.set_pace(agents[0], Pace::STILL);
        game.advance(120.0);
        let told = game.log.iter().filter_map(|event| match *event {
            CrowdEvent::Stuck { agent, on, .. } => Some((agent, on)),
            _ => None,
        });
        let told: Vec<_> = told.collect();
        for pair in agents.windows(2) {
            assert!(told.contains(&(pair[1], Some(WaitsFor::Agent(pair[0])))), "{begins}: {told:?}");
        }
        assert_eq!(told.len(), 2, "{begins}: {told:?}");
        game.crowd.set_pace(agents[0], SECOND);
        game.advance(40.0);
        assert!(agents.iter().all(|&agent| game.state(agent).has_arrived), "{begins}");
    }
}

/// An agent that is only slower holds up the agent behind it until the latter is in its new cell, and no longer.
#[test]
fn an_agent_that_was_held_up_walks_on_at_its_own_pace() {
    let (mut game, agents) = corridor(&[1, 0]);
    game.advance(0.25);
    game.crowd.set_pace(agents[0], Pace::new(seconds(10.0)));
    game.advance(10.0);
    // The first one is half-way after another 2.5 s, and so is the second one. Then it needs half a second.
    let mut ends = game.log.iter().filter_map(|event| match event {
        CrowdEvent::StepChanged { agent, step, .. } if *agent == agents[1] => Some(step.end.seconds()),
        _ => None,
    });
    assert_eq!(ends.next_back(), Some(3.25));
}

/// The second agent is half-way at 2.75 s. Only then does the log say that it goes on at its own pace.
#[test]
fn a_log_may_end_while_an_agent_is_held_up() {
    for quarters in 0..16 {
        let (mut game, agents) = corridor(&[1, 0]);
        game.advance(0.25);
        game.crowd.set_pace(agents[0], Pace::new(seconds(10.0)));
        game.advance(0.25 * f64::from(quarters));
        let Game { crowd, mut log } = game;
        assert_eq!(found(&log), [], "the log ends at {}", crowd.now());

        let found_until_now = |log: &[CrowdEvent]| {
            let mut checker = Checker::new(open(20, 1), StepRules::default(), SECOND);
            checker.add(log);
            checker.check_until(crowd.now());
            checker.finish().into_iter().map(|conflict| conflict.kind).collect::<Vec<_>>()
        };
        assert_eq!(found_until_now(&log), [], "the log ends at {}", crowd.now());
        let middle = seconds(2.75);
        log.retain(|event| event.time() != middle || !matches!(event, CrowdEvent::StepChanged { .. }));
        let is_missing = crowd.now() > middle;
        let expected: &[_] = if is_missing { &[ConflictKind::WrongDuration] } else { &[] };
        assert_eq!(found_until_now(&log), expected, "nothing changes until {}", crowd.now());
    }
}

/// Even if the log ends then.
#[test]
fn a_step_that_does_not_follow_a_new_pace_is_found() {
    let (mut game, agents) = corridor(&[0]);
    game.advance(0.25);
    game.crowd.set_pace(agents[0], Pace::new(seconds(3.0)));
    game.advance(0.0);
    let mut log = game.log;
    assert_eq!(found(&log), []);
    log.retain(|event| !matches!(event, CrowdEvent::StepChanged { .. }));
    assert_eq!(found(&log), [ConflictKind::WrongDuration]);
}

/// Nobody can go first in a circle. All stand when one stands, and all go on with it.
#[test]
fn agents_in_a_circle_stand_and_go_on_together() {
    let rules = StepRules::new(Moves::Four, Corners::Never);
    let mut crowd = CheckedCrowd::from(Crowd::new(open(2, 2), rules, SECOND));
    let cells = [(0, 0), (1, 0), (1, 1), (0, 1)].map(Cell::from);
    let agents = [0, 1, 2, 3].map(|k| add_and_send(&mut crowd, cells[k], cells[(k + 1) % 4]));
    crowd.advance(seconds(0.25));
    crowd.set_pace(agents[2], Pace::STILL);
    crowd.advance(seconds(30.0));
    let progress = agents.map(|agent| crowd.state(agent).unwrap().step.unwrap().progress(crowd.now()));
    assert_eq!(progress, [0.25; 4]);
    crowd.set_pace(agents[2], Pace::new(seconds(0.5)));
    crowd.advance(seconds(0.5));
    crowd.set_pace(agents[1], Pace::new(seconds(4.0)));
    crowd.advance(seconds(10.0));
    assert_eq!(agents.map(|agent| crowd.state(agent).unwrap().has_arrived), [true; 4]);
}

#[test]
fn others_go_round_an_agent_that_stands_for_long() {
    let grid = open_where(Size::new(9, 3), |cell| cell.y != 1 || cell.x == 0 || cell.x == 8);
    let mut game = Game::of(Crowd::new(grid, StepRules::default(), SECOND));
    let slow = game.add_and_send(3, 0, Cell::new(5, 0));
    game.advance(0.75);
    game.crowd.set_pace(slow, Pace::STILL);
    let other = game.add_and_send(0, 0, Cell::new(8, 0));
    game.advance(40.0);
    assert!(game.state(other).has_arrived);
    game.crowd.set_pace(slow, SECOND);
    game.advance(10.0);
    assert!(game.state(slow).has_arrived);
}

/// Orders, edits and paces at random, among agents of one and of several cells. At the end all can walk, and all do.
#[test]
fn paces_that_change_at_random_break_nothing_and_stop_nobody_for_ever() {
    for (seed, mut rng) in seeded(16) {
        let size = [Size::new(12, 10), Size::new(24, 7)][seed as usize % 2];
        let mut game = Game::of(crowd_on_classes(size, kinds_of_sides([1, 2]), |_| u8::from(rng.u8(..12) == 0)));
        let mut agents = Vec::new();
        for _ in 0..90 {
            let settings = AgentSettings::new().with_kind(usize::from(rng.u8(..10) == 0));
            agents.extend(game.crowd.add_with(any_cell(size, &mut rng), settings).ok());
        }
        let (mut changed, mut held_up) = (0, 0);
        for _ in 0..1500 {
            let crowd = &mut game.crowd;
            let agent = *rng.choice(&agents).unwrap();
            let cell = any_cell(size, &mut rng);
            match rng.u8(..24) {
                0..8 => crowd.send(agent, cell, OnArrival::Stay),
                8..12 => crowd.set_pace(agent, Pace::new(seconds(0.1 + rng.f64() * 4.0))),
                12..16 => crowd.set_pace(agent, SECOND),
                16..18 => crowd.set_pace(agent, Pace::STILL),
                18 => crowd.hold(agent),
                19 if cell.y > 2 => _ = crowd.set_class(cell, u8::from(rng.u8(..3) == 0)),
                20 if agents.len() > 30 => {
                    crowd.remove(agent);
                    agents.retain(|&other| other != agent);
                }
                _ => {}
            }
            if rng.u8(..100) == 0 {
                crowd.clone().advance(seconds(1.0));
            }
            let before = game.log.len();
            game.advance(rng.f64() * 0.2);
            let events = &game.log[before..];
            let has_new_pace =
                |of| events.iter().any(|event| matches!(event, CrowdEvent::PaceSet { agent, .. } if *agent == of));
            for event in events {
                let CrowdEvent::StepChanged { agent, .. } = *event else { continue };
                changed += 1;
                held_up += usize::from(!has_new_pace(agent));
            }
        }
        let crowd = &mut game.crowd;
        // A cell that an edit still waits to block is no goal.
        for edit in crowd.waiting_edits().collect::<Vec<_>>() {
            let class = crowd.classes().unwrap().class(edit.cell).unwrap();
            crowd.set_class(edit.cell, class);
        }
        // Everybody leaves, so that the others have room.
        for &agent in &agents {
            crowd.set_pace(agent, SECOND);
            let at = crowd.state(agent).unwrap().cell;
            crowd.send(agent, at, OnArrival::Leave);
        }
        crowd.advance(seconds(60.0));
        let left: HashMap<_, _> = crowd.agents().collect();
        assert!(left.is_empty(), "seed {seed}: {left:?}");
        crowd.check(&format!("seed {seed}"));
        assert!(changed > 40 && held_up > 4, "seed {seed}: {changed} steps have changed, {held_up} of them held up");
    }
}

/// How time is divided makes no difference, nor does saving and loading on the way.
#[test]
fn moves_depend_on_the_times_of_changes_alone() {
    for seed in 0..24 {
        let play = |parts: u32| {
            let mut rng = Rng::with_seed(seed);
            let mut crowd = Crowd::new(open(9, 9), StepRules::default(), SECOND);
            let cell = |rng: &mut Rng| Cell::new(rng.i32(0..9), rng.i32(0..9));
            let agents: Vec<_> = (0..40).filter_map(|_| crowd.add(cell(&mut rng)).ok()).collect();
            for _ in 0..200 {
                let agent = *rng.choice(&agents).unwrap();
                crowd.send(agent, cell(&mut rng), OnArrival::Stay);
                let agent = *rng.choice(&agents).unwrap();
                let paces = [SECOND, Pace::STILL, Pace::new(seconds(rng.f64() * 3.0))];
                crowd.set_pace(agent, paces[rng.usize(..3)]);
                let time = CrowdTime::SECOND.divided_by(parts << rng.u32(..4));
                (0..parts).for_each(|_| _ = crowd.advance(time));
                #[cfg(feature = "serde")]
                if parts > 1 && rng.clone().u8(..20) == 0 {
                    crowd = super::reloaded(&crowd);
                }
            }
            crowd.state_hash()
        };
        assert_eq!(play(1), play(16), "seed {seed}");
    }
}

/// A log in which a change of a step is missing or wrong is noticed.
#[test]
fn wrong_changes_of_steps_are_found() {
    let (mut game, agents) = corridor(&[1, 0]);
    game.advance(2.25);
    game.crowd.set_pace(agents[0], Pace::new(seconds(3.0)));
    game.advance(60.0);
    let log = game.log;
    assert_eq!(found(&log), []);
    let changes: Vec<_> = (0..log.len()).filter(|&k| matches!(log[k], CrowdEvent::StepChanged { .. })).collect();
    assert!(changes.len() >= 3, "{changes:?}");
    for &k in &changes {
        let mut wrong = log.clone();
        wrong.remove(k);
        assert!(!found(&wrong).is_empty(), "without change {k}");
        for duration in [0.3, 20.0] {
            let mut wrong = log.clone();
            if let CrowdEvent::StepChanged { step, time, .. } = &mut wrong[k] {
                *step = step.lasting(seconds(duration), *time);
            }
            assert!(found(&wrong).contains(&ConflictKind::WrongDuration), "{duration} s in change {k}");
        }
        let mut wrong = log.clone();
        if let CrowdEvent::StepChanged { step, .. } = &mut wrong[k] {
            *step = step.at_clock(seconds(0.125), seconds(0.0));
        }
        assert!(found(&wrong).contains(&ConflictKind::BrokenPath), "a jump in change {k}");
    }
}

/// It waits no longer for the cell ahead than for the agent in it.
#[test]
fn the_step_of_a_follower_changes_when_the_agent_ahead_is_removed() {
    let mut game = Game::of(Crowd::new(open(4, 1), StepRules::default(), SECOND));
    let ahead = game.add_and_send(1, 0, Cell::new(3, 0));
    game.crowd.set_pace(ahead, Pace::new(seconds(8.0)));
    let behind = game.add_and_send(0, 0, Cell::new(2, 0));
    game.advance(1.0);
    game.crowd.remove(ahead);
    let now = game.crowd.now();
    game.advance(3.0);
    let changed = game.log.iter().find_map(|event| match *event {
        CrowdEvent::StepChanged { agent, step, time } => Some((agent, time, step.start)),
        _ => None,
    });
    assert_eq!(changed, Some((behind, now, now)), "{:?}", game.log);
    assert!(game.state(behind).has_arrived);
}
