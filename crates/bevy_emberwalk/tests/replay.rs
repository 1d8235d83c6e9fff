//! Recordings and snapshots.
#![cfg(feature = "replay")]

use std::time::{Duration, Instant};

use bevy_app::{App, FixedUpdate, TaskPoolOptions, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_emberwalk::emberwalk_jobs::Jobs;
use bevy_emberwalk::emberwalk_path::Level;
use bevy_emberwalk::prelude::*;
use bevy_emberwalk::{
    BackgroundPlanner, Diverged, NavRecording, NavReplay, NavReplayPlugin, NavSnapshot, RecordingError, replaying,
};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use fastrand::Rng;

const SIZE: Size = Size::new(40, 30);

/// The seed of ground without walls.
const OPEN: u64 = u64::MAX;

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
    let cost = |_| (seed == OPEN || rng.u8(..6) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap());
    app.world_mut().spawn(NavGrid::from_fn(SIZE, cost).unwrap());
    app
}

fn write_moves(
    grid: Single<&NavGrid>,
    agents: Query<(&AgentNumber, &GridPosition, &NavState)>,
    mut moves: ResMut<Moves>,
) {
    let placed = agents.iter().filter(|(.., state)| state.is_placed());
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
    // Some stand still.
    if rng.bool() { agent.with_speed(rng.f32() * 7.0 - 0.5) } else { agent }
}

fn random_goal(rng: &mut Rng, agents: &[Entity]) -> Goal {
    let cells = |rng: &mut Rng| (0..rng.usize(0..4)).map(|_| random_cell(rng)).collect();
    if let Some(&of) = rng.choice(agents)
        && rng.u8(..4) == 0
    {
        let cells = if rng.u8(..9) > 0 { rng.u32(..9) } else { 100 };
        return match rng.u8(..3) {
            0 => Goal::InRange { of, cells },
            1 => Goal::InSight { of, cells },
            _ => Goal::Flee { from: of, cells },
        };
    }
    match rng.u8(..10) {
        9 => Goal::Queue((0..rng.usize(..4)).map(|_| random_goal(rng, agents)).collect()),
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
    match rng.u8(..50) {
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
            let mut grid = grids.single_mut(world).unwrap();
            let link = grid.links().nth(rng.usize(..4));
            match (rng.u8(..8), link) {
                (0, _) => grid.set_level(random_cell(rng), Level::new(rng.u8(..3)).unwrap()),
                (1, _) => grid.set_for(rng.usize(..2), random_cell(rng), cost),
                (2, _) => grid.add_link(random_cell(rng), random_cell(rng), EntryCost::TILE),
                (3, Some(link)) => grid.remove_link(link.from, link.to),
                _ => grid.set(random_cell(rng), cost),
            };
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
        43 | 44 => {
            let [period, after] =
                [rng.u8(..2).into(), 1.0].map(|most: f64| CrowdTime::from_seconds(rng.f64() * 6.0 * most));
            let mut grids = world.query::<&mut NavGrid>();
            let mut grid = grids.single_mut(world).unwrap();
            match rng.bool() {
                true => grid.announce_every(period, after, random_cell(rng), cost),
                false => grid.announce_for(rng.usize(..2), period, after, random_cell(rng), cost),
            };
        }
        45 => {
            let mut grids = world.query::<&mut NavGrid>();
            let mut grid = grids.single_mut(world).unwrap();
            let cells: Vec<_> = grid.announced().map(|announced| announced.cell()).collect();
            grid.forget(rng.choice(&cells).copied().unwrap_or(Cell::new(0, 0)));
        }
        46 | 47 => {
            let mut grids = world.query::<&mut NavGrid>();
            let mut grid = grids.single_mut(world).unwrap();
            match rng.bool() {
                true => grid.set_danger(random_cell(rng), cost),
                false => grid.set_danger_for(rng.usize(..2), random_cell(rng), cost),
            };
        }
        48 | 49 => {
            let lasts = CrowdTime::from_seconds(rng.f64() * 4.0);
            let danger = Danger::new(random_cell(rng), rng.u32(..6), cost.unwrap_or(EntryCost::TILE), lasts);
            let mut grids = world.query::<&mut NavGrid>();
            let mut grid = grids.single_mut(world).unwrap();
            grid.add_danger(if rng.bool() { danger } else { danger.for_kind(rng.usize(..2)) });
        }
        40 => {
            let grid = world.query_filtered::<Entity, With<NavGrid>>().single(world).unwrap();
            world.entity_mut(agent).insert(OnGrid(grid));
        }
        41 => _ = world.entity_mut(agent).remove::<OnGrid>(),
        // Of the two kinds there is only one.
        42 => world.get_mut::<NavAgent>(agent).unwrap().settings.kind ^= 1,
        39 => world.get_mut::<Goal>(agent).unwrap().push(random_goal(rng, &agents)),
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
    // Those that are not solid are told in the middle of a run, before they walk. For the others, it is the next run.
    let mut lost = Rng::with_seed(seed);
    app.add_observer(
        move |event: On<Unreachable>,
              mut goals: Query<&mut Goal, Without<Solid>>,
              mut grid: Single<(&mut NavGrid, &mut NavClock)>,
              mut commands: Commands| {
            let Ok(mut goal) = goals.get_mut(event.entity) else { return };
            match lost.u8(..8) {
                0 => *goal = Goal::Near(random_cell(&mut lost)),
                1 => _ = grid.0.set(random_cell(&mut lost), Some(EntryCost::TILE)),
                2 => grid.1.speed = 1.5,
                3 => _ = commands.entity(event.entity).insert(Solid),
                4 if lost.bool() => commands.entity(event.entity).despawn(),
                5 => _ = commands.spawn((random_agent(&mut lost), Goal::Group(random_cell(&mut lost)))),
                _ => {}
            }
        },
    );
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
    let mut texts = String::new();
    for seed in 0..15 {
        let app = played(seed, 400);
        let text = replay(&app).recording().to_ron();
        texts.push_str(&text);
        for (frame, threads) in [(11, 1), (200, 3)] {
            let again = play(&text, frame, threads, seed);
            let runs = replay(&app).recording().runs() as usize;
            assert!(runs > 30, "seed {seed}: {runs} runs");
            assert_same_moves(&app, &again, runs, &format!("seed {seed}"));
            assert_eq!(replay(&again).difference(), None, "seed {seed}");
        }
    }
    let entries = [
        "time(",
        "budget(",
        "options(",
        "clock(",
        "put(",
        "set(",
        "remove(",
        "despawn(",
        "solid(",
        "pass(",
        "hold(",
        "release(",
        "goal(",
        "follow(",
        "edit(",
        "danger(",
        "adddanger(",
        "announce(",
        "forget(",
        "planned",
        "hash(",
    ];
    for entry in entries {
        assert!(
            [", ", "edit(1,"].iter().any(|before| texts.contains(&format!("{before}{entry}"))),
            "nothing was recorded as {entry}"
        );
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
    for seed in 0..12 {
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
            app.world_mut().resource_mut::<PlanningBudget>().0 = rng.u64(50..400);
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
                assert_same(&before.0, &again.0, frames, &format!("seed {seed}, after {runs}"));
                assert_eq!(replay(&app).recording().to_ron(), text, "seed {seed}, after {runs}");
            }
        }
    }
    assert!(planning > 30 && walking > 180, "{planning}, {walking}");
}

/// An app in which this has happened, and the text of its recording.
fn recorded(seconds: u64, orders: impl Fn(&mut App)) -> (App, String) {
    let mut app = app(20, 1, OPEN);
    orders(&mut app);
    (0..seconds * 50).for_each(|_| app.update());
    let text = replay(&app).recording().to_ron();
    (app, text)
}

/// Forty agents that change sides, every third one not solid.
fn crossing(app: &mut App) {
    for y in 0..20 {
        for (x, goal) in [(2, 37), (37, 2)] {
            let mut agent = app.world_mut().spawn((NavAgent::at(x, y), Goal::Near(Cell::new(goal, y))));
            if y % 3 > 0 {
                agent.insert(Solid);
            }
        }
    }
}

#[test]
fn an_order_that_was_changed_is_noticed_in_the_next_second() {
    #[derive(Resource, Default)]
    struct Told(Vec<Diverged>);
    let order = |second: u32, agent: usize| {
        move |app: &mut App| {
            crossing(app);
            (0..second * 50).for_each(|_| app.update());
            let agent = agents(app)[agent];
            *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::cell(20, 15);
        }
    };
    for (second, agent) in [(3, 0), (4, 3), (7, 25)] {
        let (_, text) = recorded(8, order(second, agent));
        let changed = text.replace("Cell((20,15))", "Cell((20,29))");
        assert_ne!(text, changed);
        let mut app = app(31, 2, OPEN);
        app.init_resource::<Told>();
        app.add_observer(|diverged: On<Diverged>, mut told: ResMut<Told>| told.0.push(diverged.event().clone()));
        crossing(&mut app);
        app.world_mut().resource_mut::<NavReplay>().play(NavRecording::parse(&changed).unwrap());
        while replay(&app).is_playing() {
            app.update();
        }
        let told = &app.world().resource::<Told>().0;
        let [diverged] = &told[..] else { panic!("{told:?}") };
        assert_eq!(replay(&app).difference(), Some(diverged));
        let until = diverged.time.seconds() - f64::from(second);
        assert!((0.0..=2.1).contains(&until), "{diverged} is not soon after {second} s");
        assert_eq!(diverged.agent, Some(agent as u64 + 1), "{diverged}");
        assert!(diverged.to_string().contains(&format!("agent {}", agent + 1)), "{diverged}");
    }
}

#[test]
fn an_agent_with_a_very_high_number_is_named_at_once() {
    let number = 1 << 50;
    let spawn = |app: &mut App| {
        app.world_mut().spawn((AgentNumber(number), NavAgent::at(0, 4), Goal::cell(30, 4)));
    };
    let (_, text) = recorded(3, spawn);
    let changed = text.replace("Cell((30,4))", "Cell((30,5))");
    assert_ne!(text, changed);
    let app = play(&changed, 20, 1, OPEN);
    assert_eq!(replay(&app).difference().and_then(|diverged| diverged.agent), Some(number));
}

#[test]
fn other_ground_is_noticed_in_the_first_run_and_an_impossible_order_is_named() {
    let (_, text) = recorded(3, crossing);
    let other = play(&text, 20, 1, 2);
    assert_eq!(replay(&other).difference().map(|diverged| diverged.run), Some(0));
    let impossible = text.replace("    (63,", "    (40, hold(1234)),\n    (63,");
    let app = play(&impossible, 20, 1, OPEN);
    let diverged = replay(&app).difference().unwrap();
    assert_eq!((diverged.run, diverged.impossible.as_deref()), (40, Some("hold(1234)")));
}

#[test]
fn what_was_played_is_played_again_in_the_same_world_and_goes_on() {
    let mut rng = Rng::with_seed(3);
    let mut app = app(0, 2, 3);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 32));
    #[derive(Resource, Default)]
    struct Inputs(usize);
    app.init_resource::<Inputs>();
    app.add_systems(FixedUpdate, (|mut inputs: ResMut<Inputs>| inputs.0 += 1).run_if(not(replaying)));
    (0..3).for_each(|_| app.update());
    let start = NavSnapshot::take(app.world_mut());
    let before = moves(&mut app, &mut rng, 400);
    let (recording, inputs) = (replay(&app).recording().clone(), app.world().resource::<Inputs>().0);
    start.restore(app.world_mut());
    let runs = recording.runs() as usize - replay(&app).runs() as usize;
    app.world_mut().resource_mut::<NavReplay>().play(recording.clone());
    app.world_mut().resource_mut::<Moves>().0.clear();
    let mut middle = None;
    while replay(&app).is_playing() {
        app.update();
        if replay(&app).runs() == 200 {
            middle = Some(NavSnapshot::take(app.world_mut()));
        }
    }
    assert_eq!(replay(&app).difference(), None);
    assert_same(&before.0, &app.world().resource::<Moves>().0, runs, "again");
    assert_eq!((replay(&app).recording(), app.world().resource::<Inputs>().0), (&recording, inputs));
    // It goes on, and the whole is one recording.
    (0..100).for_each(|_| app.update());
    let text = replay(&app).recording().to_ron();
    assert!(NavRecording::parse(&text).unwrap().runs() > recording.runs());
    assert_eq!(replay(&play(&text, 20, 1, 3)).difference(), None);
    // Back into the middle, while it is played.
    app.world_mut().resource_mut::<NavReplay>().play(recording.clone());
    middle.unwrap().restore(app.world_mut());
    app.world_mut().resource_mut::<NavReplay>().play(recording);
    while replay(&app).is_playing() {
        app.update();
    }
    assert_eq!(replay(&app).difference(), None);
}

#[test]
fn agents_that_are_gone_come_back_with_a_snapshot() {
    let mut app = app(20, 1, OPEN);
    crossing(&mut app);
    (0..100).for_each(|_| app.update());
    let snapshot = NavSnapshot::take(app.world_mut());
    let all = agents(&mut app);
    let positions = |app: &mut App| {
        let mut agents = app.world_mut().query::<(&AgentNumber, &GridPosition)>();
        let mut agents: Vec<_> = agents.iter(app.world()).map(|(number, position)| (*number, *position)).collect();
        agents.sort_unstable_by_key(|(number, _)| *number);
        agents
    };
    let before = positions(&mut app);
    all[..30].iter().for_each(|&agent| _ = app.world_mut().despawn(agent));
    app.world_mut().spawn((NavAgent::at(20, 20), Solid));
    (0..100).for_each(|_| app.update());
    assert_eq!(agents(&mut app).len(), 11);
    snapshot.clone().restore(app.world_mut());
    assert_eq!(positions(&mut app), before);
    (0..3000).for_each(|_| app.update());
    let states: Vec<_> = app.world_mut().query::<&NavState>().iter(app.world()).copied().collect();
    let arrived = states.iter().filter(|state| **state == NavState::Arrived).count();
    assert!(states.len() == 40 && arrived > 15, "{states:?}");
}

/// Frames of different lengths are runs of different lengths in another schedule.
#[test]
fn runs_take_as_long_as_the_recorded_ones() {
    let app = || {
        let mut app = App::new();
        let walking = EmberwalkPlugin::in_schedule(bevy_app::Update);
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, walking));
        app.add_plugins(NavReplayPlugin::in_schedule(bevy_app::Update));
        app.world_mut().spawn(NavGrid::new(40, 30));
        crossing(&mut app);
        app
    };
    let mut rng = Rng::with_seed(5);
    let mut one = app();
    for _ in 0..300 {
        let time = Duration::from_millis([0, 7, 16, 16, 17, 40][rng.usize(..6)]);
        one.insert_resource(TimeUpdateStrategy::ManualDuration(time));
        one.update();
        let agents = agents(&mut one);
        *one.world_mut().get_mut::<Goal>(agents[rng.usize(..40)]).unwrap() = Goal::Near(random_cell(&mut rng));
    }
    let recording = NavRecording::parse(&replay(&one).recording().to_ron()).unwrap();
    let mut other = app();
    other.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    other.world_mut().resource_mut::<NavReplay>().play(recording);
    while replay(&other).is_playing() {
        other.update();
    }
    assert_eq!(replay(&other).difference(), None);
}

#[test]
fn a_text_is_read_as_far_as_it_is_whole_and_never_panics() {
    let text = replay(&played(4, 200)).recording().to_ron();
    let whole = NavRecording::parse(&text).unwrap();
    assert_eq!(whole.to_ron(), text);
    let mut rng = Rng::with_seed(1);
    let head = text.find("[\n").unwrap() + 2;
    for _ in 0..300 {
        let end = rng.usize(head..text.len());
        let end = (0..=end).rev().find(|&end| text.is_char_boundary(end)).unwrap();
        let cut = NavRecording::parse(&text[..end]).unwrap_or_else(|error| panic!("up to {end}: {error}"));
        let lines = text[..end].lines().count();
        assert!(cut.len() + 3 >= lines && cut.len() <= whole.len(), "{} of {lines}", cut.len());
    }
    for number in 0..3000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..bytes.len());
            bytes[at] = *rng.choice(b"0123456789-.,:()[]{}\"eE \n").unwrap();
        }
        // What can be read can be played.
        if let Ok(recording) = NavRecording::parse(&String::from_utf8(bytes).unwrap())
            && number % 30 == 0
            && recording.runs() < 10_000
        {
            let mut app = app(200, 1, 4);
            app.world_mut().resource_mut::<NavReplay>().play(recording);
            (0..60).for_each(|_| app.update());
        }
    }
}

#[test]
fn what_is_not_possible_has_an_error() {
    let errors = [
        ("", "1:1: "),
        ("(format: 2, entries: [])", "this recording has format 2, and this version reads format 1"),
        ("(format: 1, entries: [(3, hold(1)), (2, hold(1))])", "entry 2, in run 2: this run is earlier"),
        ("(format: 1, entries: [\n(3, jump(1)),\n])", "2:"),
        ("(format: 1, entries: [(0, put(agent: 0, nav: (start: (1, 1))))])", "agents are numbered from 1 to 2^53"),
        ("(format: 1, entries: [(0, put(agent: 18446744073709551615, nav: (start: (1, 1))))])", "2^53"),
        ("(format: 1, entries: [(0, goal([1], Beside((2147483647, 0))))])", "this cell is off all maps"),
        ("(format: 1, entries: [(0, goal([1], Follow(7)))])", "agents follow another one by"),
        ("(format: 1, entries: [(0, time(NaN))])", "a run takes 0 to 3600 seconds"),
        ("(format: 1, entries: [(0, edit(1, cost((1, 1), 0)))])", "1:"),
    ];
    for (text, expected) in errors {
        let error = NavRecording::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let nested = format!("(format: 1, entries: {}", "[".repeat(100_000));
    assert!(matches!(NavRecording::parse(&nested), Err(RecordingError::Syntax { .. })));
    assert_eq!(NavRecording::parse(&" ".repeat(40 << 20)), Err(RecordingError::Large));
}

/// What a game may say, a recording and a saved snapshot may contain.
#[test]
fn cells_far_off_all_maps_and_speeds_that_are_no_numbers_are_recorded_and_saved() {
    let far = [1 << 24, i32::MAX, i32::MIN].map(|x| Cell::new(x, 3));
    let orders = move |app: &mut App| {
        for cell in far {
            for goal in
                [Goal::Cell(cell), Goal::Near(cell), Goal::AnyOf(vec![cell]), Goal::Queue(vec![Goal::Group(cell)])]
            {
                app.world_mut().spawn((NavAgent::at(5, 5), goal.clone()));
                app.world_mut().spawn((NavAgent::at(7, 5), Solid, goal));
            }
            app.world_mut().spawn(NavAgent::at(cell.x, cell.y));
            let mut grid = app.world_mut().query::<&mut NavGrid>().single_mut(app.world_mut()).unwrap();
            grid.set(cell, None);
            grid.add_link(cell, (3, 3), EntryCost::TILE);
            grid.add_danger(Danger::new(cell, 9, EntryCost::TILE, CrowdTime::SECOND));
        }
    };
    let (app, text) = recorded(3, orders);
    let played = play(&text, 20, 1, OPEN);
    assert_eq!(replay(&played).recording().to_ron(), text);
    assert_eq!(replay(&app).recording().len(), NavRecording::parse(&text).unwrap().len());
    for speed in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (mut app, text) = recorded(1, |app| {
            app.world_mut().query::<&mut NavClock>().single_mut(app.world_mut()).unwrap().speed = speed;
        });
        NavRecording::parse(&text).unwrap();
        let saved = serde_json::to_string(&NavSnapshot::take(app.world_mut())).unwrap();
        assert!(serde_json::from_str::<NavSnapshot>(&saved).is_ok(), "{speed}");
    }
}

/// A search in the background is asked for again after a snapshot.
#[test]
fn a_route_that_was_planned_in_the_background_is_planned_again() {
    let mut app = app(20, 2, OPEN);
    let mut planner = BackgroundPlanner::<NavGrid>::new(Jobs::default());
    planner.patience = Duration::ZERO;
    app.insert_resource(planner);
    for y in 0..20 {
        app.world_mut().spawn((NavAgent::at(0, y), Goal::Cell(Cell::new(30, y))));
    }
    let is_planning = |app: &mut App| {
        let mut routes = app.world_mut().query::<&NavRoute>();
        routes.iter(app.world()).any(NavRoute::is_planning)
    };
    while !is_planning(&mut app) {
        app.update();
    }
    let snapshot = NavSnapshot::take(app.world_mut());
    (0..100).for_each(|_| app.update());
    snapshot.restore(app.world_mut());
    assert!(is_planning(&mut app));
    let begun = Instant::now();
    while app.world_mut().query::<&NavState>().iter(app.world()).any(|state| *state != NavState::Arrived) {
        app.update();
        assert!(begun.elapsed() < Duration::from_secs(60), "some do not arrive");
    }
}

/// Some frames of the same length as a run.
fn live_app(seed: u64) -> App {
    let mut app = app(0, 2, seed);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 32));
    app.add_observer(go_on);
    app
}

/// A game at random in which agents are in the middle of everything, and a snapshot of it as it is sent.
fn live_game(seed: u64, rng: &mut Rng) -> (App, Vec<u8>) {
    let mut app = live_app(seed);
    app.update();
    moves(&mut app, rng, 300);
    // Some routes are still to be found.
    app.world_mut().resource_mut::<PlanningBudget>().0 = 100;
    let mut passing = app.world_mut().query_filtered::<&mut Goal, (With<NavAgent>, Without<Solid>)>();
    passing.iter_mut(app.world_mut()).for_each(|mut goal| *goal = Goal::Cell(random_cell(rng)));
    app.update();
    let world = app.world_mut();
    world.resource_mut::<PlanningBudget>().0 = 3000;
    let (mut grids, mut solid) = (world.query::<&mut NavGrid>(), world.query_filtered::<&GridPosition, With<Solid>>());
    let cells: Vec<_> = solid.iter(world).map(|position| position.cell).collect();
    // These edits wait until nobody is in their way.
    cells.into_iter().take(2).for_each(|cell| _ = grids.single_mut(world).unwrap().set(cell, None));
    let sent = serde_json::to_vec(&NavSnapshot::take(app.world_mut())).unwrap();
    (app, sent)
}

/// An app, made anew, that has loaded what was sent.
fn joined(sent: &[u8], was_used: bool) -> App {
    let mut app = live_app(OPEN);
    // No time passes in the first frame.
    app.update();
    if was_used {
        crossing(&mut app);
        (0..40).for_each(|_| app.update());
    }
    serde_json::from_slice::<NavSnapshot>(sent).unwrap().restore(app.world_mut());
    app
}

#[test]
fn an_app_that_loads_a_snapshot_makes_the_same_moves() {
    let mut seen = String::new();
    for seed in 0..10 {
        let mut rng = Rng::with_seed(seed);
        let (mut host, sent) = live_game(seed, &mut rng);
        let world = host.world_mut();
        for (goal, state, solid) in world.query::<(&Goal, &NavState, Has<Solid>)>().iter(world) {
            seen.push_str(&format!("{goal:?} {state:?} {solid}\n"));
        }
        let waiting = world.query::<&NavGrid>().single(world).unwrap().waiting_edits().count();
        seen.push_str(if waiting > 0 { "edit\n" } else { "" });
        let mut guest = joined(&sent, seed % 2 == 0);
        let (runs, orders) = (replay(&host).runs(), rng.u64(..));
        assert_eq!(replay(&guest).runs(), runs, "seed {seed}");
        let [before, again] = [&mut host, &mut guest].map(|app| moves(app, &mut Rng::with_seed(orders), 640));
        assert_eq!(before.0.len(), 640);
        assert_same(&before.0, &again.0, 640, &format!("seed {seed}"));
        // Both have recorded the same, with the same hashes, and the guest's recording begins where it has joined.
        let [long, short] = [&host, &guest].map(|app| replay(app).recording().to_ron());
        let (_, orders) = short.split_once("[\n").unwrap();
        assert!(long.ends_with(orders) && orders.matches("hash(").count() >= 19, "seed {seed}");
        let mut again = joined(&sent, false);
        again.world_mut().resource_mut::<NavReplay>().play(NavRecording::parse(&short).unwrap());
        while replay(&again).is_playing() {
            again.update();
        }
        assert_eq!(replay(&again).difference(), None, "seed {seed}");
    }
    for what in [
        "Walking true",
        "Walking false",
        "Planning false",
        "Waiting",
        "Patrol",
        "Group",
        "Follow",
        "InRange",
        "InSight",
        "Flee",
        "edit",
    ] {
        assert!(seen.contains(what), "{what} was never seen in {seen}");
    }
}

/// Systems that have never run take nothing for new that was loaded.
#[test]
fn a_snapshot_is_loaded_before_the_first_frame() {
    let (mut host, sent) = live_game(3, &mut Rng::with_seed(3));
    let mut guest = live_app(OPEN);
    serde_json::from_slice::<NavSnapshot>(&sent).unwrap().restore(guest.world_mut());
    // No time passes in it.
    guest.update();
    let [before, again] = [&mut host, &mut guest].map(|app| moves(app, &mut Rng::with_seed(0), 300));
    assert_same(&before.0, &again.0, 300, "loaded");
}

/// So it takes the same one of several routes with the same cost, and needs as little of the budget.
#[test]
fn a_loaded_agent_knows_its_route_without_a_search() {
    #[derive(Resource, Default)]
    struct Expanded(Vec<u64>);
    let mut host = live_app(OPEN);
    host.update();
    host.world_mut().spawn((NavAgent::at(0, 4), Goal::cell(30, 4)));
    (0..40).for_each(|_| host.update());
    let guest = joined(&serde_json::to_vec(&NavSnapshot::take(host.world_mut())).unwrap(), false);
    for mut app in [host, guest] {
        app.init_resource::<Expanded>();
        app.add_observer(|planned: On<Planned>, mut expanded: ResMut<Expanded>| expanded.0.push(planned.expanded));
        let world = app.world_mut();
        world.query::<&mut NavGrid>().single_mut(world).unwrap().set((39, 29), None);
        app.update();
        assert_eq!(app.world().resource::<Expanded>().0, [0]);
    }
}

#[test]
fn a_saved_snapshot_that_was_changed_is_refused_or_harmless() {
    let mut rng = Rng::with_seed(2);
    let (_, sent) = live_game(2, &mut rng);
    let load = |bytes: &[u8]| serde_json::from_slice::<NavSnapshot>(bytes).map_err(|error| error.to_string());
    let text = String::from_utf8(sent.clone()).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        load(text.replacen(from, to, 1).as_bytes()).err().unwrap()
    };
    assert!(refused("{\"version\":1", "{\"version\":7").contains("form 7, not 1"));
    // The first one may be that of an agent without a place.
    let known = "\"is_known\":true";
    let are_refused = text.match_indices(known).any(|(at, _)| {
        let changed = format!("{}\"is_known\":false{}", &text[..at], &text[at + known.len()..]);
        load(changed.as_bytes()).is_err_and(|error| error.contains("has been changed"))
    });
    assert!(are_refused);
    assert!(refused("\"number\":", "\"number\":9").contains("has been changed"));
    for _ in 0..400 {
        let mut bytes = sent.clone();
        // The ground is most of it; what follows is about agents.
        let from = if rng.bool() { 0 } else { bytes.len() - bytes.len() / 8 };
        let at = rng.usize(from..bytes.len());
        bytes[at] = *rng.choice(b"0123456789-,[]{}").unwrap();
        if let Ok(snapshot) = load(&bytes) {
            let mut app = live_app(OPEN);
            snapshot.restore(app.world_mut());
            (0..20).for_each(|_| app.update());
        }
    }
}
