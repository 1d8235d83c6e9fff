//! Changes of the map that are announced.

use bevy_emberwalk::emberwalk_path::ahead::{Forecast, Outlook};
use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
use bevy_emberwalk::emberwalk_path::{Planner, RouteCost, RouteQuery};
use fastrand::Rng;

use super::*;

fn seconds(seconds: f64) -> CrowdTime {
    CrowdTime::from_seconds(seconds)
}

fn tiles(tiles: f64) -> Option<EntryCost> {
    Some(EntryCost::from_tiles(tiles).unwrap())
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

/// Runs until an agent arrives, and returns when its last step has ended.
fn arrival(app: &mut App, grid: Entity, agent: Entity) -> Option<CrowdTime> {
    let mut end = app.world().get::<NavGrid>(grid)?.now();
    for _ in 0..20_000 {
        if get::<NavState>(app, agent) == NavState::Arrived {
            return Some(end);
        }
        if let Some(step) = get::<GridPosition>(app, agent).step {
            end = step.end;
        }
        app.update();
    }
    None
}

#[test]
fn an_agent_waits_at_a_gate_that_will_open() {
    let (mut app, grid, agent) = gate_app(false);
    assert!(edit(&mut app, grid, |grid| grid.announce(seconds(7.3), (5, 2), Some(EntryCost::TILE))));
    run(&mut app, 10, 5);
    assert_eq!(get::<GridPosition>(&app, agent).standing_cell(), Some(Cell::new(4, 2)), "in front of the gate");
    assert!(matches!(get(&app, agent), NavState::Waiting { on: None, since } if since < seconds(4.1)));
    let route = get::<NavRoute>(&app, agent);
    let waits: Vec<_> = route.stops().iter().filter(|stop| stop.wait() > CrowdTime::ZERO).collect();
    assert_eq!(
        (waits.len(), waits[0].cell, waits[0].arrival, waits[0].departure),
        (1, Cell::new(4, 2), seconds(4.0), seconds(7.3))
    );
    assert_eq!((route.arrival(), route.cost().tiles()), (Some(seconds(13.3)), 10.0));
    assert_eq!(route.stops().iter().map(|stop| stop.cell).collect::<Vec<_>>(), route.cells());
    assert_eq!(arrival(&mut app, grid, agent), Some(seconds(13.3)), "to 1/65536 s");
}

#[test]
fn an_agent_takes_another_way_when_a_gate_will_close() {
    let (mut app, grid, agent) = gate_app(true);
    edit(&mut app, grid, |grid| grid.announce(seconds(4.5), (5, 2), None));
    run(&mut app, 10, 2);
    let route = get::<NavRoute>(&app, agent);
    assert!(route.cells().contains(&Cell::new(5, 9)), "{:?}", route.cells());
    let arrives = route.arrival().unwrap();
    assert!(app.world().get::<NavGrid>(grid).unwrap().is_passable((5, 2)));
    let told = arrival(&mut app, grid, agent).unwrap();
    assert!((told.seconds() - arrives.seconds()).abs() < 0.001, "{told} instead of {arrives}");
    assert!(!app.world().get::<NavGrid>(grid).unwrap().is_passable((5, 2)));
}

#[test]
fn what_is_withdrawn_does_not_happen() {
    let (mut app, grid, agent) = gate_app(true);
    edit(&mut app, grid, |grid| grid.announce(seconds(4.5), (5, 2), None));
    run(&mut app, 10, 1);
    edit(&mut app, grid, |grid| grid.forget((5, 2)));
    run(&mut app, 10, 1);
    let route = get::<NavRoute>(&app, agent);
    assert!(route.cells().contains(&Cell::new(5, 2)), "{:?}", route.cells());
    assert!(route.stops().is_empty() && route.arrival().is_none());
    run(&mut app, 10, 20);
    assert!(app.world().get::<NavGrid>(grid).unwrap().is_passable((5, 2)));
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
}

/// Also if a run takes as long as several periods.
#[test]
fn a_gate_opens_and_closes_at_its_times_whatever_the_frame_rate() {
    for (frame, speed) in [(10, 1.0), (40, 1.0), (200, 7.0), (10, 300.0)] {
        let mut app = app(frame);
        let grid = app.world_mut().spawn(with_gate(true)).id();
        app.world_mut().get_mut::<NavClock>(grid).unwrap().speed = speed;
        edit(&mut app, grid, |grid| {
            grid.announce_every(seconds(3.0), seconds(1.5), (5, 2), None);
            grid.announce_every(seconds(3.0), seconds(2.25), (5, 2), Some(EntryCost::TILE));
        });
        // The gate would close at 4.5 s, while it enters. It waits until 5.25 s.
        let agent = app.world_mut().spawn((NavAgent::at(0, 2), Goal::cell(10, 2))).id();
        while get::<NavState>(&app, agent) != NavState::Arrived {
            app.update();
        }
        let now = app.world().get::<NavGrid>(grid).unwrap().now().seconds() - 11.25;
        assert!(
            (0.0..=f64::from(speed) * frame.max(32) as f64 / 1000.0).contains(&now),
            "{frame} ms, {speed}: {now} s"
        );
    }
}

/// In random worlds, agents of all paces are there when the planner says that nobody can be there earlier.
#[test]
fn agents_arrive_when_the_planner_says() {
    let (mut waited, mut bent, mut never) = (0, 0, 0);
    for seed in 0..130 {
        let mut rng = Rng::with_seed(seed);
        let size = Size::new(rng.u32(4..9), rng.u32(1..7));
        let cost = |rng: &mut Rng| (rng.u8(..4) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap());
        let costs: Vec<_> = size.cells().map(|_| cost(&mut rng)).collect();
        let costs = CostGrid::from_fn(size, Diagonal::GAME, |cell| costs[size.index(cell).unwrap()]).unwrap();
        let mut app = app(rng.u64(20..80));
        let grid = NavGrid::on(Crowd::new(costs.clone(), StepRules::default(), Pace::default()));
        let grid = app.world_mut().spawn(grid).id();
        // Some time passes before.
        (0..rng.usize(..9)).for_each(|_| app.update());
        let speed = [0.7, 1.0, 1.0, 2.0, 5.0][rng.usize(..5)];
        let (start, goal) = (Cell::new(0, 0), Cell::new(size.width as i32 - 1, size.height as i32 - 1));
        let agent = NavAgent::at(0, 0).with_speed(speed);
        let pace = agent.settings.pace.unwrap();
        let now = app.world().get::<NavGrid>(grid).unwrap().now();
        let mut forecast = Forecast::new();
        for _ in 0..rng.u8(1..9) {
            let cell = Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
            let (after, cost) = (seconds(rng.f64() * 8.0), cost(&mut rng));
            if cell == start {
                continue;
            }
            let every = if rng.bool() && !forecast.cells().any(|other| other == cell) {
                // Until the first time, the cell costs what it costs now.
                forecast.change(cell, RouteCost::ZERO, costs.get(cell));
                after + seconds(rng.f64() * 3.0 + 0.1)
            } else {
                CrowdTime::ZERO
            };
            forecast.change_every(pace.cost_in(every), cell, pace.cost_in(after), cost);
            assert!(edit(&mut app, grid, |grid| grid.announce_every(every, after, cell, cost)));
        }
        let outlook = Outlook::new(costs.clone()).with_forecast(forecast);
        let query = RouteQuery::new(start, goal);
        let mut planner = Planner::new();
        if !costs.is_passable(start) || start == goal {
            continue;
        }
        let result = planner.plan_ahead(&outlook, &query, RouteCost::ZERO);
        let expected = result.ok().and_then(|result| {
            waited += u32::from(result.waits() > RouteCost::ZERO);
            Some(now + pace.time_of(result.arrival()?))
        });
        let plain = Planner::new().plan(&costs, &query).ok().and_then(|result| result.cost());
        bent += u32::from(expected.is_some() && plain.map(|cost| now + pace.time_of(cost)) != expected);
        let agent = app.world_mut().spawn((agent, Goal::Cell(goal))).id();
        let Some(expected) = expected else {
            run(&mut app, 50, 30);
            assert_ne!(get::<NavState>(&app, agent), NavState::Arrived, "seed {seed}");
            never += 1;
            continue;
        };
        let told = arrival(&mut app, grid, agent).unwrap_or_else(|| panic!("seed {seed}: it never arrives"));
        let late = told.seconds() - expected.seconds();
        assert!(late.abs() < 0.002, "seed {seed}: after {told} s instead of {expected} s");
    }
    assert!(waited > 8 && bent > 20 && never > 5, "{waited}, {bent}, {never}");
}

/// What was announced and withdrawn leaves no trace, nor does what is announced on another grid.
#[test]
fn where_nothing_is_announced_nothing_is_different() {
    let moves = |announces: bool| {
        let mut app = app(10);
        let mut rng = Rng::with_seed(3);
        let size = Size::new(30, 20);
        let costs: Vec<_> = size.cells().map(|_| (rng.u8(..5) > 0).then_some(EntryCost::TILE)).collect();
        let grid = NavGrid::from_fn(size, |cell| costs[size.index(cell).unwrap()]).unwrap();
        let grid = app.world_mut().spawn(grid).id();
        let other = app.world_mut().spawn(NavGrid::new(9, 9)).id();
        if announces {
            edit(&mut app, grid, |grid| {
                grid.announce(seconds(2.0), (7, 7), None);
                grid.forget((7, 7));
            });
            edit(&mut app, other, |grid| grid.announce_every(seconds(0.3), seconds(0.1), (4, 4), tiles(3.0)));
        }
        let agents: Vec<_> = (0..40)
            .map(|k| {
                let mut cell = || (rng.i32(0..30), rng.i32(0..20));
                let ((x, y), to) = (cell(), cell());
                let agent = app.world_mut().spawn((NavAgent::at(x, y), OnGrid(grid), Goal::Near(to.into()))).id();
                if k % 2 == 0 {
                    app.world_mut().entity_mut(agent).insert(Solid);
                } else {
                    app.world_mut().entity_mut(agent).insert(Goal::Cell(to.into()));
                }
                agent
            })
            .collect();
        let mut moves = Vec::new();
        for _ in 0..1500 {
            app.update();
            moves.push(agents.iter().map(|&agent| get::<GridPosition>(&app, agent)).collect::<Vec<_>>());
        }
        moves
    };
    assert!(moves(true) == moves(false));
}

#[test]
fn a_solid_agent_in_a_gate_lets_it_wait() {
    let mut app = app(10);
    let grid = app.world_mut().spawn(with_gate(true)).id();
    app.world_mut().spawn((NavAgent::at(5, 2), Solid, Hold));
    edit(&mut app, grid, |grid| grid.announce(seconds(1.0), (5, 2), None));
    run(&mut app, 10, 2);
    let there = app.world().get::<NavGrid>(grid).unwrap();
    assert!(there.is_passable((5, 2)));
    assert_eq!(there.waiting_edits().map(|edit| edit.cell).collect::<Vec<_>>(), [Cell::new(5, 2)]);
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
    assert_eq!(arrival(&mut app, grid, agent), Some(seconds(20.0 + 5.0)));
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
    assert_eq!(arrival(&mut app, grid, guard), Some(seconds(8.0)));
    assert!(get::<NavRoute>(&app, guard).stops().is_empty());
    assert_eq!(arrival(&mut app, grid, thief), Some(seconds(11.0)));
}

#[test]
fn an_agent_whose_speed_changes_plans_again() {
    let (mut app, grid, agent) = gate_app(true);
    edit(&mut app, grid, |grid| grid.announce(seconds(7.0), (5, 2), None));
    run(&mut app, 10, 2);
    assert!(get::<NavRoute>(&app, agent).cells().contains(&Cell::new(5, 2)));
    app.world_mut().get_mut::<NavAgent>(agent).unwrap().set_speed(0.5);
    run(&mut app, 10, 1);
    assert!(!get::<NavRoute>(&app, agent).cells().contains(&Cell::new(5, 2)), "it would come too late");
    assert!(arrival(&mut app, grid, agent).is_some());
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
    // Whether it is open now, and when it closes and opens.
    let closed = |period: f64, times: &[(f64, f64)]| {
        let mut grid = NavGrid::new(3, 1);
        let times = times.iter().map(|&(from, until)| (cell, seconds(from)..seconds(until)));
        grid.announce_closed(0, seconds(period), times);
        let changes: Vec<_> = grid.announced().map(|announced| announced.at().seconds()).collect();
        (grid.is_passable(cell), changes)
    };
    assert_eq!(closed(10.0, &[(5.0, 6.0), (2.0, 3.0), (2.5, 4.0)]), (true, vec![2.0, 4.0, 5.0, 6.0]));
    assert_eq!(closed(10.0, &[(8.0, 12.0)]), (false, vec![2.0, 8.0]), "it opens, and closes until the next period");
    assert_eq!(closed(10.0, &[(0.0, 2.0), (18.0, 19.0)]), (false, vec![10.0, 2.0, 8.0, 9.0]));
    assert_eq!(closed(10.0, &[(3.0, 14.0)]), (false, vec![]), "for ever");
    assert_eq!(closed(0.0, &[(3.0, 14.0)]), (true, vec![3.0, 14.0]), "once");
}
