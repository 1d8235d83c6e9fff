//! Half-timbered walls: plaster between beams, with windows, shutters and a door.

use super::model::Surface;
use super::noise::{hash, mix, noise3, part, step};
use super::vector::{Vec3, rgb};

/// A window on both halves of a wall: its distance from the middle, its height, and half its width and height.
#[derive(Clone, Copy)]
pub struct Window {
    pub at: f64,
    pub z: f64,
    pub half: (f64, f64),
}

/// A door in the gable or in the wall under the eaves: its position and height.
#[derive(Clone, Copy)]
pub struct Door {
    pub in_gable: bool,
    pub at: f64,
    pub top: f64,
}

/// The walls of one storey of a house whose ridge runs from west to east.
#[derive(Clone, Copy)]
pub struct Timber {
    /// Half the length along the ridge, and half the width.
    pub long: f64,
    pub wide: f64,
    /// The heights of the lower and the upper beam.
    pub beams: (f64, f64),
    /// The distance of the posts from the middle.
    pub post: f64,
    pub windows: &'static [Window],
    pub door: Option<Door>,
    pub plaster: Vec3,
    pub shutters: Vec3,
    pub seed: i64,
}

fn wood() -> Vec3 {
    rgb(82, 56, 40)
}

impl Timber {
    /// The colour of a point on the face with this normal.
    pub fn at(&self, p: Vec3, n: Vec3) -> Surface {
        let in_gable = n.x.abs() > n.y.abs();
        let (s, half) = if in_gable { (p.y, self.wide) } else { (p.x, self.long) };
        if let Some(colour) = self.door_at(s, p.z, in_gable) {
            return colour.into();
        }
        if let Some(surface) = self.windows.iter().find_map(|window| self.window_at(window, s, p.z, in_gable)) {
            return surface;
        }
        if p.z < 0.075 {
            let stone = hash(&[(s * 11.0).floor() as i64, (p.z * 24.0).floor() as i64, self.seed]);
            return (rgb(150, 142, 130) * (0.75 + 0.4 * stone)).into();
        }
        if self.is_beam(s.abs(), p.z, half, in_gable) {
            return mix(wood(), wood() * 1.5, noise3(p, 24.0, 7)).into();
        }
        (self.plaster * (0.90 + 0.16 * noise3(p, 9.0, 4))).into()
    }

    fn is_beam(&self, s: f64, z: f64, half: f64, in_gable: bool) -> bool {
        let (low, high) = self.beams;
        let t = (z - low) / (high - low);
        let brace = (0.0..1.0).contains(&t) && (s - half + 0.04 + 0.15 * t).abs() < 0.017;
        let crown = in_gable && z > high && s < 0.019;
        let level = (z - low).abs() < 0.020 || (z - high).abs() < 0.020;
        (s - half).abs() < 0.045 || (s - self.post).abs() < 0.019 || level || brace || crown
    }

    fn door_at(&self, s: f64, z: f64, in_gable: bool) -> Option<Vec3> {
        let door = self.door.filter(|door| door.in_gable == in_gable)?;
        let d = ((s - door.at).abs() - 0.075).max(z - door.top);
        let plank = if part(s * 30.0) < 0.2 { 0.7 } else { 1.05 };
        match d {
            d if d < 0.0 => Some(rgb(104, 66, 40) * plank),
            d if d < 0.022 => Some(wood() * 0.7),
            _ => None,
        }
    }

    fn window_at(&self, window: &Window, s: f64, z: f64, in_gable: bool) -> Option<Surface> {
        let Window { at, z: middle, half: (w, h) } = *window;
        let (across, up) = ((s.abs() - at).abs(), (z - middle).abs());
        let d = (across - w).max(up - h);
        if d < -0.004 {
            let keys = [i64::from(s > 0.0), (at * 99.0) as i64, i64::from(in_gable), self.seed];
            let glass = rgb(58, 66, 84) * (1.0 + 0.9 * step(middle - h, middle + h, z));
            let pane = if hash(&keys) < 0.28 { rgb(246, 202, 120) * 0.8 } else { glass };
            // Not every room has a lamp.
            let lamp = if hash(&keys) < 0.8 { 1.0 } else { 0.0 };
            return Some(if across < 0.009 { wood().into() } else { Surface::from(pane).with_lamp(lamp) });
        }
        let shutter = up < h && (across - w - 0.036).abs() < 0.024;
        match (shutter, d < 0.018) {
            (true, _) => Some(self.shutters.into()),
            (_, true) => Some((wood() * 0.8).into()),
            _ => None,
        }
    }
}
