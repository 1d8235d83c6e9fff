//! The fewest cells to open where no route leads to a passable goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::input::action::Action;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::shared_planner::Reach;
use crate::game::journey::traveller::Player;
use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged};
use crate::grid::Cell;
use crate::path::Planner;

use super::present_query::{PresentQuery, Purpose};

/// The cells to open; empty if a route leads to the goal, or if not even opening cells helps.
#[derive(Resource, Default)]
pub struct CellsToOpen {
    cells: Vec<Cell>,
    /// What they were computed for.
    purpose: Option<Purpose>,
    next: Option<(Purpose, Background<Vec<Cell>>)>,
}

impl CellsToOpen {
    /// Returns the cells, in the order in which the route would enter them.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CellsToOpen>()
        .add_systems(Update, (open.in_set(AppSystems::Act), find.after(AppSystems::Plan).before(AppSystems::Walk)));
}

/// Opens the cells.
fn open(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    to_open: Res<CellsToOpen>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    if actions.read().any(|action| *action == Action::OpenCells) {
        let edits = map.edits_to_open(&to_open.cells);
        if !edits.is_empty() {
            changes.write_batch(map.apply(&edits, ChangeCause::Edit));
        }
    }
}

/// Finds the cells if the traveller cannot get to its goal.
fn find(
    present: PresentQuery,
    planned: Single<&PlannedRoute, With<Player>>,
    waker: Res<Waker>,
    mut to_open: ResMut<CellsToOpen>,
) {
    if let Some((purpose, found)) = &to_open.next
        && let Some(cells) = found.take()
    {
        *to_open = CellsToOpen { cells, purpose: Some(*purpose), next: None };
    }
    let Some(purpose) = present.purpose().filter(|_| planned.reach() == Reach::Nearest) else {
        if to_open.purpose.is_some() || to_open.next.is_some() {
            *to_open = CellsToOpen::default();
        }
        return;
    };
    if to_open.purpose == Some(purpose) || to_open.next.as_ref().is_some_and(|(next, _)| *next == purpose) {
        return;
    }
    let (costs, query) = (present.map.opened_costs(), purpose.query);
    let find = move |grid: &crate::path::CostGrid| {
        let breach = Planner::new().breach(grid, &query, |cell| costs.get(cell));
        breach.ok().flatten().map_or_else(Vec::new, |breach| breach.opened)
    };
    if present.is_fast() {
        *to_open = CellsToOpen { cells: find(present.map.costs()), purpose: Some(purpose), next: None };
    } else {
        let grid = present.map.costs().snapshot();
        to_open.next = Some((purpose, Background::compute(&waker, move || find(&grid))));
    }
}
