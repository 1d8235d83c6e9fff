//! The window: the only place that names Bevy. One plugin a file.

use bevy::prelude::*;

pub mod action;
pub mod cursor;
mod depth;
pub mod eruption;
pub mod figure;
#[cfg(all(unix, not(target_os = "macos")))]
mod focus;
pub mod hud;
pub mod input;
pub mod journey;
pub mod land;
mod marks;
pub mod motion;
mod mouse;
pub mod photo;
mod pictures;
mod prepare;
mod probe;
pub mod reload;
mod sheet;
pub mod source;
mod standing;
mod tilemap;
pub mod traveller;
pub mod view;
pub mod watch;
#[cfg(all(unix, not(target_os = "macos")))]
mod wheel;
mod window;

pub use window::{Settings, WindowError, run};

/// The order of a frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AppSystems {
    /// Keys, clicks and buttons become [`action::Action`]s.
    Listen,
    /// Actions change the land, the goal and the view.
    Act,
    /// The way is planned again where land or goal have changed.
    Plan,
    /// The traveller walks.
    Walk,
    /// Pictures and texts follow.
    Show,
}

/// The rules of the game without any picture: what a test runs headless.
pub fn rules(app: &mut App) {
    use AppSystems::{Act, Listen, Plan, Show, Walk};
    app.configure_sets(Update, (Listen, Act, Plan, Walk, Show).chain()).add_plugins((
        action::plugin,
        cursor::rules,
        land::plugin,
        traveller::plugin,
        journey::plugin,
        prepare::plugin,
        reload::plugin,
        view::plugin,
    ));
}

/// The land as it is seen and what the player does with it.
fn land_and_input(app: &mut App) {
    app.add_plugins((rules, input::plugin, photo::plugin, pictures::plugin));
    app.init_resource::<motion::Frame>().add_plugins((tilemap::plugin, standing::plugin));
}

/// What moves or belongs to the player: all that the still picture is without.
fn life(app: &mut App) {
    app.add_plugins((motion::plugin, marks::plugin, figure::plugin, cursor::plugin, eruption::plugin, hud::plugin));
}
