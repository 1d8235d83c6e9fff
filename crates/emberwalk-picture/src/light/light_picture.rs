//! The light of a part of a map's picture, at a low resolution.

use image::RgbaImage;

use super::ambient::Ambient;
use super::lamp::Lamp;
use crate::scene::{Footing, SrgbTables, TerrainPart, projection, terrain_at};
use emberwalk_map::terrain::Light;
use emberwalk_map::{Hour, Layers};

/// A light that somebody carries.
#[derive(Clone, Copy, Debug)]
pub struct CarriedLight<'a> {
    /// How it shines. Its hours do not matter.
    pub light: &'a Light,
    /// Where it is carried.
    pub footing: Footing,
}

/// A part of a map's picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightArea {
    /// Its top left corner in pixels at zoom 1, from the top left corner of the picture without margin.
    pub corner: (i32, i32),
    /// Its width and height in pixels at zoom 1.
    pub size: (u32, u32),
    /// The distance between points of the light in pixels, at least 1.
    pub spacing: u32,
}

/// The light of a part of a map's picture at an hour: linear red, green and blue at points, between which it is
/// interpolated. A point has the same light in every part that contains it.
#[derive(Clone, Debug, PartialEq)]
pub struct LightPicture {
    /// The first point, in points from the top left corner of the map's picture without margin.
    first: (i32, i32),
    /// The number of points in each direction.
    size: (u32, u32),
    spacing: u32,
    points: Vec<[f32; 3]>,
}

/// The brightest light. Where lamps stand close together, their sum approaches it.
const BRIGHTEST: f32 = 1.35;

/// How much more of the light of lamps water shows than other ground.
const REFLECTION: f32 = 0.9;

/// The least share of the ambient light that lights of negative strength leave.
const DARKEST: f32 = 0.55;

impl LightPicture {
    /// The usual distance between points, in pixels: small beside the radius of a lantern.
    pub const SPACING: u32 = 8;

    /// Computes the light of a part of a map's picture at an hour; `None` if nothing differs from noon.
    ///
    /// Time is proportional to the number of points, and to the lamps near the part with the points that they reach.
    pub fn new<'a>(
        map: &Layers,
        hour: Hour,
        area: LightArea,
        carried: impl IntoIterator<Item = CarriedLight<'a>>,
    ) -> Option<Self> {
        let ambient = Ambient::at(hour);
        if ambient.is_day() {
            return None;
        }
        let LightArea { corner, size, spacing } = area;
        let spacing = spacing.max(1);
        let first_point = |corner: i32| corner.div_euclid(spacing as i32);
        // One more point on each side, so that each pixel is between points.
        let points = |corner: i32, side: u32| ((corner.rem_euclid(spacing as i32) as u32 + side) / spacing) + 2;
        let mut picture = Self {
            first: (first_point(corner.0), first_point(corner.1)),
            size: (points(corner.0, size.0), points(corner.1, size.1)),
            spacing,
            points: Vec::new(),
        };
        picture.points = vec![[0.0; 3]; (picture.size.0 * picture.size.1) as usize];
        picture.add_lamps_of(map, hour);
        for CarriedLight { light, footing } in carried {
            let tile = map.tileset().tile();
            let (right, below) = tile.ground_centre();
            let (x, y) = footing.corner;
            picture.add(&Lamp::new(light, (f64::from(x + right), f64::from(y + below)), tile));
        }
        picture.finish(map, ambient);
        Some(picture)
    }

    /// The number of points in each direction.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// The place of the first point in pixels at zoom 1, from the top left corner of the picture without margin.
    pub fn corner(&self) -> (i32, i32) {
        (self.first.0 * self.spacing as i32, self.first.1 * self.spacing as i32)
    }

    /// The distance between points, in pixels at zoom 1.
    pub fn spacing(&self) -> u32 {
        self.spacing
    }

    /// The light at all points, row by row.
    pub fn points(&self) -> &[[f32; 3]] {
        &self.points
    }

    /// The light at a place of the map's picture, in pixels at zoom 1; outside the part, the light at its edge.
    pub fn at(&self, (x, y): (f32, f32)) -> [f32; 3] {
        let along = |at: f32, first: i32, count: u32| {
            let at = (at / self.spacing as f32 - first as f32).clamp(0.0, (count - 1) as f32);
            let before = (at as u32).min(count - 2);
            (before as usize, at - before as f32)
        };
        let (column, right) = along(x, self.first.0, self.size.0);
        let (row, down) = along(y, self.first.1, self.size.1);
        let wide = self.size.0 as usize;
        let above = &self.points[row * wide + column..];
        let below = &self.points[(row + 1) * wide + column..];
        std::array::from_fn(|k| {
            let top = above[0][k] + (above[1][k] - above[0][k]) * right;
            let bottom = below[0][k] + (below[1][k] - below[0][k]) * right;
            top + (bottom - top) * down
        })
    }

    /// Lights a picture whose top left pixel is at `corner` of the map's picture.
    pub(crate) fn light(&self, picture: &mut RgbaImage, corner: (i32, i32)) {
        let tables = SrgbTables::get();
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            if pixel.0[3] > 0 {
                let at = |corner: i32, at: u32| (corner + at as i32) as f32 + 0.5;
                *pixel = tables.tinted(*pixel, self.at((at(corner.0, x), at(corner.1, y))));
            }
        }
    }

    /// The place of a point in the map's picture.
    fn place(&self, column: u32, row: u32) -> (f32, f32) {
        let along = |first: i32, at: u32| ((first + at as i32) * self.spacing as i32) as f32;
        (along(self.first.0, column), along(self.first.1, row))
    }

    fn add_lamps_of(&mut self, map: &Layers, hour: Hour) {
        let projection = projection(map);
        let reach = Lamp::farthest(map, projection);
        if reach == 0 {
            return;
        }
        let (left, top) = self.corner();
        let [width, height] = [self.size.0, self.size.1].map(|count| (count * self.spacing) as i32);
        let (right, below) = projection.tile().ground_centre();
        // Higher cells are drawn above their place at level 0.
        let columns = left - reach - right..left + width + reach - right;
        let rows = top - reach - below..top + height + reach - below + projection.headroom();
        for cell in projection.cells_with_corners(columns, rows).filter(|cell| map.size().contains(*cell)) {
            if let Some(lamp) = Lamp::of_cell(map, cell, hour) {
                self.add(&lamp);
            }
        }
    }

    /// Adds a lamp at the points that it reaches.
    fn add(&mut self, lamp: &Lamp) {
        let [left, right, top, bottom] = lamp.reach();
        let span = |from: f32, to: f32, first: i32, count: u32| {
            let point = |at: f32| (at / self.spacing as f32 - first as f32).clamp(0.0, count as f32);
            point(from).floor() as u32..point(to).ceil() as u32
        };
        let columns = span(left, right, self.first.0, self.size.0);
        let rows = span(top, bottom, self.first.1, self.size.1);
        for (row, column) in rows.flat_map(|row| columns.clone().map(move |column| (row, column))) {
            let share = lamp.falloff(self.place(column, row));
            let point = &mut self.points[(row * self.size.0 + column) as usize];
            (0..3).for_each(|k| point[k] += lamp.light[k] * share);
        }
    }

    /// Makes light of the sums of lamps.
    fn finish(&mut self, map: &Layers, ambient: Ambient) {
        let width = projection(map).picture_size().0 as f32;
        let darkness = ambient.darkness();
        for index in 0..self.points.len() as u32 {
            let place = self.place(index % self.size.0, index / self.size.0);
            let lamps = self.points[index as usize];
            let sky = ambient.across(place.0 / width);
            let reflected = if lamps != [0.0; 3] && is_water(map, place) { 1.0 + REFLECTION } else { 1.0 };
            let light = |k: usize| match lamps[k] * darkness * reflected {
                dark if dark < 0.0 => sky[k] * (1.0 + dark).max(DARKEST),
                // Each channel on its own, so that the hottest light is also the palest.
                bright => sky[k] + BRIGHTEST * (1.0 - (-bright / BRIGHTEST).exp()),
            };
            self.points[index as usize] = std::array::from_fn(light);
        }
    }
}

/// Whether the ground at a place of the picture is open water.
fn is_water(map: &Layers, (x, y): (f32, f32)) -> bool {
    let Some((cell, TerrainPart::Ground)) = terrain_at(map, (x.into(), y.into())) else { return false };
    map.overlay_at(cell).is_none() && map.base_at(cell).is_some_and(|base| base.shore.is_some())
}
