//! The time on a map.

use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::system::{Res, SystemParam};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::Time;
use emberwalk_path::time::CrowdTime;

/// How much time of the game passes in this run.
#[derive(SystemParam)]
pub(crate) struct RunTime<'w> {
    time: Res<'w, Time>,
    #[cfg(feature = "replay")]
    replay: Option<Res<'w, crate::NavReplay>>,
}

impl RunTime<'_> {
    /// In seconds. While a recording is played, it is the time of the recorded run.
    pub(crate) fn seconds(&self) -> f64 {
        #[cfg(feature = "replay")]
        if let Some(seconds) = self.replay.as_ref().and_then(|replay| replay.played_run_time()) {
            return seconds;
        }
        self.time.delta_secs_f64()
    }
}

/// The time on a map: a component beside the [`NavGrid`](crate::NavGrid). A game can let it run faster or slower than its own
/// clock, or stop it.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn pause(mut clock: Single<&mut NavClock, With<NavGrid>>) {
///     clock.speed = 0.0;
/// }
/// # let _ = pause;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "replay", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(crate::number::MapNumber)]
pub struct NavClock {
    /// How many seconds pass on the map in a second of the game. At 0 its agents stand still, wherever they are. So they do at
    /// speeds below that, or that are no numbers.
    #[cfg_attr(feature = "replay", serde(serialize_with = "serialize_finite"))]
    pub speed: f32,
    /// Written by the plugin: the time now, and when the last run began.
    pub(crate) now: CrowdTime,
    pub(crate) before: CrowdTime,
    /// How much time is still to be skipped.
    pub(crate) skipped: CrowdTime,
    /// In the middle of a run: until when agents have walked, and how much of its time is left. Where changes are announced,
    /// it passes in several pieces.
    #[cfg_attr(feature = "replay", serde(default))]
    pub(crate) walked: CrowdTime,
    #[cfg_attr(feature = "replay", serde(default))]
    pub(crate) left: CrowdTime,
}

impl Default for NavClock {
    fn default() -> Self {
        let zero = CrowdTime::ZERO;
        Self { speed: 1.0, now: zero, before: zero, skipped: zero, walked: zero, left: zero }
    }
}

impl NavClock {
    /// The first time on maps without a crowd: later than zero, because a step that is half over may have begun before.
    pub(crate) const LATER: Self = {
        let [now, zero] = [CrowdTime::from_whole_seconds(60), CrowdTime::ZERO];
        Self { speed: 1.0, now, before: now, skipped: zero, walked: now, left: zero }
    };

    /// A crowd lets no more time pass in one run.
    const LONGEST: CrowdTime = CrowdTime::from_whole_seconds(3600);

    /// The time on the map.
    pub fn now(&self) -> CrowdTime {
        self.now
    }

    /// How much time has passed in the last run.
    pub fn last_run(&self) -> CrowdTime {
        self.now - self.before
    }

    /// Lets this much more time pass in the next run. No more than an hour passes in one run: the rest passes in the runs
    /// after it.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn wait_until_dawn(mut clock: Single<&mut NavClock>) {
    ///     clock.skip(CrowdTime::from_seconds(60.0));
    /// }
    /// # let _ = wait_until_dawn;
    /// ```
    pub fn skip(&mut self, duration: CrowdTime) {
        self.skipped = self.skipped + duration;
    }

    /// Whether no time passes.
    pub(crate) fn stands_still(&self) -> bool {
        self.speed <= 0.0
    }

    /// How much time passes in a run of this many seconds of the game.
    pub(crate) fn passed(&mut self, seconds: f64) -> CrowdTime {
        if self.stands_still() {
            return CrowdTime::ZERO;
        }
        let passed = CrowdTime::from_seconds(seconds * f64::from(self.speed));
        let skipped = self.skipped.min(Self::LONGEST - passed);
        self.skipped = self.skipped - skipped;
        passed + skipped
    }

    /// A run ends at this time.
    pub(crate) fn set(&mut self, before: CrowdTime, now: CrowdTime) {
        (self.before, self.walked, self.now) = (before, before, now);
    }

    /// The run goes on until this time.
    pub(crate) fn go_on(&mut self, now: CrowdTime) {
        (self.walked, self.now) = (self.now, now);
    }
}

/// The speed that says the same as this one, as a number that can be written in every format.
#[cfg(feature = "replay")]
pub(crate) fn finite(speed: f32) -> f32 {
    if speed.is_nan() { 0.0 } else { speed.clamp(f32::MIN, f32::MAX) }
}

#[cfg(feature = "replay")]
fn serialize_finite<S: serde::Serializer>(speed: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f32(finite(*speed))
}
