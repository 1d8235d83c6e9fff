//! What the panels are made of: colours, sizes of text, panels and buttons.

use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::text::LineBreak;
use bevy::ui::UiSystems;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::input::mouse::ActionButton;
use crate::game::input::touch::UsesFingers;
use emberwalk_map::diagnostics::escape_invisible;

/// The colour around the map.
pub(in crate::game) const BACKDROP: Color = Color::srgb(0.075, 0.078, 0.115);

pub(super) const PANEL: Color = Color::srgba(0.055, 0.058, 0.085, 0.95);
pub(super) const BORDER: Color = Color::srgba(0.75, 0.62, 0.38, 0.35);
pub(super) const BUTTON: Color = Color::srgba(0.14, 0.145, 0.20, 0.92);
const BUTTON_HOVERED: Color = Color::srgba(0.27, 0.25, 0.26, 0.96);
pub(super) const TEXT: Color = Color::srgb(0.90, 0.88, 0.82);
pub(super) const MUTED: Color = Color::srgb(0.66, 0.66, 0.66);
pub(super) const GOLD: Color = Color::srgb(0.98, 0.82, 0.48);

pub(super) const WARNING: Color = Color::srgb(1.0, 0.58, 0.45);

pub(super) const SMALL: f32 = 13.0;
pub(super) const LARGE: f32 = 18.0;

/// The least size of what can be pressed with a finger, in logical pixels.
const FINGER: Vec2 = Vec2::new(36.0, 40.0);

/// Something that can be pressed and is no button.
#[derive(Component)]
pub(super) struct Pressable;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, highlight_buttons.in_set(AppSystems::Show))
        .add_systems(PostUpdate, fit_fingers.before(UiSystems::Content));
}

/// What can be pressed.
type CanBePressed = Or<(With<ActionButton>, With<Pressable>)>;

/// The same, if it was just added.
type NewToPress = Or<(Added<ActionButton>, Added<Pressable>)>;

/// Makes what can be pressed large enough for fingers, if the player uses them.
fn fit_fingers(fingers: Res<UsesFingers>, added: Query<(), NewToPress>, mut nodes: Query<&mut Node, CanBePressed>) {
    if fingers.0 && (fingers.is_changed() || !added.is_empty()) {
        for mut node in nodes.iter_mut().filter(|node| node.min_height != px(FINGER.y)) {
            (node.min_width, node.min_height) = (px(FINGER.x), px(FINGER.y));
        }
    }
}

/// Buttons that the pointer has just entered or left.
type HoverChanged = (With<ActionButton>, Changed<Hovered>);

fn highlight_buttons(mut buttons: Query<(&Hovered, &mut BackgroundColor), HoverChanged>) {
    for (hovered, mut colour) in &mut buttons {
        colour.0 = if hovered.get() { BUTTON_HOVERED } else { BUTTON };
    }
}

/// The components of a text.
pub(super) fn text(content: impl Into<String>, colour: Color) -> impl Bundle {
    sized_text(content, SMALL, colour)
}

/// The components of a text that may wrap.
pub(super) fn wrapped(content: impl Into<String>, colour: Color) -> impl Bundle {
    (text(content, colour), wrapping())
}

/// The components of the title of a page.
pub(super) fn title(content: impl Into<String>) -> impl Bundle {
    sized_text(content, LARGE, GOLD)
}

pub(super) fn sized_text(content: impl Into<String>, size: f32, colour: Color) -> impl Bundle {
    (Text::new(content), TextFont::from_font_size(size), TextColor(colour), Pickable::IGNORE)
}

/// Lets a text wrap inside a word, because a name may have no spaces, and start at the side where its script does.
pub(super) fn wrapping() -> TextLayout {
    TextLayout::new(Justify::Start, LineBreak::WordOrCharacter)
}

/// Returns a text from a file as a single line of limited length, without characters that would be invisible.
pub(super) fn printable(text: &str, max_chars: usize) -> String {
    let (end, dots) = text.char_indices().nth(max_chars).map_or((text.len(), ""), |(end, _)| (end, "…"));
    let line = text[..end].replace(char::is_whitespace, " ");
    format!("{}{dots}", escape_invisible(&line))
}

/// The components of a panel over the map. A click on a panel does not reach the map.
pub(super) fn panel(node: Node) -> impl Bundle {
    (label(node, PANEL), Hovered::default())
}

/// The components of a panel through which nothing is seen, because what is behind it would make it hard to read.
pub(super) fn opaque_panel(node: Node) -> impl Bundle {
    (label(node, PANEL.with_alpha(1.0)), Hovered::default())
}

/// The components of something that looks like a panel. A click on it reaches what is behind it.
pub(super) fn label(node: Node, colour: Color) -> impl Bundle {
    let node = Node { border_radius: BorderRadius::all(px(4)), ..node };
    // An outline and not a border: in a small window, some sides of a border would be rounded to zero.
    let outline = Outline { width: px(1), offset: px(-1), color: BORDER };
    (node, BackgroundColor(colour), outline)
}

/// Returns the layout of a node that covers the window, with its content in the middle.
pub(super) fn cover() -> Node {
    Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        padding: UiRect::all(px(6)),
        ..default()
    }
}

/// Returns the layout of a column of text lines.
pub(super) fn text_column(node: Node) -> Node {
    Node { flex_direction: FlexDirection::Column, padding: UiRect::axes(px(10), px(7)), row_gap: px(3), ..node }
}

/// The distance of the content of a button from its left and right side, in logical pixels.
pub(super) const BUTTON_PADDING: f32 = 6.0;

/// Returns the components of a button that asks for an action.
pub(super) fn button(action: Action) -> impl Bundle {
    let node = Node {
        padding: UiRect::axes(px(BUTTON_PADDING), px(4)),
        column_gap: px(5),
        border_radius: BorderRadius::all(px(3)),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        ..default()
    };
    (ActionButton(action), node, BackgroundColor(BUTTON), Hovered::default())
}

/// The components of a button with the name of a key and a label.
pub(super) fn key_button(action: Action, key: impl Into<String>, label: impl Into<String>) -> impl Bundle {
    (button(action), children![text(key, GOLD), text(label, TEXT)])
}

/// The components of a button with a text.
pub(super) fn text_button(action: Action, label: impl Into<String>, colour: Color) -> impl Bundle {
    (button(action), children![text(label, colour)])
}

/// Returns the components of a row of buttons, which wraps.
pub(super) fn button_row() -> impl Bundle {
    let node = Node { flex_wrap: FlexWrap::Wrap, column_gap: px(4), row_gap: px(4), ..default() };
    (node, Pickable::IGNORE)
}

/// Spawns labels of a button in the same place. So the button has the width of the longest one, whichever is visible,
/// and nothing beside it moves.
pub(super) fn spawn_alternatives<B: Bundle>(
    button: &mut ChildSpawnerCommands,
    labels: impl IntoIterator<Item = (&'static str, B)>,
) {
    button.spawn((Node { display: Display::Grid, ..default() }, Pickable::IGNORE)).with_children(|place| {
        for (label, bundle) in labels {
            let cell = Node { grid_row: GridPlacement::start(1), grid_column: GridPlacement::start(1), ..default() };
            place.spawn((text(label, TEXT), cell, bundle));
        }
    });
}

/// Spawns a tick. The typeface has none.
pub(super) fn spawn_tick(row: &mut ChildSpawnerCommands, colour: Color, bundle: impl Bundle) {
    let place = Node { width: px(13), height: px(12), margin: UiRect::right(px(5)), flex_shrink: 0.0, ..default() };
    row.spawn((place, bundle, Pickable::IGNORE)).with_children(|place| {
        // The middle of a bar, its length, and how far it is turned.
        for (x, y, length, degrees) in [(2.9, 8.1, 6.0, 45.0), (7.8, 6.3, 10.5, -50.0)] {
            let bar = Node {
                position_type: PositionType::Absolute,
                left: px(x - length / 2.0),
                top: px(y - 1.0),
                width: px(length),
                height: px(2),
                border_radius: BorderRadius::all(px(1)),
                ..default()
            };
            let turned = UiTransform { rotation: Rot2::degrees(degrees), ..UiTransform::IDENTITY };
            place.spawn((bar, turned, BackgroundColor(colour), Pickable::IGNORE));
        }
    });
}

/// Sets a text, unless it is unchanged: a changed text is laid out again.
pub(super) fn set_text(text: &mut Mut<Text>, content: &str) {
    if text.0 != content {
        text.0.clear();
        text.0.push_str(content);
    }
}

/// Changes the layout of a node, unless it already is as it should be.
pub(super) fn lay_out(node: &mut Mut<Node>, change: impl FnOnce(&mut Node)) {
    let mut changed = Node::clone(node);
    change(&mut changed);
    node.set_if_neq(changed);
}

/// Lays a node out, or leaves it out, unless it is so already: a changed node is laid out again.
pub(super) fn set_shown(node: &mut Mut<Node>, is_shown: bool) {
    lay_out(node, |node| node.display = if is_shown { Display::Flex } else { Display::None });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::hud::laid_out::LaidOut;

    #[test]
    fn what_can_be_pressed_is_large_enough_for_fingers_if_they_are_used() {
        let mut hud = LaidOut::new(UVec2::new(390, 844));
        hud.app.insert_resource(UsesFingers(false)).add_plugins(plugin);
        let spawn = |hud: &mut LaidOut| hud.app.world_mut().spawn(button(Action::Help)).id();
        let first = spawn(&mut hud);
        hud.app.update();
        assert!(hud.rect(first).height() < FINGER.y);
        hud.app.insert_resource(UsesFingers(true));
        hud.app.update();
        let second = spawn(&mut hud);
        hud.app.update();
        for button in [first, second].map(|button| hud.rect(button)) {
            assert!(button.size().cmpge(FINGER).all(), "{button:?}");
        }
    }

    #[test]
    fn a_text_from_a_file_becomes_one_readable_line_of_limited_length() {
        assert_eq!(printable("Zürich – 火山", 20), "Zürich – 火山");
        assert_eq!(printable("two\nlines\tand a\u{202e}trick\u{1b}", 99), r"two lines and a\u{202e}trick\u{1b}");
        assert_eq!(printable(&"ä".repeat(1000), 3), "äää…");
    }
}
