//! What the player can ask for: one table that the keys, the buttons and the help page all read.

use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;

use crate::grid::{Cell, Direction};

use self::KeyPress::{Code, Letter};

/// Something that the player asked for, by a key, a click or a button.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Walk to this cell.
    Go(Cell),
    /// Walk to the cell under the tile cursor.
    GoToCursor,
    /// Move the tile cursor one cell.
    MoveCursor(Direction),
    /// Walk to the castle.
    GoToCastle,
    /// Let every dormant volcano erupt; if there is none, calm all.
    Erupt,
    /// Back to the tent.
    Reset,
    /// Zoom one step.
    Zoom {
        /// In or out.
        zoom: Zoom,
        /// The point of the window that stays where it is, in physical pixels; the middle without one.
        towards: Option<Vec2>,
    },
    /// The largest zoom at which the whole map fits.
    Fit,
    /// Move the view: north is up on the screen.
    Pan(Direction),
    /// Open the next map.
    NextMap,
    /// Open the previous map.
    PreviousMap,
    /// Open or close the help page.
    Help,
    /// Pause or resume all animation but the traveller's.
    ToggleAnimation,
    /// Save a screenshot.
    Screenshot,
    /// Close what is open; then quit.
    Escape,
}

/// A direction of zooming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    /// The map becomes larger.
    In,
    /// The map becomes smaller.
    Out,
}

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPress {
    /// By what it types, on whatever layout.
    Letter(&'static str),
    /// By where it is, or what it is called.
    Code(KeyCode),
}

impl KeyPress {
    /// Whether this is the key that `input` speaks of.
    pub fn is(self, input: &KeyboardInput) -> bool {
        match self {
            Self::Letter(letter) => {
                matches!(&input.logical_key, Key::Character(typed) if typed.eq_ignore_ascii_case(letter))
            }
            Self::Code(code) => input.key_code == code,
        }
    }
}

/// One line of the table of keys.
pub struct Binding {
    /// The action.
    pub action: Action,
    /// The keys that ask for it.
    pub keys: &'static [KeyPress],
    /// How the keys are named on screen.
    pub shown: &'static str,
    /// The button's label.
    pub label: &'static str,
    /// What it does, for the help page.
    pub about: &'static str,
    /// Whether holding the key asks again and again.
    pub repeats: bool,
}

const fn binding(
    action: Action,
    keys: &'static [KeyPress],
    shown: &'static str,
    label: &'static str,
    about: &'static str,
) -> Binding {
    Binding { action, keys, shown, label, about, repeats: false }
}

impl Binding {
    /// The same, asked for again and again while the key is held.
    const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }
}

/// Every action that has a key, in the order of the help page.
pub const BINDINGS: &[Binding] = &[
    binding(Action::GoToCastle, &[Code(KeyCode::Space)], "Space", "Go", "walk to the castle"),
    binding(Action::Erupt, &[Letter("v")], "V", "Erupt", "let the volcanoes erupt, or calm them"),
    binding(Action::Reset, &[Letter("r")], "R", "Reset", "back to the tent"),
    binding(Action::MoveCursor(Direction::N), &[Code(KeyCode::ArrowUp)], "Up", "North", "tile cursor to the north")
        .repeating(),
    binding(Action::MoveCursor(Direction::E), &[Code(KeyCode::ArrowRight)], "Right", "East", "tile cursor to the east")
        .repeating(),
    binding(Action::MoveCursor(Direction::S), &[Code(KeyCode::ArrowDown)], "Down", "South", "tile cursor to the south")
        .repeating(),
    binding(Action::MoveCursor(Direction::W), &[Code(KeyCode::ArrowLeft)], "Left", "West", "tile cursor to the west")
        .repeating(),
    binding(
        Action::GoToCursor,
        &[Code(KeyCode::Enter), Code(KeyCode::NumpadEnter)],
        "Enter",
        "Walk here",
        "walk to the tile cursor",
    ),
    binding(Action::Zoom { zoom: Zoom::In, towards: None }, &[Letter("+"), Letter("=")], "+", "Zoom in", "zoom in")
        .repeating(),
    binding(Action::Zoom { zoom: Zoom::Out, towards: None }, &[Letter("-"), Letter("_")], "-", "Zoom out", "zoom out")
        .repeating(),
    binding(Action::Fit, &[Letter("f")], "F", "Fit", "fit the whole map into the window"),
    binding(Action::Pan(Direction::N), &[], "W", "Pan up", "look further up"),
    binding(Action::Pan(Direction::W), &[], "A", "Pan left", "look further left"),
    binding(Action::Pan(Direction::S), &[], "S", "Pan down", "look further down"),
    binding(Action::Pan(Direction::E), &[], "D", "Pan right", "look further right"),
    binding(Action::PreviousMap, &[Code(KeyCode::PageUp)], "Page Up", "Previous", "previous map"),
    binding(Action::NextMap, &[Code(KeyCode::PageDown)], "Page Down", "Next", "next map"),
    binding(Action::ToggleAnimation, &[Letter("m")], "M", "Pause", "pause or resume all animation but the traveller's"),
    binding(Action::Screenshot, &[Code(KeyCode::F12)], "F12", "Screenshot", "save a screenshot in the current folder"),
    binding(Action::Help, &[Letter("h"), Code(KeyCode::F1)], "H, F1", "Help", "open or close this page"),
    binding(Action::Escape, &[Code(KeyCode::Escape)], "Esc", "Quit", "close what is open; then quit"),
];

/// The line of the table for an action.
pub fn binding_of(action: Action) -> Option<&'static Binding> {
    BINDINGS.iter().find(|binding| binding.action == action)
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Action>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_asks_for_two_things() {
        let keys: Vec<_> = BINDINGS.iter().flat_map(|binding| binding.keys).collect();
        for (k, key) in keys.iter().enumerate() {
            assert!(!keys[k + 1..].contains(key), "{key:?}");
        }
    }
}
