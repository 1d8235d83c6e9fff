//! The beat of everything that moves by itself, and the setting that stills it.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;

use crate::game::AppSystems;
use crate::game::input::action::Action;

/// The time that one frame of an animated tile stands.
const BEAT: Duration = Duration::from_millis(180);

/// Which frame animated tiles show.
#[derive(Resource, Default)]
pub struct Frame(u64);

impl Frame {
    /// The frame of so many that is shown now.
    pub fn of(&self, frames: usize) -> usize {
        (self.0 % frames.max(1) as u64) as usize
    }

    /// A frame that stands for so many beats.
    pub fn slowly(&self, beats: u64) -> usize {
        (self.0 / beats.max(1)) as usize
    }
}

/// Whether anything but the traveller moves.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion(pub bool);

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(Motion(true))
        .add_systems(Update, (toggle, beat.run_if(on_timer(BEAT))).chain().in_set(AppSystems::Act));
}

fn toggle(mut actions: MessageReader<Action>, mut motion: ResMut<Motion>) {
    for _ in actions.read().filter(|action| **action == Action::Motion) {
        motion.0 = !motion.0;
    }
}

fn beat(motion: Res<Motion>, mut frame: ResMut<Frame>) {
    if motion.0 {
        frame.0 += 1;
    }
}
