//! The lamps of a map, and how far each of them shines.

use crate::iso::Projection;
use crate::scene::{noise, projection};
use emberwalk_map::terrain::{Light, TileMetrics};
use emberwalk_map::{Hour, Layers};
use emberwalk_path::grid::Cell;

/// A light at a point of the map's picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lamp {
    /// The point on the ground, in pixels from the top left corner of the picture without margin.
    pub point: (f32, f32),
    /// Where it ends to the left and right, in pixels.
    pub radius: f32,
    /// How much wider than high the light on the ground is, because the ground is seen at an angle.
    pub aspect: f32,
    /// How far above the ground it is as bright as on the ground, in pixels.
    pub height: f32,
    /// Linear red, green and blue in its middle.
    pub light: [f32; 3],
}

/// The light of a route mark, which makes it visible at night.
pub const ROUTE_LIGHT: Light = Light {
    colour: [0.95, 0.9, 0.8],
    radius: 0.7,
    height: 0.0,
    strength: 0.8,
    from: Hour::NOON,
    to: Hour::NOON,
    share: 1.0,
    flicker: 0.0,
};

/// The light of windows and other visible lamps.
pub(super) const LAMP_LIGHT: [f32; 3] = [1.0, 0.56, 0.10];

/// The light of terrain that is shut by its opening hours, whatever the colour of its light otherwise is.
const SHUT_LIGHT: [f32; 3] = [1.0, 0.15, 0.08];

/// The salts of the noise that switches lamps.
const PHASE: u32 = 900;
const SHARE: u32 = 901;
/// The salt of the noise by which fires flicker.
const FLICKER: u32 = 1900;

impl Lamp {
    /// A light whose foot is at a point of the map's picture.
    pub(super) fn new(light: &Light, point: (f64, f64), tile: TileMetrics) -> Self {
        let (across, down) = tile.half_step();
        // A circle on the ground is an ellipse in the picture.
        let radius = light.radius * f64::from(across) * std::f64::consts::SQRT_2;
        Self {
            point: (point.0 as f32, point.1 as f32),
            radius: radius as f32,
            aspect: across as f32 / down as f32,
            height: (light.height * f64::from(tile.level())) as f32,
            light: light.colour.map(|channel| (channel * light.strength) as f32),
        }
    }

    /// The lamp of a cell at an hour, and how much it flickers; `None` if its terrain has none, or if it does not shine
    /// then.
    pub(super) fn of_cell(map: &Layers, cell: Cell, hour: Hour) -> Option<(Self, f64)> {
        let light = light_of(map, cell).filter(|light| is_lit(light, cell, hour))?;
        let (x, y) = projection(map).at_level(map.level(cell)).centre(cell);
        let lamp = Self::new(light, (f64::from(x), f64::from(y)), map.tileset().tile());
        let shut = SHUT_LIGHT.map(|channel| channel * light.strength as f32);
        let lamp = if map.is_shut(cell) { Self { light: shut, ..lamp } } else { lamp };
        Some((lamp, light.flicker))
    }

    /// Whether the terrain of a cell shines at any hour.
    pub(super) fn may_shine(map: &Layers, cell: Cell) -> bool {
        light_of(map, cell).is_some()
    }

    /// The same light on at least this radius.
    pub(super) fn spread(&self, least: f32) -> Self {
        if self.radius >= least {
            return *self;
        }
        let weaker = (self.radius / least).powi(2);
        Self { radius: least, light: self.light.map(|channel| channel * weaker), ..*self }
    }

    /// The part of its brightness that reaches a point: 1 in the middle, 0 from the radius on.
    pub(super) fn falloff(&self, (x, y): (f32, f32)) -> f32 {
        let dx = x - self.point.0;
        let below = y - self.point.1;
        let dy = if below > 0.0 { below } else { (below + self.height).min(0.0) } * self.aspect;
        let rest = 1.0 - (dx * dx + dy * dy) / (self.radius * self.radius);
        rest.max(0.0).powi(3)
    }

    /// The left, right, top and bottom end of its light.
    pub(super) fn reach(&self) -> [f32; 4] {
        let (x, y) = self.point;
        let up = self.radius / self.aspect;
        [x - self.radius, x + self.radius, y - self.height - up, y + up]
    }

    /// How far the light of a lamp on a map can reach from the centre of its cell at level 0, in pixels.
    pub(super) fn farthest(map: &Layers, projection: Projection) -> i32 {
        let tileset = map.tileset();
        let lights = tileset.iter().filter_map(|(_, terrain)| terrain.light.as_ref());
        let tile = projection.tile();
        let reach = |light: &Light| {
            let lamp = Self::new(light, (0.0, 0.0), tile);
            lamp.radius + lamp.height
        };
        lights.map(reach).fold(0.0, f32::max).ceil() as i32
    }
}

fn light_of(map: &Layers, cell: Cell) -> Option<&Light> {
    map.overlay_at(cell).and_then(|terrain| terrain.light.as_ref()).or_else(|| map.base_at(cell)?.light.as_ref())
}

/// Whether the light of a cell's terrain shines at an hour, and with it the lamps of its standing image.
pub fn is_lit_at(map: &Layers, cell: Cell, hour: Hour) -> bool {
    Lamp::of_cell(map, cell, hour).is_some()
}

/// Whether the light of a cell is lit. Cells do not switch at the same time, and if only a share of them is lit, each
/// decides again every hour.
fn is_lit(light: &Light, cell: Cell, hour: Hour) -> bool {
    let phase = noise::unit(cell.x, cell.y, PHASE);
    let earlier = if light.from == light.to { hour } else { shifted(hour, phase - 0.5) };
    let slot = (hour.hours() + phase).floor() as u32;
    light.shines_at(earlier) && noise::unit(cell.x, cell.y, SHARE + slot) < light.share
}

/// The hour, some hours earlier.
fn shifted(hour: Hour, earlier: f64) -> Hour {
    Hour::from_hours((hour.hours() - earlier).rem_euclid(24.0)).unwrap_or(hour)
}

/// A lamp that flickers.
#[derive(Clone, Debug)]
pub(super) struct Fire {
    pub lamp: Lamp,
    /// The share of its brightness that flickers.
    flicker: f32,
    cell: Cell,
}

impl Fire {
    pub(super) fn new(lamp: Lamp, flicker: f64, cell: Cell) -> Self {
        Self { lamp, flicker: flicker as f32, cell }
    }

    /// Its brightness at a beat; with `None`, 1.
    pub(super) fn brightness(&self, beat: Option<u64>) -> f32 {
        let Some(beat) = beat else { return 1.0 };
        // It goes from one value to the next in a few beats.
        const BEATS: u64 = 4;
        let value = |number: u64| noise::unit(self.cell.x, self.cell.y, FLICKER.wrapping_add(number as u32)) as f32;
        let share = (beat % BEATS) as f32 / BEATS as f32;
        let now = value(beat / BEATS) * (1.0 - share) + value(beat / BEATS + 1) * share;
        1.0 + self.flicker * (now - 0.5) * 2.0
    }
}
