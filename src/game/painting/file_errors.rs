//! Nothing is painted while the map file has errors: the map on the screen is an earlier version of it. Errors do not
//! end painting in progress, but only interrupt it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::Screen;
use crate::game::screen::notice::Hint;
use crate::game::world::file_errors::FileErrors;
use crate::game::world::reader::MapReader;

/// Why nothing can be painted.
const REASON: &str = "Painting is off while the map file has errors.";

/// Whether the map can be painted.
#[derive(SystemParam)]
pub(in crate::game) struct Paintable<'w> {
    errors: Res<'w, FileErrors>,
    reader: Res<'w, MapReader>,
}

impl Paintable<'_> {
    /// Why it cannot be painted; `None` if it can be. The errors of a requested map are not errors of the current map.
    pub fn refusal(&self) -> Option<&'static str> {
        let has_errors = self.errors.all().is_some() && self.reader.awaited().is_none();
        has_errors.then_some(REASON)
    }

    /// The same as a notice.
    pub fn hint(&self) -> Option<Hint> {
        let text = self.refusal()?.into();
        Some(Hint { text, holds: |world| world.resource::<FileErrors>().all().is_some() })
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, refuse_to_begin.in_set(AppSystems::Switch));
}

/// Goes back to walking from painting that begins in this frame.
pub(in crate::game) fn refuse_to_begin(
    paintable: Paintable,
    mut screen: ResMut<Screen>,
    mut was_painting: Local<bool>,
    mut hints: MessageWriter<Hint>,
) {
    let begins = screen.is_painting() && !*was_painting;
    if let Some(hint) = paintable.hint().filter(|_| begins) {
        screen.leave_mode();
        hints.write(hint);
    }
    *was_painting = screen.is_painting();
}
