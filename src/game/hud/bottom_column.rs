//! The column at the bottom of the window, which stacks several panels.

use bevy::prelude::*;

/// The column at the bottom of the window, which stacks panels above each other.
#[derive(Resource)]
pub(super) struct BottomColumn(pub(super) Entity);

/// The order in which panels are added to the bottom column, from top to bottom.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum HudSystems {
    Faults,
    Hint,
    Notices,
    Buttons,
}

pub(super) fn plugin(app: &mut App) {
    app.configure_sets(
        Startup,
        (HudSystems::Faults, HudSystems::Hint, HudSystems::Notices, HudSystems::Buttons).chain(),
    )
    .add_systems(PreStartup, spawn_bottom_column);
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
