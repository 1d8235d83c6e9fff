//! Changes of the map that are announced.

use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};

use super::*;

fn seconds(seconds: f64) -> CrowdTime {
    CrowdTime::from_seconds(seconds)
}

/// A wall with a gate in the middle, and a long detour.
fn with_gate(is_open: bool) -> NavGrid {
    let gate = Cell::new(5, 2);
    let is_free = |cell: Cell| cell.x != 5 || cell.y == 9 || is_open && cell == gate;
    NavGrid::from_fn(Size::new(11, 10), |cell| is_free(cell).then_some(EntryCost::TILE)).unwrap()
}

fn gate_app(is_open: bool) -> (App, Entity, Entity) {
    let mut app = app(10);
    let grid = app.world_mut().spawn(with_gate(is_open)).id();
    let agent = app.world_mut().spawn((NavAgent::at(0, 2), Goal::cell(10, 2))).id();
    (app, grid, agent)
}

fn edit<A>(app: &mut App, grid: Entity, edit: impl FnOnce(&mut NavGrid) -> A) -> A {
    edit(&mut app.world_mut().get_mut::<NavGrid>(grid).unwrap())
}

#[test]
fn an_agent_waits_at_a_gate_that_will_open() {
    let (mut app, grid, agent) = gate_app(false);
    assert!(edit(&mut app, grid, |grid| grid.announce(seconds(7.3), (5, 2), Some(EntryCost::TILE))));
    run(&mut app, 10, 5);
    assert_eq!(get::<GridPosition>(&app, agent).standing_cell(), Some(Cell::new(4, 2)), "in front of the gate");
    assert!(matches!(get(&app, agent), NavState::Waiting { on: None, since } if since < seconds(4.1)));
    let route = route_of(&mut app, agent).unwrap();
    assert_eq!((route.stops[0].cell, route.stops[0].departure), (Cell::new(4, 2), seconds(7.3)));
    assert_eq!((route.arrival(), route.cost.tiles()), (Some(seconds(13.3)), 6.0));
    run(&mut app, 10, 9);
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
}

#[test]
fn what_is_withdrawn_does_not_happen() {
    let (mut app, grid, agent) = gate_app(true);
    edit(&mut app, grid, |grid| grid.announce(seconds(4.5), (5, 2), None));
    run(&mut app, 10, 1);
    edit(&mut app, grid, |grid| grid.forget((5, 2)));
    run(&mut app, 10, 1);
    let route = route_of(&mut app, agent).unwrap();
    assert!(route.cells().any(|cell| cell == Cell::new(5, 2)), "{route:?}");
    run(&mut app, 10, 20);
    assert!(app.world().get::<NavGrid>(grid).unwrap().is_passable((5, 2)));
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
}

/// The market's gate is open in the first half of each day of 20 s, and the walker comes too late.
#[test]
fn cells_of_a_class_have_opening_hours() {
    const GATE: u8 = 1;
    const CLOSED: u8 = 2;
    let class = |cell: Cell| match cell {
        Cell { x: 4, y: 1 } => GATE,
        Cell { x: 4, .. } => CLOSED,
        _ => 0,
    };
    let one = Some(EntryCost::TILE);
    let kinds = [AgentKind::new().with_cost(0, one).with_cost(GATE, one)];
    let classes = ClassGrid::from_fn(Size::new(30, 3), Diagonal::GAME, kinds, class).unwrap();
    let mut app = app(10);
    let grid = app.world_mut().spawn(NavGrid::with_kinds(classes).unwrap()).id();
    let [day, opens, closes] = [20.0, 0.0, 10.0].map(seconds);
    assert_eq!(edit(&mut app, grid, |grid| grid.open_class_daily(day, GATE, CLOSED, opens..closes)), 1);
    let agent = app.world_mut().spawn((NavAgent::at(20, 1), Goal::cell(0, 1))).id();
    run(&mut app, 10, 1);
    assert_eq!(route_of(&mut app, agent).unwrap().arrival(), Some(seconds(20.0 + 5.0)));
    run(&mut app, 10, 26);
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
    assert!(app.world().get::<NavGrid>(grid).unwrap().is_passable((4, 1)));
}

/// A thief knows where a guard will be, and the guard need not mind.
#[test]
fn cells_are_closed_for_one_kind_while_a_guard_is_there() {
    let mut app = app(10);
    let grids = [0, 1].map(|_| CostGrid::open(Size::new(9, 1)).unwrap());
    let crowd = Crowd::with_grids(grids, StepRules::default(), Pace::default()).unwrap();
    let grid = app.world_mut().spawn(NavGrid::on(crowd)).id();
    edit(&mut app, grid, |grid| grid.announce_closed(1, seconds(9.0), [(Cell::new(4, 0), seconds(1.0)..seconds(6.0))]));
    let [guard, thief] = [0, 1].map(|kind| {
        let agent = NavAgent::at(0, 0).with(AgentSettings::new().with_kind(kind));
        app.world_mut().spawn((agent, Goal::cell(8, 0))).id()
    });
    run(&mut app, 10, 1);
    let arrivals = [guard, thief].map(|agent| route_of(&mut app, agent).unwrap().arrival());
    assert_eq!(arrivals, [8.0, 11.0].map(|time| Some(seconds(time))));
}

/// The lines of the guide: a gate that is shut for three quarters of a second in every three.
#[test]
fn a_gate_is_shut_and_opened_again_and_again() {
    let mut app = app(10);
    let grid = app
        .world_mut()
        .spawn({
            let mut grid = NavGrid::new(9, 5);
            grid.announce_every(seconds(3.0), seconds(1.5), (5, 2), None);
            grid.announce_every(seconds(3.0), seconds(2.25), (5, 2), Some(EntryCost::TILE));
            grid
        })
        .id();
    let is_open = |app: &App| app.world().get::<NavGrid>(grid).unwrap().is_passable((5, 2));
    for _ in 0..3 {
        assert!(is_open(&app));
        run(&mut app, 10, 2);
        assert!(!is_open(&app));
        run(&mut app, 10, 1);
    }
}

#[test]
fn what_cannot_be_announced_is_refused() {
    let mut grid = NavGrid::new(9, 9);
    assert!(!grid.announce(seconds(1.0), (9, 9), None));
    assert!(!grid.announce_for(1, CrowdTime::ZERO, seconds(1.0), (4, 4), None));
    assert!(!grid.announce_class(CrowdTime::ZERO, seconds(1.0), (4, 4), 1));
    assert_eq!(grid.open_class_daily(seconds(9.0), 0, 1, seconds(1.0)..seconds(2.0)), 0);
    assert_eq!(grid.announced().count(), 0);
    // Now is immediately.
    assert!(grid.announce(CrowdTime::ZERO, (4, 4), None));
    assert!(!grid.is_passable((4, 4)));
    // Times far away and tiny periods are no trouble.
    assert!(grid.announce(CrowdTime::NEVER, (3, 4), None));
    assert!(grid.announce_every(seconds(1e-5), CrowdTime::NEVER, (3, 4), None));
}

#[test]
fn times_in_which_a_cell_is_closed_are_joined_also_at_the_end_of_a_period() {
    let cell = Cell::new(1, 0);
    // Whether it is open now, and when it shuts and opens.
    let closed = |period: f64, times: &[(f64, f64)]| {
        let mut grid = NavGrid::new(3, 1);
        let times = times.iter().map(|&(from, until)| (cell, seconds(from)..seconds(until)));
        grid.announce_closed(0, seconds(period), times);
        let changes: Vec<_> = grid.announced().map(|announced| announced.at.seconds()).collect();
        (grid.is_passable(cell), changes)
    };
    assert_eq!(closed(10.0, &[(5.0, 6.0), (2.0, 3.0), (2.5, 4.0)]), (true, vec![2.0, 4.0, 5.0, 6.0]));
    assert_eq!(closed(10.0, &[(8.0, 12.0)]), (false, vec![2.0, 8.0]), "it opens, and shuts until the next period");
    assert_eq!(closed(10.0, &[(0.0, 2.0), (18.0, 19.0)]), (false, vec![2.0, 8.0, 9.0, 10.0]));
    assert_eq!(closed(10.0, &[(3.0, 14.0)]), (false, vec![]), "for ever");
    assert_eq!(closed(0.0, &[(3.0, 14.0)]), (true, vec![3.0, 14.0]), "once");
}
