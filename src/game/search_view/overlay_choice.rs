//! The overlays that the player goes through: the entry costs, and the costs to the goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::input::action::Action;
use crate::game::journey::goal::Goal;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::journey::traveller::Player;
use crate::game::mode::SearchPage;
use crate::game::world::open_map::OpenMap;
use crate::overlay::{CostOverlay, DistanceOverlay};
use crate::path::{Field, FieldQuery};

use super::overlay_cells::OverlayCells;
use super::present_query::MAX_CELLS_IN_FRAME;

/// Which overlay the player has chosen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverlayChoice {
    /// No overlay.
    #[default]
    None,
    /// The cost of entering each cell.
    Cost,
    /// The cost from each cell to the goal.
    Distance,
}

impl OverlayChoice {
    fn next(self) -> Self {
        match self {
            Self::None => Self::Cost,
            Self::Cost => Self::Distance,
            Self::Distance => Self::None,
        }
    }
}

/// The colour scale of the overlay that is shown.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlayScale {
    /// The costs at the two ends of the scale, in tiles.
    pub range: (f64, f64),
    /// The difference between two lines of equal cost, in tiles; `None` without lines.
    pub step: Option<f64>,
}

/// The costs to the goal, and those that are being computed.
#[derive(Resource, Default)]
struct Distances {
    field: Field,
    next: Option<Background<Field>>,
}

pub(super) fn plugin(app: &mut App) {
    let inputs_changed = resource_changed::<OverlayChoice>
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(resource_changed::<PlanningOptions>)
        .or_eager(goal_changed)
        .or_eager(state_changed::<SearchPage>);
    app.init_resource::<OverlayChoice>()
        .init_resource::<OverlayScale>()
        .init_resource::<Distances>()
        .add_systems(Update, choose.run_if(in_state(SearchPage::Closed)).in_set(AppSystems::Act))
        .add_systems(
            Update,
            (show.run_if(inputs_changed), show_computed)
                .chain()
                .run_if(in_state(SearchPage::Closed))
                .in_set(AppSystems::Walk),
        );
}

fn goal_changed(goal: Query<(), (With<Player>, Changed<Goal>)>) -> bool {
    !goal.is_empty()
}

fn choose(mut actions: MessageReader<Action>, mut choice: ResMut<OverlayChoice>) {
    for action in actions.read() {
        if *action == Action::NextOverlay {
            *choice = choice.next();
        }
    }
}

/// Shows the overlay that is chosen, as the map is now. Costs to the goal on large maps follow when they are computed.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn show(
    choice: Res<OverlayChoice>,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    goal: Single<&Goal, With<Player>>,
    waker: Res<Waker>,
    mut distances: ResMut<Distances>,
    mut scale: ResMut<OverlayScale>,
    mut cells: ResMut<OverlayCells>,
) {
    distances.next = None;
    match *choice {
        OverlayChoice::None => {
            if cells.is_shown() {
                cells.hide();
            }
        }
        OverlayChoice::Cost => {
            let overlay = CostOverlay::new(map.costs());
            cells.show(map.size(), &overlay);
            scale.set_if_neq(OverlayScale { range: overlay.range(), step: None });
        }
        OverlayChoice::Distance => {
            let Some(cell) = goal.cell else { return cells.hide() };
            let query = FieldQuery::to_cell(cell).with_rules(options.0.rules());
            if map.size().area() > MAX_CELLS_IN_FRAME {
                let grid = map.costs().snapshot();
                distances.next = Some(Background::compute(&waker, move || {
                    let mut field = Field::new();
                    // Without a passable goal no cell has a cost.
                    let _ = field.compute(&grid, &query);
                    field
                }));
            } else {
                let _ = distances.field.compute(map.costs(), &query);
                show_distances(&distances.field, &map, &mut cells, &mut scale);
            }
        }
    }
}

/// Shows the costs to the goal that were computed beside the frames.
fn show_computed(
    map: Res<OpenMap>,
    mut distances: ResMut<Distances>,
    mut scale: ResMut<OverlayScale>,
    mut cells: ResMut<OverlayCells>,
) {
    if let Some(field) = distances.next.as_ref().and_then(Background::take) {
        *distances = Distances { field, next: None };
        show_distances(&distances.field, &map, &mut cells, &mut scale);
    }
}

fn show_distances(field: &Field, map: &OpenMap, cells: &mut OverlayCells, scale: &mut ResMut<OverlayScale>) {
    let overlay = DistanceOverlay::new(field, map.size());
    cells.show(map.size(), &overlay);
    scale.set_if_neq(OverlayScale { range: (0.0, overlay.highest()), step: Some(overlay.step()) });
}
