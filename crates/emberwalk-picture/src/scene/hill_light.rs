//! The light on the ground of hills: the shadows of higher ground, and the bright edge of a terrace.

use image::Rgba;

use super::linear_light::SrgbTables;
use emberwalk_map::Layers;
use emberwalk_path::grid::{Cell, Direction};

/// The direction to the sun in columns and rows: south-east.
const SUN: (f64, f64) = (0.62, 0.78);

/// The length of one level's shadow, in cells: the sun is 50 degrees high, and a level is 12 of the 31.84 pixels of a
/// cube.
const SHADOW: f64 = 12.0 / 31.84 / 1.191_75;

/// The width of the soft border of a shadow, in cells.
const PENUMBRA: f64 = 0.05;

/// The opacity of a shadow, 0 to 1.
const DARK: f64 = 0.44;

/// The opacity of the shadow at the foot of a sunny face, which gets less light from the sky, and its width in cells.
const FOOT: f64 = 0.22;
const FOOT_WIDTH: f64 = 0.16;

/// The colour of the bright edge of a terrace, and its width in cells.
const RIM: Rgba<u8> = Rgba([255, 252, 226, 54]);
const RIM_WIDTH: f64 = 0.045;

/// The maximum distance at which higher ground casts a shadow on a cell, in columns and rows.
pub(super) const REACH: i32 = 3;

const SIDE: usize = REACH as usize + 1;

/// The relative heights around a cell. Equal values have equal light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct HillLight {
    /// How much higher the cells towards the sun are, row by row from the cell itself; 0 where their shadows do not
    /// reach the cell.
    higher: [u8; SIDE * SIDE],
    /// Whether there is a face at the northern edge.
    is_at_foot: bool,
    /// Whether the neighbours in the south and west are lower.
    is_rim: [bool; 2],
}

impl HillLight {
    /// The light on the ground of a cell; `None` if it is as on flat land.
    pub(super) fn around(map: &Layers, cell: Cell) -> Option<Self> {
        let level = map.level(cell);
        let mut higher = [0; SIDE * SIDE];
        for (k, higher) in higher.iter_mut().enumerate() {
            let dx = (k % SIDE) as i32;
            let dy = (k / SIDE) as i32;
            let difference = map.level(cell + (dx, dy)).saturating_sub(level);
            // The distance from the nearest corner of the cell.
            let distance = f64::from((dx - 1).max(0)).hypot(f64::from((dy - 1).max(0)));
            *higher = if f64::from(difference) * SHADOW > distance { difference } else { 0 };
        }
        let is_lower = |side: Direction| map.base_id(cell + side).is_some() && map.level(cell + side) < level;
        let light = Self {
            higher,
            is_at_foot: map.level(cell + Direction::N) > level,
            is_rim: [Direction::S, Direction::W].map(is_lower),
        };
        let is_flat = higher == [0; SIDE * SIDE] && !light.is_at_foot && light.is_rim == [false; 2];
        (!is_flat).then_some(light)
    }

    /// The shadow at a position in columns and rows from the centre of the cell.
    pub(super) fn shadow_at(&self, (x, y): (f64, f64)) -> Rgba<u8> {
        let mut dark = 0.0_f64;
        for (k, higher) in self.higher.iter().enumerate().filter(|(_, higher)| **higher > 0) {
            let dx = (k % SIDE) as f64;
            let dy = (k / SIDE) as f64;
            // Where the ray to the sun enters and leaves the cell.
            let along = |centre: f64, from: f64, sun: f64| ((centre - 0.5 - from) / sun, (centre + 0.5 - from) / sun);
            let (enter_x, leave_x) = along(dx, x, SUN.0);
            let (enter_y, leave_y) = along(dy, y, SUN.1);
            let enter = enter_x.max(enter_y).max(0.0);
            let leave = leave_x.min(leave_y);
            if enter < leave {
                let inside = f64::from(*higher) * SHADOW - enter;
                dark = dark.max(DARK * (inside / PENUMBRA).clamp(0.0, 1.0));
                if dark == DARK {
                    break;
                }
            }
        }
        if self.is_at_foot {
            dark = dark.max(FOOT * (1.0 - (y + 0.5) / FOOT_WIDTH).clamp(0.0, 1.0));
        }
        Rgba([16, 20, 44, (dark * 255.0).round() as u8])
    }

    /// Adds the bright edge of a terrace to the shading at a position.
    pub(super) fn add_rim(&self, (x, y): (f64, f64), shading: &mut Rgba<u8>, tables: &SrgbTables) {
        let [south, west] = self.is_rim;
        let Rgba([red, green, blue, alpha]) = RIM;
        // Shaded ground is less bright.
        let lit = 1.0 - f64::from(shading.0[3]) / 255.0 / DARK;
        let strength = if south && 0.5 - y < RIM_WIDTH {
            1.0
        } else if west && x + 0.5 < RIM_WIDTH {
            0.5
        } else {
            return;
        };
        let alpha = f64::from(alpha) * strength * lit.clamp(0.0, 1.0);
        tables.blend(shading, Rgba([red, green, blue, alpha.round() as u8]));
    }
}
