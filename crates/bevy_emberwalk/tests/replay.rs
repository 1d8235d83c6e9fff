//! Recordings and snapshots.
#![cfg(feature = "replay")]

use std::time::Duration;

use bevy_app::{App, FixedUpdate, TaskPoolOptions, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_emberwalk::prelude::*;
use bevy_emberwalk::{Diverged, NavRecording, NavReplay, NavReplayPlugin, NavSnapshot, RecordingError, replaying};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use fastrand::Rng;

const SIZE: Size = Size::new(40, 30);

/// The hash of the crowd and the positions of all agents after each run.
#[derive(Resource, Default)]
struct Moves(Vec<RunMoves>);

type RunMoves = (u64, Vec<(AgentNumber, GridPosition)>);

/// An app whose frames take so many milliseconds, with random ground.
fn app(frame: u64, threads: usize, seed: u64) -> App {
    let mut app = App::new();
    let task_pool_options = TaskPoolOptions::with_num_threads(threads);
    app.add_plugins((TaskPoolPlugin { task_pool_options }, TimePlugin, EmberwalkPlugins, NavReplayPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(frame)));
    app.insert_resource(Time::<Fixed>::from_hz(32.0));
    app.insert_resource(PlanningBudget(3000));
    app.init_resource::<Moves>();
    app.add_systems(FixedUpdate, write_moves.after(EmberwalkSystems::Writeback));
    let mut rng = Rng::with_seed(seed);
    let cost = |_| (rng.u8(..6) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap());
    app.world_mut().spawn(NavGrid::from_fn(SIZE, cost).unwrap());
    app
}

fn write_moves(
    grid: Single<&NavGrid>,
    agents: Query<(&AgentNumber, &GridPosition, &NavState)>,
    mut moves: ResMut<Moves>,
) {
    let placed = agents.iter().filter(|(.., state)| **state != NavState::Unplaced);
    // An agent that was taken off its grid and put there again knows where it looked; a new one does not.
    let position = |position: &GridPosition| GridPosition { facing: None, ..*position };
    let mut agents: Vec<_> = placed.map(|(number, at, _)| (*number, position(at))).collect();
    agents.sort_unstable_by_key(|(number, _)| *number);
    moves.0.push((grid.crowd().state_hash(), agents));
}

fn replay(app: &App) -> &NavReplay {
    app.world().resource::<NavReplay>()
}

fn random_cell(rng: &mut Rng) -> Cell {
    Cell::new(rng.i32(0..SIZE.width as i32), rng.i32(0..SIZE.height as i32))
}

fn random_agent(rng: &mut Rng) -> NavAgent {
    let cell = random_cell(rng);
    let settings = AgentSettings::new().with_priority(rng.i8(0..3));
    let agent = NavAgent::at(cell.x, cell.y).with(settings);
    if rng.bool() { agent.with_speed(rng.f32() * 6.0 + 0.5) } else { agent }
}

fn random_goal(rng: &mut Rng, agents: &[Entity]) -> Goal {
    let cells = |rng: &mut Rng| (0..rng.usize(0..4)).map(|_| random_cell(rng)).collect();
    match rng.u8(..9) {
        0 => Goal::None,
        1 => Goal::Near(random_cell(rng)),
        2 => Goal::AnyOf(cells(rng)),
        3 => Goal::Beside(random_cell(rng)),
        4 => Goal::Patrol(cells(rng)),
        5 => rng.choice(agents).map_or(Goal::None, |&agent| Goal::Follow(agent)),
        6 => Goal::Group(random_cell(rng)),
        _ => Goal::Cell(random_cell(rng)),
    }
}

/// All agents, in the order of their numbers.
fn agents(app: &mut App) -> Vec<Entity> {
    let mut agents = app.world_mut().query_filtered::<(&AgentNumber, Entity), With<NavAgent>>();
    let mut agents: Vec<_> = agents.iter(app.world()).map(|(number, agent)| (*number, agent)).collect();
    agents.sort_unstable();
    agents.into_iter().map(|(_, agent)| agent).collect()
}

/// Does something that a game may do.
fn act(app: &mut App, rng: &mut Rng) {
    let agents = agents(app);
    let Some(&agent) = rng.choice(&agents).filter(|_| agents.len() > 10) else {
        let new = app.world_mut().spawn((random_agent(rng), random_goal(rng, &agents))).id();
        if rng.u8(..3) > 0 {
            app.world_mut().entity_mut(new).insert(Solid);
        }
        return;
    };
    let cost = (rng.u8(..3) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..5))).unwrap());
    let world = app.world_mut();
    match rng.u8(..40) {
        0..3 if agents.len() < 60 => _ = world.spawn((random_agent(rng), Solid, random_goal(rng, &agents))),
        0..4 if agents.len() < 60 => _ = world.spawn((random_agent(rng), Hold, random_goal(rng, &agents))),
        4 => _ = world.despawn(agent),
        5 => _ = world.entity_mut(agent).insert(Hold),
        6 | 7 => _ = world.entity_mut(agent).remove::<Hold>(),
        8 => _ = world.entity_mut(agent).insert(Solid),
        9 => _ = world.entity_mut(agent).remove::<Solid>(),
        10 => _ = world.entity_mut(agent).insert(random_agent(rng)),
        11 => _ = world.entity_mut(agent).remove::<NavAgent>().insert(random_agent(rng)),
        12 => world.get_mut::<NavAgent>(agent).unwrap().settings = random_agent(rng).settings,
        13..19 => {
            let mut grids = world.query::<&mut NavGrid>();
            grids.single_mut(world).unwrap().set(random_cell(rng), cost);
        }
        19 => {
            let mut grids = world.query::<&mut NavGrid>();
            grids.single_mut(world).unwrap().set_area(random_cell(rng), Size::new(2, 3), cost);
        }
        20 => {
            let mut clocks = world.query::<&mut NavClock>();
            clocks.single_mut(world).unwrap().speed = [0.0, 0.7, 1.0, 1.0, 2.5][rng.usize(..5)];
        }
        21 => {
            let mut clocks = world.query::<&mut NavClock>();
            clocks.single_mut(world).unwrap().skip(CrowdTime::from_seconds(rng.f64() * 3.0));
        }
        22 => world.resource_mut::<PlanningBudget>().0 = rng.u64(200..3000),
        23..26 => {
            let goal = Goal::Group(random_cell(rng));
            for &agent in agents.iter().filter(|_| rng.u8(..4) == 0) {
                *world.get_mut::<Goal>(agent).unwrap() = goal.clone();
            }
        }
        _ => *world.get_mut::<Goal>(agent).unwrap() = random_goal(rng, &agents),
    }
}

/// A game in which something happens at random in every fifth frame or so, and whenever an agent arrives.
fn played(seed: u64, frames: usize) -> App {
    let mut rng = Rng::with_seed(seed);
    let mut app = app(rng.u64(3..90), 2, seed);
    let mut arrivals = Rng::with_seed(seed);
    app.add_observer(move |arrived: On<Arrived>, mut goals: Query<&mut Goal>| {
        if arrivals.bool() {
            *goals.get_mut(arrived.entity).unwrap() = Goal::Cell(random_cell(&mut arrivals));
        }
    });
    for _ in 0..frames {
        (0..rng.usize(..10) / 4).for_each(|_| act(&mut app, &mut rng));
        app.update();
    }
    app
}

/// Plays a recording to its end.
fn play(text: &str, frame: u64, threads: usize, seed: u64) -> App {
    let mut app = app(frame, threads, seed);
    app.world_mut().resource_mut::<NavReplay>().play(NavRecording::parse(text).unwrap());
    while replay(&app).is_playing() {
        app.update();
    }
    app
}

#[test]
fn what_was_played_at_random_comes_true_at_other_frame_rates() {
    for seed in 0..40 {
        let app = played(seed, 400);
        let text = replay(&app).recording().to_ron();
        for (frame, threads) in [(11, 1), (200, 3)] {
            let again = play(&text, frame, threads, seed);
            if let Ok(path) = std::env::var("DUMP") {
                std::fs::write(path, &text).unwrap();
            }
            let runs = replay(&app).recording().runs() as usize;
            assert!(runs > 30, "seed {seed}: {runs} runs");
            assert_same_moves(&app, &again, runs, &format!("seed {seed}"));
            assert_eq!(replay(&again).difference(), None, "seed {seed}");
        }
    }
}

/// Asserts that two apps have the same moves in their first runs.
fn assert_same_moves(one: &App, other: &App, runs: usize, about: &str) {
    let [one, other] = [one, other].map(|app| &app.world().resource::<Moves>().0);
    assert_same(one, other, runs, about);
}

fn assert_same(one: &[RunMoves], other: &[RunMoves], runs: usize, about: &str) {
    for (run, (one, other)) in one.iter().zip(other).take(runs).enumerate() {
        let differing: Vec<_> = one.1.iter().zip(&other.1).filter(|(one, other)| one != other).collect();
        assert!(differing.is_empty(), "{about}, run {run}: {differing:?}");
        assert_eq!(one.1.len(), other.1.len(), "{about}, run {run}");
        assert_eq!(one.0, other.0, "{about}, run {run}");
    }
}

/// What a game does by itself, without a random generator of its own, whose state would not be in the snapshot.
fn go_on(arrived: On<Arrived>, mut agents: Query<(&AgentNumber, &mut Goal)>) {
    let (number, mut goal) = agents.get_mut(arrived.entity).unwrap();
    let next = number.0 as i32 * 7 + arrived.cell.x * 3 + arrived.cell.y * 5;
    *goal = Goal::cell(next % SIZE.width as i32, next % SIZE.height as i32);
}

/// Plays some frames, and returns the moves in them.
fn moves(app: &mut App, rng: &mut Rng, frames: usize) -> Moves {
    app.world_mut().resource_mut::<Moves>().0.clear();
    for _ in 0..frames {
        (0..rng.usize(..8) / 4).for_each(|_| act(app, rng));
        app.update();
    }
    // Some orders are still to be given.
    (0..rng.usize(..3)).for_each(|_| act(app, rng));
    std::mem::take(&mut *app.world_mut().resource_mut::<Moves>())
}

#[test]
fn after_a_snapshot_everything_happens_again() {
    let (mut planning, mut walking) = (0, 0);
    for seed in 0..30 {
        let mut rng = Rng::with_seed(seed);
        let mut app = app(0, 2, seed);
        // One run in each frame, as the time since the last run is none of the plugin's.
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 32));
        app.add_observer(go_on);
        // No time passes in the first frame.
        app.update();
        for _ in 0..20 {
            let frames = rng.usize(..30);
            moves(&mut app, &mut rng, frames);
            app.world_mut().resource_mut::<PlanningBudget>().0 = rng.u64(100..2000);
            let snapshot = NavSnapshot::take(app.world_mut());
            let states: Vec<_> = app.world_mut().query::<&NavState>().iter(app.world()).copied().collect();
            planning += usize::from(states.contains(&NavState::Planning));
            walking += usize::from(states.contains(&NavState::Walking));
            let (frames, orders) = (rng.usize(1..60), rng.u64(..));
            let runs = replay(&app).runs();
            let before = moves(&mut app, &mut Rng::with_seed(orders), frames);
            let text = replay(&app).recording().to_ron();
            for _ in 0..2 {
                snapshot.restore(app.world_mut());
                assert_eq!(replay(&app).runs(), runs);
                let again = moves(&mut app, &mut Rng::with_seed(orders), frames);
                if std::env::var("DUMP").is_ok() {
                    std::fs::write("/tmp/a.ron", &text).unwrap();
                    std::fs::write("/tmp/b.ron", replay(&app).recording().to_ron()).unwrap();
                }
                assert_same(&before.0, &again.0, frames, &format!("seed {seed}, after {runs}"));
                assert_eq!(replay(&app).recording().to_ron(), text, "seed {seed}, after {runs}");
            }
        }
    }
    assert!(planning > 100 && walking > 400, "{planning}, {walking}");
}
