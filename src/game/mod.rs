//! The window: the only module that names Bevy. Each file is one plugin, and each folder a room with the files that one
//! kind of change touches.

use bevy::prelude::*;

mod error;
mod hud;
pub mod input;
pub mod journey;
pub mod mode;
mod notice;
mod preflight;
mod quit;
pub mod view;
mod window;
pub mod world;

pub use error::WindowError;
pub use window::{Settings, run};

/// The order of a frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AppSystems {
    /// Keys, clicks and buttons become [`Action`](input::action::Action)s.
    Listen,
    /// Actions change the map, the goal and the view.
    Act,
    /// The route is planned again where the map or the goal has changed.
    Plan,
    /// The traveller walks.
    Walk,
    /// Images and texts follow.
    Show,
}

/// The rules of the game without any image: what a test runs headless.
pub fn rules(app: &mut App) {
    use AppSystems::{Act, Listen, Plan, Show, Walk};
    app.configure_sets(Update, (Listen, Act, Plan, Walk, Show).chain()).add_plugins((
        mode::plugin,
        input::rules,
        world::plugin,
        journey::plugin,
        view::rules,
    ));
}

/// The map as it is drawn, and what the player does with it.
fn map_and_input(app: &mut App) {
    app.add_plugins((rules, input::plugin, view::plugin));
}

/// Everything that moves or belongs to the player: all that a still picture of the map leaves out.
fn player_and_effects(app: &mut App) {
    app.add_plugins((view::effects, hud::plugin));
}
