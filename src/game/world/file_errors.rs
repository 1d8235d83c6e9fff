//! The errors in the files of the open map.

use bevy::prelude::*;
use tracing::{error, info};

use emberwalk_map::diagnostics::Diagnostics;

/// The errors in the current files. The map on the screen is an earlier version.
#[derive(Resource, Debug, Default)]
pub enum FileErrors {
    /// There are no errors.
    #[default]
    None,
    /// The errors are listed.
    Shown(Diagnostics),
    /// The player has folded the list.
    Folded(Diagnostics),
}

impl FileErrors {
    /// Logs that a version was rejected, and returns its errors to be shown.
    pub(super) fn report(errors: Diagnostics) -> Self {
        info!(file = ?errors.file_to_fix(), faults = errors.list().len(), "map rejected");
        Self::Shown(errors)
    }

    /// The errors, unless the player has folded the list.
    pub fn shown(&self) -> Option<&Diagnostics> {
        if let Self::Shown(errors) = self { Some(errors) } else { None }
    }

    /// The errors, folded or not.
    pub fn all(&self) -> Option<&Diagnostics> {
        match self {
            Self::None => None,
            Self::Shown(errors) | Self::Folded(errors) => Some(errors),
        }
    }

    /// Folds the list until other errors are found, or unfolds it.
    pub(in crate::game) fn toggle(&mut self) {
        *self = match std::mem::take(self) {
            Self::None => Self::None,
            Self::Shown(errors) => Self::Folded(errors),
            Self::Folded(errors) => Self::Shown(errors),
        };
    }
}

/// Logs the first line of each error if no panel shows them.
pub fn log_errors(mut errors: ResMut<FileErrors>) {
    let Some(shown) = errors.shown() else { return };
    for error in shown.list() {
        match error.location.as_ref().filter(|_| error.other_file.is_none()) {
            Some(place) => error!("{}:{}:{}: {}", shown.file(), place.line, place.column, error.message),
            None if error.other_file.is_some() => error!("{}", error.message),
            None => error!("{}: {}", shown.file(), error.message),
        }
    }
    errors.toggle();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FileErrors>();
}
