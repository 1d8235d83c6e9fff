//! Maps of a game's own, their clocks, and planning in the background.

use std::time::{Duration, Instant};

use bevy_app::{App, PluginGroup, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_emberwalk::BackgroundPlanner;
use bevy_emberwalk::emberwalk_jobs::Jobs;
use bevy_emberwalk::emberwalk_path::{CostGrid, Planner, RouteQuery};
use bevy_emberwalk::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

/// A map that is a resource, as in a game with one map.
#[derive(Resource)]
struct World(CostGrid);

impl NavMap for World {
    fn costs_of(&self, kind: usize) -> Option<&CostGrid> {
        (kind == 0).then_some(&self.0)
    }
}

/// A map whose agents avoid some cells, as the game itself says.
#[derive(Resource)]
struct Haunted {
    costs: CostGrid,
    planned: CostGrid,
}

impl NavMap for Haunted {
    fn costs_of(&self, _: usize) -> Option<&CostGrid> {
        Some(&self.costs)
    }

    fn planned_costs_of(&self, _: usize) -> Option<&CostGrid> {
        Some(&self.planned)
    }
}

/// Also in the background.
#[test]
fn agents_plan_on_the_dangers_of_a_map_of_the_game() {
    for in_background in [false, true] {
        let mut app = App::new();
        let agents = EmberwalkPlugins.set(EmberwalkPlugin::default().with_map::<Haunted>());
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, agents));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
        if in_background {
            app.insert_resource(BackgroundPlanner::<Haunted>::new(Jobs::default()));
        }
        app.update();
        let costs = CostGrid::open(Size::new(9, 3)).unwrap();
        let mut planned = costs.clone();
        planned.set(Cell::new(4, 1), Some(EntryCost::MAX));
        app.insert_resource(Haunted { costs, planned });
        let agent = app.world_mut().spawn((NavAgent::at(0, 1), Goal::cell(8, 1))).id();
        run(&mut app, 1.0);
        let route = app.world().get::<NavRoute>(agent).unwrap();
        assert!(!route.cells().is_empty() && !route.cells().contains(&Cell::new(4, 1)), "{:?}", route.cells());
        // Other cells become dangerous, which takes no time.
        for y in [1, 2] {
            app.world_mut().resource_mut::<Haunted>().planned.set(Cell::new(6, y), Some(EntryCost::MAX));
        }
        run(&mut app, 1.0);
        let route = app.world().get::<NavRoute>(agent).unwrap();
        assert!(route.cells().contains(&Cell::new(6, 0)) && route.cost_ahead().tiles() < 9.0, "{:?}", route.cells());
    }
}

fn app() -> App {
    let mut app = App::new();
    let agents = EmberwalkPlugins.set(EmberwalkPlugin::default().with_map::<World>());
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, agents));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    app.update();
    app
}

fn world(width: u32, height: u32) -> World {
    World(CostGrid::open(Size::new(width, height)).unwrap())
}

/// An agent in the corner of a meadow of 9 x 3 cells.
fn on_a_meadow(goal: Goal) -> (App, Entity) {
    let mut app = app();
    app.insert_resource(world(9, 3));
    let agent = app.world_mut().spawn((NavAgent::at(0, 0), goal)).id();
    (app, agent)
}

fn run(app: &mut App, seconds: f64) {
    (0..(seconds * 64.0) as u32).for_each(|_| app.update());
}

fn state(app: &App, agent: Entity) -> NavState {
    *app.world().get(agent).unwrap()
}

fn position(app: &App, agent: Entity) -> GridPosition {
    *app.world().get(agent).unwrap()
}

/// The columns and rows of an agent, as the last run has left it.
fn place(app: &App, agent: Entity) -> [f32; 2] {
    let GridPosition { cell, step, progress, .. } = position(app, agent);
    let (from, to) = step.map_or((cell, cell), |step| (step.from, step.to));
    [(from.x, to.x), (from.y, to.y)].map(|(from, to)| from as f32 + (to - from) as f32 * progress)
}

#[test]
fn agents_walk_on_maps_of_several_types() {
    let mut app = app();
    let agent = app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(8, 0))).id();
    run(&mut app, 0.5);
    assert_eq!(state(&app, agent), NavState::Unplaced(WhyUnplaced::NoMap));
    app.insert_resource(world(9, 3));
    // A grid beside it is another map.
    let grid = app.world_mut().spawn(NavGrid::new(5, 5)).id();
    let other = app.world_mut().spawn((NavAgent::at(0, 0), OnGrid(grid), Goal::cell(4, 4))).id();
    let map = app.world_mut().query_filtered::<Entity, With<World>>().single(app.world()).unwrap();
    let second = app.world_mut().spawn((NavAgent::at(1, 2), OnGrid(map), Goal::Group(Cell::new(8, 2)))).id();
    run(&mut app, 9.0);
    assert_eq!([other, second].map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
    assert_eq!(position(&app, second).cell, Cell::new(8, 2));
    // The first one walks on one of the two maps.
    assert!(state(&app, agent).is_placed());
}

#[test]
fn agents_of_a_resource_turn_back_and_go_round() {
    let (mut app, agent) = on_a_meadow(Goal::cell(8, 0));
    run(&mut app, 3.5);
    let before = position(&app, agent);
    assert_eq!((before.entered(), before.facing.is_some()), (Cell::new(4, 0), true));
    let [there, _] = place(&app, agent);
    app.world_mut().resource_mut::<World>().0.set(Cell::new(4, 0), None);
    app.update();
    assert_eq!(position(&app, agent).entered(), Cell::new(3, 0));
    // It does not jump.
    let [here, _] = place(&app, agent);
    assert!((there - here - 1.0 / 64.0).abs() < 1e-4, "from {there} to {here}");
    run(&mut app, 9.0);
    assert_eq!((state(&app, agent), position(&app, agent).cell), (NavState::Arrived, Cell::new(8, 0)));
    app.world_mut().remove_resource::<World>();
    run(&mut app, 0.5);
    assert_eq!(state(&app, agent), NavState::Unplaced(WhyUnplaced::NoMap));
}

fn set_speed(app: &mut App, speed: f32) {
    let world = app.world_mut();
    world.query_filtered::<&mut NavClock, With<World>>().single_mut(world).unwrap().speed = speed;
}

#[test]
fn terrain_that_changes_under_a_step_changes_the_pace_of_the_rest_of_it() {
    let (mut app, agent) = on_a_meadow(Goal::cell(8, 0));
    run(&mut app, 0.5);
    let [before, _] = place(&app, agent);
    let swamp = EntryCost::from_tiles(4.0).unwrap();
    app.world_mut().resource_mut::<World>().0.set(Cell::new(1, 0), Some(swamp));
    run(&mut app, 1.0);
    let [after, _] = place(&app, agent);
    assert!((after - before - 0.25).abs() < 1e-3, "from {before} to {after}");
}

#[test]
fn an_agent_that_is_put_elsewhere_forgets_its_route() {
    let (mut app, agent) = on_a_meadow(Goal::cell(8, 0));
    run(&mut app, 0.5);
    assert_eq!(app.world().get::<NavRoute>(agent).unwrap().cells().len(), 9);
    app.world_mut().entity_mut(agent).insert(NavAgent::at(6, 2));
    assert!(app.world().get::<NavRoute>(agent).unwrap().cells().is_empty());
    app.update();
    assert_eq!(position(&app, agent).step.map(|step| step.from), Some(Cell::new(6, 2)));
    run(&mut app, 3.0);
    assert_eq!((state(&app, agent), position(&app, agent).cell), (NavState::Arrived, Cell::new(8, 0)));
}

#[test]
fn an_agent_that_was_saved_in_the_middle_of_a_step_goes_on_with_it() {
    let (mut app, agent) = on_a_meadow(Goal::cell(8, 2));
    run(&mut app, 2.6);
    let (saved, there) = (position(&app, agent), place(&app, agent));
    let Cell { x, y } = saved.entered();
    run(&mut app, 20.0);
    // While no time passes, it is where it was.
    set_speed(&mut app, 0.0);
    app.world_mut().entity_mut(agent).insert((saved, NavAgent::at(x, y)));
    run(&mut app, 1.0);
    assert_eq!(place(&app, agent), there);
    set_speed(&mut app, 1.0);
    run(&mut app, 0.1);
    assert!(place(&app, agent)[0] > there[0] && position(&app, agent).entered() == saved.entered());
    run(&mut app, 10.0);
    assert_eq!(state(&app, agent), NavState::Arrived);
}

#[test]
fn the_clock_of_a_map_runs_faster_stops_and_skips() {
    let mut app = app();
    let grid = app.world_mut().spawn(NavGrid::new(20, 2)).id();
    let passing = app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(19, 0))).id();
    let solid = app.world_mut().spawn((NavAgent::at(0, 1), Solid, Goal::cell(19, 1))).id();
    let clock = |app: &mut App, change: &dyn Fn(&mut NavClock)| change(&mut app.world_mut().get_mut(grid).unwrap());
    clock(&mut app, &|clock| clock.speed = 4.0);
    run(&mut app, 1.0);
    let there = |app: &App| [passing, solid].map(|agent| position(app, agent).cell.x);
    assert_eq!(there(&app), [4, 4]);
    clock(&mut app, &|clock| clock.speed = 0.0);
    run(&mut app, 2.0);
    assert_eq!(there(&app), [4, 4]);
    clock(&mut app, &|clock| clock.skip(CrowdTime::from_seconds(100.0)));
    run(&mut app, 1.0);
    assert_eq!(there(&app), [4, 4], "no time passes");
    clock(&mut app, &|clock| clock.speed = 1.0);
    app.update();
    assert_eq!([passing, solid].map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
}

#[test]
fn hours_are_skipped_in_several_runs() {
    let mut app = app();
    let grid = app.world_mut().spawn(NavGrid::new(20, 2)).id();
    run(&mut app, 1.0);
    app.world_mut().get_mut::<NavClock>(grid).unwrap().skip(CrowdTime::from_whole_seconds(5 * 3600));
    run(&mut app, 1.0);
    let now = app.world().get::<NavClock>(grid).unwrap().now();
    assert!((now.seconds() - 5.0 * 3600.0 - 2.0).abs() < 0.1, "{now}");
}

/// Routes that are planned in the background are the cheapest ones, and agents take them when they are there.
#[test]
fn routes_from_the_background_are_the_cheapest() {
    let mut app = app();
    let mut random = fastrand::Rng::with_seed(7);
    app.insert_resource(world(40, 30));
    let jobs = Jobs::default();
    app.insert_resource(BackgroundPlanner::<World>::new(jobs));
    app.world_mut().resource_mut::<BackgroundPlanner<World>>().patience = Duration::ZERO;
    let agents: Vec<_> =
        (0..6).map(|k| app.world_mut().spawn((NavAgent::at(k, 0), Goal::Near(Cell::new(39 - k, 29)))).id()).collect();
    app.update();
    for round in 0..60 {
        let cell = Cell::new(random.i32(0..40), random.i32(0..30));
        let cost = [None, Some(EntryCost::TILE), Some(EntryCost::from_tiles(5.0).unwrap())][random.usize(0..3)];
        app.world_mut().resource_mut::<World>().0.set(cell, cost);
        let begun = Instant::now();
        app.update();
        while agents.iter().any(|&agent| app.world().get::<NavRoute>(agent).unwrap().is_planning()) {
            assert!(begun.elapsed() < Duration::from_secs(60), "round {round}");
            std::thread::sleep(Duration::from_millis(1));
            // Time passes, so that agents walk on meanwhile.
            app.update();
        }
        for &agent in &agents {
            let (from, route) = (position(&app, agent).entered(), app.world().get::<NavRoute>(agent).unwrap());
            let Some(&to) = route.cells().last() else { continue };
            let costs = &app.world().resource::<World>().0;
            let cheapest = Planner::new().plan(costs, &RouteQuery::new(from, to)).unwrap().cost();
            if state(&app, agent) == NavState::Walking {
                assert_eq!(Some(route.cost_ahead()), cheapest, "round {round}");
            }
        }
    }
    run(&mut app, 60.0);
    let rest = |state| matches!(state, NavState::Arrived | NavState::Partial);
    assert!(agents.iter().all(|&agent| rest(state(&app, agent))));
}
