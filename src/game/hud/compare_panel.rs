//! The panel that compares all algorithms for the present query. A click on a row plans with it.

use bevy::prelude::*;
use bevy::text::LineBreak;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::input::action::Action;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::mode::{ComparePage, SearchPage};
use crate::game::search_view::comparison::ComparisonView;
use emberwalk_map::RoundedCost;
use emberwalk_path::{ComparedSearch, Comparison, Options};
use emberwalk_picture::overlay::algorithm_name;

use super::places::Places;
use super::scale::IsNarrow;
use super::widgets::{GOLD, MUTED, TEXT, button, opaque_panel, text, text_column};

#[derive(Component)]
struct ComparePanel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(ComparePage::Open), spawn).add_systems(
        Update,
        update
            .run_if(
                resource_changed::<ComparisonView>
                    .or_eager(resource_changed::<PlanningOptions>)
                    .or_eager(resource_changed::<IsNarrow>),
            )
            .run_if(in_state(ComparePage::Open))
            .in_set(AppSystems::Show),
    );
}

/// Spawns the panel. Its lines do not wrap: where its column is too narrow, it hangs over what is on the left.
fn spawn(places: Res<Places>, page: Res<State<SearchPage>>, mut commands: Commands) {
    let node = Node { flex_shrink: 0.0, ..text_column(default()) };
    let panel = commands.spawn((opaque_panel(node), ComparePanel, DespawnOnExit(ComparePage::Open))).id();
    // Above the panel about the inspected cell, whose height changes, but below the buttons of a race.
    let place = usize::from(*page.get() == SearchPage::Race);
    commands.entity(places.top_right).insert_children(place, &[panel]);
}

/// Makes the rows again. There are a dozen, and they change rarely.
fn update(
    view: Res<ComparisonView>,
    options: Res<PlanningOptions>,
    is_narrow: Res<IsNarrow>,
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
            rows.spawn(text(why, TEXT));
            return;
        };
        let header = Node { margin: UiRect::left(px(6)), ..default() };
        rows.spawn((text(columns(HEADER.map(str::to_owned), *is_narrow), MUTED), header, unwrapped()));
        for search in &comparison.searches {
            let colour = if is_same_search(&search.options, &options.0) { GOLD } else { TEXT };
            let row = (text(row(comparison, search, *is_narrow), colour), unwrapped());
            rows.spawn(button(Action::PlanWith(Half::Left, search.options))).with_child(row);
        }
        let advice = "A click on a row plans with it. C closes this.";
        rows.spawn(text(advice, MUTED));
    });
}

const HEADER: [&str; 7] = ["algorithm", "heuristic", "cost", "above", "expanded", "µs", "cheapest"];

/// Whether two searches are the same, apart from what their algorithm does not use.
fn is_same_search(one: &Options, other: &Options) -> bool {
    one.algorithm.as_str() == other.algorithm.as_str()
        && (!one.algorithm.uses_heuristic() || one.heuristic() == other.heuristic())
}

fn unwrapped() -> TextLayout {
    TextLayout::new(Justify::Start, LineBreak::NoWrap)
}

fn row(comparison: &Comparison, search: &ComparedSearch, is_narrow: IsNarrow) -> String {
    let options = &search.options;
    let heuristic = if options.algorithm.uses_heuristic() { options.heuristic().as_str() } else { "-" };
    let [cost, above, guarantee] = match &search.route {
        Some(route) => {
            // As they are written: what a reader computes from the costs must be what is said.
            let cost = RoundedCost::<2>::from(route.cost);
            let above = cost - comparison.lowest.map_or(cost, RoundedCost::from);
            let guarantee = if search.optimal { "always" } else { "not always" };
            [cost.to_string(), format!("{above:+}"), guarantee.to_owned()]
        }
        None => ["none", "-", "-"].map(str::to_owned),
    };
    let row = [
        algorithm_name(options.algorithm),
        heuristic.to_owned(),
        cost,
        above,
        search.expanded.to_string(),
        search.time.as_micros().to_string(),
        guarantee,
    ];
    columns(row, is_narrow)
}

/// Sets the cells of a row in columns; the typeface has letters of one width. A narrow window has no room for all.
fn columns(
    [algorithm, heuristic, cost, above, expanded, micros, guarantee]: [String; 7],
    IsNarrow(is_narrow): IsNarrow,
) -> String {
    if is_narrow {
        return format!("{algorithm:<15} {heuristic:<9} {cost:>7} {expanded:>8}");
    }
    format!("{algorithm:<15} {heuristic:<9} {cost:>7} {above:>7} {expanded:>8} {micros:>6}  {guarantee:<10}")
}
