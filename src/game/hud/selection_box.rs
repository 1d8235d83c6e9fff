//! The rectangle in which the player selects people.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::input::mouse::Mouse;
use crate::game::ui::element::{Element, boxed};
use crate::game::ui::theme::GOLD;

pub(super) fn selection_box(
    mouse: Res<Mouse>,
    window: Query<&Window, With<PrimaryWindow>>,
    scale: Res<UiScale>,
) -> Vec<Element> {
    let (Some(rect), Ok(window)) = (mouse.selects_in(), window.single()) else { return Vec::new() };
    let pixels = window.scale_factor() * scale.0;
    let frame = boxed(Node { border: UiRect::all(px(1)), ..default() });
    let at = Rect { min: rect.min / pixels, max: rect.max / pixels };
    vec![frame.border(GOLD).back(GOLD.with_alpha(0.1)).at(at)]
}
