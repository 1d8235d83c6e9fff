//! Crowds on hills with ledges that lead one way: agents jump down, and no agent is brought to a cell from which its
//! goal is unreachable.

use emberwalk_crowd::{CrowdEvent, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{ClimbRule, Components, Corners, CostGrid, Diagonal, EntryCost, Level, Moves, StepRules};
use fastrand::Rng;

use super::checked::Game;
use super::links::{SmallPlay, starts_and_goals, unfinished};
use super::{cases, enlarged, first, grid, random_rules, seeded};

/// A grid with the levels of these rows, on which steps lead up one level and down two.
fn hills(rows: &[&str], levels: &[&str]) -> CostGrid {
    let mut grid = grid(rows);
    let climb = ClimbRule::default().with_most(1, 2).unwrap();
    grid.set_levels(climb, |cell| Level::new(levels[cell.y as usize].as_bytes()[cell.x as usize] - b'0').unwrap());
    grid
}

/// A random map of terraces, often with walls, on which limits up and down differ, and random rules.
fn terraces(rng: &mut Rng, size: Size) -> (CostGrid, StepRules) {
    let (walls, wide) = (rng.f64() * 0.4, rng.i32(1..4));
    let cost = |_| if rng.f64() < walls { None } else { Some(EntryCost::TILE) };
    let mut grid = CostGrid::from_fn(size, Diagonal::GAME, cost).unwrap();
    let (up, down) = *rng.choice(&[(1, 2), (0, 1), (0, 9), (1, 3), (2, 1), (2, 0)]).unwrap();
    let blocks: Vec<_> = (0..20 * 20).map(|_| rng.u8(0..4)).collect();
    let level = |cell: Cell| Level::new(blocks[(cell.y / wide * 20 + cell.x / wide) as usize]).unwrap();
    grid.set_levels(ClimbRule::new(1.0, 0.5, 1).unwrap().with_most(up, down).unwrap(), level);
    (grid, random_rules(rng))
}

/// A small random map of terraces, and some agents with goals.
fn small_play(rng: &mut Rng, agents: usize) -> Option<SmallPlay> {
    // So that all positions can be searched.
    let sides = if agents < 4 { 3..7 } else { 3..5 };
    let size = Size::new(rng.u32(sides.clone()), rng.u32(sides));
    let (grid, rules) = terraces(rng, size);
    let orders = starts_and_goals(&grid, agents, rng)?;
    Some((grid, rules, orders))
}

#[test]
fn one_agent_arrives_wherever_ledges_lead() {
    let (solvable, unfinished) = unfinished(small_play, 1, 1500);
    println!("1 agent: {solvable} solvable, unfinished {unfinished:?}");
    assert!(solvable > 500 && unfinished.is_empty(), "{solvable}, {unfinished:?}");
}

#[test]
fn a_few_agents_arrive_nearly_wherever_ledges_lead() {
    for agents in 2..=4 {
        let (solvable, unfinished) = unfinished(small_play, agents, if agents < 4 { 1200 } else { 1000 });
        println!("{agents} agents: {solvable} solvable, unfinished {unfinished:?}");
        assert!(solvable > 50 && unfinished.len() * 50 <= solvable, "{agents} agents: {solvable}, {unfinished:?}");
    }
}

/// Many agents whose goals can be reached from where they start, on maps of both sizes: with fields, and with own routes.
#[test]
fn no_agent_is_led_where_no_route_leads_to_the_goal() {
    let (mut jumps, mut arrived) = (0, 0);
    for (seed, mut rng) in seeded(cases(300)) {
        let size = Size::new(rng.u32(5..16), rng.u32(5..16));
        let (mut grid, rules) = terraces(&mut rng, size);
        let mut components = Components::new(rules);
        components.update(&grid);
        let mut cells: Vec<_> = size.cells().filter(|&cell| grid.is_passable(cell)).collect();
        rng.shuffle(&mut cells);
        let mut goals = cells.clone();
        rng.shuffle(&mut goals);
        let orders: Vec<_> = cells[..cells.len() / 3]
            .iter()
            .filter_map(|&from| {
                let goal = goals.iter().position(|&goal| components.are_connected(&grid, from, goal))?;
                Some((from, goals.swap_remove(goal)))
            })
            .collect();
        if rng.bool() {
            let levels = grid.clone();
            grid = enlarged(&grid);
            grid.set_levels(*levels.climb(), |cell| levels.level(cell));
        }
        let on_arrival = if rng.bool() { OnArrival::Stay } else { OnArrival::Leave };
        let mut play = Game::with_rules(grid, rules, &orders, on_arrival);
        play.run(120.0);
        play.check(&format!("seed {seed}"));
        for event in &play.log {
            match *event {
                CrowdEvent::Unreachable { agent, time } => panic!("seed {seed}: {agent} at {time:?}, {on_arrival:?}"),
                CrowdEvent::Arrived { .. } => arrived += 1,
                CrowdEvent::Step { step, .. } => {
                    jumps += u32::from(rules.step_cost(play.crowd.grid(), step.to, step.from).is_none());
                }
                _ => {}
            }
        }
    }
    println!("{jumps} jumps, {arrived} arrived");
    assert!(jumps > cases(500) && arrived > cases(2000), "{jumps} jumps, {arrived} arrived");
}

#[test]
fn agents_jump_down_and_come_back_by_the_ramp() {
    let map = hills(&[".......", "##...##"], &["2222000", "0021000"]);
    let (top, bottom) = (Cell::new(0, 0), Cell::new(6, 0));
    let mut play =
        Game::with_rules(map, StepRules::new(Moves::Four, Corners::Never), &[(top, bottom)], OnArrival::Stay);
    let agent = first(&play);
    assert_eq!(play.crowd.route(agent).len(), 7, "straight down");
    assert!(play.run(20.0));
    play.crowd.send(agent, top, OnArrival::Stay);
    play.advance(1.0);
    assert!(play.run(40.0), "over the ramp");
}

/// The other one would get past it if it jumped down, but it could not come back.
#[test]
fn nobody_is_pushed_down_a_ledge_from_the_goal() {
    let map = hills(&["...##", "###.#"], &["22200", "00000"]);
    let [west, edge, below] = [(0, 0), (2, 0), (3, 1)].map(Cell::from);
    let rules = StepRules::new(Moves::Eight, Corners::Always);
    let mut play = Game::with_rules(map, rules, &[(edge, edge), (west, below)], OnArrival::Stay);
    play.advance(60.0);
    let cells: Vec<_> = play.crowd.agents().map(|(_, agent)| agent.cell).collect();
    assert!(cells.iter().all(|&cell| cell != below), "{cells:?}");
}
