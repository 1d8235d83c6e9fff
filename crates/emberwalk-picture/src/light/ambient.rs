//! The light of the sky by the hour.

use emberwalk_map::Hour;

/// The light of the sky.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ambient {
    /// Linear red, green and blue; 1 at noon.
    light: [f32; 3],
    /// How much of the low sun's colour is added at the western end of the picture in the evening; in the morning, at
    /// the eastern end.
    low_sun: f32,
    is_morning: bool,
}

/// The light of the sky at an hour. It is interpolated between two entries; after the last, the first follows.
struct Sky {
    hours: f32,
    light: [f32; 3],
    low_sun: f32,
}

const fn sky(hours: f32, light: [f32; 3], low_sun: f32) -> Sky {
    Sky { hours, light, low_sun }
}

/// A dark blue night, a cool and pale dawn, a long day, and an evening that turns golden and then violet. At midnight
/// the light is just strong enough that the ground and people can be told apart, which a test measures.
const SKIES: [Sky; 13] = [
    sky(0.0, [0.130, 0.168, 0.390], 0.0),
    sky(4.0, [0.130, 0.168, 0.390], 0.0),
    sky(5.25, [0.26, 0.33, 0.49], 0.03),
    sky(6.25, [0.52, 0.58, 0.68], 0.12),
    sky(7.25, [0.84, 0.86, 0.88], 0.08),
    sky(9.0, [1.0, 1.0, 1.0], 0.0),
    sky(16.5, [1.0, 1.0, 1.0], 0.0),
    sky(18.0, [0.98, 0.80, 0.56], 0.06),
    sky(19.0, [0.72, 0.51, 0.42], 0.16),
    sky(20.0, [0.36, 0.28, 0.44], 0.16),
    sky(21.0, [0.19, 0.20, 0.42], 0.06),
    sky(22.5, [0.130, 0.168, 0.390], 0.0),
    sky(24.0, [0.130, 0.168, 0.390], 0.0),
];

/// The colours of the low sun in the evening and in the morning.
const EVENING_SUN: [f32; 3] = [1.0, 0.48, 0.14];
const MORNING_SUN: [f32; 3] = [1.0, 0.78, 0.66];

impl Ambient {
    pub(super) fn at(hour: Hour) -> Self {
        let hours = hour.hours() as f32;
        let is_morning = hours < 12.0;
        let pair = SKIES.windows(2).find(|pair| hours < pair[1].hours).unwrap_or(&SKIES[SKIES.len() - 2..]);
        let [before, after] = [&pair[0], &pair[1]];
        let share = ((hours - before.hours) / (after.hours - before.hours)).clamp(0.0, 1.0);
        let mix = |a: f32, b: f32| if a == b { a } else { a + (b - a) * share };
        let light = std::array::from_fn(|k| mix(before.light[k], after.light[k]));
        Self { light, low_sun: mix(before.low_sun, after.low_sun), is_morning }
    }

    /// The light without the low sun.
    pub(super) fn light(self) -> [f32; 3] {
        self.light
    }

    /// The light at a share of the picture's width from its left end, which is in the west.
    pub(super) fn across(self, share: f32) -> [f32; 3] {
        let share = share.clamp(0.0, 1.0);
        let (sun, near) = if self.is_morning { (MORNING_SUN, share) } else { (EVENING_SUN, 1.0 - share) };
        std::array::from_fn(|k| self.light[k] + self.low_sun * near * near * sun[k])
    }

    /// How well lamps can be seen, from 0 at noon to 1 at night.
    pub(super) fn darkness(self) -> f32 {
        let [red, green, blue] = self.light;
        let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        ((1.0 - luminance) * 1.2).clamp(0.0, 1.0)
    }

    /// Whether it is the light of noon.
    pub(super) fn is_day(self) -> bool {
        self.light == [1.0; 3] && self.low_sun == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sky_changes_smoothly_and_not_at_all_at_noon() {
        let at = |minutes: u32| Ambient::at(Hour::from_hours(f64::from(minutes % 1440) / 60.0).unwrap());
        assert!(at(720).is_day());
        assert_eq!(at(720).across(0.0), [1.0; 3]);
        for minutes in 0..1440 {
            let before = at(minutes);
            let after = at(minutes + 1);
            for share in [0.0, 1.0] {
                let (before, after) = (before.across(share), after.across(share));
                assert!((0..3).all(|k| (before[k] - after[k]).abs() < 0.01), "{minutes} minutes");
            }
            assert!(before.darkness() > 0.0 || before.is_day(), "{minutes} minutes");
        }
    }
}
