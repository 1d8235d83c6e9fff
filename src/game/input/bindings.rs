//! The table of keys, which the keyboard, the buttons and the help page share.

use std::ops::RangeInclusive;

use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;

use crate::game::action::{Action, BrushChange, Playback, SelectionChange, TextStep, Tool, Zoom};
use crate::game::input::layout::{Layout, typed};
use crate::game::input::modifiers::{HeldModifiers, Modifiers};
use crate::game::screen::mode::GameMode;
use emberwalk_map::editing::Brush;
use emberwalk_path::grid::Direction;

use self::KeyPress::{Code, Letter};

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPress {
    /// The character that it types, or, on a keyboard without Latin letters, the character of this key on a US
    /// keyboard.
    Letter(&'static str),
    /// The physical key, on any keyboard layout.
    Code(KeyCode),
}

impl KeyPress {
    /// Whether `input` is about this key. A key of the number pad is a digit only while Num Lock is on.
    pub(in crate::game) fn is_typed_by(self, input: &KeyboardInput, layout: Layout) -> bool {
        match self {
            Self::Letter(letter) => self::letter(input, layout).is_some_and(|typed| letter.contains(typed)),
            Self::Code(code) => {
                input.key_code == code && (typed(input).is_some() || !DIGITS_OF_NUMBER_PAD.contains(&code))
            }
        }
    }

    /// The physical key: for a letter, its position on a US keyboard.
    pub fn code(self) -> Option<KeyCode> {
        match self {
            Self::Letter(letter) => CODES.iter().find(|(known, _)| known.contains(letter)).map(|(_, code)| *code),
            Self::Code(code) => Some(code),
        }
    }
}

/// The characters that the keys of a US keyboard type, with and without Shift.
const CODES: [(&str, KeyCode); 30] = [
    ("a", KeyCode::KeyA),
    ("b", KeyCode::KeyB),
    ("c", KeyCode::KeyC),
    ("d", KeyCode::KeyD),
    ("e", KeyCode::KeyE),
    ("f", KeyCode::KeyF),
    ("g", KeyCode::KeyG),
    ("h", KeyCode::KeyH),
    ("i", KeyCode::KeyI),
    ("j", KeyCode::KeyJ),
    ("k", KeyCode::KeyK),
    ("l", KeyCode::KeyL),
    ("m", KeyCode::KeyM),
    ("n", KeyCode::KeyN),
    ("o", KeyCode::KeyO),
    ("p", KeyCode::KeyP),
    ("q", KeyCode::KeyQ),
    ("r", KeyCode::KeyR),
    ("s", KeyCode::KeyS),
    ("t", KeyCode::KeyT),
    ("u", KeyCode::KeyU),
    ("v", KeyCode::KeyV),
    ("w", KeyCode::KeyW),
    ("x", KeyCode::KeyX),
    ("y", KeyCode::KeyY),
    ("z", KeyCode::KeyZ),
    ("=+", KeyCode::Equal),
    ("-_", KeyCode::Minus),
    (",<", KeyCode::Comma),
    (".>", KeyCode::Period),
];

const DIGITS_OF_NUMBER_PAD: RangeInclusive<KeyCode> = KeyCode::Numpad0..=KeyCode::Numpad9;

/// The character that a US keyboard has at a place, without Shift; `None` if no key there is bound by its character.
pub(in crate::game) fn character_at(is_here: impl Fn(KeyCode) -> bool) -> Option<char> {
    CODES.iter().find(|(_, code)| is_here(*code)).and_then(|(characters, _)| characters.chars().next())
}

/// The small letter or the sign that a key means on a keyboard of this layout.
pub(in crate::game) fn letter(input: &KeyboardInput, layout: Layout) -> Option<char> {
    layout.meaning(typed(input), character_at(|code| code == input.key_code))
}

/// One row of the table of keys.
pub struct Binding {
    /// The action.
    pub action: Action,
    /// The keys that ask for the action.
    pub keys: &'static [KeyPress],
    /// The modifiers that must be held with them.
    pub modifiers: Modifiers,
    /// The name of the keys on screen.
    pub key_name: &'static str,
    /// The label of the button.
    pub label: &'static str,
    /// The description of the action, for the help page. Neighbours in the table with the same description share a row
    /// there.
    pub description: &'static str,
    /// Whether holding the key repeats the action.
    pub repeats: bool,
    /// The mode on whose help page alone it is listed; `None` for both.
    pub mode: Option<GameMode>,
}

const fn binding(
    action: Action,
    keys: &'static [KeyPress],
    key_name: &'static str,
    label: &'static str,
    description: &'static str,
) -> Binding {
    Binding { action, keys, modifiers: Modifiers::NONE, key_name, label, description, repeats: false, mode: None }
}

/// A row that is only listed for walking.
const fn walking(
    action: Action,
    keys: &'static [KeyPress],
    key_name: &'static str,
    label: &'static str,
    description: &'static str,
) -> Binding {
    Binding { mode: Some(GameMode::Walking), ..binding(action, keys, key_name, label, description) }
}

/// A row that is only listed for painting.
const fn painting(
    action: Action,
    keys: &'static [KeyPress],
    key_name: &'static str,
    label: &'static str,
    description: &'static str,
) -> Binding {
    Binding { mode: Some(GameMode::Painting), ..binding(action, keys, key_name, label, description) }
}

/// A row that takes a terrain of the palette.
const fn take(position: u8, keys: &'static [KeyPress], key_name: &'static str) -> Binding {
    painting(Action::Brush(BrushChange::Take(position)), keys, key_name, "Take", TAKE_FIRST)
}

impl Binding {
    /// The same binding, repeated while the key is held.
    const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }

    /// The same binding, with keys that must be held.
    const fn with(self, modifiers: Modifiers) -> Self {
        Self { modifiers, ..self }
    }
}

const MOVE_CURSOR: &str = "move the tile cursor";
const ZOOM: &str = "zoom in or out";
const PAN: &str = "pan";
const STEP: &str = "search or recording: one step back or forward";
const JUMP: &str = "search or recording: to the start or the end";
const MISTAKES: &str = "your own search: the next or the previous mistake";
const SPEED: &str = "search or recording: slower or faster";
const SIZE_TEXT: &str = "larger or smaller text";
const REDO: &str = "redo";
const TAKE_FIRST: &str = "choose one of the first nine terrains";
const TAKE: &str = "choose the previous or next terrain";
const CLIP: &str = "cut, copy or paste the selection";
const TURN_PAGE: &str = "open the previous or the next map";

/// Every action that has a key, in the order of the help page.
pub const BINDINGS: &[Binding] = &[
    walking(Action::GoToCastle, &[Code(KeyCode::Space)], "Space", "Go", "walk to the castle"),
    binding(Action::Erupt, &[Letter("v")], "V", "Erupt", "make volcanoes erupt, or calm them").with(Modifiers::NEITHER),
    binding(Action::ToggleAnnounced, &[Letter("v")], "Shift V", "Announce", "announce an eruption, or call it off")
        .with(Modifiers::SHIFT),
    walking(Action::Reset, &[Letter("r")], "R", "Reset", "go back to the tent"),
    binding(Action::MoveCursor(Direction::N), &[Code(KeyCode::ArrowUp)], "↑", "North", MOVE_CURSOR).repeating(),
    binding(Action::MoveCursor(Direction::E), &[Code(KeyCode::ArrowRight)], "→", "East", MOVE_CURSOR).repeating(),
    binding(Action::MoveCursor(Direction::S), &[Code(KeyCode::ArrowDown)], "↓", "South", MOVE_CURSOR).repeating(),
    binding(Action::MoveCursor(Direction::W), &[Code(KeyCode::ArrowLeft)], "←", "West", MOVE_CURSOR).repeating(),
    walking(
        Action::GoToCursor { straight: false },
        &[Code(KeyCode::Enter), Code(KeyCode::NumpadEnter)],
        "Enter",
        "Walk here",
        "walk to the tile cursor",
    ),
    binding(Action::Zoom { zoom: Zoom::In, towards: None }, &[Letter("+"), Letter("=")], "+", "In", ZOOM).repeating(),
    binding(Action::Zoom { zoom: Zoom::Out, towards: None }, &[Letter("-"), Letter("_")], "-", "Out", ZOOM).repeating(),
    binding(Action::Fit, &[Letter("f")], "F", "Fit", "show the whole map"),
    walking(Action::FindTraveller, &[Letter("t")], "T", "Find", "show the traveller"),
    binding(Action::Pan(Direction::N), &[Letter("w")], "W", "Pan up", PAN),
    binding(Action::Pan(Direction::W), &[Letter("a")], "A", "Pan left", PAN),
    binding(Action::Pan(Direction::S), &[Letter("s")], "S", "Pan down", PAN),
    binding(Action::Pan(Direction::E), &[Letter("d")], "D", "Pan right", PAN),
    binding(Action::ToggleMinimap, &[Letter("m")], "Ctrl M", "Minimap", "show or hide the minimap")
        .with(Modifiers::CTRL),
    binding(Action::PreviousMap, &[Code(KeyCode::PageUp)], "PgUp", "Prev", TURN_PAGE),
    binding(Action::NextMap, &[Code(KeyCode::PageDown)], "PgDn", "Next", TURN_PAGE),
    binding(Action::ToggleSearchView, &[Code(KeyCode::Tab)], "Tab", "Search", "watch the search"),
    walking(Action::ToggleRace, &[Letter("b")], "B", "Race", "watch two searches side by side"),
    walking(Action::Playback(Playback::Toggle), &[Letter("p")], "P", "Play", "search or recording: play or pause"),
    walking(Action::Playback(Playback::StepBack), &[Letter(",")], ",", "Back", STEP).repeating(),
    walking(Action::Playback(Playback::StepOn), &[Letter(".")], ".", "On", STEP).repeating(),
    walking(Action::Playback(Playback::Start), &[Code(KeyCode::Home)], "Home", "Start", JUMP),
    walking(Action::Playback(Playback::End), &[Code(KeyCode::End)], "End", "End", JUMP),
    walking(Action::Playback(Playback::Slower), &[Code(KeyCode::BracketLeft)], "[", "Slower", SPEED),
    walking(Action::Playback(Playback::Faster), &[Code(KeyCode::BracketRight)], "]", "Faster", SPEED),
    walking(Action::StepToMistake { back: false }, &[Code(KeyCode::F3)], "F3", "Next mistake", MISTAKES)
        .with(Modifiers::NEITHER),
    walking(Action::StepToMistake { back: true }, &[Code(KeyCode::F3)], "Shift F3", "Previous mistake", MISTAKES)
        .with(Modifiers::SHIFT),
    walking(Action::ToggleComparison, &[Letter("c")], "C", "Compare", "compare all algorithms"),
    walking(Action::ToggleWhy, &[Letter("y")], "Y", "Why", "why not through here? (or hold Alt)"),
    walking(Action::NextOverlay, &[Letter("o")], "O", "Overlay", "costs, costs to the goal, levels, traffic"),
    binding(
        Action::SizeText(TextStep::Larger),
        &[Letter("+"), Letter("="), Code(KeyCode::NumpadAdd)],
        "Ctrl +",
        "Larger",
        SIZE_TEXT,
    )
    .with(Modifiers::CTRL_AND_SIGN)
    .repeating(),
    binding(
        Action::SizeText(TextStep::Smaller),
        &[Letter("-"), Letter("_"), Code(KeyCode::NumpadSubtract)],
        "Ctrl -",
        "Smaller",
        SIZE_TEXT,
    )
    .with(Modifiers::CTRL_AND_SIGN)
    .repeating(),
    binding(
        Action::SizeText(TextStep::Normal),
        &[Code(KeyCode::Digit0), Code(KeyCode::Numpad0)],
        "Ctrl 0",
        "Normal",
        "normal text size",
    )
    .with(Modifiers::CTRL),
    binding(Action::TogglePainting, &[Letter("e")], "E", "Paint", "paint the map, or walk again"),
    take(0, &[Code(KeyCode::Digit1), Code(KeyCode::Numpad1)], "1"),
    take(1, &[Code(KeyCode::Digit2), Code(KeyCode::Numpad2)], "2"),
    take(2, &[Code(KeyCode::Digit3), Code(KeyCode::Numpad3)], "3"),
    take(3, &[Code(KeyCode::Digit4), Code(KeyCode::Numpad4)], "4"),
    take(4, &[Code(KeyCode::Digit5), Code(KeyCode::Numpad5)], "5"),
    take(5, &[Code(KeyCode::Digit6), Code(KeyCode::Numpad6)], "6"),
    take(6, &[Code(KeyCode::Digit7), Code(KeyCode::Numpad7)], "7"),
    take(7, &[Code(KeyCode::Digit8), Code(KeyCode::Numpad8)], "8"),
    take(8, &[Code(KeyCode::Digit9), Code(KeyCode::Numpad9)], "9"),
    painting(Action::Brush(BrushChange::Previous), &[Letter("q")], "Q", "Before", TAKE),
    painting(Action::Brush(BrushChange::Next), &[Letter("x")], "X", "After", TAKE),
    painting(Action::Brush(BrushChange::Pick(None)), &[Letter("k")], "K", "Pick", "pick the terrain under the pointer"),
    painting(
        Action::Brush(BrushChange::Hold(Brush::Eraser)),
        &[Code(KeyCode::Digit0), Code(KeyCode::Numpad0)],
        "0",
        "Erase",
        "erase everything on the ground",
    ),
    painting(Action::Brush(BrushChange::Smaller), &[Letter("j")], "J", "Smaller", "make the brush smaller or larger"),
    painting(Action::Brush(BrushChange::Larger), &[Letter("l")], "L", "Larger", "make the brush smaller or larger"),
    painting(
        Action::Brush(BrushChange::NextTool),
        &[Letter("u")],
        "U",
        "Tool",
        "pencil, line, rectangle, outline or selection",
    ),
    painting(Action::Brush(BrushChange::Tool(Tool::Fill)), &[Letter("g")], "G", "Fill", "fill connected cells"),
    painting(Action::Selection(SelectionChange::All), &[Letter("a")], "Ctrl A", "All", "select the whole map")
        .with(Modifiers::CTRL),
    painting(Action::Selection(SelectionChange::Cut), &[Letter("x")], "Ctrl X", "Cut", CLIP).with(Modifiers::CTRL),
    painting(Action::Selection(SelectionChange::Copy), &[Letter("c")], "Ctrl C", "Copy", CLIP).with(Modifiers::CTRL),
    painting(Action::Selection(SelectionChange::Paste), &[Letter("v")], "Ctrl V", "Paste", CLIP).with(Modifiers::CTRL),
    painting(
        Action::Selection(SelectionChange::Delete),
        &[Code(KeyCode::Delete), Code(KeyCode::Backspace)],
        "Del",
        "Delete",
        "clear the selection, except its ground",
    ),
    binding(Action::ToggleDock, &[Code(KeyCode::F2)], "F2", "Panel", "open or close the side panel"),
    binding(Action::ToggleBare, &[Letter("z")], "Z", "Map alone", "hide or show everything but the map"),
    binding(Action::Undo, &[Letter("z")], "Ctrl Z", "Undo", "undo").with(Modifiers::CTRL).repeating(),
    binding(Action::Redo, &[Letter("y")], "Ctrl Y", "Redo", REDO).with(Modifiers::CTRL).repeating(),
    binding(Action::Redo, &[Letter("z")], "Ctrl Shift Z", "Redo", REDO).with(Modifiers::CTRL_SHIFT).repeating(),
    binding(Action::Save, &[Letter("s")], "Ctrl S", "Save", "save the map").with(Modifiers::CTRL),
    binding(Action::SaveAnew, &[Letter("s")], "Ctrl Shift S", "Save as", "save the map under another name")
        .with(Modifiers::CTRL_SHIFT),
    binding(Action::NewMap, &[Letter("n")], "N", "New", "make a new map"),
    binding(Action::ListMaps, &[Letter("o")], "Ctrl O", "Open", "open a map").with(Modifiers::CTRL),
    // On the desktop, the list of maps shows files, and there is no address.
    #[cfg(target_arch = "wasm32")]
    binding(Action::ChooseFile, &[Letter("o")], "Ctrl Shift O", "File", "open a map file").with(Modifiers::CTRL_SHIFT),
    #[cfg(target_arch = "wasm32")]
    binding(Action::CopyLink, &[Letter("i")], "I", "Link", "copy a link to this view"),
    binding(Action::Lessons, &[Code(KeyCode::F8)], "F8", "Lessons", "learn how searches find their routes"),
    binding(Action::EditMap, &[Letter("r")], "Ctrl R", "Map", "change the map's size, name and hours")
        .with(Modifiers::CTRL),
    binding(Action::NextHour, &[Code(KeyCode::F9)], "F9", "Hour", "noon, dusk, night, or let the day pass"),
    walking(Action::ToggleAnimation, &[Letter("m")], "M", "Pause", "pause or resume animation"),
    walking(
        Action::Screenshot { with_panels: false },
        &[Code(KeyCode::F12)],
        "F12",
        "Screenshot",
        "save a screenshot of the map alone",
    )
    .with(Modifiers::NEITHER),
    walking(
        Action::Screenshot { with_panels: true },
        &[Code(KeyCode::F12)],
        "Shift F12",
        "Screenshot",
        "save a screenshot with the panels",
    )
    .with(Modifiers::SHIFT),
    binding(Action::Help, &[Letter("h"), Code(KeyCode::F1)], "H, F1", "Help", "open or close this page"),
    binding(Action::Escape, &[Code(KeyCode::Escape)], "Esc", "Close", "close what is open"),
    // The second Escape quits. In the web version, the browser closes the page.
    #[cfg(not(target_arch = "wasm32"))]
    binding(Action::Quit, &[], "Esc Esc", "Quit", "quit: twice within two seconds"),
];

/// The row of the table for an action.
pub(in crate::game) fn binding_of(action: Action) -> Option<&'static Binding> {
    BINDINGS.iter().find(|binding| binding.action == action)
}

/// The binding for a key that is pressed.
pub(super) fn binding_for(input: &KeyboardInput, held: &HeldModifiers) -> Option<&'static Binding> {
    // With Alt they belong to the desktop, even if it reports them.
    const DESKTOP: [KeyCode; 3] = [KeyCode::Tab, KeyCode::Space, KeyCode::Escape];
    if held.alt() && DESKTOP.contains(&input.key_code) {
        return None;
    }
    let mut fitting = BINDINGS.iter().filter(|binding| held.fit(binding.modifiers));
    let typed = |binding: &&Binding| binding.keys.iter().any(|key| key.is_typed_by(input, held.layout()));
    let placed = |binding: &&Binding| binding.keys.iter().any(|key| key.code() == Some(input.key_code));
    if !held.alt() {
        fitting.find(typed)
    } else if held.alt_left() {
        // With Alt a key may type another character, or none.
        fitting.find(placed)
    } else {
        // AltGr: some keyboards need it to type a character that is bound.
        fitting.clone().find(typed).or_else(|| fitting.find(placed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the same keys can be held for both.
    fn overlap(one: Modifiers, other: Modifiers) -> bool {
        let has_other_shift = matches!((one.shift, other.shift), (Some(one), Some(other)) if one != other);
        one.ctrl == other.ctrl && !has_other_shift
    }

    /// Every two different bindings whose modifiers can be held at the same time.
    fn pairs() -> impl Iterator<Item = (&'static Binding, &'static Binding)> {
        let pairs = (0..BINDINGS.len()).flat_map(|k| BINDINGS[k + 1..].iter().map(move |other| (&BINDINGS[k], other)));
        pairs.filter(|(one, other)| overlap(one.modifiers, other.modifiers))
    }

    #[test]
    fn no_key_has_two_actions() {
        for (one, other) in pairs() {
            for key in one.keys {
                assert!(!other.keys.contains(key), "{key:?}: {:?} and {:?}", one.action, other.action);
            }
        }
    }

    #[test]
    fn no_place_on_the_keyboard_has_two_actions_and_every_letter_has_one() {
        for key in BINDINGS.iter().flat_map(|binding| binding.keys) {
            assert!(key.code().is_some(), "{key:?}");
        }
        for (one, other) in pairs() {
            for key in one.keys {
                assert!(other.keys.iter().all(|other| other.code() != key.code()), "{key:?}: {:?}", other.action);
            }
        }
    }
}
