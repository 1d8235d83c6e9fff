//! The HUD: small panels and buttons in the corners of the window, which a diamond-shaped map leaves free.

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
const MUTED: Color = Color::srgb(0.66, 0.66, 0.66);
const GOLD: Color = Color::srgb(0.98, 0.82, 0.48);

const SMALL: f32 = 13.0;
const LARGE: f32 = 18.0;

/// The column at the bottom of the window, which stacks panels above each other.
#[derive(Resource)]
struct BottomColumn(Entity);

/// The order in which panels are added to the bottom column, from top to bottom.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum HudSystems {
    Faults,
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
    .configure_sets(Startup, (HudSystems::Faults, HudSystems::Hint, HudSystems::Notices, HudSystems::Buttons).chain())
    .add_systems(PreStartup, spawn_bottom_column)
    .add_systems(Update, (highlight_buttons, scale_ui).in_set(AppSystems::Show));
}

fn spawn_bottom_column(mut commands: Commands) {
    let column = Node {
        position_type: PositionType::Absolute,
        bottom: px(6),
        width: percent(100),
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Center,
        row_gap: px(6),
        ..default()
    };
    let column = commands.spawn((column, Pickable::IGNORE)).id();
    commands.insert_resource(BottomColumn(column));
}

/// Buttons that the pointer has just entered or left.
type HoverChanged = (With<ActionButton>, Changed<Hovered>);

fn highlight_buttons(mut buttons: Query<(&Hovered, &mut BackgroundColor), HoverChanged>) {
    for (hovered, mut colour) in &mut buttons {
        colour.0 = if hovered.get() { BUTTON_HOVERED } else { BUTTON };
    }
}

/// Scales the HUD with the window; it grows half as fast as the window.
fn scale_ui(window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>, mut scale: ResMut<UiScale>) {
    let Ok(window) = window.single() else { return };
    let wanted = ui_scale(window);
    if scale.0 != wanted {
        scale.0 = wanted;
    }
}

/// Returns the scale of the HUD in a window.
fn ui_scale(window: &Window) -> f32 {
    let ratio = (window.width() / 1280.0).min(window.height() / 720.0);
    let wanted = (1.0 + (ratio - 1.0) / 2.0).clamp(0.75, 3.0);
    // Rounded to eighths, so that a resize does not rasterise the glyphs again at every pixel.
    (wanted * 8.0).round() / 8.0
}

/// Returns the components of a text.
fn text(content: impl Into<String>, size: f32, colour: Color) -> impl Bundle {
    (Text::new(content), TextFont::from_font_size(size), TextColor(colour))
}

/// Returns the components of a panel over the map. A click on a panel does not reach the map.
fn panel(node: Node) -> impl Bundle {
    let node = Node { border: UiRect::all(px(1)), border_radius: BorderRadius::all(px(4)), ..node };
    (node, BackgroundColor(PANEL), BorderColor::all(BORDER), Hovered::default())
}

/// Returns the layout of a column of text lines.
fn text_column(node: Node) -> Node {
    Node { flex_direction: FlexDirection::Column, padding: UiRect::axes(px(10), px(7)), row_gap: px(3), ..node }
}

/// Returns the components of a button that asks for an action.
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

/// Sets a text, unless it is unchanged: a changed text is laid out again.
fn set_text(text: &mut Mut<Text>, content: &str) {
    if text.0 != content {
        text.0.clear();
        text.0.push_str(content);
    }
}
