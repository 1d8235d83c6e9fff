//! The panel of the search view: the controls of the playback, the options, and what the search has done.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::journey::goal::Goal;
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::traveller::Player;
use crate::game::lesson::OpenLesson;
use crate::game::mode::SearchPage;
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::RoundedCost;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, ListSizes, Opened, Recording};
use emberwalk_picture::overlay::{about_search, step_text, steps_of, written_h};

use super::option_buttons::spawn_options;
use super::places::{BELOW_STATUS, Places};
use super::playback_controls::{position_text, spawn_controls};
use super::scale::LeastRoom;
use super::widgets::{GOLD, MUTED, TEXT, opaque_panel, set_shown, set_text, spawn_tick, text_column, wrapped};

/// The width of the panel in logical pixels.
const WIDTH: f32 = 400.0;

/// The number of cells of the open list that are shown.
const BEST: usize = 8;

/// The size of a window that has room for the list and for explanations, in logical pixels of the HUD.
const ROOM: Vec2 = Vec2::new(600.0, 560.0);

const PROVEN: Color = Color::srgb(0.55, 0.90, 0.55);

const COLOURS: &str = "filled: closed, violet first; outlined: open; gold rings: start, and goal with a dot";

/// The tick before a proof.
#[derive(Component)]
struct Tick;

#[derive(Component, Clone, Copy)]
enum Line {
    Step,
    Position,
    Lists,
    Result,
    Proof,
    Change,
    About,
    Colours,
    Best,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(SearchPage::Open), spawn)
        .add_systems(Update, update_lines.run_if(in_state(SearchPage::Open)).in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    // The engine would measure the height of a panel of fixed width with that width, even in a column that is narrower.
    let node = Node { align_self: AlignSelf::Stretch, max_width: px(WIDTH), ..text_column(default()) };
    // Opaque, because the overlay behind it would make it hard to read.
    let mut panel = commands.spawn((opaque_panel(node), DespawnOnExit(SearchPage::Open)));
    panel.with_children(|panel| {
        // Lines that come and go are below all buttons, so that no button moves away under the pointer.
        spawn_controls(panel);
        spawn_options(panel, Half::Left);
        for (line, colour) in [
            (Line::Step, TEXT),
            (Line::Position, MUTED),
            (Line::Lists, MUTED),
            (Line::Result, MUTED),
            (Line::Proof, PROVEN),
            (Line::Change, GOLD),
            (Line::About, MUTED),
            (Line::Colours, MUTED),
            (Line::Best, MUTED),
        ] {
            let line_text = (wrapped("", colour), line);
            match line {
                Line::Proof => {
                    panel.spawn((Node::default(), Pickable::IGNORE)).with_children(|row| {
                        spawn_tick(row, PROVEN, Tick);
                        row.spawn(line_text);
                    });
                }
                Line::About | Line::Colours | Line::Best => {
                    panel.spawn((Node::default(), LeastRoom(ROOM), Pickable::IGNORE)).with_child(line_text);
                }
                _ => drop(panel.spawn(line_text)),
            }
        }
    });
    let panel = panel.id();
    commands.entity(places.top_left).insert_children(BELOW_STATUS, &[panel]);
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update_lines(
    view: Res<SearchView>,
    map: Res<OpenMap>,
    goal: Single<&Goal, With<Player>>,
    lesson: Res<OpenLesson>,
    change: Res<RouteChange>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor, &mut Node)>,
    mut ticks: Query<&mut Node, (With<Tick>, Without<Line>)>,
    mut best: Local<BestOpen>,
) {
    let why_none = |cell: Option<Cell>| match cell {
        None => "there is no search, because there is no goal".to_owned(),
        Some(cell) if !map.costs().is_passable(cell) => format!("{cell} is blocked, so there is no search"),
        Some(_) => "there is no search, because the traveller is blocked".to_owned(),
    };
    for (line, mut text, mut colour, mut node) in &mut lines {
        let content = match (line, view.search()) {
            (Line::Change, _) => change.text().to_owned(),
            (Line::Step, None) if view.is_recording() => "recording the search...".to_owned(),
            (Line::Step, None) => why_none(goal.cell),
            (_, None) => String::new(),
            // A lesson says what to watch, and these lines would hide some of it.
            (Line::Position | Line::About | Line::Best, _) if lesson.get().is_some() => String::new(),
            (Line::Proof, Some(search)) => {
                let is_proven = search.recording.result().cost() == search.lowest;
                for mut tick in &mut ticks {
                    set_shown(&mut tick, is_proven && !view.hides_route());
                }
                colour.set_if_neq(TextColor(if is_proven { PROVEN } else { GOLD }));
                if view.hides_route() { String::new() } else { proof(search) }
            }
            (line, Some(search)) => line_text(*line, search, &view, best.at(search, &view)),
        };
        // An empty line would leave a gap.
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
    if view.search().is_none() {
        ticks.iter_mut().for_each(|mut tick| set_shown(&mut tick, false));
    }
}

/// In a recording with more events, looking for the best open cells would take too long.
const MAX_LOOKED_THROUGH: usize = 1 << 20;

/// The best open cells at the position that is shown; none in a very long recording. To find them, all cells that the
/// search has seen are looked at.
#[derive(Default)]
struct BestOpen {
    /// The number of the search, and the position.
    shown: Option<(u64, usize)>,
    best: Vec<Opened>,
}

impl BestOpen {
    fn at(&mut self, search: &RecordedSearch, view: &SearchView) -> &[Opened] {
        let position = Some((view.generation(), view.position()));
        if self.shown != position {
            let recording = &search.recording;
            let is_short = recording.len() <= MAX_LOOKED_THROUGH;
            let best = if is_short { recording.at(view.position()).best_open(BEST) } else { Vec::new() };
            *self = Self { shown: position, best };
        }
        &self.best
    }
}

/// A time in microseconds, or from a millisecond on in milliseconds.
fn duration(micros: u128) -> String {
    if micros < 1000 { format!("{micros} µs") } else { format!("{:.1} ms", micros as f64 / 1000.0) }
}

fn line_text(line: Line, search: &RecordedSearch, view: &SearchView, best: &[Opened]) -> String {
    let (recording, position) = (&search.recording, view.position());
    match line {
        Line::Step => step_text(recording, position, best.first()),
        Line::Position => position_text(view),
        Line::Lists => list_sizes(recording, recording.at(position).sizes(), view.is_complete()),
        Line::Result if !view.hides_route() => match recording.result().route {
            Some(route) => {
                let (cost, steps) = (route.cost.tiles(), counted(route.steps(), "step"));
                format!("the route: cost {cost:.2}, {steps}; {}", duration(search.micros))
            }
            None => format!("no route; {}", duration(search.micros)),
        },
        Line::About => about_search(&recording.query().options).to_owned(),
        Line::Colours => COLOURS.to_owned(),
        Line::Best => best_list(recording, best),
        // Before its end the search does not know its result.
        Line::Result | Line::Proof | Line::Change => String::new(),
    }
}

/// Says how long the lists are, and why one more cell is closed than expanded when the goal is found.
fn list_sizes(recording: &Recording, sizes: ListSizes, is_complete: bool) -> String {
    let has_goal = is_complete && recording.is_complete() && recording.result().found() && !recording.is_empty();
    let goal = if has_goal { " with the goal" } else { "" };
    let ListSizes { open, closed, expanded, reopened, .. } = sizes;
    format!("open {open}, closed {closed}{goal}, expanded {expanded}, reopened {reopened}")
}

/// Says what an independent computation has found about the route.
fn proof(search: &RecordedSearch) -> String {
    match (search.recording.result().cost(), search.lowest) {
        (Some(cost), Some(lowest)) if cost == lowest => "proven: no route costs less".to_owned(),
        (Some(cost), Some(lowest)) => {
            let [cost, lowest] = [cost, lowest].map(RoundedCost::<2>::from);
            format!("{} more than the cheapest route, which costs {lowest}", cost - lowest)
        }
        (None, None) => "proven: there is no route".to_owned(),
        _ => String::new(),
    }
}

/// Lists the best cells of the open list with what orders it.
fn best_list(recording: &Recording, best: &[Opened]) -> String {
    let counts_steps = recording.query().options.algorithm == Algorithm::BreadthFirst;
    let row = |open: &Opened| {
        let (f, g, h) = (open.f.tiles(), open.g.tiles(), written_h(open.g, open.h, open.f));
        match counts_steps {
            true => format!("\n{:>9}  {:>7}", open.cell.to_string(), steps_of(open.g)),
            false => format!("\n{:>9}  {f:>7.2}  {g:>7.2}  {h:>7.2}", open.cell.to_string()),
        }
    };
    let heading = match counts_steps {
        _ if best.is_empty() => return String::new(),
        true => format!("{:>9}  {:>7}", "open", "steps"),
        false => format!("{:>9}  {:>7}  {:>7}  {:>7}", "open", "f", "g", "h"),
    };
    std::iter::once(heading).chain(best.iter().map(row)).collect()
}
