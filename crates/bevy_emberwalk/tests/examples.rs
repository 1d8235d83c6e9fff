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
#[path = "../examples/rts.rs"]
#[expect(dead_code, reason = "its window is not opened")]
mod rts;

/// An app with this game, in which 20 seconds have passed.
fn played(game: fn(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, InputPlugin, EmberwalkPlugins, game));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(50)));
    // What the examples look for.
    app.world_mut().spawn((Window::default(), bevy::window::PrimaryWindow));
    (0..400).for_each(|_| app.update());
    app
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

#[test]
fn rts() {
    let mut app = played(rts::game);
    let mut states = app.world_mut().query::<&NavState>();
    assert_eq!(states.iter(app.world()).count(), 500);
    let walking = states.iter(app.world()).filter(|state| **state == NavState::Walking).count();
    assert!(walking > 400, "{walking}");
    // The gates close: nobody gets to the other side any more.
    let window = app.world_mut().query_filtered::<Entity, With<Window>>().single(app.world()).unwrap();
    app.world_mut().write_message(KeyboardInput {
        key_code: KeyCode::KeyG,
        logical_key: Key::Character("g".into()),
        state: ButtonState::Pressed,
        text: None,
        repeat: false,
        window,
    });
    (0..200).for_each(|_| app.update());
    let mut grids = app.world_mut().query::<&NavGrid>();
    assert!(!grids.single(app.world()).unwrap().is_passable((50, 28)));
    let unreachable = states.iter(app.world()).filter(|state| **state == NavState::Unreachable).count();
    assert!(unreachable > 300, "{unreachable}");
}
