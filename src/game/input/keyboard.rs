//! Turns key presses into actions, and pans the view while a key is held.

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowEvent};

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::mode::HelpPage;
use crate::game::question::OpenQuestion;
use crate::game::search_view::detour::AsksWhy;
use crate::game::view::camera::View;
use crate::game::world::open_map::OpenMap;

use super::action::Action;
use super::bindings::{BINDINGS, Binding};
use super::modifiers::{HeldModifiers, Modifiers};
use super::mouse;
use super::scroll_area::{ScrollArea, distance_of_key, scroll_range};

/// The speed at which a held key pans, in physical pixels per second at a scale factor of 1.
const PAN_SPEED: f32 = 900.0;

/// The keys that pan west, east, north and south: what they type, and where they are on a keyboard of the United States.
const PAN_KEYS: [([&str; 2], KeyCode); 4] = [
    (["a", "A"], KeyCode::KeyA),
    (["d", "D"], KeyCode::KeyD),
    (["w", "W"], KeyCode::KeyW),
    (["s", "S"], KeyCode::KeyS),
];

/// Adds what turns keys into actions.
pub(super) fn rules(app: &mut App) {
    app.init_resource::<HeldModifiers>()
        .add_message::<WindowEvent>()
        .add_systems(Update, (send_actions.before(mouse::handle_mouse), ask_why).chain().in_set(AppSystems::Listen));
}

/// Adds what needs to know which keys are held.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, pan_by_keys.after(mouse::handle_mouse).after(send_actions).in_set(AppSystems::Listen));
}

/// Sends the actions of the pressed keys. While a page is open that does not fit into the window, the arrow keys and the
/// page keys scroll it. The other arrow keys show the other help page.
fn send_actions(
    mut events: MessageReader<WindowEvent>,
    mut held: ResMut<HeldModifiers>,
    areas: Query<(Entity, &ScrollArea, &ComputedNode)>,
    question: Res<OpenQuestion>,
    help: Res<State<HelpPage>>,
    mut actions: MessageWriter<Action>,
) {
    let page = areas.iter().find(|(_, area, node)| area.takes_keys && scroll_range(node) > 0.0);
    for event in events.read() {
        held.note(event);
        let WindowEvent::KeyboardInput(input @ KeyboardInput { state: ButtonState::Pressed, .. }) = event else {
            continue;
        };
        if let (Some((first, _)), Some((last, _))) = (question.answers().first(), question.answers().last()) {
            let answer = match input.key_code {
                KeyCode::Enter | KeyCode::NumpadEnter => Some(*first),
                KeyCode::Escape => Some(*last),
                _ => None,
            };
            actions.write_batch(answer.filter(|_| !input.repeat).map(Action::Answer));
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
        if let Some(binding) = binding_for(input, &held).filter(|binding| binding.repeats || !input.repeat) {
            actions.write(binding.action);
        }
    }
}

/// Returns the binding for a key that is pressed.
fn binding_for(input: &KeyboardInput, held: &HeldModifiers) -> Option<&'static Binding> {
    // With Alt they are the desktop's, even if it lets us know.
    const DESKTOP: [KeyCode; 3] = [KeyCode::Tab, KeyCode::Space, KeyCode::Escape];
    if held.alt() && DESKTOP.contains(&input.key_code) {
        return None;
    }
    let mut fitting = BINDINGS.iter().filter(|binding| held.fit(binding.modifiers));
    let typed = |binding: &&Binding| binding.keys.iter().any(|key| key.is_typed_by(input));
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

/// Asks why the route does not lead through the inspected cell while Alt is held.
fn ask_why(held: Res<HeldModifiers>, mut asks: ResMut<AsksWhy>) {
    if asks.held != held.alt() {
        asks.held = held.alt();
    }
}

/// The keys that are held down, by what they type and by where they are.
#[derive(SystemParam)]
pub(in crate::game) struct HeldKeys<'w> {
    typed: Res<'w, ButtonInput<Key>>,
    codes: Res<'w, ButtonInput<KeyCode>>,
    modifiers: Res<'w, HeldModifiers>,
}

impl HeldKeys<'_> {
    /// Whether a key is held that pans: 1 or 0, so that opposite keys cancel each other.
    fn pans(&self, (letters, code): ([&str; 2], KeyCode)) -> f32 {
        let is_held = if self.modifiers.alt() {
            self.codes.pressed(code)
        } else {
            self.typed.any_pressed(letters.map(|letter| Key::Character(letter.into())))
        };
        f32::from(u8::from(is_held))
    }
}

/// Pans the view while W, A, S or D is held down.
pub(in crate::game) fn pan_by_keys(
    held: HeldKeys,
    time: Res<Time>,
    window: Query<&Window, With<PrimaryWindow>>,
    map: Res<OpenMap>,
    mut view: ResMut<View>,
    mut remainder: Local<Vec2>,
    mut wakes: MessageWriter<Wake>,
) {
    let [west, east, north, south] = PAN_KEYS.map(|key| held.pans(key));
    let direction = Vec2::new(east - west, south - north);
    if direction == Vec2::ZERO || !held.modifiers.fit(Modifiers::NONE) {
        *remainder = Vec2::ZERO;
        return;
    }
    wakes.write(Wake::NextFrame);
    let scale = window.single().map_or(1.0, |window| window.scale_factor());
    // The time is limited, so that a slow frame does not move the map far.
    *remainder -= direction * PAN_SPEED * scale * time.delta_secs().min(0.1);
    let pixels = remainder.trunc();
    *remainder -= pixels;
    if pixels != Vec2::ZERO {
        view.pan(pixels.as_ivec2(), map.projection());
    }
}
