//! Goals that are taken: one agent rests there, and the others come to rest near it, whatever their sizes.

use std::ops::Range;

use emberwalk_crowd::{Goal, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use fastrand::Rng;

use super::checked::Game;
use super::large::{add, land};
use super::{seeded, steps_in, stuck};

/// How many random crowds are tried.
const WORLDS: u64 = 150;

/// How many steps are decided in this time.
fn steps(game: &mut Game, seconds: f64) -> usize {
    let before = game.log.len();
    game.advance(seconds);
    steps_in(&game.log[before..]).count()
}

/// How many columns or rows are between two squares; negative if they share a cell.
pub(super) fn gap(one: Cell, side: usize, other: Cell, other_side: usize) -> i32 {
    let between = |one: i32, other: i32| (other - one - side as i32).max(one - other - other_side as i32);
    between(one.x, other.x).max(between(one.y, other.y))
}

/// The first one rests before the other one comes, or both are sent at the same time.
#[test]
fn of_two_agents_whose_goals_overlap_one_rests_in_its_goal_and_the_other_beside_it() {
    for (side, other_side) in (1..4).flat_map(|side| (1..4).map(move |other| (side, other))) {
        let offsets = || 1 - other_side as i32..side as i32;
        for (dx, dy) in offsets().flat_map(|dx| offsets().map(move |dy| (dx, dy))) {
            for comes_later in [true, false] {
                let what = format!("sides {side} and {other_side}, {dx}, {dy}, {comes_later}");
                let mut game = Game::of(land(Size::new(20, 14), |_| false));
                let agents = [(side, 16), (other_side, 0)].map(|(side, x)| add(&mut game.crowd, side, Cell::new(x, 6)));
                game.crowd.send(agents[0], Cell::new(10, 6), OnArrival::Stay);
                if comes_later {
                    game.advance(10.0);
                }
                game.crowd.send(agents[1], Cell::new(10 + dx, 6 + dy), OnArrival::Stay);
                game.advance(20.0);
                assert_eq!(steps(&mut game, 100.0), 0, "{what}");
                let [one, other] = agents.map(|agent| game.state(agent));
                assert_ne!(one.has_arrived, other.has_arrived, "{what}");
                assert!(one.has_arrived || !comes_later, "{what}");
                assert_eq!(gap(one.cell, side, other.cell, other_side), 0, "{what}");
                assert_eq!(agents.map(|agent| stuck(&game.log, agent)), [0, 0], "{what}");
            }
        }
    }
}

/// Two meet in a lane without a place to pass each other. The goal of one of them is taken, but it is far away.
#[test]
fn an_agent_that_cannot_come_near_its_taken_goal_is_told() {
    for side in [1, 2] {
        let mut game = Game::of(land(Size::new(20, side as u32), |_| false));
        let agents = [(1, 19, side as i32 - 1), (side, 0, 0), (side, 10, 0)]
            .map(|(side, x, y)| add(&mut game.crowd, side, Cell::new(x, y)));
        let goals = [Cell::new(19, side as i32 - 1), Cell::new(20 - side as i32, 0), Cell::new(0, 0)];
        for (agent, goal) in agents.into_iter().zip(goals) {
            game.crowd.send(agent, goal, OnArrival::Stay);
        }
        game.advance(60.0);
        assert_eq!(agents.map(|agent| stuck(&game.log, agent)), [0, 1, 1], "side {side}");
    }
}

/// They stand around the agent that rests there, in several rows.
#[test]
fn agents_that_rest_near_a_taken_goal_are_not_told() {
    for side in [1, 2] {
        let mut game = Game::of(land(Size::new(30, 30), |_| false));
        let agents: Vec<_> = (0..10).map(|k| add(&mut game.crowd, side, Cell::new(3 * k, 2 * k))).collect();
        agents.iter().for_each(|&agent| game.crowd.send(agent, Cell::new(14, 14), OnArrival::Stay));
        game.advance(200.0);
        let told: Vec<_> = agents.iter().map(|&agent| stuck(&game.log, agent)).collect();
        assert_eq!(told, [0; 10], "side {side}");
    }
}

/// Agents of random sizes are sent to a few places that overlap, one after the other.
#[test]
fn agents_of_random_sizes_that_want_the_same_ground_come_to_rest() {
    let mut jams = 0;
    for (seed, mut rng) in seeded(WORLDS) {
        let size = Size::new(24, 18);
        let cell_in = |rng: &mut Rng, x: Range<i32>, y: Range<i32>| Cell::new(rng.i32(x), rng.i32(y));
        let rocks: Vec<_> = (0..rng.usize(0..12)).map(|_| cell_in(&mut rng, 0..9, 0..18)).collect();
        let mut game = Game::of(land(size, |cell| rocks.contains(&cell)));
        let mut agents = Vec::new();
        for _ in 0..rng.usize(2..9) {
            let (side, at) = (rng.usize(1..4), cell_in(&mut rng, 0..24, 0..18));
            let at = game.crowd.nearest_free(side - 1, at).unwrap();
            agents.push((add(&mut game.crowd, side, at), side));
        }
        for &(agent, _) in &agents {
            game.crowd.send(agent, cell_in(&mut rng, 10..14, 7..11), OnArrival::Stay);
            game.advance(rng.f64() * 8.0);
        }
        game.advance(300.0);
        let steps = steps(&mut game, 200.0);
        let states: Vec<_> = agents.iter().map(|&(agent, side)| (game.state(agent), side)).collect();
        let is_taken = |goal: Cell, side: usize| {
            let mut others = states.iter().filter(|(state, _)| state.has_arrived);
            others.any(|(state, other_side)| gap(goal, side, state.cell, *other_side) < 0)
        };
        // A few of them are in a jam for good.
        let jammed: Vec<_> = agents
            .iter()
            .zip(&states)
            .filter(|((_, side), (state, _))| !is_taken(state.goal.unwrap(), *side))
            .collect();
        jams += usize::from(!jammed.is_empty());
        assert!(steps == 0 || !jammed.is_empty(), "seed {seed}: {steps} steps");
        for ((agent, _), (state, _)) in jammed {
            assert!(stuck(&game.log, *agent) > 0, "seed {seed}: {agent}, {state:?}");
        }
    }
    assert!(jams < WORLDS as usize / 10, "{jams}");
}

/// They find as many places as there are in a corner, beside walls, and beside an agent of several cells.
#[test]
fn followers_for_whom_there_is_no_room_come_to_rest() {
    let is_wall = |cell: Cell| cell.y == 2 && cell.x < 11 || cell.x == 10 && cell.y < 2;
    let grounds = [land(Size::new(12, 9), |_| false), land(Size::new(12, 9), is_wall)];
    for (crowd, leader_side, places) in [(&grounds[0], 1, 3), (&grounds[0], 2, 5), (&grounds[1], 1, 1)] {
        for (holds, followers) in [true, false].into_iter().flat_map(|holds| (1..8).map(move |count| (holds, count))) {
            let what = format!("{followers} followers of side {leader_side}, {holds}, {places} places");
            let mut game = Game::of(crowd.clone());
            let leader = add(&mut game.crowd, leader_side, Cell::new(12 - leader_side as i32, 0));
            if holds {
                game.crowd.hold(leader);
            }
            let list: Vec<_> = (0..followers).map(|x| add(&mut game.crowd, 1, Cell::new(x, 8))).collect();
            list.iter().for_each(|&agent| game.crowd.send(agent, Goal::Follow(leader), OnArrival::Stay));
            game.advance(60.0);
            assert_eq!(steps(&mut game, 100.0), 0, "{what}");
            let arrived = list.iter().filter(|&&agent| game.state(agent).has_arrived);
            assert_eq!(arrived.count(), places.min(list.len()), "{what}");
        }
    }
}
