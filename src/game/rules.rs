//! The rules of the game: everything that needs neither a window nor images.

use bevy::prelude::*;

use super::{
    action, app_systems, dialog, drawing, frames, input, jobs, journey, painting, people, quit, recording, replay,
    screen, search_view, world,
};

/// Adds the rules of the game. Tests run them without a window.
pub fn rules(app: &mut App) {
    app.add_plugins((
        app_systems::plugin,
        frames::rules,
        screen::plugin,
        dialog::plugin,
        quit::plugin,
        input::rules,
        world::plugin,
        journey::plugin,
        (people::plugin, recording::plugin, replay::plugin),
        search_view::rules,
        painting::rules,
        drawing::rules,
    ))
    .add_plugins((jobs::plugin, action::plugin));
}
