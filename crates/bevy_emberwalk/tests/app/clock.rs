//! The clocks of maps.

use super::*;

fn clock(app: &mut App, grid: Entity, change: impl Fn(&mut NavClock)) {
    change(&mut app.world_mut().get_mut(grid).unwrap());
}

#[test]
fn the_clock_of_a_map_runs_faster_stops_and_skips() {
    let mut app = app(25);
    let grid = app.world_mut().spawn(NavGrid::new(20, 2)).id();
    let passing = app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(19, 0))).id();
    let solid = app.world_mut().spawn((NavAgent::at(0, 1), Solid, Goal::cell(19, 1))).id();
    clock(&mut app, grid, |clock| clock.speed = 4.0);
    run(&mut app, 25, 1);
    let there = |app: &App| [passing, solid].map(|agent| get::<GridPosition>(app, agent).cell.x);
    assert_eq!(there(&app), [4, 4]);
    clock(&mut app, grid, |clock| clock.speed = 0.0);
    run(&mut app, 25, 2);
    assert_eq!(there(&app), [4, 4]);
    clock(&mut app, grid, |clock| clock.skip(CrowdTime::from_seconds(100.0)));
    run(&mut app, 25, 1);
    assert_eq!(there(&app), [4, 4], "no time passes");
    clock(&mut app, grid, |clock| clock.speed = 1.0);
    (0..3).for_each(|_| app.update());
    assert_eq!([passing, solid].map(|agent| get::<NavState>(&app, agent)), [NavState::Arrived; 2]);
}

#[test]
fn hours_are_skipped_in_several_runs() {
    let mut app = app(25);
    let grid = app.world_mut().spawn(NavGrid::new(20, 2)).id();
    run(&mut app, 25, 1);
    clock(&mut app, grid, |clock| clock.skip(CrowdTime::from_whole_seconds(5 * 3600)));
    run(&mut app, 25, 1);
    let now = app.world().get::<NavClock>(grid).unwrap().now();
    assert!((now.seconds() - 5.0 * 3600.0 - 2.0).abs() < 0.1, "{now}");
}

/// An order to stand where it stands is done when time passes, and an agent has not arrived before it is told so.
#[test]
fn on_a_map_that_is_paused_nobody_arrives() {
    for is_solid in [false, true] {
        let mut app = app(25);
        let grid = app.world_mut().spawn(NavGrid::new(9, 1)).id();
        clock(&mut app, grid, |clock| clock.speed = 0.0);
        let agent = app.world_mut().spawn((NavAgent::at(4, 0), Goal::cell(4, 0))).id();
        if is_solid {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
        run(&mut app, 25, 1);
        assert_ne!(get::<NavState>(&app, agent), NavState::Arrived, "solid {is_solid}");
        clock(&mut app, grid, |clock| clock.speed = 1.0);
        run(&mut app, 25, 1);
        assert_eq!(get::<NavState>(&app, agent), NavState::Arrived, "solid {is_solid}");
        assert_eq!(app.world().resource::<Told>().0, [(agent, Cell::new(4, 0))], "solid {is_solid}");
    }
}
