//! A frame while a file is dragged over the window.

use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use lucide_icons::Icon;

use crate::game::app_systems::AppSystems;
use crate::game::ui::element::{Element, boxed, card, icon, row, text};
use crate::game::ui::show::{cover_layer, show_in};
use crate::game::ui::theme::{GOLD, RADIUS, SMALL};

pub(super) fn plugin(app: &mut App) {
    let layer = cover_layer(app, 55);
    app.add_systems(Update, drop_frame.pipe(show_in(layer)).in_set(AppSystems::Show));
}

fn drop_frame(mut drags: MessageReader<FileDragAndDrop>, mut is_over: Local<bool>) -> Vec<Element> {
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
