//! Sends key events to the focused control, one at a time: each finds the modifiers that were held when it came, and
//! the focus after the previous event. The engine's own system sends all events of a frame with the modifiers that are
//! held at its end, so that in a slow frame Ctrl+A would type an "a".

use std::collections::HashMap;

use bevy::ecs::message::MessageCursor;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::{ButtonState, InputSystems};
use bevy::input_focus::{InputFocusSystems, dispatch_focused_input};
use bevy::prelude::*;
use bevy::window::WindowEvent;

use crate::game::input::bindings::letter;
use crate::game::input::modifiers::HeldModifiers;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PreUpdate, dispatch_keys.in_set(InputFocusSystems::Dispatch).after(InputSystems));
}

/// The keys that are held, by their places on the keyboard, with what each meant when it was pressed. Its release may
/// mean something else: Alt that is released while Shift is held is Meta.
#[derive(Default)]
struct HeldKeys(HashMap<KeyCode, Key>);

impl HeldKeys {
    fn note(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::KeyboardInput(input) if input.state == ButtonState::Pressed => {
                // A repetition while it is held is the same key.
                self.0.entry(input.key_code).or_insert_with(|| input.logical_key.clone());
            }
            WindowEvent::KeyboardInput(input) => drop(self.0.remove(&input.key_code)),
            // Keys that are released while another window has the focus are not reported.
            WindowEvent::KeyboardFocusLost(_) => self.0.clear(),
            _ => {}
        }
    }

    /// The same for the engine, by what they mean.
    fn by_meaning(&self) -> ButtonInput<Key> {
        let mut keys = ButtonInput::default();
        self.0.values().for_each(|key| keys.press(key.clone()));
        keys.clear();
        keys
    }
}

/// Sends the key events of a frame. The engine's widgets read the modifiers from [`ButtonInput<Key>`], and commands
/// such as Ctrl+V from the characters that the key types. On a keyboard without Latin letters, commands get the letters
/// of the key's place, for all later readers of the events.
fn dispatch_keys(
    world: &mut World,
    mut cursor: Local<MessageCursor<WindowEvent>>,
    mut held: Local<HeldKeys>,
    mut modifiers: Local<HeldModifiers>,
) -> Result {
    let mut messages = world.resource_mut::<Messages<WindowEvent>>();
    let mut events = Vec::new();
    for event in cursor.read_mut(messages.bypass_change_detection()) {
        modifiers.note(event);
        match event {
            WindowEvent::KeyboardInput(input) if modifiers.make_commands() => {
                if let (Key::Character(_), Some(letter)) = (&input.logical_key, letter(input, modifiers.layout())) {
                    input.logical_key = Key::Character(letter.to_string().into());
                }
            }
            WindowEvent::KeyboardInput(_) | WindowEvent::KeyboardFocusLost(_) => {}
            _ => continue,
        }
        events.push(event.clone());
    }
    for event in events {
        held.note(&event);
        world.insert_resource(held.by_meaning());
        let WindowEvent::KeyboardInput(input) = event else { continue };
        // The engine's system sends all events that it has not seen.
        world.resource_mut::<Messages<KeyboardInput>>().clear();
        world.write_message(input);
        world.run_system_cached(dispatch_focused_input::<KeyboardInput>)?;
        world.resource_mut::<Messages<KeyboardInput>>().clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::InputPlugin;
    use bevy::input::keyboard::KeyboardFocusLost;
    use bevy::input_focus::{FocusCause, FocusedInput, InputFocus, InputFocusPlugin};
    use bevy::text::{EditableText, TextEdit};
    use bevy::ui::UiScale;
    use bevy::ui_widgets::EditableTextInputPlugin;
    use bevy::window::{Ime, PrimaryWindow};
    use std::mem::take;

    /// An app whose frames only send keys. Its window has the focus.
    fn app() -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, InputPlugin, InputFocusPlugin, EditableTextInputPlugin, plugin))
            .add_message::<WindowEvent>()
            .add_message::<Ime>()
            .init_resource::<UiScale>();
        let window = app.world_mut().spawn((Window::default(), PrimaryWindow)).id();
        (app, window)
    }

    fn key(code: KeyCode, logical_key: Key, state: ButtonState) -> WindowEvent {
        let text = match &logical_key {
            Key::Character(text) => Some(text.clone()),
            _ => None,
        };
        let window = Entity::PLACEHOLDER;
        WindowEvent::KeyboardInput(KeyboardInput { key_code: code, logical_key, state, text, repeat: false, window })
    }

    /// Presses and releases a key.
    fn tap(code: KeyCode, logical_key: Key) -> [WindowEvent; 2] {
        [ButtonState::Pressed, ButtonState::Released].map(|state| key(code, logical_key.clone(), state))
    }

    /// Presses Ctrl, a letter, and releases both.
    fn with_ctrl(code: KeyCode, letter: &str) -> Vec<WindowEvent> {
        let [press, release] = tap(KeyCode::ControlLeft, Key::Control);
        [vec![press], tap(code, Key::Character(letter.into())).into(), vec![release]].concat()
    }

    /// Sends the events in one frame.
    fn send(app: &mut App, events: impl IntoIterator<Item = WindowEvent>) {
        for event in events {
            if let WindowEvent::KeyboardInput(input) = &event {
                app.world_mut().write_message(input.clone());
            }
            app.world_mut().write_message(event);
        }
        app.world_mut().run_schedule(PreUpdate);
    }

    #[test]
    fn on_a_keyboard_without_latin_letters_a_text_field_takes_its_letters_and_the_usual_commands() {
        let (mut app, _) = app();
        let field = app.world_mut().spawn(EditableText::new("")).id();
        app.world_mut().resource_mut::<InputFocus>().set(field, FocusCause::Navigated);
        let edits = |app: &mut App| {
            let mut field = app.world_mut().get_mut::<EditableText>(field).expect("it is there");
            take(&mut field.pending_edits)
        };
        edits(&mut app);
        send(&mut app, tap(KeyCode::KeyF, Key::Character("а".into())));
        assert!(matches!(&edits(&mut app)[..], [TextEdit::Insert(text)] if text == "а"), "the letter that it types");
        let commands = [(KeyCode::KeyA, "ф"), (KeyCode::KeyC, "с"), (KeyCode::KeyX, "ч"), (KeyCode::KeyV, "м")];
        send(&mut app, commands.into_iter().flat_map(|(code, typed)| with_ctrl(code, typed)));
        use TextEdit::{Copy, Cut, Paste, SelectAll};
        assert!(matches!(edits(&mut app)[..], [SelectAll, Copy, Cut, Paste]));
        send(&mut app, with_ctrl(KeyCode::KeyA, "q"));
        assert!(edits(&mut app).is_empty(), "on a French keyboard, this is Q");
    }

    #[test]
    fn the_chords_of_one_frame_edit_a_text_field_and_type_nothing() {
        let (mut app, _) = app();
        let field = app.world_mut().spawn(EditableText::new("abc")).id();
        app.world_mut().resource_mut::<InputFocus>().set(field, FocusCause::Navigated);
        let edits = |app: &mut App| {
            let mut field = app.world_mut().get_mut::<EditableText>(field).expect("it is there");
            take(&mut field.pending_edits)
        };
        // A new field moves its cursor to the end.
        edits(&mut app);
        let chords = [with_ctrl(KeyCode::KeyA, "a"), with_ctrl(KeyCode::KeyV, "v")].concat();
        send(&mut app, chords);
        assert!(matches!(edits(&mut app)[..], [TextEdit::SelectAll, TextEdit::Paste]));
        send(&mut app, tap(KeyCode::KeyA, Key::Character("a".into())));
        assert!(matches!(&edits(&mut app)[..], [TextEdit::Insert(text)] if text == "a"), "each key once");
        send(&mut app, []);
        assert!(edits(&mut app).is_empty());
    }

    #[test]
    fn losing_the_focus_of_the_window_releases_ctrl() {
        let (mut app, _) = app();
        let [press, _] = tap(KeyCode::ControlLeft, Key::Control);
        send(&mut app, [press, WindowEvent::KeyboardFocusLost(KeyboardFocusLost)]);
        assert!(!app.world().resource::<ButtonInput<Key>>().pressed(Key::Control));
    }

    #[test]
    fn a_text_field_takes_letters_after_the_keyboard_layout_was_switched_by_alt_and_shift() {
        let (mut app, _) = app();
        let field = app.world_mut().spawn(EditableText::new("")).id();
        app.world_mut().resource_mut::<InputFocus>().set(field, FocusCause::Navigated);
        let orders = [[KeyCode::AltLeft, KeyCode::ShiftLeft], [KeyCode::ShiftLeft, KeyCode::AltLeft]];
        for [first, second] in orders {
            // While one of them is held, the other has another meaning: here Alt is pressed or released with Shift.
            let meaning = |code, other_is_held| match code {
                KeyCode::AltLeft if other_is_held => Key::Meta,
                KeyCode::AltLeft => Key::Alt,
                _ if other_is_held => Key::GroupNext,
                _ => Key::Shift,
            };
            send(
                &mut app,
                [
                    key(first, meaning(first, false), ButtonState::Pressed),
                    key(second, meaning(second, true), ButtonState::Pressed),
                    key(first, meaning(first, true), ButtonState::Released),
                    key(second, meaning(second, false), ButtonState::Released),
                ],
            );
            assert_eq!(app.world().resource::<ButtonInput<Key>>().get_pressed().count(), 0);
            take(&mut app.world_mut().get_mut::<EditableText>(field).expect("it is there").pending_edits);
            send(
                &mut app,
                ["a", "b", "c"]
                    .into_iter()
                    .zip([KeyCode::KeyA, KeyCode::KeyB, KeyCode::KeyC])
                    .flat_map(|(letter, code)| tap(code, Key::Character(letter.into()))),
            );
            let mut field = app.world_mut().get_mut::<EditableText>(field).expect("it is there");
            let typed = take(&mut field.pending_edits);
            let letter = |edit: &TextEdit| match edit {
                TextEdit::Insert(text) => text.to_string(),
                _ => panic!("only letters are typed"),
            };
            assert_eq!(typed.iter().map(letter).collect::<String>(), "abc");
        }
    }

    #[derive(Resource, Default)]
    struct Seen(Vec<(Entity, bool)>);

    #[test]
    fn each_key_goes_to_the_focus_that_the_one_before_it_has_left() {
        let (mut app, window) = app();
        let control = app.world_mut().spawn_empty().id();
        app.init_resource::<Seen>().add_observer(
            move |key: On<FocusedInput<KeyboardInput>>,
                  keys: Res<ButtonInput<Key>>,
                  mut focus: ResMut<InputFocus>,
                  mut seen: ResMut<Seen>| {
                let is_f6 = key.input.key_code == KeyCode::F6 && key.input.state == ButtonState::Pressed;
                if is_f6 && key.event_target() == key.focused_entity {
                    seen.0.push((key.focused_entity, keys.pressed(Key::Shift)));
                    focus.set(control, FocusCause::Navigated);
                }
            },
        );
        let [press_shift, release_shift] = tap(KeyCode::ShiftLeft, Key::Shift);
        let f6 = || Vec::from(tap(KeyCode::F6, Key::F6));
        send(&mut app, [vec![press_shift], f6(), vec![release_shift], f6()].concat());
        assert_eq!(app.world().resource::<Seen>().0, [(window, true), (control, false)]);
    }
}
