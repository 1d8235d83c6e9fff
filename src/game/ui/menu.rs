//! Menus and drop-downs: which of them is open, and their elements.

use bevy::input_focus::{FocusCause, InputFocus, InputFocusVisible};
use bevy::prelude::*;
use bevy::ui::Checked;
use bevy::ui_widgets::{MenuAction, MenuEvent, MenuFocusState, MenuItem};
use lucide_icons::Icon;

use crate::game::action::{Action, Menu};
use crate::game::app_systems::AppSystems;

use super::controls::{MenuAnchor, OpensMenu, PadPressed};
use super::element::{
    Control, Element, Pad, Style, absolute, boxed, button, caption, coloured, column, control_box, icon, row, spans,
    spring, text, words,
};
use super::theme::{GOLD, MUTED, PANEL, RADIUS, SECOND, SMALL, Size, TEXT, TIGHT};

/// The width of a menu, and of a menu with short values.
const WIDTH: f32 = 280.0;
const NARROW: f32 = 96.0;

/// The menu that is open.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct OpenMenu(pub Option<Menu>);

/// A line of a menu.
pub(in crate::game) struct Item {
    pub action: Action,
    pub label: String,
    /// A line below it that explains it.
    pub about: String,
    /// Whether it is the current one of several values.
    pub is_chosen: bool,
    /// Whether it is a switch that is on.
    pub is_on: bool,
    pub is_disabled: bool,
}

impl Item {
    pub(in crate::game) fn new(action: Action, label: impl Into<String>) -> Self {
        Self { action, label: label.into(), about: String::new(), is_chosen: false, is_on: false, is_disabled: false }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenMenu>()
        .add_observer(follow)
        .add_systems(Update, (toggle, close).chain().in_set(AppSystems::Act))
        .add_systems(PostUpdate, begin_at_chosen.before(super::focus::FocusSystems));
}

/// Closes a menu when its widgets ask for it.
fn follow(
    event: On<MenuEvent>,
    anchors: Query<(&MenuAnchor, &Children)>,
    buttons: Query<(), With<OpensMenu>>,
    visible: Res<InputFocusVisible>,
    mut focus: ResMut<InputFocus>,
    mut open: ResMut<OpenMenu>,
) {
    let Ok((MenuAnchor(menu), children)) = anchors.get(event.event_target()) else { return };
    match event.action {
        MenuAction::CloseAll if open.0 == Some(*menu) => open.0 = None,
        MenuAction::CloseAll | MenuAction::Open(_) | MenuAction::Toggle => {}
        // After the pointer was used, the next Space should not open the menu again.
        MenuAction::FocusRoot if !visible.0 => focus.clear(),
        MenuAction::FocusRoot => {
            if let Some(button) = children.iter().find(|child| buttons.contains(*child)) {
                focus.set(button, FocusCause::Navigated);
            }
        }
    }
}

/// Moves the focus from the first item of a menu that has just opened to the current value, if it has one: Enter then
/// changes nothing.
fn begin_at_chosen(
    opened: Query<(Entity, &MenuFocusState), Changed<MenuFocusState>>,
    children: Query<&Children>,
    chosen: Query<(), (With<MenuItem>, With<Checked>)>,
    mut focus: ResMut<InputFocus>,
) {
    for (popup, _) in opened.iter().filter(|(_, state)| **state == MenuFocusState::Open) {
        if let Some(item) = children.iter_descendants(popup).find(|item| chosen.contains(*item)) {
            focus.set(item, FocusCause::Navigated);
        }
    }
}

/// A button opens or closes its menu.
fn toggle(mut actions: MessageReader<Action>, mut open: ResMut<OpenMenu>) {
    for action in actions.read() {
        if let Action::ToggleMenu(menu) = *action {
            open.0 = Some(menu).filter(|_| open.0 != Some(menu));
        }
    }
}

/// A press beside an open menu closes it.
fn close(mut pressed: MessageReader<PadPressed>, mut open: ResMut<OpenMenu>, mut focus: ResMut<InputFocus>) {
    if pressed.read().any(|press| press.pad == Pad::CloseMenu) && open.0.take().is_some() {
        focus.clear();
    }
}

/// A button with its menu, if the menu is open.
pub(in crate::game) fn menu(menu: Menu, open: &OpenMenu, button: Element, items: Vec<Element>) -> Element {
    let mut children = vec![button];
    if open.0 == Some(menu) {
        let everywhere = Node { left: px(-5000), top: px(-5000), width: px(10_000), height: px(10_000), ..absolute() };
        children.push(boxed(everywhere).layer(40).controlled(Control::Pad(Pad::CloseMenu)));
        let mut popup = column(items).pad(TIGHT, TIGHT).with(|node| {
            node.position_type = PositionType::Absolute;
            // A text is measured before the width of its menu is known, unless that is fixed.
            node.width = px(if matches!(menu, Menu::Speed) { NARROW } else { WIDTH });
            if menu == Menu::Hour {
                // Its button is at the right.
                node.right = px(0);
            }
            node.border = UiRect::all(px(1));
            node.border_radius = BorderRadius::all(px(RADIUS));
        });
        popup.paint.has_shadow = true;
        children
            .push(popup.back(PANEL).border(super::theme::OUTLINE).layer(41).covering().controlled(Control::MenuPopup));
    }
    column(children).rigid().controlled(Control::MenuAnchor(menu))
}

/// The button of a menu.
pub(in crate::game) fn menu_button(menu: Menu, style: Style, name: &str, children: Vec<Element>) -> Element {
    control_box(style, children).controlled(Control::MenuButton { menu, style }).named(name)
}

/// A line of a menu with its key.
pub(in crate::game) fn menu_item(item: Item) -> Element {
    let Item { action, label, about, is_chosen, is_on, is_disabled } = item;
    let colour = if is_disabled { MUTED } else { TEXT };
    let mut first = vec![coloured(&label, colour), spring()];
    let key = crate::game::input::bindings::binding_of(action).map(|binding| binding.key_name);
    first.extend((is_chosen || is_on).then(|| icon(Icon::Check, 16, GOLD)));
    first.extend(key.map(|key| caption(key).controlled(Control::KeyHint)));
    let mut lines = vec![row(first).with(|node| node.min_height = px(20))];
    if !about.is_empty() {
        lines.push(spans(vec![words(about, Size::Caption, SECOND)]));
    }
    let content = column(lines).grow();
    let item = control_box(Style::Quiet, vec![content]).pad(SMALL, 5.0);
    item.controlled(Control::MenuItem { action, is_disabled, is_chosen }).named(label)
}

/// A drop-down: a frame with the value, and a menu of all values.
pub(in crate::game) fn drop_down(id: Menu, open: &OpenMenu, name: &str, value: &str, items: Vec<Item>) -> Element {
    let face = vec![text(value).grow(), icon(Icon::ChevronDown, 16, SECOND)];
    let button = menu_button(id, Style::Outlined, &format!("{name}: {value}"), face);
    let button = button.with(|node| node.align_self = AlignSelf::Stretch);
    let items = items.into_iter().map(menu_item).collect();
    menu(id, open, button, items).with(|node| node.align_self = AlignSelf::Stretch)
}

/// A close button.
pub(in crate::game) fn close_button(action: Action) -> Element {
    button(action, Style::Quiet, vec![icon(Icon::X, 20, SECOND)])
        .named("Close")
        .pad(4.0, 4.0)
        .with(|node| node.min_height = px(26))
}

#[cfg(test)]
mod tests {
    use bevy::input_focus::tab_navigation::{NavAction, TabIndex};
    use bevy::ui_widgets::{MenuPlugin, MenuPopup};

    use super::*;

    #[test]
    fn a_menu_opens_at_the_current_value_or_else_at_its_first_item() {
        for chosen in [None, Some(0), Some(2)] {
            let mut app = App::new();
            app.init_resource::<InputFocus>().add_plugins(MenuPlugin).add_systems(PostUpdate, begin_at_chosen);
            let popup = app.world_mut().spawn((MenuPopup::default(), MenuFocusState::Opening(NavAction::First))).id();
            let items = [(); 3].map(|()| app.world_mut().spawn((MenuItem, TabIndex(0), ChildOf(popup))).id());
            if let Some(chosen) = chosen {
                app.world_mut().entity_mut(items[chosen]).insert(Checked);
            }
            app.update();
            let focus = |app: &App| app.world().resource::<InputFocus>().get();
            assert_eq!(focus(&app), Some(items[chosen.unwrap_or(0)]));
            app.world_mut().resource_mut::<InputFocus>().set(items[1], FocusCause::Navigated);
            app.update();
            assert_eq!(focus(&app), Some(items[1]), "the arrows then lead on");
        }
    }
}
