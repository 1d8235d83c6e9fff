//! The fewest cells to open if a passable goal is unreachable.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::planning::{GridQuery, Reach, Urgency};
use crate::game::journey::traveller::Player;
use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_jobs::Latest;
use emberwalk_map::{Layers, Map};
use emberwalk_path::CostGrid;
use emberwalk_path::grid::Cell;

use super::current_query::CurrentQuery;

/// The cells to open; empty if a route leads to the goal, or if not even opening cells helps.
#[derive(Resource, Default)]
pub struct CellsToOpen(Latest<GridQuery, Vec<Cell>>);

impl CellsToOpen {
    /// The cells, in the order in which the route would enter them.
    pub fn cells(&self) -> &[Cell] {
        self.0.last().map_or(&[], |(_, cells)| cells)
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
        let edits = map.edits_to_open(to_open.cells());
        if !edits.is_empty() {
            changes.write_batch(map.edit(&edits));
            map.finish_stroke();
        }
    }
}

/// The terrain of a map, and the costs that its cells have once they are opened. They are computed on first use,
/// because that takes long on a large map.
struct Opened {
    layers: Layers,
    costs: OnceLock<CostGrid>,
}

impl Opened {
    fn new(map: &Map) -> Self {
        Self { layers: map.layers().clone(), costs: OnceLock::new() }
    }

    fn costs(&self) -> &CostGrid {
        self.costs.get_or_init(|| self.layers.opened_costs())
    }
}

/// Finds the cells if the traveller cannot get to its goal.
fn find(
    current: CurrentQuery,
    planned: Single<&PlannedRoute, With<Player>>,
    mut opened: Local<Option<Arc<Opened>>>,
    to_open: ResMut<CellsToOpen>,
) {
    if current.map.is_changed() {
        *opened = None;
    }
    let question = current.query().filter(|_| planned.reach() == Reach::Nearest);
    Latest::follow(to_open.map_unchanged(|to_open| &mut to_open.0), question, &current.jobs, |question| {
        let query = question.query;
        // The same for every cell of the traveller's journey.
        let opened = opened.get_or_insert_with(|| Arc::new(Opened::new(&current.map))).clone();
        current.start(Urgency::CellsToOpen, "Searching for cells to open", move |planner, grid, _| {
            let costs = opened.costs();
            let breach = planner.breach(grid, &query, |cell| costs.get(cell));
            ControlFlow::Continue(breach.ok().flatten().map_or_else(Vec::new, |breach| breach.opened))
        })
    });
}
