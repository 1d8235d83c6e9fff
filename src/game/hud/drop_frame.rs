//! A frame while a file is dragged over the window.

use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use lucide_icons::Icon;

use crate::game::ui::element::{Element, boxed, card, icon, row, text};
use crate::game::ui::theme::{GOLD, RADIUS, SMALL};

pub(super) fn drop_frame(mut drags: MessageReader<FileDragAndDrop>, mut is_over: Local<bool>) -> Vec<Element> {
    if let Some(drag) = drags.read().last() {
        *is_over = matches!(drag, FileDragAndDrop::HoveredFile { .. });
    }
    if !*is_over {
        return Vec::new();
    }
    let frame = boxed(Node {
        flex_grow: 1.0,
        margin: UiRect::all(px(SMALL)),
        border: UiRect::all(px(2)),
        border_radius: BorderRadius::all(px(RADIUS)),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        ..default()
    });
    let hint = row(vec![icon(Icon::FolderOpen, 20, GOLD), text("Drop to open")]);
    vec![Element { children: vec![card(vec![hint])], ..frame.border(GOLD).back(GOLD.with_alpha(0.08)) }]
}
