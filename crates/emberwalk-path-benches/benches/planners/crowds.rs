//! Crowds that walk on the maps of the other tables, and through corridors between two rooms.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use emberwalk_crowd::{Crowd, CrowdEvent, OnArrival, conflicts};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner, RouteCost, RouteQuery, StepRules};
use emberwalk_path_benches::bench_maps::{self, random_orders};
use fastrand::Rng;

/// The time between two ticks: there are twenty per second.
const TICK: CrowdTime = CrowdTime::SECOND.divided_by(20);

/// How much more time a crowd has than the longest journey would take without others.
const EXTRA_TIME: CrowdTime = CrowdTime::from_whole_seconds(1500);

/// How many times a crowd walks. It moves in the same way each time, and the best time of each tick counts.
const TIMES: usize = 2;

/// The number of agents that walk from each room to the other one.
const AGENTS_PER_ROOM: usize = 100;

/// The random crowds: the names of the maps, their side, and the numbers of agents and of goals.
const CROWDS: [(&[&str], u32, usize, usize); 4] = [
    (&["open", "islands", "city", "maze", "varied", "terraces"], 256, 1000, 20),
    // Not the maze, where the longest journey takes more than an hour.
    (&["open", "islands", "city", "varied", "terraces"], 512, 10000, 50),
    // Goals of their own.
    (&["islands"], 512, 10000, 10000),
    (&["islands"], 1024, 20000, 20000),
];

/// Prints how long crowds walk and how long their ticks take, as Markdown.
pub fn print() {
    let times = "longest alone, s | last arrival, s | mean stretch | tick, mean, ms | tick, longest, ms";
    println!("| map | agents | goals | send, mean, µs | arrived | {times} |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (names, side, agents, goals) in CROWDS {
        for name in names {
            let grid = bench_maps::grid(name, side);
            let on_arrival = if goals < agents { OnArrival::Leave } else { OnArrival::Stay };
            print_row(&format!("{name} {side}²"), &grid, &random_orders(&grid, agents, goals, 1), on_arrival);
        }
    }
    for width in 1..=3 {
        let (grid, orders) = two_rooms(width);
        print_row(&format!("a corridor of width {width}"), &grid, &orders, OnArrival::Stay);
    }
}

fn print_row(name: &str, grid: &CostGrid, orders: &[(Cell, Cell)], on_arrival: OnArrival) {
    let times_alone = times_alone(grid, orders);
    let longest_alone = times_alone.iter().copied().max().unwrap_or_default();
    let runs = [(); TIMES].map(|()| Run::new(name, grid, orders, on_arrival, longest_alone + EXTRA_TIME));
    let send = runs.iter().map(|run| run.sending).min().unwrap_or_default();
    let best = |tick: usize| runs.iter().map(|run| run.ticks[tick]).min().unwrap_or_default();
    let ticks: Vec<f64> = (0..runs[0].ticks.len()).map(|tick| best(tick).as_secs_f64() * 1e3).collect();
    let goals = orders.iter().map(|order| order.1).collect::<HashSet<_>>().len();
    let arrived: Vec<_> =
        runs[0].arrivals.iter().zip(times_alone).filter_map(|(&time, alone)| Some((time?, alone))).collect();
    let last = arrived.iter().map(|arrival| arrival.0).max().filter(|_| arrived.len() == orders.len());
    // Not those who start in their goals: even they may have to make way.
    let stretches = arrived.iter().filter(|(_, alone)| *alone > CrowdTime::ZERO);
    let stretches: Vec<_> = stretches.map(|(time, alone)| time.seconds() / alone.seconds()).collect();
    println!(
        "| {name} | {} | {goals} | {:.1} | {} | {longest_alone:.1} | {} | {:.2} | {:.3} | {:.2} |",
        orders.len(),
        send.as_secs_f64() * 1e6 / orders.len() as f64,
        arrived.len(),
        last.map_or(String::new(), |last| format!("{last:.1}")),
        mean(&stretches),
        mean(&ticks),
        ticks.iter().copied().fold(0.0, f64::max)
    );
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What happened while a crowd walked.
struct Run {
    /// When each agent has arrived.
    arrivals: Vec<Option<CrowdTime>>,
    /// The processing time of all orders.
    sending: Duration,
    /// The processing time of each tick.
    ticks: Vec<Duration>,
}

impl Run {
    /// Lets all agents walk until they have arrived or the time is over.
    ///
    /// # Panics
    /// If the log contains a conflict.
    fn new(name: &str, grid: &CostGrid, orders: &[(Cell, Cell)], on_arrival: OnArrival, limit: CrowdTime) -> Self {
        let mut crowd = Crowd::new(grid.clone(), StepRules::default(), pace());
        if on_arrival == OnArrival::Stay {
            crowd.prepare();
        }
        let agents: Vec<_> = orders.iter().map(|&(from, _)| crowd.add(from).expect("the cell is free")).collect();
        let begun = Instant::now();
        for (&agent, &(_, to)) in agents.iter().zip(orders) {
            crowd.send(agent, to, on_arrival);
        }
        let sending = begun.elapsed();
        let (mut arrivals, mut ticks, mut log) = (vec![None; orders.len()], Vec::new(), Vec::new());
        while crowd.now() < limit && arrivals.contains(&None) {
            let begun = Instant::now();
            let events = crowd.advance(TICK);
            ticks.push(begun.elapsed());
            for event in events {
                if let CrowdEvent::Arrived { agent, time, .. } = *event {
                    arrivals[agent.index()] = Some(time);
                }
            }
            log.extend_from_slice(events);
        }
        let conflicts = conflicts(grid.clone(), StepRules::default(), pace(), &log);
        assert!(conflicts.is_empty(), "{name}: {}", conflicts[0]);
        Self { arrivals, sending, ticks }
    }
}

/// The pace of the game without its bounds, which the costs of these maps do not reach.
fn pace() -> Pace {
    Pace::new(CrowdTime::SECOND.divided_by(3))
}

/// How long each agent would take if there were no other.
fn times_alone(grid: &CostGrid, orders: &[(Cell, Cell)]) -> Vec<CrowdTime> {
    let mut planner = Planner::new();
    planner.prepare(grid, &Options::default());
    let mut cost = |&(from, to): &(Cell, Cell)| planner.plan(grid, &RouteQuery::new(from, to)).ok()?.cost();
    let time = |order: &(Cell, Cell)| {
        let cost = cost(order).expect("both ends are connected");
        // The pace has a shortest time, also for no step.
        if cost > RouteCost::ZERO { pace().of(cost) } else { CrowdTime::ZERO }
    };
    orders.iter().map(time).collect()
}

/// Two rooms of 20 x 20 cells with a corridor of 20 cells between them, and agents that change rooms.
fn two_rooms(width: i32) -> (CostGrid, Vec<(Cell, Cell)>) {
    let cost = |cell: Cell| {
        let is_in_room = cell.x < 20 || cell.x >= 40;
        (is_in_room || (8..8 + width).contains(&cell.y)).then_some(EntryCost::TILE)
    };
    let grid = CostGrid::from_fn(Size::new(60, 20), Diagonal::GAME, cost).expect("the size is in range");
    let mut cells: Vec<_> = Size::new(20, 20).cells().collect();
    Rng::with_seed(5).shuffle(&mut cells);
    let east = |cell: Cell| cell + (40, 0);
    let ends = cells.iter().zip(cells.iter().rev()).take(AGENTS_PER_ROOM);
    let orders = ends.flat_map(|(&one, &other)| [(one, east(other)), (east(one), other)]);
    (grid, orders.collect())
}
