//! The light of a part of a map's picture, at a low resolution.

use std::ops::Range;
use std::sync::Arc;
use std::task::Poll;

use image::RgbaImage;

use super::ambient::Ambient;
use super::lamp::{Fire, Lamp};
use super::surface::Surface;
use crate::scene::{Footing, Scene, SrgbTables, projection};
use emberwalk_map::terrain::Light;
use emberwalk_map::{Hour, Layers};
use emberwalk_path::grid::Cell;

/// A light that a figure carries.
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

/// The points of a part at which the light is known. A point has the same light in every part that contains it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Points {
    /// The first point, in points from the top left corner of the map's picture without margin.
    first: (i32, i32),
    /// The number of points in each direction.
    size: (u32, u32),
    spacing: u32,
}

/// The light of the sky and of the terrains in a part of a map's picture at an hour.
#[derive(Clone, Debug)]
pub struct TerrainLight {
    points: Points,
    hour: Hour,
    ambient: Ambient,
    /// The width of the map's picture.
    width: f32,
    /// The sums of the lamps that do not flicker.
    lamps: Vec<[f32; 3]>,
    /// By terrain: whether it is pale.
    pale: Arc<[bool]>,
    /// The surface at the first points.
    surfaces: Vec<Surface>,
    fires: Vec<Fire>,
    /// The cells whose terrain shines at some hours, as far as they are known, and how many of them have been added. If
    /// there are more than [`MAX_KEPT`], some are left out.
    lights: Vec<Cell>,
    added: usize,
    /// The rows of the [corners](crate::iso::Projection::corner) of cells whose lamps are missing.
    missing: Range<i32>,
}

/// The light of a part of a map's picture at an hour: linear red, green and blue at points, between which it is
/// interpolated.
#[derive(Clone, Debug, PartialEq)]
pub struct LightPicture {
    points: Points,
    light: Vec<[f32; 3]>,
}

/// A place between two columns or rows of points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BetweenPoints {
    /// The column or row before the place.
    before: usize,
    /// How far the place is on the way to the next column or row, 0 to 1.
    share: f32,
}

/// The brightest light. Where lamps stand close together, their sum approaches it.
const BRIGHTEST: f32 = 1.35;

/// The minimum share of the ambient light that lights of negative strength leave.
const DARKEST: f32 = 0.55;

/// The maximum light that a window can show: its pixels are doubled.
const MOST: f32 = 2.0;

/// The maximum number of cells with lamps that are kept for other hours: 8 MB.
const MAX_KEPT: usize = 1 << 20;

/// A lamp whose light is spread over at least this many distances between points, so that none falls between them.
const LEAST_RADIUS: f32 = 1.5;

impl Points {
    fn of(LightArea { corner, size, spacing }: LightArea) -> Self {
        let spacing = spacing.max(1);
        let first = |corner: i32| corner.div_euclid(spacing as i32);
        // One more point on each side, so that each pixel is between points.
        let count = |corner: i32, side: u32| ((corner.rem_euclid(spacing as i32) as u32 + side) / spacing) + 2;
        let (x, y) = corner;
        Self { first: (first(x), first(y)), size: (count(x, size.0), count(y, size.1)), spacing }
    }

    fn count(self) -> usize {
        self.size.0 as usize * self.size.1 as usize
    }

    fn corner(self) -> (i32, i32) {
        (self.first.0 * self.spacing as i32, self.first.1 * self.spacing as i32)
    }

    /// The place of a point in the map's picture.
    fn place(self, column: u32, row: u32) -> (f32, f32) {
        let along = |first: i32, at: u32| ((first + at as i32) * self.spacing as i32) as f32;
        (along(self.first.0, column), along(self.first.1, row))
    }

    /// Adds a lamp to the sums at the points that it reaches, weakened by a factor.
    fn add(self, sums: &mut [[f32; 3]], lamp: &Lamp, factor: f32) {
        let lamp = lamp.spread(LEAST_RADIUS * self.spacing as f32);
        let [left, right, top, bottom] = lamp.reach();
        let span = |from: f32, to: f32, first: i32, count: u32| {
            let point = |at: f32| (at / self.spacing as f32 - first as f32).clamp(0.0, count as f32);
            point(from).floor() as u32..point(to).ceil() as u32
        };
        let columns = span(left, right, self.first.0, self.size.0);
        for row in span(top, bottom, self.first.1, self.size.1) {
            for column in columns.clone() {
                let share = factor * lamp.falloff(self.place(column, row));
                let sum = &mut sums[row as usize * self.size.0 as usize + column as usize];
                (0..3).for_each(|k| sum[k] += lamp.light[k] * share);
            }
        }
    }
}

impl BetweenPoints {
    /// The place at a distance from the first of some points, in points; outside them, the nearest place.
    fn at(distance: f32, count: u32) -> Self {
        let distance = distance.clamp(0.0, (count - 1) as f32);
        let before = (distance as u32).min(count - 2);
        Self { before: before as usize, share: distance - before as f32 }
    }
}

impl TerrainLight {
    /// Computes it; `None` if nothing differs from noon.
    ///
    /// Time is proportional to the number of points, to the cells near the part, and to the lamps there with the points
    /// that they reach.
    pub fn new(map: &Layers, scene: &Scene, hour: Hour, area: LightArea) -> Option<Self> {
        Some(Self::of_sky(map, scene, hour, area)?.with_lamps(map))
    }

    /// The light with all lamps that have not been [added](Self::add_lamps) yet.
    pub fn with_lamps(mut self, map: &Layers) -> Self {
        while self.add_lamps(map, u64::MAX).is_pending() {}
        self
    }

    /// Whether anything differs from noon at an hour.
    pub fn is_seen(hour: Hour) -> bool {
        !Ambient::at(hour).is_day()
    }

    /// The light of the same part of the same map at another hour, to which lamps can be [added](Self::add_lamps); `None` if
    /// nothing differs from noon then. Adding them takes less time, because the cells with lamps are known.
    pub fn at_hour(&self, map: &Layers, hour: Hour) -> Option<Self> {
        let light = Self::of_points(map, &self.pale, hour, self.points)?;
        let surfaces = self.surfaces.clone();
        if !self.missing.is_empty() || self.lights.len() > MAX_KEPT {
            return Some(Self { surfaces, ..light });
        }
        Some(Self { surfaces, lights: self.lights.clone(), missing: 0..0, ..light })
    }

    /// The light of the sky alone, to which lamps can be [added](Self::add_lamps); `None` if nothing differs from noon.
    pub fn of_sky(map: &Layers, scene: &Scene, hour: Hour, area: LightArea) -> Option<Self> {
        let pale = map.tileset().iter().map(|(terrain, _)| scene.is_pale(terrain)).collect();
        Self::of_points(map, &pale, hour, Points::of(area))
    }

    fn of_points(map: &Layers, pale: &Arc<[bool]>, hour: Hour, points: Points) -> Option<Self> {
        let ambient = Ambient::at(hour);
        if ambient.is_day() {
            return None;
        }
        let projection = projection(map);
        let reach = Lamp::farthest(map, projection);
        let (_, below) = projection.tile().ground_centre();
        let (_, top) = points.corner();
        let height = (points.size.1 * points.spacing) as i32;
        // Higher cells are drawn above their place at level 0.
        let rows = top - reach - below..top + height + reach - below + projection.headroom();
        let last = projection.picture_size().1 as i32;
        let missing = if reach == 0 { 0..0 } else { rows.start.max(-last)..rows.end.min(last) };
        Some(Self {
            points,
            ambient,
            width: projection.picture_size().0 as f32,
            lamps: vec![[0.0; 3]; points.count()],
            pale: pale.clone(),
            surfaces: Vec::new(),
            fires: Vec::new(),
            lights: Vec::new(),
            added: 0,
            hour,
            missing,
        })
    }

    /// Adds the lamps of about this many more cells. It is pending as long as something is missing.
    pub fn add_lamps(&mut self, map: &Layers, cells: u64) -> Poll<()> {
        let at_once = usize::try_from(cells).unwrap_or(usize::MAX).max(1);
        if self.added < self.lights.len() {
            let end = self.lights.len().min(self.added.saturating_add(at_once));
            (self.added..end).for_each(|index| self.add_lamp(map, self.lights[index]));
            self.added = end;
        } else if !self.missing.is_empty() {
            for cell in self.next_cells(map, cells) {
                if Lamp::may_shine(map, cell) {
                    self.add_lamp(map, cell);
                    // A length above the limit means that some are left out.
                    if self.lights.len() <= MAX_KEPT {
                        self.lights.push(cell);
                    }
                }
            }
            self.added = self.lights.len();
        } else {
            let width = self.points.size.0;
            let first = self.surfaces.len();
            let end = self.lamps.len().min(first.saturating_add(at_once));
            let place = |index: u32| self.points.place(index % width, index / width);
            let surface = |index: usize| Surface::at(map, &self.pale, place(index as u32));
            let surfaces: Vec<_> = (first..end).map(surface).collect();
            self.surfaces.extend(surfaces);
        }
        let is_complete = self.added == self.lights.len() && self.missing.is_empty();
        if is_complete && self.surfaces.len() == self.lamps.len() { Poll::Ready(()) } else { Poll::Pending }
    }

    /// About this many of the cells whose lamps are missing, which are not missing afterwards.
    fn next_cells(&mut self, map: &Layers, cells: u64) -> impl Iterator<Item = Cell> + use<> {
        let projection = projection(map);
        let (across, _) = projection.tile().step();
        let reach = Lamp::farthest(map, projection);
        let (right, _) = projection.tile().ground_centre();
        let (left, _) = self.points.corner();
        let width = (self.points.size.0 * self.points.spacing) as i32;
        let columns = left - reach - right..left + width + reach - right;
        let in_row = (columns.len() as u64 / across.max(1) as u64).clamp(1, u64::from(map.size().width));
        let end = i64::from(self.missing.start) + (cells / in_row).clamp(1, 1 << 31) as i64;
        let rows = self.missing.start..end.min(self.missing.end.into()) as i32;
        self.missing.start = rows.end;
        let size = map.size();
        projection.cells_with_corners(columns, rows).filter(move |cell| size.contains(*cell))
    }

    /// Adds the lamp of a cell, if it shines at this hour.
    fn add_lamp(&mut self, map: &Layers, cell: Cell) {
        // Zoomed out, flickering is not visible, and there may be very many fires.
        let is_far = self.points.spacing > LightPicture::SPACING;
        match Lamp::of_cell(map, cell, self.hour) {
            Some((lamp, flicker)) if flicker == 0.0 || is_far => self.points.add(&mut self.lamps, &lamp, 1.0),
            Some((lamp, flicker)) => self.fires.push(Fire::new(lamp, flicker, cell)),
            None => {}
        }
    }

    /// Whether there are fires in it, which flicker.
    pub fn flickers(&self) -> bool {
        !self.fires.is_empty()
    }

    /// The light with all carried lights. `beat` is a number that grows as fires flicker; with `None` they are steady.
    pub fn picture<'a>(
        &self,
        map: &Layers,
        carried: impl IntoIterator<Item = CarriedLight<'a>>,
        beat: Option<u64>,
    ) -> LightPicture {
        let mut sums = self.lamps.clone();
        for fire in &self.fires {
            self.points.add(&mut sums, &fire.lamp, fire.brightness(beat));
        }
        let tile = map.tileset().tile();
        for CarriedLight { light, footing } in carried {
            let (right, below) = tile.ground_centre();
            let (x, y) = footing.corner;
            self.points.add(&mut sums, &Lamp::new(light, (f64::from(x + right), f64::from(y + below)), tile), 1.0);
        }
        let darkness = self.ambient.darkness();
        for (index, sum) in sums.iter_mut().enumerate() {
            let (column, row) = (index as u32 % self.points.size.0, index as u32 / self.points.size.0);
            let surface = self.surfaces.get(index).copied().unwrap_or_default();
            let sky = self.ambient.across(self.points.place(column, row).0 / self.width);
            let sky = surface.in_sky_light(sky, darkness);
            if *sum == [0.0; 3] {
                *sum = sky;
                continue;
            }
            let seen = darkness * surface.share_of_lamps();
            *sum = std::array::from_fn(|k| match sum[k] * seen {
                dark if dark < 0.0 => sky[k] * (1.0 + dark).max(DARKEST),
                // Each channel on its own, so that the hottest light is also the palest.
                bright => (sky[k] + BRIGHTEST * (1.0 - (-bright / BRIGHTEST).exp())).min(MOST),
            });
        }
        LightPicture { points: self.points, light: sums }
    }
}

impl LightPicture {
    /// The usual distance between points, in pixels: small beside the radius of a lantern.
    pub const SPACING: u32 = 8;

    /// Computes the light of a part of a map's picture at an hour; `None` if nothing differs from noon. It takes as long
    /// as [`TerrainLight::new`].
    pub fn new<'a>(
        map: &Layers,
        scene: &Scene,
        hour: Hour,
        area: LightArea,
        carried: impl IntoIterator<Item = CarriedLight<'a>>,
    ) -> Option<Self> {
        Some(TerrainLight::new(map, scene, hour, area)?.picture(map, carried, None))
    }

    /// The number of points in each direction.
    pub fn size(&self) -> (u32, u32) {
        self.points.size
    }

    /// The place of the first point in pixels at zoom 1, from the top left corner of the picture without margin.
    pub fn corner(&self) -> (i32, i32) {
        self.points.corner()
    }

    /// The distance between points, in pixels at zoom 1.
    pub fn spacing(&self) -> u32 {
        self.points.spacing
    }

    /// The light at all points, row by row, each from 0 to 2.
    pub fn points(&self) -> &[[f32; 3]] {
        &self.light
    }

    /// The light at a place of the map's picture, in pixels at zoom 1; outside the part, the light at its edge.
    pub fn at(&self, (x, y): (f32, f32)) -> [f32; 3] {
        self.between(self.column(x), self.row(y))
    }

    /// The columns of points around a place, from which [`between`](Self::between) computes the light.
    pub(crate) fn column(&self, x: f32) -> BetweenPoints {
        BetweenPoints::at(x / self.points.spacing as f32 - self.points.first.0 as f32, self.points.size.0)
    }

    /// The rows of points around a place.
    pub(crate) fn row(&self, y: f32) -> BetweenPoints {
        BetweenPoints::at(y / self.points.spacing as f32 - self.points.first.1 as f32, self.points.size.1)
    }

    /// The light at the place in a column and a row.
    pub(crate) fn between(&self, column: BetweenPoints, row: BetweenPoints) -> [f32; 3] {
        let above = row.before * self.points.size.0 as usize + column.before;
        let below = above + self.points.size.0 as usize;
        let mix = |one: [f32; 3], other: [f32; 3], share: f32| -> [f32; 3] {
            std::array::from_fn(|k| one[k] + (other[k] - one[k]) * share)
        };
        let top = mix(self.light[above], self.light[above + 1], column.share);
        let bottom = mix(self.light[below], self.light[below + 1], column.share);
        mix(top, bottom, row.share)
    }

    /// Lights a picture whose top left pixel is at `corner` of the map's picture.
    pub(crate) fn light(&self, picture: &mut RgbaImage, corner: (i32, i32)) {
        let tables = SrgbTables::get();
        let middle = |corner: i32, at: u32| (corner + at as i32) as f32 + 0.5;
        let columns: Vec<_> = (0..picture.width()).map(|x| self.column(middle(corner.0, x))).collect();
        for (y, pixels) in (0..).zip(picture.rows_mut()) {
            let row = self.row(middle(corner.1, y));
            for (pixel, column) in pixels.zip(&columns).filter(|(pixel, _)| pixel.0[3] > 0) {
                *pixel = tables.tinted(*pixel, self.between(*column, row));
            }
        }
    }
}
