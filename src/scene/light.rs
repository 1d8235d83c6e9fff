//! What an erupting volcano does to the ground around it: ash, cinders, wet rock where snow was, and warm light.

use super::noise;
use crate::iso::TileMetrics;
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
    /// The measures of the tile.
    pub tile: TileMetrics,
}

impl Spot {
    /// Pixels from there, of a classic tile: grains and lumps grow with the tiles.
    fn classic(&self) -> (f64, f64) {
        let scale = f64::from(TileMetrics::CLASSIC.step().0) / f64::from(self.tile.step().0);
        (f64::from(self.pixels.0) * scale, f64::from(self.pixels.1) * scale)
    }
}

/// How light that falls on dark ground such as grass colours it, linear: beside the volcano, and where it ends. Green
/// ground and orange light make yellow, so the light itself is redder near by and has little colour far out.
const GLOW: [[f64; 3]; 2] = [[1.0, 0.30, 0.035], [0.80, 0.47, 0.24]];

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

    /// What lies on ground so pale, 0 to 1: wet rock and ash, thinner and rarer with distance and ending in a noisy edge
    /// (in slush, on snow; grass is only scorched a little), and embers, dense about the foot.
    pub(super) fn ash(self, spot: &Spot, pale: f64) -> Veil {
        // The measures were found beside a volcano of radius 5.
        let (x, y) = (spot.cells.0 * 5.0 / self.radius, spot.cells.1 * 5.0 / self.radius);
        let distance = x.hypot(y);
        if distance > 3.6 {
            return Veil::default();
        }
        let (across, down) = spot.classic();
        let grain = |salt: u32| noise::unit(across.floor() as i32, down.floor() as i32, salt);
        // Lumps lie flat on the ground: twice as wide as high on screen.
        let lumps = |wide: f64, salt: u32| noise::cloud(across / wide, down * 2.0 / wide, 2, salt);
        let (ragged, stones) = (noise::cloud(x * 2.6 + 9.0, y * 2.6, 3, Salt::RAGGED) - 0.5, lumps(6.0, Salt::STONES));
        let inside = 1.55 + 0.80 * pale - distance + 0.75 * ragged + 0.5 * (stones - 0.5);
        let near = (1.0 - (distance - 0.8) / 1.7).clamp(0.0, 1.0);
        if grain(Salt::EMBER) < (0.16 * near.powi(3) + 0.003) * 2.0 * stones && inside > -0.2 {
            let heat = grain(Salt::HEAT) * (0.35 + 0.65 * near);
            return Veil::new([0.30 + 0.70 * heat, 0.03 + 0.40 * heat * heat, 0.006 + 0.06 * heat * heat], 1.0);
        }
        let slush = Veil::new([0.33, 0.31, 0.30], 0.45 * pale * ((inside + 0.28) * 2.0).clamp(0.0, 1.0));
        if grain(Salt::BARE) >= inside * 3.2 {
            return slush;
        }
        // Water stands on the rock and shines here and there; towards the foot ash has covered it.
        let wet = if stones > 0.60 && grain(Salt::SHINE) < 0.30 * pale * (1.0 - near) { 0.12 } else { 0.0 };
        let tone = (0.35 + 1.3 * stones) * (0.8 + 0.4 * grain(Salt::SHADE)) * (1.0 - 0.45 * near);
        // Cracks glow near the foot.
        let crack = (1.0 - (lumps(13.0, Salt::CRACK) - 0.5).abs() * 14.0).max(0.0) * near * near;
        let rock = [
            0.064 * tone + wet * 0.8 + 0.90 * crack,
            0.054 * tone + wet * 0.9 + 0.26 * crack * crack,
            0.048 * tone + wet + 0.02 * crack * crack,
        ];
        slush.under(Veil::new(rock, 0.76 + 0.22 * (0.5 * pale + inside + crack).clamp(0.0, 1.0)))
    }
}

/// The light of `strength` (of all volcanoes together) on ground so pale, 0 to 1.
///
/// Light multiplies the colour on which it falls, which no one veil does; so its colour is chosen by the ground.
pub(super) fn glow(strength: f64, pale: f64) -> Veil {
    let near = (strength * 1.9).min(1.0);
    let light = std::array::from_fn(|k| {
        let dark = GLOW[1][k] + (GLOW[0][k] - GLOW[1][k]) * near;
        dark + (PALE_GLOW[k] - dark) * pale
    });
    Veil::new(light, (0.50 + 0.36 * pale) * strength.min(1.3))
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
    const STONES: u32 = 805;
    const CRACK: u32 = 808;
    const BARE: u32 = 815;
    const EMBER: u32 = 816;
    const HEAT: u32 = 817;
    const SHADE: u32 = 818;
    const SHINE: u32 = 819;
}
