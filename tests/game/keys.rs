//! Keys: by what they type, by where they are, and with Ctrl and Alt.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;
use bevy::window::WindowEvent;

use emberwalk::game::action::TextStep;
use emberwalk::game::screen::mode::{AsksWhy, HasPanels};
use emberwalk::game::screen::text_size::TextSize;

use KeyCode::{AltLeft, AltRight, ControlLeft, ControlRight, ShiftLeft, SuperLeft};

use crate::prelude::*;

const SMALLER_ZOOM: Action = Action::Zoom { zoom: Zoom::Out, towards: None };
const LARGER_ZOOM: Action = Action::Zoom { zoom: Zoom::In, towards: None };

fn game() -> Game {
    Game::on_grass(&["1..2"])
}

/// The event of a key that types this, or nothing if it is empty.
pub fn event(code: KeyCode, typed: &str, state: ButtonState) -> WindowEvent {
    let logical_key = if typed.is_empty() { Key::Shift } else { Key::Character(typed.into()) };
    let window = Entity::PLACEHOLDER;
    WindowEvent::KeyboardInput(KeyboardInput { key_code: code, logical_key, state, text: None, repeat: false, window })
}

/// Presses and releases a key while others are held, all in one frame, and returns the actions that this causes.
fn press_with(game: &mut Game, held: &[KeyCode], code: KeyCode, typed: &str) -> Vec<Action> {
    let mut events: Vec<_> = held.iter().map(|code| event(*code, "", ButtonState::Pressed)).collect();
    events.extend([event(code, typed, ButtonState::Pressed), event(code, typed, ButtonState::Released)]);
    events.extend(held.iter().map(|code| event(*code, "", ButtonState::Released)));
    let world = game.app().world_mut();
    world.resource_mut::<Messages<Action>>().clear();
    world.write_message_batch(events);
    game.app().update();
    game.get_mut::<Messages<Action>>().drain().collect()
}

fn press(held: &[KeyCode], code: KeyCode, typed: &str) -> Vec<Action> {
    press_with(&mut game(), held, code, typed)
}

/// Presses and releases a key in one frame.
pub fn press_key(game: &mut Game, code: KeyCode, typed: &str) {
    game.app()
        .world_mut()
        .write_message_batch([event(code, typed, ButtonState::Pressed), event(code, typed, ButtonState::Released)]);
    game.app().update();
}

/// Presses or releases Shift.
pub fn shift(is_held: bool) -> WindowEvent {
    event(ShiftLeft, "", if is_held { ButtonState::Pressed } else { ButtonState::Released })
}

/// Presses Enter while Shift is held, and releases both.
pub fn shift_enter() -> [WindowEvent; 4] {
    let enter = |state| event(KeyCode::Enter, "", state);
    [shift(true), enter(ButtonState::Pressed), enter(ButtonState::Released), shift(false)]
}

#[test]
fn with_ctrl_letters_do_something_else() {
    for (code, typed, change) in [
        (KeyCode::KeyA, "a", SelectionChange::All),
        (KeyCode::KeyC, "c", SelectionChange::Copy),
        (KeyCode::KeyX, "x", SelectionChange::Cut),
        (KeyCode::KeyV, "v", SelectionChange::Paste),
    ] {
        assert_eq!(press(&[ControlLeft], code, typed), [Action::Selection(change)]);
    }
    assert_eq!(press(&[], KeyCode::KeyC, "c"), [Action::ToggleComparison]);
    assert_eq!(press(&[ControlLeft], KeyCode::KeyM, "m"), [Action::ToggleMinimap]);
    assert_eq!(press(&[], KeyCode::KeyM, "m"), [Action::ToggleAnimation]);
    assert_eq!(press(&[], KeyCode::Delete, ""), [Action::Selection(SelectionChange::Delete)]);
}

#[test]
fn there_are_two_help_pages_and_it_opens_at_that_of_the_mode() {
    let mut game = game();
    let page = |game: &Game| game.get::<Screen>().help;
    game.ask(Action::Help);
    assert_eq!(page(&game), Some(GameMode::Walking));
    game.ask(Action::TurnHelpPage);
    assert_eq!(page(&game), Some(GameMode::Painting));
    game.ask(Action::Escape);
    assert_eq!(page(&game), None);
    game.ask(Action::TogglePainting);
    game.ask(Action::Help);
    assert_eq!(page(&game), Some(GameMode::Painting));
}

#[test]
fn f12_is_a_screenshot_of_the_map_and_shift_f12_of_the_panels_too() {
    for (held, with_panels) in [(&[][..], false), (&[ShiftLeft], true)] {
        assert_eq!(press(held, KeyCode::F12, ""), [Action::Screenshot { with_panels }]);
    }
    assert_eq!(press(&[ControlLeft], KeyCode::F12, ""), []);
}

#[test]
fn letters_count_by_what_they_type_and_brackets_by_where_they_are() {
    assert_eq!(press(&[], KeyCode::KeyV, "v"), [Action::Erupt]);
    assert_eq!(press(&[], KeyCode::Period, "v"), [Action::Erupt], "on a Dvorak keyboard");
    assert_eq!(press(&[], KeyCode::KeyV, "V"), [Action::Erupt], "with Caps Lock");
    assert_eq!(press(&[ShiftLeft], KeyCode::KeyB, "B"), [Action::ToggleRace]);
    assert_eq!(press(&[ShiftLeft], KeyCode::KeyV, "V"), [Action::ToggleAnnounced]);
    let slower = Action::Playback(emberwalk::game::action::Playback::Slower);
    assert_eq!(press(&[], KeyCode::BracketLeft, "ü"), [slower], "on a German keyboard");
}

#[test]
fn letters_that_the_keyboard_does_not_have_count_by_where_they_are() {
    let keyboards = [
        ("Russian", [(KeyCode::KeyV, "м"), (KeyCode::KeyE, "у"), (KeyCode::KeyZ, "я"), (KeyCode::KeyO, "щ")]),
        ("Greek", [(KeyCode::KeyV, "ω"), (KeyCode::KeyE, "ε"), (KeyCode::KeyZ, "ζ"), (KeyCode::KeyO, "ο")]),
        ("Hebrew", [(KeyCode::KeyV, "ה"), (KeyCode::KeyE, "ק"), (KeyCode::KeyZ, "ז"), (KeyCode::KeyO, "ם")]),
        ("Arabic", [(KeyCode::KeyV, "ر"), (KeyCode::KeyE, "ث"), (KeyCode::KeyZ, "ئ"), (KeyCode::KeyO, "خ")]),
        ("Japanese", [(KeyCode::KeyV, "ひ"), (KeyCode::KeyE, "い"), (KeyCode::KeyZ, "つ"), (KeyCode::KeyO, "ら")]),
    ];
    for (name, keys) in keyboards {
        let alone = keys.map(|(code, typed)| press(&[], code, typed));
        let expected = [Action::Erupt, Action::TogglePainting, Action::ToggleBare, Action::NextOverlay];
        assert_eq!(alone, expected.map(|action| vec![action]), "{name}");
        let with_ctrl = keys.map(|(code, typed)| press(&[ControlLeft], code, typed));
        let paste = Action::Selection(SelectionChange::Paste);
        assert_eq!(with_ctrl, [vec![paste], vec![], vec![Action::Undo], vec![Action::ListMaps]], "{name}");
        let [(code, typed), ..] = keys;
        assert_eq!(press(&[ShiftLeft], code, typed), [Action::ToggleAnnounced], "{name}");
        assert_eq!(press(&[AltLeft], code, typed), [Action::Erupt], "{name}");
    }
    assert_eq!(press(&[ControlLeft, ShiftLeft], KeyCode::KeyS, "Ы"), [Action::SaveAnew]);
    let step_back = Action::Playback(emberwalk::game::action::Playback::StepBack);
    assert_eq!(press(&[], KeyCode::Comma, "б"), [step_back], "a sign under a letter");
}

#[test]
fn on_a_hebrew_keyboard_the_signs_on_its_keys_for_letters_are_letters() {
    let mut game = game();
    assert_eq!(press_with(&mut game, &[], KeyCode::KeyQ, "/"), [], "it may be any keyboard");
    press_with(&mut game, &[], KeyCode::KeyT, "א");
    assert_eq!(press_with(&mut game, &[], KeyCode::KeyQ, "/"), [Action::Brush(BrushChange::Previous)]);
    press_with(&mut game, &[], KeyCode::KeyT, "t");
    assert_eq!(press_with(&mut game, &[], KeyCode::KeyQ, "/"), [], "Dvorak has its Q elsewhere");
}

#[test]
fn digits_of_the_number_pad_choose_terrains_while_num_lock_is_on() {
    let take = |index| Action::Brush(BrushChange::Take(index));
    for (code, digit, pad) in [(KeyCode::Digit1, "1", KeyCode::Numpad1), (KeyCode::Digit9, "9", KeyCode::Numpad9)] {
        let index = digit.parse::<u8>().expect("a digit") - 1;
        assert_eq!((press(&[], code, digit), press(&[], pad, digit)), (vec![take(index)], vec![take(index)]));
        assert_eq!(press(&[], pad, ""), [], "without Num Lock it is End or Page Up");
    }
    let eraser = Action::Brush(BrushChange::Hold(Brush::Eraser));
    assert_eq!(press(&[], KeyCode::Numpad0, "0"), [eraser]);
    assert_eq!(press(&[ControlLeft], KeyCode::Numpad0, "0"), [Action::SizeText(TextStep::Normal)]);
    assert_eq!(press(&[], KeyCode::Digit1, "&"), [take(0)], "on a French keyboard");
}

#[test]
fn a_plain_key_does_nothing_with_ctrl_or_the_logo_key() {
    for held in [&[ControlLeft][..], &[ControlRight], &[ControlLeft, ShiftLeft], &[SuperLeft], &[ControlLeft, AltLeft]]
    {
        for (code, typed) in [(KeyCode::KeyL, "l"), (KeyCode::Space, " "), (KeyCode::BracketLeft, "[")] {
            assert_eq!(press(held, code, typed), [], "{held:?} {code:?}");
        }
    }
}

#[test]
fn ctrl_with_plus_and_minus_sizes_text_and_without_it_they_zoom() {
    for (code, held, typed, step, zoom) in [
        (KeyCode::Equal, None, "=", TextStep::Larger, LARGER_ZOOM),
        (KeyCode::Equal, Some(ShiftLeft), "+", TextStep::Larger, LARGER_ZOOM),
        (KeyCode::BracketRight, None, "+", TextStep::Larger, LARGER_ZOOM),
        (KeyCode::NumpadAdd, None, "+", TextStep::Larger, LARGER_ZOOM),
        (KeyCode::Minus, None, "-", TextStep::Smaller, SMALLER_ZOOM),
        (KeyCode::NumpadSubtract, None, "-", TextStep::Smaller, SMALLER_ZOOM),
    ] {
        let held: Vec<_> = held.into_iter().collect();
        assert_eq!(press(&held, code, typed), [zoom], "{code:?}");
        let with_ctrl = [&[ControlLeft], &*held].concat();
        assert_eq!(press(&with_ctrl, code, typed), [Action::SizeText(step)], "{code:?}");
    }
    assert_eq!(press(&[ControlLeft], KeyCode::Digit0, "0"), [Action::SizeText(TextStep::Normal)]);
    assert_eq!(press(&[], KeyCode::Digit0, "0"), [Action::Brush(BrushChange::Hold(Brush::Eraser))]);
}

#[test]
fn while_alt_is_held_keys_count_by_where_they_are() {
    assert_eq!(press(&[AltLeft], KeyCode::KeyV, "√"), [Action::Erupt], "on a Mac");
    assert_eq!(press(&[AltLeft], KeyCode::KeyV, ""), [Action::Erupt], "a dead key");
    assert_eq!(press(&[AltLeft], KeyCode::Period, "v"), press(&[], KeyCode::Period, "."));
    assert_eq!(press(&[AltLeft], KeyCode::ArrowUp, ""), press(&[], KeyCode::ArrowUp, ""));
    assert_eq!(press(&[AltRight], KeyCode::KeyV, "“"), [Action::Erupt]);
    assert_eq!(press(&[AltRight], KeyCode::KeyV, "+"), [LARGER_ZOOM], "AltGr types what is bound");
    for code in [KeyCode::Tab, KeyCode::Space, KeyCode::Escape] {
        assert_eq!(press(&[AltLeft], code, ""), [], "Alt with {code:?} is the desktop's");
    }
}

#[test]
fn shift_counts_for_the_enter_that_it_was_held_with_and_not_for_the_frame() {
    for (held, straight) in [(&[][..], false), (&[ShiftLeft], true)] {
        assert_eq!(press(held, KeyCode::Enter, ""), [Action::GoToCursor { straight }]);
    }
}

#[test]
fn losing_the_focus_lets_go_of_alt_and_ctrl() {
    let mut game = game();
    let asks = |game: &Game| game.get::<AsksWhy>().held;
    for code in [AltLeft, ControlLeft] {
        game.app().world_mut().write_message(event(code, "", ButtonState::Pressed));
    }
    game.frame();
    assert!(asks(&game));
    game.app().world_mut().write_message(WindowEvent::KeyboardFocusLost(KeyboardFocusLost));
    game.frame();
    assert!(!asks(&game));
    assert_eq!(press_with(&mut game, &[], KeyCode::KeyV, "v"), [Action::Erupt]);
}

#[test]
fn text_grows_and_shrinks_in_steps_within_limits() {
    let mut game = game();
    let factor = |game: &Game| game.get::<TextSize>().factor();
    let mut sizes = vec![factor(&game)];
    for step in [TextStep::Larger; 9].into_iter().chain([TextStep::Smaller; 9]).chain([TextStep::Normal]) {
        game.ask(Action::SizeText(step));
        sizes.push(factor(&game));
    }
    let highest = sizes.iter().copied().fold(0.0, f32::max);
    let lowest = sizes.iter().copied().fold(9.0, f32::min);
    assert_eq!((sizes[0], sizes[1], highest, lowest), (1.0, 1.25, 2.5, 0.75));
    assert_eq!((sizes[18], sizes[19]), (0.75, 1.0), "{sizes:?}");
}

#[test]
fn without_panels_no_key_opens_what_only_a_panel_shows() {
    let mut game = game();
    game.app().insert_resource(HasPanels(false));
    for (code, typed) in [(KeyCode::Tab, ""), (KeyCode::KeyC, "c"), (KeyCode::KeyE, "e"), (KeyCode::KeyH, "h")] {
        assert_eq!(press_with(&mut game, &[], code, typed), [], "{typed:?}");
    }
    for (code, typed) in [(KeyCode::KeyN, "n"), (KeyCode::KeyO, "o")] {
        assert_eq!(press_with(&mut game, &[ControlLeft], code, typed), [], "Ctrl+{typed}");
    }
    assert_eq!(press_with(&mut game, &[], KeyCode::KeyV, "v"), [Action::Erupt], "the map shows that");
}
