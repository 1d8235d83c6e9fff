//! Turns key presses into actions: those of the table of keys, or those of the question or the dialog that is open.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy::window::WindowEvent;

use crate::game::action::{Action, Answer, DialogInput, TextEdit};
use crate::game::app_systems::AppSystems;
use crate::game::dialog::OpenDialog;
use crate::game::mode::{AsksWhy, HasPanels, HelpPage};
use crate::game::modifiers::{HeldModifiers, Modifiers};
use crate::game::question::OpenQuestion;

use super::bindings::{Binding, binding_for};
use super::mouse;
use super::pan_keys::{HeldPanKeys, pan_by_keys};
use super::scroll_area::{ScrollArea, distance_of_key, scroll_range};

/// Adds what turns keys into actions.
pub(super) fn rules(app: &mut App) {
    app.init_resource::<HeldModifiers>()
        .add_message::<WindowEvent>()
        .init_resource::<HeldPanKeys>()
        .add_systems(Update, (send_actions.before(mouse::handle_mouse), ask_why).chain().in_set(AppSystems::Listen));
}

/// Adds what moves the view of a window.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, pan_by_keys.after(mouse::handle_mouse).after(send_actions).in_set(AppSystems::Listen));
}

/// Sends the actions of the pressed keys. A question takes all keys, and so does a dialog. While a page is open that
/// does not fit into the window, the arrow keys and the page keys scroll it. The other arrow keys show the other help
/// page.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(super) fn send_actions(
    mut events: MessageReader<WindowEvent>,
    mut held: ResMut<HeldModifiers>,
    mut pans: ResMut<HeldPanKeys>,
    areas: Query<(Entity, &ScrollArea, &ComputedNode)>,
    question: Res<OpenQuestion>,
    help: Res<State<HelpPage>>,
    dialog: Res<OpenDialog>,
    has_panels: Res<HasPanels>,
    mut actions: MessageWriter<Action>,
) {
    let page = areas.iter().find(|(_, area, node)| area.takes_keys && scroll_range(node) > 0.0);
    let mut has_dialog = dialog.get().is_some();
    for event in events.read() {
        held.note(event);
        let takes_all = has_dialog || *question != OpenQuestion::None;
        pans.note(event, &held, takes_all);
        let WindowEvent::KeyboardInput(input @ KeyboardInput { state: ButtonState::Pressed, .. }) = event else {
            continue;
        };
        if *question != OpenQuestion::None {
            let answer = answer_of(input.key_code, &question);
            actions.write_batch(answer.filter(|_| !input.repeat).map(Action::Answer));
            continue;
        }
        if has_dialog {
            actions.write_batch(dialog_inputs(input, &held).into_iter().map(Action::Dialog));
            continue;
        }
        if *help.get() != HelpPage::Closed
            && matches!(input.key_code, KeyCode::ArrowLeft | KeyCode::ArrowRight)
            && held.fit(Modifiers::NONE)
        {
            actions.write_batch((!input.repeat).then_some(Action::TurnHelpPage));
            continue;
        }
        let scrolled = page
            .filter(|_| held.fit(Modifiers::NONE))
            .and_then(|(area, _, node)| Some((area, distance_of_key(input.key_code, node)?)));
        if let Some((area, by)) = scrolled {
            actions.write(Action::Scroll { area, by });
            continue;
        }
        let is_asked_for =
            |binding: &&Binding| (binding.repeats || !input.repeat) && (has_panels.0 || !binding.action.opens_panel());
        if let Some(binding) = binding_for(input, &held).filter(is_asked_for) {
            actions.write(binding.action);
            // A slow frame may have the keys that follow, too.
            has_dialog = binding.action.opens_dialog();
        }
    }
}

/// The answer that a key gives to a question: Enter the first one, Escape the last one, and a digit the one of
/// that number.
fn answer_of(key: KeyCode, question: &OpenQuestion) -> Option<Answer> {
    const DIGITS: [KeyCode; 4] = [KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3, KeyCode::Digit4];
    let answers = question.answers();
    let answer = match key {
        KeyCode::Enter | KeyCode::NumpadEnter => answers.first(),
        KeyCode::Escape => answers.last(),
        _ => answers.get(DIGITS.iter().position(|digit| *digit == key)?),
    };
    answer.map(|(answer, _)| *answer)
}

/// Returns what a key does in a dialog. A key may type several characters.
fn dialog_inputs(input: &KeyboardInput, held: &HeldModifiers) -> Vec<DialogInput> {
    const PAGE: i32 = 10;
    let is_plain = held.fit(Modifiers::NONE);
    let done = match input.key_code {
        KeyCode::Enter | KeyCode::NumpadEnter if !input.repeat => DialogInput::Confirm,
        KeyCode::Escape if !input.repeat => DialogInput::Cancel,
        KeyCode::Enter | KeyCode::NumpadEnter | KeyCode::Escape => return Vec::new(),
        KeyCode::Tab => DialogInput::Turn(if held.shift() { -1 } else { 1 }),
        KeyCode::ArrowUp => DialogInput::Move(-1),
        KeyCode::ArrowDown => DialogInput::Move(1),
        KeyCode::PageUp => DialogInput::Move(-PAGE),
        KeyCode::PageDown => DialogInput::Move(PAGE),
        KeyCode::ArrowLeft => DialogInput::Step(-1),
        KeyCode::ArrowRight => DialogInput::Step(1),
        KeyCode::Home => DialogInput::Edit(TextEdit::Start),
        KeyCode::End => DialogInput::Edit(TextEdit::End),
        KeyCode::Backspace => DialogInput::Edit(TextEdit::Backspace),
        KeyCode::Delete => DialogInput::Edit(TextEdit::Delete),
        _ if !is_plain && matches!(&input.logical_key, Key::Character(typed) if typed.eq_ignore_ascii_case("a")) => {
            DialogInput::Edit(TextEdit::SelectAll)
        }
        _ if !is_plain && matches!(&input.logical_key, Key::Character(typed) if typed.eq_ignore_ascii_case("v")) => {
            DialogInput::Paste
        }
        _ => {
            let typed = match (&input.text, &input.logical_key) {
                (Some(text), _) | (None, Key::Character(text)) => text.as_str(),
                (None, Key::Space) => " ",
                _ => "",
            };
            // AltGr types characters, too.
            let types = is_plain || held.alt();
            return typed.chars().filter(|_| types).map(DialogInput::Type).collect();
        }
    };
    vec![done]
}

/// Asks why the route does not lead through the inspected cell while Alt is held.
fn ask_why(held: Res<HeldModifiers>, mut asks: ResMut<AsksWhy>) {
    if asks.held != held.alt() {
        asks.held = held.alt();
    }
}
