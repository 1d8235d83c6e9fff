//! What the window needs from the browser. The page has looked for it before it started the program, and the engine
//! opens the graphics adapter itself. On other systems, `preflight.rs` has this module's place.

use bevy::render::settings::RenderCreation;

use super::error::WindowError;

/// What the window needs from the system, as far as it has been found.
#[derive(Debug)]
pub struct Preflight;

/// A system on which a window can probably be opened.
#[derive(Debug)]
pub(super) struct System {
    /// The graphics adapter.
    pub(super) graphics: Graphics,
    /// Nothing: there is no connection to keep.
    pub(super) display: (),
}

/// A graphics adapter that the engine will open.
#[derive(Debug)]
pub(super) struct Graphics;

impl Preflight {
    /// Checks for nothing.
    pub fn start() -> Self {
        Self
    }

    /// Returns what was found.
    ///
    /// # Errors
    /// Never.
    pub(super) fn system(self) -> Result<System, WindowError> {
        Ok(System { graphics: Graphics, display: () })
    }
}

impl Graphics {
    /// Returns how the engine gets the adapter.
    ///
    /// # Errors
    /// Never.
    pub(super) fn finish(self) -> Result<RenderCreation, WindowError> {
        Ok(RenderCreation::default())
    }
}
