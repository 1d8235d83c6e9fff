//! The panel of the open lesson: what it claims, what to watch, and what to do next.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::lesson::{LessonIsShown, OpenLesson};
use crate::lessons::LESSONS;

use super::places::Places;
use super::widgets::{GOLD, MUTED, PANEL, SMALL, TEXT, button, button_row, panel, text, text_column, wrapping};

/// Narrow lines are easier to read, and leave the middle of the window to the map.
const WIDTH: f32 = 360.0;

#[derive(Component)]
struct LessonPanel;

/// What the panel says once the player has changed what the lesson speaks about.
const NOT_SHOWN: &str = "What this lesson speaks about is not on the screen any more.";

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<OpenLesson>.or_eager(resource_changed::<LessonIsShown>);
    app.add_systems(Update, update.run_if(changed).in_set(AppSystems::Show));
}

fn update(
    lesson: Res<OpenLesson>,
    is_shown: Res<LessonIsShown>,
    old: Query<Entity, With<LessonPanel>>,
    places: Res<Places>,
    mut commands: Commands,
) {
    old.iter().for_each(|panel| commands.entity(panel).despawn());
    let Some((index, lesson)) = lesson.get() else { return };
    // In the lower corner: in these maps the castle and the volcano are higher up.
    let margin = UiRect::top(auto());
    let node = Node { max_width: px(WIDTH), margin, ..text_column(default()) };
    let mut rows = commands.spawn((panel(node), LessonPanel, ChildOf(places.top_right)));
    // Opaque, because the overlay behind it would make it hard to read.
    rows.insert(BackgroundColor(PANEL.with_alpha(1.0))).with_children(|rows| {
        let title = format!("Lesson {} of {}: {}", index + 1, LESSONS.len(), lesson.title);
        let says =
            if is_shown.0 { [(lesson.text, TEXT), (lesson.next, MUTED)] } else { [(NOT_SHOWN, MUTED), ("", MUTED)] };
        for (content, colour) in [(&*title, GOLD)].into_iter().chain(says).filter(|(content, _)| !content.is_empty()) {
            rows.spawn((text(content, SMALL, colour), wrapping(), Pickable::IGNORE));
        }
        rows.spawn(button_row()).with_children(|row| {
            let again = Some(("Start again", Action::OpenLesson(index))).filter(|_| !is_shown.0);
            let previous = index.checked_sub(1).map(|index| ("Previous", Action::OpenLesson(index)));
            let next = Some(("Next", Action::OpenLesson(index + 1))).filter(|_| index + 1 < LESSONS.len());
            let close = Some(("Close", Action::CloseLesson));
            for (label, action) in [again, previous, next, close].into_iter().flatten() {
                row.spawn(button(action)).with_child((text(label, SMALL, GOLD), Pickable::IGNORE));
            }
        });
    });
}
