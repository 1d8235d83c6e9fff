//! Agents that pass through each other.

use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
use bevy_emberwalk::emberwalk_path::{CostGrid, Diagonal, Field, FieldQuery, StepRules};
use bevy_emberwalk::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use fastrand::Rng;

/// What observers were told.
#[derive(Resource, Default)]
struct Told {
    arrived: Vec<(Entity, Cell)>,
    rerouted: Vec<Entity>,
    unreachable: Vec<Entity>,
}

/// An app whose frames take so many milliseconds, and its only grid.
fn app(frame: u64, grid: NavGrid) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(frame)));
    app.insert_resource(Time::<Fixed>::from_hz(32.0));
    app.init_resource::<Told>();
    app.add_observer(|arrived: On<Arrived>, mut told: ResMut<Told>| told.arrived.push((arrived.entity, arrived.cell)));
    app.add_observer(|rerouted: On<Rerouted>, mut told: ResMut<Told>| told.rerouted.push(rerouted.entity));
    app.add_observer(|event: On<Unreachable>, mut told: ResMut<Told>| told.unreachable.push(event.entity));
    app.update();
    let grid = app.world_mut().spawn(grid).id();
    (app, grid)
}

fn run(app: &mut App, frames: u64) {
    (0..frames).for_each(|_| app.update());
}

fn get<C: Component + Clone>(app: &App, entity: Entity) -> C {
    app.world().get::<C>(entity).unwrap().clone()
}

fn spawn(app: &mut App, from: (i32, i32), goal: Goal) -> Entity {
    app.world_mut().spawn((NavAgent::at(from.0, from.1), goal)).id()
}

fn set(app: &mut App, grid: Entity, cell: (i32, i32), cost: Option<EntryCost>) {
    assert_eq!(app.world_mut().get_mut::<NavGrid>(grid).unwrap().set(cell, cost), Edited::Applied);
}

fn state(app: &App, agent: Entity) -> NavState {
    get(app, agent)
}

fn cell(app: &App, agent: Entity) -> Cell {
    get::<GridPosition>(app, agent).cell
}

#[test]
fn agents_pass_through_each_other() {
    let (mut app, _) = app(10, NavGrid::new(9, 1));
    let one = spawn(&mut app, (0, 0), Goal::cell(8, 0));
    let other = spawn(&mut app, (8, 0), Goal::cell(0, 0));
    run(&mut app, 830);
    assert_eq!([one, other].map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
    assert_eq!(app.world().resource::<Told>().arrived, [(one, Cell::new(8, 0)), (other, Cell::new(0, 0))]);
}

#[test]
fn a_step_takes_as_long_as_it_costs() {
    let swamp = EntryCost::from_tiles(3.0).unwrap();
    let cost = |cell: Cell| Some(if cell.x == 2 { swamp } else { EntryCost::TILE });
    let (mut app, grid) = app(10, NavGrid::from_fn(Size::new(5, 1), cost).unwrap());
    let agent = spawn(&mut app, (0, 0), Goal::cell(4, 0));
    run(&mut app, 300);
    let now = app.world().get::<NavGrid>(grid).unwrap().now();
    let at = get::<GridPosition>(&app, agent).at(now);
    let gone = 1.0 + (now.seconds() - 1.0) / 3.0;
    assert!((f64::from(at.x) - gone).abs() < 0.02, "{at} after {now}");
}

/// Nobody tells the agents. After every edit, each of them follows a cheapest route.
#[test]
fn routes_stay_the_cheapest_ones_through_random_edits() {
    let mut rng = Rng::with_seed(7);
    let size = Size::new(40, 30);
    let cost = |rng: &mut Rng| (rng.u8(..5) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap());
    let costs: Vec<_> = size.cells().map(|_| cost(&mut rng)).collect();
    let (mut app, grid) = app(10, NavGrid::from_fn(size, |cell| costs[size.index(cell).unwrap()]).unwrap());
    let random = |rng: &mut Rng| (rng.i32(0..40), rng.i32(0..30));
    let agents: Vec<_> =
        (0..12).map(|_| spawn(&mut app, random(&mut rng), Goal::Cell(random(&mut rng).into()))).collect();
    let (mut checked, mut unreachable) = (0, 0);
    for _ in 0..400 {
        let cell = random(&mut rng);
        set(&mut app, grid, cell, cost(&mut rng));
        for &agent in &agents {
            if state(&app, agent) == NavState::Arrived || rng.u8(..100) == 0 {
                *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::Cell(random(&mut rng).into());
            }
        }
        run(&mut app, rng.u64(4..200));
        for &agent in &agents {
            let &Goal::Cell(goal) = app.world().get::<Goal>(agent).unwrap() else { panic!("a cell") };
            let (route, position) = (get::<NavRoute>(&app, agent), get::<GridPosition>(&app, agent));
            let costs = app.world().get::<NavGrid>(grid).unwrap().costs();
            if !state(&app, agent).is_placed() {
                continue;
            }
            let lowest = lowest_cost(costs, position.entered(), goal);
            if !costs.is_passable(position.entered()) {
                continue;
            }
            let ahead = route.ahead().windows(2).map(|step| StepRules::default().step_cost(costs, step[0], step[1]));
            let is_there = route.ahead().last() == Some(&goal) && route.ahead().first() == Some(&position.entered());
            assert_eq!(
                is_there.then(|| ahead.sum::<Option<_>>().expect("it is possible")),
                lowest,
                "{position:?} {route:?}"
            );
            assert_eq!(route.reach() == Reach::Nowhere, lowest.is_none());
            assert_eq!(route.cost_ahead(), lowest.unwrap_or_default());
            checked += 1;
            unreachable += usize::from(lowest.is_none());
        }
    }
    assert!(checked > 3000 && unreachable > 100, "{checked} routes, {unreachable} of them nowhere");
    let told = app.world().resource::<Told>();
    let [arrived, rerouted, unreachable] = [told.arrived.len(), told.rerouted.len(), told.unreachable.len()];
    assert!(arrived > 20 && rerouted > 20 && unreachable > 5, "{arrived}, {rerouted}, {unreachable}");
}

fn lowest_cost(costs: &CostGrid, from: Cell, to: Cell) -> Option<bevy_emberwalk::emberwalk_path::RouteCost> {
    let mut field = Field::new();
    field.compute(costs, &FieldQuery::routes_to(to)).ok()?;
    field.cost(from)
}

/// An agent that enters a cell when it becomes blocked turns back, and is never seen to jump.
#[test]
fn agents_turn_back_from_new_walls() {
    let (mut app, grid) = app(10, NavGrid::new(9, 3));
    let agent = spawn(&mut app, (0, 0), Goal::cell(8, 0));
    run(&mut app, 230);
    assert_eq!(get::<GridPosition>(&app, agent).entered(), Cell::new(3, 0));
    set(&mut app, grid, (3, 0), None);
    let place = |app: &App| {
        let position = get::<GridPosition>(app, agent);
        position.at(app.world().get::<NavGrid>(grid).unwrap().now())
    };
    let mut last = place(&app);
    for _ in 0..1000 {
        app.update();
        let now = place(&app);
        assert!(now.distance(last) < 0.05, "from {last} to {now}");
        last = now;
    }
    assert_eq!((state(&app, agent), last), (NavState::Arrived, Vec2::new(8.0, 0.0)));
    assert_eq!(app.world().resource::<Told>().rerouted, [agent]);
}

#[test]
fn an_agent_in_a_new_building_is_put_beside_it() {
    let (mut app, grid) = app(10, NavGrid::new(9, 3));
    let agent = spawn(&mut app, (4, 1), Goal::None);
    run(&mut app, 10);
    let building = Size::new(3, 2);
    assert_eq!(app.world_mut().get_mut::<NavGrid>(grid).unwrap().set_area((3, 0), building, None), Edited::Applied);
    run(&mut app, 10);
    assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Idle, Cell::new(4, 2)));
    *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::cell(8, 1);
    run(&mut app, 500);
    assert_eq!(state(&app, agent), NavState::Arrived);
    // On a map without passable cells there is no place for it until there is one.
    let everywhere = Size::new(9, 3);
    for (cost, state_then) in
        [(None, NavState::Unplaced(WhyUnplaced::NoRoom)), (Some(EntryCost::TILE), NavState::Arrived)]
    {
        let edited = app.world_mut().get_mut::<NavGrid>(grid).unwrap().set_area((0, 0), everywhere, cost);
        assert_eq!(edited, Edited::Applied);
        run(&mut app, 10);
        assert_eq!((state(&app, agent), cell(&app, agent)), (state_then, Cell::new(8, 1)));
    }
}

#[test]
fn agents_go_as_near_as_they_can_or_stay() {
    let cost = |cell: Cell| (cell.x != 6).then_some(EntryCost::TILE);
    let (mut app, grid) = app(10, NavGrid::from_fn(Size::new(9, 1), cost).unwrap());
    let near = spawn(&mut app, (0, 0), Goal::Near(Cell::new(8, 0)));
    let stays = spawn(&mut app, (0, 0), Goal::cell(8, 0));
    let enclosed = spawn(&mut app, (8, 0), Goal::cell(0, 0));
    set(&mut app, grid, (7, 0), None);
    run(&mut app, 600);
    assert_eq!((state(&app, near), cell(&app, near)), (NavState::Partial, Cell::new(5, 0)));
    assert_eq!(get::<NavRoute>(&app, near).reach(), Reach::Nearest);
    assert_eq!((state(&app, stays), cell(&app, stays)), (NavState::Unreachable, Cell::new(0, 0)));
    assert_eq!(state(&app, enclosed), NavState::WalledIn);
    let mut told = app.world().resource::<Told>().unreachable.clone();
    told.sort_unstable_by_key(|agent| agent.index());
    assert_eq!(told, [near, stays, enclosed], "each once");
    (6..8).for_each(|x| set(&mut app, grid, (x, 0), Some(EntryCost::TILE)));
    run(&mut app, 900);
    assert_eq!([near, stays, enclosed].map(|agent| state(&app, agent)), [NavState::Arrived; 3]);
}

#[test]
fn without_a_goal_there_is_no_route() {
    let (mut app, _) = app(10, NavGrid::new(9, 1));
    let agent = spawn(&mut app, (0, 0), Goal::cell(8, 0));
    run(&mut app, 60);
    assert!(!get::<NavRoute>(&app, agent).cells().is_empty());
    app.world_mut().entity_mut(agent).insert(Goal::None);
    run(&mut app, 60);
    assert!(get::<NavRoute>(&app, agent).cells().is_empty());
    assert_eq!((get::<NavRoute>(&app, agent).reach(), state(&app, agent)), (Reach::Nowhere, NavState::Idle));
}

#[test]
fn without_a_grid_there_is_no_route() {
    let (mut app, grid) = app(10, NavGrid::new(9, 1));
    let agent = spawn(&mut app, (0, 0), Goal::cell(8, 0));
    run(&mut app, 60);
    app.world_mut().despawn(grid);
    run(&mut app, 60);
    assert_eq!(state(&app, agent), NavState::Unplaced(WhyUnplaced::NoMap));
    assert!(get::<NavRoute>(&app, agent).cells().is_empty());
}

#[test]
fn an_agent_that_has_arrived_and_holds_is_still_there_after_an_edit() {
    let (mut app, grid) = app(10, NavGrid::new(9, 1));
    let agent = spawn(&mut app, (0, 0), Goal::cell(2, 0));
    run(&mut app, 400);
    app.world_mut().entity_mut(agent).insert(Hold);
    set(&mut app, grid, (1, 0), None);
    run(&mut app, 60);
    assert_eq!(state(&app, agent), NavState::Arrived);
    assert_eq!(app.world().resource::<Told>().arrived.len(), 1);
}

#[test]
fn goals_of_all_kinds_are_reached() {
    let (mut app, grid) = app(10, NavGrid::new(20, 20));
    set(&mut app, grid, (10, 10), None);
    let any = spawn(&mut app, (0, 0), Goal::AnyOf(vec![Cell::new(19, 19), Cell::new(5, 0), Cell::new(0, 9)]));
    let tree = spawn(&mut app, (0, 10), Goal::Beside(Cell::new(10, 10)));
    let patrol = spawn(&mut app, (0, 0), Goal::Patrol(vec![Cell::new(3, 0), Cell::new(3, 3)]));
    let master = spawn(&mut app, (0, 19), Goal::cell(9, 19));
    let dog = spawn(&mut app, (0, 15), Goal::Follow(master));
    let group: Vec<_> = (0..9).map(|y| spawn(&mut app, (19, y), Goal::Group(Cell::new(15, 4)))).collect();
    let nowhere = spawn(&mut app, (3, 3), Goal::Follow(grid));
    run(&mut app, 1800);
    assert_eq!((state(&app, any), cell(&app, any)), (NavState::Arrived, Cell::new(5, 0)));
    assert_eq!((state(&app, tree), cell(&app, tree)), (NavState::Arrived, Cell::new(9, 10)));
    let visits: Vec<_> = app.world().resource::<Told>().arrived.iter().filter(|told| told.0 == patrol).collect();
    assert!(visits.len() > 4, "{visits:?}");
    assert!(visits.iter().zip([Cell::new(3, 0), Cell::new(3, 3)].iter().cycle()).all(|(visit, cell)| visit.1 == *cell));
    assert!(cell(&app, dog).distance_squared(cell(&app, master)) <= 2);
    let mut places: Vec<_> = group.iter().map(|&agent| cell(&app, agent)).collect();
    assert!(group.iter().all(|&agent| state(&app, agent) == NavState::Arrived));
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 9, "each has a place of its own");
    assert_eq!(state(&app, nowhere), NavState::Unreachable);
}

/// However few cells a run may expand, the routes are the same; they only come later.
#[test]
fn a_small_budget_delays_routes_and_changes_none() {
    let routes = |budget: u64| {
        let cost = |cell: Cell| (cell.x % 10 != 5 || cell.y % 50 == (cell.x / 10 * 7) % 50).then_some(EntryCost::TILE);
        let (mut app, _) = app(50, NavGrid::from_fn(Size::new(120, 100), cost).unwrap());
        app.insert_resource(PlanningBudget(budget));
        let agents: Vec<_> = (0..6).map(|k| spawn(&mut app, (0, 3 * k), Goal::cell(119, 99 - k))).collect();
        let mut runs = 0;
        while agents.iter().any(|&agent| get::<NavRoute>(&app, agent).reach() == Reach::Nowhere) {
            app.update();
            runs += 1;
        }
        let costs: Vec<_> = agents.iter().map(|&agent| get::<NavRoute>(&app, agent).cost()).collect();
        (costs, runs)
    };
    let (whole, few) = (routes(u64::MAX), routes(300));
    assert_eq!(whole.0, few.0);
    assert!(few.1 > whole.1 + 3, "{} and {} runs", few.1, whole.1);
}

#[test]
fn agents_become_solid_and_cease_to_be() {
    let (mut app, grid) = app(10, NavGrid::new(9, 1));
    let one = spawn(&mut app, (0, 0), Goal::cell(6, 0));
    let other = spawn(&mut app, (2, 0), Goal::cell(8, 0));
    run(&mut app, 250);
    app.world_mut().entity_mut(one).insert(Solid);
    app.world_mut().entity_mut(other).insert(Solid);
    run(&mut app, 20);
    assert_eq!(app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count(), 2);
    run(&mut app, 1000);
    assert_eq!([one, other].map(|agent| cell(&app, agent)), [Cell::new(6, 0), Cell::new(8, 0)]);
    assert_eq!([one, other].map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
    // Now they can change places.
    for (agent, goal) in [(one, 8), (other, 6)] {
        app.world_mut().entity_mut(agent).remove::<Solid>();
        *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::cell(goal, 0);
    }
    run(&mut app, 300);
    assert_eq!([one, other].map(|agent| cell(&app, agent)), [Cell::new(8, 0), Cell::new(6, 0)]);
    assert_eq!(app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count(), 0);
}

#[test]
fn agents_that_cease_to_be_solid_keep_their_goals() {
    let (mut app, _) = app(10, NavGrid::new(30, 30));
    let there = spawn(&mut app, (0, 0), Goal::cell(2, 0));
    let master = spawn(&mut app, (5, 25), Goal::None);
    let dog = spawn(&mut app, (0, 25), Goal::Follow(master));
    let group: Vec<_> = (0..6).map(|y| spawn(&mut app, (0, 4 + y), Goal::Group(Cell::new(15, 6)))).collect();
    let all: Vec<_> = [there, master, dog].into_iter().chain(group.iter().copied()).collect();
    run(&mut app, 100);
    all.iter().for_each(|&agent| _ = app.world_mut().entity_mut(agent).insert(Solid));
    run(&mut app, 100);
    let group_goal = Cell::new(20, 14);
    group.iter().for_each(|&agent| *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::Group(group_goal));
    run(&mut app, 500);
    all.iter().for_each(|&agent| _ = app.world_mut().entity_mut(agent).remove::<Solid>());
    run(&mut app, 100);
    *app.world_mut().get_mut::<Goal>(master).unwrap() = Goal::cell(20, 25);
    run(&mut app, 3000);
    assert_eq!(state(&app, there), NavState::Arrived);
    assert!(cell(&app, dog).distance_squared(Cell::new(20, 25)) <= 2);
    let mut places: Vec<_> = group.iter().map(|&agent| cell(&app, agent)).collect();
    assert!(places.iter().all(|place| place.distance_squared(group_goal) <= 4), "{places:?}");
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 6, "each has a place of its own");
}

#[test]
fn an_agent_that_becomes_solid_has_no_route_and_is_put_beside_another_one() {
    let (mut app, _) = app(10, NavGrid::new(30, 1));
    let first = app.world_mut().spawn((NavAgent::at(0, 0), Solid)).id();
    let agent = spawn(&mut app, (1, 0), Goal::cell(0, 0));
    run(&mut app, 160);
    *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::cell(20, 0);
    run(&mut app, 20);
    app.world_mut().entity_mut(agent).insert(Solid);
    run(&mut app, 20);
    assert!(get::<NavRoute>(&app, agent).cells().is_empty());
    assert_eq!([first, agent].map(|agent| cell(&app, agent).x), [0, 1]);
    run(&mut app, 2200);
    assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Arrived, Cell::new(20, 0)));
}

#[test]
fn an_agent_that_is_put_in_a_blocked_cell_is_unplaced() {
    for solid in [false, true] {
        let (mut app, grid) = app(10, NavGrid::new(9, 1));
        set(&mut app, grid, (4, 0), None);
        let agent = spawn(&mut app, (0, 0), Goal::cell(2, 0));
        if solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        run(&mut app, 400);
        assert_eq!(state(&app, agent), NavState::Arrived);
        app.world_mut().entity_mut(agent).insert((NavAgent::at(4, 0), Goal::cell(8, 0)));
        run(&mut app, 20);
        assert_eq!(state(&app, agent), NavState::Unplaced(WhyUnplaced::Blocked), "{solid}");
        set(&mut app, grid, (4, 0), Some(EntryCost::TILE));
        run(&mut app, 600);
        assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Arrived, Cell::new(8, 0)), "{solid}");
    }
}

#[test]
fn groups_get_places_where_agents_of_their_kind_can_stand() {
    let kinds = [0, 1].map(|class| AgentKind::new().with_cost(class, Some(EntryCost::TILE)));
    let classes = ClassGrid::from_fn(Size::new(20, 9), Diagonal::GAME, kinds, |cell| u8::from(cell.x > 9)).unwrap();
    let (mut app, _) = app(10, NavGrid::with_kinds(classes).unwrap());
    let boat = AgentSettings::new().with_kind(1);
    let agent = |y| (NavAgent::at(19, y).with(boat), Goal::Group(Cell::new(12, 4)));
    let boats: Vec<_> = (0..9).map(|y| app.world_mut().spawn(agent(y)).id()).collect();
    run(&mut app, 1200);
    let mut places: Vec<_> = boats.iter().map(|&boat| cell(&app, boat)).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 9, "each has a place of its own");
}

#[test]
fn a_new_agent_component_puts_the_agent_elsewhere() {
    for solid in [false, true] {
        let (mut app, grid) = app(10, NavGrid::new(30, 1));
        let agent = spawn(&mut app, (0, 0), Goal::cell(9, 0));
        if solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        run(&mut app, 150);
        app.world_mut().entity_mut(agent).insert(NavAgent::at(20, 0));
        run(&mut app, 10);
        let position = get::<GridPosition>(&app, agent);
        assert!(position.cell.x >= 19, "{position:?}");
        run(&mut app, 1200);
        assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Arrived, Cell::new(9, 0)));
        let agents = app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count();
        assert_eq!(agents, usize::from(solid));
    }
}

#[test]
fn agents_that_were_there_before_the_plugin_walk() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(50)));
    app.world_mut().spawn(NavGrid::new(9, 9));
    let agents = [spawn(&mut app, (0, 0), Goal::cell(3, 0)), spawn(&mut app, (8, 8), Goal::cell(3, 8))];
    app.world_mut().entity_mut(agents[1]).insert(Solid);
    app.add_plugins(EmberwalkPlugins);
    run(&mut app, 160);
    assert_eq!(agents.map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
}

/// The moves of agents depend on when they get their orders, not on the frame rate.
#[test]
fn agents_are_in_the_same_places_at_every_frame_rate() {
    let places = |frame: u64| {
        let cost = |cell: Cell| (cell.x != 16 || cell.y % 6 == 0).then_some(EntryCost::TILE);
        let (mut app, grid) = app(frame, NavGrid::from_fn(Size::new(32, 24), cost).unwrap());
        app.insert_resource(PlanningBudget(500));
        let agents: Vec<_> =
            (0..40).map(|k| spawn(&mut app, (k % 8, k / 8), Goal::cell(31 - k % 8, 23 - k / 8))).collect();
        while app.world().get::<NavGrid>(grid).unwrap().now() < CrowdTime::from_seconds(12.0) {
            app.update();
        }
        agents.iter().map(|&agent| get::<GridPosition>(&app, agent)).collect::<Vec<_>>()
    };
    let seen = places(5);
    assert!(seen.iter().any(|position| position.step.is_some()));
    assert_eq!(places(31), seen);
    assert_eq!(places(100), seen);
}

#[test]
fn questions_are_answered() {
    let mut grid = NavGrid::new(9, 9).prepared();
    grid.set_area((4, 0), Size::new(1, 8), None);
    let route = grid.route((0, 0), (8, 0)).unwrap();
    assert_eq!(Some(route.cost), lowest_cost(grid.costs(), Cell::new(0, 0), Cell::new(8, 0)));
    assert!(grid.is_reachable((0, 0), (8, 0)));
    grid.set((4, 8), None);
    assert_eq!((grid.route((0, 0), (8, 0)), grid.why_not((0, 0), (8, 0))), (None, Some(WhyNot::Separated)));
    assert_eq!(grid.breach((0, 4), (8, 4), EntryCost::TILE).unwrap().opened, [Cell::new(4, 4)]);
    assert_eq!(grid.route_of_kind(1, (0, 0), (1, 0)), None, "there is no such kind");
    assert!(matches!(grid.why_not((0, 0), (9, 0)), Some(WhyNot::Cell(_))));
}

/// The map of a game is replaced by the next level, in each of the ways there are.
#[test]
fn agents_go_on_when_their_grid_is_replaced() {
    for solid in [false, true] {
        let (mut app, grid) = app(10, NavGrid::new(9, 3));
        let agent = spawn(&mut app, (0, 0), Goal::cell(8, 0));
        let other = spawn(&mut app, (0, 2), Goal::cell(8, 2));
        if solid {
            [agent, other].into_iter().for_each(|agent| _ = app.world_mut().entity_mut(agent).insert(Solid));
        }
        run(&mut app, 250);
        *app.world_mut().get_mut::<NavGrid>(grid).unwrap() = NavGrid::new(9, 3);
        run(&mut app, 100);
        let at = cell(&app, agent);
        assert!((2..5).contains(&at.x), "it goes on from where it is: {at}");
        app.world_mut().entity_mut(grid).insert(NavGrid::new(9, 3));
        run(&mut app, 100);
        assert!((3..6).contains(&cell(&app, agent).x));
        app.world_mut().despawn(grid);
        run(&mut app, 10);
        assert_eq!([agent, other].map(|agent| state(&app, agent)), [NavState::Unplaced(WhyUnplaced::NoMap); 2]);
        let next = app.world_mut().spawn(NavGrid::new(9, 3)).id();
        run(&mut app, 10);
        assert_eq!([agent, other].map(|agent| cell(&app, agent)), [Cell::new(0, 0), Cell::new(0, 2)]);
        // One of two grids.
        let cellar = app.world_mut().spawn(NavGrid::new(9, 3)).id();
        app.world_mut().entity_mut(other).insert(OnGrid(cellar));
        run(&mut app, 1000);
        assert_eq!([agent, other].map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
        let agents = [next, cellar].map(|grid| app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count());
        assert_eq!(agents, if solid { [1, 1] } else { [0, 0] });
    }
}

#[test]
fn goals_off_the_map_and_in_the_same_cell_are_answered() {
    let (mut app, _) = app(10, NavGrid::new(9, 3));
    for solid in [false, true] {
        let goals = [Goal::cell(-4, 90), Goal::AnyOf(vec![]), Goal::Beside(Cell::new(40, 0)), Goal::Patrol(vec![])];
        let agents: Vec<_> =
            goals.into_iter().enumerate().map(|(x, goal)| spawn(&mut app, (x as i32, 0), goal)).collect();
        let here = spawn(&mut app, (8, 0), Goal::cell(8, 0));
        for &agent in agents.iter().chain([&here]).filter(|_| solid) {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        run(&mut app, 100);
        let states: Vec<_> = agents.iter().map(|&agent| state(&app, agent)).collect();
        let nowhere = NavState::Unreachable;
        assert_eq!(states, [nowhere, nowhere, nowhere, NavState::Idle], "{solid}");
        assert_eq!(state(&app, here), NavState::Arrived, "{solid}");
        agents.iter().chain([&here]).for_each(|&agent| _ = app.world_mut().despawn(agent));
    }
}
