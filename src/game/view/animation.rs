//! The clock of everything that is animated by itself, and the setting that pauses it.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;

use crate::game::AppSystems;
use crate::game::input::action::Action;

/// The time for which an animated tile shows one frame.
const FRAME_TIME: Duration = Duration::from_millis(180);

/// Which frame animated images show.
#[derive(Resource, Default)]
pub struct AnimationFrame(u64);

impl AnimationFrame {
    /// The index of the frame that an animation of that many frames shows now.
    pub fn of(&self, frames: usize) -> usize {
        (self.0 % frames.max(1) as u64) as usize
    }

    /// A frame counter that is slower by that factor.
    pub fn slowed(&self, factor: u64) -> usize {
        (self.0 / factor.max(1)) as usize
    }
}

/// Whether anything but the traveller is animated.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Animation {
    /// Water, flags and smoke move.
    #[default]
    Running,
    /// Only the traveller moves.
    Paused,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Animation>()
        .add_systems(Update, (toggle, advance.run_if(on_timer(FRAME_TIME))).chain().in_set(AppSystems::Act));
}

fn toggle(mut actions: MessageReader<Action>, mut animation: ResMut<Animation>) {
    for _ in actions.read().filter(|action| **action == Action::ToggleAnimation) {
        *animation = match *animation {
            Animation::Running => Animation::Paused,
            Animation::Paused => Animation::Running,
        };
    }
}

fn advance(animation: Res<Animation>, mut frame: ResMut<AnimationFrame>) {
    if *animation == Animation::Running {
        frame.0 += 1;
    }
}
