//! The figures of the inspected cell: g, h and f in the search, and the real cost from there to the goal. In a race
//! they belong to the search on the half of the window under the pointer.

use bevy::prelude::*;

use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::journey::planning::{GridQuery, Reach};
use crate::game::journey::preview::Preview;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::world::pointed_cells::{InspectedCell, PointedHalf};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, RouteCost};
use emberwalk_picture::overlay::steps_of;

use super::costs_to_goal::CostsToGoal;
use super::current_query::CurrentQuery;
use super::recorded_search::SearchView;

/// The figures of the inspected cell.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellFigures {
    /// In a race, the half of the window with the search.
    pub half: Option<Half>,
    /// The state of the cell in the search.
    pub search: Known,
    /// The more expensive routes to the cell that the search had found before, the latest first: their g and the cell
    /// before it.
    pub before: Vec<(RouteCost, Cell)>,
    /// If the search looks ahead: the intervals in which it has reached the cell, the interval of its last event first.
    pub intervals: Vec<Interval>,
    /// The lowest cost from the cell to the goal.
    pub to_goal: ToGoal,
}

/// An interval in which a cell stays passable, and in which a search has reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The time from the departure to the arrival in the cell.
    pub g: RouteCost,
    /// The cell before it; `None` for the start.
    pub from: Option<Cell>,
    /// When it ends, counted like g; `None` if it does not.
    pub open_until: Option<RouteCost>,
}

/// The state of a cell in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// There is no search, or the state is not known yet.
    #[default]
    Nothing,
    /// The search has not seen the cell.
    Unseen,
    /// The values that order the open list.
    Costs {
        /// The cost from the traveller to the cell.
        g: RouteCost,
        /// The estimated cost from the cell to the goal.
        h: RouteCost,
        /// The key that orders the open list, see [`Opened::f`](emberwalk_path::trace::Opened::f).
        f: RouteCost,
    },
    /// For a breadth-first search: the number of steps from the traveller to the cell.
    Steps(u64),
}

/// The lowest cost from a cell to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToGoal {
    /// There is no goal, or the cost is not known yet.
    #[default]
    Unknown,
    /// No route leads from the cell to the goal.
    Unreachable,
    /// The cost.
    Cost(RouteCost),
}

/// The maximum number of earlier routes that are shown.
const MAX_BEFORE: usize = 3;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CellFigures>().add_systems(Update, update.after(AppSystems::Walk).before(AppSystems::Show));
}

/// Looks the figures up. In the search view and in a race they come from the recording at its position; otherwise g is
/// the cost of the route that a click would take, and h the plain heuristic.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(in crate::game) fn update(
    inspected: Res<InspectedCell>,
    pointed: Res<PointedHalf>,
    current: CurrentQuery,
    preview: Res<Preview>,
    view: Res<SearchView>,
    screen: Res<Screen>,
    costs: Res<CostsToGoal>,
    mut figures: ResMut<CellFigures>,
) {
    let grid = current.map.costs();
    let inspected = inspected.0.filter(|cell| grid.is_passable(*cell));
    let Some((cell, GridQuery { query, .. })) = inspected.zip(current.query()) else {
        figures.set_if_neq(CellFigures::default());
        return;
    };
    let half = Some(pointed.0).filter(|_| screen.is_race());
    let played = half.unwrap_or(Half::Left);
    let shown = view.search_on(played).filter(|_| screen.plays_search());
    let moment = shown.map(|search| search.recording.at(view.position_on(played)));
    let state = moment.and_then(|moment| moment.state(cell));
    let last = state.and_then(|state| state.open_until);
    let openings = moment.into_iter().flat_map(|moment| moment.openings(cell)).filter(|state| state.open_until == last);
    let before = openings.skip(1).filter_map(|state| Some((state.g, state.parent?))).take(MAX_BEFORE).collect();
    let ahead = view.search_on(played).filter(|search| search.recording.departure().is_some());
    let states = ahead.and(moment).into_iter().flat_map(|moment| moment.states(cell));
    let intervals =
        states.map(|state| Interval { g: state.g, from: state.parent, open_until: state.open_until }).collect();
    let search = match screen.search {
        SearchPage::Open | SearchPage::Race => {
            match (shown.map(|search| search.recording.query().options.algorithm), state) {
                (None, _) => Known::Nothing,
                (Some(_), None) => Known::Unseen,
                (Some(Algorithm::BreadthFirst), Some(state)) => Known::Steps(steps_of(state.g)),
                (Some(_), Some(state)) => Known::Costs { g: state.g, h: state.h, f: state.f },
            }
        }
        SearchPage::Closed if preview.reach() == Reach::Goal => match query.options.algorithm {
            Algorithm::BreadthFirst => Known::Steps(preview.cells().len().saturating_sub(1) as u64),
            _ => {
                let options = query.options;
                let g = preview.route_cost();
                let h = options.estimate(grid, cell, query.to);
                Known::Costs { g, h, f: options.algorithm.order(g, h) }
            }
        },
        SearchPage::Closed => Known::Nothing,
    };
    // A rival may have different rules for steps. Then the known costs do not apply to it.
    let rules = view.search_on(played).map(|search| search.recording.query().options.rules);
    // Nor do the costs of the current map apply to a search that looks ahead.
    let field = costs.field().filter(|_| ahead.is_none() && (half.is_none() || rules == Some(current.rules())));
    let to_goal = field.map_or(ToGoal::Unknown, |field| match field.cost(cell) {
        Some(cost) => ToGoal::Cost(cost),
        // A route may open.
        None if current.coming().is_some() => ToGoal::Unknown,
        None => ToGoal::Unreachable,
    });
    figures.set_if_neq(CellFigures { half, search, before, intervals, to_goal });
}
