//! What the features add.
#![cfg(all(feature = "diagnostics", feature = "serde"))]

use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_diagnostic::{DiagnosticPath, DiagnosticsPlugin, DiagnosticsStore};
use bevy_emberwalk::EmberwalkDiagnosticsPlugin;
use bevy_emberwalk::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, DiagnosticsPlugin, EmberwalkPlugins));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(50)));
    app
}

#[test]
fn agents_are_counted_and_runs_are_timed() {
    let mut app = app();
    app.world_mut().spawn(NavGrid::new(9, 1));
    app.world_mut().spawn((NavAgent::at(4, 0), Solid, Hold));
    app.world_mut().spawn((NavAgent::at(0, 0), Solid, Goal::cell(8, 0)));
    (0..160).for_each(|_| app.update());
    let store = app.world().resource::<DiagnosticsStore>();
    let average = |path: DiagnosticPath| store.get(&path).and_then(|diagnostic| diagnostic.average()).unwrap();
    assert_eq!(average(EmberwalkDiagnosticsPlugin::AGENTS), 2.0);
    let waiting = store.get(&EmberwalkDiagnosticsPlugin::WAITING).and_then(|waiting| waiting.value());
    assert_eq!(waiting, Some(1.0));
    let [tick, crowds] = [EmberwalkDiagnosticsPlugin::TICK, EmberwalkDiagnosticsPlugin::CROWDS].map(average);
    assert!(tick > crowds && crowds > 0.0);
}

/// With the feature `gizmos`, which asks for more features of the engine than the window does.
#[cfg(feature = "gizmos")]
#[test]
fn everything_can_be_drawn() {
    use bevy_emberwalk::NavGizmos;
    use bevy_gizmos::GizmoPlugin;
    use bevy_gizmos::config::GizmoConfigStore;

    let mut app = app();
    app.add_plugins((bevy::asset::AssetPlugin::default(), GizmoPlugin));
    app.finish();
    let layout = CellLayout::hexagonal(20.0, 24.0);
    let cost = |cell: Cell| (cell.x != 4).then(|| EntryCost::from_tiles(f64::from(1 + cell.y)).unwrap());
    app.world_mut().spawn(NavGrid::from_fn(Size::new(9, 6), cost).unwrap().with_layout(layout));
    app.world_mut().spawn((NavAgent::at(0, 0), Goal::cell(3, 3)));
    app.world_mut().spawn((NavAgent::at(0, 1), Solid, Goal::cell(3, 2)));
    let color = NavGizmos::default().routes.unwrap();
    for field in [None, Some((Cell::new(3, 3), color)), Some((Cell::new(4, 0), color))] {
        let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
        let shown = store.config_mut::<NavGizmos>().1;
        (shown.costs, shown.components, shown.field) = (Some(color), true, field);
        (0..5).for_each(|_| app.update());
    }
}

/// Agents are saved and loaded, and go on where they were.
#[test]
fn components_are_saved() {
    let mut app = app();
    app.world_mut().spawn(NavGrid::new(9, 1));
    let agent = NavAgent::at(1, 0).with_speed(2.0);
    let entity = app.world_mut().spawn((agent, Goal::Patrol(vec![Cell::new(8, 0), Cell::new(0, 0)]), Solid)).id();
    (0..30).for_each(|_| app.update());
    let entity = app.world().entity(entity);
    let (goal, position, state) =
        (entity.get::<Goal>().unwrap(), entity.get::<GridPosition>().unwrap(), entity.get::<NavState>().unwrap());
    let saved = serde_json::to_string(&(agent, goal, position, state, Solid, Hold)).unwrap();
    let loaded: (NavAgent, Goal, GridPosition, NavState, Solid, Hold) = serde_json::from_str(&saved).unwrap();
    assert_eq!((loaded.0, &loaded.1, &loaded.2, &loaded.3), (agent, goal, position, state));
    assert!(position.step.is_some());
}
