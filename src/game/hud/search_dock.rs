//! The dock of the search view: the options of the search, its step, its result, its open list, and the legend.

use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::half::Half;
use crate::game::action::{Action, Fold};
use crate::game::app_systems::AppSystems;
use crate::game::colours::{END, OPEN};
use crate::game::journey::route_change::RouteChange;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::best_open::BestOpen;
use crate::game::search_view::cell_figures;
use crate::game::search_view::lesson::OpenLesson;
use crate::game::search_view::options::WatchedOptions;
use crate::game::search_view::own_search::OwnSearch;
use crate::game::search_view::prediction::{Prediction, is_possible};
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView};
use crate::game::ui::controls::Asks;
use crate::game::ui::element::{
    Control, Element, Style, Words, apart, at_right, boxed, button, caption, coloured, column, control_box, entry,
    icon, row, scroll, section, spans, text, text_button, words,
};
use crate::game::ui::fold::OpenFolds;
use crate::game::ui::menu::OpenMenu;
use crate::game::ui::theme::{
    EMBER, F, G, GOLD, GOOD, H, MEDIUM, PANEL_GLIDES, RADIUS, SECOND, SMALL, Size, TEXT, TIGHT,
};
use crate::game::viewport::{Viewport, cell_point};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::{InspectedCell, PointedCell};
use emberwalk_map::diagnostics::capitalised;
use emberwalk_path::trace::{ListSizes, Opened, Recording};
use emberwalk_path::{Algorithm, Options};
use emberwalk_picture::overlay::{about_search, result_text, steps_of, written_h};
use emberwalk_world::PACE;

use super::scale_colours;
use super::search_options::{
    algorithm_menu, heading_of_more, heuristic_menu, heuristic_of, more_options, sentence, weight_slider,
};
use super::search_step::{PlayedSearch, duration, figure, written};
use super::time_text::time_text;

/// The width of a column of the open list.
const COLUMN: f32 = 62.0;

/// The width of a name with its count, beside another name.
const HALF_COLUMN: f32 = 112.0;

/// The height of three lines, so that nothing below a sentence moves when the sentence changes.
const THREE_LINES: f32 = 60.0;

pub(super) fn plugin(app: &mut App) {
    let point_at_row = point_at_row.after(AppSystems::Walk).before(cell_figures::update);
    app.add_systems(Update, (look_at_row.in_set(AppSystems::Act), point_at_row));
}

/// Points at the cell of the row of the open list under the pointer, so that the map marks it and the card is about it.
/// Other cells move into the row while the search is played, so this comes after its steps.
fn point_at_row(
    rows: Query<(&Hovered, &Asks)>,
    view: Res<SearchView>,
    mut best: ResMut<BestOpen>,
    mut pointed: ResMut<PointedCell>,
    mut inspected: ResMut<InspectedCell>,
) {
    let row = rows.iter().find_map(|(hovered, asks)| match asks.0 {
        Action::LookAtOpen(row) if hovered.get() => Some(row),
        _ => None,
    });
    if let Some(row) = row
        && let Some(search) = view.search()
        && let Some(cell) = best.at(search, &view).get(row).map(|opened| opened.cell)
    {
        pointed.set_if_neq(PointedCell(Some(cell)));
        inspected.set_if_neq(InspectedCell(Some(cell)));
    }
}

/// Brings the cell of a row of the open list, or of a mistake, to the centre of the view.
fn look_at_row(
    mut actions: MessageReader<Action>,
    searches: Res<SearchView>,
    map: Res<OpenMap>,
    mut best: ResMut<BestOpen>,
    mut view: ResMut<Viewport>,
) {
    for action in actions.read() {
        let Some(search) = searches.search() else { continue };
        let cell = match *action {
            Action::LookAtOpen(row) => best.at(search, &searches).get(row).map(|opened| opened.cell),
            Action::ToMistake(index) => search.mistakes().nth(index).and_then(|(_, mistake)| mistake.cell),
            _ => None,
        };
        if let Some(cell) = cell.filter(|cell| map.size().contains(*cell)) {
            view.look_at(cell_point(cell, &map));
        }
    }
}

pub(super) fn dock(
    screen: Res<Screen>,
    lesson: Res<OpenLesson>,
    options: WatchedOptions,
    (folds, open): (Res<OpenFolds>, Res<OpenMenu>),
    prediction: Res<Prediction>,
    change: Res<RouteChange>,
    mut played: PlayedSearch,
) -> Vec<Element> {
    let is_hidden = screen.is_painting() || screen.shows_comparison();
    if screen.search != SearchPage::Open || is_hidden || lesson.get().is_some() {
        return Vec::new();
    }
    let first = match options.own.is_open() {
        true => own_search(&options.own, played.view.search()),
        false => algorithm(&options.on(Half::Left), options.can_be_restored(), folds.has(Fold::MoreOptions), &open),
    };
    let mut sections = vec![first, this_step(&mut played, change.text())];
    let view = &played.view;
    if let Some(search) = view.search() {
        sections.extend((!view.hides_route() && search.verdict.is_none()).then(|| result(search)));
        sections.push(open_list(
            &search.recording,
            played.best.at(search, view),
            search.recording.at(view.position()).sizes(),
            Some(&*prediction).filter(|_| is_possible(&screen, &lesson, view)),
            view.is_complete(),
        ));
    }
    sections.push(legend());
    vec![scroll(percent(100), sections).gliding(PANEL_GLIDES)]
}

fn algorithm(options: &Options, can_be_restored: bool, more_is_open: bool, open: &OpenMenu) -> Element {
    let about = |line: &str| caption(sentence(line)).with(|node| node.margin = UiRect::top(px(-2)));
    let mut lines = vec![algorithm_menu(Half::Left, options, open), about(about_search(options))];
    lines.extend(weight_slider(Half::Left, options));
    lines.push(heuristic_menu(Half::Left, options, open));
    if options.algorithm.uses_heuristic() {
        lines.push(about(heuristic_of(options).1));
    }
    lines.push(heading_of_more(more_is_open, options));
    if more_is_open {
        lines.push(more_options(Half::Left, options));
    }
    if can_be_restored {
        let note = "The traveller uses these too.";
        lines.push(apart(vec![caption(note), text_button(Action::RestoreOptions, "Restore")]));
    }
    section("Algorithm", None, lines)
}

/// The verdict on the player's own search. A click on a mistake goes there.
fn own_search(own: &OwnSearch, search: Option<&RecordedSearch>) -> Element {
    let name = caption(own.file_name().unwrap_or_default());
    let mut lines = vec![apart(vec![name, text_button(Action::CloseOwnSearch, "Close")])];
    if let Some((search, verdict)) = search.and_then(|search| Some((search, search.verdict.as_ref()?))) {
        let count = verdict.mistakes.len();
        let (symbol, colour, verdict_words) = match count {
            0 => (Icon::CircleCheck, GOOD, "right".to_owned()),
            1 => (Icon::TriangleAlert, EMBER, "wrong: one mistake".to_owned()),
            _ => (Icon::TriangleAlert, EMBER, format!("wrong: {count} mistakes, the cause first")),
        };
        let cost = match (verdict.cost, verdict.lowest) {
            (Some(cost), Some(lowest)) => format!("{cost:.3}; the lowest is {lowest:.3}"),
            (Some(cost), None) => format!("{cost:.3}; there is no route"),
            (None, Some(lowest)) => format!("no possible route; the lowest is {lowest:.3}"),
            (None, None) => "no route, and there is none".to_owned(),
        };
        let expanded = verdict.expanded.map(|expanded| match verdict.possible {
            Some((fewest, most)) => format!("{expanded}; A* with this h: {fewest} to {most}"),
            None => expanded.to_string(),
        });
        lines.push(row(vec![icon(symbol, 20, colour), coloured(sentence(&verdict_words), colour)]));
        lines.push(entry("Cost", cost));
        lines.extend(expanded.map(|expanded| entry("Expanded", expanded)));
        for (index, (_, mistake)) in search.mistakes().enumerate() {
            let place = Some(mistake.place()).filter(|place| !place.is_empty());
            lines.extend(place.map(|place| text_button(Action::ToMistake(index), &capitalised(&place))));
            lines.push(caption(capitalised(&mistake.text)));
        }
        lines.extend(verdict.remarks.iter().map(|remark| caption(format!("Remark: {}", remark.text))));
    }
    section("Your search", None, lines)
}

/// The last step of the search, and the length of its lists.
pub(super) fn this_step(played: &mut PlayedSearch, change: &str) -> Element {
    let step = spans(played.step()).with(|node| node.min_height = px(THREE_LINES));
    let mut lines = vec![step];
    let view = &played.view;
    if let Some(search) = view.search() {
        let ListSizes { open, closed, expanded, reopened, .. } = search.recording.at(view.position()).sizes();
        let count = |name: &str, count: usize| {
            entry(name, count.to_string()).rigid().with(|node| {
                node.flex_grow = 1.0;
                node.flex_basis = px(HALF_COLUMN);
                node.flex_wrap = FlexWrap::NoWrap;
            })
        };
        let pair = |left, right| row(vec![left, right]).wrapping().with(|node| node.column_gap = px(24));
        lines.push(pair(count("Open", open), count("Closed", closed)));
        lines.push(pair(count("Expanded", expanded), count("Reopened", reopened)));
    }
    if !change.is_empty() {
        lines.push(caption(sentence(change)));
    }
    section("This step", None, lines)
}

/// The cost of the route, and whether it is proven to be the lowest.
fn result(search: &RecordedSearch) -> Element {
    let recording = &search.recording;
    let micros = search.micros;
    let cost = recording.result().cost();
    let lowest = search.lowest;
    let looks_ahead = recording.departure().is_some();
    let seconds = cost.filter(|_| looks_ahead).map(|cost| PACE.time_of(cost).seconds());
    let mut entries = vec![match seconds {
        Some(seconds) => entry("Takes", format!("{} tiles · {}", written(cost), time_text(seconds))),
        None => entry("Cost", written(cost)),
    }];
    if let Some(route) = recording.result().route {
        entries.push(entry("Steps", route.steps().to_string()));
    }
    entries.push(entry("Time, with recording", duration(micros)));
    let is_unknown = looks_ahead && !recording.is_complete() && cost.is_none();
    let (symbol, colour) =
        if cost == lowest && !is_unknown { (Icon::CircleCheck, GOOD) } else { (Icon::TriangleAlert, EMBER) };
    let proof = match looks_ahead && cost.is_some() && cost == lowest {
        true => "the earliest arrival, which is guaranteed on every map".to_owned(),
        false if is_unknown => "no route was found before the limit of the search; there may be one".to_owned(),
        false => result_text(&recording.query().options, cost, lowest),
    };
    let proof = coloured(sentence(&proof), colour);
    let proof = row(vec![icon(symbol, 20, colour), proof]).with(|node| node.align_items = AlignItems::FlexStart);
    section("Result", None, vec![proof, column(entries).gap(2.0)])
}

/// The best cells of the open list, with the values that order it.
fn open_list(
    recording: &Recording,
    best: &[Opened],
    sizes: ListSizes,
    prediction: Option<&Prediction>,
    is_over: bool,
) -> Element {
    let count = caption(sizes.open.to_string());
    let heading = prediction.map(|prediction| {
        let label = if prediction.is_on() { "Stop" } else { "Predict" };
        let tip = "Click the open cell that you think comes next.";
        text_button(Action::TogglePrediction, label).tip("Predict the next cell", "", tip)
    });
    let heading = row([Some(count), heading].into_iter().flatten().collect());
    if let Some(prediction) = prediction.filter(|prediction| prediction.is_on()) {
        return section("Open list", Some(heading), predict(prediction, is_over));
    }
    let counts_steps = recording.query().options.algorithm == Algorithm::BreadthFirst;
    let head = |name: &str, colour| words(name, Size::Caption, colour);
    let heads = if counts_steps { vec![head("steps", G)] } else { vec![head("f", F), head("g", G), head("h", H)] };
    let mut lines = vec![row(vec![line(head("cell", SECOND), heads)])];
    lines.extend(best.iter().enumerate().map(|(row, opened)| open_cell(row, opened, counts_steps)));
    let rows = column(lines).with(|node| node.min_height = px(20.0 * 13.0));
    section("Open list", Some(heading), vec![rows])
}

/// The question which cell comes next, in place of the list, which would tell.
fn predict(prediction: &Prediction, is_over: bool) -> Vec<Element> {
    let question = match is_over {
        true => "The search is over.",
        false => "Which open cell does the search take next? Click it on the map.",
    };
    let (right, made) = prediction.score();
    let said = prediction.feedback().map(|(is_right, said)| {
        let colour = if is_right { GOOD } else { EMBER };
        coloured(said, colour).controlled(Control::Spoken).named(said)
    });
    let score = (made > 0).then(|| entry("Right", format!("{right} of {made}")));
    [Some(text(question)), said, score].into_iter().flatten().collect()
}

/// A line of the open list. A click centres its cell, and hovering marks it.
fn open_cell(row: usize, opened: &Opened, counts_steps: bool) -> Element {
    let is_first = row == 0;
    let g = opened.g;
    let h = written_h(opened.g, opened.h, opened.f);
    let figures = match counts_steps {
        true => vec![steps_of(g).to_string()],
        false => [opened.f.tiles(), g.tiles(), h].map(figure).into(),
    };
    let colour = if is_first { GOLD } else { TEXT };
    let names = if counts_steps { &["steps"][..] } else { &["f", "g", "h"] };
    let named = names.iter().zip(&figures).map(|(name, figure)| format!("{name} {figure}"));
    let name = format!("Cell {}: {}", opened.cell, named.collect::<Vec<_>>().join(", "));
    let written = |text: String| Words { is_bold: is_first, ..words(text, Size::Text, colour) };
    let content = line(written(opened.cell.to_string()), figures.into_iter().map(written).collect());
    button(Action::LookAtOpen(row), Style::Quiet, vec![content]).named(name).pad(TIGHT, 0.0).with(|node| {
        node.min_height = px(20);
        node.margin = UiRect::horizontal(px(-TIGHT));
        node.border_radius = BorderRadius::all(px(TIGHT));
    })
}

/// A cell at the left, and figures in columns at the right.
fn line(cell: Words, figures: Vec<Words>) -> Element {
    let mut columns = vec![spans(vec![cell]).grow()];
    columns.extend(figures.into_iter().map(|figure| at_right(spans(vec![figure]), COLUMN)));
    row(columns).gap(0.0).grow()
}

/// Explains the marks on the map.
fn legend() -> Element {
    let gradient = Element {
        content: scale_colours(1.0),
        ..boxed(Node { height: px(10), flex_grow: 1.0, border_radius: BorderRadius::all(px(2)), ..default() })
    };
    let closed = row(vec![caption("Closed early"), gradient, caption("late")]);
    let ring = |side: f32, colour: Color, children: Vec<Element>| {
        control_box(Style::Quiet, children).border(colour).width(side).pad(0.0, 0.0).with(|node| {
            node.height = px(side);
            node.min_height = px(0);
            node.border = UiRect::all(px(2));
            node.border_radius = BorderRadius::all(px(2));
        })
    };
    let dot = boxed(Node { width: px(4), height: px(4), ..default() }).back(END);
    let swatch = |swatch: Element, name: &str| row(vec![swatch, caption(name)]).gap(6.0);
    let others = row(vec![
        swatch(ring(14.0, OPEN, Vec::new()).back(OPEN.with_alpha(0.25)), "Open"),
        swatch(ring(14.0, Color::WHITE, Vec::new()).back(Color::WHITE.with_alpha(0.4)), "Expanded"),
        swatch(ring(14.0, END, Vec::new()), "Start"),
        swatch(ring(14.0, END, vec![dot]), "Goal"),
    ]);
    let others = others.wrapping().with(|node| {
        node.column_gap = px(MEDIUM);
        node.row_gap = px(TIGHT);
    });
    section("Legend", None, vec![closed, others]).with(|node| node.padding.bottom = px(SMALL + RADIUS))
}
