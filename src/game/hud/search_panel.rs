//! The panel of the search view: the options, the player's controls, and what the search has done.

use bevy::picking::events::{Drag, Pointer, Press};
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, Playback, SearchOption, binding_of};
use crate::game::journey::goal::Goal;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::journey::traveller::Player;
use crate::game::mode::SearchPage;
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView};
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::map::format_number;
use crate::overlay::step_text;
use crate::path::{Algorithm, Options};

use super::places::Places;
use super::widgets::{
    BORDER, GOLD, MUTED, PANEL, SMALL, TEXT, button, panel, set_shown, set_text, text, text_column, wrapping,
};

/// The width of the panel in logical pixels.
const WIDTH: f32 = 400.0;

/// The number of cells of the open list that are shown.
const BEST: usize = 8;

const PROVEN: Color = Color::srgb(0.55, 0.90, 0.55);

#[derive(Component)]
struct SearchPanel;

/// The button of an option, with its value.
#[derive(Component)]
struct OptionText(SearchOption);

/// The label of the button that plays and pauses.
#[derive(Component)]
struct PlayText;

/// The bar whose length is the part of the recording that has been played.
#[derive(Component)]
struct TimeLine;

#[derive(Component)]
struct TimeLineFill;

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
        (
            update_options.run_if(resource_changed::<PlanningOptions>.or_eager(any_added)),
            update_lines.run_if(resource_changed::<SearchView>.or_eager(any_added)),
        )
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
    let node = Node { width: px(WIDTH), ..text_column(default()) };
    // Opaque, because the overlay behind it would make it hard to read.
    let opaque = BackgroundColor(PANEL.with_alpha(1.0));
    let bundle = (panel(node), SearchPanel, ChildOf(places.top_left));
    commands.spawn(bundle).insert(opaque).with_children(|panel| {
        let row = || Node { flex_wrap: FlexWrap::Wrap, column_gap: px(4), row_gap: px(4), ..default() };
        panel.spawn((row(), Pickable::IGNORE)).with_children(|row| {
            for option in [
                SearchOption::Algorithm,
                SearchOption::Weight,
                SearchOption::Heuristic,
                SearchOption::Scale,
                SearchOption::Moves,
                SearchOption::Corners,
            ] {
                row.spawn((button(Action::NextOption(option)), OptionText(option)))
                    .with_child((text("", SMALL, TEXT), Pickable::IGNORE));
            }
        });
        panel.spawn((row(), Pickable::IGNORE)).with_children(|row| {
            for playback in [
                Playback::Start,
                Playback::StepBack,
                Playback::Toggle,
                Playback::StepOn,
                Playback::End,
                Playback::Slower,
                Playback::Faster,
            ] {
                let Some(binding) = binding_of(Action::Playback(playback)) else { continue };
                row.spawn(button(binding.action)).with_children(|inside| {
                    inside.spawn((text(binding.key_name, SMALL, GOLD), Pickable::IGNORE));
                    let mut label = inside.spawn((text(binding.label, SMALL, TEXT), Pickable::IGNORE));
                    if playback == Playback::Toggle {
                        label.insert(PlayText);
                    }
                });
            }
        });
        spawn_time_line(panel);
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

/// Spawns the time line. A press or a drag on it jumps there.
fn spawn_time_line(panel: &mut ChildSpawnerCommands) {
    let track = Node {
        width: percent(100),
        height: px(14),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(3)),
        ..default()
    };
    let fill = Node { width: percent(0), height: percent(100), border_radius: BorderRadius::all(px(2)), ..default() };
    panel
        .spawn((track, BorderColor::all(BORDER), TimeLine, Hovered::default()))
        .with_child((fill, BackgroundColor(GOLD.with_alpha(0.7)), TimeLineFill, Pickable::IGNORE))
        .observe(|press: On<Pointer<Press>>, seek: Seek| seek.to(press.pointer_location.position))
        .observe(|drag: On<Pointer<Drag>>, seek: Seek| seek.to(drag.pointer_location.position));
}

/// Jumps to a place of the time line.
#[derive(bevy::ecs::system::SystemParam)]
struct Seek<'w, 's> {
    track: Query<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform), With<TimeLine>>,
    window: Query<'w, 's, &'static Window, With<bevy::window::PrimaryWindow>>,
    actions: MessageWriter<'w, Action>,
}

impl Seek<'_, '_> {
    fn to(mut self, position: Vec2) {
        let Ok((node, transform)) = self.track.single() else { return };
        let scale_factor = self.window.single().map_or(1.0, Window::scale_factor);
        let x = position.x * scale_factor;
        let (width, middle) = (node.size().x, transform.translation.x);
        let share = (x - (middle - width / 2.0)) / width.max(1.0);
        self.actions.write(Action::Playback(Playback::Seek(share)));
    }
}

fn update_options(
    options: Res<PlanningOptions>,
    mut buttons: Query<(&OptionText, &Children, &mut Node)>,
    mut texts: Query<&mut Text>,
) {
    for (OptionText(option), children, mut node) in &mut buttons {
        let value = option_text(&options.0, *option);
        set_shown(&mut node, value.is_some());
        for child in children.iter() {
            if let Ok(mut text) = texts.get_mut(child) {
                set_text(&mut text, value.as_deref().unwrap_or_default());
            }
        }
    }
}

/// Returns the value of an option; `None` if the algorithm does not use it.
fn option_text(options: &Options, option: SearchOption) -> Option<String> {
    let Options { moves, corners, algorithm, heuristic, scale } = options;
    let uses_heuristic = algorithm.uses_heuristic();
    match option {
        SearchOption::Algorithm => Some(algorithm.to_string()),
        SearchOption::Weight => match algorithm {
            Algorithm::Weighted { weight } => Some(format!("weight {}", format_number(*weight))),
            _ => None,
        },
        SearchOption::Heuristic => uses_heuristic.then(|| heuristic.to_string()),
        SearchOption::Scale => uses_heuristic.then(|| format!("{scale} scale")),
        SearchOption::Moves => Some(format!("{moves} moves")),
        SearchOption::Corners => Some(format!("corners: {corners}")),
    }
}

fn update_lines(
    view: Res<SearchView>,
    map: Res<OpenMap>,
    goal: Single<&Goal, With<Player>>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor), Without<PlayText>>,
    mut play: Query<&mut Text, With<PlayText>>,
    mut fill: Query<&mut Node, With<TimeLineFill>>,
) {
    for mut text in &mut play {
        set_text(&mut text, if view.is_playing() { "Pause" } else { "Play" });
    }
    let why_none = |cell: Option<Cell>| match cell {
        None => "there is no search, because there is no goal".to_owned(),
        Some(cell) if !map.costs().is_passable(cell) => format!("{cell} is blocked, so there is no search"),
        Some(_) => "there is no search, because the traveller is blocked".to_owned(),
    };
    let len = view.search().map_or(0, |search| search.recording.len());
    for mut node in &mut fill {
        let width = percent(100.0 * view.position() as f32 / len.max(1) as f32);
        if node.width != width {
            node.width = width;
        }
    }
    for (line, mut text, mut colour) in &mut lines {
        let content = match view.search() {
            None if matches!(line, Line::Step) && view.is_recording() => "recording the search...".to_owned(),
            None if matches!(line, Line::Step) => why_none(goal.cell),
            None => String::new(),
            Some(search) => line_text(*line, search, &view),
        };
        if matches!(line, Line::Proof) {
            colour.set_if_neq(TextColor(if content.starts_with(TICK) { PROVEN } else { GOLD }));
        }
        set_text(&mut text, &content);
    }
}

/// Begins the line of a route that is proven to be the cheapest.
const TICK: char = '√';

fn line_text(line: Line, search: &RecordedSearch, view: &SearchView) -> String {
    let (recording, position) = (&search.recording, view.position());
    let moment = recording.at(position);
    match line {
        Line::Position => {
            let limit = if recording.is_complete() { "" } else { ", the largest number that is recorded" };
            let speed = format_number(view.speed());
            format!("event {position} of {}{limit}; speed {speed}x", recording.len())
        }
        Line::Step => step_text(recording, position),
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
            let best = moment.best_open(BEST);
            let rows = best.iter().map(|open| {
                let [f, g, h] = [open.f, open.g, open.h].map(|cost| cost.tiles());
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
