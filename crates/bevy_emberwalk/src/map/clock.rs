//! The time on a map.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::time::CrowdTime;

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(MapNumber)]
pub struct NavClock {
    /// How many seconds pass on the map in a second of the game. At 0 its agents stand still, wherever they are.
    /// Negative speeds and NaN count as 0.
    pub speed: f32,
    /// Written by the plugin: the current time, and when the last run began.
    pub(crate) now: CrowdTime,
    pub(crate) before: CrowdTime,
    /// How much time is still to be skipped.
    pub(crate) skipped: CrowdTime,
}

impl Default for NavClock {
    fn default() -> Self {
        let zero = CrowdTime::ZERO;
        Self { speed: 1.0, now: zero, before: zero, skipped: zero }
    }
}

impl NavClock {
    /// The longest time that a crowd lets pass in one run.
    const LONGEST: CrowdTime = CrowdTime::from_whole_seconds(3600);

    /// The time on the map.
    pub fn now(&self) -> CrowdTime {
        self.now
    }

    /// How much time has passed in the last run.
    pub fn last_run(&self) -> CrowdTime {
        self.now - self.before
    }

    /// Lets this much more time pass in the next run. At most an hour passes in one run: the rest passes in the next
    /// runs.
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

    /// How much time passes in a run of this many seconds of the game.
    pub(crate) fn passed(&mut self, seconds: f64) -> CrowdTime {
        if self.speed.is_nan() || self.speed <= 0.0 {
            return CrowdTime::ZERO;
        }
        let passed = CrowdTime::from_seconds(seconds * f64::from(self.speed));
        let skipped = self.skipped.min(Self::LONGEST - passed);
        self.skipped = self.skipped - skipped;
        passed + skipped
    }

    /// The same clock with a speed that can be written in every format.
    #[cfg(feature = "serde")]
    pub(crate) fn with_finite_speed(self) -> Self {
        let speed = if self.speed.is_nan() { 0.0 } else { self.speed.clamp(f32::MIN, f32::MAX) };
        Self { speed, ..self }
    }

    /// Ends a run at this time.
    pub(crate) fn end_run(&mut self, now: CrowdTime) {
        (self.before, self.now) = (self.now, now);
    }

    /// Notes that the grid has another clock.
    pub(crate) fn set(&mut self, now: CrowdTime) {
        (self.before, self.now) = (now, now);
    }
}

/// The number of a map: maps are numbered from 1 in the order in which they are spawned.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(on_add = number_map)]
pub(crate) struct MapNumber(pub(crate) u32);

/// The highest number of a map.
#[derive(Resource, Default)]
pub(crate) struct LastMap(pub(crate) u32);

fn number_map(mut world: DeferredWorld, context: HookContext) {
    let Some(mut last) = world.get_resource_mut::<LastMap>() else { return };
    last.0 += 1;
    let next = last.0;
    if let Some(mut number) = world.get_mut::<MapNumber>(context.entity) {
        number.0 = next;
    }
}

/// Numbers the maps that were spawned before the plugin was added.
pub(crate) fn number_maps(world: &mut World) {
    let mut maps: Vec<_> = world.query_filtered::<Entity, With<MapNumber>>().iter(world).collect();
    maps.sort_unstable_by_key(|map| map.index());
    for (number, &map) in (1..).zip(&maps) {
        world.entity_mut(map).insert(MapNumber(number));
    }
    world.insert_resource(LastMap(maps.len() as u32));
}

/// Whether a grid has come or gone since the last run.
#[derive(Resource, Default)]
pub(crate) struct Replaced(pub(crate) bool);
