//! The row of buttons at the bottom of the window. Each shows its key.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, Zoom, binding_of};
use crate::game::view::animation::Animation;
use crate::game::world::open_map::OpenMap;

use super::bottom_column::{BottomColumn, HudSystems};
use super::widgets::{GOLD, SMALL, TEXT, button, panel, set_text, text};

/// The actions of the buttons, from left to right.
const ACTIONS: [Action; 12] = [
    Action::GoToCastle,
    Action::Erupt,
    Action::Reset,
    Action::Zoom { zoom: Zoom::Out, towards: None },
    Action::Zoom { zoom: Zoom::In, towards: None },
    Action::Fit,
    Action::PreviousMap,
    Action::NextMap,
    Action::ToggleAnimation,
    Action::Screenshot,
    Action::Help,
    Action::Escape,
];

/// A label that changes with what its button would do now.
#[derive(Component, Clone, Copy)]
enum Label {
    /// "Erupt" or "Calm".
    Eruption,
    /// "Pause" or "Resume".
    Animation,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Buttons)).add_systems(
        Update,
        update_labels
            .run_if(resource_changed::<OpenMap>.or_eager(resource_changed::<Animation>))
            .in_set(AppSystems::Show),
    );
}

fn spawn(column: Res<BottomColumn>, mut commands: Commands) {
    let row = Node {
        flex_wrap: FlexWrap::Wrap,
        justify_content: JustifyContent::Center,
        padding: UiRect::all(px(5)),
        column_gap: px(5),
        row_gap: px(4),
        ..default()
    };
    let bar = commands.spawn((panel(row), ChildOf(column.0))).id();
    for binding in ACTIONS.into_iter().filter_map(binding_of) {
        commands.spawn((button(binding.action), ChildOf(bar))).with_children(|inside| {
            inside.spawn((text(binding.key_name, SMALL, GOLD), Pickable::IGNORE));
            let mut label = inside.spawn((text(binding.label, SMALL, TEXT), Pickable::IGNORE));
            match binding.action {
                Action::Erupt => label.insert(Label::Eruption),
                Action::ToggleAnimation => label.insert(Label::Animation),
                _ => &mut label,
            };
        });
    }
}

fn update_labels(map: Res<OpenMap>, animation: Res<Animation>, mut labels: Query<(&Label, &mut Text)>) {
    for (label, mut text) in &mut labels {
        let content = match label {
            Label::Eruption if map.any_dormant() || !map.has_volcano() => "Erupt",
            Label::Eruption => "Calm",
            Label::Animation if *animation == Animation::Running => "Pause",
            Label::Animation => "Resume",
        };
        set_text(&mut text, content);
    }
}
