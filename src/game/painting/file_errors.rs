//! Painting is off while the map file has errors.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::{GameMode, Upcoming};
use crate::game::screen::notice::Notice;
use crate::game::world::file_errors::FileErrors;
use crate::game::world::reader::MapReader;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, leave_painting.after(AppSystems::Act).before(AppSystems::Show));
}

/// Goes back to walking, also from painting that begins in this frame. Strokes that are not saved are kept.
fn leave_painting(
    errors: Res<FileErrors>,
    reader: Res<MapReader>,
    mut mode: Upcoming<GameMode>,
    mut notices: MessageWriter<Notice>,
) {
    // The errors of a requested map are not errors of the current map.
    if mode.get() == GameMode::Painting && errors.all().is_some() && reader.awaited().is_none() {
        mode.set(GameMode::Walking);
        notices.write(Notice("Painting is off while the map file has errors.".into()));
    }
}
