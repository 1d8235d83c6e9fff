//! Crowds whose agents get a new goal whenever they have arrived, beside PIBT with the same rules, starts and goals.

use std::time::{Duration, Instant};

use emberwalk_crowd::{Checker, Crowd, CrowdEvent, OnArrival};
use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, Moves, StepRules};
use emberwalk_path_benches::bench_maps;
use fastrand::Rng;

use crate::pibt::{Pibt, distances};

/// A step takes one second, as all costs are 1.
const STEP: CrowdTime = CrowdTime::SECOND;
/// The crowd gets new orders 32 times per second.
const TICK: CrowdTime = CrowdTime::SECOND.divided_by(32);
/// At most so many cells of a map are goals.
const MAX_GOALS: usize = 1000;

/// A map, the share of its cells that agents start in, and the number of steps.
type Case = (&'static str, fn() -> Grid<bool>, f64, u64);

const CASES: [Case; 7] = [
    ("random 32 x 32", random, 0.20, 1000),
    ("warehouse 57 x 33", || warehouse(Size::new(57, 33)), 0.26, 1000),
    ("warehouse 170 x 140", || warehouse(Size::new(170, 140)), 0.15, 500),
    ("city 256 x 256", || flat("city"), 0.15, 500),
    ("islands 256 x 256", || flat("islands"), 0.15, 500),
    ("random 32 x 32", random, 0.50, 1000),
    ("random 32 x 32", random, 0.98, 1000),
];

/// Prints how many goals are reached, as Markdown.
pub fn print() {
    println!(
        "| map | cells | agents | of the cells | goals per step, PIBT | crowd | ratio | longest without a goal, PIBT | \
         crowd | longest in one cell, crowd | never arrived, PIBT | crowd | crowd, ms per step |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (name, map, share, steps) in CASES {
        let problem = Problem::new(&map(), share);
        let [pibt, crowd] = [problem.run_pibt(steps), problem.run_crowd(name, steps)];
        let per_step = |run: &Run| run.reached as f64 / steps as f64;
        println!(
            "| {name} | {} | {} | {:.0} % | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} | {} | {:.2} |",
            problem.cells,
            problem.starts.len(),
            100.0 * share,
            per_step(&pibt),
            per_step(&crowd),
            per_step(&crowd) / per_step(&pibt),
            pibt.longest,
            crowd.longest,
            crowd.longest_in_cell,
            pibt.never,
            crowd.never,
            crowd.time.as_secs_f64() * 1e3 / steps as f64
        );
    }
}

/// A map, and where agents start and go.
struct Problem {
    is_passable: Grid<bool>,
    cells: usize,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
}

/// What happened in one run. Times are in steps.
#[derive(Default)]
struct Run {
    /// How many times an agent reached its goal.
    reached: u64,
    /// The longest time that an agent did not reach a goal, and that it stayed in a cell other than its goal.
    longest: u64,
    longest_in_cell: u64,
    /// How many agents reached no goal.
    never: usize,
    /// The processing time.
    time: Duration,
}

impl Problem {
    /// Uses the largest connected part of a map.
    fn new(map: &Grid<bool>, share: f64) -> Self {
        let cost = |cell| map[cell].then_some(EntryCost::TILE);
        let grid = CostGrid::from_fn(map.size(), Diagonal::GAME, cost).expect("the size is in range");
        let mut components = Components::new(rules());
        components.update(&grid);
        let mut cells = components.largest(&grid);
        let mut is_passable = Grid::from_fn(map.size(), |_| false);
        cells.iter().for_each(|&cell| is_passable[cell] = true);
        let count = cells.len();
        Rng::with_seed(7).shuffle(&mut cells);
        let starts = cells[..(share * count as f64) as usize].to_vec();
        Rng::with_seed(8).shuffle(&mut cells);
        cells.truncate(MAX_GOALS);
        Self { is_passable, cells: count, starts, goals: cells }
    }

    /// The number of a goal of an agent, which is the same for the crowd and for PIBT.
    fn goal(&self, agent: usize, number: u64) -> usize {
        Rng::with_seed((agent as u64) << 32 | number).usize(..self.goals.len())
    }

    fn run_pibt(&self, steps: u64) -> Run {
        let fields: Vec<_> = self.goals.iter().map(|&goal| distances(&self.is_passable, goal)).collect();
        let mut pibt = Pibt::new(&self.is_passable, &self.starts);
        let mut numbers = vec![0; self.starts.len()];
        let mut run = Run::default();
        for _ in 0..steps {
            pibt.step(&|agent| &fields[self.goal(agent, numbers[agent])]);
            for (agent, number) in numbers.iter_mut().enumerate() {
                run.longest = run.longest.max(pibt.waited(agent).into());
                if pibt.at(agent) == self.goals[self.goal(agent, *number)] {
                    pibt.reach(agent);
                    *number += 1;
                    run.reached += 1;
                }
            }
        }
        run.never = numbers.iter().filter(|&&number| number == 0).count();
        run
    }

    /// # Panics
    /// If the log contains a conflict.
    fn run_crowd(&self, name: &str, steps: u64) -> Run {
        let cost = |cell| self.is_passable[cell].then_some(EntryCost::TILE);
        let grid = CostGrid::from_fn(self.is_passable.size(), Diagonal::GAME, cost).expect("the size is in range");
        let pace = Pace::new(STEP);
        let mut checker = Checker::new(grid.clone(), rules(), pace);
        let mut crowd = Crowd::new(grid, rules(), pace);
        crowd.prepare();
        let agents: Vec<_> = self.starts.iter().map(|&at| crowd.add(at).expect("the cell is free")).collect();
        let mut numbers = vec![0; agents.len()];
        let mut reached = vec![CrowdTime::ZERO; agents.len()];
        let mut moved = reached.clone();
        let mut run = Run::default();
        let mut send = |crowd: &mut Crowd, agent: usize| {
            let goal = self.goals[self.goal(agent, numbers[agent])];
            numbers[agent] += 1;
            crowd.send(agents[agent], goal, OnArrival::Stay);
        };
        (0..agents.len()).for_each(|agent| send(&mut crowd, agent));
        let mut arrived = Vec::new();
        while crowd.now() < CrowdTime::from_seconds(steps as f64) {
            let begun = Instant::now();
            let events = crowd.advance(TICK);
            run.time += begun.elapsed();
            checker.add(events);
            arrived.clear();
            for event in events {
                match *event {
                    CrowdEvent::Arrived { agent, time, .. } => {
                        reached[agent.index()] = time;
                        moved[agent.index()] = time;
                        arrived.push(agent.index());
                    }
                    CrowdEvent::Step { agent, step } => {
                        let stood = step.start.seconds() - moved[agent.index()].seconds();
                        run.longest_in_cell = run.longest_in_cell.max(stood as u64);
                        moved[agent.index()] = step.end;
                    }
                    _ => {}
                }
            }
            let begun = Instant::now();
            arrived.iter().for_each(|&agent| send(&mut crowd, agent));
            run.time += begun.elapsed();
            run.reached += arrived.len() as u64;
            checker.check_until(crowd.now());
        }
        let end = crowd.now().seconds();
        for agent in 0..agents.len() {
            run.longest_in_cell = run.longest_in_cell.max((end - moved[agent].seconds()) as u64);
            run.longest = run.longest.max((end - reached[agent].seconds()) as u64);
            run.never += usize::from(reached[agent] == CrowdTime::ZERO);
        }
        let conflicts = checker.finish();
        assert!(conflicts.is_empty(), "{name}: {}", conflicts[0]);
        run
    }
}

fn rules() -> StepRules {
    StepRules::default().with_moves(Moves::Four)
}

/// A fifth of the cells is blocked.
fn random() -> Grid<bool> {
    let mut rng = Rng::with_seed(32);
    Grid::from_fn(Size::new(32, 32), |_| rng.u8(0..5) > 0)
}

/// Racks of ten cells with aisles of one cell between them, and room at the ends.
fn warehouse(size: Size) -> Grid<bool> {
    Grid::from_fn(size, |Cell { x, y }| {
        let is_inside = (4..size.width as i32 - 4).contains(&x) && (2..size.height as i32 - 2).contains(&y);
        !(is_inside && (x - 4) % 11 < 10 && y % 2 == 0)
    })
}

/// A map of the other tables without its costs.
fn flat(name: &str) -> Grid<bool> {
    let grid = bench_maps::grid(name, 256);
    Grid::from_fn(grid.size(), |cell| grid.is_passable(cell))
}
