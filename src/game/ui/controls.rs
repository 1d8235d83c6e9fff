//! Controls: the engine's widgets, their look, and the actions that they ask for.

use accesskit::{Live, Node as AccessNode, Role, Toggled};
use bevy::a11y::AccessibilityNode;
use bevy::ecs::system::EntityCommands;
use bevy::input_focus::tab_navigation::{NavAction, TabGroup, TabIndex};
use bevy::input_focus::{InputFocus, InputFocusVisible};
use bevy::picking::events::{Drag, Pointer, Press, Scroll};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::text::{EditableText, EditableTextFilter, LineHeight, TextCursorStyle, TextEdit, TextEditChange};
use bevy::ui::{Checked, InteractionDisabled, UiGlobalTransform};
use bevy::ui_widgets::popover::{Popover, PopoverAlign, PopoverPlacement, PopoverSide};
use bevy::ui_widgets::{
    Activate, Button, ControlOrientation, MenuFocusState, MenuItem, MenuPopup, RadioButton, ScrollArea, Scrollbar,
    ScrollbarThumb, SelectAllOnFocus, SliderRange, SliderStep, SliderThumb, SliderValue, TrackClick, ValueChange,
};
use bevy::window::PrimaryWindow;

use crate::game::action::hour::HourChoice;
use crate::game::action::{Action, BrushChange, FieldId, FieldTyped, Menu, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::input::mouse::Mouse;
use crate::game::input::touch::UsesFingers;
use crate::game::world::pointed_cells::{InspectedCell, PointedCell};
use emberwalk_map::Hour;

use super::element::{Control, Element, Pad, Slider, Style, Tip};
use super::focus::FocusGrid;
use super::pasting::FieldLimits;
use super::theme::{
    CHOSEN, CHOSEN_WARM, CONTROL, CONTROL_HOVERED, DIVIDER, EMBER, EMBER_DARK, EMBER_DARK_HOVERED, FINGER_HEIGHT,
    FOCUS, GOLD, GOLD_HOVERED, OUTLINE, Size, TEXT, WELL,
};

/// The action that a control asks for.
#[derive(Component, Clone, Copy, Debug)]
pub(in crate::game) struct Asks(pub Action);

/// The look of a control, and whether it is on.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
struct Look {
    style: Style,
    is_on: bool,
    is_disabled: bool,
}

/// A text field, with the text that its panel has given it.
#[derive(Component, Clone, PartialEq)]
struct FieldOf {
    id: FieldId,
    given: String,
}

/// A press or a drag on a pad, at a relative position.
#[derive(Message, Clone, Copy, Debug)]
pub(in crate::game) struct PadPressed {
    pub pad: Pad,
    /// From its top left corner (0, 0) to its bottom right one (1, 1); it may be outside.
    pub at: Vec2,
}

/// The container of a menu button and its popup.
#[derive(Component, Clone, Copy)]
pub(super) struct MenuAnchor(pub Menu);

/// The button of a menu.
#[derive(Component)]
pub(super) struct OpensMenu;

/// The name of a key.
#[derive(Component)]
struct KeyHint;

/// An element that fingers can press.
#[derive(Component)]
struct ForFingers;

pub(super) fn plugin(app: &mut App) {
    app.add_message::<PadPressed>()
        .add_message::<FieldTyped>()
        .add_observer(act)
        .add_observer(choose)
        .add_observer(slide)
        .add_observer(turn)
        .add_observer(note_text)
        .add_observer(|press: On<Pointer<Press>>, pads: Pads| {
            pads.note(press.entity, press.button, press.pointer_location.position)
        })
        .add_observer(|drag: On<Pointer<Drag>>, pads: Pads| {
            pads.note(drag.entity, drag.button, drag.pointer_location.position)
        })
        .add_systems(
            Update,
            (
                // A control that a panel has just shown is never visible without its colours.
                colour_controls.after(AppSystems::Show),
                show_focus.in_set(AppSystems::Show),
                point_at_named_cell.after(AppSystems::Plan).before(AppSystems::Walk),
            ),
        )
        .add_systems(
            PostUpdate,
            (
                hide_scroll_bars.after(bevy::ui::UiSystems::Layout),
                (fit_fingers, give_texts).before(bevy::ui::UiSystems::Content),
            ),
        );
}

/// Whether a control reacts to the pointer.
pub(super) fn is_pressable(control: Option<&Control>) -> bool {
    use Control::{Button, Field, MenuButton, MenuItem, MenuPopup, Modal, Pad, Radio, Scroll, ScrollBar, Slider};
    matches!(
        control,
        Some(
            Button { .. }
                | Field { .. }
                | MenuButton { .. }
                | MenuItem { .. }
                | MenuPopup
                | Modal
                | Pad(_)
                | Radio { .. }
                | Scroll
                | ScrollBar
                | Slider { .. }
        )
    )
}

/// Gives an entity the components of its control, if they differ from its current ones. `before` is the element before
/// it, which a scroll bar scrolls.
pub(super) fn operate(entity: &mut EntityCommands, old: Option<&Element>, new: &Element, before: Option<Entity>) {
    let is_new = old.is_none();
    if is_new && is_pressable(new.control.as_ref()) {
        entity.insert(Hovered::default());
    }
    if old.is_none_or(|old| old.tip != new.tip) {
        match &new.tip {
            Some(tip) => drop(entity.insert(tip.clone())),
            None => drop(entity.remove::<Tip>()),
        }
    }
    let is_same =
        |old: &Element| old.control == new.control && old.name == new.name && old.is_refused == new.is_refused;
    if old.is_some_and(is_same) {
        return;
    }
    let Some(control) = &new.control else {
        if !new.name.is_empty() {
            entity.insert((AccessibilityNode(AccessNode::new(Role::Group)), AccessibleLabel::new(&new.name)));
        } else if old.is_some_and(|old| !old.name.is_empty()) {
            entity.remove::<(AccessibilityNode, AccessibleLabel)>();
        }
        return;
    };
    match control {
        Control::Button { action, style, is_disabled } => {
            look(entity, *style, false, *is_disabled || new.is_refused);
            entity.insert((Button, TabIndex(0), Asks(*action), ForFingers));
        }
        Control::Radio { action, style, is_on } => {
            look(entity, *style, *is_on, new.is_refused);
            entity.insert((RadioButton, TabIndex(0), Asks(*action), ForFingers));
            check(entity, *is_on);
        }
        // The engine's menu buttons would take the arrow keys, which move the focus.
        Control::MenuButton { menu, style } => {
            look(entity, *style, false, false);
            entity.insert((Button, OpensMenu, TabIndex(0), Asks(Action::ToggleMenu(*menu)), ForFingers));
        }
        Control::MenuItem { action, is_disabled, is_chosen } => {
            look(entity, Style::Quiet, false, *is_disabled || new.is_refused);
            entity.insert((MenuItem, TabIndex(0), Asks(*action), ForFingers));
            check(entity, *is_chosen);
        }
        Control::MenuPopup if is_new => {
            let place = |side, align| PopoverPlacement { side, align, gap: 4.0 };
            let positions = vec![
                place(PopoverSide::Bottom, PopoverAlign::Start),
                place(PopoverSide::Bottom, PopoverAlign::End),
                place(PopoverSide::Top, PopoverAlign::Start),
                place(PopoverSide::Top, PopoverAlign::End),
                place(PopoverSide::Right, PopoverAlign::End),
            ];
            entity.insert((
                MenuPopup::default(),
                MenuFocusState::Opening(NavAction::First),
                Popover { positions, window_margin: 4.0 },
            ));
        }
        Control::MenuAnchor(menu) => drop(entity.insert(MenuAnchor(*menu))),
        Control::Slider { slider, value, range, step } => {
            entity.insert((SliderValue(*value), SliderRange::new(range.0, range.1), SliderStep(*step), *slider));
            if is_new {
                let slider = bevy::ui_widgets::Slider { track_click: TrackClick::Snap, ..default() };
                entity.insert((slider, TabIndex(0)));
            }
        }
        Control::Thumb if is_new => drop(entity.insert(SliderThumb)),
        Control::Field { field, text, max_chars, is_number } => {
            if is_new {
                let mut editable = EditableText::new(text);
                editable.max_characters = Some(*max_chars);
                // A text that is too long for the field shows its beginning.
                editable.queue_edit(TextEdit::TextStart(false));
                let cursor = TextCursorStyle { color: GOLD, selection_color: GOLD.with_alpha(0.4), ..default() };
                entity.insert((
                    editable,
                    TextFont::from_font_size(Size::Text.px().0),
                    (TextColor(TEXT), LineHeight::Px(Size::Text.px().1), TextLayout::no_wrap()),
                    cursor,
                    SelectAllOnFocus,
                    TabIndex(0),
                    FieldOf { id: *field, given: text.clone() },
                    AccessibilityNode(AccessNode::new(Role::TextInput)),
                ));
                let limits = FieldLimits { max_chars: *max_chars, is_number: *is_number };
                entity.insert((limits, EditableTextFilter::new(move |char| limits.allows(char))));
            } else {
                let given = text.clone();
                entity.entry::<FieldOf>().and_modify(|mut field| field.given = given);
            }
        }
        Control::Scroll if is_new => drop(entity.insert(ScrollArea)),
        Control::ScrollBar if is_new => {
            if let Some(target) = before {
                let thumb = ScrollbarThumb { border_radius: BorderRadius::all(px(3)), ..default() };
                entity
                    .insert(Scrollbar::new(target, ControlOrientation::Vertical, 24.0))
                    .with_child((thumb, BackgroundColor(OUTLINE)));
            }
        }
        Control::Grid if is_new => drop(entity.insert((FocusGrid, AccessibilityNode(AccessNode::new(Role::Group))))),
        Control::Pad(pad) => drop(entity.insert(*pad)),
        Control::KeyHint if is_new => drop(entity.insert(KeyHint)),
        Control::Spoken if is_new => {
            let mut node = AccessNode::new(Role::Status);
            node.set_live(Live::Polite);
            entity.insert(AccessibilityNode(node));
        }
        Control::Region(order) => {
            entity.insert((TabGroup::new(*order), AccessibilityNode(AccessNode::new(Role::Group))));
        }
        Control::Modal if is_new => {
            entity.insert((TabGroup::modal(), AccessibilityNode(AccessNode::new(Role::Dialog))));
        }
        _ => {}
    }
    if !new.name.is_empty() {
        entity.insert(AccessibleLabel::new(&new.name));
    }
}

fn look(entity: &mut EntityCommands, style: Style, is_on: bool, is_disabled: bool) {
    entity.insert(Look { style, is_on, is_disabled });
    if is_disabled {
        entity.insert(InteractionDisabled);
    } else {
        entity.remove::<InteractionDisabled>();
    }
}

fn check(entity: &mut EntityCommands, is_on: bool) {
    if is_on {
        entity.insert(Checked);
    } else {
        entity.remove::<Checked>();
    }
    entity.entry::<AccessibilityNode>().and_modify(move |mut node| node.set_toggled(Toggled::from(is_on)));
}

/// A button or an item of a menu asks for its action.
fn act(activate: On<Activate>, asks: Query<&Asks>, mut actions: MessageWriter<Action>) {
    if let Ok(Asks(action)) = asks.get(activate.entity) {
        actions.write(*action);
    }
}

/// One of several options is chosen.
fn choose(change: On<ValueChange<bool>>, asks: Query<&Asks>, mut actions: MessageWriter<Action>) {
    if let Ok(Asks(action)) = asks.get(change.source) {
        actions.write(*action);
    }
}

/// Points at the cell of the control under the pointer, so that it is marked on the map.
fn point_at_named_cell(
    controls: Query<(&Hovered, &Asks)>,
    mut pointed: ResMut<PointedCell>,
    mut inspected: ResMut<InspectedCell>,
) {
    let cell = controls.iter().find_map(|(hovered, asks)| match asks.0 {
        Action::LookAt(cell) if hovered.get() => Some(cell),
        _ => None,
    });
    if cell.is_some() {
        pointed.set_if_neq(PointedCell(cell));
        inspected.set_if_neq(InspectedCell(cell));
    }
}

fn slide(
    change: On<ValueChange<f32>>,
    sliders: Query<&Slider>,
    mut actions: MessageWriter<Action>,
    mut commands: Commands,
) {
    let Ok(slider) = sliders.get(change.source) else { return };
    // Later events of the same frame begin there: a drag after the press, and further keys.
    commands.entity(change.source).insert(SliderValue(change.value));
    actions.write(match *slider {
        Slider::TimeLine => Action::Playback(Playback::Seek(change.value)),
        Slider::BrushSize => Action::Brush(BrushChange::Size(change.value.round() as u8)),
        Slider::Weight(half) => Action::SetWeight(half, change.value),
        Slider::Hour => Action::SetHour(HourChoice::At(hour_at(change.value))),
    });
}

/// The hour at a position of its slider: a multiple of ten minutes, up to the last of the day.
fn hour_at(value: f32) -> Hour {
    let hours = ((6.0 * f64::from(value)).round() / 6.0).clamp(0.0, 24.0 - 1.0 / 6.0);
    Hour::from_hours(hours).unwrap_or_default()
}

/// Turns the clock by the wheel, by a step for each notch. Other sliders stay, because the panel around them may scroll.
fn turn(
    mut turned: On<Pointer<Scroll>>,
    sliders: Query<(&Slider, &SliderValue, &SliderStep)>,
    mouse: Res<Mouse>,
    mut left: Local<f32>,
    mut actions: MessageWriter<Action>,
    mut commands: Commands,
) {
    let Ok((Slider::Hour, value, step)) = sliders.get(turned.event_target()) else { return };
    turned.propagate(false);
    *left += mouse.notches(turned.y, turned.unit);
    let notches = left.trunc();
    if notches != 0.0 {
        *left -= notches;
        let value = (value.0 + step.0 * notches).rem_euclid(24.0);
        // Later events of the same frame begin there.
        commands.entity(turned.event_target()).insert(SliderValue(value));
        actions.write(Action::SetHour(HourChoice::At(hour_at(value))));
    }
}

/// Reports typed text.
fn note_text(
    change: On<TextEditChange>,
    mut fields: Query<(&EditableText, &mut FieldOf)>,
    mut typed: MessageWriter<FieldTyped>,
) {
    let Ok((text, mut field)) = fields.get_mut(change.event_target()) else { return };
    let text = text.value().to_string();
    if field.given != text {
        field.bypass_change_detection().given.clone_from(&text);
        typed.write(FieldTyped { field: field.id, text });
    }
}

/// Gives a field another text than the player has typed.
fn give_texts(mut fields: Query<(&mut EditableText, &FieldOf), Changed<FieldOf>>) {
    for (mut text, field) in &mut fields {
        if text.value().to_string() != field.given {
            text.queue_edit(TextEdit::SelectAll);
            text.queue_edit(TextEdit::Insert(field.given.as_str().into()));
        }
    }
}

/// The parameters that find the place of a press on a pad.
#[derive(bevy::ecs::system::SystemParam)]
struct Pads<'w, 's> {
    pads: Query<'w, 's, (&'static Pad, &'static ComputedNode, &'static UiGlobalTransform)>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
    pressed: MessageWriter<'w, PadPressed>,
}

impl Pads<'_, '_> {
    /// `position` is in logical pixels of the window.
    fn note(mut self, entity: Entity, button: PointerButton, position: Vec2) {
        let Ok((pad, node, transform)) = self.pads.get(entity) else { return };
        if button == PointerButton::Primary {
            let scale_factor = self.window.single().map_or(1.0, Window::scale_factor);
            let from_corner = position * scale_factor - (transform.translation - node.size() / 2.0);
            self.pressed.write(PadPressed { pad: *pad, at: from_corner / node.size().max(Vec2::ONE) });
        }
    }
}

type Painted = (&'static mut BackgroundColor, &'static mut BorderColor);
type ChangedLook = Or<(Changed<Look>, Changed<Hovered>)>;

fn colour_controls(
    mut controls: Query<(Entity, &Look, &Hovered, Option<Painted>), ChangedLook>,
    mut commands: Commands,
) {
    for (entity, look, hovered, painted) in &mut controls {
        let (ground, edge) = look.colours(hovered.get());
        match painted {
            Some((mut back, mut border)) => {
                back.set_if_neq(BackgroundColor(ground));
                border.set_if_neq(BorderColor::all(edge));
            }
            None => drop(commands.entity(entity).insert((BackgroundColor(ground), BorderColor::all(edge)))),
        }
    }
}

impl Look {
    /// The colours of its background and of its border.
    fn colours(self, is_hovered: bool) -> (Color, Color) {
        let Self { style, is_on, is_disabled } = self;
        let is_hovered = is_hovered && !is_disabled;
        match style {
            Style::Plain => (if is_hovered { CONTROL_HOVERED } else { CONTROL }, DIVIDER),
            Style::Gold if is_disabled => (CONTROL, DIVIDER),
            Style::Gold if is_hovered => (GOLD_HOVERED, GOLD_HOVERED),
            Style::Gold => (GOLD, GOLD),
            Style::Ember => (if is_hovered { EMBER_DARK_HOVERED } else { EMBER_DARK }, EMBER.with_alpha(0.5)),
            Style::Outlined if is_disabled => (WELL, DIVIDER),
            Style::Outlined => (if is_hovered { CONTROL } else { WELL }, OUTLINE),
            Style::Tile if is_on => (CHOSEN_WARM, GOLD),
            Style::Tile => (if is_hovered { CONTROL } else { WELL }, if is_hovered { OUTLINE } else { DIVIDER }),
            Style::Mode if is_on => (CHOSEN_WARM, GOLD),
            Style::Segment | Style::Quiet if is_on => (CHOSEN, Color::NONE),
            Style::Mode | Style::Segment | Style::Quiet => {
                (if is_hovered { CONTROL_HOVERED } else { Color::NONE }, Color::NONE)
            }
        }
    }
}

/// Draws a ring around the control that has the focus, if the player uses keys for it.
fn show_focus(
    focus: Res<InputFocus>,
    visible: Res<InputFocusVisible>,
    mut ringed: Local<Option<Entity>>,
    mut commands: Commands,
) {
    if !focus.is_changed() && !visible.is_changed() {
        return;
    }
    let wanted = focus.get().filter(|_| visible.0);
    if *ringed != wanted {
        if let Some(Ok(mut old)) = ringed.take().map(|old| commands.get_entity(old)) {
            old.try_remove::<Outline>();
        }
        if let Some(Ok(mut new)) = wanted.map(|new| commands.get_entity(new)) {
            new.try_insert(Outline { width: px(2), offset: px(1), color: FOCUS });
        }
        *ringed = wanted;
    }
}

/// Hides the scroll bars that are not needed.
fn hide_scroll_bars(areas: Query<&ComputedNode, With<ScrollArea>>, mut bars: Query<(&Scrollbar, &mut Visibility)>) {
    for (bar, mut visibility) in &mut bars {
        let scrolls = areas.get(bar.target).is_ok_and(|node| node.content_size.y > node.size.y + 1.0);
        visibility.set_if_neq(if scrolls { Visibility::Inherited } else { Visibility::Hidden });
    }
}

type NewForFingers = Or<(Added<ForFingers>, Added<KeyHint>)>;

/// Makes controls large enough for fingers, and leaves out the names of keys, if the player uses fingers.
fn fit_fingers(
    fingers: Res<UsesFingers>,
    added: Query<(), NewForFingers>,
    mut controls: Query<&mut Node, (With<ForFingers>, Without<KeyHint>)>,
    mut hints: Query<&mut Node, With<KeyHint>>,
) {
    if fingers.0 && (fingers.is_changed() || !added.is_empty()) {
        for mut node in controls.iter_mut().filter(|node| node.min_height != px(FINGER_HEIGHT)) {
            node.min_width = px(FINGER_HEIGHT);
            node.min_height = px(FINGER_HEIGHT);
        }
        hints.iter_mut().for_each(|mut node| node.display = Display::None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::element::{Content, action_button};
    use super::super::theme::{PANEL, contrast};
    use super::*;

    /// The colours of all words in an element.
    fn inks(element: &Element) -> Vec<Color> {
        let own = if let Content::Text(words) = &element.content { &words[..] } else { &[] };
        let own = own.iter().map(|words| words.colour);
        own.chain(element.children.iter().flat_map(inks)).collect()
    }

    #[test]
    fn the_words_and_the_key_of_a_button_can_be_read_on_every_style() {
        use Style::{Ember, Gold, Mode, Outlined, Plain, Quiet, Segment, Tile};
        for style in [Plain, Gold, Ember, Quiet, Mode, Segment, Outlined, Tile] {
            let button = action_button(Action::Erupt, style, None, "Erupt");
            let inks = inks(&button);
            assert_eq!(inks.len(), 2, "the label and the key");
            for (ink, is_on, is_hovered) in inks
                .iter()
                .flat_map(|ink| [(false, false), (false, true), (true, false)].map(|(on, over)| (ink, on, over)))
            {
                let (ground, _) = Look { style, is_on, is_disabled: false }.colours(is_hovered);
                let ground = if ground == Color::NONE { PANEL } else { ground };
                assert!(contrast(*ink, ground) >= 4.5, "{style:?}, on: {is_on}, hovered: {is_hovered}");
            }
        }
    }
}
