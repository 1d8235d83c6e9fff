//! The errors in the files of the open map.

use bevy::prelude::*;
use tracing::{error, info};

use emberwalk_map::diagnostics::Diagnostics;

/// The errors in the current files. The map on the screen is an earlier version.
#[derive(Resource, Debug, Default)]
pub enum FileFaults {
    /// There are no errors.
    #[default]
    None,
    /// The errors are listed.
    Shown(Diagnostics),
    /// The player has folded the list.
    Folded(Diagnostics),
}

impl FileFaults {
    /// Logs that a version was rejected, and returns its errors to be shown.
    pub(super) fn report(faults: Diagnostics) -> Self {
        info!(file = ?faults.file_to_fix(), faults = faults.list().len(), "map rejected");
        Self::Shown(faults)
    }

    /// The errors, unless the player has folded the list.
    pub fn shown(&self) -> Option<&Diagnostics> {
        if let Self::Shown(faults) = self { Some(faults) } else { None }
    }

    /// The errors, folded or not.
    pub fn all(&self) -> Option<&Diagnostics> {
        match self {
            Self::None => None,
            Self::Shown(faults) | Self::Folded(faults) => Some(faults),
        }
    }

    /// Folds the list until other errors are found, or unfolds it.
    pub fn toggle(&mut self) {
        *self = match std::mem::take(self) {
            Self::None => Self::None,
            Self::Shown(faults) => Self::Folded(faults),
            Self::Folded(faults) => Self::Shown(faults),
        };
    }
}

/// Logs the first line of each error if no panel shows them.
pub fn log_faults(mut faults: ResMut<FileFaults>) {
    let Some(shown) = faults.shown() else { return };
    for fault in shown.list() {
        match fault.location.as_ref().filter(|_| fault.other_file.is_none()) {
            Some(place) => error!("{}:{}:{}: {}", shown.file(), place.line, place.column, fault.message),
            None if fault.other_file.is_some() => error!("{}", fault.message),
            None => error!("{}: {}", shown.file(), fault.message),
        }
    }
    faults.toggle();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FileFaults>();
}
