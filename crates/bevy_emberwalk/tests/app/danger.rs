//! Dangers: agents go round them, at the pace of the ground.

use bevy_emberwalk::BackgroundPlanner;
use bevy_emberwalk::emberwalk_jobs::Jobs;
use bevy_emberwalk::emberwalk_path::RouteCost;
use fastrand::Rng;

use super::*;

const SIZE: Size = Size::new(13, 9);

fn tiles(tiles: f64) -> Option<EntryCost> {
    Some(EntryCost::from_tiles(tiles).unwrap())
}

fn any(rng: &mut Rng) -> Cell {
    Cell::new(rng.i32(0..SIZE.width as i32), rng.i32(0..SIZE.height as i32))
}

/// A grid with dangers that do not fade soon, and the same ground with costs in their place.
fn random_grids(rng: &mut Rng) -> (NavGrid, NavGrid) {
    let cost = |_: Cell| (rng.u8(..5) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..3))).unwrap());
    let mut grid = NavGrid::from_fn(SIZE, cost).unwrap();
    for _ in 0..rng.usize(..60) {
        let danger = tiles(f64::from(rng.u8(1..20)));
        assert_eq!(grid.set_danger(any(rng), danger), Edited::Applied);
    }
    let hour = CrowdTime::from_seconds(3600.0);
    assert_eq!(grid.add_danger(Danger::new(any(rng), 2, EntryCost::TILE, hour)), Edited::Applied);
    let sum = |cell: Cell| {
        let units = u64::from(grid.costs().get(cell)?.units()) + grid.danger(0, cell).units();
        EntryCost::from_units(units as u32).ok()
    };
    let slow = NavGrid::from_fn(SIZE, sum).unwrap();
    (grid, slow)
}

fn cost_along(grid: &NavGrid, cells: &[Cell]) -> RouteCost {
    let rules = grid.crowd().rules();
    cells.windows(2).map(|step| rules.step_cost(grid.costs(), step[0], step[1]).unwrap()).sum()
}

/// As they would on ground that is slow where it is dangerous, but faster.
#[test]
fn agents_of_all_sorts_take_the_routes_with_the_lowest_cost_and_danger() {
    let mut detours = 0;
    for seed in 0..90 {
        let mut rng = Rng::with_seed(seed);
        let (grid, slow) = random_grids(&mut rng);
        let (from, to) = (any(&mut rng), any(&mut rng));
        let Some(best) = slow.route(from, to).filter(|best| best.cells.len() > 2) else { continue };
        let asked = grid.route(from, to).unwrap();
        assert_eq!(cost_along(&slow, &asked.cells), best.cost, "seed {seed}");
        assert_eq!(cost_along(&grid, &asked.cells), asked.cost, "seed {seed}");
        assert_eq!(grid.field(to).unwrap().cost(from), Some(best.cost), "seed {seed}");
        let mut app = app(25);
        if seed % 3 == 0 {
            app.insert_resource(BackgroundPlanner::<NavGrid>::new(Jobs::default()));
        }
        let map = app.world_mut().spawn(grid).id();
        let agent = app.world_mut().spawn((NavAgent::at(from.x, from.y).with_speed(4.0), Goal::Cell(to))).id();
        if seed % 3 == 1 {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        let mut walked = vec![from];
        let (mut end, mut first) = (CrowdTime::ZERO, None);
        while get::<NavState>(&app, agent) != NavState::Arrived {
            app.update();
            if let Some(step) = get::<GridPosition>(&app, agent).step {
                first.get_or_insert(step.start);
                if walked.last() != Some(&step.to) {
                    walked.push(step.to);
                }
                end = step.end;
            }
            assert!(walked.len() < 100, "seed {seed}: it does not arrive");
        }
        assert_eq!(cost_along(&slow, &walked), best.cost, "seed {seed}: {walked:?}");
        let grid = app.world().get::<NavGrid>(map).unwrap();
        let cost = cost_along(grid, &walked);
        let time = (end - first.unwrap()).seconds();
        assert!((time - cost.tiles() / 4.0).abs() < 0.01, "seed {seed}: {time} s for {} tiles", cost.tiles());
        if seed % 3 != 1 {
            let route = get::<NavRoute>(&app, agent);
            assert_eq!((route.cost(), route.cost_ahead()), (cost, RouteCost::ZERO), "seed {seed}");
        }
        detours += usize::from(asked.cost > grid_without_danger(grid).route(from, to).unwrap().cost);
    }
    assert!(detours > 15, "{detours}");
}

fn grid_without_danger(grid: &NavGrid) -> NavGrid {
    NavGrid::from_fn(SIZE, |cell| grid.costs().get(cell)).unwrap()
}

/// Two ways round a wall, of which the shorter one is dangerous for a while.
fn fork(is_solid: bool) -> (App, Entity, Entity) {
    let mut app = app(25);
    let is_free =
        |cell: Cell| cell.y == 4 || cell.x >= 8 && (cell.x < 10 || cell.y == 3 || cell.y == 8 || cell.x == 12);
    let mut grid = NavGrid::from_fn(SIZE, |cell| is_free(cell).then_some(EntryCost::TILE)).unwrap();
    grid.set((10, 4), None);
    grid.set((11, 4), None);
    grid.add_danger(Danger::new(Cell::new(11, 3), 0, EntryCost::MAX, CrowdTime::from_seconds(4.0)));
    let map = app.world_mut().spawn(grid).id();
    let agent = app.world_mut().spawn((NavAgent::at(0, 4), Goal::cell(12, 4))).id();
    if is_solid {
        app.world_mut().entity_mut(agent).insert(Solid);
    }
    app.update();
    (app, map, agent)
}

fn leads_past(app: &mut App, map: Entity, agent: Entity, cell: Cell) -> bool {
    let grid = app.world().get::<NavGrid>(map).unwrap();
    let solid = grid.crowd().agents().next().map(|(agent, _)| grid.crowd().route(agent));
    solid.unwrap_or_else(|| get::<NavRoute>(app, agent).ahead().to_vec()).contains(&cell)
}

#[test]
fn agents_go_on_by_the_shorter_way_when_a_danger_has_faded() {
    for is_solid in [false, true] {
        let (mut app, map, agent) = fork(is_solid);
        let dangerous = Cell::new(11, 3);
        run(&mut app, 25, 3);
        assert!(!leads_past(&mut app, map, agent, dangerous));
        // No time passes on the map, and the danger stays.
        app.world_mut().get_mut::<NavClock>(map).unwrap().speed = 0.0;
        run(&mut app, 25, 10);
        assert!(!leads_past(&mut app, map, agent, dangerous));
        assert!(app.world().get::<NavGrid>(map).unwrap().danger(0, dangerous) > RouteCost::ZERO);
        app.world_mut().get_mut::<NavClock>(map).unwrap().speed = 1.0;
        run(&mut app, 25, 2);
        assert_eq!(app.world().get::<NavGrid>(map).unwrap().danger(0, dangerous), RouteCost::ZERO);
        assert!(leads_past(&mut app, map, agent, dangerous));
        run(&mut app, 25, 15);
        assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
    }
}

#[test]
fn what_is_not_possible_is_refused() {
    let mut grid = NavGrid::new(5, 5);
    assert_eq!(grid.set_danger((5, 0), tiles(1.0)), Edited::Refused);
    assert_eq!(grid.set_danger_for(1, (0, 0), tiles(1.0)), Edited::Refused);
    let danger = Danger::new(Cell::new(0, 0), 9, EntryCost::MAX, CrowdTime::NEVER);
    assert_eq!(grid.add_danger(danger.for_kind(1)), Edited::Refused);
    assert_eq!(grid.add_danger(Danger::new(Cell::new(-1, 0), 9, EntryCost::MAX, CrowdTime::NEVER)), Edited::Refused);
    assert_eq!(grid.danger(0, (0, 0)), RouteCost::ZERO);
    assert_eq!(grid.add_danger(danger), Edited::Applied);
    assert_eq!(grid.danger(0, (0, 0)), EntryCost::MAX.into());
    // A cell that waits to be blocked does not keep its danger waiting.
    assert_eq!(grid.set((2, 2), None), Edited::Applied);
    assert_eq!(grid.set_danger((2, 2), tiles(1.0)), Edited::Applied);
}

/// The times of an answer with waits are those of the ground, and so are its costs.
#[test]
fn where_something_is_announced_agents_arrive_first_whatever_the_danger() {
    let mut app = app(25);
    let mut grid = NavGrid::new(9, 3);
    grid.set_danger((4, 1), Some(EntryCost::MAX));
    grid.announce(CrowdTime::from_seconds(500.0), (0, 0), None);
    app.world_mut().spawn(grid);
    let agent = app.world_mut().spawn((NavAgent::at(0, 1), Goal::cell(8, 1))).id();
    run(&mut app, 25, 1);
    let route = get::<NavRoute>(&app, agent);
    assert!(route.cells().contains(&Cell::new(4, 1)) && route.cost().tiles() == 8.0, "{route:?}");
    assert_eq!(route.arrival().unwrap().seconds().floor(), 8.0);
}
