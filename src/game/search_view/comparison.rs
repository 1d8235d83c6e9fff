//! The comparison of all algorithms for the current query.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::planning::{GridQuery, Urgency};
use crate::game::screen::mode::{Screen, ScreenChanged};
use emberwalk_jobs::Latest;
use emberwalk_path::Planner;
use emberwalk_path::trace::{ComparedSearches, Comparison};

use super::current_query::CurrentQuery;

/// The shown comparison. It stays while the next one is being computed.
#[derive(Resource, Default)]
pub struct ComparisonView(Latest<GridQuery, Option<Comparison>>);

impl ComparisonView {
    /// The comparison; `None` while there is none.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.0.last().and_then(|(_, comparison)| comparison.as_ref())
    }

    /// Whether it is being computed in the background.
    pub fn is_computing(&self) -> bool {
        self.0.is_computing()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ComparisonView>()
        .add_observer(close)
        .add_systems(Update, compare.run_if(|screen: Res<Screen>| screen.compares).in_set(AppSystems::Plan));
}

fn close(changed: On<ScreenChanged>, mut view: ResMut<ComparisonView>) {
    if changed.before.compares && !changed.now.compares {
        *view = ComparisonView::default();
    }
}

/// Compares the algorithms again if the query or the terrain has changed.
fn compare(current: CurrentQuery, view: ResMut<ComparisonView>) {
    Latest::follow(view.map_unchanged(|view| &mut view.0), current.query(), &current.jobs, |question| {
        // A separate planner: the tables prepared for the game would favour one of the algorithms.
        let mut planner = Planner::new();
        let mut searches = ComparedSearches::new(question.query);
        current.start(Urgency::Comparison, "Comparing the algorithms", move |_, grid, progress| {
            progress.in_slices(|cells| searches.advance(&mut planner, grid, cells)).map_continue(Result::ok)
        })
    });
}
