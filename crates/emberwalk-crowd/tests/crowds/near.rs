//! Agents that go to a cell, or as near to it as they can.

use emberwalk_crowd::{Goal, OnArrival};
use emberwalk_path::EntryCost;
use emberwalk_path::grid::{Cell, Size};

use super::checked::Game;
use super::orders::{both, on_both};
use super::{grid, open};

#[test]
fn an_agent_goes_to_a_cell_or_as_near_to_it_as_it_can() {
    for grid in both(&grid(&["........", "....####", "....#..#", "....####", "........"])) {
        for budget in [u64::MAX, 100] {
            let mut game = Game::new(&grid);
            game.crowd.set_search_budget(budget);
            let goal = Cell::new(5, 2);
            let agent = game.add_and_send(0, 2, Goal::Near(goal));
            assert_eq!(game.state(agent).unreachable, Some(goal));
            game.advance(10.0);
            let state = game.state(agent);
            assert!(state.has_arrived && state.unreachable == Some(goal));
            assert_eq!((game.arrivals(agent), game.told(agent)), (vec![Cell::new(3, 2)], vec![false]));
            game.advance(10.0);
            assert_eq!(game.told(agent), [false], "it is told once");
            // A door.
            game.crowd.set(Cell::new(4, 2), Some(EntryCost::TILE));
            game.advance(6.0);
            let state = game.state(agent);
            assert_eq!((state.cell, state.has_arrived, state.unreachable), (goal, true, None));
            assert_eq!((game.arrivals(agent), game.told(agent)), (vec![Cell::new(3, 2), goal], vec![false, true]));
            game.crowd.send(agent, Goal::Near(Cell::new(0, 0)), OnArrival::Stay);
            game.advance(10.0);
            assert_eq!(game.cell(agent), Cell::new(0, 0));
        }
    }
}

/// Of equally near cells it takes the cell that it reaches first.
#[test]
fn an_agent_takes_the_near_side_of_a_house() {
    let house = Cell::new(5, 5);
    for grid in both(&open(11, 11)) {
        for side in [(0, 3), (0, -3), (3, 0), (-3, 0)] {
            let mut game = Game::new(&grid);
            game.crowd.set(house, None);
            let from = house + side;
            let agent = game.add_and_send(from.x, from.y, Goal::Near(house));
            game.advance(10.0);
            assert_eq!(game.arrivals(agent), [house + (side.0 / 3, side.1 / 3)]);
        }
    }
}

#[test]
fn several_agents_come_near_to_one_cell() {
    for mut game in on_both(&open(12, 12)) {
        let goal = Cell::new(7, 5);
        let agents: Vec<_> = (0..9).map(|y| game.add_and_send(0, y, Goal::Near(goal))).collect();
        game.advance(60.0);
        for agent in agents {
            assert!(game.state(agent).has_arrived);
            assert!(game.cell(agent).distance_squared(goal) <= 4);
        }
    }
}

#[test]
fn a_repeated_order_to_go_near_changes_nothing() {
    for grid in both(&grid(&["..........", "......####", "......#..#", "......####"])) {
        let mut logs = Vec::new();
        for repeats in [false, true] {
            let mut game = Game::new(&grid);
            let agent = game.add(0, 3);
            let goal = Goal::Near(Cell::new(7, 2));
            game.crowd.send(agent, goal.clone(), OnArrival::Stay);
            for _ in 0..100 {
                game.advance(0.05);
                if repeats && !game.state(agent).has_arrived {
                    game.crowd.send(agent, goal.clone(), OnArrival::Stay);
                }
            }
            logs.push(std::mem::take(&mut game.log));
        }
        assert_eq!(logs[0], logs[1]);
    }
}

#[test]
fn a_cell_off_the_map_counts_as_the_nearest_one() {
    let mut game = Game::new(&open(9, 9));
    let agent = game.add(4, 4);
    for (goal, at) in [((-7, 3), (0, 3)), ((i32::MAX, 5), (8, 5)), ((4, i32::MIN), (4, 0)), ((99, 99), (8, 8))] {
        game.crowd.send(agent, Goal::Near(goal.into()), OnArrival::Stay);
        game.advance(20.0);
        assert_eq!((game.cell(agent), game.state(agent).unreachable), (at.into(), None));
    }
}

#[test]
fn such_goals_are_queued_and_patrolled() {
    for mut game in on_both(&grid(&["........", "......#.", "........"])) {
        let (agent, sentry, guest) = (game.add(0, 0), game.add(0, 2), game.add(3, 1));
        let (house, other) = (Cell::new(6, 1), Cell::new(0, 1));
        game.crowd.then(agent, Goal::Near(house), OnArrival::Stay);
        game.crowd.then(agent, Cell::new(0, 0), OnArrival::Stay);
        game.crowd.patrol(sentry, [Goal::Near(house), Goal::Near(other)]);
        game.crowd.send(guest, Goal::Near(house), OnArrival::Leave);
        game.advance(60.0);
        assert_eq!(game.arrivals(agent).len(), 2);
        assert!(game.arrivals(agent)[0].distance_squared(house) <= 2);
        let rounds = game.arrivals(sentry);
        assert!(rounds.len() >= 8, "{rounds:?}");
        for (k, at) in rounds.iter().enumerate() {
            assert!(at.distance_squared(if k % 2 == 0 { house } else { other }) <= 2, "{rounds:?}");
        }
        assert_eq!(game.arrivals(guest).len(), 1);
        assert!(game.crowd.state(guest).is_none(), "it has left");
    }
}

/// An agent that goes to leave the map gets a better place, too.
#[test]
fn the_place_of_an_agent_that_leaves_there_follows_the_ground() {
    for mut game in on_both(&open(12, 3)) {
        let wall = (Cell::new(8, 0), Size::new(1, 3));
        game.crowd.set_area(wall.0, wall.1, None);
        let agent = game.add(0, 1);
        let goal = Cell::new(10, 1);
        game.crowd.send(agent, Goal::Near(goal), OnArrival::Leave);
        game.advance(2.5);
        game.crowd.set_area(wall.0, wall.1, Some(EntryCost::TILE));
        game.advance(20.0);
        assert_eq!((game.arrivals(agent), game.told(agent)), (vec![goal], vec![false, true]));
        assert!(game.crowd.state(agent).is_none());
    }
}

#[test]
fn an_agent_under_way_is_told_to_leave_the_map_there() {
    let mut game = Game::new(&open(9, 1));
    let agent = game.add(0, 0);
    let goal = Goal::Near(Cell::new(6, 0));
    game.crowd.send(agent, goal.clone(), OnArrival::Stay);
    game.advance(2.5);
    game.crowd.send(agent, goal, OnArrival::Leave);
    game.advance(10.0);
    assert!(game.crowd.state(agent).is_none());
}
