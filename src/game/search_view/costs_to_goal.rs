//! The lowest cost from each cell to the goal of the player's traveller. It is computed only while it is shown.

use std::ops::ControlFlow;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::planning::Urgency;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_jobs::Latest;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Field, FieldQuery, RouteCost, Stamp};
use emberwalk_picture::overlay::DistanceOverlay;

use super::current_query::CurrentQuery;
use crate::game::action::OverlayChoice;

/// The largest number of cells of a map on which all costs are computed because one cell is inspected.
const MAX_CELLS_INSPECTED: usize = 1024 * 1024;

/// The costs, and the question that they answer: the stamp of the cost grid, and the query for the field.
#[derive(Resource, Default)]
pub struct CostsToGoal(Latest<(Stamp, FieldQuery), Costs>);

/// The costs from all cells, and the highest of them.
#[derive(Debug, Default)]
struct Costs {
    field: Field,
    highest: RouteCost,
}

impl CostsToGoal {
    /// The costs; `None` while they are not known. If the goal is blocked, no cell has one.
    ///
    /// They are up to date only while the overlay shows them or, unless the map is very large, a cell is inspected.
    pub fn field(&self) -> Option<&Field> {
        self.0.current().map(|(_, costs)| &costs.field)
    }

    /// Their overlay; `None` while they are not known.
    pub fn overlay(&self) -> Option<DistanceOverlay<'_>> {
        self.0.current().map(|(_, costs)| DistanceOverlay::with_highest(&costs.field, costs.highest))
    }

    /// Whether they are being computed in the background.
    pub fn is_computing(&self) -> bool {
        self.0.is_computing()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CostsToGoal>().add_systems(Update, compute.after(AppSystems::Plan).before(AppSystems::Walk));
}

fn compute(
    current: CurrentQuery,
    choice: Res<OverlayChoice>,
    inspected: Res<InspectedCell>,
    mut costs: ResMut<CostsToGoal>,
) {
    let is_shown = *choice == OverlayChoice::Distance;
    let is_large = current.map.size().area() > MAX_CELLS_INSPECTED;
    if !is_shown && !is_large && inspected.0.is_none() {
        return;
    }
    let query = current
        .goal()
        .filter(|_| is_shown || !is_large)
        .map(|goal| FieldQuery::routes_to(goal).with_rules(current.rules()));
    let grid = current.map.costs();
    let question = query.map(|query| (grid.stamp(), query));
    // After a change of terrain, the costs are repaired.
    let is_outdated = question.is_some() && costs.0.last().is_some_and(|(known, _)| Some(known) != question.as_ref());
    let last = if is_outdated { costs.0.take().and_then(|(_, costs)| costs) } else { None };
    Latest::follow(costs.map_unchanged(|costs| &mut costs.0), question, &current.jobs, |(_, query)| {
        let query = *query;
        let mut costs = Costs { field: last.unwrap_or_default().field, highest: RouteCost::ZERO };
        let mut row = 0;
        current.start(Urgency::CostsToGoal, "Computing the costs to the goal", move |_, grid, progress| {
            // If the goal is blocked, the field is empty.
            let _ = progress.in_slices(|cells| costs.field.advance(grid, &query, cells))?;
            let Size { width, height } = grid.size();
            while row < height as i32 {
                let in_row = (0..width as i32).filter_map(|x| costs.field.cost(Cell::new(x, row)));
                costs.highest = in_row.fold(costs.highest, RouteCost::max);
                row += 1;
                progress.go_on()?;
            }
            ControlFlow::Continue(std::mem::take(&mut costs))
        })
    });
}
