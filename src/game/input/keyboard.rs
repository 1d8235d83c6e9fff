//! Turns key presses into actions, with the table of keys, or for the open question or dialog.

use bevy::input::ButtonState;
use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use bevy::window::WindowEvent;

use crate::game::action::{Action, Answer, DialogInput};
use crate::game::app_systems::AppSystems;
use crate::game::dialog::OpenDialog;
use crate::game::input::modifiers::{EventsWithModifiers, HeldModifiers};
use crate::game::screen::mode::{AsksWhy, HasPanels, Screen};
use crate::game::world::question::OpenQuestion;

use super::bindings::{Binding, binding_for};
use super::mouse;
use super::pan_keys::{HeldPanKeys, pan_by_keys};

/// The keys of this frame that no panel has taken. Without panels there is none.
#[derive(Resource, Default)]
pub(in crate::game) struct UnclaimedKeys {
    /// These keys.
    pub keys: Vec<KeyboardInput>,
    /// Whether Enter was pressed in a dialog in the previous frame: the fields take the text typed before it only at
    /// the end of the frame.
    confirms: bool,
}

impl UnclaimedKeys {
    /// Whether a key is unclaimed; each counts once.
    fn take(&mut self, input: &KeyboardInput) -> bool {
        let found = self.keys.iter().position(|unclaimed| unclaimed == input);
        found.map(|index| self.keys.remove(index)).is_some()
    }
}

/// Adds the systems that turn keys into actions.
pub(super) fn rules(app: &mut App) {
    app.init_resource::<HeldModifiers>()
        .add_message::<WindowEvent>()
        .init_resource::<HeldPanKeys>()
        .add_systems(Update, (send_actions.before(mouse::handle_mouse), ask_why).chain().in_set(AppSystems::Listen));
}

/// Adds the systems that move the view of a window.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, pan_by_keys.after(mouse::handle_mouse).after(send_actions).in_set(AppSystems::Listen));
}

/// Sends the actions of the pressed keys. A question or a dialog takes all keys, and on the help page only the keys that
/// close it count, except for keys that work everywhere.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(super) fn send_actions(
    mut events: EventsWithModifiers,
    mut held_last: ResMut<HeldModifiers>,
    mut pans: ResMut<HeldPanKeys>,
    mut unclaimed: Option<ResMut<UnclaimedKeys>>,
    question: Res<OpenQuestion>,
    screen: Res<Screen>,
    dialog: Res<OpenDialog>,
    has_panels: Res<HasPanels>,
    mut actions: MessageWriter<Action>,
) {
    let mut has_dialog = dialog.get().is_some();
    if unclaimed.as_mut().is_some_and(|unclaimed| std::mem::take(&mut unclaimed.bypass_change_detection().confirms)) {
        actions.write(Action::Dialog(DialogInput::Confirm));
    }
    for (event, held) in events.read() {
        held_last.set_if_neq(held);
        let takes_all = has_dialog || *question != OpenQuestion::None;
        let is_claimed = match (event, &mut unclaimed) {
            (WindowEvent::KeyboardInput(input), Some(unclaimed)) => !unclaimed.take(input),
            _ => false,
        };
        pans.note(event, &held, takes_all || is_claimed);
        let WindowEvent::KeyboardInput(input @ KeyboardInput { state: ButtonState::Pressed, .. }) = event else {
            continue;
        };
        if is_claimed {
            continue;
        }
        // These keys pan as long as they are held.
        let is_pan = |binding: &Binding| matches!(binding.action, Action::Pan(_));
        let is_asked_for = |binding: &&Binding| {
            (binding.repeats || !input.repeat) && (has_panels.0 || !binding.action.opens_panel()) && !is_pan(binding)
        };
        let binding = binding_for(input, &held).filter(is_asked_for);
        if let Some(binding) = binding.filter(|binding| binding.action.works_everywhere()) {
            actions.write(binding.action);
            continue;
        }
        if *question != OpenQuestion::None {
            let answer = answer_of(input.key_code, &question);
            actions.write_batch(answer.filter(|_| !input.repeat).map(Action::Answer));
            continue;
        }
        if has_dialog {
            let done = match input.key_code {
                KeyCode::Enter | KeyCode::NumpadEnter => match &mut unclaimed {
                    Some(unclaimed) => {
                        unclaimed.confirms |= !input.repeat;
                        None
                    }
                    None => Some(DialogInput::Confirm),
                },
                KeyCode::Escape => Some(DialogInput::Cancel),
                _ => None,
            };
            actions.write_batch(done.filter(|_| !input.repeat).map(Action::Dialog));
            continue;
        }
        if let Some(binding) = binding {
            if screen.help.is_some() && !matches!(binding.action, Action::Help | Action::Escape) {
                continue;
            }
            actions.write(binding.action.with_shift(held.shift()));
            // A slow frame may also contain the keys that follow.
            has_dialog = binding.action.opens_dialog();
        }
    }
    if let Some(unclaimed) = unclaimed.filter(|unclaimed| !unclaimed.keys.is_empty()) {
        unclaimed.into_inner().keys.clear();
    }
}

/// The answer that a key gives to a question: Enter gives the first one, and Escape the last one. The player may have
/// been about to choose a terrain by its digit, so digits are no answers.
fn answer_of(key: KeyCode, question: &OpenQuestion) -> Option<Answer> {
    let answers = question.answers();
    let answer = match key {
        KeyCode::Enter | KeyCode::NumpadEnter => answers.first(),
        KeyCode::Escape => answers.last(),
        _ => None,
    };
    answer.map(|(answer, _)| *answer)
}

/// Asks why the route does not lead through the inspected cell while Alt is held.
fn ask_why(held: Res<HeldModifiers>, mut asks: ResMut<AsksWhy>) {
    if asks.held != held.alt() {
        asks.held = held.alt();
    }
}
