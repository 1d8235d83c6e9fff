//! Runs each example for some seconds without a window.

use std::time::Duration;

use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::{ButtonState, InputPlugin};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_emberwalk::prelude::*;

#[path = "../examples/click_to_move.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod click_to_move;
#[path = "../examples/isometric.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod isometric;
#[path = "../examples/kinds.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod kinds;
#[cfg(feature = "serde")]
#[path = "../examples/rts.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod rts;
#[path = "../examples/thief.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod thief;
#[cfg(feature = "tilemap")]
#[path = "../examples/tilemap.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod tilemap;
#[path = "../examples/tower_defence.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod tower_defence;

#[path = "../examples/two_floors.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod two_floors;
#[path = "../examples/woodcutters.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod woodcutters;

/// An app with this game, in which 3 seconds have passed.
fn played(game: fn(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), InputPlugin, EmberwalkPlugins, game));
    app.init_asset::<Image>();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(50)));
    // What the examples look for.
    app.world_mut().spawn((Window::default(), bevy::window::PrimaryWindow));
    (0..60).for_each(|_| app.update());
    app
}

fn press(app: &mut App, key_code: KeyCode, key: &str) {
    let window = app.world_mut().query_filtered::<Entity, With<Window>>().single(app.world()).unwrap();
    for state in [ButtonState::Pressed, ButtonState::Released] {
        let logical_key = Key::Character(key.into());
        app.world_mut().write_message(KeyboardInput {
            key_code,
            logical_key,
            state,
            text: None,
            repeat: false,
            window,
        });
    }
}

fn states(app: &mut App) -> Vec<NavState> {
    app.world_mut().query::<&NavState>().iter(app.world()).copied().collect()
}

#[test]
fn isometric() {
    let mut app = played(isometric::game);
    assert_eq!(states(&mut app), [NavState::Walking]);
    let rest = |nav: Nav, traveller: Single<Entity, With<NavAgent>>| nav.remaining(*traveller).unwrap().cost;
    let cost = |app: &mut App| app.world_mut().run_system_cached(rest).unwrap();
    let cold = cost(&mut app);
    press(&mut app, KeyCode::KeyV, "v");
    (0..5).for_each(|_| app.update());
    assert!(cost(&mut app) < cold, "the route bends towards the warmth");
    (0..400).for_each(|_| app.update());
    assert_eq!(states(&mut app), [NavState::Arrived]);
}

#[test]
fn kinds() {
    let mut app = played(kinds::game);
    assert_eq!(states(&mut app).len(), 45);
    let all = |app: &mut App| -> Vec<_> {
        app.world_mut().query::<(&NavAgent, &GridPosition)>().iter(app.world()).map(|(_, at)| at.cell).collect()
    };
    let before = all(&mut app);
    (0..600).for_each(|_| app.update());
    let moved = all(&mut app).iter().zip(&before).filter(|(now, before)| now != before).count();
    assert!(moved >= 43, "{moved}");
}

/// The thief is never in the light of a lantern, and each guard is where its light is.
#[test]
fn thief() {
    let mut app = played(thief::game);
    let mut waited = false;
    for _ in 0..1600 {
        app.update();
        let world = app.world_mut();
        let costs = world.query::<&NavGrid>().single(world).unwrap().crowd().grids().nth(1).unwrap().clone();
        for (agent, at, state) in world.query::<(&NavAgent, &GridPosition, &NavState)>().iter(world) {
            assert_eq!(costs.is_passable(at.cell), agent.settings.kind == 1, "{agent:?} {at:?}");
            waited |= matches!(state, NavState::Waiting { .. });
        }
    }
    let window = app.world_mut().query::<&Window>().single(app.world()).unwrap();
    let treasures: u32 = window.title.split(' ').next().unwrap().parse().unwrap();
    assert!(treasures >= 2 && waited, "{treasures}");
}

/// Its title says when it arrives, as long as it knows of the guards.
#[test]
fn the_thief_says_when_it_arrives() {
    let mut app = played(thief::game);
    (0..1600).for_each(|_| app.update());
    let is_informed = |app: &mut App| {
        let mut windows = app.world_mut().query::<&Window>();
        windows.single(app.world()).unwrap().title.contains("arrives in")
    };
    // Between two goals it has no route.
    let becomes_informed = |app: &mut App| {
        (0..200).any(|_| {
            app.update();
            is_informed(app)
        })
    };
    assert!(becomes_informed(&mut app));
    press(&mut app, KeyCode::KeyK, "k");
    (0..5).for_each(|_| app.update());
    assert!(!is_informed(&mut app), "it knows nothing any more");
    (0..400).for_each(|_| app.update());
    press(&mut app, KeyCode::KeyK, "k");
    (0..5).for_each(|_| app.update());
    assert!(becomes_informed(&mut app));
}

#[test]
fn tower_defence() {
    let mut app = played(tower_defence::game);
    (0..1200).for_each(|_| app.update());
    let window = app.world_mut().query::<&Window>().single(app.world()).unwrap();
    assert!(!window.title.contains(" 0 enemies"), "{}", window.title);
}

/// Residents change floors, and called residents come from upstairs, too, after the western stairs are gone.
#[test]
fn two_floors() {
    let mut app = played(two_floors::game);
    let mut on_links = 0;
    for _ in 0..1200 {
        app.update();
        let mut residents = app.world_mut().query::<&GridPosition>();
        on_links += residents.iter(app.world()).filter(|position| position.is_on_link()).count();
    }
    assert!(on_links > 500, "{on_links}");
    let links = |app: &mut App| app.world_mut().query::<&NavGrid>().single(app.world()).unwrap().links().count();
    assert_eq!(links(&mut app), 5);
    press(&mut app, KeyCode::KeyS, "s");
    app.update();
    assert_eq!(links(&mut app), 3);
    let mut goals = app.world_mut().query::<&mut Goal>();
    goals.iter_mut(app.world_mut()).for_each(|mut goal| *goal = Goal::Group(Cell::new(14, 17)));
    (0..1800).for_each(|_| app.update());
    let states = states(&mut app);
    let there = states.iter().filter(|state| **state == NavState::Arrived).count();
    assert_eq!((there, states.len()), (20, 20), "{states:?}");
}

#[test]
fn woodcutters() {
    let mut app = played(woodcutters::game);
    (0..1200).for_each(|_| app.update());
    let window = app.world_mut().query::<&Window>().single(app.world()).unwrap();
    let felled: u32 = window.title.split(' ').next().unwrap().parse().unwrap();
    assert!(felled >= 30, "{felled}");
    assert!(states(&mut app).iter().all(|state| !matches!(state, NavState::Unreachable | NavState::WalledIn)));
}

#[cfg(feature = "tilemap")]
#[test]
fn tilemap() {
    use bevy_ecs_tilemap::prelude::TilePos;
    use bevy_emberwalk::TileCost;

    let mut app = played(tilemap::game);
    let walking = states(&mut app).iter().filter(|state| **state == NavState::Walking).count();
    assert!(walking > 20, "{walking}");
    let mut tiles = app.world_mut().query::<(&TilePos, &mut TileCost)>();
    tiles.iter_mut(app.world_mut()).filter(|(at, _)| at.x == 19).for_each(|(_, mut cost)| cost.0 = None);
    (0..800).for_each(|_| app.update());
    let grid = app.world_mut().query::<&NavGrid>().single(app.world()).unwrap();
    assert!((0..21).all(|y| !grid.is_passable((19, y))));
    assert_eq!(grid.to_world((0, 0)), Vec2::new(-592.0, -320.0), "the middle of the tile in the corner");
    let states = states(&mut app);
    let near = states.iter().filter(|state| **state == NavState::Partial).count();
    assert!(near > 10, "they go as near as they can: {states:?}");
}

#[test]
fn click_to_move() {
    let mut app = played(click_to_move::game);
    let states: Vec<_> = app.world_mut().query::<&NavState>().iter(app.world()).copied().collect();
    assert_eq!(states, [NavState::Walking]);
    (0..400).for_each(|_| app.update());
    let mut agents = app.world_mut().query::<(&NavState, &Transform)>();
    let (state, transform) = agents.single(app.world()).unwrap();
    assert_eq!((*state, transform.translation), (NavState::Arrived, Vec3::new(720.0, -480.0, 2.0)));
}

#[cfg(feature = "serde")]
#[test]
fn rts() {
    let mut app = played(rts::game);
    let mut states = app.world_mut().query::<&NavState>();
    assert_eq!(states.iter(app.world()).count(), 500);
    let walking = states.iter(app.world()).filter(|state| **state == NavState::Walking).count();
    assert!(walking > 400, "{walking}");
    // The gates shut: no soldier gets to the other side any more.
    press(&mut app, KeyCode::KeyG, "g");
    (0..200).for_each(|_| app.update());
    let mut grids = app.world_mut().query::<&NavGrid>();
    let grid = grids.single(app.world()).unwrap();
    assert!(!grid.is_passable((50, 28)));
    let near = grid.crowd().agents().filter(|(_, state)| state.unreachable.is_some()).count();
    assert!(near > 300, "they go as near as they can: {near}");
    // The last five seconds are taken back, and the gates are shut earlier.
    let seconds = |app: &App| app.world().resource::<rts::Battle>().tick as f64 / 64.0;
    let before = seconds(&app);
    press(&mut app, KeyCode::KeyR, "r");
    app.update();
    assert!((4.9..6.1).contains(&(before - seconds(&app))), "{before} s, {} s", seconds(&app));
    // The whole battle again, in which they shut by themselves.
    press(&mut app, KeyCode::KeyP, "p");
    app.update();
    assert!(seconds(&app) < 1.0 && grids.single(app.world()).unwrap().is_passable((50, 28)));
    (0..200).for_each(|_| app.update());
    assert!(!app.world().resource::<rts::Battle>().is_played);
    assert!(!grids.single(app.world()).unwrap().is_passable((50, 28)));
}
