//! Renders a model by ray marching, with 4 x 4 samples per pixel, averaged in linear light.

use super::light::{GAIN, VIEW, darkness, openness, shade, sun_at, sun_on_ground};
use super::model::Model;
use super::noise::step;
use super::picture::{Picture, SIZE, neighbours, shadow_image};
use super::vector::{Vec3, vec3};
use image::RgbaImage;

/// Half the step of a cell on screen, in pixels.
const KX: f64 = 26.0;
const KY: f64 = 13.0;
/// The number of samples per pixel along each axis: of the picture, and of the softer shadow.
const FINE: usize = 4;
const COARSE: usize = 2;
/// The four samples in the corners of a pixel.
const CORNERS: [usize; 4] = [0, FINE - 1, FINE * (FINE - 1), FINE * FINE - 1];

type Clip = fn(Vec3) -> bool;

/// The settings for rendering a model.
#[derive(Clone, Copy)]
pub struct Shot {
    width: usize,
    height: usize,
    top: f64,
    rim: f64,
    stride: f64,
    clip: Clip,
    flat: bool,
}

impl Shot {
    /// `top` is an upper bound of the height of the model, in cells.
    pub fn tile(top: f64) -> Shot {
        Shot::sized(SIZE, SIZE, top)
    }

    /// Renders an image larger than a tile, aligned with the tile at its bottom centre.
    pub fn sized(width: usize, height: usize, top: f64) -> Shot {
        Shot { width, height, top, rim: 0.80, stride: f64::INFINITY, clip: |_| true, flat: false }
    }

    /// Sets the factor for the pixels of the silhouette.
    pub fn rim(self, rim: f64) -> Shot {
        Shot { rim, ..self }
    }

    /// Sets the longest step of a ray: longer steps would pass through a height field that is steeper than its bound.
    pub fn stride(self, stride: f64) -> Shot {
        Shot { stride, ..self }
    }

    /// Renders only points for which this is true: those beyond a joint belong to the neighbour.
    pub fn clip(self, clip: Clip) -> Shot {
        Shot { clip, ..self }
    }

    /// For a model that lies under the shadows: it casts none on itself or on what it joins.
    pub fn flat(self) -> Shot {
        Shot { flat: true, ..self }
    }

    /// The ground point at a point of the image.
    fn ground(&self, sx: f64, sy: f64) -> (f64, f64) {
        let u = (sx - self.width as f64 / 2.0) / KX;
        let v = (sy - (self.height as f64 - 14.0)) / KY;
        ((u - v) / 2.0, (u + v) / 2.0)
    }

    /// The point of the picture that shows a point of the world.
    pub fn on_screen(&self, p: Vec3) -> (f64, f64) {
        let ground = p - VIEW * (p.z / VIEW.z);
        let (u, v) = (ground.x + ground.y, ground.y - ground.x);
        (self.width as f64 / 2.0 + KX * u, self.height as f64 - 14.0 + KY * v)
    }

    /// The first point of the model on the ray that ends at the ground point (x, y).
    fn hit(&self, model: &Model, x: f64, y: f64) -> Option<Vec3> {
        let at = |t: f64| vec3(x, y, 0.0) + VIEW * t;
        let (mut t, mut before) = (self.top / VIEW.z, self.top / VIEW.z);
        for _ in 0..260 {
            let d = model.distance(at(t));
            if d < 0.0025 {
                return Some(at(if d < -0.0025 { surfacing(model, at, before, t) } else { t }));
            }
            before = t;
            t -= d.min(self.stride);
            if t <= 0.0 {
                return None;
            }
        }
        None
    }

    /// The light at a point of the model, and how brightly it shines while its lamps are lit.
    fn lit(&self, model: &Model, p: Vec3) -> (Vec3, f64) {
        let n = model.normal(p);
        let surface = model.surface(p, n);
        let sun = sun_at(model, p, n, self.top, 9.0);
        // Darker near the ground, so that it appears to stand on it.
        let open = openness(model, p, n).min(0.35 + 0.65 * step(-0.02, 0.16, p.z));
        (shade(surface.albedo, n, sun, open) * GAIN + surface.glow, surface.lamp)
    }

    pub fn draw(&self, model: &Model) -> Picture {
        let mut picture = Picture::empty(self.width, self.height);
        let mut solid = vec![false; self.width * self.height];
        for j in 0..self.height {
            for i in 0..self.width {
                let (mut sum, mut lamps, mut hits, mut solids) = (Vec3::default(), 0.0, 0usize, 0usize);
                let strike = |s: usize| {
                    let (sx, sy) = sample(i, j, s, FINE);
                    let (x, y) = self.ground(sx, sy);
                    self.hit(model, x, y)
                };
                // A pixel with four empty corners is not half covered. This skips most of the picture.
                let corners = CORNERS.map(strike);
                if corners.iter().all(Option::is_none) {
                    continue;
                }
                for s in 0..FINE * FINE {
                    let struck =
                        CORNERS.iter().position(|&corner| corner == s).map_or_else(|| strike(s), |k| corners[k]);
                    if let Some(p) = struck {
                        solids += 1;
                        if (self.clip)(p) {
                            hits += 1;
                            let (light, lamp) = self.lit(model, p);
                            sum += light;
                            lamps += lamp;
                        }
                    }
                }
                solid[j * self.width + i] = 2 * solids >= FINE * FINE;
                if 2 * hits >= FINE * FINE {
                    picture.set(i, j, sum * (1.0 / hits as f64));
                    if lamps > 0.0 {
                        picture.shine(i, j, lamps / (FINE * FINE) as f64);
                    }
                }
            }
        }
        // A dark silhouette, but not along joints or around glowing parts.
        for (k, around) in neighbours(&solid, self.width, false).into_iter().enumerate() {
            if picture.mask[k] && around < 4 && picture.colour[k].max_part() < 0.9 {
                picture.colour[k] = picture.colour[k] * self.rim;
            }
        }
        picture
    }

    /// The shadow on the ground around the model.
    pub fn shadow(&self, model: &Model) -> RgbaImage {
        let up = vec3(0.0, 0.0, 1.0);
        let dark = (0..self.width * self.height).map(|k| {
            let (i, j) = (k % self.width, k / self.width);
            let mut sum = 0.0;
            for s in 0..COARSE * COARSE {
                let (sx, sy) = sample(i, j, s, COARSE);
                let (x, y) = self.ground(sx, sy);
                let p = vec3(x, y, 0.0);
                if self.flat && (!(self.clip)(p) || self.hit(model, x, y).is_some()) {
                    continue;
                }
                let under = model.distance(p) <= -0.001;
                sum += if under { 0.8 } else { darkness(sun_on_ground(model, p, self.top), openness(model, p, up)) };
            }
            // It fades out towards the edge of the image.
            let sides = (i as f64 + 0.5).min(self.width as f64 - i as f64 - 0.5) / 9.0;
            let edge = sides.min((self.height - j) as f64 / 3.0).min((j as f64 + 0.5) / 3.0).clamp(0.0, 1.0);
            let a = (sum / (COARSE * COARSE) as f64 * 0.85).clamp(0.0, 0.52) * edge;
            if a < 0.05 { 0.0 } else { (a * 16.0).round() / 16.0 }
        });
        shadow_image(&dark.collect::<Vec<_>>(), self.width)
    }
}

/// The s-th of the `n` x `n` sample points of pixel (i, j).
fn sample(i: usize, j: usize, s: usize, n: usize) -> (f64, f64) {
    let at = |pixel: usize, part: usize| pixel as f64 + (part as f64 + 0.5) / n as f64;
    (at(i, s % n), at(j, s / n))
}

/// The point between `outside` and `inside` where the ray enters the model, after a step that was too long.
fn surfacing(model: &Model, at: impl Fn(f64) -> Vec3, mut outside: f64, mut inside: f64) -> f64 {
    for _ in 0..7 {
        let middle = (outside + inside) / 2.0;
        if model.distance(at(middle)) < 0.0 { inside = middle } else { outside = middle }
    }
    (outside + inside) / 2.0
}
