//! The rules for routes with announced changes, one by one.

use std::sync::Arc;

use emberwalk_path::ahead::{Forecast, Hours, Outlook, Stop};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    Corners, CostGrid, Diagonal, EntryCost, LimitKind, Moves, MultiQuery, Planner, QueryError, RouteCost, RouteQuery,
    StepRules,
};

use crate::oracle::planner_with_tables;

fn tiles(tiles: f64) -> RouteCost {
    RouteCost::from_tiles(tiles).unwrap()
}

fn cost(tiles: f64) -> Option<EntryCost> {
    Some(EntryCost::from_tiles(tiles).unwrap())
}

fn open(width: u32, height: u32) -> CostGrid {
    CostGrid::open(Size::new(width, height)).unwrap()
}

fn arrival(outlook: &Outlook, query: &RouteQuery) -> Option<f64> {
    Planner::new().plan_ahead(outlook, query, RouteCost::ZERO).unwrap().arrival().map(RouteCost::tiles)
}

#[test]
fn a_step_under_way_goes_on_at_the_pace_of_the_new_terrain() {
    let mut outlook = Outlook::new(open(2, 1));
    outlook.edit(|forecast| forecast.change(Cell::new(1, 0), tiles(0.25), cost(4.0)));
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 0));
    assert_eq!(arrival(&outlook, &query), Some(0.25 + 3.0), "three quarters are left");
}

#[test]
fn a_step_that_has_begun_only_needs_the_cell_that_it_enters() {
    let (from, to) = (Cell::new(0, 0), Cell::new(1, 1));
    let query = |corners| RouteQuery::new(from, to).with_rules(StepRules::new(Moves::Eight, corners));
    let diagonal = StepRules::new(Moves::Eight, Corners::Always).step_cost(&open(2, 2), from, to);
    let with = |cell, from, until| {
        let mut outlook = Outlook::new(open(2, 2));
        outlook.edit(|forecast| forecast.close(cell, tiles(from)..tiles(until)));
        outlook
    };
    let arrival =
        |outlook, corners| Planner::new().plan_ahead(&outlook, &query(corners), RouteCost::ZERO).unwrap().arrival();
    for cell in [from, Cell::new(1, 0)] {
        assert_eq!(arrival(with(cell, 0.5, 9.0), Corners::Never), diagonal, "{cell:?} closes behind it");
    }
    let side = Cell::new(1, 0);
    assert_eq!(arrival(with(side, 0.0, 9.0), Corners::Never), Some(tiles(2.0)), "round the corner");
    assert_eq!(arrival(with(side, 0.0, 9.0), Corners::One), diagonal);
    assert_eq!(
        arrival(with(to, 0.5, 9.0), Corners::Always),
        Some(tiles(10.0)),
        "by a straight step from beside the goal"
    );
}

/// A gate that closes behind agents that come out, like the market's gate.
#[test]
fn an_agent_that_is_leaving_is_not_kept_in() {
    let mut outlook = Outlook::new(open(4, 1));
    outlook.edit(|forecast| forecast.close(Cell::new(0, 0), tiles(0.25)..tiles(600.0)));
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(3, 0));
    assert_eq!(arrival(&outlook, &query), Some(3.0));
    assert_eq!(Planner::new().arrival_unaware(&outlook, &query, RouteCost::ZERO), Ok(Some(tiles(3.0))));
}

#[test]
fn a_late_agent_waits_for_the_morning() {
    let [day, opens, closes] = [240.0, 60.0, 210.0].map(tiles);
    let mut outlook = Outlook::new(open(9, 1));
    outlook.edit(|forecast| forecast.open_daily([Cell::new(4, 0)], Hours::new(day, opens, closes)));
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0));
    let mut planner = Planner::new();
    for (departure, arrives) in
        [(0.0, 65.0), (100.0, 108.0), (205.5, 213.5), (206.0, 305.0), (206.5, 305.0), (500.0, 545.0)]
    {
        let result = planner.plan_ahead(&outlook, &query, tiles(departure)).unwrap();
        assert_eq!(result.arrival(), Some(tiles(arrives)), "from {departure}");
    }
}

#[test]
fn an_agent_in_the_way_steps_aside() {
    // A corridor with a niche: a guard comes through.
    let mut grid = CostGrid::new(Size::new(7, 2), Diagonal::GAME).unwrap();
    (0..7).for_each(|x| assert!(grid.set(Cell::new(x, 0), Some(EntryCost::TILE))));
    grid.set(Cell::new(3, 1), Some(EntryCost::TILE));
    let guard: Vec<Stop> = (0..7)
        .map(|k| {
            let time = tiles(f64::from(k) + 1.0);
            Stop { cell: Cell::new(6 - k, 0), arrival: time, departure: time }
        })
        .collect();
    let mut forecast = Forecast::new();
    forecast.announce_route(&guard);
    let outlook = Outlook::new(grid).with_forecast(forecast);
    let query = RouteQuery::new(Cell::new(1, 0), Cell::new(6, 0));
    let mut planner = Planner::new();
    let result = planner.plan_ahead(&outlook, &query, RouteCost::ZERO).unwrap();
    assert!(result.cells().any(|cell| cell == Cell::new(3, 1)), "{result:?}");
    assert!(result.waits() > RouteCost::ZERO);
}

/// A cell in a corridor closes soon and opens again, and the next one opens only after that. An agent that enters the
/// first cell as soon as possible is stuck there. There is a detour.
#[test]
fn it_can_pay_to_wait_where_one_could_go_on() {
    let size = Size::new(10, 5);
    let is_open = |cell: Cell| cell.y == 0 || cell.y == 4 || cell.x == 0 || cell.x == 9;
    let grid = CostGrid::from_fn(size, Diagonal::GAME, |cell| cost(1.0).filter(|_| is_open(cell))).unwrap();
    let mut outlook = Outlook::new(grid);
    outlook.edit(|forecast| {
        forecast.close(Cell::new(5, 0), tiles(6.0)..tiles(7.0));
        forecast.close(Cell::new(6, 0), tiles(0.0)..tiles(8.0));
    });
    let goal = Cell::new(9, 0);
    let passing = RouteQuery::new(Cell::new(0, 0), goal);
    let starting = RouteQuery::new(Cell::new(4, 0), goal).with_max_cost(tiles(9.0));
    for mut planner in [Planner::new(), planner_with_tables()] {
        for (query, departure) in [(passing, 0.0), (starting, 4.0)] {
            let result = planner.plan_ahead(&outlook, &query, tiles(departure)).unwrap();
            assert_eq!(result.arrival(), Some(tiles(12.0)), "{result:?}");
        }
    }
}

#[test]
fn what_never_fits_is_unreachable() {
    // The gate is open for less than a step takes, again and again, and the guard of the other has another period.
    let mut outlook = Outlook::new(open(9, 1));
    outlook.edit(|forecast| {
        forecast.close_every(tiles(5.0), Cell::new(4, 0), tiles(0.75)..tiles(5.0));
        forecast.close_every(tiles(7.0), Cell::new(2, 0), tiles(3.0)..tiles(5.0));
    });
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0));
    let result =
        Planner::new().plan_ahead(&outlook, &query, tiles(3.0)).map(|result| (result.found(), result.stopped_by));
    assert_eq!(result, Ok((false, None)));
}

#[test]
fn limits_name_what_they_prevent() {
    let mut outlook = Outlook::new(open(9, 1));
    outlook.edit(|forecast| forecast.close(Cell::new(4, 0), tiles(0.0)..tiles(10.0)));
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0));
    let stopped_by = |query: RouteQuery| Planner::new().plan_ahead(&outlook, &query, tiles(1.0)).unwrap().stopped_by;
    assert_eq!(stopped_by(query.with_max_cost(tiles(14.0))), None);
    assert_eq!(stopped_by(query.with_max_cost(tiles(13.9))), Some(LimitKind::Cost));
    assert_eq!(stopped_by(query.with_max_length(7)), Some(LimitKind::Length));
    assert_eq!(stopped_by(query.with_max_expansions(2)), Some(LimitKind::Expansions));
}

#[test]
fn ends_have_to_be_usable() {
    let mut outlook = Outlook::new(open(5, 1));
    outlook.edit(|forecast| {
        forecast.change(Cell::new(0, 0), tiles(2.0), None);
        forecast.close(Cell::new(4, 0), tiles(0.0)..tiles(50.0));
        forecast.change(Cell::new(3, 0), tiles(0.0), None);
    });
    let [start, goal] = [Cell::new(0, 0), Cell::new(4, 0)];
    let error = |from, to, time| Planner::new().plan_ahead(&outlook, &RouteQuery::new(from, to), time).err();
    assert_eq!(error(start, goal, tiles(0.0)), None, "it may be open later");
    assert!(matches!(error(start, goal, tiles(2.0)), Some(QueryError::Blocked { .. })));
    assert!(matches!(error(start, Cell::new(3, 0), tiles(0.0)), Some(QueryError::Blocked { .. })));
    assert!(matches!(error(start, Cell::new(9, 0), tiles(0.0)), Some(QueryError::OffTheMap { .. })));
    let goals = [Cell::new(9, 0), Cell::new(2, 0)];
    let result = Planner::new().plan_ahead(&outlook, MultiQuery::new(&[start], &goals), tiles(0.0)).unwrap().arrival();
    assert_eq!(result, Some(tiles(2.0)));
}

#[test]
fn the_lowest_grid_is_shared_until_a_cell_becomes_cheaper() {
    let mut outlook = Outlook::new(open(5, 5));
    outlook.edit(|forecast| {
        forecast.change(Cell::new(1, 1), tiles(3.0), cost(5.0));
        forecast.close(Cell::new(2, 2), tiles(3.0)..tiles(5.0));
    });
    assert!(Arc::ptr_eq(outlook.grid(), outlook.lowest()));
    outlook.edit(|forecast| forecast.change(Cell::new(3, 3), tiles(3.0), cost(0.5)));
    assert_eq!(outlook.lowest().get(Cell::new(3, 3)), cost(0.5));
    let before = outlook.lowest().stamp();
    outlook.edit(|forecast| forecast.forget(Cell::new(3, 3)));
    assert_eq!(outlook.lowest().get(Cell::new(3, 3)), cost(1.0));
    assert!(outlook.lowest().changes_since(before).is_some(), "a planner can follow");
    let mut grid = CostGrid::clone(outlook.grid());
    grid.set(Cell::new(0, 4), cost(0.25));
    outlook.set_grid(grid);
    assert_eq!(outlook.lowest().get(Cell::new(0, 4)), cost(0.25));
}

#[test]
fn times_far_in_the_future_do_no_harm() {
    let far = RouteCost::from_units(u64::MAX);
    let mut outlook = Outlook::new(open(5, 2));
    outlook.edit(|forecast| {
        forecast.change(Cell::new(1, 1), far, cost(5.0));
        forecast.close(Cell::new(2, 1), tiles(1.0)..far);
        forecast.close_every(far, Cell::new(3, 1), tiles(1.0)..far);
        forecast.close_every(RouteCost::from_units(u64::MAX - 1), Cell::new(3, 0), tiles(1.0)..tiles(30.0));
        forecast.change_every(RouteCost::from_units(1 << 12), Cell::new(3, 0), far, cost(2.0));
        forecast.open_daily([Cell::new(0, 1)], Hours::new(far, far, tiles(1.0)));
    });
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(4, 0));
    for departure in [RouteCost::ZERO, tiles(29.0), RouteCost::from_units(u64::MAX - (1 << 19)), far] {
        let _ = Planner::new().plan_ahead(&outlook, &query, departure);
        let _ = Planner::new().arrival_unaware(&outlook, &query, departure);
    }
}

/// The numbers of the figure in the guide.
#[test]
fn a_gate_that_closes_is_avoided_or_waited_for() {
    let gate = Cell::new(3, 2);
    let mut grid = open(7, 6);
    (0..5).filter(|&y| y != gate.y).for_each(|y| assert!(grid.set(Cell::new(3, y), None)));
    let query =
        RouteQuery::new(Cell::new(0, 2), Cell::new(6, 2)).with_rules(StepRules::default().with_moves(Moves::Four));
    let mut outlook = Outlook::new(grid);
    outlook.edit(|forecast| forecast.close(gate, tiles(2.5)..RouteCost::from_units(u64::MAX)));
    let unaware = Planner::new().arrival_unaware(&outlook, &query, RouteCost::ZERO).unwrap();
    assert_eq!((unaware, arrival(&outlook, &query)), (Some(tiles(13.0)), Some(12.0)));
    outlook.edit(|forecast| {
        forecast.forget(gate);
        forecast.close(gate, tiles(2.5)..tiles(6.0));
    });
    let mut planner = Planner::new();
    let result = planner.plan_ahead(&outlook, &query, RouteCost::ZERO).unwrap();
    let waiting: Vec<_> = result.stops().iter().filter(|stop| stop.wait() > RouteCost::ZERO).collect();
    assert_eq!((result.arrival(), waiting.len()), (Some(tiles(10.0)), 1));
    assert_eq!((waiting[0].cell, waiting[0].wait()), (Cell::new(2, 2), tiles(4.0)));
}

/// Whatever is announced elsewhere, the stairs are there. Their time is their cost, and they lead nowhere while their
/// end is closed.
#[test]
fn a_link_is_a_step_of_its_own_cost() {
    // Two floors, and a long detour between them.
    let mut floors = open(12, 3);
    (0..11).for_each(|x| _ = floors.set(Cell::new(x, 1), None));
    let (foot, head) = (Cell::new(1, 0), Cell::new(1, 2));
    floors.add_link(foot, head, EntryCost::from_tiles(1.5).unwrap());
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(0, 2));
    let arrival = |forecast: &dyn Fn(&mut Forecast)| {
        let mut outlook = Outlook::new(floors.clone());
        outlook.edit(|own| forecast(own));
        let mut planner = planner_with_tables();
        planner.prepare(outlook.lowest(), &query.options);
        planner.plan_ahead(&outlook, &query, tiles(0.0)).unwrap().arrival()
    };
    assert_eq!(arrival(&|_| {}), Some(tiles(3.5)));
    let elsewhere = |forecast: &mut Forecast| forecast.change(Cell::new(9, 0), tiles(1.0), None);
    assert_eq!(arrival(&elsewhere), Some(tiles(3.5)));
    assert_eq!(arrival(&|forecast| forecast.change(head, tiles(0.0), cost(9.0))), Some(tiles(3.5)), "its own cost");
    assert_eq!(arrival(&|forecast| forecast.close(head, tiles(2.0)..tiles(4.0))), Some(tiles(6.5)), "it waits");
    let round = arrival(&|forecast| forecast.close(head, tiles(2.0)..tiles(99.0)));
    assert!(round.is_some_and(|round| round > tiles(20.0)), "the detour, {round:?}");
}
