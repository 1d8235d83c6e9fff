//! The panel of the open lesson: what it claims, what to watch, and what to do next.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::lesson::OpenLesson;
use crate::lessons::LESSONS;

use super::places::Places;
use super::widgets::{GOLD, MUTED, PANEL, SMALL, TEXT, button, panel, text, text_column, wrapping};

/// Narrow lines are easier to read, and leave the middle of the window to the map.
const WIDTH: f32 = 360.0;

#[derive(Component)]
struct LessonPanel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, update.run_if(resource_changed::<OpenLesson>).in_set(AppSystems::Show));
}

fn update(lesson: Res<OpenLesson>, old: Query<Entity, With<LessonPanel>>, places: Res<Places>, mut commands: Commands) {
    old.iter().for_each(|panel| commands.entity(panel).despawn());
    let Some((index, lesson)) = lesson.get() else { return };
    // In the lower corner: in these maps the castle and the volcano are higher up.
    let margin = UiRect::top(auto());
    let node = Node { max_width: px(WIDTH), margin, ..text_column(default()) };
    let mut rows = commands.spawn((panel(node), LessonPanel, ChildOf(places.top_right)));
    // Opaque, because the overlay behind it would make it hard to read.
    rows.insert(BackgroundColor(PANEL.with_alpha(1.0))).with_children(|rows| {
        let title = format!("Lesson {} of {}: {}", index + 1, LESSONS.len(), lesson.title);
        for (content, colour) in [(&*title, GOLD), (lesson.text, TEXT), (lesson.next, MUTED)] {
            rows.spawn((text(content, SMALL, colour), wrapping(), Pickable::IGNORE));
        }
        let row = Node { flex_wrap: FlexWrap::Wrap, column_gap: px(4), row_gap: px(4), ..default() };
        rows.spawn((row, Pickable::IGNORE)).with_children(|row| {
            let previous = index.checked_sub(1).map(|index| ("Previous", Action::OpenLesson(index)));
            let next = Some(("Next", Action::OpenLesson(index + 1))).filter(|_| index + 1 < LESSONS.len());
            for (label, action) in [previous, next, Some(("Close", Action::CloseLesson))].into_iter().flatten() {
                row.spawn(button(action)).with_child((text(label, SMALL, GOLD), Pickable::IGNORE));
            }
        });
    });
}
