//! The trail of the player's traveller: the cells that it has entered since it set out, and the cost that it paid for
//! each step. The terrain may change behind it.

use bevy::prelude::*;

use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::world::open_map::{MapRenewed, OpenMap};
use emberwalk_path::RouteCost;
use emberwalk_path::grid::Cell;

use super::goal::TravellerGoal;
use super::planning::PlanningOptions;
use super::shown_route::{ShownRoute, WalkedRoute};
use super::traveller::{Player, Traveller};

/// The trail since the traveller set out; a single cell until it is sent somewhere.
#[derive(Resource, Default)]
pub(super) struct Trail(Vec<Entered>);

struct Entered {
    cell: Cell,
    /// The cost of the step into the cell when it was taken; zero for the first cell.
    cost: RouteCost,
}

impl Trail {
    /// The cells, from the one where the traveller set out to the one that it is entering, or in which it stands.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> {
        self.0.iter().map(|entered| entered.cell)
    }

    /// The cell where the traveller set out.
    pub fn first(&self) -> Option<Cell> {
        self.0.first().map(|entered| entered.cell)
    }

    /// The cell that the traveller is entering, or in which it stands.
    pub fn last(&self) -> Option<Cell> {
        self.0.last().map(|entered| entered.cell)
    }

    /// The cost that the steps had together.
    pub fn cost(&self) -> RouteCost {
        self.0.iter().map(|entered| entered.cost).sum()
    }

    /// Begins again in a cell, with room for a route of this many cells, because a walk allocates nothing.
    fn begin(&mut self, at: Cell, cells: usize) {
        self.0.clear();
        self.0.reserve(cells);
        self.enter(at, RouteCost::ZERO);
    }

    fn enter(&mut self, cell: Cell, cost: RouteCost) {
        self.0.push(Entered { cell, cost });
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Trail>()
        .add_observer(forget_moved)
        .add_systems(Update, follow.after(PassTime).in_set(AppSystems::Walk));
}

/// The trail is meaningless on a map of another size.
fn forget_moved(before: On<MapRenewed>, map: Res<OpenMap>, mut trail: ResMut<Trail>) {
    if before.projection.size() != map.size() {
        trail.0.clear();
    }
}

type WalkingPlayer = (Traveller, Ref<'static, TravellerGoal>, &'static WalkedRoute, ShownRoute);

/// Adds the cells that the traveller has entered in this frame.
fn follow(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    player: Single<WalkingPlayer, With<Player>>,
    mut trail: ResMut<Trail>,
) {
    let (traveller, goal, walked, planned) = &*player;
    let Some(at) = traveller.origin() else {
        trail.0.clear();
        return;
    };
    if goal.is_changed() || !goal.sent || trail.0.is_empty() {
        let set_out = walked.set_out().filter(|_| goal.is_changed() && goal.sent);
        trail.begin(set_out.unwrap_or(at), planned.cells().len());
    }
    let last = trail.last();
    if last == Some(at) {
        return;
    }
    if trail.cells().rev().nth(1) == Some(at) {
        // It has turned back.
        trail.0.pop();
        return;
    }
    let passed = planned.cells().get(..=planned.index()).unwrap_or_default();
    let known = passed.iter().rposition(|cell| Some(*cell) == last);
    match known.filter(|_| passed.last() == Some(&at)) {
        Some(known) => {
            for step in passed[known..].windows(2) {
                let cost = options.0.rules.step_cost(map.costs(), step[0], step[1]);
                trail.enter(step[1], cost.unwrap_or_default());
            }
        }
        // The cell in which it stood was blocked, and it was moved.
        None => trail.enter(at, RouteCost::ZERO),
    }
}
