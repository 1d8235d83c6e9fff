//! The time line of the search view and the race: playback controls and progress.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::half::Half;
use crate::game::action::{Action, Menu, Playback};
use crate::game::screen::mode::Screen;
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView, TimeMark, TimeMarkKind};
use crate::game::search_view::verdict::verdict;
use crate::game::ui::element::{Element, Slider, Style, caption, column, icon, slider, spans, text, words};
use crate::game::ui::menu::{Item, OpenMenu, menu, menu_button, menu_item};
use crate::game::ui::regions::{Regions, Room};
use crate::game::ui::theme::{EMBER, ERROR, FOCUS, GOLD, MEDIUM, SECOND, Size, TEXT, TIGHT};
use emberwalk_map::format_number;

use super::playback::{self, line_above, mark, marked, move_button, play_button, position_text};
use super::scale_colours;
use super::search_step::PlayedSearch;

/// The width of a digit and of the space around the slash, in logical pixels.
const DIGIT: f32 = 9.2;
const SLASH: f32 = 14.0;

/// The width of the verdict beside the controls.
const VERDICT: f32 = 420.0;

/// The speeds in the menu, as exponents of two: factors of the normal speed.
const DOUBLED: [i32; 6] = [-2, -1, 0, 1, 2, 3];

/// The text of a race before its end.
const SAME_CLOCK: &str = "Both searches do the same number of steps per second.";

/// The colour of one half of a race.
pub(super) fn half_colour(half: Half) -> Color {
    if half == Half::Left { GOLD } else { FOCUS }
}

pub(super) fn time_line(
    regions: Res<Regions>,
    screen: Res<Screen>,
    open: Res<OpenMenu>,
    mut played: PlayedSearch,
) -> Vec<Element> {
    if !screen.plays_search() {
        return Vec::new();
    }
    let view = &played.view;
    let room = regions.room;
    let is_race = screen.is_race();
    let mut controls = Vec::new();
    if is_race && room == Room::Wide {
        controls.push(race_text(view, &regions).width(VERDICT).rigid());
    }
    controls.extend(buttons(view));
    controls.push(track(view));
    controls.push(position(view));
    controls.push(speed(view, &open));
    let above = match room {
        Room::Wide => None,
        _ if is_race => Some(race_text(view, &regions).pad(MEDIUM, 0.0).with(|node| node.margin = UiRect::top(px(6)))),
        _ => regions.dock.is_empty().then(|| line_above(played.step())),
    };
    playback::controls(controls, above, room)
}

fn buttons(view: &SearchView) -> [Element; 5] {
    let at_start = view.position() == 0;
    let is_complete = view.is_complete();
    [
        move_button(Playback::Start, Icon::SkipBack, "To the start").disabled(at_start),
        move_button(Playback::StepBack, Icon::StepBack, "One step back").disabled(at_start),
        play_button(view.is_playing() && !view.is_empty(), is_complete && !view.is_empty()),
        move_button(Playback::StepOn, Icon::StepForward, "One step forward").disabled(is_complete),
        move_button(Playback::End, Icon::SkipForward, "To the end").disabled(is_complete),
    ]
}

/// The slider, with the colours of the closed cells and marks on it.
fn track(view: &SearchView) -> Element {
    let len = view.len().max(1) as f32;
    let share = view.position() as f32 / len;
    let mut slider = slider(Slider::TimeLine, "Position", share, (0.0, 1.0), 1.0 / len).grow();
    let mut marks = Vec::new();
    for half in Half::BOTH {
        for TimeMark { position, kind } in view.search_on(half).into_iter().flat_map(RecordedSearch::marks) {
            let at = *position as f32 / len;
            match (kind, view.race()) {
                (TimeMarkKind::Goal, None) => marks.push(mark(at, half_colour(half))),
                (TimeMarkKind::Goal, Some(_)) => marks.extend([mark(at, half_colour(half)), flag(half, at)]),
                (TimeMarkKind::Reopened, None) => marks.push(mark(at, EMBER)),
                (TimeMarkKind::Mistake, _) => marks.push(mark(at, ERROR)),
                (TimeMarkKind::Reopened, Some(_)) => {}
            }
        }
    }
    if let Some([_, done, ..]) = slider.children.first_mut().map(|rail| &mut rail.children[..]) {
        done.paint.back = None;
        done.content = scale_colours(share);
    }
    marked(slider, marks)
}

/// The flag where the search on a half finds its route: above the track for the left one, below it for the right one.
fn flag(half: Half, share: f32) -> Element {
    let top = if half == Half::Left { -9.0 } else { 17.0 };
    icon(Icon::Flag, 12, half_colour(half)).with(|node| {
        node.position_type = PositionType::Absolute;
        node.left = percent(100.0 * share);
        node.top = px(top);
        node.margin = UiRect::left(px(-2));
    })
}

fn position(view: &SearchView) -> Element {
    let position = view.position();
    let len = view.len();
    let digits = len.max(1).ilog10() as f32 + 1.0;
    let place = position_text(position.to_string(), format!(" / {len}"), (2.0 * DIGIT * digits + SLASH).ceil());
    place.with(|node| {
        node.justify_content = JustifyContent::FlexEnd;
        node.margin = UiRect::left(px(TIGHT));
    })
}

fn speed(view: &SearchView, open: &OpenMenu) -> Element {
    let written = |speed: f64| format!("{}×", format_number(speed));
    let value = written(view.speed());
    let face = vec![text(&value), icon(Icon::ChevronUp, 16, SECOND)];
    let button = menu_button(Menu::Speed, Style::Quiet, &format!("Speed: {value}"), face);
    let button = button.gap(TIGHT).width(72.0).pad(0.0, 0.0).tip("Speed", "", "[ halves it, and ] doubles it.");
    let items = DOUBLED.map(|doubled| {
        let speed = 2f64.powi(doubled);
        let is_chosen = speed == view.speed();
        menu_item(Item { is_chosen, ..Item::new(Action::Playback(Playback::Doubled(doubled)), written(speed)) })
    });
    menu(Menu::Speed, open, button, items.into())
}

/// The verdict of a race at its end, and before it how the race is run.
fn race_text(view: &SearchView, regions: &Regions) -> Element {
    let lines = match view.race() {
        None if view.is_recording() => "Recording both searches".to_owned(),
        None => "There is no race: click a passable cell.".to_owned(),
        Some(race) if view.is_complete() => verdict(race, regions.is_stacked()),
        // In a column, because a text of fixed width is measured before its width is known.
        Some(_) => return column(vec![caption(SAME_CLOCK)]),
    };
    let line = |line: &str| spans(vec![words(line, Size::Caption, TEXT)]);
    column(lines.lines().map(line).collect())
}
