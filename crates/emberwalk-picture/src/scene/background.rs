//! The surroundings of a map in the full look: a soft gradient with a little mist, and the blurred shadow of the slab.

use image::{Rgba, RgbaImage};

use super::SrgbTables;
use super::noise::{fractal, unit};
use crate::colours::AROUND;
use crate::iso::Projection;

/// The colours above and below the map, in sRGB.
const TOP: [u8; 3] = [19, 23, 40];
const BOTTOM: [u8; 3] = [48, 56, 76];

/// The colour that mist adds where it is thickest.
const MIST: [u8; 3] = [28, 33, 38];

/// How dark the shadow of the slab is, from 0 to 1 (black).
const SHADOW: f64 = 0.78;

/// The width and height of the image of a background.
const SIDE: u32 = 192;

/// How far the image reaches from the middle of the map, compared with the corners of the ground.
const REACH: f64 = 2.2;

/// Numbers of horizontal strips into which the rows of the ground are cut.
const STRIPS: u32 = 16;

/// The background of a map: a small image, which is enlarged with a smooth filter. It has one colour along its edges, and
/// the same colour everywhere beyond them.
#[derive(Clone, Debug)]
pub struct Background {
    ground: Ground,
    image: RgbaImage,
}

/// The ground of a flat map in its picture.
#[derive(Clone, Copy, Debug)]
struct Ground {
    columns: f64,
    rows: f64,
    /// The centre in pixels of the picture without margin.
    centre: (f64, f64),
    half_step: (f64, f64),
    slab: f64,
}

impl Ground {
    fn of(map: Projection) -> Self {
        let (columns, rows) = (f64::from(map.size().width), f64::from(map.size().height));
        let (right, down) = map.tile().half_step();
        let (x, y) = map.centre((0, 0).into());
        let half_step = (f64::from(right), f64::from(down));
        let centre = (
            f64::from(x) + half_step.0 * (columns + rows - 2.0) / 2.0,
            f64::from(y) + half_step.1 * (rows - columns) / 2.0,
        );
        Self { columns, rows, centre, half_step, slab: f64::from(map.tile().slab_offset()) }
    }

    /// Half the width and half the height of the ground of a square map with as many diagonals.
    fn half_size(&self) -> (f64, f64) {
        let half = (self.columns + self.rows) / 2.0;
        (self.half_step.0 * half, self.half_step.1 * half)
    }

    /// The distance of a point, measured from the centre, to the ground. It is negative on the ground; the centre of a
    /// square map has -1.
    fn distance(&self, (x, y): (f64, f64)) -> f64 {
        let (sum, difference) = (x / self.half_step.0, y / self.half_step.1);
        let (column, row) = ((sum - difference) / 2.0, (sum + difference) / 2.0);
        let half = (self.columns + self.rows) / 4.0;
        let beside = (column.abs() - self.columns / 2.0) / half;
        let beyond = (row.abs() - self.rows / 2.0) / half;
        let outside = beside.max(0.0).powi(2) + beyond.max(0.0).powi(2);
        outside.sqrt() + beside.max(beyond).min(0.0)
    }

    /// The columns of pixels of the ground in a row of pixels, both measured from the centre.
    fn pixels_of_row(&self, y: f64) -> (f64, f64) {
        let y = y / self.half_step.1;
        let first = (y - self.columns).max(-y - self.rows);
        let end = (y + self.columns).min(-y + self.rows);
        (first * self.half_step.0, end * self.half_step.0)
    }
}

/// A rectangle of pixels: its top left corner and its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackgroundPart {
    /// The corner in pixels of the map's picture without margin.
    pub corner: (f64, f64),
    /// The width and height in pixels of the picture.
    pub size: (f64, f64),
    /// The corner in pixels of the [image](Background::image).
    pub corner_in_image: (f64, f64),
    /// The width and height in pixels of the image.
    pub size_in_image: (f64, f64),
}

impl Background {
    /// Draws the background of a map.
    pub fn new(map: Projection) -> Self {
        let ground = Ground::of(map);
        let image = RgbaImage::from_fn(SIDE, SIDE, |i, j| {
            let at = |pixel: u32| (f64::from(pixel) + 0.5) / f64::from(SIDE) * 2.0 * REACH - REACH;
            let colour = colour(&ground, (at(i), at(j)));
            // A little noise hides the steps between the few dark codes.
            let code = |k: usize| (colour[k] + unit(i as i32, j as i32, 77 + k as u32)).floor() as u8;
            let is_edge = [i, j].into_iter().any(|at| at == 0 || at == SIDE - 1);
            let [r, g, b] = if is_edge { AROUND } else { [code(0), code(1), code(2)] };
            Rgba([r, g, b, u8::MAX])
        });
        Self { ground, image }
    }

    /// The image.
    pub fn image(&self) -> &RgbaImage {
        &self.image
    }

    /// The parts of the image that together cover everything but the ground of the map, and little of that. They do not
    /// overlap.
    pub fn parts_around_map(&self) -> impl Iterator<Item = BackgroundPart> {
        let (half_width, half_height) = self.ground.half_size();
        let (wide, high) = (half_width * REACH, half_height * REACH);
        let tall = self.ground.half_step.1 * (self.ground.columns + self.ground.rows) / 2.0;
        let row = move |k: u32| -tall + 2.0 * tall * f64::from(k) / f64::from(STRIPS);
        let ground = self.ground;
        let beside = (0..STRIPS).flat_map(move |k| {
            let (above, below) = (ground.pixels_of_row(row(k)), ground.pixels_of_row(row(k + 1)));
            // A pixel less: the ground of a tile has steps.
            let (first, end) = (above.0.max(below.0) + 2.0, above.1.min(below.1) - 2.0);
            let (first, end) = if first < end { (first, end) } else { (0.0, 0.0) };
            [(-wide..first, row(k)..row(k + 1)), (end..wide, row(k)..row(k + 1))]
        });
        let whole = [(-wide..wide, -high..-tall), (-wide..wide, tall..high)];
        whole.into_iter().chain(beside).map(move |(across, down)| self.part(across, down))
    }

    fn part(&self, across: std::ops::Range<f64>, down: std::ops::Range<f64>) -> BackgroundPart {
        let scale = self.scale();
        let (wide, high) = (f64::from(SIDE) / 2.0 / scale.0, f64::from(SIDE) / 2.0 / scale.1);
        BackgroundPart {
            corner: (across.start + self.ground.centre.0, down.start + self.ground.centre.1),
            size: (across.end - across.start, down.end - down.start),
            corner_in_image: ((across.start + wide) * scale.0, (down.start + high) * scale.1),
            size_in_image: ((across.end - across.start) * scale.0, (down.end - down.start) * scale.1),
        }
    }

    /// The number of pixels of the image per pixel of the picture, across and down.
    fn scale(&self) -> (f64, f64) {
        let (half_width, half_height) = self.ground.half_size();
        let side = f64::from(SIDE) / 2.0 / REACH;
        (side / half_width, side / half_height)
    }

    /// The colour at a point of the picture without margin, interpolated between the four nearest pixels of the image,
    /// in linear light, as a graphics card does.
    pub fn colour(&self, (x, y): (f64, f64)) -> [u8; 3] {
        let scale = self.scale();
        let middle = f64::from(SIDE) / 2.0 - 0.5;
        let (i, j) = ((x - self.ground.centre.0) * scale.0 + middle, (y - self.ground.centre.1) * scale.1 + middle);
        let last = f64::from(SIDE - 1);
        if !(0.0..=last).contains(&i) || !(0.0..=last).contains(&j) {
            return AROUND;
        }
        let tables = SrgbTables::get();
        let (right, low) = ((i.fract()) as f32, (j.fract()) as f32);
        let next = |at: f64| (at as u32 + 1).min(SIDE - 1);
        let light = |i: u32, j: u32| {
            let [r, g, b, _] = self.image.get_pixel(i, j).0;
            [r, g, b].map(|code| tables.linear(code))
        };
        let mix = |one: [f32; 3], other: [f32; 3], share: f32| -> [f32; 3] {
            std::array::from_fn(|k| one[k] * (1.0 - share) + other[k] * share)
        };
        let row = |j: u32| mix(light(i as u32, j), light(next(i), j), right);
        mix(row(j as u32), row(next(j)), low).map(|light| tables.encode(light))
    }
}

/// The colour at a point, as sRGB codes. The corners of the ground of a square map are at distance 1 from the origin.
fn colour(ground: &Ground, (u, v): (f64, f64)) -> [f64; 3] {
    let (half_width, half_height) = ground.half_size();
    let at = (u * half_width, v * half_height);
    let low = smooth(-1.1, 1.1, v);
    let near = 1.0 - smooth(0.0, 0.9, ground.distance(at));
    // Wisps that lie level.
    let wisps = smooth(0.36, 0.78, fractal(1.3 * u + 31.0, 3.1 * v + 17.0, 3, 41));
    let mist = (0.25 * near + wisps * (0.35 + 0.65 * near)) * (0.30 + 0.70 * low);
    // The slab floats a little above a floor, and the sun is on the right.
    let (left, down) = (0.035 * half_width, ground.slab + 0.075 * half_height);
    let shadow = 1.0 - smooth(-0.12, 0.15, ground.distance((at.0 + left, at.1 - down)));
    let light = 1.0 - SHADOW * shadow;
    // The image is a square, and the ellipse reaches beyond its left and right edges.
    let (around, beside) = (smooth(1.15, 2.1, (u * u / 1.5 + v * v).sqrt()), smooth(1.3, 2.15, u.abs()));
    let far = around + beside - around * beside;
    std::array::from_fn(|k| {
        let [top, bottom, added, edge] = [TOP, BOTTOM, MIST, AROUND].map(|colour| f64::from(colour[k]));
        let here = (top + (bottom - top) * low + added * mist) * light;
        here + (edge - here) * far
    })
}

/// 0 up to `low`, 1 from `high` on, and a smooth curve between them.
fn smooth(low: f64, high: f64, value: f64) -> f64 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::Size;

    fn backgrounds() -> impl Iterator<Item = (Projection, Background)> {
        [Size::new(1, 1), Size::new(46, 44), Size::new(7, 90), Size::new(4096, 4096)].into_iter().map(|size| {
            let map = Projection::new(size, TileMetrics::CLASSIC).with_top(3);
            (map, Background::new(map))
        })
    }

    #[test]
    fn the_parts_cover_everything_around_the_ground_once() {
        for (map, background) in backgrounds() {
            let parts: Vec<_> = background.parts_around_map().collect();
            let (half_width, half_height) = background.ground.half_size();
            let (x, y) = background.ground.centre;
            for (i, j) in (0..60).flat_map(|j| (0..60).map(move |i| (f64::from(i) + 0.37, f64::from(j) + 0.41))) {
                let at = (x + (i / 15.0 - 2.0) * half_width, y + (j / 15.0 - 2.0) * half_height);
                let is_in = |part: &BackgroundPart| {
                    (part.corner.0..part.corner.0 + part.size.0).contains(&at.0)
                        && (part.corner.1..part.corner.1 + part.size.1).contains(&at.1)
                };
                let count = parts.iter().filter(|part| is_in(part)).count();
                let ground = map.cell_at(at).is_some();
                assert!(count == 1 || ground && count == 0, "{count} parts at {at:?} of {:?}", map.size());
            }
        }
    }

    #[test]
    fn the_background_has_one_colour_far_from_the_map() {
        for (_, background) in backgrounds() {
            let (x, y) = background.ground.centre;
            let (half_width, half_height) = background.ground.half_size();
            let at = |u: f64, v: f64| background.colour((x + u * half_width, y + v * half_height));
            for k in 0..20 {
                let along = f64::from(k) / 5.0 - 2.0;
                for colour in [at(along, 2.15), at(along, -2.15), at(2.15, along), at(-2.15, along), at(-3.0, along)] {
                    assert!(colour.iter().zip([15, 17, 26]).all(|(a, b)| a.abs_diff(b) <= 1), "{colour:?}");
                }
            }
            assert_eq!(at(9.0, 0.0), AROUND);
        }
    }

    #[test]
    fn the_mist_has_no_hard_edge() {
        for (_, background) in backgrounds() {
            let (x, y) = background.ground.centre;
            let (half_width, half_height) = background.ground.half_size();
            let at = |u: f64, v: f64| background.colour((x + u * half_width, y + v * half_height));
            for (k, side) in (0..60).flat_map(|k| [(k, -1.0), (k, 1.0)]) {
                let (beside, along) = (1.3 + f64::from(k) / 50.0, f64::from(k % 15) / 5.0 - 1.4);
                for [here, next] in [
                    [beside, beside + 0.01].map(|u| at(side * u, along)),
                    [beside, beside + 0.01].map(|v| at(along, side * v)),
                ] {
                    let differs = here.iter().zip(next).map(|(a, b)| a.abs_diff(b)).max();
                    assert!(differs <= Some(4), "{here:?} and {next:?} at {beside} and {along}");
                }
            }
        }
    }

    #[test]
    fn it_is_lighter_below_the_map_than_above_and_dark_under_the_slab() {
        let squares = backgrounds().skip(1).filter(|(map, _)| map.size() != Size::new(7, 90));
        for (_, background) in squares {
            let (x, y) = background.ground.centre;
            let (half_width, half_height) = background.ground.half_size();
            let light = |u: f64, v: f64| {
                let colour = background.colour((x + u * half_width, y + v * half_height));
                colour.map(u32::from).iter().sum::<u32>()
            };
            assert!(light(0.9, 0.8) > light(0.9, -0.8) + 20);
            assert!(light(-0.54, 0.54) + 40 < light(-0.95, 0.95), "{}", light(-0.54, 0.54));
        }
    }
}
