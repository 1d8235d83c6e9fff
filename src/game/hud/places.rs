//! The places of the panels: the corners of the window, which a diamond-shaped map leaves free, and the bottom.

use bevy::prelude::*;

/// The distance of the panels from the edges of the window.
pub(super) const MARGIN: f32 = 10.0;

/// The distance between panels.
const GAP: f32 = 6.0;

/// The nodes to which panels are added. Each has a width of its own, so that the engine measures the height of a text
/// with the width that it gets. (The height of a panel without a parent is measured before its width is limited.)
#[derive(Resource)]
pub(super) struct Places {
    /// A column at the top left.
    pub top_left: Entity,
    /// A column at the top right.
    pub top_right: Entity,
    /// A row with one panel in each of the lower corners.
    pub bottom_corners: Entity,
    /// A column at the bottom, below these.
    pub bottom: Entity,
}

/// The order in which panels are added to the same place.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum HudSystems {
    Hint,
    Faults,
    Notices,
    Buttons,
}

pub(super) fn plugin(app: &mut App) {
    use HudSystems::{Buttons, Faults, Hint, Notices};
    app.configure_sets(Startup, (Hint, Faults, Notices, Buttons).chain()).add_systems(PreStartup, spawn_places);
}

fn spawn_places(mut commands: Commands) {
    let top = Node {
        position_type: PositionType::Absolute,
        top: px(MARGIN),
        left: px(MARGIN),
        right: px(MARGIN),
        justify_content: JustifyContent::SpaceBetween,
        align_items: AlignItems::FlexStart,
        ..default()
    };
    let top = commands.spawn((top, Pickable::IGNORE)).id();
    let mut column = |align_items| {
        let node = Node {
            flex_direction: FlexDirection::Column,
            align_items,
            row_gap: px(GAP),
            max_width: percent(48),
            ..default()
        };
        commands.spawn((node, Pickable::IGNORE, ChildOf(top))).id()
    };
    let (top_left, top_right) = (column(AlignItems::FlexStart), column(AlignItems::FlexEnd));

    let bottom = Node {
        position_type: PositionType::Absolute,
        bottom: px(GAP),
        width: percent(100),
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Center,
        row_gap: px(GAP),
        ..default()
    };
    let bottom = commands.spawn((bottom, Pickable::IGNORE)).id();
    let corners = Node {
        width: percent(100),
        padding: UiRect::horizontal(px(MARGIN)),
        justify_content: JustifyContent::SpaceBetween,
        align_items: AlignItems::FlexEnd,
        column_gap: px(GAP),
        ..default()
    };
    let bottom_corners = commands.spawn((corners, Pickable::IGNORE, ChildOf(bottom))).id();
    commands.insert_resource(Places { top_left, top_right, bottom_corners, bottom });
}
