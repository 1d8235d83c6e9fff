//! Maps that are replaced or removed, and what becomes of the agents on them.

use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};

use super::*;

const LAND: u8 = 0;
const WATER: u8 = 1;

/// The agents of both sorts that stand in these cells.
fn spawn(app: &mut App, cells: &[(i32, i32)], settings: AgentSettings) -> Vec<Entity> {
    let mut agents = Vec::new();
    for &(x, y) in cells {
        let agent = NavAgent::at(x, y).with(settings);
        agents.push(app.world_mut().spawn(agent).id());
        agents.push(app.world_mut().spawn((agent, Solid)).id());
    }
    agents
}

fn cells(app: &App, agents: &[Entity]) -> Vec<Cell> {
    agents.iter().map(|&agent| get::<GridPosition>(app, agent).cell).collect()
}

fn states(app: &App, agents: &[Entity]) -> Vec<NavState> {
    agents.iter().map(|&agent| get(app, agent)).collect()
}

fn replace(app: &mut App, map: Entity, grid: NavGrid) {
    app.world_mut().entity_mut(map).insert(grid);
    run(app, 10, 1);
}

/// Agents in a new wall or off a smaller map are moved, solid agents to free cells. The others stay, and all of them
/// continue.
#[test]
fn agents_are_moved_out_of_new_walls() {
    let mut app = app(10);
    let map = app.world_mut().spawn(NavGrid::new(20, 20)).id();
    let agents = spawn(&mut app, &[(5, 5), (6, 5), (7, 5), (3, 5), (18, 18), (18, 19)], AgentSettings::new());
    run(&mut app, 10, 1);
    let mut level = NavGrid::new(10, 16);
    level.set_area((4, 4), Size::new(4, 4), None);
    replace(&mut app, map, level);
    let [passing, solid] = [0, 1].map(|k| cells(&app, &agents.iter().copied().skip(k).step_by(2).collect::<Vec<_>>()));
    let expected = [(5, 3), (6, 3), (8, 5), (3, 5), (9, 15), (9, 15)].map(Cell::from);
    assert_eq!(passing, expected);
    assert_eq!(solid[..5], expected[..5]);
    assert_eq!(solid[5], Cell::new(9, 14));
    for &agent in &agents {
        assert_eq!(get::<NavState>(&app, agent), NavState::Idle);
        *app.world_mut().get_mut::<Goal>(agent).unwrap() = Goal::Near(Cell::new(1, 1));
    }
    run(&mut app, 10, 40);
    assert_eq!(get::<GridPosition>(&app, agents[0]).cell, Cell::new(1, 1));
    let solid = agents.iter().skip(1).step_by(2).map(|&agent| get::<GridPosition>(&app, agent).cell);
    assert!(solid.clone().all(|cell| cell.distance_squared(Cell::new(1, 1)) <= 8), "{:?}", solid.collect::<Vec<_>>());
}

/// Without room, kind or map, the state of agents tells this. As soon as there is a place for them, they are there.
#[test]
fn agents_without_a_place_say_why() {
    let mut app = app(10);
    let land = |columns, water: bool| {
        let kinds = [LAND, WATER].map(|class| AgentKind::new().with_cost(class, Some(EntryCost::TILE)).with_side(2));
        let class = |_| if water { WATER } else { LAND };
        let classes = ClassGrid::from_fn(Size::new(columns, 2), Diagonal::GAME, kinds, class).unwrap();
        NavGrid::with_kinds(classes).unwrap()
    };
    let map = app.world_mut().spawn(land(9, true)).id();
    let boats = spawn(&mut app, &[(5, 0), (3, 0)], AgentSettings::new().with_kind(1));
    run(&mut app, 10, 1);
    assert_eq!(states(&app, &boats), [NavState::Idle; 4]);
    // Two solid boats of 2 x 2 cells have no room on three columns, but boats that pass through each other have.
    replace(&mut app, map, land(3, true));
    assert_eq!(states(&app, &boats)[..3], [NavState::Idle; 3]);
    assert_eq!(states(&app, &boats)[3], NavState::Unplaced(WhyUnplaced::NoRoom));
    replace(&mut app, map, land(9, false));
    assert_eq!(states(&app, &boats), [NavState::Unplaced(WhyUnplaced::NoRoom); 4]);
    replace(&mut app, map, NavGrid::new(9, 2));
    assert_eq!(states(&app, &boats), [NavState::Unplaced(WhyUnplaced::NoKind); 4]);
    app.world_mut().entity_mut(map).remove::<NavGrid>();
    run(&mut app, 10, 1);
    assert_eq!(states(&app, &boats), [NavState::Unplaced(WhyUnplaced::NoMap); 4]);
    let others = [0, 1].map(|_| app.world_mut().spawn(land(9, true)).id());
    run(&mut app, 10, 1);
    assert_eq!(states(&app, &boats), [NavState::Unplaced(WhyUnplaced::SeveralMaps); 4]);
    app.world_mut().despawn(others[0]);
    run(&mut app, 10, 1);
    assert_eq!(states(&app, &boats), [NavState::Idle; 4]);
    assert_eq!(cells(&app, &boats), [(5, 0), (5, 0), (3, 0), (3, 0)].map(Cell::from));
}

#[test]
fn first_cells_that_are_no_place_are_named() {
    let mut app = app(10);
    let map = app.world_mut().spawn(NavGrid::new(9, 9)).id();
    app.world_mut().get_mut::<NavGrid>(map).unwrap().set((4, 4), None);
    let agents = spawn(&mut app, &[(4, 4), (9, 4)], AgentSettings::new());
    let kinds = spawn(&mut app, &[(1, 1)], AgentSettings::new().with_kind(3));
    let taken = [0, 1].map(|_| app.world_mut().spawn((NavAgent::at(7, 7), Solid)).id());
    run(&mut app, 10, 1);
    let why = |agents: &[Entity]| states(&app, agents);
    use WhyUnplaced::{Blocked, NoKind, OffMap, Taken};
    assert_eq!(why(&agents), [Blocked, Blocked, OffMap, OffMap].map(NavState::Unplaced));
    assert_eq!(why(&kinds), [NoKind; 2].map(NavState::Unplaced));
    assert_eq!(why(&taken), [NavState::Idle, NavState::Unplaced(Taken)]);
}

/// The clock of a new map begins again. No agent jumps because of that.
#[test]
fn agents_on_their_way_do_not_jump_when_their_map_is_replaced() {
    let mut app = app(10);
    let map = app.world_mut().spawn(NavGrid::new(40, 1)).id();
    let agent = app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(39, 0), Transform::default())).id();
    (0..480).for_each(|_| app.update());
    let before = get::<Transform>(&app, agent).translation.x;
    app.world_mut().entity_mut(map).insert(NavGrid::new(40, 1));
    for _ in 0..10 {
        app.update();
        let walked = get::<Transform>(&app, agent).translation.x - before;
        assert!((0.0..5.0).contains(&walked), "{walked}");
    }
    run(&mut app, 10, 40);
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
}
