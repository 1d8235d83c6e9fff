//! The line of buttons at the bottom, each with its key.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::action::{Action, binding_of};
use crate::game::view::animation::Motion;
use crate::game::world::open_map::Land;

use super::{Foot, GOLD, HudSystems, SMALL, TEXT, button, panel, text, write};

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

/// A label that says what its button would do now.
#[derive(Component, Clone, Copy)]
enum Label {
    /// Lets volcanoes erupt, or calms them.
    Eruption,
    /// Stills motion, or starts it.
    Motion,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Buttons)).add_systems(
        Update,
        name_buttons.run_if(resource_changed::<Land>.or_eager(resource_changed::<Motion>)).in_set(AppSystems::Show),
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
                Action::Motion => label.insert(Label::Motion),
                _ => &mut label,
            };
        });
    }
}

fn name_buttons(land: Res<Land>, motion: Res<Motion>, mut labels: Query<(&Label, &mut Text)>) {
    for (label, mut text) in &mut labels {
        let words = match label {
            Label::Eruption if land.map().any_dormant() || !land.has_volcano() => "Erupt",
            Label::Eruption => "Calm",
            Label::Motion if motion.0 => "Still",
            Label::Motion => "Move",
        };
        write(&mut text, words);
    }
}
