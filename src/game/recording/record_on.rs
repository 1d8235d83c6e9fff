//! Recording goes on where a recording that was played is left to the player.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::recording::{Entry, Order, Replay};
use emberwalk_path::StepRules;
use emberwalk_path::crowd::CrowdTime;

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
    /// Goes on after what was played so far. `now` is the time on the clock of the map.
    pub fn after(&mut self, replay: &Replay, now: CrowdTime) {
        let world = replay.world();
        let played = replay.recording().entries.iter().filter(|(time, _)| *time <= world.now());
        // If something else has happened than was recorded, the hashes are wrong.
        let is_true = replay.difference().is_none_or(|difference| difference.time > world.now());
        let played = played.filter(|(_, entry)| is_true || !matches!(entry, Entry::Map(_) | Entry::Hash(_)));
        let mut entries: Vec<_> = played.cloned().collect();
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
