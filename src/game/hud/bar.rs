//! The line of buttons at the bottom, each with its key.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::action::{Action, binding_of};
use crate::game::land::Land;

use super::{GOLD, SMALL, TEXT, button, panel, text, write};

/// The buttons, from the left.
const ACTIONS: [Action; 12] = [
    Action::GoToCastle,
    Action::Erupt,
    Action::Reset,
    Action::Zoom { closer: false, towards: None },
    Action::Zoom { closer: true, towards: None },
    Action::Fit,
    Action::Turn { forward: false },
    Action::Turn { forward: true },
    Action::Motion,
    Action::Screenshot,
    Action::Help,
    Action::Escape,
];

/// The label of the button that lets volcanoes erupt or calm.
#[derive(Component)]
struct EruptLabel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, name_eruption.run_if(resource_changed::<Land>).in_set(AppSystems::Show));
}

fn spawn(mut commands: Commands) {
    let place = Node {
        flex_direction: FlexDirection::Row,
        flex_wrap: FlexWrap::Wrap,
        justify_content: JustifyContent::Center,
        column_gap: px(5),
        row_gap: px(4),
        ..default()
    };
    let line = Node {
        position_type: PositionType::Absolute,
        bottom: px(6),
        width: percent(100),
        justify_content: JustifyContent::Center,
        ..default()
    };
    commands.spawn((line, Pickable::IGNORE)).with_children(|line| {
        let row = Node { position_type: PositionType::Relative, padding: UiRect::all(px(5)), ..place };
        line.spawn(panel(row.clone())).insert(Node { position_type: PositionType::Relative, ..row }).with_children(
            |row| {
                for binding in ACTIONS.into_iter().filter_map(binding_of) {
                    row.spawn(button(binding.action)).with_children(|inside| {
                        inside.spawn((text(binding.shown, SMALL, GOLD), Pickable::IGNORE));
                        let mut label = inside.spawn((text(binding.label, SMALL, TEXT), Pickable::IGNORE));
                        if binding.action == Action::Erupt {
                            label.insert(EruptLabel);
                        }
                    });
                }
            },
        );
    });
}

fn name_eruption(land: Res<Land>, mut labels: Query<&mut Text, With<EruptLabel>>) {
    for mut label in &mut labels {
        let calm = !land.map().any_dormant() && land.erupting().next().is_some();
        write(&mut label, if calm { "Calm" } else { "Erupt" });
    }
}
