//! The ash, embers and warm light of an erupting volcano on the ground around it.

use super::ground_pixels::GroundPixel;
use super::linear_light::PremultipliedColour;
use super::noise;
use emberwalk_map::terrain::{Effect, Influence};

/// An erupting volcano.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Eruption {
    /// The radius of its light, in cells.
    pub radius: f64,
}

/// The linear colour of the light on dark ground such as grass: next to the volcano, and at the end of its reach. Green
/// ground in orange light looks yellow, so the light is redder near the volcano and almost colourless far from it. It
/// is so much brighter than grass that people who cannot tell red from green see it too.
const GLOW: [[f64; 3]; 2] = [[1.0, 0.42, 0.10], [1.0, 0.68, 0.36]];

/// The linear colour of the light on pale ground such as snow, which reflects most of it.
const PALE_GLOW: [f64; 3] = [1.0, 0.66, 0.20];

/// Salts of the noise.
const RAGGED: u32 = 800;
const STONES: u32 = 805;
const CRACK: u32 = 808;
const PIECE: u32 = 812;
const BARE: u32 = 815;
const EMBER: u32 = 816;
const HEAT: u32 = 817;
const SHADE: u32 = 818;
const SHINE: u32 = 819;

impl Eruption {
    /// The light reaches as far as the influence that attracts routes; without an influence, as far as the classic
    /// volcano's.
    pub(super) fn from_influence(influence: Option<Influence>) -> Self {
        let attracting = influence.filter(|influence| influence.effect == Effect::Divide);
        Self { radius: attracting.map_or(5.0, |influence| influence.from.clamp(1.0, 32.0)) }
    }

    /// The strength of its light at a distance in cells, 0 to 1.
    pub(super) fn strength(self, cells: f64) -> f64 {
        (1.0 - cells / self.radius).max(0.0).powf(1.35)
    }

    /// The cover of the ground at a pixel: wet rock and ash, which thin out with the distance and end in an irregular
    /// edge, and embers, which are dense near the volcano. On snow, the edge is slush; grass is only slightly scorched.
    /// `pale` is the paleness of the ground, 0 to 1.
    pub(super) fn ash(self, pixel: &GroundPixel, pale: f64) -> PremultipliedColour {
        // All constants were chosen for a radius of 5.
        let x = pixel.cells.0 * 5.0 / self.radius;
        let y = pixel.cells.1 * 5.0 / self.radius;
        let distance = x.hypot(y);
        if distance > 3.6 {
            return PremultipliedColour::default();
        }
        let grain = |salt: u32| grain(pixel, salt);
        let lumps = |wide: f64, salt: u32| lumps(pixel, wide, salt);
        let ragged = noise::fractal(x * 2.6 + 9.0, y * 2.6, 3, RAGGED) - 0.5;
        let stones = lumps(6.0, STONES);
        let inside = 1.55 + 0.80 * pale - distance + 0.75 * ragged + 0.5 * (stones - 0.5);
        let near = (1.0 - (distance - 0.8) / 1.7).clamp(0.0, 1.0);
        if grain(EMBER) < (0.16 * near.powi(3) + 0.003) * 2.0 * stones && inside > -0.2 {
            let heat = grain(HEAT) * (0.35 + 0.65 * near);
            return PremultipliedColour::new(
                [0.30 + 0.70 * heat, 0.03 + 0.40 * heat * heat, 0.006 + 0.06 * heat * heat],
                1.0,
            );
        }
        let slush = PremultipliedColour::new([0.33, 0.31, 0.30], 0.45 * pale * ((inside + 0.28) * 2.0).clamp(0.0, 1.0));
        if grain(BARE) >= inside * 3.2 {
            return slush;
        }
        // Wet rock shines here and there, but near the volcano ash covers it.
        let wet = if stones > 0.60 && grain(SHINE) < 0.30 * pale * (1.0 - near) { 0.12 } else { 0.0 };
        let tone = (0.35 + 1.3 * stones) * (0.8 + 0.4 * grain(SHADE)) * (1.0 - 0.45 * near);
        // Cracks glow near the volcano.
        let crack = (1.0 - (lumps(13.0, CRACK) - 0.5).abs() * 14.0).max(0.0) * near * near;
        let rock = [
            0.064 * tone + wet * 0.8 + 0.90 * crack,
            0.054 * tone + wet * 0.9 + 0.26 * crack * crack,
            0.048 * tone + wet + 0.02 * crack * crack,
        ];
        slush.under(PremultipliedColour::new(rock, 0.76 + 0.22 * (0.5 * pale + inside + crack).clamp(0.0, 1.0)))
    }

    /// The cover of the ground at a pixel before the eruption: dark cracks, wide near the volcano, which glow more the
    /// greater the `heat` is, 0 to 1, and slush on snow. `pale` is the paleness of the ground, 0 to 1.
    pub(super) fn cracks(self, pixel: &GroundPixel, pale: f64, heat: f64) -> PremultipliedColour {
        let (x, y) = (pixel.cells.0 * 5.0 / self.radius, pixel.cells.1 * 5.0 / self.radius);
        let distance = x.hypot(y);
        // They end where the influence does, at a ragged edge.
        let ragged = noise::fractal(x * 1.7 + 4.0, y * 1.7, 3, RAGGED) - 0.5;
        let near = ((4.7 - distance + 1.2 * ragged) / 3.7).clamp(0.0, 1.0);
        if near == 0.0 {
            return PremultipliedColour::default();
        }
        let stones = lumps(pixel, 9.0, STONES);
        let slush = 0.75 * pale * (1.6 * near).min(1.0) * (0.3 + 0.7 * heat) * (0.45 + 1.1 * stones).min(1.0);
        let slush = PremultipliedColour::new([0.26, 0.29, 0.34], slush);
        let wide = (0.010 + 0.075 * near) * (0.25 + 1.2 * stones) * (0.7 + 0.6 * heat);
        let from_middle = from_crack(1.3 * x + 0.25 * ragged, 1.3 * y - 0.25 * ragged) / wide;
        let crack = (1.7 - from_middle).clamp(0.0, 1.0) * (4.0 * near).min(1.0);
        let glow = heat * (1.2 - from_middle).clamp(0.0, 1.0) * (0.35 + 0.65 * near);
        let inside = [0.022 + 1.0 * glow, 0.016 + 0.44 * glow * glow, 0.012 + 0.06 * glow * glow];
        slush.under(PremultipliedColour::new(inside, (0.7 + 0.3 * heat) * crack))
    }
}

/// How far a point on the ground is from the edge between the pieces into which dry ground breaks: each piece is what is the
/// nearest to one of a set of points, of which each unit square has one.
fn from_crack(x: f64, y: f64) -> f64 {
    let mut nearest = [f64::MAX; 2];
    for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
        let (column, row) = (x.floor() as i32 + dx, y.floor() as i32 + dy);
        let at = |square: i32, salt: u32| f64::from(square) + noise::unit(column, row, salt);
        let distance = (x - at(column, CRACK)).hypot(y - at(row, PIECE));
        if distance < nearest[0] {
            nearest = [distance, nearest[0]];
        } else {
            nearest[1] = nearest[1].min(distance);
        }
    }
    (nearest[1] - nearest[0]) / 2.0
}

/// A number from 0 to 1 for each pixel.
fn grain(pixel: &GroundPixel, salt: u32) -> f64 {
    let (across, down) = pixel.classic_pixels();
    noise::unit(across.floor() as i32, down.floor() as i32, salt)
}

/// Smooth noise, 0 to 1. Its lumps lie flat on the ground, so on screen they are twice as wide as high.
fn lumps(pixel: &GroundPixel, wide: f64, salt: u32) -> f64 {
    let (across, down) = pixel.classic_pixels();
    noise::fractal(across / wide, down * 2.0 / wide, 2, salt)
}

/// The light on the ground. `strength` is the sum over all volcanoes, `pale` how pale the ground is, 0 to 1.
///
/// Real light multiplies the colour of the ground, which blending cannot do, so the colour of the light depends on the
/// ground instead.
pub(super) fn glow(strength: f64, pale: f64) -> PremultipliedColour {
    let near = (strength * 1.9).min(1.0);
    let light = std::array::from_fn(|k| {
        let dark = GLOW[1][k] + (GLOW[0][k] - GLOW[1][k]) * near;
        dark + (PALE_GLOW[k] - dark) * pale
    });
    PremultipliedColour::new(light, (0.50 + 0.36 * pale) * strength.min(1.3))
}

/// Linear factors of red, green and blue for standing images in light of `strength`.
pub(super) fn tint(strength: f64) -> [f32; 3] {
    let strength = 0.85 * strength.min(1.3);
    [1.0 + 2.0 * strength, 1.0 + 0.35 * strength, 1.0 - 0.5 * strength].map(|factor| factor as f32)
}
