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

/// A pixel of a cell's ground, seen from the middle of that cell or from a volcano.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Where it is in the cell's tile image.
    pub at: (i32, i32),
    /// Columns and rows from there.
    pub cells: (f64, f64),
    /// Whole pixels from there.
    pub pixels: (i32, i32),
}

/// How light that falls on dark ground such as grass colours it, linear.
const GLOW: [f64; 3] = [1.0, 0.60, 0.09];

/// How it colours pale ground such as snow, which throws most of it back.
const PALE_GLOW: [f64; 3] = [1.0, 0.66, 0.20];

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

    /// What lies on ground so pale, 0 to 1: bare rock where snow melts (grass is only scorched a little), over it ash and
    /// cinders, and a few pixels that still glow. All have a fine grain by pixel, thinned by slow noise.
    pub(super) fn ash(self, spot: &Spot, pale: f64) -> Veil {
        // The measures were found beside a volcano of radius 5.
        let (x, y) = (spot.cells.0 * 5.0 / self.radius, spot.cells.1 * 5.0 / self.radius);
        let distance = x.hypot(y);
        if distance > 3.7 {
            return Veil::default();
        }
        let grain = |salt: u32| noise::unit(spot.pixels.0, spot.pixels.1, salt);
        if distance < 2.0 && grain(Salt::EMBER) > 0.978 + 0.007 * distance {
            return Veil::new([0.92, 0.19, 0.013], 1.0);
        }
        let ragged = noise::cloud(x * 1.1 + 9.0, y * 1.1, 3, Salt::RAGGED) - 0.5;
        let bare = (1.8 + 0.9 * pale - distance - 1.9 * ragged).clamp(0.0, 1.0);
        let below = if grain(Salt::BARE) < bare * 2.6 {
            Veil::new([0.098, 0.062, 0.036], 0.58 + 0.34 * bare)
        } else {
            Veil::default()
        };
        let thick = (2.1 - distance - 1.2 * ragged).clamp(0.0, 1.0);
        if grain(Salt::ASH) >= thick * 1.3 {
            return below;
        }
        let shade = 0.7 + 0.6 * noise::cloud(x * 9.0, y * 9.0, 1, Salt::SHADE);
        let ember = (1.3 - distance).max(0.0).powf(1.5);
        let cinder = [0.040 * shade + 0.46 * ember, 0.030 * shade + 0.050 * ember, 0.030 * shade + 0.003 * ember];
        below.under(Veil::new(cinder, 0.62 + thick * 0.33))
    }
}

/// The light of `strength` (of all volcanoes together) on ground so pale, 0 to 1.
///
/// Light multiplies the colour on which it falls, which no one veil does; so its colour is chosen by the ground.
pub(super) fn glow(strength: f64, pale: f64) -> Veil {
    let light = std::array::from_fn(|k| GLOW[k] + (PALE_GLOW[k] - GLOW[k]) * pale);
    Veil::new(light, (0.56 + 0.30 * pale) * strength.min(1.3))
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
    const BARE: u32 = 815;
    const ASH: u32 = 817;
    const SHADE: u32 = 804;
    const EMBER: u32 = 816;
}
