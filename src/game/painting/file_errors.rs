//! Painting is off while the map file has errors.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::Screen;
use crate::game::screen::notice::Notice;
use crate::game::world::file_errors::FileErrors;
use crate::game::world::reader::MapReader;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, leave_painting.in_set(AppSystems::Switch));
}

/// Goes back to walking, also from painting that begins in this frame. Strokes that are not saved are kept.
pub(in crate::game) fn leave_painting(
    errors: Res<FileErrors>,
    reader: Res<MapReader>,
    mut screen: ResMut<Screen>,
    mut notices: MessageWriter<Notice>,
) {
    // The errors of a requested map are not errors of the current map.
    if screen.is_painting() && errors.all().is_some() && reader.awaited().is_none() {
        screen.leave_mode();
        notices.write(Notice("Painting is off while the map file has errors.".into()));
    }
}
