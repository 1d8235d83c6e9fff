//! Goals within range, in sight, and away from a threat.

use fastrand::Rng;

use super::*;

const SIZE: Size = Size::new(13, 11);

fn random_grid(rng: &mut Rng) -> NavGrid {
    let cost = |_| (rng.u8(..5) > 1).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap());
    NavGrid::from_fn(SIZE, cost).unwrap()
}

/// Sends agents of both sorts from one cell to a goal, and compares the cost of the route, and where they end, with the cheapest of
/// the routes to all cells for which a rule holds.
fn check(goal: impl Fn(&NavGrid, Cell, Cell, u32) -> Goal, rule: impl Fn(&NavGrid, Cell, Cell, i64) -> bool) {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut rng = Rng::with_seed(seed);
    let mut counts = [0; 2];
    for round in 0..1000 {
        // Until there was one from where no route leads there, which may be rare.
        if round >= 60 && counts.iter().all(|count| *count > 0) {
            break;
        }
        let grid = random_grid(&mut rng);
        let mut cell = || Cell::new(rng.i32(0..13), rng.i32(0..11));
        let (here, there) = (cell(), cell());
        let reach = rng.u32(0..8);
        if !grid.is_passable(here) {
            continue;
        }
        let is_goal = |at: &Cell| rule(&grid, *at, there, reach.into());
        let costs = SIZE.cells().filter(is_goal).filter_map(|at| Some(grid.route(here, at)?.cost));
        let best = costs.min();
        let goal = goal(&grid, here, there, reach);
        let ends: Vec<_> = SIZE.cells().filter(is_goal).collect();
        for is_solid in [false, true] {
            let mut app = app(25);
            app.world_mut().spawn(NavGrid::from_fn(SIZE, |cell| grid.costs().get(cell)).unwrap());
            let agent = app.world_mut().spawn((NavAgent::at(here.x, here.y).with_speed(20.0), goal.clone())).id();
            if is_solid {
                app.world_mut().entity_mut(agent).insert(Solid);
            }
            run(&mut app, 25, 4);
            let (state, at) = (get::<NavState>(&app, agent), get::<GridPosition>(&app, agent).cell);
            match best {
                Some(best) => {
                    assert_eq!(state, NavState::Arrived, "{here} to {there} by {goal:?}");
                    assert!(ends.contains(&at), "{here} to {there} by {goal:?}: {at}");
                    assert_eq!(grid.route(here, at).unwrap().cost, best, "{here} to {there} by {goal:?}");
                }
                None => {
                    assert!(matches!(state, NavState::Unreachable | NavState::WalledIn), "{state:?}: {goal:?}");
                    assert_eq!(at, here);
                }
            }
        }
        counts[usize::from(best.is_some())] += 1;
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

fn square(one: Cell, other: Cell) -> i64 {
    one.distance_squared(other)
}

#[test]
fn an_agent_goes_within_range() {
    check(|_, _, there, reach| Goal::within(there, reach), |_, at, there, reach| square(at, there) <= reach * reach);
}

#[test]
fn an_agent_goes_to_where_it_sees_its_goal() {
    check(
        |grid, _, there, reach| Goal::AnyOf(grid.cells_in_sight(there, reach)),
        |grid, at, there, reach| {
            square(at, there) <= reach * reach && there.sees(at, |cell| grid.costs().get(cell).is_none())
        },
    );
}

#[test]
fn an_agent_flees_to_where_it_is_soonest_far_enough() {
    check(
        |_, here, there, reach| Goal::away_from(there, reach, here),
        |_, at, there, reach| square(at, there) >= reach * reach,
    );
}

/// A hunter comes within range of somebody who walks, and follows; when it comes nearer, that one flees.
#[test]
fn goals_are_given_again_while_the_other_one_walks() {
    let mut app = app(25);
    app.world_mut().spawn(NavGrid::new(40, 9));
    let prey = app.world_mut().spawn((NavAgent::at(10, 4), Goal::cell(35, 4))).id();
    let hunter = app.world_mut().spawn(NavAgent::at(0, 4).with_speed(3.0)).id();
    run(&mut app, 25, 1);
    let mut closest = i64::MAX;
    for _ in 0..800 {
        let (at, from) = (get::<GridPosition>(&app, prey).entered(), get::<GridPosition>(&app, hunter).entered());
        closest = closest.min(square(at, from));
        app.world_mut().get_mut::<Goal>(hunter).unwrap().set_if_neq(Goal::within(at, 4));
        app.update();
    }
    assert!((9..=16).contains(&closest), "{closest}");
    assert!(square(get::<GridPosition>(&app, hunter).cell, get::<GridPosition>(&app, prey).cell) <= 16);
    *app.world_mut().get_mut::<Goal>(hunter).unwrap() = Goal::cell(39, 4);
    for _ in 0..800 {
        let (at, from) = (get::<GridPosition>(&app, prey).entered(), get::<GridPosition>(&app, hunter).entered());
        if square(at, from) < 25 {
            app.world_mut().get_mut::<Goal>(prey).unwrap().set_if_neq(Goal::away_from(from, 8, at));
        }
        app.update();
    }
    let end = square(get::<GridPosition>(&app, prey).cell, get::<GridPosition>(&app, hunter).cell);
    assert!(end >= 25, "{end}");
}
