//! Agents whose paces change on the way: the rest of a step follows, and nobody enters a cell too early.

use std::collections::HashMap;

use emberwalk_crowd::{
    AgentId, AgentSettings, Checker, ConflictKind, Crowd, CrowdEvent, OnArrival, WaitsFor, conflicts,
};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{Corners, CostGrid, Diagonal, EntryCost, Moves, StepRules};
use fastrand::Rng;

use super::{any_cell, arrivals, open, seconds, seeded};

const SECOND: Pace = Pace::new(CrowdTime::SECOND);

/// A crowd in a corridor, in which an agent walks from each of these columns to the eastern end.
fn corridor(columns: &[i32]) -> (Crowd, Vec<AgentId>) {
    let mut crowd = Crowd::new(open(20, 1), StepRules::default(), SECOND);
    let agents: Vec<_> = columns.iter().map(|&x| crowd.add(Cell::new(x, 0)).unwrap()).collect();
    agents.iter().zip(0..).for_each(|(&agent, k)| crowd.send(agent, Cell::new(19 - k, 0), OnArrival::Stay));
    (crowd, agents)
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
        let (mut crowd, agents) = corridor(&[0]);
        let mut log = crowd.advance(seconds(0.5)).to_vec();
        crowd.set_pace(agents[0], Pace::new(seconds(factor)));
        log.extend_from_slice(crowd.advance(seconds(60.0)));
        assert_eq!(arrival(&log, agents[0]), Some(arrives), "{factor}");
        assert_eq!(found(&log), []);
    }
}

/// As long as they want, also at the very beginning, and the step ends by exactly that much later.
#[test]
fn agents_stand_still_in_the_middle_of_a_step_and_between_two() {
    for (begins, lasts) in [(0.25, 2.0), (0.75, 3600.0), (1.0, 2.0), (7.3, 0.01), (0.0, 5.0)] {
        let (mut crowd, agents) = corridor(&[0]);
        let mut log = crowd.advance(seconds(begins)).to_vec();
        crowd.set_pace(agents[0], Pace::STILL);
        let there = |crowd: &Crowd| {
            let state = crowd.state(agents[0]).unwrap();
            let progress = state.step.map_or(0.0, |step| step.progress(crowd.now()));
            (state.cell, state.step.map(|step| step.from), (progress * 1e6).round())
        };
        let before = there(&crowd);
        for _ in 0..10 {
            log.extend_from_slice(crowd.advance(seconds(lasts / 10.0)));
            assert_eq!(there(&crowd), before);
            assert_eq!(crowd.waiting(agents[0]).unwrap().on, None);
        }
        crowd.set_pace(agents[0], SECOND);
        let stood = crowd.now().seconds() - begins;
        log.extend_from_slice(crowd.advance(seconds(30.0)));
        let late = arrival(&log, agents[0]).unwrap() - 19.0 - stood;
        assert!(late.abs() < 2.0 / 65536.0, "{begins}, {lasts}: {late}");
        assert_eq!(found(&log), []);
    }
}

#[test]
fn agents_behind_are_held_up_and_walk_on_with_the_agent_ahead() {
    for is_removed in [false, true] {
        let (mut crowd, agents) = corridor(&[3, 2, 1, 0]);
        let mut log = crowd.advance(seconds(4.25)).to_vec();
        crowd.set_pace(agents[0], Pace::STILL);
        log.extend_from_slice(crowd.advance(seconds(60.0)));
        for pair in agents.windows(2) {
            assert_eq!(crowd.waiting(pair[1]).unwrap().on, Some(WaitsFor::Agent(pair[0])));
        }
        if is_removed {
            crowd.remove(agents[0]);
        } else {
            crowd.set_pace(agents[0], Pace::new(seconds(0.5)));
        }
        log.extend_from_slice(crowd.advance(seconds(40.0)));
        assert!(agents[1..].iter().all(|&agent| arrival(&log, agent).is_some()), "{is_removed}");
        assert_eq!(found(&log), []);
    }
}

/// Whether they wait between two steps or were held up in the middle of one.
#[test]
fn agents_behind_a_standing_agent_are_reported_once_as_stuck() {
    for begins in [0.0, 0.25, 0.6, 1.0, 4.25, 4.75] {
        let (mut crowd, agents) = corridor(&[2, 1, 0]);
        let mut log = crowd.advance(seconds(begins)).to_vec();
        crowd.set_pace(agents[0], Pace::STILL);
        log.extend_from_slice(crowd.advance(seconds(120.0)));
        let stuck: Vec<_> = log
            .iter()
            .filter_map(|event| match *event {
                CrowdEvent::Stuck { agent, on, .. } => Some((agent, on)),
                _ => None,
            })
            .collect();
        for pair in agents.windows(2) {
            assert!(stuck.contains(&(pair[1], Some(WaitsFor::Agent(pair[0])))), "{begins}: {stuck:?}");
        }
        assert_eq!(stuck.len(), 2, "{begins}: {stuck:?}");
        crowd.set_pace(agents[0], SECOND);
        log.extend_from_slice(crowd.advance(seconds(40.0)));
        assert!(agents.iter().all(|&agent| arrival(&log, agent).is_some()), "{begins}");
        assert_eq!(found(&log), []);
    }
}

/// An agent that is only slower holds up the agent behind it until the latter is in its new cell, and no longer.
#[test]
fn an_agent_that_was_held_up_walks_on_at_its_own_pace() {
    let (mut crowd, agents) = corridor(&[1, 0]);
    let mut log = crowd.advance(seconds(0.25)).to_vec();
    crowd.set_pace(agents[0], Pace::new(seconds(10.0)));
    log.extend_from_slice(crowd.advance(seconds(10.0)));
    assert_eq!(found(&log), []);
    let step = crowd.state(agents[1]).unwrap().step;
    // The first one is half-way after another 2.5 s, and so is the second one. Then it needs half a second.
    let mut ends = log.iter().filter_map(|event| match event {
        CrowdEvent::StepChanged { agent, step, .. } if *agent == agents[1] => Some(step.end.seconds()),
        _ => None,
    });
    assert_eq!(ends.next_back(), Some(3.25), "{step:?}");
}

/// The second agent is half-way at 2.75 s. Only then does the log say that it goes on at its own pace.
#[test]
fn a_log_may_end_while_an_agent_is_held_up() {
    for quarters in 0..16 {
        let (mut crowd, agents) = corridor(&[1, 0]);
        let mut log = crowd.advance(seconds(0.25)).to_vec();
        crowd.set_pace(agents[0], Pace::new(seconds(10.0)));
        log.extend_from_slice(crowd.advance(seconds(0.25 * f64::from(quarters))));
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
    let (mut crowd, agents) = corridor(&[0]);
    let mut log = crowd.advance(seconds(0.25)).to_vec();
    crowd.set_pace(agents[0], Pace::new(seconds(3.0)));
    log.extend_from_slice(crowd.advance(CrowdTime::ZERO));
    assert_eq!(found(&log), []);
    log.retain(|event| !matches!(event, CrowdEvent::StepChanged { .. }));
    assert_eq!(found(&log), [ConflictKind::WrongDuration]);
}

/// Nobody can go first in a circle. All stand when one stands, and all go on with it.
#[test]
fn agents_in_a_circle_stand_and_go_on_together() {
    let rules = StepRules::new(Moves::Four, Corners::Never);
    let mut crowd = Crowd::new(open(2, 2), rules, SECOND);
    let cells = [(0, 0), (1, 0), (1, 1), (0, 1)].map(Cell::from);
    let agents = cells.map(|cell| crowd.add(cell).unwrap());
    (0..4).for_each(|k| crowd.send(agents[k], cells[(k + 1) % 4], OnArrival::Stay));
    let mut log = crowd.advance(seconds(0.25)).to_vec();
    crowd.set_pace(agents[2], Pace::STILL);
    log.extend_from_slice(crowd.advance(seconds(30.0)));
    let progress = |crowd: &Crowd| agents.map(|agent| crowd.state(agent).unwrap().step.unwrap().progress(crowd.now()));
    assert_eq!(progress(&crowd), [0.25; 4]);
    crowd.set_pace(agents[2], Pace::new(seconds(0.5)));
    log.extend_from_slice(crowd.advance(seconds(0.5)));
    crowd.set_pace(agents[1], Pace::new(seconds(4.0)));
    log.extend_from_slice(crowd.advance(seconds(10.0)));
    assert_eq!(agents.map(|agent| crowd.state(agent).unwrap().has_arrived), [true; 4]);
    assert_eq!(conflicts(open(2, 2), rules, SECOND, &log), []);
}

#[test]
fn others_go_round_an_agent_that_stands_for_long() {
    let grid = CostGrid::from_fn(Size::new(9, 3), Diagonal::GAME, |cell| {
        (cell.y != 1 || cell.x == 0 || cell.x == 8).then_some(EntryCost::TILE)
    });
    let grid = grid.unwrap();
    let mut crowd = Crowd::new(grid.clone(), StepRules::default(), SECOND);
    let slow = crowd.add(Cell::new(3, 0)).unwrap();
    crowd.send(slow, Cell::new(5, 0), OnArrival::Stay);
    let mut log = crowd.advance(seconds(0.75)).to_vec();
    crowd.set_pace(slow, Pace::STILL);
    let other = crowd.add(Cell::new(0, 0)).unwrap();
    crowd.send(other, Cell::new(8, 0), OnArrival::Stay);
    log.extend_from_slice(crowd.advance(seconds(40.0)));
    assert!(arrival(&log, other).is_some());
    crowd.set_pace(slow, SECOND);
    log.extend_from_slice(crowd.advance(seconds(10.0)));
    assert!(arrival(&log, slow).is_some());
    assert_eq!(conflicts(grid, StepRules::default(), SECOND, &log), []);
}

/// Orders, edits and paces at random, among agents of one and of several cells. At the end all can walk, and all do.
#[test]
fn paces_that_change_at_random_break_nothing_and_stop_nobody_for_ever() {
    for (seed, mut rng) in seeded(16) {
        let size = [Size::new(12, 10), Size::new(24, 7)][seed as usize % 2];
        let kinds = [1, 2].map(|side| AgentKind::new().with_cost(0, Some(EntryCost::TILE)).with_side(side));
        let classes = ClassGrid::from_fn(size, Diagonal::GAME, kinds, |_| u8::from(rng.u8(..12) == 0)).unwrap();
        let mut crowd = Crowd::with_kinds(classes, StepRules::default(), SECOND).unwrap();
        let mut checker = Checker::of(&crowd);
        let mut agents = Vec::new();
        for _ in 0..90 {
            let settings = AgentSettings::new().with_kind(usize::from(rng.u8(..10) == 0));
            agents.extend(crowd.add_with(any_cell(size, &mut rng), settings).ok());
        }
        let (mut changed, mut held_up) = (0, 0);
        for _ in 0..1500 {
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
            let events = crowd.advance(seconds(rng.f64() * 0.2));
            let changes = events.iter().filter_map(|event| match event {
                CrowdEvent::StepChanged { agent, .. } => Some(*agent),
                _ => None,
            });
            let paces = events.iter().filter_map(|event| match event {
                CrowdEvent::PaceSet { agent, .. } => Some(*agent),
                _ => None,
            });
            let paces: Vec<_> = paces.collect();
            for agent in changes {
                changed += 1;
                held_up += usize::from(!paces.contains(&agent));
            }
            checker.add(events);
            checker.check_until(crowd.now());
        }
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
        checker.add(crowd.advance(seconds(60.0)));
        let left: HashMap<_, _> = crowd.agents().collect();
        assert!(left.is_empty(), "seed {seed}: {left:?}");
        assert_eq!(checker.finish(), [], "seed {seed}");
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
                    crowd = serde_json::from_str(&serde_json::to_string(&crowd).unwrap()).unwrap();
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
    let (mut crowd, agents) = corridor(&[1, 0]);
    let mut log = crowd.advance(seconds(2.25)).to_vec();
    crowd.set_pace(agents[0], Pace::new(seconds(3.0)));
    log.extend_from_slice(crowd.advance(seconds(60.0)));
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
    let (start, slow) = (open(4, 1), Pace::new(seconds(8.0)));
    let mut crowd = Crowd::new(start.clone(), StepRules::default(), SECOND);
    let ahead = crowd.add_with(Cell::new(1, 0), AgentSettings::new().with_pace(slow)).unwrap();
    let behind = crowd.add(Cell::new(0, 0)).unwrap();
    crowd.send(ahead, Cell::new(3, 0), OnArrival::Stay);
    crowd.send(behind, Cell::new(2, 0), OnArrival::Stay);
    let mut log = crowd.advance(seconds(1.0)).to_vec();
    crowd.remove(ahead);
    let now = crowd.now();
    log.extend_from_slice(crowd.advance(seconds(3.0)));
    let changed = log.iter().find_map(|event| match *event {
        CrowdEvent::StepChanged { agent, step, time } => Some((agent, time, step.start)),
        _ => None,
    });
    assert_eq!(changed, Some((behind, now, now)), "{log:?}");
    assert!(crowd.state(behind).unwrap().has_arrived);
    assert_eq!(conflicts(start, StepRules::default(), SECOND, &log), []);
}
