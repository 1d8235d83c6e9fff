//! The beat of animated tiles and sprites, and the setting that pauses it.

use std::time::Duration;

use bevy::camera::visibility::VisibilitySystems;
use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::people::time::PeopleMove;

/// The duration of one frame of an animated tile.
const FRAME_TIME: Duration = Duration::from_millis(180);

/// The frame counter of all animations.
#[derive(Resource, Default)]
pub(in crate::game) struct AnimationFrame(u64);

impl AnimationFrame {
    /// The index of the current frame of an animation with `frames` frames.
    pub fn index(&self, frames: usize) -> usize {
        (self.0 % frames.max(1) as u64) as usize
    }

    /// A counter that is slower by a factor.
    pub(in crate::game) fn slowed(&self, factor: u64) -> usize {
        (self.0 / factor.max(1)) as usize
    }
}

/// Whether tiles and effects are animated. The traveller always is.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum Animation {
    /// Water, flags and smoke move.
    #[default]
    Running,
    /// Only the traveller moves, and people while it does.
    Paused,
}

/// Something that shows another image every few beats. While it is visible, the window draws frames for it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) struct Animated {
    /// The number of beats per image.
    pub beats: u64,
}

/// The time at which the next frame of the animations begins.
#[derive(Resource, Default)]
struct NextBeat(Duration);

/// Adds the frame counter. Without [`plugin`], it stays at the first frame.
pub(super) fn frame_counter(app: &mut App) {
    app.init_resource::<AnimationFrame>();
}

/// Adds the animation.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Animation>()
        .init_resource::<NextBeat>()
        .add_systems(
            Update,
            (toggle, advance, still_people.run_if(resource_changed::<Animation>)).chain().in_set(AppSystems::Act),
        )
        .add_systems(PostUpdate, wait_for_beat.after(VisibilitySystems::CheckVisibility));
}

fn toggle(mut actions: MessageReader<Action>, mut animation: ResMut<Animation>) {
    for _ in actions.read().filter(|action| **action == Action::ToggleAnimation) {
        *animation = match *animation {
            Animation::Running => Animation::Paused,
            Animation::Paused => Animation::Running,
        };
    }
}

/// While animation is paused, people walk only as long as the player's traveller does.
fn still_people(animation: Res<Animation>, mut moves: ResMut<PeopleMove>) {
    *moves = match *animation {
        Animation::Running => PeopleMove::Always,
        Animation::Paused => PeopleMove::WithPlayer,
    };
}

/// Counts the beats that have passed. The window may have slept through many of them.
fn advance(
    time: Res<Time<Real>>,
    animation: Res<Animation>,
    mut next: ResMut<NextBeat>,
    mut frame: ResMut<AnimationFrame>,
) {
    if *animation == Animation::Paused || animation.is_changed() {
        next.0 = time.elapsed() + FRAME_TIME;
    } else if let Some(late) = time.elapsed().checked_sub(next.0) {
        let beats = 1 + late.div_duration_f64(FRAME_TIME) as u32;
        frame.0 += u64::from(beats);
        next.0 += FRAME_TIME * beats;
    }
}

/// Requests a frame at the beat at which the next visible image changes.
fn wait_for_beat(
    time: Res<Time<Real>>,
    animation: Res<Animation>,
    next: Res<NextBeat>,
    frame: Res<AnimationFrame>,
    animated: Query<(&Animated, Option<&ViewVisibility>)>,
    mut wakes: MessageWriter<Wake>,
) {
    if *animation == Animation::Paused {
        return;
    }
    let visible = animated.iter().filter(|(_, visibility)| visibility.is_none_or(|visibility| visibility.get()));
    let beats = visible.map(|(animated, _)| animated.beats - frame.0 % animated.beats).min();
    if let Some(beats) = beats.and_then(|beats| u32::try_from(beats).ok()) {
        let change = next.0 + FRAME_TIME * (beats - 1);
        wakes.write(Wake::After(change.saturating_sub(time.elapsed())));
    }
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;

    use super::*;

    /// Runs a frame that begins this many milliseconds after the previous one. Returns the counter, and the requested
    /// time in milliseconds.
    fn frame(app: &mut App, millis: u64) -> (u64, Option<u128>) {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(millis)));
        app.update();
        let asked: Vec<Wake> = app.world_mut().resource_mut::<Messages<Wake>>().drain().collect();
        let asked = asked.first().map(|wake| match wake {
            Wake::After(time) => time.as_millis(),
            Wake::NextFrame => 0,
        });
        (app.world().resource::<AnimationFrame>().0, asked)
    }

    #[test]
    fn a_frame_is_asked_for_at_the_beat_at_which_something_visible_changes() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, frame_counter, plugin)).add_message::<Action>().add_message::<Wake>();
        app.init_resource::<PeopleMove>();
        assert_eq!(frame(&mut app, 0), (0, None), "nothing is animated");
        app.world_mut().spawn(Animated { beats: 4 });
        assert_eq!(frame(&mut app, 100), (0, Some(80 + 3 * 180)));
        let every = app.world_mut().spawn(Animated { beats: 1 }).id();
        assert_eq!(frame(&mut app, 50), (0, Some(30)));
        assert_eq!(frame(&mut app, 30), (1, Some(180)));
        assert_eq!(frame(&mut app, 10 * 180 + 1), (11, Some(179)), "the beat continues while the window sleeps");
        app.world_mut().entity_mut(every).insert(ViewVisibility::HIDDEN);
        assert_eq!(frame(&mut app, 179), (12, Some(4 * 180)), "images out of sight ask for nothing");
        app.world_mut().write_message(Action::ToggleAnimation);
        assert_eq!(frame(&mut app, 100), (12, None), "nothing moves while animation is paused");
        assert_eq!(frame(&mut app, 1000), (12, None));
        app.world_mut().write_message(Action::ToggleAnimation);
        assert_eq!(frame(&mut app, 1000), (12, Some(4 * 180)), "the pause does not count");
    }
}
