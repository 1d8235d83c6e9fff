//! The panel of the open lesson: what it claims, what to watch, and what to do next.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::lesson::{LessonIsShown, OpenLesson, Phase};
use crate::lessons::LESSONS;

use super::described::{show_in, spawn_panel};
use super::places::Places;
use super::widgets::{GOLD, MUTED, PANEL, TEXT, button_row, text_button, wrapped};

/// Narrow lines are easier to read, and leave the middle of the window to the map.
const WIDTH: f32 = 360.0;

/// What the panel says once the player has changed what the lesson speaks about.
const NOT_SHOWN: &str = "What this lesson speaks about is not on the screen any more.";

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().top_right;
    // In the lower corner: in these maps the castle and the volcano are higher up.
    let panel = spawn_panel(app, place, Node { max_width: px(WIDTH), margin: UiRect::top(auto()), ..default() });
    // Opaque, because the overlay behind it would make it hard to read.
    app.world_mut().entity_mut(panel).insert(BackgroundColor(PANEL.with_alpha(1.0)));
    app.add_systems(Update, open_lesson.pipe(show_in(panel, spawn)).in_set(AppSystems::Show));
}

/// The index of the open lesson, how far it is, and whether the screen shows what it speaks about.
fn open_lesson(lesson: Res<OpenLesson>, is_shown: Res<LessonIsShown>) -> Option<(usize, Phase, bool)> {
    lesson.get().zip(lesson.phase()).map(|((index, _), phase)| (index, phase, is_shown.0))
}

fn spawn(rows: &mut ChildSpawnerCommands, &(index, phase, is_shown): &(usize, Phase, bool)) {
    let lesson = &LESSONS[index];
    let title = format!("Lesson {} of {}: {}", index + 1, LESSONS.len(), lesson.title);
    rows.spawn(wrapped(title, GOLD));
    let (text, choices): (_, Vec<_>) = match phase {
        Phase::Predict => {
            let answers = lesson.answers.iter().enumerate();
            (lesson.question, answers.map(|(at, answer)| (answer.label, Action::PredictLesson(at))).collect())
        }
        Phase::Play => (lesson.watch, Vec::new()),
        Phase::Reveal => {
            let tries = lesson.tries.iter().enumerate();
            (lesson.outcome, tries.map(|(at, attempt)| (attempt.label, Action::TryLesson(at))).collect())
        }
    };
    rows.spawn(wrapped(text, TEXT));
    if is_shown {
        rows.spawn(button_row()).with_children(|row| {
            for (label, action) in choices {
                row.spawn(text_button(action, label, TEXT));
            }
        });
    } else {
        rows.spawn(wrapped(NOT_SHOWN, MUTED));
    }
    rows.spawn(button_row()).with_children(|row| {
        let again = Some(("Start again", Action::OpenLesson(index))).filter(|_| !is_shown);
        let previous = index.checked_sub(1).map(|index| ("Previous", Action::OpenLesson(index)));
        let next = Some(("Next", Action::OpenLesson(index + 1))).filter(|_| index + 1 < LESSONS.len());
        let close = Some(("Close", Action::CloseLesson));
        for (label, action) in [again, previous, next, close].into_iter().flatten() {
            row.spawn(text_button(action, label, GOLD));
        }
    });
}
