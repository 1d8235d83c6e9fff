//! What an erupting volcano does to the ground around it: ash, cinders, wet rock where snow was, and warm light.

use super::noise;
use crate::terrain::{Effect, Influence};

/// A translucent colour in linear light, multiplied by how much it covers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Veil {
    pub light: [f64; 3],
    pub cover: f64,
}

impl Veil {
    /// `light` covering so much, 0 to 1.
    pub(super) fn new(light: [f64; 3], cover: f64) -> Self {
        let cover = cover.clamp(0.0, 1.0);
        Self { light: light.map(|light| light * cover), cover }
    }

    /// Both in one, `above` over `self`.
    pub(super) fn under(self, above: Self) -> Self {
        let through = 1.0 - above.cover;
        Self {
            light: std::array::from_fn(|k| above.light[k] + self.light[k] * through),
            cover: above.cover + self.cover * through,
        }
    }
}

/// An erupting volcano.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Eruption {
    /// Where its light ends, in cells.
    pub radius: f64,
}

/// A spot of ground, seen from a volcano.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Columns and rows from the volcano.
    pub cells: (f64, f64),
    /// Pixels of the picture from the middle of the volcano's ground.
    pub pixels: (i32, i32),
}

/// The colour of glowing lava's light, linear.
const GLOW: [f64; 3] = [1.0, 0.43, 0.07];

impl Eruption {
    /// The light of a volcano falls off as its draw does; without one it is that of the classic volcano.
    pub(super) fn of(influence: Option<Influence>) -> Self {
        let draws = influence.filter(|influence| influence.effect == Effect::Divide);
        Self { radius: draws.map_or(5.0, |influence| influence.from.clamp(1.0, 32.0)) }
    }

    /// How strong its light is so many cells away, 0 to 1.
    pub(super) fn strength(self, cells: f64) -> f64 {
        (1.0 - cells / self.radius).max(0.0).powf(1.35)
    }

    /// Ash and cinders on the ground; a fine grain by pixel, thinned by slow noise.
    pub(super) fn ash(self, spot: Spot) -> Veil {
        // The measures were found beside a volcano of radius 5.
        let (x, y) = (spot.cells.0 * 5.0 / self.radius, spot.cells.1 * 5.0 / self.radius);
        let distance = x.hypot(y);
        if distance > 3.4 {
            return Veil::default();
        }
        let ragged = noise::cloud(x * 1.1 + 9.0, y * 1.1, 3, Salt::RAGGED) - 0.5;
        let wet = (2.55 - distance - 1.5 * ragged).clamp(0.0, 1.0);
        let grain = noise::unit(spot.pixels.0, spot.pixels.1, Salt::GRAIN);
        let scorched = Veil::new([0.045, 0.037, 0.033], 0.62 * wet * (0.55 + 0.45 * grain));

        let thick = (1.75 - distance - ragged).clamp(0.0, 1.0);
        if grain >= thick * 1.3 {
            return scorched;
        }
        let shade = 0.8 + 0.4 * noise::cloud(x * 9.0, y * 9.0, 1, Salt::SHADE);
        let ember = (1.05 - distance).max(0.0).powf(1.5);
        let cinder = [0.042 * shade + 0.50 * ember, 0.032 * shade + 0.052 * ember, 0.032 * shade + 0.003 * ember];
        scorched.under(Veil::new(cinder, 0.55 + thick * 0.4))
    }

    /// A few pixels that still glow.
    pub(super) fn ember(self, spot: Spot) -> Veil {
        let distance = spot.cells.0.hypot(spot.cells.1) * 5.0 / self.radius;
        let glows = distance < 1.9 && noise::unit(spot.pixels.0, spot.pixels.1, Salt::EMBER) > 0.982 + 0.006 * distance;
        if glows { Veil::new([0.92, 0.19, 0.013], 1.0) } else { Veil::default() }
    }
}

/// The light of `strength` (of all volcanoes together) on the ground.
pub(super) fn glow(strength: f64) -> Veil {
    Veil::new(GLOW, 0.42 * strength.min(1.3))
}

/// Linear factors of red, green and blue for what stands in light of `strength`.
pub(super) fn tint(strength: f64) -> [f32; 3] {
    let strength = 0.85 * strength.min(1.3);
    [1.0 + 1.9 * strength, 1.0 + 0.45 * strength, 1.0 - 0.45 * strength].map(|factor| factor as f32)
}

/// Kinds of chance.
struct Salt;

impl Salt {
    const RAGGED: u32 = 800;
    const GRAIN: u32 = 815;
    const SHADE: u32 = 804;
    const EMBER: u32 = 816;
}
