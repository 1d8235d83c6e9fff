//! The panel with a question about unsaved changes. It covers the window, so that it is answered first.

use bevy::picking::hover::Hovered;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::question::OpenQuestion;

use super::widgets::{GOLD, PANEL, SMALL, TEXT, button, cover, panel, text, text_column, wrapping};

/// The largest width of the panel in logical pixels.
const WIDTH: f32 = 460.0;

#[derive(Component)]
struct QuestionPanel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show.run_if(resource_changed::<OpenQuestion>).in_set(AppSystems::Show));
}

fn show(question: Res<OpenQuestion>, old: Query<Entity, With<QuestionPanel>>, mut commands: Commands) {
    old.iter().for_each(|panel| commands.entity(panel).despawn());
    if *question == OpenQuestion::None {
        return;
    }
    let answers = question.answers();
    let shade = BackgroundColor(Color::BLACK.with_alpha(0.45));
    // It is hovered like a panel, so that clicks do not reach the map.
    commands.spawn((cover(), shade, Hovered::default(), GlobalZIndex(20), QuestionPanel)).with_children(|cover| {
        let column = Node { max_width: px(WIDTH), row_gap: px(8), ..text_column(default()) };
        cover.spawn(panel(column)).insert(BackgroundColor(PANEL.with_alpha(1.0))).with_children(|rows| {
            rows.spawn((text(question.text(), SMALL, TEXT), wrapping(), Pickable::IGNORE));
            let row = Node { flex_wrap: FlexWrap::Wrap, column_gap: px(6), row_gap: px(6), ..default() };
            rows.spawn((row, Pickable::IGNORE)).with_children(|row| {
                for (index, (answer, label)) in answers.iter().enumerate() {
                    row.spawn(button(Action::Answer(*answer))).with_children(|inside| {
                        let key = match index {
                            0 => "Enter",
                            _ if index == answers.len() - 1 => "Esc",
                            _ => ["", "2", "3", "4"].get(index).copied().unwrap_or_default(),
                        };
                        inside.spawn((text(key, SMALL, GOLD), Pickable::IGNORE));
                        inside.spawn((text(*label, SMALL, TEXT), Pickable::IGNORE));
                    });
                }
            });
        });
    });
}
