//! The panel that compares all algorithms for the present query. A click on a row plans with it.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::mode::ComparePage;
use crate::game::search_view::comparison::ComparisonView;
use crate::path::{ComparedSearch, Comparison, Options};

use super::places::{COLUMN_WIDTH, Places};
use super::widgets::{GOLD, MUTED, PANEL, SMALL, TEXT, button, panel, text, text_column};

/// The maximum width of the column with the table. The column on the other side gives way to it.
const WIDE: Val = Val::Percent(68.0);

#[derive(Component)]
struct ComparePanel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(ComparePage::Open), spawn).add_systems(OnExit(ComparePage::Open), despawn).add_systems(
        Update,
        update
            .run_if(resource_changed::<ComparisonView>.or_eager(resource_changed::<PlanningOptions>))
            .run_if(in_state(ComparePage::Open))
            .in_set(AppSystems::Show),
    );
}

fn spawn(places: Res<Places>, mut nodes: Query<&mut Node>, mut commands: Commands) {
    let panel = commands
        .spawn((panel(text_column(Node { max_width: percent(100), ..default() })), ComparePanel))
        .insert(BackgroundColor(PANEL.with_alpha(1.0)))
        .id();
    // Above the panel about the inspected cell, whose height changes.
    commands.entity(places.top_right).insert_children(0, &[panel]);
    if let Ok(mut column) = nodes.get_mut(places.top_right) {
        (column.max_width, column.flex_shrink) = (WIDE, 0.0);
    }
}

fn despawn(
    places: Res<Places>,
    panels: Query<Entity, With<ComparePanel>>,
    mut nodes: Query<&mut Node>,
    mut commands: Commands,
) {
    panels.iter().for_each(|panel| commands.entity(panel).despawn());
    if let Ok(mut column) = nodes.get_mut(places.top_right) {
        (column.max_width, column.flex_shrink) = (COLUMN_WIDTH, 1.0);
    }
}

/// Makes the rows again. There are a dozen, and they change rarely.
fn update(
    view: Res<ComparisonView>,
    options: Res<PlanningOptions>,
    panel: Query<Entity, With<ComparePanel>>,
    mut commands: Commands,
) {
    let Ok(panel) = panel.single() else { return };
    commands.entity(panel).despawn_children().with_children(|rows| {
        let Some(comparison) = view.comparison() else {
            let why = if view.is_computing() {
                "comparing the algorithms..."
            } else {
                "there is nothing to compare: no goal"
            };
            rows.spawn((text(why, SMALL, TEXT), Pickable::IGNORE));
            return;
        };
        rows.spawn((text(format!(" {}", columns(HEADER.map(str::to_owned))), SMALL, MUTED), Pickable::IGNORE));
        for search in &comparison.searches {
            let colour = if is_same_search(&search.options, &options.0) { GOLD } else { TEXT };
            rows.spawn(button(Action::PlanWith(search.options)))
                .with_child((text(row(comparison, search), SMALL, colour), Pickable::IGNORE));
        }
        let advice = "A click on a row plans with it. C closes this.";
        rows.spawn((text(advice, SMALL, MUTED), Pickable::IGNORE));
    });
}

const HEADER: [&str; 7] = ["algorithm", "heuristic", "cost", "above", "expanded", "µs", "cheapest"];

/// Whether two searches are the same, apart from what their algorithm does not use.
fn is_same_search(one: &Options, other: &Options) -> bool {
    one.algorithm.as_str() == other.algorithm.as_str()
        && (!one.algorithm.uses_heuristic() || one.heuristic == other.heuristic)
}

fn row(comparison: &Comparison, search: &ComparedSearch) -> String {
    let options = &search.options;
    let heuristic = if options.algorithm.uses_heuristic() { options.heuristic.as_str() } else { "-" };
    let (cost, above) = match (&search.route, comparison.above_lowest(search)) {
        (Some(route), Some(above)) => (format!("{:.2}", route.cost.tiles()), format!("+{:.2}", above.tiles())),
        _ => ("none".to_owned(), "-".to_owned()),
    };
    let guarantee = if search.optimal { "always" } else { "not always" };
    columns([
        options.algorithm.to_string(),
        heuristic.to_owned(),
        cost,
        above,
        search.expanded.to_string(),
        search.time.as_micros().to_string(),
        guarantee.to_owned(),
    ])
}

/// Sets the cells of a row in columns; the typeface has letters of one width.
fn columns([algorithm, heuristic, cost, above, expanded, micros, guarantee]: [String; 7]) -> String {
    format!("{algorithm:<13} {heuristic:<9} {cost:>7} {above:>7} {expanded:>8} {micros:>6}  {guarantee}")
}
