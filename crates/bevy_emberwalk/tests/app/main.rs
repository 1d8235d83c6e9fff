//! Agents in a headless app.

mod announced;
mod clock;
mod danger;
mod edits;
mod links;
mod numbers;
mod order;
mod passing;
mod placing;
mod pursuit;
mod queues;
mod ranges;
mod replaced;
#[cfg(feature = "serde")]
mod snapshot;
mod speeds;

use std::time::Duration;

use bevy_app::{App, FixedUpdate, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{MultiThreadedExecutor, SingleThreadedExecutor};
use bevy_ecs::system::RunSystemOnce;
use bevy_emberwalk::emberwalk_crowd::{Crowd, OnArrival};
use bevy_emberwalk::emberwalk_path::time::{CrowdTime, Pace};
use bevy_emberwalk::emberwalk_path::{CostGrid, Diagonal, Level, StepRules};
use bevy_emberwalk::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

/// The events that observers received.
#[derive(Resource, Default)]
struct Told(Vec<(Entity, Cell)>);

/// An app whose frames take this many milliseconds.
fn app(frame: u64) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(frame)));
    app.insert_resource(Time::<Fixed>::from_hz(32.0));
    app.init_resource::<Told>();
    app.add_observer(|arrived: On<Arrived>, mut told: ResMut<Told>| told.0.push((arrived.entity, arrived.cell)));
    app.update();
    app
}

fn run(app: &mut App, frame: u64, seconds: u64) {
    for _ in 0..seconds * 1000 / frame {
        app.update();
    }
}

fn get<C: Component + Clone>(app: &App, entity: Entity) -> C {
    app.world().get::<C>(entity).unwrap().clone()
}

fn route_of(app: &mut App, agent: Entity) -> Option<AgentRoute> {
    app.world_mut().run_system_once(move |nav: Nav| nav.route_of(agent)).unwrap()
}

#[test]
fn an_agent_walks_to_its_goal_and_says_so() {
    let mut app = app(10);
    app.world_mut().spawn(NavGrid::new(20, 10).with_layout(CellLayout::isometric(54.0, 27.0)));
    let agent = app.world_mut().spawn((NavAgent::at(2, 3), Goal::cell(9, 3), Transform::default())).id();
    run(&mut app, 10, 3);
    assert_eq!(get::<NavState>(&app, agent), NavState::Walking);
    run(&mut app, 10, 10);
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
    assert_eq!(get::<GridPosition>(&app, agent).cell, Cell::new(9, 3));
    assert_eq!(app.world().resource::<Told>().0, [(agent, Cell::new(9, 3))]);
    let translation = get::<Transform>(&app, agent).translation;
    assert_eq!((translation.x, translation.y), (27.0 * 6.0, -13.5 * 12.0));
}

/// Systems that look at many agents read messages. They miss none, although these are of fixed steps.
#[test]
fn events_are_also_messages() {
    #[derive(Resource, Default)]
    struct Read {
        arrived: Vec<Entity>,
        lost: usize,
    }
    let mut app = app(100);
    app.init_resource::<Read>().add_systems(
        bevy_app::Update,
        |mut arrived: MessageReader<Arrived>, mut lost: MessageReader<Unreachable>, mut read: ResMut<Read>| {
            read.arrived.extend(arrived.read().map(|arrived| arrived.entity));
            read.lost += lost.read().count();
        },
    );
    app.world_mut().spawn(NavGrid::from_fn(Size::new(9, 4), |cell| (cell.y != 2).then_some(EntryCost::TILE)).unwrap());
    let mut agents: Vec<_> =
        [0, 1].map(|y| app.world_mut().spawn((NavAgent::at(0, y), Goal::cell(3 + y, y))).id()).into_iter().collect();
    app.world_mut().entity_mut(agents[1]).insert(Solid);
    let enclosed = [7, 8].map(|x| app.world_mut().spawn((NavAgent::at(x, 0), Goal::cell(x, 3))).id());
    app.world_mut().entity_mut(enclosed[1]).insert(Solid);
    run(&mut app, 100, 10);
    let read = app.world_mut().resource_mut::<Read>().into_inner();
    agents.sort_unstable();
    read.arrived.sort_unstable();
    assert_eq!((&read.arrived, read.lost), (&agents, 2));
}

/// The map changes while an agent walks, and nobody tells the agent.
#[test]
fn an_edit_needs_no_further_line() {
    let mut app = app(10);
    let grid = app.world_mut().spawn(NavGrid::new(20, 10)).id();
    let agent = app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(19, 0))).id();
    run(&mut app, 10, 4);
    for y in 0..10 {
        app.world_mut().get_mut::<NavGrid>(grid).unwrap().set((10, y), None);
    }
    run(&mut app, 10, 4);
    assert_eq!(get::<NavState>(&app, agent), NavState::Unreachable);
    app.world_mut().get_mut::<NavGrid>(grid).unwrap().set((10, 9), Some(EntryCost::TILE));
    run(&mut app, 10, 40);
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
}

#[test]
fn agents_come_and_go() {
    let mut app = app(10);
    let grid = app.world_mut().spawn(NavGrid::new(9, 1)).id();
    let first = app.world_mut().spawn((NavAgent::at(4, 0), Solid)).id();
    let second = app.world_mut().spawn((NavAgent::at(4, 0), Solid, Goal::cell(8, 0))).id();
    run(&mut app, 10, 1);
    assert_eq!(get::<NavState>(&app, second), NavState::Unplaced(WhyUnplaced::Taken));
    assert_eq!(app.world().get::<NavGrid>(grid).unwrap().agent_at((4, 0)), Some(first));
    app.world_mut().despawn(first);
    run(&mut app, 10, 8);
    assert_eq!(get::<NavState>(&app, second), NavState::Arrived);
    app.world_mut().entity_mut(second).remove::<NavAgent>();
    run(&mut app, 10, 1);
    assert_eq!(app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count(), 0);
}

/// A level is left, and entered again later with the map as it was: no agent is there twice.
#[test]
fn agents_of_a_grid_that_is_put_back_are_there_once() {
    for is_swapped in [false, true] {
        let mut app = app(10);
        let map = app.world_mut().spawn(NavGrid::new(20, 9)).id();
        let agents = [(10, 4, 2), (1, 1, 18)]
            .map(|(x, y, to)| app.world_mut().spawn((NavAgent::at(x, y), Solid, Goal::cell(to, y))).id());
        run(&mut app, 10, 2);
        if is_swapped {
            let before = app.world_mut().entity_mut(map).take::<NavGrid>().unwrap();
            app.world_mut().entity_mut(map).insert(NavGrid::new(20, 9));
            run(&mut app, 10, 2);
            *app.world_mut().get_mut::<NavGrid>(map).unwrap() = before;
        } else {
            let before = app.world_mut().entity_mut(map).take::<NavGrid>().unwrap();
            run(&mut app, 10, 2);
            app.world_mut().entity_mut(map).insert(before);
        }
        run(&mut app, 10, 20);
        assert_eq!(app.world().get::<NavGrid>(map).unwrap().crowd().agents().count(), 2, "{is_swapped}");
        assert_eq!(agents.map(|agent| get::<NavState>(&app, agent)), [NavState::Arrived; 2], "{is_swapped}");
    }
}

#[test]
fn a_guard_holds_until_it_is_released() {
    let mut app = app(10);
    app.world_mut().spawn(NavGrid::new(9, 1));
    let guard = app.world_mut().spawn((NavAgent::at(4, 0), Solid, Goal::cell(8, 0), Hold)).id();
    let walker = app.world_mut().spawn((NavAgent::at(0, 0), Solid, Goal::cell(7, 0))).id();
    run(&mut app, 10, 8);
    assert!(matches!(get(&app, walker), NavState::Waiting { on: Some(on), .. } if on == guard));
    app.world_mut().entity_mut(guard).remove::<Hold>();
    run(&mut app, 10, 8);
    assert_eq!([guard, walker].map(|agent| get::<NavState>(&app, agent)), [NavState::Arrived; 2]);
}

/// It rests in a recess, and has to wait when its rest is over.
#[test]
fn an_agent_that_cannot_go_back_to_its_goal_waits() {
    let mut app = app(10);
    let recess = Cell::new(7, 1);
    let cost = |cell: Cell| (cell.y == 0 || cell == recess).then_some(EntryCost::TILE);
    app.world_mut().spawn(NavGrid::from_fn(Size::new(20, 2), cost).unwrap());
    let agent = app.world_mut().spawn((NavAgent::at(3, 0), Solid, Goal::cell(5, 0))).id();
    run(&mut app, 10, 5);
    let passes = app.world_mut().spawn((NavAgent::at(0, 0), Solid, Goal::cell(9, 0))).id();
    for _ in 0..40 {
        if get::<GridPosition>(&app, passes).cell.x > recess.x {
            break;
        }
        run(&mut app, 10, 1);
    }
    assert_eq!((get::<GridPosition>(&app, agent).cell, get(&app, agent)), (recess, NavState::Arrived));
    let guard = app.world_mut().spawn((NavAgent::at(5, 0), Solid, Hold)).id();
    run(&mut app, 10, 20);
    assert!(
        matches!(get(&app, agent), NavState::Waiting { on: Some(on), .. } if on == guard),
        "{:?}",
        get::<NavState>(&app, agent)
    );
}

#[test]
fn a_group_gets_places_of_its_own_and_followers_follow() {
    let mut app = app(10);
    app.world_mut().spawn(NavGrid::new(30, 20));
    let group: Vec<_> = (0..9)
        .map(|y| app.world_mut().spawn((NavAgent::at(0, y), Solid, Goal::Group(Cell::new(20, 10)))).id())
        .collect();
    let dog = app.world_mut().spawn((NavAgent::at(0, 15), Solid, Goal::Follow(group[0]))).id();
    // Agents that are pushed off their places rest before they come back.
    run(&mut app, 10, 60);
    for &agent in &group {
        assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
        assert!(get::<GridPosition>(&app, agent).cell.distance_squared(Cell::new(20, 10)) <= 8);
    }
    let distance = get::<GridPosition>(&app, dog).cell.distance_squared(get::<GridPosition>(&app, group[0]).cell);
    assert!(distance <= 2, "{distance}");
}

#[test]
fn followers_find_agents_that_are_put_elsewhere_or_come_later() {
    let mut app = app(10);
    let mut grid = NavGrid::new(30, 20);
    grid.set((15, 15), None);
    let grid = app.world_mut().spawn(grid).id();
    let masters = [(5, 5), (15, 15)].map(|(x, y)| app.world_mut().spawn((NavAgent::at(x, y), Solid)).id());
    let dogs = masters.map(|master| {
        let y = if master == masters[0] { 0 } else { 9 };
        app.world_mut().spawn((NavAgent::at(0, y), Solid, Goal::Follow(master))).id()
    });
    run(&mut app, 10, 10);
    app.world_mut().entity_mut(masters[0]).insert(NavAgent::at(20, 5));
    app.world_mut().get_mut::<NavGrid>(grid).unwrap().set((15, 15), Some(EntryCost::TILE));
    run(&mut app, 10, 25);
    let cell = |agent| get::<GridPosition>(&app, agent).cell;
    let distances = [0, 1].map(|k| cell(masters[k]).distance_squared(cell(dogs[k])));
    assert!(distances.iter().all(|&distance| distance <= 2), "{distances:?}");
}

#[test]
fn an_agent_can_lose_a_pace_of_its_own() {
    let mut app = app(10);
    app.world_mut().spawn(NavGrid::new(40, 2));
    let passing = app.world_mut().spawn((NavAgent::at(0, 0).with_speed(4.0), Goal::cell(39, 0))).id();
    let solid = app.world_mut().spawn((NavAgent::at(0, 1).with_speed(4.0), Solid, Goal::cell(39, 1))).id();
    run(&mut app, 10, 2);
    for agent in [passing, solid] {
        app.world_mut().get_mut::<NavAgent>(agent).unwrap().settings.pace = None;
    }
    run(&mut app, 10, 5);
    let columns = [passing, solid].map(|agent| get::<GridPosition>(&app, agent).cell.x);
    assert!(columns.iter().all(|column| (12..=15).contains(column)), "{columns:?}");
}

/// The app only passes on orders: a bare crowd with the same orders makes the same moves, at every frame rate.
#[test]
fn agents_move_as_in_a_bare_crowd_at_every_frame_rate() {
    let orders: Vec<_> = (0..40).map(|k| (Cell::new(k % 8, k / 8), Cell::new(31 - k % 8, 23 - k / 8))).collect();
    let cost = |cell: Cell| (cell.x != 16 || cell.y % 6 == 0).then_some(EntryCost::TILE);
    let grid = || CostGrid::from_fn(Size::new(32, 24), Diagonal::GAME, cost).unwrap();
    let mut bare = Crowd::new(grid(), StepRules::default(), Pace::default());
    let agents: Vec<_> = orders.iter().map(|&(from, _)| bare.add(from).unwrap()).collect();
    agents.iter().zip(&orders).for_each(|(&agent, &(_, to))| bare.send(agent, to, OnArrival::Stay));
    bare.advance(CrowdTime::from_seconds(20.0));

    for frame in [5, 31, 100] {
        let mut app = app(frame);
        let crowd = Crowd::new(grid(), StepRules::default(), Pace::default());
        let grid = app.world_mut().spawn(NavGrid::on(crowd)).id();
        for &(from, to) in &orders {
            app.world_mut().spawn((NavAgent::at(from.x, from.y), Solid, Goal::Cell(to)));
        }
        while app.world().get::<NavGrid>(grid).unwrap().crowd().now() < bare.now() {
            app.update();
        }
        let grid = app.world().get::<NavGrid>(grid).unwrap();
        assert_eq!(grid.crowd().now(), bare.now());
        assert_eq!(grid.crowd().state_hash(), bare.state_hash(), "{frame} ms");
    }
}

#[test]
fn another_schedule_lets_time_pass_there() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugin::in_schedule(bevy_app::Update)));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    app.add_systems(FixedUpdate, || {});
    app.world_mut().spawn(NavGrid::new(5, 1));
    let agent = app.world_mut().spawn((NavAgent::at(0, 0), Solid, Goal::cell(4, 0))).id();
    (0..60).for_each(|_| app.update());
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
}

/// An agent that rests makes way, and its position is written though it had nothing to do.
#[test]
fn agents_that_make_way_are_followed() {
    let mut app = app(10);
    app.world_mut().spawn(
        NavGrid::from_fn(Size::new(9, 2), |cell| (cell.y == 0 || cell.x == 4).then_some(EntryCost::TILE)).unwrap(),
    );
    let idle = app.world_mut().spawn((NavAgent::at(4, 0), Solid, Transform::default())).id();
    run(&mut app, 10, 2);
    assert_eq!(get::<NavState>(&app, idle), NavState::Idle);
    let walker = app.world_mut().spawn((NavAgent::at(0, 0), Solid, Goal::cell(8, 0))).id();
    run(&mut app, 10, 14);
    assert_eq!([idle, walker].map(|agent| get::<NavState>(&app, agent)), [NavState::Idle, NavState::Arrived]);
    let cell = get::<GridPosition>(&app, idle).cell;
    assert_ne!(cell, Cell::new(4, 0));
    assert_eq!(get::<Transform>(&app, idle).translation.x, 32.0 * cell.x as f32);
}

/// Which threads run the systems, and in which order the sets leave open, makes no difference.
#[test]
fn agents_move_alike_with_one_thread_and_with_many() {
    let moves = |executor: fn(&mut Schedule)| {
        let mut app = app(10);
        app.edit_schedule(FixedUpdate, executor);
        let cost = |cell: Cell| (cell.x != 10 || cell.y % 5 == 0).then_some(EntryCost::TILE);
        let grids = [0, 1].map(|_| app.world_mut().spawn(NavGrid::from_fn(Size::new(20, 20), cost).unwrap()).id());
        for k in 0..60 {
            let goal = match k % 4 {
                0 => Goal::Group(Cell::new(15, 10)),
                1 => Goal::Patrol(vec![Cell::new(19, k % 20), Cell::new(0, 0)]),
                _ => Goal::cell(19 - k % 7, 19 - k / 4),
            };
            let agent = (NavAgent::at(k % 8, k / 8), OnGrid(grids[k as usize % 2]), goal);
            if k % 3 == 0 {
                app.world_mut().spawn(agent)
            } else {
                app.world_mut().spawn((agent, Solid))
            };
        }
        run(&mut app, 10, 20);
        let hashes = grids.map(|grid| app.world().get::<NavGrid>(grid).unwrap().crowd().state_hash());
        let mut positions = app.world_mut().query::<(&NavAgent, &GridPosition)>();
        let mut positions: Vec<_> = positions.iter(app.world()).map(|(agent, at)| (agent.start, *at)).collect();
        positions.sort_by_key(|(start, _)| *start);
        (hashes, positions)
    };
    let one = moves(|schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()));
    let many = moves(|schedule| _ = schedule.set_executor(MultiThreadedExecutor::new()));
    assert_eq!(one, many);
}

/// On its way up a hill, an agent is as high as it has come.
#[test]
fn agents_climb_hills_in_3d() {
    let mut app = app(25);
    let mut costs = CostGrid::open(Size::new(3, 1)).unwrap();
    costs.set_level(Cell::new(1, 0), Level::new(1).unwrap());
    costs.set_level(Cell::new(2, 0), Level::new(1).unwrap());
    let crowd = Crowd::new(costs, StepRules::default(), Pace::default());
    let layout = CellLayout::orthogonal(2.0, 2.0).in_3d(0.5);
    app.world_mut().spawn(NavGrid::on(crowd).with_layout(layout));
    for solid in [false, true] {
        let agent = (NavAgent::at(0, 0), Goal::cell(2, 0), Transform::from_xyz(9.0, 9.0, 9.0));
        let agent = app.world_mut().spawn(agent).id();
        if solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        // It is put on the map in the next step of the fixed schedule.
        run(&mut app, 25, 1);
        let mut heights = Vec::new();
        for _ in 0..400 {
            app.update();
            let at = get::<Transform>(&app, agent).translation;
            assert_eq!(at.z, 0.0);
            assert!((at.y - (at.x / 4.0).min(0.5)).abs() < 1e-4, "{at}");
            heights.push(at.y);
        }
        assert!(heights.iter().any(|height| (0.1..0.4).contains(height)), "on the slope");
        assert_eq!(heights.last(), Some(&0.5), "and on the hill");
        app.world_mut().despawn(agent);
    }
}

/// Agents within a radius are sorted by their distance, and then by their numbers, solid or not.
#[test]
fn agents_within_a_radius_are_found() {
    let mut app = app(25);
    app.world_mut().spawn(NavGrid::new(20, 20));
    let cells = [(15, 10), (7, 10), (10, 12), (9, 10), (10, 13), (11, 10)];
    let agents = cells.map(|(x, y)| app.world_mut().spawn(NavAgent::at(x, y)).id());
    app.world_mut().entity_mut(agents[3]).insert(Solid);
    run(&mut app, 25, 1);
    let within = |app: &mut App, radius| {
        let find = move |nav: Nav| nav.agents_within((10, 10), radius);
        app.world_mut().run_system_once(find).unwrap()
    };
    let [far, west, below, solid, south, east] = agents;
    assert_eq!(within(&mut app, 3.0), [solid, east, below, west, south]);
    assert_eq!(within(&mut app, 2.9), [solid, east, below]);
    assert_eq!(within(&mut app, 5.0).last(), Some(&far));
    let mut nearest = |radius, wanted: Vec<Entity>| {
        let find = move |nav: Nav| nav.nearest_agent((10, 10), radius, |agent| wanted.contains(&agent));
        app.world_mut().run_system_once(find).unwrap()
    };
    assert_eq!(nearest(5.0, vec![south, west]), Some(west), "of equally near cells");
    assert_eq!(nearest(5.0, vec![far, below, west]), Some(below));
    assert_eq!(nearest(4.9, vec![far]), None);
    assert_eq!(within(&mut app, 0.5), []);
}
