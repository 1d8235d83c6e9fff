//! Texts and buttons over the picture: small, in the corners that a diamond leaves free.

mod button_bar;
mod cell_panel;
mod faults_panel;
mod help_page;
mod hint;
mod notices;
mod status_panel;

use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::AppSystems;
use crate::game::input::action::Action;
use crate::game::input::mouse::ActionButton;

const PANEL: Color = Color::srgba(0.055, 0.058, 0.085, 0.95);
const BORDER: Color = Color::srgba(0.75, 0.62, 0.38, 0.35);
const BUTTON: Color = Color::srgba(0.14, 0.145, 0.20, 0.92);
const BUTTON_HOVERED: Color = Color::srgba(0.27, 0.25, 0.26, 0.96);
const TEXT: Color = Color::srgb(0.90, 0.88, 0.82);
const QUIET: Color = Color::srgb(0.66, 0.66, 0.66);
const GOLD: Color = Color::srgb(0.98, 0.82, 0.48);

const SMALL: f32 = 13.0;
const LARGE: f32 = 18.0;

/// The lower edge of the window, in which things stand one over the other.
#[derive(Resource)]
struct Foot(Entity);

/// What stands there, from above.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum HudSystems {
    Diagnostics,
    Hint,
    Notices,
    Buttons,
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        status_panel::plugin,
        cell_panel::plugin,
        button_bar::plugin,
        help_page::plugin,
        hint::plugin,
        notices::plugin,
        faults_panel::plugin,
    ))
    .configure_sets(
        Startup,
        (HudSystems::Diagnostics, HudSystems::Hint, HudSystems::Notices, HudSystems::Buttons).chain(),
    )
    .add_systems(PreStartup, make_foot)
    .add_systems(Update, (light_buttons, scale).in_set(AppSystems::Show));
}

fn make_foot(mut commands: Commands) {
    let foot = Node {
        position_type: PositionType::Absolute,
        bottom: px(6),
        width: percent(100),
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Center,
        row_gap: px(6),
        ..default()
    };
    let foot = commands.spawn((foot, Pickable::IGNORE)).id();
    commands.insert_resource(Foot(foot));
}

/// Buttons that the pointer has come to or gone from.
type Touched = (With<ActionButton>, Changed<Hovered>);

fn light_buttons(mut buttons: Query<(&Hovered, &mut BackgroundColor), Touched>) {
    for (hovered, mut colour) in &mut buttons {
        colour.0 = if hovered.get() { BUTTON_HOVERED } else { BUTTON };
    }
}

/// In a large window the texts grow half as fast as the window.
fn scale(window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>, mut scale: ResMut<UiScale>) {
    let Ok(window) = window.single() else { return };
    let wanted = ui_scale(window);
    if scale.0 != wanted {
        scale.0 = wanted;
    }
}

fn ui_scale(window: &Window) -> f32 {
    let room = (window.width() / 1280.0).min(window.height() / 720.0);
    let wanted = (1.0 + (room - 1.0) / 2.0).clamp(0.75, 3.0);
    // Steps of an eighth keep the letters from being drawn anew at every pixel of a resize.
    (wanted * 8.0).round() / 8.0
}

fn text(words: impl Into<String>, size: f32, colour: Color) -> impl Bundle {
    (Text::new(words), TextFont::from_font_size(size), TextColor(colour))
}

/// A panel over the map. Clicks on it are not clicks on the map.
fn panel(node: Node) -> impl Bundle {
    let node = Node { border: UiRect::all(px(1)), border_radius: BorderRadius::all(px(4)), ..node };
    (node, BackgroundColor(PANEL), BorderColor::all(BORDER), Hovered::default())
}

/// Lines of text one under the other.
fn lines(node: Node) -> Node {
    Node { flex_direction: FlexDirection::Column, padding: UiRect::axes(px(10), px(7)), row_gap: px(3), ..node }
}

fn button(action: Action) -> impl Bundle {
    let node = Node {
        padding: UiRect::axes(px(8), px(4)),
        column_gap: px(6),
        border_radius: BorderRadius::all(px(3)),
        align_items: AlignItems::Center,
        ..default()
    };
    (ActionButton(action), node, BackgroundColor(BUTTON), Hovered::default())
}

/// Puts words into a text where they are others than before.
fn write(text: &mut Mut<Text>, words: &str) {
    if text.0 != words {
        text.0.clear();
        text.0.push_str(words);
    }
}
