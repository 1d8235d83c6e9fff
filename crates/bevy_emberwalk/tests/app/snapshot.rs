//! Snapshots: to go back to, to save, and to send.

use bevy_app::TaskPoolOptions;
use bevy_emberwalk::NavSnapshot;
use fastrand::Rng;

use super::*;

const SIZE: Size = Size::new(40, 30);

/// The seed of ground without walls.
const OPEN: u64 = u64::MAX;

/// The hash of the crowd and the positions of all agents after each run.
#[derive(Resource, Default)]
struct Moves(Vec<RunMoves>);

type RunMoves = (u64, Vec<(AgentNumber, GridPosition)>);

/// An app with random ground and one run in each frame, as the time since the last run is none of the plugin's.
fn game(seed: u64) -> App {
    let mut app = App::new();
    let task_pool_options = TaskPoolOptions::with_num_threads(2);
    app.add_plugins((TaskPoolPlugin { task_pool_options }, TimePlugin, EmberwalkPlugins));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 32));
    app.insert_resource(Time::<Fixed>::from_hz(32.0));
    app.insert_resource(PlanningBudget(3000));
    app.init_resource::<Moves>();
    app.add_systems(FixedUpdate, write_moves.after(EmberwalkSystems::Writeback));
    app.add_observer(go_on);
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
            let cells: Vec<_> = grid.announced().map(|announced| announced.cell).collect();
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
    for seed in 0..8 {
        let mut rng = Rng::with_seed(seed);
        let mut app = game(seed);
        // No time passes in the first frame.
        app.update();
        for round in 0..20 {
            let frames = rng.usize(..30);
            moves(&mut app, &mut rng, frames);
            app.world_mut().resource_mut::<PlanningBudget>().0 = rng.u64(50..400);
            let snapshot = NavSnapshot::take(app.world_mut());
            let states: Vec<_> = app.world_mut().query::<&NavState>().iter(app.world()).copied().collect();
            planning += usize::from(states.contains(&NavState::Planning));
            walking += usize::from(states.contains(&NavState::Walking));
            let (frames, orders) = (rng.usize(1..60), rng.u64(..));
            let before = moves(&mut app, &mut Rng::with_seed(orders), frames);
            let then = NavSnapshot::take(app.world_mut()).checksum();
            for _ in 0..2 {
                snapshot.restore(app.world_mut());
                assert_eq!(NavSnapshot::take(app.world_mut()).checksum(), snapshot.checksum());
                let again = moves(&mut app, &mut Rng::with_seed(orders), frames);
                assert_same(&before.0, &again.0, frames, &format!("seed {seed}, round {round}"));
                assert_eq!(NavSnapshot::take(app.world_mut()).checksum(), then, "seed {seed}, round {round}");
            }
        }
    }
    assert!(planning > 15 && walking > 120, "{planning}, {walking}");
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
fn agents_that_are_gone_come_back_with_a_snapshot() {
    let mut app = game(OPEN);
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
}

/// Also cells that are far off all maps, and speeds that are no numbers.
#[test]
fn whatever_a_game_says_can_be_saved() {
    for speed in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0] {
        let mut app = game(OPEN);
        for cell in [1 << 24, i32::MAX, i32::MIN].map(|x| Cell::new(x, 3)) {
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
        app.world_mut().query::<&mut NavClock>().single_mut(app.world_mut()).unwrap().speed = speed;
        (0..9).for_each(|_| app.update());
        let saved = serde_json::to_string(&NavSnapshot::take(app.world_mut())).unwrap();
        assert!(serde_json::from_str::<NavSnapshot>(&saved).is_ok(), "{speed}");
    }
}

/// A game at random in which agents are in the middle of everything, and a snapshot of it as it is sent.
fn live_game(seed: u64, rng: &mut Rng) -> (App, Vec<u8>) {
    let mut app = game(seed);
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

fn load(bytes: &[u8]) -> Result<NavSnapshot, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

/// Whether that has played another game before, or has not even begun.
#[test]
fn a_snapshot_that_is_loaded_is_saved_as_the_same_bytes() {
    let mut rng = Rng::with_seed(0);
    let (_, sent) = live_game(0, &mut rng);
    let mut guest = game(OPEN);
    load(&sent).unwrap().restore(guest.world_mut());
    assert!(serde_json::to_vec(&NavSnapshot::take(guest.world_mut())).unwrap() == sent);
}

#[test]
fn an_app_that_loads_a_snapshot_makes_the_same_moves() {
    let mut seen = String::new();
    for seed in 0..9 {
        let mut rng = Rng::with_seed(seed);
        let (mut host, sent) = live_game(seed, &mut rng);
        let world = host.world_mut();
        for (goal, state, solid) in world.query::<(&Goal, &NavState, Has<Solid>)>().iter(world) {
            seen.push_str(&format!("{goal:?} {state:?} {solid}\n"));
        }
        let waiting = world.query::<&NavGrid>().single(world).unwrap().waiting_edits().count();
        seen.push_str(if waiting > 0 { "edit\n" } else { "" });
        let mut guest = game(OPEN);
        if seed % 3 > 0 {
            guest.update();
        }
        if seed % 3 > 1 {
            crossing(&mut guest);
            (0..40).for_each(|_| guest.update());
        }
        load(&sent).unwrap().restore(guest.world_mut());
        if seed % 3 == 0 {
            // No time passes in the first frame.
            guest.update();
        }
        let orders = rng.u64(..);
        let [before, again] = [&mut host, &mut guest].map(|app| moves(app, &mut Rng::with_seed(orders), 640));
        assert_same(&before.0, &again.0, 640, &format!("seed {seed}"));
    }
    for what in [
        "Walking true",
        "Walking false",
        "Planning",
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

#[test]
fn a_saved_snapshot_that_was_changed_is_refused_or_harmless() {
    let mut rng = Rng::with_seed(2);
    let (_, sent) = live_game(2, &mut rng);
    let text = String::from_utf8(sent.clone()).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        load(text.replacen(from, to, 1).as_bytes()).err().unwrap()
    };
    assert!(refused("{\"version\":2", "{\"version\":7").contains("form 7, not 2"));
    assert!(refused("\"number\":", "\"number\":9").contains("has been changed"));
    assert!(refused("\"arrives_again\":false", "\"arrives_again\":true").contains("has been changed"));
    for _ in 0..400 {
        let mut bytes = sent.clone();
        // The ground is most of it; what precedes it is about agents.
        let end = if rng.bool() { bytes.len() } else { bytes.len() / 8 };
        let at = rng.usize(..end);
        bytes[at] = *rng.choice(b"0123456789-,[]{}").unwrap();
        if let Ok(snapshot) = load(&bytes) {
            let mut app = game(OPEN);
            snapshot.restore(app.world_mut());
            (0..20).for_each(|_| app.update());
        }
    }
}
