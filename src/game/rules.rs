//! The rules of the game: everything that needs neither a window nor images.

use bevy::prelude::*;

use super::{
    action, app_systems, cursor, dialog, frames, input, jobs, journey, lesson, mode, notice, painting, question, quit,
    search_view, solve_picture, text_size, view, world,
};

/// Adds the rules of the game. Tests run them without a window.
pub fn rules(app: &mut App) {
    app.add_plugins((
        app_systems::plugin,
        frames::rules,
        mode::plugin,
        notice::plugin,
        text_size::plugin,
        question::plugin,
        dialog::plugin,
        quit::plugin,
        lesson::plugin,
        input::rules,
        world::plugin,
        journey::plugin,
        search_view::rules,
        painting::rules,
        view::rules,
    ))
    .add_plugins((jobs::plugin, action::plugin, cursor::plugin, solve_picture::plugin));
}
