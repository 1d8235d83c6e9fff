//! The actions of the player, and the table of keys that the keyboard, the buttons and the help page share.

use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;

use crate::grid::{Cell, Direction};
use crate::path::Options;

use self::KeyPress::{Code, Letter};

/// An action that the player asked for with a key, a click or a button.
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
    /// Make every dormant volcano erupt; if none is dormant, calm all.
    Erupt,
    /// Move the traveller back to the tent.
    Reset,
    /// Zoom one step.
    Zoom {
        /// In or out.
        zoom: Zoom,
        /// The point of the window to zoom towards, in physical pixels; `None` for its centre.
        towards: Option<Vec2>,
    },
    /// Show the whole map at the largest zoom at which it fits.
    Fit,
    /// Centre the view on the traveller.
    FindTraveller,
    /// Pan the view; north is up on the screen.
    Pan(Direction),
    /// Open the next map.
    NextMap,
    /// Open the previous map.
    PreviousMap,
    /// Open or close the help page.
    Help,
    /// Show the next overlay, or none after the last.
    NextOverlay,
    /// Open or close the search view.
    ToggleSearchView,
    /// Do something in the search view.
    Playback(Playback),
    /// Take the next value of an option of the search.
    NextOption(SearchOption),
    /// Open or close the table that compares all algorithms.
    ToggleComparison,
    /// Plan with these options.
    PlanWith(Options),
    /// Open the cells that block the route to the goal.
    OpenCells,
    /// Begin or cease to ask why the route does not lead through the inspected cell.
    ToggleWhy,
    /// Pause or resume all animation except the traveller's.
    ToggleAnimation,
    /// Save a screenshot.
    Screenshot,
    /// Bring a cell to the centre of the view.
    LookAt(Cell),
    /// Fold or unfold the list of faults.
    ToggleFaults,
    /// Scroll the content of a panel, in logical pixels; positive values show what is further down.
    Scroll {
        /// The panel, which has a [`ScrollArea`](super::scroll_area::ScrollArea).
        area: Entity,
        /// The distance.
        by: f32,
    },
    /// Close the help page, or fold the list of faults; if neither is open, quit when it is asked for twice.
    Escape,
    /// Quit at once.
    Quit,
}

/// How the search view is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playback {
    /// Play or pause.
    Toggle,
    /// Go one event back.
    StepBack,
    /// Go one event on.
    StepOn,
    /// Jump to the beginning.
    Start,
    /// Jump to the end.
    End,
    /// Play at half the speed.
    Slower,
    /// Play at twice the speed.
    Faster,
    /// Jump to a part of the recording, 0 to 1.
    Seek(f32),
}

/// An option of the search that the search view changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOption {
    /// The algorithm.
    Algorithm,
    /// The heuristic.
    Heuristic,
    /// The weight of weighted A*.
    Weight,
    /// The scale of the heuristic.
    Scale,
    /// The number of neighbours of a cell.
    Moves,
    /// The rule for corners.
    Corners,
}

/// The direction of a zoom step.
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
    /// The character that it types, on any keyboard layout.
    Letter(&'static str),
    /// The physical key, on any keyboard layout.
    Code(KeyCode),
}

impl KeyPress {
    /// Returns whether `input` is about this key.
    pub fn matches(self, input: &KeyboardInput) -> bool {
        match self {
            Self::Letter(letter) => {
                matches!(&input.logical_key, Key::Character(typed) if typed.eq_ignore_ascii_case(letter))
            }
            Self::Code(code) => input.key_code == code,
        }
    }
}

/// One row of the table of keys.
pub struct Binding {
    /// The action.
    pub action: Action,
    /// The keys that ask for the action.
    pub keys: &'static [KeyPress],
    /// The name of the keys on screen.
    pub key_name: &'static str,
    /// The label of the button.
    pub label: &'static str,
    /// What the action does, for the help page. Neighbours in the table with the same description share a row there.
    pub description: &'static str,
    /// Whether holding the key repeats the action.
    pub repeats: bool,
}

const fn binding(
    action: Action,
    keys: &'static [KeyPress],
    key_name: &'static str,
    label: &'static str,
    description: &'static str,
) -> Binding {
    Binding { action, keys, key_name, label, description, repeats: false }
}

impl Binding {
    /// Returns the same binding, repeated while the key is held.
    const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }
}

const MOVE_CURSOR: &str = "move the tile cursor";
const ZOOM: &str = "zoom in or out";
const PAN: &str = "pan";
const STEP: &str = "in the search view: one step back or on";
const JUMP: &str = "in the search view: jump to the start or the end";
const SPEED: &str = "in the search view: play slower or faster";
const TURN_PAGE: &str = "open the previous or the next map";

/// Every action that has a key, in the order of the help page.
pub const BINDINGS: &[Binding] = &[
    binding(Action::GoToCastle, &[Code(KeyCode::Space)], "Space", "Go", "walk to the castle"),
    binding(Action::Erupt, &[Letter("v")], "V", "Erupt", "make volcanoes erupt, or calm them"),
    binding(Action::Reset, &[Letter("r")], "R", "Reset", "go back to the tent"),
    binding(Action::MoveCursor(Direction::N), &[Code(KeyCode::ArrowUp)], "↑", "North", MOVE_CURSOR).repeating(),
    binding(Action::MoveCursor(Direction::E), &[Code(KeyCode::ArrowRight)], "→", "East", MOVE_CURSOR).repeating(),
    binding(Action::MoveCursor(Direction::S), &[Code(KeyCode::ArrowDown)], "↓", "South", MOVE_CURSOR).repeating(),
    binding(Action::MoveCursor(Direction::W), &[Code(KeyCode::ArrowLeft)], "←", "West", MOVE_CURSOR).repeating(),
    binding(
        Action::GoToCursor,
        &[Code(KeyCode::Enter), Code(KeyCode::NumpadEnter)],
        "Enter",
        "Walk here",
        "walk to the tile cursor",
    ),
    binding(Action::Zoom { zoom: Zoom::In, towards: None }, &[Letter("+"), Letter("=")], "+", "In", ZOOM).repeating(),
    binding(Action::Zoom { zoom: Zoom::Out, towards: None }, &[Letter("-"), Letter("_")], "-", "Out", ZOOM).repeating(),
    binding(Action::Fit, &[Letter("f")], "F", "Fit", "show the whole map"),
    binding(Action::FindTraveller, &[Letter("t")], "T", "Find", "show the traveller"),
    binding(Action::Pan(Direction::N), &[], "W", "Pan up", PAN),
    binding(Action::Pan(Direction::W), &[], "A", "Pan left", PAN),
    binding(Action::Pan(Direction::S), &[], "S", "Pan down", PAN),
    binding(Action::Pan(Direction::E), &[], "D", "Pan right", PAN),
    binding(Action::PreviousMap, &[Code(KeyCode::PageUp)], "PgUp", "Prev", TURN_PAGE),
    binding(Action::NextMap, &[Code(KeyCode::PageDown)], "PgDn", "Next", TURN_PAGE),
    binding(Action::ToggleSearchView, &[Code(KeyCode::Tab)], "Tab", "Search", "watch the search"),
    binding(Action::Playback(Playback::Toggle), &[Letter("p")], "P", "Play", "in the search view: play or pause"),
    binding(Action::Playback(Playback::StepBack), &[Letter(",")], ",", "Back", STEP).repeating(),
    binding(Action::Playback(Playback::StepOn), &[Letter(".")], ".", "On", STEP).repeating(),
    binding(Action::Playback(Playback::Start), &[Code(KeyCode::Home)], "Home", "Start", JUMP),
    binding(Action::Playback(Playback::End), &[Code(KeyCode::End)], "End", "End", JUMP),
    binding(Action::Playback(Playback::Slower), &[Code(KeyCode::BracketLeft)], "[", "Slower", SPEED),
    binding(Action::Playback(Playback::Faster), &[Code(KeyCode::BracketRight)], "]", "Faster", SPEED),
    binding(Action::ToggleComparison, &[Letter("c")], "C", "Compare", "compare all algorithms"),
    binding(Action::ToggleWhy, &[Letter("y")], "Y", "Why", "why the route is not through this cell (or hold Alt)"),
    binding(Action::NextOverlay, &[Letter("o")], "O", "Overlay", "show entry costs, then costs to the goal"),
    binding(Action::ToggleAnimation, &[Letter("m")], "M", "Pause", "pause or resume animation"),
    binding(Action::Screenshot, &[Code(KeyCode::F12)], "F12", "Screenshot", "save a screenshot"),
    binding(Action::Help, &[Letter("h"), Code(KeyCode::F1)], "H, F1", "Help", "open or close this page"),
    binding(Action::Escape, &[Code(KeyCode::Escape)], "Esc", "Close", "close what is open"),
    // The second Escape quits.
    binding(Action::Quit, &[], "Esc Esc", "Quit", "quit: twice within two seconds"),
];

/// Returns the row of the table for an action.
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
    fn no_key_has_two_actions() {
        let keys: Vec<_> = BINDINGS.iter().flat_map(|binding| binding.keys).collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[index + 1..].contains(key), "{key:?}");
        }
    }
}
