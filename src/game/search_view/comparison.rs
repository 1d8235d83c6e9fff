//! The comparison of all algorithms for the present query.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::input::action::Action;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::mode::ComparePage;
use crate::path::{Comparison, Planner};

use super::present_query::{PresentQuery, Purpose};

/// The comparison that is shown.
#[derive(Resource, Default)]
pub struct ComparisonView {
    shown: Option<(Purpose, Comparison)>,
    next: Option<(Purpose, Background<Option<Comparison>>)>,
}

impl ComparisonView {
    /// Returns the comparison; `None` while there is none.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.shown.as_ref().map(|(_, comparison)| comparison)
    }

    /// Whether it is being computed beside the frames.
    pub fn is_computing(&self) -> bool {
        self.next.is_some()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ComparisonView>()
        .add_systems(OnExit(ComparePage::Open), |mut view: ResMut<ComparisonView>| *view = ComparisonView::default())
        .add_systems(
            Update,
            (plan_with.in_set(AppSystems::Act), compare.run_if(in_state(ComparePage::Open)).in_set(AppSystems::Plan)),
        );
}

/// Plans with the options of the row that the player has chosen.
fn plan_with(mut actions: MessageReader<Action>, mut options: ResMut<PlanningOptions>) {
    for action in actions.read() {
        if let Action::PlanWith(chosen) = *action {
            options.0 = chosen;
        }
    }
}

/// Compares the algorithms again if the query or the terrain has changed.
fn compare(present: PresentQuery, waker: Res<Waker>, mut view: ResMut<ComparisonView>) {
    if let Some((purpose, compared)) = &view.next
        && let Some(comparison) = compared.take()
    {
        let purpose = *purpose;
        view.next = None;
        view.shown = comparison.map(|comparison| (purpose, comparison));
    }
    let Some(purpose) = present.purpose() else {
        if view.shown.is_some() {
            view.shown = None;
        }
        return;
    };
    let is_known = view.shown.as_ref().is_some_and(|(shown, _)| *shown == purpose);
    if is_known || view.next.as_ref().is_some_and(|(next, _)| *next == purpose) {
        return;
    }
    let query = purpose.query;
    if present.is_fast() {
        // A planner of its own: what is prepared for the game would favour one of the algorithms.
        let comparison = Comparison::new(&mut Planner::new(), present.map.costs(), &query).ok();
        view.shown = comparison.map(|comparison| (purpose, comparison));
    } else {
        let grid = present.map.costs().snapshot();
        let compare = move || Comparison::new(&mut Planner::new(), &grid, &query).ok();
        view.next = Some((purpose, Background::compute(&waker, compare)));
    }
}
