//! Agents that are put on their grids, become solid, or change their kind.

use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};

use super::*;

const LAND: u8 = 0;
const WATER: u8 = 1;
const ROCK: u8 = 2;
const WAYS: [bool; 2] = [false, true];

/// A map of land, water and rock, for agents of 1 x 1 and 2 x 2 cells on land, and for boats.
fn kinds(rows: &[&str]) -> NavGrid {
    let land = |side| AgentKind::new().with_cost(LAND, Some(EntryCost::TILE)).with_side(side);
    let boat = AgentKind::new().with_cost(WATER, Some(EntryCost::TILE));
    let class = |cell: Cell| match rows[cell.y as usize].as_bytes()[cell.x as usize] {
        b'.' => LAND,
        b'~' => WATER,
        _ => ROCK,
    };
    let size = Size::new(rows[0].len() as u32, rows.len() as u32);
    NavGrid::with_kinds(ClassGrid::from_fn(size, Diagonal::GAME, [land(1), land(2), boat], class).unwrap()).unwrap()
}

const LARGE: usize = 1;
const BOAT: usize = 2;

fn spawn(app: &mut App, agent: NavAgent, goal: Goal, is_solid: bool) -> Entity {
    let mut entity = app.world_mut().spawn((agent.with_speed(4.0), goal));
    if is_solid {
        entity.insert(Solid);
    }
    entity.id()
}

fn state(app: &App, agent: Entity) -> NavState {
    get(app, agent)
}

fn cell(app: &App, agent: Entity) -> Cell {
    get::<GridPosition>(app, agent).cell
}

fn count(app: &App, grid: Entity) -> usize {
    app.world().get::<NavGrid>(grid).unwrap().crowd().agents().count()
}

#[test]
fn large_agents_are_found_in_all_their_cells() {
    for is_solid in WAYS {
        let mut app = app(25);
        app.world_mut().spawn(kinds(&["........"; 8]));
        let agent = NavAgent::at(2, 3).with(AgentSettings::new().with_kind(LARGE));
        let agent = spawn(&mut app, agent, Goal::None, is_solid);
        run(&mut app, 25, 1);
        for (cell, is_there) in [((2, 3), true), ((3, 4), true), ((1, 3), false), ((4, 3), false), ((2, 5), false)] {
            let found = app.world_mut().run_system_once(move |nav: Nav| nav.agent_at(cell)).unwrap();
            assert_eq!(found, is_there.then_some(agent), "{cell:?}, solid {is_solid}");
        }
    }
}

/// Agents that become solid in one cell are in cells of their own from then on, on their side of a wall.
#[test]
fn agents_that_become_solid_in_one_cell_get_cells_of_their_own() {
    let is_open = |cell: Cell| (cell.x != 6).then_some(EntryCost::TILE);
    for goal in [Goal::None, Goal::cell(5, 5), Goal::cell(2, 9)] {
        let mut app = app(25);
        let grid = app.world_mut().spawn(NavGrid::from_fn(Size::new(20, 20), is_open).unwrap()).id();
        let rests = spawn(&mut app, NavAgent::at(5, 5), Goal::None, true);
        let others: Vec<_> = (0..8).map(|_| spawn(&mut app, NavAgent::at(5, 5), Goal::None, false)).collect();
        run(&mut app, 25, 1);
        for &agent in &others {
            app.world_mut().entity_mut(agent).insert((Solid, goal.clone()));
        }
        (0..2).for_each(|_| app.update());
        let mut cells: Vec<_> = others.iter().chain([&rests]).map(|&agent| cell(&app, agent)).collect();
        assert!(cells.iter().all(|cell| cell.x < 6 && cell.distance_squared(Cell::new(5, 5)) <= 8), "{cells:?}");
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 9, "{goal:?}: {cells:?}");
        assert_eq!(cell(&app, rests), Cell::new(5, 5));
        run(&mut app, 25, 8);
        assert_eq!(count(&app, grid), 9, "{goal:?}");
        if goal == Goal::cell(2, 9) {
            assert!(others.iter().any(|&agent| state(&app, agent) == NavState::Arrived));
        }
    }
    // Where there is no free cell, it waits.
    let mut app = app(25);
    let is_open = |cell: Cell| (cell.x < 1).then_some(EntryCost::TILE);
    let grid = app.world_mut().spawn(NavGrid::from_fn(Size::new(2, 1), is_open).unwrap()).id();
    let rests = spawn(&mut app, NavAgent::at(0, 0), Goal::None, true);
    let waits = spawn(&mut app, NavAgent::at(0, 0), Goal::cell(1, 0), false);
    run(&mut app, 25, 1);
    app.world_mut().entity_mut(waits).insert(Solid);
    run(&mut app, 25, 1);
    assert!(matches!(state(&app, waits), NavState::Waiting { on: Some(other), .. } if other == rests));
    app.world_mut().get_mut::<NavGrid>(grid).unwrap().set((1, 0), Some(EntryCost::TILE));
    run(&mut app, 25, 2);
    assert_eq!((state(&app, waits), cell(&app, waits)), (NavState::Arrived, Cell::new(1, 0)));
}

/// An agent that becomes solid stays on its grid, even if there is another grid by now.
#[test]
fn agents_become_solid_on_the_grid_where_they_are() {
    let mut app = app(25);
    let grid = app.world_mut().spawn(NavGrid::new(9, 9)).id();
    let agent = spawn(&mut app, NavAgent::at(2, 2), Goal::cell(7, 2), false);
    run(&mut app, 25, 1);
    app.world_mut().spawn(NavGrid::new(9, 9));
    run(&mut app, 25, 1);
    app.world_mut().entity_mut(agent).insert(Solid);
    run(&mut app, 25, 2);
    assert_eq!(app.world().get::<NavGrid>(grid).unwrap().agent_at((7, 2)), Some(agent));
    assert_eq!(state(&app, agent), NavState::Arrived);
}

/// In the middle of a step, without a jump.
#[test]
fn an_agent_that_ceases_to_be_solid_goes_on_with_its_step() {
    let mut app = app(25);
    let grid = app.world_mut().spawn(NavGrid::new(20, 1)).id();
    let agent = app.world_mut().spawn((NavAgent::at(0, 0), Solid, Goal::cell(19, 0))).id();
    let place = |app: &App| get::<GridPosition>(app, agent).at(app.world().get::<NavGrid>(grid).unwrap().now()).x;
    run(&mut app, 25, 3);
    for _ in 0..3 {
        (0..30).for_each(|_| app.update());
        let before = place(&app);
        app.world_mut().entity_mut(agent).remove::<Solid>();
        (0..3).for_each(|_| app.update());
        assert!((0.0..0.2).contains(&(place(&app) - before)), "from {before} to {}", place(&app));
        app.world_mut().entity_mut(agent).insert(Solid);
        (0..3).for_each(|_| app.update());
        assert_eq!(count(&app, grid), 1);
    }
    run(&mut app, 25, 20);
    assert_eq!(state(&app, agent), NavState::Arrived);
}

#[test]
fn an_agent_can_change_its_kind() {
    let rows = ["....~~~~", "....~~~~", "....~~~~", "....~~~~", ".#######"];
    for is_solid in WAYS {
        let mut app = app(25);
        app.world_mut().spawn(kinds(&rows));
        let change = |app: &mut App, agent, kind| {
            app.world_mut().get_mut::<NavAgent>(agent).unwrap().settings.kind = kind;
        };
        let send = |app: &mut App, agent, goal| *app.world_mut().get_mut::<Goal>(agent).unwrap() = goal;
        let agent = spawn(&mut app, NavAgent::at(0, 1), Goal::cell(3, 1), is_solid);
        run(&mut app, 25, 2);
        assert_eq!(state(&app, agent), NavState::Arrived);
        // It is put on the water beside its cell, from where no route leads to its goal.
        change(&mut app, agent, BOAT);
        run(&mut app, 25, 2);
        assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Unreachable, Cell::new(4, 1)), "{is_solid}");
        send(&mut app, agent, Goal::cell(7, 3));
        run(&mut app, 25, 2);
        assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Arrived, Cell::new(7, 3)), "{is_solid}");
        // There is no such kind, until there is one again.
        change(&mut app, agent, 9);
        run(&mut app, 25, 1);
        assert_eq!(state(&app, agent), NavState::Unplaced(WhyUnplaced::NoKind), "{is_solid}");
        change(&mut app, agent, BOAT);
        run(&mut app, 25, 1);
        assert_eq!((state(&app, agent), cell(&app, agent)), (NavState::Arrived, Cell::new(7, 3)), "{is_solid}");
        // A walker grows on its way.
        let walker = spawn(&mut app, NavAgent::at(0, 4), Goal::cell(0, 0), is_solid);
        (0..2).for_each(|_| app.update());
        change(&mut app, walker, LARGE);
        run(&mut app, 25, 3);
        assert_eq!((state(&app, walker), cell(&app, walker)), (NavState::Arrived, Cell::new(0, 0)), "{is_solid}");
        send(&mut app, walker, Goal::cell(0, 4));
        run(&mut app, 25, 2);
        assert_eq!(state(&app, walker), NavState::Unreachable, "{is_solid}: it is too large");
    }
}

#[test]
fn an_agent_without_a_grid_of_its_own_goes_to_the_only_one() {
    for is_solid in WAYS {
        let mut app = app(25);
        let cellar = app.world_mut().spawn(NavGrid::new(9, 9)).id();
        let ground = app.world_mut().spawn(NavGrid::new(9, 9)).id();
        let agent = spawn(&mut app, NavAgent::at(1, 1), Goal::cell(7, 1), is_solid);
        app.world_mut().entity_mut(agent).insert(OnGrid(cellar));
        run(&mut app, 25, 3);
        assert_eq!(state(&app, agent), NavState::Arrived);
        app.world_mut().entity_mut(agent).remove::<OnGrid>();
        run(&mut app, 25, 1);
        assert_eq!(state(&app, agent), NavState::Unplaced(WhyUnplaced::SeveralMaps), "solid {is_solid}");
        assert_eq!(count(&app, cellar), 0);
        app.world_mut().despawn(cellar);
        (0..2).for_each(|_| app.update());
        assert!(cell(&app, agent).x < 3, "solid {is_solid}: it begins in its first cell");
        run(&mut app, 25, 3);
        assert_eq!(state(&app, agent), NavState::Arrived, "solid {is_solid}");
        assert_eq!(count(&app, ground), 1);
        // Nothing is left of an agent that is despawned with its grid.
        app.world_mut().entity_mut(agent).insert(OnGrid(ground));
        app.world_mut().despawn(agent);
        run(&mut app, 25, 1);
        assert_eq!(count(&app, ground), 0);
    }
}

#[test]
fn an_agent_that_was_saved_in_the_middle_of_a_step_goes_on_with_it() {
    let mut app = app(25);
    let grid = app.world_mut().spawn(NavGrid::new(9, 3)).id();
    let agent = app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(8, 2))).id();
    let place = |app: &App| get::<GridPosition>(app, agent).at(app.world().get::<NavGrid>(grid).unwrap().now());
    let set_speed = |app: &mut App, speed| app.world_mut().get_mut::<NavClock>(grid).unwrap().speed = speed;
    (0..104).for_each(|_| app.update());
    let (saved, there) = (get::<GridPosition>(&app, agent), place(&app));
    let Cell { x, y } = saved.entered();
    assert!(saved.step.is_some());
    run(&mut app, 25, 20);
    // While no time passes, it is where it was.
    set_speed(&mut app, 0.0);
    app.world_mut().entity_mut(agent).insert((saved, NavAgent::at(x, y)));
    run(&mut app, 25, 1);
    assert!(place(&app).distance(there) < 1e-3, "{} instead of {there}", place(&app));
    set_speed(&mut app, 1.0);
    (0..4).for_each(|_| app.update());
    assert!(place(&app).x > there.x && get::<GridPosition>(&app, agent).entered() == saved.entered());
    run(&mut app, 25, 10);
    assert_eq!(state(&app, agent), NavState::Arrived);
}

/// Agents of both sorts that get one goal in one run are one group.
#[test]
fn a_group_has_agents_of_both_sorts() {
    let mut app = app(25);
    let yard = |cell: Cell| (2..7).contains(&cell.x) && (12..17).contains(&cell.y);
    let wall = |cell: Cell| yard(cell) && (cell.x == 2 || cell.x == 6 || cell.y == 12 || cell.y == 16);
    let cost = |cell: Cell| (!wall(cell)).then_some(EntryCost::TILE);
    let grid = app.world_mut().spawn(NavGrid::from_fn(Size::new(20, 20), cost).unwrap()).id();
    let goal = Goal::Group(Cell::new(4, 14));
    let group: Vec<_> = (0..12).map(|x| spawn(&mut app, NavAgent::at(x, 0), goal.clone(), x % 2 == 0)).collect();
    run(&mut app, 25, 20);
    let told = app.world().resource::<Told>().0.len();
    assert_eq!(told, 12);
    assert!(group.iter().all(|&agent| state(&app, agent) == NavState::Partial && !yard(cell(&app, agent))));
    // When a route opens, they continue.
    app.world_mut().get_mut::<NavGrid>(grid).unwrap().set_area((3, 12), Size::new(3, 1), Some(EntryCost::TILE));
    run(&mut app, 25, 20);
    assert!(group.iter().all(|&agent| state(&app, agent) == NavState::Arrived));
    let solid: std::collections::HashSet<_> = group.iter().step_by(2).map(|&agent| cell(&app, agent)).collect();
    assert_eq!(solid.len(), 6);
}
