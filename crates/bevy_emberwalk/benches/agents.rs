//! The cost of agents in an app: `cargo bench -p emberwalk -p bevy_emberwalk --bench agents`.
//!
//! Prints the times in milliseconds of a run of the schedule beyond the bare crowd, and of the run after a wall and after
//! its opening. Each is the median of several.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_emberwalk::emberwalk_crowd::{Crowd, OnArrival};
use bevy_emberwalk::emberwalk_path::time::{CrowdTime, Pace};
use bevy_emberwalk::emberwalk_path::{CostGrid, StepRules};
use bevy_emberwalk::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use emberwalk_path_benches::bench_maps::{grid, random_orders};

/// The frames of a second.
const FRAMES: u32 = 32;

fn main() {
    let costs = grid("islands", 512);
    let orders = random_orders(&costs, 10_000, 10, 1);
    println!("10,000 solid agents, milliseconds of a run");
    let crowd = || Crowd::new(costs.clone(), StepRules::default(), Pace::default());
    let mut bare = crowd();
    let agents: Vec<_> = orders.iter().filter_map(|&(from, to)| Some((bare.add(from).ok()?, to))).collect();
    agents.iter().for_each(|&(agent, to)| bare.send(agent, to, OnArrival::Stay));
    let mut app = app(NavGrid::on(crowd()));
    for &(from, to) in &orders {
        app.world_mut().spawn((NavAgent::at(from.x, from.y), Solid, Goal::Cell(to)));
    }
    let frame = CrowdTime::SECOND.divided_by(FRAMES);
    // Until all routes are known.
    (0..10 * FRAMES).for_each(|_| {
        bare.advance(frame);
        app.update();
    });
    // In turn, so that other programs on the machine slow down both.
    let (mut bares, mut apps) = (Vec::new(), Vec::new());
    for _ in 0..20 * FRAMES {
        bares.push(time(|| black_box(bare.advance(frame)).len()));
        apps.push(time(|| app.update()));
    }
    let (bare, whole) = (mean(&bares), mean(&apps));
    println!("walking: {whole:.3}, the bare crowd {bare:.3}, beyond it {:.3}", whole - bare);
    #[cfg(feature = "serde")]
    snapshots(&costs, &orders);
    idle(&costs, &orders, true);
    idle(&costs, &orders, false);
    walls(&costs);
}

/// Snapshots of the same agents.
#[cfg(feature = "serde")]
fn snapshots(costs: &CostGrid, orders: &[(Cell, Cell)]) {
    use bevy_emberwalk::NavSnapshot;

    let mut app = app(NavGrid::on(Crowd::new(costs.clone(), StepRules::default(), Pace::default())));
    for &(from, to) in orders {
        app.world_mut().spawn((NavAgent::at(from.x, from.y), Solid, Goal::Cell(to)));
    }
    (0..10 * FRAMES).for_each(|_| app.update());
    let (mut taken, mut restored) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        (0..FRAMES).for_each(|_| app.update());
        let mut snapshot = None;
        taken.push(time(|| snapshot = Some(NavSnapshot::take(app.world_mut()))));
        restored.push(time(|| snapshot.iter().for_each(|snapshot| snapshot.restore(app.world_mut()))));
    }
    println!("a snapshot: {:.3}, back to it {:.3}", median(taken), median(restored));
}

/// A prepared app that runs the agents once in each update.
fn app(grid: NavGrid) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugin::in_schedule(Update)));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / FRAMES));
    app.insert_resource(PlanningBudget(u64::MAX));
    app.world_mut().spawn(grid);
    app
}

fn time<T>(work: impl FnOnce() -> T) -> f64 {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed().as_secs_f64() * 1e3
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Agents without a goal, beyond an app without agents.
fn idle(costs: &CostGrid, orders: &[(Cell, Cell)], solid: bool) {
    let crowd = || NavGrid::on(Crowd::new(costs.clone(), StepRules::default(), Pace::default()));
    let (mut empty, mut full) = (app(crowd()), app(crowd()));
    for &(from, _) in orders {
        let mut agent = full.world_mut().spawn(NavAgent::at(from.x, from.y));
        if solid {
            agent.insert(Solid);
        }
    }
    (0..FRAMES).for_each(|_| [&mut empty, &mut full].into_iter().for_each(|app| app.update()));
    let times = |app: &mut App| median((0..10 * FRAMES).map(|_| time(|| app.update())).collect());
    let (empty, full) = (times(&mut empty), times(&mut full));
    let kind = if solid { "solid" } else { "passing" };
    println!("idle, {kind}: {full:.3}, without agents {empty:.3}, beyond it {:.3}", full - empty);
}

/// 500 agents that pass through each other, when a wall is built on many of their routes and opened again.
fn walls(costs: &CostGrid) {
    let orders = random_orders(costs, 500, 500, 1);
    let crowd = Crowd::new(costs.clone(), StepRules::default(), Pace::default());
    let mut app = app(NavGrid::on(crowd).prepared());
    for &(from, to) in &orders {
        app.world_mut().spawn((NavAgent::at(from.x, from.y).with_speed(0.0), Goal::Cell(to)));
    }
    (0..4).for_each(|_| app.update());
    let mut grids = app.world_mut().query::<&NavGrid>();
    let (mut built, mut opened) = (Vec::new(), Vec::new());
    for k in 0..40 {
        let crowd = grids.single(app.world()).expect("there is one").crowd();
        let (agent, _) = crowd.agents().nth(k * 12).expect("there are 500");
        let cells = crowd.route(agent);
        let Some(&wall) = cells.get(cells.len() / 2) else { continue };
        let mut set = |cost| {
            let mut grids = app.world_mut().query::<&mut NavGrid>();
            let edited = grids.single_mut(app.world_mut()).expect("there is one").set(wall, cost);
            assert_eq!(edited, Edited::Applied);
            time(|| app.update())
        };
        built.push(set(None));
        opened.push(set(costs.get(wall)));
    }
    println!("500 routes: a wall {:.2}, its opening {:.2}", mean(&built), mean(&opened));
}
