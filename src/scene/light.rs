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
    /// How pale the ground is, 0 to 1.
    pub pale: f64,
    /// Pixels of the picture from the middle of the volcano's ground.
    pub pixels: (i32, i32),
}

/// How light that falls on dark ground such as grass colours it, linear.
const GLOW: [f64; 3] = [1.0, 0.60, 0.09];

/// How it colours pale ground such as snow, which throws most of it back.
const PALE_GLOW: [f64; 3] = [1.0, 0.70, 0.27];

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

    /// Ground laid bare: snow melts to wet rock, and grass is scorched a little.
    pub(super) fn bare(self, spot: Spot) -> Veil {
        let (distance, ragged) = self.ragged(spot);
        let bare = (1.5 + 0.9 * spot.pale - distance - 1.9 * ragged).clamp(0.0, 1.0);
        let grain = noise::unit(spot.pixels.0, spot.pixels.1, Salt::GRAIN);
        if grain < bare * 2.2 { Veil::new([0.085, 0.058, 0.036], 0.40 + 0.45 * bare) } else { Veil::default() }
    }

    /// Ash and cinders: a fine grain by pixel, thinned by slow noise.
    pub(super) fn ash(self, spot: Spot) -> Veil {
        let (distance, ragged) = self.ragged(spot);
        let thick = (1.75 - distance - ragged).clamp(0.0, 1.0);
        if noise::unit(spot.pixels.0, spot.pixels.1, Salt::ASH) >= thick * 1.3 {
            return Veil::default();
        }
        let (x, y) = spot.cells;
        let shade = 0.7 + 0.6 * noise::cloud(x * 9.0, y * 9.0, 1, Salt::SHADE);
        let ember = (1.05 - distance).max(0.0).powf(1.5);
        let cinder = [0.040 * shade + 0.46 * ember, 0.030 * shade + 0.050 * ember, 0.030 * shade + 0.003 * ember];
        Veil::new(cinder, 0.62 + thick * 0.33)
    }

    /// A few pixels that still glow.
    pub(super) fn ember(self, spot: Spot) -> Veil {
        let (distance, _) = self.ragged(spot);
        let glows = distance < 1.7 && noise::unit(spot.pixels.0, spot.pixels.1, Salt::EMBER) > 0.978 + 0.008 * distance;
        if glows { Veil::new([0.92, 0.19, 0.013], 1.0) } else { Veil::default() }
    }

    /// How far away a spot is, in fifths of the radius, and how far the edge of the ash runs in or out there.
    fn ragged(self, spot: Spot) -> (f64, f64) {
        let (x, y) = (spot.cells.0 * 5.0 / self.radius, spot.cells.1 * 5.0 / self.radius);
        (x.hypot(y), noise::cloud(x * 1.1 + 9.0, y * 1.1, 3, Salt::RAGGED) - 0.5)
    }
}

/// The light of `strength` (of all volcanoes together) on ground so pale, 0 to 1.
///
/// Light multiplies the colour on which it falls, which no one veil does; so its colour is chosen by the ground.
pub(super) fn glow(strength: f64, pale: f64) -> Veil {
    let light = std::array::from_fn(|k| GLOW[k] + (PALE_GLOW[k] - GLOW[k]) * pale);
    Veil::new(light, (0.54 + 0.21 * pale) * strength.min(1.3))
}

/// Linear factors of red, green and blue for what stands in light of `strength`.
pub(super) fn tint(strength: f64) -> [f32; 3] {
    let strength = 0.85 * strength.min(1.3);
    [1.0 + 2.0 * strength, 1.0 + 0.35 * strength, 1.0 - 0.5 * strength].map(|factor| factor as f32)
}

/// Kinds of chance.
struct Salt;

impl Salt {
    const RAGGED: u32 = 800;
    const GRAIN: u32 = 815;
    const ASH: u32 = 817;
    const SHADE: u32 = 804;
    const EMBER: u32 = 816;
}
