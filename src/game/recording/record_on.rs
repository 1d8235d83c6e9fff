//! Recording goes on where a recording that was played is left to the player.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use emberwalk_path::StepRules;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_world::{Entry, Order, Timeline};

use super::orders::Noted;
use super::recorder::{Opens, Painted, Recorder};

/// The recorder, which learns what has happened in a recording that was played.
#[derive(SystemParam)]
pub(in crate::game) struct RecordOn<'w> {
    recorder: ResMut<'w, Recorder>,
    painted: ResMut<'w, Painted>,
    noted: ResMut<'w, Noted>,
    opens: ResMut<'w, Opens>,
}

impl RecordOn<'_> {
    /// Goes on at the end of what was played. `now` is the time on the clock of the map.
    pub fn after(&mut self, timeline: &Timeline, now: CrowdTime) {
        let world = timeline.world();
        let mut entries = timeline.recording().entries.clone();
        // A file may have something before its first map.
        let fresh = [Order::rules(StepRules::default()), Order::Put(None)];
        let start = entries.first().map_or(CrowdTime::ZERO, |(time, _)| *time);
        let begins =
            entries.iter().position(|(_, entry)| matches!(entry, Entry::Order(_))).map_or(0, |first| first + 1);
        let remark =
            entries.get(begins).is_some_and(|(_, entry)| matches!(entry, Entry::Remark(remark) if remark.is_behind()));
        let begins = begins + usize::from(remark);
        entries.splice(begins..begins, fresh.map(|order| (start, Entry::Order(order))));
        self.recorder.go_on_after(entries, world.now(), now, world.map().tileset().clone());
        self.painted.begin_with(world);
        self.noted.begin_with(world);
        self.opens.0 = false;
    }
}
