//! The clock of animated tiles and sprites, and the setting that pauses it.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;

/// The duration of one frame of an animated tile.
const FRAME_TIME: Duration = Duration::from_millis(180);

/// Counts the frames of all animations.
#[derive(Resource, Default)]
pub struct AnimationFrame(u64);

impl AnimationFrame {
    /// Returns the index of the frame that an animation of `frames` frames shows now.
    pub fn index(&self, frames: usize) -> usize {
        (self.0 % frames.max(1) as u64) as usize
    }

    /// Returns a frame counter that is slower by a factor.
    pub fn slowed(&self, factor: u64) -> usize {
        (self.0 / factor.max(1)) as usize
    }
}

/// Whether tiles and effects are animated. The traveller always is.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Animation {
    /// Water, flags and smoke move.
    #[default]
    Running,
    /// Only the traveller moves.
    Paused,
}

/// Adds the frame counter. Without [`plugin`], it stays at the first frame.
pub(super) fn frame_counter(app: &mut App) {
    app.init_resource::<AnimationFrame>();
}

/// Adds the animation.
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
