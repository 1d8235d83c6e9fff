//! The panel of the search view: the options, the controls of the playback, and what the search has done.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::journey::goal::Goal;
use crate::game::journey::traveller::Player;
use crate::game::lesson::OpenLesson;
use crate::game::mode::SearchPage;
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView};
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::overlay::{step_text, written_h};
use crate::path::Opened;

use super::option_buttons::spawn_options;
use super::places::Places;
use super::playback_controls::{position_text, spawn_controls};
use super::widgets::{GOLD, MUTED, PANEL, SMALL, TEXT, panel, set_shown, set_text, text, text_column, wrapping};

/// The width of the panel in logical pixels.
const WIDTH: f32 = 400.0;

/// The number of cells of the open list that are shown.
const BEST: usize = 8;

const PROVEN: Color = Color::srgb(0.55, 0.90, 0.55);

#[derive(Component)]
struct SearchPanel;

#[derive(Component, Clone, Copy)]
enum Line {
    Position,
    Step,
    Lists,
    Result,
    Proof,
    Best,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(SearchPage::Open), spawn).add_systems(OnExit(SearchPage::Open), despawn).add_systems(
        Update,
        update_lines
            .run_if(resource_changed::<SearchView>.or_eager(any_added))
            .run_if(in_state(SearchPage::Open))
            .in_set(AppSystems::Show),
    );
}

fn any_added(panels: Query<(), Added<SearchPanel>>) -> bool {
    !panels.is_empty()
}

fn despawn(panels: Query<Entity, With<SearchPanel>>, mut commands: Commands) {
    panels.iter().for_each(|panel| commands.entity(panel).despawn());
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    // The engine would measure the height of a panel of fixed width with that width, even in a column that is narrower.
    let node = Node { align_self: AlignSelf::Stretch, max_width: px(WIDTH), ..text_column(default()) };
    // Opaque, because the overlay behind it would make it hard to read.
    let opaque = BackgroundColor(PANEL.with_alpha(1.0));
    let bundle = (panel(node), SearchPanel, ChildOf(places.top_left));
    commands.spawn(bundle).insert(opaque).with_children(|panel| {
        spawn_options(panel, Half::Left);
        spawn_controls(panel);
        for (line, colour) in [
            (Line::Position, MUTED),
            (Line::Step, TEXT),
            (Line::Lists, MUTED),
            (Line::Result, MUTED),
            (Line::Proof, PROVEN),
            (Line::Best, MUTED),
        ] {
            panel.spawn((text("", SMALL, colour), wrapping(), line, Pickable::IGNORE));
        }
    });
}

fn update_lines(
    view: Res<SearchView>,
    map: Res<OpenMap>,
    goal: Single<&Goal, With<Player>>,
    lesson: Res<OpenLesson>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor, &mut Node)>,
    mut best: Local<BestOpen>,
) {
    let why_none = |cell: Option<Cell>| match cell {
        None => "there is no search, because there is no goal".to_owned(),
        Some(cell) if !map.costs().is_passable(cell) => format!("{cell} is blocked, so there is no search"),
        Some(_) => "there is no search, because the traveller is blocked".to_owned(),
    };
    for (line, mut text, mut colour, mut node) in &mut lines {
        let content = match view.search() {
            None if matches!(line, Line::Step) && view.is_recording() => "recording the search...".to_owned(),
            None if matches!(line, Line::Step) => why_none(goal.cell),
            None => String::new(),
            // A lesson says what to watch, and these lines would hide some of it.
            Some(_) if matches!(line, Line::Position | Line::Best) && lesson.get().is_some() => String::new(),
            Some(search) => line_text(*line, search, &view, best.at(search, &view)),
        };
        if matches!(line, Line::Proof) {
            colour.set_if_neq(TextColor(if content.starts_with(TICK) { PROVEN } else { GOLD }));
        }
        // An empty line would leave a gap.
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
}

/// Begins the line of a route that is proven to be the cheapest.
const TICK: char = '√';

/// The best open cells at the position that is shown. To find them, all cells that the search has seen are looked at.
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
            *self = Self { shown: position, best: search.recording.at(view.position()).best_open(BEST) };
        }
        &self.best
    }
}

fn line_text(line: Line, search: &RecordedSearch, view: &SearchView, best: &[Opened]) -> String {
    let (recording, position) = (&search.recording, view.position());
    let moment = recording.at(position);
    match line {
        Line::Position => position_text(view),
        Line::Step => step_text(recording, position, best.first()),
        Line::Lists => {
            let sizes = moment.sizes();
            let (open, closed) = (sizes.open, sizes.closed);
            format!("open {open}, closed {closed}, expanded {}, reopened {}", sizes.expanded, sizes.reopened)
        }
        // Before its end the search does not know.
        Line::Result | Line::Proof if view.hides_route() => String::new(),
        Line::Result => match recording.result().route {
            Some(route) => {
                format!("the route: cost {:.2}, {} steps; {} µs", route.cost.tiles(), route.steps(), search.micros)
            }
            None => format!("no route; {} µs", search.micros),
        },
        Line::Proof => match (recording.result().cost(), search.lowest) {
            (Some(cost), Some(lowest)) if cost == lowest => format!("{TICK} proven: no route costs less"),
            (Some(cost), Some(lowest)) => {
                let more = cost.tiles() - lowest.tiles();
                format!("{more:.2} more than the cheapest route, which costs {:.2}", lowest.tiles())
            }
            (None, None) => format!("{TICK} proven: there is no route"),
            _ => String::new(),
        },
        Line::Best => {
            let rows = best.iter().map(|open| {
                let (f, g, h) = (open.f.tiles(), open.g.tiles(), written_h(open.g, open.h, open.f));
                format!("\n{:>9}  {f:>7.2}  {g:>7.2}  {h:>7.2}", open.cell.to_string())
            });
            if best.is_empty() {
                return String::new();
            }
            let heading = format!("{:>9}  {:>7}  {:>7}  {:>7}", "open", "f", "g", "h");
            std::iter::once(heading).chain(rows).collect()
        }
    }
}
