//! What the ground is like at a point of the map's picture, as far as light at night depends on it.

use crate::scene::{TerrainPart, noise, terrain_at};
use emberwalk_map::Layers;

/// The ground at a point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Surface {
    #[default]
    Other,
    /// Open water, in which lamps are reflected.
    Water,
    /// Pale ground, such as snow.
    Pale {
        /// How much the moon lights it, from 0 to 1 on the ridges of drifts.
        moon: f32,
    },
}

/// How much more of the light of lamps water shows than other ground.
const REFLECTION: f32 = 0.9;

/// What is left at night of the light of the sky on pale ground, in linear red, green and blue: a third less than on other
/// ground, or else it would be brighter than lamps. The night is blue, and snow rather grey.
const IN_SHADE: [f32; 3] = [0.66, 0.66, 0.52];

/// The same on ridges, which glint in the light of the moon.
const GLINT: [f32; 3] = [1.14, 1.06, 0.80];

/// The length of the waves of drifts in pixels, across and down.
const WAVE: (f64, f64) = (150.0, 52.0);

/// Half the distance over which the slope of drifts is measured, in pixels to the right and up.
const ACROSS: (f64, f64) = (8.0, 7.0);

/// The salt of the noise of drifts.
const DRIFTS: u32 = 1960;

impl Surface {
    /// The surface at a place of the picture. `pale` says of each terrain whether it is pale.
    pub(super) fn at(map: &Layers, pale: &[bool], (x, y): (f32, f32)) -> Self {
        let (x, y) = (f64::from(x), f64::from(y));
        let Some((cell, TerrainPart::Ground)) = terrain_at(map, (x, y)) else { return Self::Other };
        let Some(base) = map.base_id(cell) else { return Self::Other };
        if pale.get(base.index()).is_some_and(|is_pale| *is_pale) {
            // The moon lights the flanks of drifts that rise to the right.
            let height = |dx: f64, dy: f64| noise::fractal((x + dx) / WAVE.0, (y + dy) / WAVE.1, 2, DRIFTS);
            let slope = height(ACROSS.0, -ACROSS.1) - height(-ACROSS.0, ACROSS.1);
            let moon = ((slope - 0.02) / 0.22).clamp(0.0, 1.0);
            return Self::Pale { moon: (moon * moon * (3.0 - 2.0 * moon)) as f32 };
        }
        let is_open_water = map.overlay_id(cell).is_none() && map.tileset()[base].shore.is_some();
        if is_open_water { Self::Water } else { Self::Other }
    }

    /// The light of the sky on it.
    pub(super) fn in_sky_light(self, sky: [f32; 3], darkness: f32) -> [f32; 3] {
        let Self::Pale { moon } = self else { return sky };
        std::array::from_fn(|k| {
            let at_night = IN_SHADE[k] + (GLINT[k] - IN_SHADE[k]) * moon;
            sky[k] * (1.0 + (at_night - 1.0) * darkness)
        })
    }

    /// How much of the light of lamps is seen on it, compared with most ground.
    pub(super) fn share_of_lamps(self) -> f32 {
        if matches!(self, Self::Water) { 1.0 + REFLECTION } else { 1.0 }
    }
}
