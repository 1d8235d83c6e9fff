//! The dock of the open lesson: the claim, the question, the result, and suggestions.

use bevy::ecs::system::SystemParam;
use bevy::input_focus::{FocusCause, InputFocus, InputFocusVisible};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui_widgets::ScrollIntoView;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::colours::ANSWERS;
use crate::game::journey::route_change::RouteChange;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::lesson::{LessonAnswers, LessonScreen, OpenLesson, Phase};
use crate::game::search_view::recorded_search::SearchView;
use crate::game::ui::controls::Asks;
use crate::game::ui::element::{
    Control, Element, Style, Words, bold, boxed, button, caption, coloured, column, control_box, dock_end, icon,
    key_hint, row, scroll, section, spans, spring, text, text_button, title, words,
};
use crate::game::ui::focus::TakesFocus;
use crate::game::ui::regions::Places;
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{EMBER, GOOD, LARGE, PANEL_GLIDES, SECOND, SMALL, Size, TEXT, TIGHT};
use crate::game::world::open_map::OpenMap;
use crate::lessons::{Answer, LESSONS, Lesson, Subject};
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::overlay::search_name;
use emberwalk_world::World;
use emberwalk_world::town::{Counts, Town};

use super::search_dock::this_step;
use super::search_step::PlayedSearch;
use super::time_text::time_text;

/// The text of the dock while the map shows a variant of people or a journey.
const VARIANT: &str = "The map no longer shows what the question asks about.";

/// The keys that choose an answer.
const KEYS: [&str; 3] = ["1", "2", "3"];

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().dock;
    let mark_dock = mark_dock.run_if(resource_changed::<OpenLesson>.or_eager(resource_changed::<Screen>));
    app.add_systems(
        Update,
        (mark_dock, (point_at_answer, show_outcome, dock.pipe(show_in(place)), focus_next).chain())
            .in_set(AppSystems::Show),
    );
}

/// Makes the map show only the answer whose button is hovered or has the focus.
fn point_at_answer(
    controls: Query<(Entity, &Hovered, &Asks)>,
    focus: Res<InputFocus>,
    visible: Res<InputFocusVisible>,
    mut answers: ResMut<LessonAnswers>,
) {
    let pointed = controls.iter().find_map(|(entity, hovered, asks)| match asks.0 {
        Action::PredictLesson(index) if hovered.get() || visible.0 && focus.get() == Some(entity) => Some(index),
        _ => None,
    });
    if answers.pointed != pointed {
        answers.pointed = pointed;
    }
}

/// Makes Escape close the lesson, too, while its dock has the focus.
fn mark_dock(open: Res<OpenLesson>, screen: Res<Screen>, places: Res<Places>, mut commands: Commands) {
    let mut dock = commands.entity(places.dock);
    if open.get().is_some() && !screen.is_painting() {
        dock.insert(TakesFocus);
    } else {
        dock.remove::<TakesFocus>();
    }
}

/// The control with the focus, and the controls of the dock.
#[derive(SystemParam)]
struct DockFocus<'w, 's> {
    places: Res<'w, Places>,
    parents: Query<'w, 's, &'static ChildOf>,
    controls: Query<'w, 's, (Entity, &'static Asks)>,
    focus: ResMut<'w, InputFocus>,
    visible: ResMut<'w, InputFocusVisible>,
}

impl DockFocus<'_, '_> {
    fn is_in_dock(&self, control: Entity) -> bool {
        self.parents.iter_ancestors(control).any(|parent| parent == self.places.dock)
    }

    /// Gives the focus to the control of the dock for an action. Returns whether there is one.
    fn give(&mut self, action: Action) -> bool {
        let is_for = |(control, asks): &(Entity, &Asks)| asks.0 == action && self.is_in_dock(*control);
        let Some((control, _)) = self.controls.iter().find(is_for) else { return false };
        self.visible.0 = true;
        self.focus.set(control, FocusCause::Navigated);
        true
    }
}

/// Gives the focus to the button for another lesson, for a player at the keyboard who opens a lesson from elsewhere. It
/// stays there even when the button cannot be used any more: pressing Enter once too often must neither choose an
/// answer nor close the lesson.
fn focus_next(
    mut actions: MessageReader<Action>,
    open: Res<OpenLesson>,
    mut dock: DockFocus,
    mut is_asked: Local<bool>,
) {
    let focused = dock.focus.get();
    for action in actions.read() {
        *is_asked |= match action {
            // A click on the rail gives the focus to its button, without a ring.
            Action::Lessons => focused.is_none() || dock.visible.0,
            Action::OpenLesson(_) => dock.visible.0 && focused.is_some_and(|focused| !dock.is_in_dock(focused)),
            _ => false,
        };
    }
    if let Some((index, _)) = open.get()
        && *is_asked
        && dock.give(Action::OpenLesson(neighbour(index)))
    {
        *is_asked = false;
    }
}

/// Brings the result into view when it appears, as it may be below the edge of the dock. Its suggestions follow it closely.
fn show_outcome(
    open: Res<OpenLesson>,
    tries: Query<(Entity, &Asks), With<ComputedNode>>,
    mut is_seen: Local<bool>,
    mut commands: Commands,
) {
    if open.phase() != Some(Phase::Reveal) {
        *is_seen = false;
    } else if !*is_seen
        // It is laid out since the last frame.
        && let Some((entity, _)) = tries.iter().find(|(_, asks)| asks.0 == Action::TryLesson(0))
    {
        *is_seen = true;
        commands.trigger(ScrollIntoView { entity });
    }
}

/// The next lesson; for the last lesson, the one before it.
fn neighbour(index: usize) -> usize {
    if index + 1 < LESSONS.len() { index + 1 } else { index.saturating_sub(1) }
}

fn dock(
    open: Res<OpenLesson>,
    lesson_screen: Res<LessonScreen>,
    screen: Res<Screen>,
    change: Res<RouteChange>,
    map: Res<OpenMap>,
    mut played: PlayedSearch,
) -> Vec<Element> {
    let Some((index, lesson)) = open.get().filter(|_| !screen.is_painting() && !screen.shows_comparison()) else {
        return Vec::new();
    };
    let phase = open.phase().unwrap_or_default();
    let notes = match lesson.subject {
        Subject::Search(_) => note(lesson, phase, *lesson_screen, &played.view).into_iter().collect(),
        Subject::People(_) => notes_on_people(lesson, phase, *lesson_screen, map.town()),
        Subject::Journey(_) => notes_on_journey(lesson, &open, *lesson_screen, map.world()),
    };
    let mut sections = vec![question(index, lesson, phase, open.chosen(), notes)];
    sections.extend(leaves_subject(lesson, *lesson_screen).map(|text| off_subject(index, &text)));
    if phase == Phase::Reveal {
        sections.push(outcome(lesson, open.chosen()));
    }
    if screen.search == SearchPage::Open && phase != Phase::Predict && matches!(lesson.subject, Subject::Search(_)) {
        sections.push(this_step(&mut played, change.text()));
    }
    let content = scroll(auto(), sections).gliding(PANEL_GLIDES).with(|node| node.flex_basis = px(0));
    vec![column(vec![content, footer(index)]).grow().with(|node| node.min_height = px(0))]
}

/// The claim, the question, and the answers, which stay where they are once one of them is chosen.
fn question(index: usize, lesson: &Lesson, phase: Phase, chosen: Option<usize>, notes: Vec<Element>) -> Element {
    let mut lines = vec![title(lesson.title), text(lesson.question)];
    let has_swatches = lesson.answers.iter().any(|answer| answer.drawn.is_some());
    lines.extend(lesson.answers.iter().enumerate().map(|(place, known)| {
        let is_chosen = chosen == Some(place);
        answer(place, known, phase, is_chosen, place == lesson.right, has_swatches)
    }));
    lines.extend(notes);
    section(&format!("Lesson {} of {}", index + 1, LESSONS.len()), None, lines)
}

/// An answer: a button until one is chosen, with its colour on the map. Later the chosen answer is bold, and at the end
/// the right answer has a tick.
fn answer(index: usize, known: &Answer, phase: Phase, is_chosen: bool, is_right: bool, has_swatches: bool) -> Element {
    let Answer { label, drawn } = *known;
    let colour = ANSWERS.get(index).copied().unwrap_or(TEXT);
    let is_asked = phase == Phase::Predict;
    let swatch = boxed(Node {
        width: px(12),
        height: px(12),
        border_radius: BorderRadius::all(px(3)),
        flex_shrink: 0.0,
        ..default()
    })
    // An answer that is not drawn keeps its place free.
    .back(if drawn.is_some() { colour } else { Color::NONE });
    let colour = if is_asked || is_chosen { TEXT } else { SECOND };
    let label_text = spans(vec![Words { is_bold: is_chosen, ..words(label, Size::Text, colour) }]);
    let mut content: Vec<_> = has_swatches.then_some(swatch).into_iter().collect();
    content.extend([label_text, spring()]);
    content.extend(KEYS.get(index).filter(|_| is_asked).map(|key| key_hint(key, false)));
    let mut name = label.to_owned();
    if is_chosen {
        name.push_str(", your answer");
    }
    if phase == Phase::Reveal && (is_right || is_chosen) {
        content.push(if is_right { icon(Icon::Check, 16, GOOD) } else { icon(Icon::X, 16, EMBER) });
        name.push_str(if is_right { ", right" } else { ", wrong" });
    }
    let action = Action::PredictLesson(index);
    let style = Style::Outlined;
    let control = Control::Button { action, style, is_disabled: !is_asked };
    let answer = control_box(style, content).named(name).controlled(control);
    answer.with(|node| node.justify_content = JustifyContent::FlexStart)
}

/// The result, and suggestions.
fn outcome(lesson: &Lesson, chosen: Option<usize>) -> Element {
    let (colour, says) = match chosen {
        Some(chosen) if chosen == lesson.right => (GOOD, "Right"),
        Some(_) => (EMBER, "Not this time"),
        None => (SECOND, "What happened"),
    };
    let tries = lesson.tries.iter().enumerate();
    let tries = tries.map(|(index, attempt)| text_button(Action::TryLesson(index), attempt.label));
    let tries = row(tries.collect()).wrapping().gap(SMALL).named("Try");
    section("", None, vec![coloured(says, colour), text(lesson.outcome), caption("Try"), tries])
}

/// What the player should do or watch. The hint of the lesson is about its own search, so in place of it a variant is
/// named.
fn note(lesson: &Lesson, phase: Phase, screen: LessonScreen, view: &SearchView) -> Option<Element> {
    match (phase, screen) {
        (Phase::Predict, _) => Some(caption("Choose an answer to play the search.")),
        (_, LessonScreen::AsBegun) => Some(text(lesson.watch)),
        (_, LessonScreen::Variant) => {
            let search = view.search()?;
            Some(text(format!("The map now shows another search: {}.", search_name(&search.recording.query().options))))
        }
        _ => None,
    }
}

/// What the player should do or watch, and how far the people are.
fn notes_on_people(lesson: &Lesson, phase: Phase, screen: LessonScreen, town: Option<&Town>) -> Vec<Element> {
    let hint = match (phase, screen) {
        (Phase::Predict, _) => return vec![caption("Choose an answer to let people set out.")],
        (Phase::Play, LessonScreen::AsBegun) => Some(text(lesson.watch)),
        (_, LessonScreen::Variant) => Some(text(VARIANT)),
        _ => None,
    };
    let is_said = |town: &Town| town.on_the_way() == 0 && outcome_says(lesson, phase, town.last_arrival());
    let town = town.filter(|town| screen != LessonScreen::OtherPeople && !is_said(town));
    hint.into_iter().chain(town.map(progress)).collect()
}

/// What the player should do or watch, and how long the traveller has been on the way.
fn notes_on_journey(lesson: &Lesson, open: &OpenLesson, screen: LessonScreen, world: &World) -> Vec<Element> {
    let Some(journey) = open.journey() else {
        return vec![caption("Choose an answer to let the traveller set out.")];
    };
    let hint = match (open.phase(), screen) {
        (Some(Phase::Play), LessonScreen::AsBegun) => Some(text(lesson.watch)),
        (_, LessonScreen::Variant) => Some(text(VARIANT)),
        _ => None,
    };
    let says = if journey.has_arrived() { "It arrived after " } else { "It has been on the way for " };
    let time = spans(vec![plain(says.into()), seconds(journey.duration(world.clock())), plain(".".into())]);
    let phase = open.phase().unwrap_or_default();
    let is_said = journey.has_arrived() && outcome_says(lesson, phase, journey.duration(world.clock()));
    hint.into_iter().chain((screen.is_on_subject() && !is_said).then_some(time)).collect()
}

/// Whether the outcome that is shown tells this time.
fn outcome_says(lesson: &Lesson, phase: Phase, time: CrowdTime) -> bool {
    phase == Phase::Reveal && lesson.outcome.contains(&format!(" {:.1} seconds", time.seconds()))
}

fn seconds(time: CrowdTime) -> Words {
    bold(time_text(time.seconds()), Size::Text, TEXT)
}

fn plain(text: String) -> Words {
    words(text, Size::Text, SECOND)
}

/// How many people walk, wait and have arrived, each in one of the numbers; or when the last one arrived.
fn progress(town: &Town) -> Element {
    match town.on_the_way() {
        0 => spans(vec![plain("The last one arrived after ".into()), seconds(town.last_arrival()), plain(".".into())]),
        on_the_way => {
            let waiting = Counts::of(town.crowd()).waiting.min(on_the_way);
            let walking = on_the_way - waiting;
            spans(vec![
                seconds(town.now()),
                plain(format!(": {walking} walk, {waiting} wait, {} arrived", town.arrived())),
            ])
        }
    }
}

/// Why the screen does not show the subject of the lesson any more.
fn leaves_subject(lesson: &Lesson, screen: LessonScreen) -> Option<String> {
    let subject = match lesson.subject {
        Subject::Search(_) => "search",
        Subject::People(_) => "people",
        Subject::Journey(_) => "journey",
    };
    let note = match (screen, lesson.subject) {
        (LessonScreen::AsBegun | LessonScreen::Variant, _) => return None,
        (LessonScreen::Closed, _) => "The search of this lesson is closed.",
        (LessonScreen::Search, _) => {
            return Some(format!("The search view is open instead of the {subject} of this lesson."));
        }
        (LessonScreen::Race, _) => return Some(format!("A race is open instead of the {subject} of this lesson.")),
        (LessonScreen::OtherTerrain, _) => "The terrain is no longer the terrain of this lesson.",
        (LessonScreen::OtherEnds, Subject::Search(_)) => "The search is no longer from the tent to the castle.",
        (LessonScreen::OtherEnds, Subject::People(_)) => {
            "Your traveller has another goal, or walks among these people."
        }
        (LessonScreen::OtherEnds, Subject::Journey(_)) => "Your traveller is on another journey.",
        (LessonScreen::OtherEruption, _) => "The volcano erupts at another time than this lesson says.",
        (LessonScreen::OtherOptions, Subject::Search(_)) => "The search now has options that this lesson is not about.",
        (LessonScreen::OtherOptions, Subject::People(_)) => "People now walk by rules that this lesson is not about.",
        (LessonScreen::OtherOptions, Subject::Journey(_)) => {
            "Your traveller now has options that this lesson is not about."
        }
        (LessonScreen::OtherPeople, Subject::Journey(_)) => "There are other people, which this lesson is not about.",
        (LessonScreen::OtherPeople, _) => "These people no longer do what this lesson is about.",
    };
    Some(note.to_owned())
}

/// Offers to start again.
fn off_subject(index: usize, note: &str) -> Element {
    let again = text_button(Action::OpenLesson(index), "Start again");
    section("", None, vec![row(vec![icon(Icon::TriangleAlert, 16, EMBER), caption(note)]), again])
}

/// The buttons at the bottom, which never move.
fn footer(index: usize) -> Element {
    let step = |action, label: &str, content: Vec<Element>, is_disabled| {
        let button = button(action, Style::Plain, content).named(label).disabled(is_disabled);
        button.with(|node| {
            node.flex_grow = 1.0;
            node.flex_basis = px(0);
            node.column_gap = px(TIGHT);
        })
    };
    let arrow = |symbol| icon(symbol, 16, SECOND);
    let previous = Action::OpenLesson(index.saturating_sub(1));
    let next = Action::OpenLesson((index + 1).min(LESSONS.len() - 1));
    let buttons = vec![
        step(previous, "Back", vec![arrow(Icon::ChevronLeft), text("Back")], index == 0),
        step(next, "Next", vec![text("Next"), arrow(Icon::ChevronRight)], index + 1 >= LESSONS.len()),
        step(Action::CloseLesson, "Close", vec![text("Close")], false),
    ];
    dock_end(buttons).pad(LARGE, SMALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_about_another_subject_names_the_one_of_the_lesson() {
        let note = |number: usize| leaves_subject(&LESSONS[number - 1], LessonScreen::Race);
        let expected = |subject| Some(format!("A race is open instead of the {subject} of this lesson."));
        assert_eq!([1, 6, 8].map(note), ["search", "people", "journey"].map(expected));
        assert!(LESSONS.iter().all(|lesson| leaves_subject(lesson, LessonScreen::Variant).is_none()));
    }

    #[test]
    fn a_time_that_the_outcome_tells_is_not_told_twice() {
        let says = |number: usize, phase, seconds: f64| {
            let time = CrowdTime::from_seconds(seconds);
            outcome_says(&LESSONS[number - 1], phase, time)
        };
        assert!(says(6, Phase::Reveal, 12.6) && says(8, Phase::Reveal, 9.0));
        assert!(!says(6, Phase::Play, 12.6), "the outcome is not shown yet");
        assert!(!says(6, Phase::Reveal, 19.4), "other people have set out");
    }

    #[test]
    fn the_focus_begins_at_a_button_that_neither_answers_nor_closes_the_lesson() {
        let last = LESSONS.len() - 1;
        assert_eq!([0, 1, last - 1, last].map(neighbour), [1, 2, last, last - 1]);
    }
}
