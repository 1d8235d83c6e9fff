//! Checks the steps of people with code that does not know how they decide, if logging asks for it.

use bevy::prelude::*;
use tracing::{debug, error, trace};

use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::OpenMap;
use emberwalk_crowd::Checker;
use emberwalk_path::time::CrowdTime;

use super::town::{TARGET, TownReplaced, keeps_events};

/// How often the steps are checked.
const PERIOD: CrowdTime = CrowdTime::from_whole_seconds(10);

/// The check of a town.
#[derive(Resource, Default)]
struct Check {
    checker: Option<Checker>,
    next: CrowdTime,
    events: usize,
    conflicts: usize,
}

pub(super) fn plugin(app: &mut App) {
    if keeps_events() {
        app.init_resource::<Check>()
            .add_observer(|_: On<TownReplaced>, mut check: ResMut<Check>| *check = Check::default())
            .add_systems(Update, check.after(PassTime).in_set(AppSystems::Walk));
    }
}

fn check(mut map: ResMut<OpenMap>, mut check: ResMut<Check>, mut notices: MessageWriter<Notice>) {
    let events = map.bypass_change_detection().take_events();
    let Some(town) = map.town() else { return };
    let Check { checker, next, events: count, conflicts: known } = &mut *check;
    if checker.is_none() {
        *checker = town.checker();
    }
    let Some(checker) = checker else { return };
    for event in &events {
        trace!(target: TARGET, "{event:?}");
    }
    *count += events.len();
    checker.add(&events);
    checker.check_until(town.now());
    if town.now() >= *next {
        *next = town.now() + PERIOD;
        let conflicts = checker.clone().finish();
        if conflicts.is_empty() {
            debug!(target: TARGET, events = *count, "no conflicts");
        }
        if conflicts.len() > std::mem::replace(known, conflicts.len()) {
            notices.write(Notice(
                "People are in each other's way. Please report it, with a recording (in the map menu).".into(),
            ));
        }
        for conflict in conflicts {
            error!(target: TARGET, "{conflict}");
        }
    }
}
