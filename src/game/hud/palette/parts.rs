//! The parts of the palette.

use bevy::prelude::*;

use crate::game::input::action::Tool;
use emberwalk_map::editing::Brush;

#[derive(Component)]
pub struct PalettePanel;

/// A part that is hidden while the palette is folded.
#[derive(Component)]
pub struct Foldable;

/// A place of the palette.
#[derive(Component)]
pub struct Entry(pub Brush);

/// The button of a tool.
#[derive(Component)]
pub struct ToolButton(pub Tool);

/// A line of text.
#[derive(Component, Clone, Copy)]
pub enum Line {
    /// What is painted.
    Terrain,
    /// How much is painted at once, or how much is selected.
    Brush,
    /// Why something cannot be painted.
    Refusal,
}
