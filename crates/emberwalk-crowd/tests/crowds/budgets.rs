//! With a budget for searches, many orders at one time are begun one after the other, the nearest first.

use std::collections::HashSet;

use emberwalk_crowd::{AgentId, Crowd, CrowdEvent, Goal, OnArrival, WaitsFor};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
use fastrand::Rng;

use super::checked::Game;
use super::{
    PACE, TICK, add_and_send, arrival_cells, check_ticks_of_any_length, count, interfere_for_a_while, open, open_where,
    random_play, steps_in, unreachable,
};

/// A slice of searches.
const SLICE: CrowdTime = CrowdTime::SECOND.divided_by(64);

/// A map of four costs without walls, so large that each agent has a route of its own.
fn ground(side: u32) -> CostGrid {
    let mut rng = Rng::with_seed(7);
    let cost = |_| EntryCost::from_tiles(f64::from(rng.u8(1..5))).ok();
    CostGrid::from_fn(Size::new(side, side), Diagonal::GAME, cost).unwrap()
}

/// A crowd of agents in the west, each with a goal of its own, some of which are near and some far away.
fn ordered(grid: CostGrid, budget: u64) -> (Crowd, Vec<(AgentId, i32)>) {
    let mut crowd = Crowd::new(grid, StepRules::default(), PACE);
    crowd.set_search_budget(budget);
    let agents = (0..60).map(|k| {
        let (from, distance) = (Cell::new(k % 3 * 2, k), 20 + k * 37 % 60 * 2);
        (add_and_send(&mut crowd, from, from + (distance, 0)), distance)
    });
    let agents = agents.collect();
    (crowd, agents)
}

#[test]
fn many_orders_are_begun_slice_by_slice_and_the_nearest_first() {
    let (mut crowd, agents) = ordered(ground(200), 3000);
    let searches = |agent| crowd.waiting(agent).is_some_and(|wait| wait.on == Some(WaitsFor::Search));
    assert!(agents.iter().all(|&(agent, _)| searches(agent)));
    let mut slices = 0;
    let mut waiting = agents.clone();
    let mut last = 0;
    while !waiting.is_empty() {
        crowd.advance(SLICE);
        slices += 1;
        let (still, found): (Vec<_>, Vec<_>) =
            waiting.iter().partition(|&&(agent, _)| crowd.remaining(agent).is_none());
        // No search takes less than the cells of its route, so that no slice has more than so many.
        let visited: i32 = found.iter().map(|(_, distance)| distance).sum();
        assert!(visited <= 2 * 3000, "slice {slices} has {} searches", found.len());
        for &(agent, distance) in &found {
            assert!(distance >= last, "slice {slices}: agent {agent} has {distance} after {last}");
        }
        last = found.iter().map(|&(_, distance)| distance).fold(last, i32::max);
        waiting = still;
    }
    assert!(slices > 10, "{slices} slices");
    // They walk already while others wait, and all arrive.
    crowd.advance(CrowdTime::from_whole_seconds(400));
    assert!(crowd.agents().all(|(_, agent)| agent.has_arrived));
}

/// On open ground the searches themselves are short. What agents see of their routes takes longer, and is paid for as well.
#[test]
fn a_slice_pays_for_all_that_its_orders_take() {
    let side = 256;
    let slices_to_set_out = |is_prepared: bool| {
        let mut crowd = Crowd::new(open(side, side), StepRules::default(), PACE);
        if is_prepared {
            crowd.prepare();
        }
        crowd.set_search_budget(50_000);
        let mut rng = Rng::with_seed(11);
        let mut cell = || Cell::new(rng.i32(0..side as i32), rng.i32(0..side as i32));
        let agents: Vec<_> = (0..1000).filter_map(|_| crowd.add(cell()).ok()).collect();
        agents.iter().for_each(|&agent| crowd.send(agent, cell(), OnArrival::Stay));
        let waiting = |crowd: &Crowd| agents.iter().filter(|&&agent| crowd.remaining(agent).is_none()).count();
        crowd.advance(SLICE);
        let begun = agents.len() - waiting(&crowd);
        assert!(begun < 300, "{begun} of {} have set out", agents.len());
        let mut slices = 1;
        while waiting(&crowd) > 0 {
            crowd.advance(SLICE);
            slices += 1;
        }
        slices
    };
    let [usual, prepared] = [false, true].map(slices_to_set_out);
    assert!((10..60).contains(&usual) && prepared <= usual, "{prepared} slices with preparation, {usual} without");
}

#[test]
fn a_budget_that_is_never_spent_changes_no_move() {
    let logs = [u64::MAX, u64::MAX - 1].map(|budget| {
        let (mut crowd, agents) = ordered(ground(160), budget);
        let mut log = Vec::new();
        for second in 0..40 {
            log.extend_from_slice(crowd.advance(CrowdTime::SECOND));
            crowd.send(agents[second as usize].0, Cell::new(40 + second, 37), OnArrival::Stay);
        }
        log
    });
    assert!(logs[0].len() > 1000);
    let differs = (0..).zip(logs[0].iter().zip(&logs[1])).find(|(_, (one, other))| one != other);
    assert_eq!(differs, None);
}

/// Whatever happens while searches wait: the same moves with ticks of any length, and nothing against the rules.
#[test]
fn slices_do_not_depend_on_the_length_of_ticks() {
    for seed in 0..30 {
        check_ticks_of_any_length(&format!("seed {seed}"), |tick| {
            let mut rng = Rng::with_seed(seed);
            let Some(mut play) = random_play(&mut rng.clone()) else { return (Vec::new(), 0) };
            play.crowd.set_search_budget(rng.u64(1..60));
            interfere_for_a_while(&mut play, tick, &mut rng);
            play.into_log_and_hash()
        });
    }
}

/// Orders that are given again in every tick do not begin to wait again.
#[test]
fn an_agent_that_is_sent_again_and_again_has_its_turn() {
    let (mut crowd, agents) = ordered(ground(200), 3000);
    let mut moved = HashSet::new();
    for tick in 0..400 {
        for &(agent, distance) in &agents {
            let at = crowd.state(agent).unwrap().cell;
            crowd.send(agent, Cell::new(distance + tick % 2, at.y), OnArrival::Stay);
        }
        moved.extend(steps_in(crowd.advance(SLICE)).map(|(agent, _)| agent));
    }
    assert_eq!(moved.len(), agents.len());
}

/// A search over the whole map takes many slices, and the grid changes in each of them.
#[test]
fn searches_end_although_the_grid_changes_all_the_time() {
    let mut crowd = Crowd::new(ground(200), StepRules::default(), PACE);
    crowd.set_search_budget(500);
    let agent = add_and_send(&mut crowd, Cell::new(0, 0), Cell::new(199, 150));
    for tick in 0..100 {
        crowd.set(Cell::new(100 + tick % 50, 190), EntryCost::from_tiles(f64::from(1 + tick % 3)).ok());
        crowd.advance(SLICE);
    }
    assert!(crowd.remaining(agent).is_some());
}

/// Agents that walk to a wall that is built on their routes go on as soon as they have others.
#[test]
fn outdated_routes_are_planned_again_slice_by_slice() {
    let (crowd, agents) = ordered(ground(200), 3000);
    let mut play = Game::of(crowd);
    play.advance(4.0);
    play.crowd.set_area(Cell::new(16, 1), Size::new(1, 199), None);
    assert!(play.run(600.0));
    for (agent, distance) in agents {
        assert!(play.cell(agent).x >= distance, "it has come through the gap in the north");
    }
}

#[test]
fn an_unreachable_goal_is_told_once() {
    let grid = open_where(Size::new(200, 100), |cell| cell.x != 150);
    let mut crowd = Crowd::new(grid, StepRules::default(), PACE);
    crowd.set_search_budget(100);
    let agent = add_and_send(&mut crowd, Cell::new(0, 0), Cell::new(180, 50));
    let told: usize = (0..200).map(|_| unreachable(crowd.advance(TICK))).sum();
    assert_eq!(told, 1);
    assert_eq!(crowd.waiting(agent).unwrap().on, Some(WaitsFor::Route));
    crowd.set(Cell::new(150, 50), Some(EntryCost::TILE));
    crowd.advance(CrowdTime::from_whole_seconds(400));
    assert!(crowd.state(agent).unwrap().has_arrived);
}

/// A follower continues along the old route while a new one is searched for.
#[test]
fn followers_do_not_stop_to_search() {
    let mut crowd = Crowd::new(ground(200), StepRules::default(), PACE);
    crowd.set_search_budget(400);
    let leader = crowd.add(Cell::new(30, 20)).unwrap();
    let follower = crowd.add(Cell::new(10, 20)).unwrap();
    crowd.send(leader, Cell::new(150, 60), OnArrival::Stay);
    crowd.send(follower, Goal::Follow(leader), OnArrival::Stay);
    crowd.advance(CrowdTime::from_whole_seconds(600));
    let [leader, follower] = [leader, follower].map(|agent| crowd.state(agent).unwrap());
    assert!(leader.has_arrived && leader.cell.distance_squared(follower.cell) <= 2);
}

/// The route of a group is one search, whose work the next slices lack.
#[test]
fn a_group_sets_out_together_and_later_orders_wait() {
    let mut crowd = Crowd::new(ground(200), StepRules::default(), PACE);
    crowd.set_search_budget(1000);
    let group: Vec<_> = (0..30).map(|k| crowd.add(Cell::new(k % 5, k)).unwrap()).collect();
    let other = crowd.add(Cell::new(190, 190)).unwrap();
    let goal = Cell::new(150, 120);
    crowd.send_group(&group, goal);
    assert!(group.iter().all(|&agent| crowd.remaining(agent).is_some()));
    crowd.send(other, Cell::new(189, 180), OnArrival::Stay);
    let mut slices = 0;
    while crowd.remaining(other).is_none() {
        assert_eq!(crowd.waiting(other).unwrap().on, Some(WaitsFor::Search));
        crowd.advance(SLICE);
        slices += 1;
    }
    assert!(slices > 3, "{slices} slices");
    crowd.advance(CrowdTime::from_whole_seconds(400));
    assert!(crowd.agents().all(|(_, agent)| agent.has_arrived));
}

/// While the search of a group of one goes on, everybody knows that its goal is out of reach, and it is told so once.
#[test]
fn an_agent_that_cannot_reach_its_goal_keeps_its_order_while_it_waits() {
    let grid = ground(160);
    let goal = Cell::new(100, 80);
    let cost = |cell: Cell| grid.get(cell).filter(|_| cell.distance_squared(goal) > 9 || cell == goal);
    let grid = CostGrid::from_fn(Size::new(160, 160), Diagonal::GAME, cost).unwrap();
    let mut crowd = Crowd::new(grid, StepRules::default(), PACE);
    crowd.set_search_budget(200);
    let agent = crowd.add(Cell::new(3, 4)).unwrap();
    let mut events = Vec::new();
    for _ in 0..40 {
        crowd.send_group(&[agent], goal);
        assert_eq!(crowd.state(agent).unwrap().unreachable, Some(goal));
        events.extend_from_slice(crowd.advance(SLICE));
    }
    events.extend_from_slice(crowd.advance(CrowdTime::from_whole_seconds(400)));
    let is_told = |event: &CrowdEvent| matches!(event, CrowdEvent::Unreachable { .. } | CrowdEvent::Reachable { .. });
    assert_eq!(count(&events, is_told), 1);
    let state = crowd.state(agent).unwrap();
    assert!(state.has_arrived && state.cell.distance_squared(goal) <= 20, "{state:?}");
}

#[test]
fn what_was_done_without_a_budget_is_not_paid_for() {
    let (mut crowd, agents) = ordered(ground(200), u64::MAX);
    crowd.set_search_budget(3000);
    let (agent, _) = agents[0];
    crowd.send(agent, Cell::new(2, 1), OnArrival::Stay);
    assert!(crowd.remaining(agent).is_none());
    crowd.advance(SLICE);
    assert!(crowd.remaining(agent).is_some());
}

#[test]
fn an_order_that_waits_for_its_search_comes_before_a_queued_one() {
    let mut crowd = Crowd::new(ground(200), StepRules::default(), PACE);
    crowd.set_search_budget(50);
    let [first, second, last] = [10, 60, 30].map(|x| Cell::new(x, 20));
    let agent = add_and_send(&mut crowd, Cell::new(8, 20), first);
    let mut log = crowd.advance(CrowdTime::from_whole_seconds(60)).to_vec();
    assert!(crowd.state(agent).unwrap().has_arrived);
    crowd.send(agent, second, OnArrival::Stay);
    crowd.then(agent, last, OnArrival::Stay);
    log.extend_from_slice(crowd.advance(CrowdTime::from_whole_seconds(900)));
    assert_eq!(arrival_cells(&log), [first, second, last]);
}

/// Wherever they have been pushed meanwhile.
#[test]
fn agents_that_are_pushed_off_their_goals_come_back() {
    let grid = open_where(Size::new(200, 60), |cell| cell.y == 0 || cell.x % 7 == 3);
    let goals = [40, 44, 90, 93].map(|x| Cell::new(x, 0));
    let mut play = Game::with_orders(grid, &[]);
    play.crowd.set_search_budget(60);
    let agents = goals.map(|goal| add_and_send(&mut play.crowd, goal + (1, 0), goal));
    play.advance(30.0);
    for x in 0..6 {
        let passes = play.add(x, 0);
        play.crowd.send(passes, Cell::new(180, 0), OnArrival::Leave);
    }
    assert!(play.run(600.0));
    assert_eq!(agents.map(|agent| play.cell(agent)), goals);
}
