//! Checks the steps of people with code that does not know how they decide, if the log asks for it.

use bevy::prelude::*;
use tracing::{Level, debug, enabled, error, trace};

use crate::game::app_systems::AppSystems;
use crate::pace::PACE;
use crate::town::Town;
use emberwalk_path::crowd::{Checker, CrowdTime};

use super::clock::PassTime;
use super::town::People;

/// The log target of crowds.
const TARGET: &str = "emberwalk::crowd";

/// How often the steps are checked.
const PERIOD: CrowdTime = CrowdTime::from_whole_seconds(10);

/// The check of a town.
#[derive(Default)]
struct Check {
    checker: Option<Checker>,
    now: CrowdTime,
    next: CrowdTime,
    events: usize,
}

pub(super) fn plugin(app: &mut App) {
    if is_wanted() {
        app.add_systems(Update, check.after(PassTime).in_set(AppSystems::Walk));
    }
}

/// Whether the log shows the results.
pub(super) fn is_wanted() -> bool {
    enabled!(target: TARGET, Level::DEBUG)
}

fn check(mut people: ResMut<People>, mut check: Local<Check>) {
    let Some(town) = people.bypass_change_detection().town_mut() else { return };
    let events = town.take_events();
    // A new town begins at an earlier time, on another grid.
    if check.checker.is_none() || town.now() < check.now {
        *check = Check { checker: Some(checker(town)), next: town.now() + PERIOD, ..Check::default() };
    }
    let Check { checker: Some(checker), now, next, events: count } = &mut *check else { return };
    for event in &events {
        trace!(target: TARGET, "{event:?}");
    }
    *count += events.len();
    *now = town.now();
    checker.add(&events);
    checker.check_until(*now);
    if *now >= *next {
        *next = *now + PERIOD;
        let conflicts = checker.clone().finish();
        if conflicts.is_empty() {
            debug!(target: TARGET, events = *count, "no conflicts");
        }
        for conflict in conflicts {
            error!(target: TARGET, "{conflict}");
        }
    }
}

/// A checker for a town whose events are known from its beginning.
fn checker(town: &Town) -> Checker {
    Checker::new(town.first_grid().clone(), town.crowd().rules(), PACE)
}
