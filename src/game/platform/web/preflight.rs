//! The window's requirements in a browser. The page has checked them before it started the program, and the engine
//! opens the graphics adapter itself.

use bevy::render::settings::RenderCreation;

use crate::game::platform::error::WindowError;

/// System resources for the window.
#[derive(Debug)]
pub struct Preflight;

/// A graphics adapter that the engine will open.
#[derive(Debug)]
pub(in crate::game) struct Graphics;

impl Preflight {
    /// Checks for nothing.
    pub fn start() -> Self {
        Self
    }

    /// The adapter and the connection.
    ///
    /// # Errors
    /// Never.
    pub(in crate::game) fn finish(self) -> Result<(Graphics, ()), WindowError> {
        Ok((Graphics, ()))
    }
}

impl Graphics {
    /// How the engine gets the adapter.
    ///
    /// # Errors
    /// Never.
    pub(in crate::game) fn finish(self) -> Result<RenderCreation, WindowError> {
        Ok(RenderCreation::default())
    }
}
