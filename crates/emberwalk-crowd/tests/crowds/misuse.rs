//! Crowds in unusual use: nothing panics, hangs or breaks the rules.

use emberwalk_crowd::{Crowd, CrowdError, CrowdEvent, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, EntryCost, Level, StepRules};

use super::checked::Game;
use super::{PACE, TICK, count, crowd_on_classes, first, kinds_of_sides, open};

fn crowd(grid: CostGrid) -> Crowd {
    Crowd::new(grid, StepRules::default(), PACE)
}

#[test]
fn time_may_stand_still_or_pass_in_hours() {
    let orders = [((0, 0), (4, 0)), ((4, 0), (0, 0)), ((1, 0), (3, 0))];
    let orders = orders.map(|(from, to)| (Cell::from(from), Cell::from(to)));
    // In a passage without a recess nobody arrives, so that all of them try to move again and again.
    let mut play = Game::with_orders(open(5, 1), &orders);
    for duration in
        [0.0, 0.0, 1e-9, 1e300, f64::INFINITY, 0.0, 7200.0, f64::NAN, -3.0, 0.01].map(CrowdTime::from_seconds)
    {
        play.advance_by(duration);
    }
    assert_eq!(play.crowd.now(), CrowdTime::from_seconds(3.0 * 3600.0 + 0.01), "a call lasts an hour at most");
}

#[test]
fn time_passes_for_nobody() {
    let mut crowd = crowd(open(3, 3));
    assert_eq!(crowd.advance(CrowdTime::from_seconds(1e9)), []);
    crowd.set(Cell::new(1, 1), None);
    assert_eq!(crowd.advance(TICK).len(), 1, "the edit");
    assert_eq!(crowd.agents().count(), 0);
}

#[test]
fn agents_that_are_not_there_are_left_alone() {
    let mut large = crowd(open(9, 9));
    let foreign: Vec<_> = (0..9).map(|x| large.add(Cell::new(x, 0)).unwrap()).collect();
    let mut small = crowd(open(9, 9));
    let agent = small.add(Cell::new(4, 4)).unwrap();
    small.send(agent, Cell::new(8, 8), OnArrival::Leave);
    small.advance(CrowdTime::from_seconds(0.5));
    small.remove(agent);
    small.advance(TICK);
    for agent in foreign {
        small.send(agent, Cell::new(1, 1), OnArrival::Stay);
        small.stop(agent);
        small.remove(agent);
        assert_eq!(small.state(agent), None);
    }
    assert_eq!(small.advance(CrowdTime::SECOND), []);
}

#[test]
fn no_two_agents_are_put_in_one_cell() {
    let mut crowd = crowd(open(2, 2));
    let cell = Cell::new(1, 1);
    for cell in [(2, 0), (0, -1), (i32::MAX, i32::MIN)].map(Cell::from) {
        assert_eq!(crowd.add(cell), Err(CrowdError::Blocked(cell)));
        assert_eq!(crowd.agent_at(cell), None);
    }
    let agent = crowd.add(cell).unwrap();
    assert_eq!(crowd.add(cell), Err(CrowdError::Taken(cell)));
    assert_eq!(crowd.agent_at(cell), Some(agent));
    crowd.set(cell, None);
    crowd.remove(agent);
    assert_eq!(crowd.add(cell), Err(CrowdError::Taken(cell)), "an edit waits for it");
    crowd.advance(CrowdTime::SECOND);
    assert_eq!(crowd.add(cell), Err(CrowdError::Blocked(cell)));
}

#[test]
fn goals_may_be_anywhere_and_be_blocked_and_opened() {
    let mut play = Game::with_orders(open(6, 6), &[(Cell::new(0, 0), Cell::new(5, 5))]);
    let agent = first(&play);
    for goal in [(i32::MAX, i32::MAX), (i32::MIN, 0), (6, 5), (-1, -1)].map(Cell::from) {
        play.crowd.send(agent, goal, OnArrival::Leave);
        play.advance(1.0);
    }
    let goal = Cell::new(5, 5);
    play.crowd.send(agent, goal, OnArrival::Stay);
    play.crowd.set(goal, None);
    assert!(!play.run(12.0), "the goal is blocked");
    play.crowd.set(goal, Some(EntryCost::TILE));
    assert!(play.run(24.0), "the goal is open again");
    // An agent that is walled in stays where it is, and its own cell cannot be blocked.
    for cell in Size::new(6, 6).cells() {
        play.crowd.set(cell, None);
    }
    play.crowd.send(agent, Cell::new(0, 0), OnArrival::Stay);
    assert!(!play.run(30.0));
    assert_eq!(play.crowd.state(agent).unwrap().cell, goal);
    assert!(play.crowd.grid().is_passable(goal));
}

#[test]
fn many_edits_of_one_cell_are_one_edit() {
    let mut play = Game::with_orders(open(4, 4), &[(Cell::new(0, 0), Cell::new(0, 0))]);
    play.advance_by(TICK);
    let agent = first(&play);
    for k in 0..100_000 {
        play.crowd.set(Cell::new(0, 0), None);
        play.crowd.set_level(Cell::new(1, 1), Level::new((k % 2) as u8).unwrap());
        play.crowd.send(agent, Cell::new(0, 0), OnArrival::Stay);
        play.crowd.hold(agent);
    }
    play.advance(1.0);
    assert!(play.crowd.grid().is_passable(Cell::new(0, 0)));
    play.crowd.remove(agent);
    play.advance(1.0);
    assert!(!play.crowd.grid().is_passable(Cell::new(0, 0)));
}

/// A later edit of a cell replaces a waiting edit; the cost and the level of a cell wait independently.
#[test]
fn the_last_edit_of_a_cell_counts() {
    let cell = Cell::new(1, 0);
    let mut play = Game::with_orders(open(9, 1), &[(Cell::new(0, 0), Cell::new(8, 0))]);
    play.advance_by(TICK);
    play.crowd.set(cell, None);
    play.crowd.set_level(cell, Level::new(1).unwrap());
    play.crowd.set(cell, EntryCost::from_tiles(3.0).ok());
    assert_eq!(play.crowd.grid().get(cell), Some(EntryCost::TILE), "it waits");
    play.advance(1.0);
    assert_eq!(play.crowd.grid().get(cell), EntryCost::from_tiles(3.0).ok());
    assert_eq!(play.crowd.grid().level(cell), Level::new(1).unwrap());
    assert_eq!(count(&play.log, |event| matches!(event, CrowdEvent::CostSet { .. })), 1);
}

#[test]
fn grids_of_any_size_work() {
    let mut tiny = crowd(open(1, 1));
    let agent = tiny.add(Cell::new(0, 0)).unwrap();
    tiny.send(agent, Cell::new(0, 0), OnArrival::Leave);
    assert!(matches!(tiny.advance(CrowdTime::SECOND).last(), Some(CrowdEvent::Left { .. })));
    let mut large = crowd(open(1024, 1024));
    let agent = large.add(Cell::new(1023, 1023)).unwrap();
    large.send(agent, Cell::new(930, 1023), OnArrival::Stay);
    large.set(Cell::new(980, 1023), None);
    large.advance(CrowdTime::from_seconds(60.0));
    assert!(large.state(agent).unwrap().has_arrived);
}

/// The checker knows that a step ends when its agent is removed, and that a step that has not begun is not taken.
#[test]
fn nobody_meets_a_agent_that_is_removed_in_its_step() {
    let cells = [(0, 0), (1, 0), (2, 0)].map(Cell::from);
    let rules = StepRules::default();
    let mut play =
        Game::with_rules(open(4, 1), rules, &[(cells[0], cells[2]), (cells[1], (3, 0).into())], OnArrival::Stay);
    play.advance_by(TICK);
    // The second agent follows, and the wall is built where it was about to go.
    let [first, second] = [0, 1].map(|k| play.crowd.agents().nth(k).unwrap().0);
    play.crowd.remove(second);
    play.crowd.remove(first);
    play.crowd.set(cells[1], None);
    play.advance_by(TICK);
    let third = play.crowd.add(cells[2]).unwrap();
    play.crowd.set(cells[1], Some(EntryCost::TILE));
    play.crowd.send(third, cells[0], OnArrival::Stay);
    assert!(play.run(10.0));
}

#[test]
fn paces_of_any_length_work() {
    let times = [CrowdTime::ZERO, CrowdTime::from_seconds(1e-5), CrowdTime::SECOND, CrowdTime::from_seconds(1e300)];
    for per_tile in times {
        let pace = Pace::new(per_tile).with_bounds(times[3], times[0]);
        for pace in [pace, Pace::new(per_tile)] {
            let mut crowd = Crowd::new(open(5, 2), StepRules::default(), pace);
            let agents = [(0, 0), (4, 0)].map(|cell| crowd.add(cell.into()).unwrap());
            crowd.send(agents[0], Cell::new(4, 0), OnArrival::Stay);
            crowd.send(agents[1], Cell::new(0, 0), OnArrival::Stay);
            let log = crowd.advance(CrowdTime::from_seconds(30.0)).to_vec();
            assert_eq!(conflicts(open(5, 2), StepRules::default(), pace, &log), []);
        }
    }
}

/// An edit that cannot be made says so, and changes nothing.
#[test]
fn classes_and_costs_are_set_in_crowds_that_have_them() {
    let (cell, size) = (Cell::new(1, 1), Size::new(2, 2));
    let mut on_costs = crowd(open(4, 4));
    let mut on_classes = crowd_on_classes(Size::new(4, 4), kinds_of_sides([1]), |_| 0);
    let before = [&on_costs, &on_classes].map(Crowd::state_hash);
    assert!(!on_costs.set_class(cell, 1) && !on_costs.set_class_area(cell, size, 1));
    assert!(
        !on_classes.set(cell, None) && !on_classes.set_for(0, cell, None) && !on_classes.set_area(cell, size, None)
    );
    assert_eq!([&on_costs, &on_classes].map(Crowd::state_hash), before);
    assert!(on_costs.set(cell, None) && on_classes.set_class(cell, 1));
}
