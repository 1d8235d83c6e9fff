//! The dock of the open lesson: what it claims, what to watch, and what to do next.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::traveller::Player;
use crate::game::lesson::{LessonIsShown, OpenLesson};
use crate::game::mode::{GameMode, SearchPage};
use crate::game::search_view::recorded_search::SearchView;
use crate::game::ui::element::{
    Element, Style, button, caption, coloured, column, icon, row, scroll, section, text, text_button, title,
};
use crate::game::ui::regions::Places;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{DIVIDER, EMBER, LARGE, SECOND, SMALL, TIGHT};
use crate::game::world::open_map::OpenMap;
use crate::lessons::{LESSONS, Lesson};

use super::search_dock::this_step;
use super::search_step::BestOpen;

/// What the dock says once the player has changed what the lesson speaks about.
const NOT_SHOWN: &str = "The map shows something else than this lesson speaks about.";

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().dock;
    app.add_systems(Update, dock.pipe(show_in(place)).in_set(AppSystems::Show));
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn dock(
    lesson: Res<OpenLesson>,
    is_shown: Res<LessonIsShown>,
    (mode, page): (Res<State<GameMode>>, Res<State<SearchPage>>),
    view: Res<SearchView>,
    map: Res<OpenMap>,
    goal: Single<&Goal, With<Player>>,
    change: Res<RouteChange>,
    mut best: Local<BestOpen>,
) -> Vec<Element> {
    let Some((index, lesson)) = lesson.get().filter(|_| *mode.get() == GameMode::Walking) else { return Vec::new() };
    let mut sections = vec![claim(index, lesson)];
    sections.extend((!is_shown.0).then(|| not_shown(index)));
    if *page.get() == SearchPage::Open {
        sections.push(this_step(&view, &map, &goal, change.text(), &mut best));
    }
    let content = scroll(auto(), sections).with(|node| node.flex_basis = px(0));
    vec![column(vec![content, footer(index)]).grow()]
}

fn claim(index: usize, lesson: &Lesson) -> Element {
    let next = coloured(lesson.next, SECOND);
    section(&heading(index), None, vec![title(lesson.title), text(lesson.text), next])
}

fn heading(index: usize) -> String {
    format!("Lesson {} of {}", index + 1, LESSONS.len())
}

/// Offers to start again.
fn not_shown(index: usize) -> Element {
    let note = caption(NOT_SHOWN).with(|node| node.flex_shrink = 1.0);
    let again = text_button(Action::OpenLesson(index), "Start again");
    section("", None, vec![row(vec![icon(Icon::TriangleAlert, 16, EMBER), note]), again])
}

/// The buttons that are always in the same places.
fn footer(index: usize) -> Element {
    let step = |action, label: &str, content: Vec<Element>, is_disabled| {
        let button = button(action, Style::Plain, content).named(label).disabled(is_disabled);
        button.with(|node| (node.flex_grow, node.flex_basis, node.column_gap) = (1.0, px(0), px(TIGHT)))
    };
    let arrow = |symbol| icon(symbol, 16, SECOND);
    let previous = Action::OpenLesson(index.saturating_sub(1));
    let next = Action::OpenLesson((index + 1).min(LESSONS.len() - 1));
    let buttons = row(vec![
        step(previous, "Back", vec![arrow(Icon::ChevronLeft), text("Back")], index == 0),
        step(next, "Next", vec![text("Next"), arrow(Icon::ChevronRight)], index + 1 >= LESSONS.len()),
        step(Action::CloseLesson, "Close", vec![text("Close")], false),
    ]);
    buttons.pad(LARGE, SMALL).border(DIVIDER).with(|node| {
        node.border = UiRect::top(px(1));
        node.flex_shrink = 0.0;
    })
}
