//! The line of buttons at the bottom, each with its key.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::action::{Action, Zoom, binding_of};
use crate::game::view::animation::Animation;
use crate::game::world::open_map::OpenMap;

use super::{Foot, GOLD, HudSystems, SMALL, TEXT, button, panel, text, write};

/// The buttons, from the left.
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

/// A label that says what its button would do now.
#[derive(Component, Clone, Copy)]
enum Label {
    /// Lets volcanoes erupt, or calms them.
    Eruption,
    /// Pauses animation, or resumes it.
    Animation,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Buttons)).add_systems(
        Update,
        name_buttons
            .run_if(resource_changed::<OpenMap>.or_eager(resource_changed::<Animation>))
            .in_set(AppSystems::Show),
    );
}

fn spawn(foot: Res<Foot>, mut commands: Commands) {
    let row = Node {
        flex_wrap: FlexWrap::Wrap,
        justify_content: JustifyContent::Center,
        padding: UiRect::all(px(5)),
        column_gap: px(5),
        row_gap: px(4),
        ..default()
    };
    let bar = commands.spawn((panel(row), ChildOf(foot.0))).id();
    for binding in ACTIONS.into_iter().filter_map(binding_of) {
        commands.spawn((button(binding.action), ChildOf(bar))).with_children(|inside| {
            inside.spawn((text(binding.shown, SMALL, GOLD), Pickable::IGNORE));
            let mut label = inside.spawn((text(binding.label, SMALL, TEXT), Pickable::IGNORE));
            match binding.action {
                Action::Erupt => label.insert(Label::Eruption),
                Action::ToggleAnimation => label.insert(Label::Animation),
                _ => &mut label,
            };
        });
    }
}

fn name_buttons(map: Res<OpenMap>, animation: Res<Animation>, mut labels: Query<(&Label, &mut Text)>) {
    for (label, mut text) in &mut labels {
        let words = match label {
            Label::Eruption if map.any_dormant() || !map.has_volcano() => "Erupt",
            Label::Eruption => "Calm",
            Label::Animation if *animation == Animation::Running => "Pause",
            Label::Animation => "Resume",
        };
        write(&mut text, words);
    }
}
