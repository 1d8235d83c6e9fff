//! What is announced is made at its time, and agents do not give up goals that open.

use emberwalk_crowd::{
    AgentId, AgentSettings, Announced, AnnouncedChange, Crowd, CrowdEvent, Goal, OnArrival, WaitsFor,
};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::AgentKind;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{EntryCost, StepRules};
use fastrand::Rng;

use super::checked::Game;
use super::{
    PACE, TICK, add_and_send, any_cell, arrival_cells, check_ticks_of_any_length, count, crowd_on_classes, enlarged,
    grid, interfere, kinds_of_sides, open, open_where, seconds, seeded, steps_in, unreachable,
};

const TILE: Option<EntryCost> = Some(EntryCost::TILE);

/// The edits of a log: the cells, whether they are passable now, and the times.
fn edits(log: &[CrowdEvent]) -> Vec<(Cell, bool, CrowdTime)> {
    let edit = |event: &CrowdEvent| match *event {
        CrowdEvent::CostSet { cell, cost, time, .. } => Some((cell, cost.is_some(), time)),
        _ => None,
    };
    log.iter().filter_map(edit).collect()
}

fn is_told(log: &[CrowdEvent]) -> bool {
    let tells = |event: &CrowdEvent| matches!(event, CrowdEvent::Unreachable { .. } | CrowdEvent::Reachable { .. });
    log.iter().any(tells)
}

/// Two rooms beside each other, and a gate between them, on a small map, where agents share fields, and on a large one, where
/// they follow routes of their own; without a budget for searches, and with one.
fn gates() -> [(Crowd, Cell); 4] {
    let rooms = grid(&["....#....", ".........", "....#....", "....#...."]);
    [(rooms.clone(), u64::MAX), (rooms.clone(), 3000), (enlarged(&rooms), u64::MAX), (enlarged(&rooms), 3000)].map(
        |(grid, budget)| {
            let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
            crowd.set_search_budget(budget);
            (crowd, Cell::new(4, 1))
        },
    )
}

/// A gate that is shut from one time to another.
fn shut(crowd: &mut Crowd, gate: Cell, from: f64, until: f64) {
    crowd.announce(Announced::cost(gate, None, seconds(from)));
    crowd.announce(Announced::cost(gate, TILE, seconds(until)));
}

#[test]
fn changes_are_made_at_their_ticks_whatever_the_frame_rate() {
    let [gate, bridge, wall] = [(3, 1), (5, 0), (7, 2)].map(Cell::from);
    // No whole number of frames, and not even of ticks that a floating-point number of seconds would give.
    let (third, odd) = (CrowdTime::SECOND.divided_by(3), CrowdTime::SECOND.divided_by(7));
    let play = |tick| {
        let mut game = Game::with_orders(open(9, 3), &[]);
        game.crowd.announce(Announced::cost(wall, None, odd));
        game.crowd.announce(Announced::cost(gate, None, third).every(third + third));
        game.crowd.announce(Announced::cost(gate, TILE, third + third).every(third + third));
        game.crowd.announce(Announced::cost(bridge, None, odd).every(third));
        game.advance_until(seconds(40.0), tick);
        assert_eq!(game.crowd.announced().count(), 3, "what is made once is not announced any more");
        game.into_log_and_hash()
    };
    check_ticks_of_any_length("an empty map", play);
    let (log, _) = play(TICK);
    let times = |cell| edits(&log).into_iter().filter(move |edit| edit.0 == cell).map(|edit| edit.2.seconds());
    let ticks = |k: u32| f64::from(65536 / 3 * k) / 65536.0;
    assert!(times(gate).eq((1..=120).map(ticks)), "a third of a second is 21845 ticks, also the hundredth time");
    assert!(times(wall).eq([odd.seconds()]));
    assert!(times(bridge).eq([odd.seconds()]), "the later times change nothing");
}

/// Also among agents that get orders and meet obstacles.
#[test]
fn crowds_with_announcements_move_in_the_same_way_with_frames_of_any_length() {
    for seed in 0..20 {
        check_ticks_of_any_length(&format!("seed {seed}"), |tick| {
            let mut rng = Rng::with_seed(seed);
            let mut game = Game::of(random_crowd(&mut rng));
            for second in 0..15 {
                game.advance_until(CrowdTime::from_whole_seconds(2 * second), tick);
                for _ in 0..4 {
                    let announced = random_change(&game.crowd, &mut rng);
                    game.crowd.announce(announced);
                }
                if rng.u8(0..4) == 0 {
                    let cell = any_cell(game.crowd.grid().size(), &mut rng);
                    game.crowd.forget_announced(cell);
                }
                interfere(&mut game.crowd, &mut rng);
            }
            game.advance(0.0);
            game.into_log_and_hash()
        });
    }
}

fn random_crowd(rng: &mut Rng) -> Crowd {
    let size = Size::new(rng.u32(6..16), rng.u32(6..16));
    let grid = open_where(size, |_| rng.u8(0..5) > 0);
    let mut crowd = Crowd::new(grid, StepRules::default(), PACE);
    for _ in 0..size.area() / 6 {
        let (at, to) = (any_cell(size, rng), any_cell(size, rng));
        if let Ok(agent) = crowd.add(at) {
            crowd.send(agent, to, OnArrival::Stay);
        }
    }
    // Or else nothing is random about an empty map.
    let _ = crowd.add(Cell::new(0, 0));
    crowd
}

/// At an odd tick, at which no agent decides: those decide after what is announced, but before an edit by hand.
fn random_change(crowd: &Crowd, rng: &mut Rng) -> Announced {
    let cell = any_cell(crowd.grid().size(), rng);
    let cost = [None, TILE, EntryCost::from_tiles(3.0).ok()][rng.usize(0..3)];
    let ticks = |ticks: u64| CrowdTime::from_seconds(ticks as f64 / 65536.0);
    let at = ticks(((crowd.now().seconds() * 65536.0) as u64 + rng.u64(0..100_000)) | 1);
    let announced = match rng.bool() {
        true => Announced::cost(cell, cost, at),
        false => Announced::cost_for(0, cell, cost, at),
    };
    if rng.u8(0..3) == 0 { announced.every(ticks(2 * rng.u64(50_000..100_000))) } else { announced }
}

/// The same change at another time.
fn at(mut announced: Announced, time: CrowdTime) -> Announced {
    announced.at = time;
    announced
}

/// The crowd does the same as a caller that makes the same edits at the same times.
#[test]
fn announced_changes_are_the_edits_that_they_stand_for() {
    let mut made = 0;
    for (seed, mut rng) in seeded(40) {
        let crowd = random_crowd(&mut rng);
        let [mut game, mut by_hand] = [crowd.clone(), crowd].map(Game::of);
        let mut list: Vec<Announced> = Vec::new();
        for second in 0..20 {
            let until = seconds(f64::from(second));
            game.advance_until(until, TICK);
            while let Some(next) = list.iter().map(|announced| announced.at).min().filter(|&next| next <= until) {
                by_hand.advance_until(next, TICK);
                for announced in list.extract_if(.., |announced| announced.at == next).collect::<Vec<_>>() {
                    match announced.change {
                        AnnouncedChange::Cost(cost) => by_hand.crowd.set(announced.cell, cost),
                        AnnouncedChange::CostFor(kind, cost) => by_hand.crowd.set_for(kind, announced.cell, cost),
                        _ => false,
                    };
                    made += 1;
                    list.extend(announced.period().map(|every| at(announced, announced.at + every)));
                }
            }
            by_hand.advance_until(until, TICK);
            if second < 15 {
                for _ in 0..6 {
                    let announced = random_change(&game.crowd, &mut rng);
                    assert!(game.crowd.announce(announced));
                    list.push(announced);
                }
                let mut again = rng.clone();
                interfere(&mut game.crowd, &mut rng);
                interfere(&mut by_hand.crowd, &mut again);
            }
        }
        // What opens is waited for, so that unreachable goals are told at other times, and who goes on is told as setting out.
        let moves = |log: &[CrowdEvent]| -> Vec<_> {
            let is_told = |event: &CrowdEvent| {
                use CrowdEvent::{Reachable, SetOut, Unreachable};
                matches!(event, Unreachable { .. } | Reachable { .. } | SetOut { .. })
            };
            log.iter().filter(|event| !is_told(event)).copied().collect()
        };
        let (log, by_hand) = (moves(&game.log), moves(&by_hand.log));
        let differs = (0..).zip(log.iter().zip(&by_hand)).find(|(_, (one, other))| one != other);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(log.len(), by_hand.len(), "seed {seed}");
    }
    assert!(made > 3000, "{made}");
}

#[test]
fn changes_of_one_time_are_made_in_the_order_of_their_announcement() {
    let (cell, time) = (Cell::new(1, 0), seconds(6.0));
    let mud = EntryCost::from_tiles(5.0).ok();
    let mut crowd = Crowd::new(grid(&["..."]), StepRules::default(), Pace::default());
    // The first one is made every three seconds and the second one every two seconds, both at six.
    crowd.announce(Announced::cost(cell, mud, seconds(3.0)).every(seconds(3.0)));
    crowd.announce(Announced::cost(cell, None, seconds(2.0)).every(seconds(2.0)));
    crowd.announce(Announced::cost(cell, TILE, time));
    let log = crowd.advance(time);
    let costs = log.iter().filter_map(|event| match *event {
        CrowdEvent::CostSet { cost, time: at, .. } if at == time => Some(cost),
        _ => None,
    });
    let costs: Vec<_> = costs.collect();
    assert_eq!(costs, [mud, None, TILE]);
}

#[test]
fn a_change_waits_for_a_solid_agent_in_its_way() {
    let mut crowd = Crowd::new(grid(&["...", "..."]), StepRules::default(), PACE);
    let (cell, time) = (Cell::new(1, 0), seconds(1.25));
    let guard = crowd.add(cell).unwrap();
    crowd.hold(guard);
    crowd.announce(Announced::cost(cell, None, time));
    let log = crowd.advance(seconds(3.0)).to_vec();
    let waits = log.iter().any(|event| matches!(event, CrowdEvent::EditWaits { time: at, .. } if *at == time));
    assert!(waits && crowd.grid().is_passable(cell));
    assert_eq!(crowd.announced().count(), 0);
    assert!(crowd.has_waiting_edit(cell));
    crowd.stop(guard);
    let log = crowd.advance(seconds(3.0));
    assert!(log.iter().any(|event| matches!(event, CrowdEvent::EditApplied { .. })));
    assert!(!crowd.grid().is_passable(cell));
}

#[test]
fn a_change_is_made_before_agents_decide_at_its_time() {
    let mut crowd = Crowd::new(grid(&["..."]), StepRules::default(), Pace::default());
    let [start, goal] = [0, 2].map(|x| Cell::new(x, 0));
    add_and_send(&mut crowd, start, goal);
    // When the first step ends.
    crowd.announce(Announced::cost(goal, None, CrowdTime::SECOND));
    let log = crowd.advance(seconds(9.0));
    assert_eq!(edits(log), [(goal, false, CrowdTime::SECOND)]);
    assert_eq!(steps_in(log).count(), 1, "not into the goal, where the change would have to wait for it");
}

#[test]
fn what_is_due_is_made_immediately_and_what_repeats_at_any_time_of_its_rhythm() {
    let mut crowd = Crowd::new(grid(&["....."]), StepRules::default(), Pace::default());
    crowd.advance(seconds(10.0));
    let [past, now, round, next, far] = [0, 1, 2, 3, 4].map(|x| Cell::new(x, 0));
    crowd.announce(Announced::cost(past, None, seconds(4.0)));
    crowd.announce(Announced::cost(now, None, seconds(10.0)));
    crowd.announce(Announced::cost(round, None, seconds(1.0)).every(seconds(3.0)));
    crowd.announce(Announced::cost(next, None, seconds(2.0)).every(seconds(3.0)));
    crowd.announce(Announced::cost(far, None, seconds(1000.0)).every(seconds(7.0)));
    let passable: Vec<_> = (0..5).filter(|&x| crowd.grid().is_passable(Cell::new(x, 0))).collect();
    assert_eq!(passable, [3, 4]);
    let times: Vec<_> = crowd.announced().map(|announced| (announced.cell.x, announced.at.seconds())).collect();
    assert_eq!(times, [(3, 11.0), (2, 13.0), (4, 13.0)]);
}

#[test]
fn periods_are_at_least_a_sixty_fourth_of_a_second() {
    let mut crowd = Crowd::new(grid(&["..."]), StepRules::default(), Pace::default());
    let cell = Cell::new(1, 0);
    let never = Announced::cost(cell, None, CrowdTime::NEVER);
    assert_eq!(never.every(CrowdTime::ZERO).period(), None);
    let tick = CrowdTime::SECOND.divided_by(65536);
    assert_eq!(never.every(tick).period(), Some(CrowdTime::SECOND.divided_by(64)));
    for announced in [never, never.every(tick), Announced::cost(cell, None, tick).every(CrowdTime::NEVER)] {
        assert!(crowd.announce(announced));
    }
    let mut often = Announced::cost(cell, TILE, CrowdTime::SECOND);
    often.every = Some(tick);
    crowd.announce(often);
    crowd.advance(seconds(3600.0));
    assert_eq!(crowd.announced().count(), 4);
    assert!(crowd.announced().next().unwrap().at > crowd.now());
}

#[test]
fn an_announcement_that_cannot_be_made_is_refused() {
    let mut on_classes = crowd_on_classes(Size::new(3, 1), kinds_of_sides([1]), |_| 0);
    let mut on_costs = Crowd::new(grid(&["..."]), StepRules::default(), PACE);
    let before = [&on_costs, &on_classes].map(Crowd::state_hash);
    let (cell, time) = (Cell::new(1, 0), CrowdTime::ZERO);
    assert!(!on_costs.announce(Announced::cost(Cell::new(3, 0), None, time)));
    assert!(!on_costs.announce(Announced::cost_for(1, cell, None, time)));
    assert!(!on_costs.announce(Announced::class(cell, 1, time)));
    assert!(!on_classes.announce(Announced::cost(cell, None, time)));
    assert!(!on_classes.announce(Announced::cost_for(0, cell, None, time)));
    assert!(!on_classes.announce(Announced::class(Cell::new(-1, 0), 1, time)));
    assert_eq!([&on_costs, &on_classes].map(Crowd::state_hash), before);
    assert!(on_costs.announce(Announced::cost_for(0, cell, None, time)) && !on_costs.grid().is_passable(cell));
    assert!(on_classes.announce(Announced::class(cell, 1, time)) && !on_classes.grid().is_passable(cell));
}

#[test]
fn what_is_forgotten_is_not_made() {
    let mut crowd = Crowd::new(grid(&["....."]), StepRules::default(), PACE);
    let [gate, other] = [1, 3].map(|x| Cell::new(x, 0));
    let nothing = crowd.state_hash();
    for cell in [gate, other] {
        crowd.announce(Announced::cost(cell, None, seconds(1.0)).every(seconds(4.0)));
        crowd.announce(Announced::cost(cell, TILE, seconds(2.0)).every(seconds(4.0)));
    }
    let mut copy = crowd.clone();
    copy.forget_announced(gate);
    copy.forget_announced(Cell::new(2, 0));
    assert_eq!(copy.announced().count(), 2);
    copy.forget_announced(other);
    assert_eq!(copy.state_hash(), nothing);
    let mut copy = crowd.clone();
    let wall = Cell::new(2, 0);
    copy.announce(Announced::cost(wall, None, seconds(9.0)));
    copy.forget_announced(wall);
    assert_eq!(copy.state_hash(), crowd.state_hash());
    crowd.advance(seconds(1.5));
    crowd.forget_announced(gate);
    crowd.advance(seconds(60.0));
    assert!(!crowd.grid().is_passable(gate), "what has been made stays");
    assert_eq!(crowd.announced().count(), 2);
}

#[test]
fn what_is_announced_is_in_the_hash() {
    let mut crowd = Crowd::new(grid(&["....."]), StepRules::default(), PACE);
    let (cell, time) = (Cell::new(1, 0), CrowdTime::SECOND);
    let base = Announced::cost(cell, None, time);
    let other_cell = Announced::cost(Cell::new(2, 0), None, time);
    let different = [
        vec![base],
        vec![base.every(time)],
        vec![base.every(time + time)],
        vec![Announced::cost(cell, TILE, time)],
        vec![Announced::cost_for(0, cell, None, time)],
        vec![Announced::cost(cell, None, time + time)],
        vec![other_cell],
        vec![base, other_cell],
        vec![other_cell, base],
    ];
    let mut hashes = vec![crowd.state_hash()];
    for list in different {
        let mut copy = crowd.clone();
        list.into_iter().for_each(|announced| _ = copy.announce(announced));
        assert!(!hashes.contains(&copy.state_hash()));
        hashes.push(copy.state_hash());
    }
    crowd.announce(base);
    assert_eq!(crowd.state_hash(), hashes[1]);
}

/// At any moment, also while agents wait for what opens, and with a budget that pays for the question.
#[cfg(feature = "serde")]
#[test]
fn a_loaded_crowd_goes_on_with_what_is_announced() {
    for (seed, mut rng) in seeded(24) {
        let mut crowd = random_crowd(&mut rng);
        if seed % 2 == 1 {
            crowd.set_search_budget(500);
        }
        for second in 0..8 {
            for _ in 0..4 {
                let announced = random_change(&crowd, &mut rng);
                crowd.announce(announced);
            }
            interfere(&mut crowd, &mut rng);
            crowd.advance(seconds(f64::from(second)) + TICK - crowd.now());
            let mut loaded = super::reloaded(&crowd);
            let mut copy = crowd.clone();
            assert!(copy.announced().eq(loaded.announced()));
            for _ in 0..60 {
                assert_eq!(copy.advance(TICK), loaded.advance(TICK), "seed {seed}, second {second}");
                assert_eq!(copy.state_hash(), loaded.state_hash(), "seed {seed}, second {second}");
            }
        }
    }
}

/// A gate that is shut for two seconds is waited for: nothing is told, and the queue goes on behind it.
#[test]
fn a_queue_waits_for_a_gate_that_opens() {
    for (mut crowd, gate) in gates() {
        let [start, near, far, back] = [(0, 1), (3, 1), (8, 1), (1, 1)].map(Cell::from);
        let agent = crowd.add(start).unwrap();
        shut(&mut crowd, gate, 1.5, 3.5);
        crowd.send(agent, near, OnArrival::Stay);
        crowd.then(agent, far, OnArrival::Stay);
        crowd.then(agent, back, OnArrival::Stay);
        let mut log = crowd.advance(seconds(3.25)).to_vec();
        assert_eq!(crowd.waiting(agent).map(|wait| wait.on), Some(Some(WaitsFor::Opening)));
        assert_eq!(crowd.state(agent).unwrap().goal, Some(far), "it keeps its goal");
        log.extend_from_slice(crowd.advance(seconds(30.0)));
        assert!(!is_told(&log));
        assert_eq!(arrival_cells(&log), [near, far, back]);
        let (_, through) = steps_in(&log).find(|(_, step)| step.to == gate).unwrap();
        assert!((3.5..4.6).contains(&through.start.seconds()), "{through:?}");
    }
}

/// The same for a patrol, by a gate that is shut half of the time.
#[test]
fn a_patrol_goes_on_through_a_gate_on_a_timetable() {
    for (mut crowd, gate) in gates() {
        let [west, east] = [(0, 1), (8, 1)].map(Cell::from);
        let agent = crowd.add(west).unwrap();
        crowd.announce(Announced::cost(gate, None, seconds(1.0)).every(seconds(5.0)));
        crowd.announce(Announced::cost(gate, TILE, seconds(3.5)).every(seconds(5.0)));
        crowd.patrol(agent, [east, west]);
        let log = crowd.advance(seconds(120.0));
        assert!(!is_told(log));
        assert!(arrival_cells(log).len() >= 8 && arrival_cells(log).windows(2).all(|pair| pair[0] != pair[1]));
    }
}

/// A group keeps its places when a gate shuts on its route, and gets places behind a shut gate.
#[test]
fn a_group_waits_for_a_gate_that_opens() {
    for shuts in [0.0, 2.5] {
        for (mut crowd, gate) in gates() {
            let goal = Cell::new(7, 1);
            let group: Vec<_> = (0..4).map(|y| crowd.add(Cell::new(0, y)).unwrap()).collect();
            shut(&mut crowd, gate, shuts, 6.0);
            crowd.send_group(&group, goal);
            let mut log = crowd.advance(seconds(0.5)).to_vec();
            let places = |crowd: &Crowd| -> Vec<_> {
                let state = |agent: &AgentId| crowd.state(*agent).unwrap();
                group.iter().map(|agent| (state(agent).goal, state(agent).unreachable)).collect()
            };
            let before = places(&crowd);
            assert!(before.iter().all(|(place, unreachable)| place.unwrap().x > 4 && unreachable.is_none()));
            log.extend_from_slice(crowd.advance(seconds(5.25)));
            assert_eq!(places(&crowd), before);
            log.extend_from_slice(crowd.advance(seconds(30.0)));
            assert!(!is_told(&log), "shut at {shuts}");
            for agent in &group {
                let state = crowd.state(*agent).unwrap();
                assert!(state.has_arrived && state.cell.distance_squared(goal) <= 2);
            }
            assert_eq!(arrival_cells(&log).len(), 4, "once each");
        }
    }
}

/// When the opening of a gate is forgotten, agents that have waited for it are told, and a group goes as near as it
/// can.
#[test]
fn agents_that_wait_for_a_forgotten_change_are_told() {
    for (mut crowd, gate) in gates() {
        crowd.set(gate, None);
        crowd.announce(Announced::cost(gate, TILE, seconds(1000.0)));
        // Another change, which opens no route.
        crowd.announce(Announced::cost(Cell::new(3, 3), None, seconds(1000.0)));
        let alone = crowd.add(Cell::new(0, 0)).unwrap();
        let group: Vec<_> = (1..4).map(|y| crowd.add(Cell::new(0, y)).unwrap()).collect();
        crowd.send(alone, Cell::new(8, 3), OnArrival::Stay);
        crowd.send_group(&group, Cell::new(8, 1));
        let log = crowd.advance(seconds(20.0));
        assert_eq!(steps_in(log).count(), 0);
        assert!(!is_told(log));
        crowd.forget_announced(gate);
        assert_eq!(unreachable(crowd.advance(seconds(1.5))), 4);
        let mut log = crowd.advance(seconds(30.0)).to_vec();
        assert!(!is_told(&log), "once");
        assert_eq!(crowd.waiting(alone).unwrap().on, Some(WaitsFor::Route));
        for agent in &group {
            let state = crowd.state(*agent).unwrap();
            assert!(state.has_arrived && state.unreachable == Some(Cell::new(8, 1)) && state.cell.x >= 2);
        }
        // To announce it once more changes nothing for them, until it opens.
        crowd.announce(Announced::cost(gate, TILE, crowd.now() + seconds(5.0)));
        log = crowd.advance(seconds(4.5)).to_vec();
        assert!(!is_told(&log));
        log.extend_from_slice(crowd.advance(seconds(40.0)));
        let told = count(&log, |event| matches!(event, CrowdEvent::Reachable { .. }));
        assert_eq!((unreachable(&log), told, arrival_cells(&log).len()), (0, 4, 4));
    }
}

/// What is announced elsewhere, or to be shut, is no reason to wait.
#[test]
fn agents_that_are_cut_off_for_good_are_told() {
    for (mut crowd, gate) in gates() {
        crowd.set(gate, None);
        crowd.announce(Announced::cost(gate, None, seconds(9.0)).every(seconds(9.0)));
        crowd.announce(Announced::cost(gate, TILE, CrowdTime::NEVER));
        crowd.announce(Announced::cost(Cell::new(2, 2), EntryCost::from_tiles(2.0).ok(), seconds(9.0)));
        let agent = add_and_send(&mut crowd, Cell::new(0, 0), Cell::new(8, 1));
        assert_eq!(unreachable(crowd.advance(CrowdTime::SECOND)), 1);
        crowd.send(agent, Cell::new(-1, 1), OnArrival::Stay);
        assert_eq!(unreachable(crowd.advance(CrowdTime::SECOND)), 1);
        crowd.send(agent, Goal::AnyOf(Vec::new()), OnArrival::Stay);
        assert_eq!(unreachable(crowd.advance(CrowdTime::SECOND)), 1);
    }
}

/// A wall that is built meanwhile may be a reason to wait no longer, and a breach one to wait.
#[test]
fn walls_that_are_built_by_hand_count() {
    for (mut crowd, gate) in gates() {
        let wall = gate + (1, 0);
        crowd.set(gate, None);
        crowd.announce(Announced::cost(gate, TILE, seconds(1000.0)));
        let [agent, other] = [0, 1].map(|y| crowd.add(Cell::new(0, y)).unwrap());
        crowd.send(agent, Cell::new(8, 1), OnArrival::Stay);
        assert!(!is_told(crowd.advance(seconds(3.0))));
        let column: Vec<_> = (0..4).map(|y| Cell::new(wall.x, y)).collect();
        column.iter().for_each(|&cell| _ = crowd.set(cell, None));
        assert_eq!(unreachable(crowd.advance(seconds(1.5))), 1);
        crowd.set(wall, TILE);
        crowd.send(other, Cell::new(8, 1), OnArrival::Stay);
        assert!(!is_told(crowd.advance(seconds(3.0))));
        assert_eq!(crowd.waiting(other).unwrap().on, Some(WaitsFor::Opening));
    }
}

/// Several gates one behind the other, of which no two are ever open at one time.
#[test]
fn all_that_opens_counts_together() {
    let mut crowd = Crowd::new(grid(&["..#..#.."]), StepRules::default(), Pace::default());
    for (x, opens, shuts) in [(2, 1.0, 4.0), (5, 6.0, 9.0)] {
        crowd.announce(Announced::cost(Cell::new(x, 0), TILE, seconds(opens)).every(seconds(12.0)));
        crowd.announce(Announced::cost(Cell::new(x, 0), None, seconds(shuts)).every(seconds(12.0)));
    }
    let agent = add_and_send(&mut crowd, Cell::new(1, 0), Cell::new(7, 0));
    // It does not set out before there is a route: solid agents do not plan ahead.
    let log = crowd.advance(seconds(30.0));
    assert!(!is_told(log));
    assert_eq!(crowd.waiting(agent).unwrap().on, Some(WaitsFor::Opening));
}

/// A gate that opens for a class of terrain lets those pass who walk there, of the size for which there is room.
#[test]
fn classes_open_for_the_kinds_that_enter_them() {
    const GATE: u8 = 1;
    const SHUT: u8 = 2;
    let walker = AgentKind::new().with_cost(0, TILE).with_cost(GATE, TILE);
    let kinds = [walker.clone(), walker.clone().with_side(2), AgentKind::new().with_cost(0, TILE)];
    // A gate of one cell in the north, and one of two cells in the south.
    let class = |cell: Cell| match (cell.x, cell.y) {
        (4, 1 | 4 | 5) => SHUT,
        (4, _) => 9,
        _ => 0,
    };
    for (cells, opens) in [(vec![(4, 1)], [true, false, false]), (vec![(4, 4), (4, 5)], [true, true, false])] {
        let mut crowd = crowd_on_classes(Size::new(9, 7), kinds.clone(), class);
        for &cell in &cells {
            crowd.announce(Announced::class(cell.into(), GATE, seconds(8.0)).every(seconds(80.0)));
            crowd.announce(Announced::class(cell.into(), SHUT, seconds(70.0)).every(seconds(80.0)));
        }
        let agents = [0, 1, 2].map(|kind| {
            let at = Cell::new(1, 2 * kind as i32);
            let agent = crowd.add_with(at, AgentSettings::new().with_kind(kind)).unwrap();
            crowd.send(agent, at + (5, 0), OnArrival::Stay);
            agent
        });
        let log = crowd.advance(seconds(7.0)).to_vec();
        let told = |agent: AgentId| {
            log.iter().any(|event| matches!(event, CrowdEvent::Unreachable { agent: other, .. } if *other == agent))
        };
        assert_eq!(agents.map(|agent| !told(agent)), opens, "{cells:?}");
        crowd.advance(seconds(50.0));
        assert_eq!(agents.map(|agent| crowd.state(agent).unwrap().has_arrived), opens, "{cells:?}");
    }
}

/// An agent that follows one behind a gate waits, too.
#[test]
fn a_follower_waits_for_a_gate_that_opens() {
    for (mut crowd, gate) in gates() {
        let leader = crowd.add(Cell::new(7, 1)).unwrap();
        let follower = crowd.add(Cell::new(0, 1)).unwrap();
        shut(&mut crowd, gate, 0.0, 5.0);
        crowd.send(follower, Goal::Follow(leader), OnArrival::Stay);
        let log = crowd.advance(seconds(30.0));
        assert!(!is_told(log));
        assert!(crowd.state(follower).unwrap().has_arrived);
    }
}

/// An agent of a group whose place alone is shut off gets another one, as its goal can be reached now.
#[test]
fn an_agent_that_loses_its_place_to_a_gate_gets_another_one() {
    let mut crowd = Crowd::new(grid(&["........", "........"]), StepRules::default(), Pace::default());
    let group = [0, 1, 2].map(|x| crowd.add(Cell::new(x, 0)).unwrap());
    let place = Cell::new(4, 0);
    shut(&mut crowd, place, 0.5, 1000.0);
    crowd.send_group(&group, Cell::new(3, 0));
    crowd.advance(seconds(0.25));
    let goals = |crowd: &Crowd| group.map(|agent| crowd.state(agent).unwrap().goal.unwrap());
    assert!(goals(&crowd).contains(&place));
    let log = crowd.advance(seconds(30.0)).to_vec();
    assert!(!goals(&crowd).contains(&place));
    assert!(group.iter().all(|&agent| crowd.state(agent).unwrap().has_arrived));
    assert!(!is_told(&log));
}

/// For the question whether a route opens, a map is copied and labelled, and searches wait for as long as that takes:
/// once.
#[test]
fn the_budget_pays_for_the_question_whether_a_route_opens() {
    let searches = |is_announced: bool| {
        let grid = open_where(Size::new(300, 300), |cell| cell.x != 150);
        let mut crowd = Crowd::new(grid, StepRules::default(), PACE);
        crowd.set_search_budget(500);
        if is_announced {
            crowd.announce(Announced::cost(Cell::new(150, 3), TILE, seconds(3000.0)));
        }
        let agent = add_and_send(&mut crowd, Cell::new(0, 0), Cell::new(299, 0));
        let wait = |crowd: &Crowd| crowd.waiting(agent).unwrap().on;
        while wait(&crowd) == Some(WaitsFor::Search) {
            crowd.advance(CrowdTime::SECOND.divided_by(64));
        }
        assert_eq!(wait(&crowd), Some(if is_announced { WaitsFor::Opening } else { WaitsFor::Route }));
        crowd
    };
    let [with, without] = [true, false].map(|is_announced| searches(is_announced).now().seconds());
    assert!((0.2..1.0).contains(&(with - without)), "{with} s, and {without} s without the question");

    // A loaded crowd makes the grid again, but pays for nothing twice.
    #[cfg(feature = "serde")]
    {
        let mut crowd = searches(true);
        let mut loaded = super::reloaded(&crowd);
        for _ in 0..3 * 64 {
            for crowd in [&mut crowd, &mut loaded] {
                crowd.advance(CrowdTime::SECOND.divided_by(64));
            }
            assert_eq!(crowd.state_hash(), loaded.state_hash());
        }
    }
}
