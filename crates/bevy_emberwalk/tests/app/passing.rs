//! Agents that pass through each other.

use bevy_math::Vec2;

use super::*;

/// An app with one grid.
fn on(grid: NavGrid) -> (App, Entity) {
    let mut app = app(10);
    app.init_resource::<Lost>();
    app.add_observer(|event: On<Unreachable>, mut lost: ResMut<Lost>| lost.0.push(event.entity));
    let grid = app.world_mut().spawn(grid).id();
    (app, grid)
}

/// Who was told that no route leads to its goal.
#[derive(Resource, Default)]
struct Lost(Vec<Entity>);

fn frames(app: &mut App, frames: u64) {
    (0..frames).for_each(|_| app.update());
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

/// An agent that enters a cell when it becomes blocked turns back, and is never seen to jump.
#[test]
fn agents_turn_back_from_new_walls() {
    let (mut app, grid) = on(NavGrid::new(9, 3));
    let agent = spawn(&mut app, (0, 0), Goal::cell(8, 0));
    frames(&mut app, 230);
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
}

#[test]
fn agents_go_as_near_as_they_can_or_stay() {
    let cost = |cell: Cell| (cell.x != 6).then_some(EntryCost::TILE);
    let (mut app, grid) = on(NavGrid::from_fn(Size::new(9, 1), cost).unwrap());
    let near = spawn(&mut app, (0, 0), Goal::Near(Cell::new(8, 0)));
    let stays = spawn(&mut app, (0, 0), Goal::cell(8, 0));
    let enclosed = spawn(&mut app, (8, 0), Goal::cell(0, 0));
    set(&mut app, grid, (7, 0), None);
    frames(&mut app, 600);
    assert_eq!((state(&app, near), cell(&app, near)), (NavState::Partial, Cell::new(5, 0)));
    assert_eq!((state(&app, stays), cell(&app, stays)), (NavState::Unreachable, Cell::new(0, 0)));
    assert_eq!(state(&app, enclosed), NavState::WalledIn);
    let mut told = app.world().resource::<Lost>().0.clone();
    told.sort_unstable_by_key(|agent| agent.index());
    assert_eq!(told, [near, stays, enclosed], "each once");
    (6..8).for_each(|x| set(&mut app, grid, (x, 0), Some(EntryCost::TILE)));
    frames(&mut app, 1200);
    assert_eq!([near, stays, enclosed].map(|agent| state(&app, agent)), [NavState::Arrived; 3]);
}

#[test]
fn goals_of_all_kinds_are_reached() {
    let (mut app, grid) = on(NavGrid::new(20, 20));
    set(&mut app, grid, (10, 10), None);
    let any = spawn(&mut app, (0, 0), Goal::AnyOf(vec![Cell::new(19, 19), Cell::new(5, 0), Cell::new(0, 9)]));
    let tree = spawn(&mut app, (0, 10), Goal::Beside(Cell::new(10, 10)));
    let patrol = spawn(&mut app, (0, 0), Goal::Patrol(vec![Cell::new(3, 0), Cell::new(3, 3)]));
    let master = spawn(&mut app, (0, 19), Goal::cell(9, 19));
    let dog = spawn(&mut app, (0, 15), Goal::Follow(master));
    let group: Vec<_> = (0..9).map(|y| spawn(&mut app, (19, y), Goal::Group(Cell::new(15, 4)))).collect();
    let nowhere = spawn(&mut app, (3, 3), Goal::Follow(grid));
    frames(&mut app, 1800);
    assert_eq!((state(&app, any), cell(&app, any)), (NavState::Arrived, Cell::new(5, 0)));
    assert_eq!((state(&app, tree), cell(&app, tree)), (NavState::Arrived, Cell::new(9, 10)));
    let visits: Vec<_> = app.world().resource::<Told>().0.iter().filter(|told| told.0 == patrol).collect();
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

#[test]
fn agents_become_solid_and_cease_to_be() {
    let (mut app, grid) = on(NavGrid::new(9, 1));
    let one = spawn(&mut app, (0, 0), Goal::cell(6, 0));
    let other = spawn(&mut app, (2, 0), Goal::cell(8, 0));
    frames(&mut app, 250);
    app.world_mut().entity_mut(one).insert(Solid);
    app.world_mut().entity_mut(other).insert(Solid);
    frames(&mut app, 20);
    assert_eq!(app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count(), 2);
    frames(&mut app, 1000);
    assert_eq!([one, other].map(|agent| cell(&app, agent)), [Cell::new(6, 0), Cell::new(8, 0)]);
    assert_eq!([one, other].map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
    // Now they can change places.
    for (agent, goal) in [(one, 8), (other, 6)] {
        app.world_mut().entity_mut(agent).remove::<Solid>();
        *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::cell(goal, 0);
    }
    frames(&mut app, 300);
    assert_eq!([one, other].map(|agent| cell(&app, agent)), [Cell::new(8, 0), Cell::new(6, 0)]);
    assert_eq!(app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count(), 2);
}

#[test]
fn agents_that_cease_to_be_solid_keep_their_goals() {
    let (mut app, _) = on(NavGrid::new(30, 30));
    let there = spawn(&mut app, (0, 0), Goal::cell(2, 0));
    let master = spawn(&mut app, (5, 25), Goal::None);
    let dog = spawn(&mut app, (0, 25), Goal::Follow(master));
    let group: Vec<_> = (0..6).map(|y| spawn(&mut app, (0, 4 + y), Goal::Group(Cell::new(15, 6)))).collect();
    let all: Vec<_> = [there, master, dog].into_iter().chain(group.iter().copied()).collect();
    frames(&mut app, 100);
    all.iter().for_each(|&agent| _ = app.world_mut().entity_mut(agent).insert(Solid));
    frames(&mut app, 100);
    let group_goal = Cell::new(20, 14);
    group.iter().for_each(|&agent| *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::Group(group_goal));
    frames(&mut app, 500);
    all.iter().for_each(|&agent| _ = app.world_mut().entity_mut(agent).remove::<Solid>());
    frames(&mut app, 100);
    *app.world_mut().get_mut::<Goal>(master).unwrap() = Goal::cell(20, 25);
    frames(&mut app, 3000);
    assert_eq!(state(&app, there), NavState::Arrived);
    assert!(cell(&app, dog).distance_squared(Cell::new(20, 25)) <= 2);
    let mut places: Vec<_> = group.iter().map(|&agent| cell(&app, agent)).collect();
    assert!(places.iter().all(|place| place.distance_squared(group_goal) <= 4), "{places:?}");
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 6, "each has a place of its own");
}

#[test]
fn an_agent_that_is_put_in_a_blocked_cell_is_unplaced() {
    for solid in [false, true] {
        let (mut app, grid) = on(NavGrid::new(9, 1));
        set(&mut app, grid, (4, 0), None);
        let agent = spawn(&mut app, (0, 0), Goal::cell(2, 0));
        if solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        frames(&mut app, 400);
        assert_eq!(state(&app, agent), NavState::Arrived);
        app.world_mut().entity_mut(agent).insert((NavAgent::at(4, 0), Goal::cell(8, 0)));
        frames(&mut app, 20);
        assert_eq!(state(&app, agent), NavState::Unplaced(WhyUnplaced::Blocked), "{solid}");
        set(&mut app, grid, (4, 0), Some(EntryCost::TILE));
        frames(&mut app, 600);
        assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Arrived, Cell::new(8, 0)), "{solid}");
    }
}

#[test]
fn a_new_agent_component_puts_the_agent_elsewhere() {
    for solid in [false, true] {
        let (mut app, grid) = on(NavGrid::new(30, 1));
        let agent = spawn(&mut app, (0, 0), Goal::cell(9, 0));
        if solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        frames(&mut app, 150);
        app.world_mut().entity_mut(agent).insert(NavAgent::at(20, 0));
        frames(&mut app, 10);
        let position = get::<GridPosition>(&app, agent);
        assert!(position.cell.x >= 19, "{position:?}");
        frames(&mut app, 1200);
        assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Arrived, Cell::new(9, 0)));
        let agents = app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count();
        assert_eq!(agents, 1);
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
    frames(&mut app, 160);
    assert_eq!(agents.map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
}

#[test]
fn questions_are_answered() {
    let mut grid = NavGrid::new(9, 9).prepared();
    grid.set_area((4, 0), Size::new(1, 8), None);
    assert_eq!(grid.of_kind(0).cost((0, 0), (8, 0)), grid.field((8, 0)).unwrap().cost(Cell::new(0, 0)));
    assert!(grid.is_reachable((0, 0), (8, 0)));
    grid.set((4, 8), None);
    assert_eq!((grid.route((0, 0), (8, 0)), grid.why_not((0, 0), (8, 0))), (None, Some(WhyNot::Separated)));
    assert_eq!(grid.breach((0, 4), (8, 4), EntryCost::TILE).unwrap().opened, [Cell::new(4, 4)]);
    assert!(matches!(grid.why_not((0, 0), (9, 0)), Some(WhyNot::Cell(_))));
    let nobody = grid.of_kind(1);
    assert!(nobody.route((0, 0), (1, 0)).is_none() && !nobody.is_reachable((0, 0), (1, 0)), "there is no such kind");
}

/// Each question is answered for the kind that is named.
#[test]
fn questions_are_answered_for_each_kind() {
    let grids = [0, 1].map(|_| CostGrid::open(Size::new(9, 1)).unwrap());
    let mut grid = NavGrid::on(Crowd::with_grids(grids, StepRules::default(), Pace::default()).unwrap());
    grid.set_for(1, (4, 0), None);
    grid.set_for(1, (1, 0), EntryCost::from_tiles(3.0).ok());
    let [walkers, carts] = [0, 1].map(|kind| grid.of_kind(kind));
    assert_eq!([walkers, carts].map(|kind| kind.is_reachable((0, 0), (8, 0))), [true, false]);
    assert_eq!([walkers, carts].map(|kind| kind.why_not((0, 0), (8, 0))), [None, Some(WhyNot::Separated)]);
    assert_eq!([walkers, carts].map(|kind| kind.cost((0, 0), (2, 0)).unwrap().tiles()), [2.0, 4.0]);
    let field = |kind: bevy_emberwalk::OfKind| kind.field((2, 0)).unwrap().cost(Cell::new(0, 0)).unwrap().tiles();
    assert_eq!([walkers, carts].map(field), [2.0, 4.0]);
    let breach = |kind: bevy_emberwalk::OfKind| kind.breach((0, 0), (8, 0), EntryCost::TILE).unwrap().opened.len();
    assert_eq!([walkers, carts].map(breach), [0, 1]);
}

/// The map of a game is replaced by the next level, by every method there is.
#[test]
fn agents_go_on_when_their_grid_is_replaced() {
    for solid in [false, true] {
        let (mut app, grid) = on(NavGrid::new(9, 3));
        let agent = spawn(&mut app, (0, 0), Goal::cell(8, 0));
        let other = spawn(&mut app, (0, 2), Goal::cell(8, 2));
        if solid {
            [agent, other].into_iter().for_each(|agent| _ = app.world_mut().entity_mut(agent).insert(Solid));
        }
        frames(&mut app, 250);
        *app.world_mut().get_mut::<NavGrid>(grid).unwrap() = NavGrid::new(9, 3);
        frames(&mut app, 100);
        let at = cell(&app, agent);
        assert!((2..5).contains(&at.x), "it goes on from where it is: {at}");
        app.world_mut().entity_mut(grid).insert(NavGrid::new(9, 3));
        frames(&mut app, 100);
        assert!((3..6).contains(&cell(&app, agent).x));
        app.world_mut().despawn(grid);
        frames(&mut app, 10);
        assert_eq!([agent, other].map(|agent| state(&app, agent)), [NavState::Unplaced(WhyUnplaced::NoMap); 2]);
        let next = app.world_mut().spawn(NavGrid::new(9, 3)).id();
        frames(&mut app, 10);
        assert_eq!([agent, other].map(|agent| cell(&app, agent)), [Cell::new(0, 0), Cell::new(0, 2)]);
        // One of two grids.
        let cellar = app.world_mut().spawn(NavGrid::new(9, 3)).id();
        app.world_mut().entity_mut(other).insert(OnGrid(cellar));
        frames(&mut app, 1000);
        assert_eq!([agent, other].map(|agent| state(&app, agent)), [NavState::Arrived; 2]);
        let agents = [next, cellar].map(|grid| app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count());
        assert_eq!(agents, [1, 1]);
    }
}

#[test]
fn goals_off_the_map_and_in_the_same_cell_are_answered() {
    let (mut app, _) = on(NavGrid::new(9, 3));
    for solid in [false, true] {
        let goals = [Goal::cell(-4, 90), Goal::AnyOf(vec![]), Goal::Beside(Cell::new(40, 0)), Goal::Patrol(vec![])];
        let agents: Vec<_> =
            goals.into_iter().enumerate().map(|(x, goal)| spawn(&mut app, (x as i32, 0), goal)).collect();
        let here = spawn(&mut app, (8, 0), Goal::cell(8, 0));
        for &agent in agents.iter().chain([&here]).filter(|_| solid) {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        frames(&mut app, 100);
        let states: Vec<_> = agents.iter().map(|&agent| state(&app, agent)).collect();
        let nowhere = NavState::Unreachable;
        assert_eq!(states, [nowhere, nowhere, nowhere, NavState::Idle], "{solid}");
        assert_eq!(state(&app, here), NavState::Arrived, "{solid}");
        agents.iter().chain([&here]).for_each(|&agent| _ = app.world_mut().despawn(agent));
    }
}
