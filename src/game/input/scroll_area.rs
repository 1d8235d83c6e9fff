//! Panels whose content scrolls where it does not fit.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;

/// The height of a line, in logical pixels.
const LINE: f32 = 20.0;

/// The number of lines that one notch of the wheel scrolls.
const LINES_PER_NOTCH: f32 = 3.0;

/// A panel, or a part of one, whose content scrolls. The wheel scrolls it while the pointer is over it.
#[derive(Component, Clone, Copy, Debug)]
pub struct ScrollArea {
    /// Whether the arrow keys and the page keys scroll it, too.
    pub takes_keys: bool,
}

/// How far an area can be scrolled, in logical pixels.
pub(in crate::game) fn scroll_range(node: &ComputedNode) -> f32 {
    ((node.content_size.y - node.size.y) * node.inverse_scale_factor).max(0.0)
}

/// How far a turn of the wheel scrolls, in logical pixels. A positive number of notches zooms in on the map.
pub(super) fn distance_of_wheel(notches: f32) -> f32 {
    -notches * LINES_PER_NOTCH * LINE
}

/// How far a key scrolls an area, in logical pixels; `None` for other keys.
pub(super) fn distance_of_key(key: KeyCode, area: &ComputedNode) -> Option<f32> {
    let page = (area.size.y * area.inverse_scale_factor - LINE).max(LINE);
    match key {
        KeyCode::ArrowUp => Some(-LINE),
        KeyCode::ArrowDown => Some(LINE),
        KeyCode::PageUp => Some(-page),
        KeyCode::PageDown => Some(page),
        KeyCode::Home => Some(f32::MIN),
        KeyCode::End => Some(f32::MAX),
        _ => None,
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, scroll.run_if(on_message::<Action>).in_set(AppSystems::Act));
}

fn scroll(
    mut actions: MessageReader<Action>,
    mut areas: Query<(&ComputedNode, &mut ScrollPosition), With<ScrollArea>>,
) {
    for action in actions.read() {
        if let Action::Scroll { area, by } = *action
            && let Ok((node, mut position)) = areas.get_mut(area)
        {
            position.y = (position.y + by).clamp(0.0, scroll_range(node));
        }
    }
}
