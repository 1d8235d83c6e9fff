//! Areas of panels that scroll, each with a bar that shows which part of the content is seen.

use bevy::prelude::*;
use bevy::ui::{IgnoreScroll, UiSystems};

use crate::game::frames::wake::Wake;
use crate::game::input::scroll_area::{ScrollArea, scroll_range};

use super::widgets::BORDER;

/// The width of a scroll bar and its distance from the content, in logical pixels.
const BAR: f32 = 3.0;
const BAR_GAP: f32 = 5.0;

/// The bar of the area that is its parent.
#[derive(Component)]
struct ScrollBar;

/// Spawns a column whose content scrolls if it is higher than `max_height`, and returns it.
pub(super) fn spawn_scroll_area(
    parent: &mut ChildSpawnerCommands,
    max_height: Val,
    area: ScrollArea,
    content: impl FnOnce(&mut ChildSpawnerCommands),
) -> Entity {
    let node = Node {
        flex_direction: FlexDirection::Column,
        max_height,
        padding: UiRect::right(px(BAR + BAR_GAP)),
        overflow: Overflow::scroll_y(),
        ..default()
    };
    let mut column = parent.spawn((node, area, Pickable::IGNORE));
    column.with_children(|inside| {
        content(inside);
        inside.spawn(scroll_bar(Node { right: px(0), ..default() }));
    });
    column.id()
}

/// Returns the bar of the scroll area that becomes its parent. The node says at which side it is.
pub(super) fn scroll_bar(side: Node) -> impl Bundle {
    let bar = Node {
        position_type: PositionType::Absolute,
        width: px(BAR),
        border_radius: BorderRadius::all(px(BAR / 2.0)),
        display: Display::None,
        ..side
    };
    (bar, BackgroundColor(BORDER), IgnoreScroll(BVec2::TRUE), Pickable::IGNORE, ScrollBar)
}

pub(super) fn plugin(app: &mut App) {
    // After the layout, which measures the content.
    app.add_systems(PostUpdate, place_bars.after(UiSystems::Layout));
}

fn place_bars(
    areas: Query<(&ComputedNode, &ScrollPosition), With<ScrollArea>>,
    mut bars: Query<(&ChildOf, &mut Node), With<ScrollBar>>,
    mut wakes: MessageWriter<Wake>,
) {
    for (parent, mut node) in &mut bars {
        let Ok((area, position)) = areas.get(parent.parent()) else { continue };
        let (seen, range) = (area.size.y * area.inverse_scale_factor, scroll_range(area));
        let part = seen / (seen + range).max(1.0);
        let display = if range > 0.0 { Display::Flex } else { Display::None };
        let (top, height) = (px((position.y * part).round()), px((seen * part).round()));
        if (node.display, node.top, node.height) != (display, top, height) {
            (node.display, node.top, node.height) = (display, top, height);
            wakes.write(Wake::NextFrame);
        }
    }
}
