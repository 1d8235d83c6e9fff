//! The veil over the ground of a cell: shadows, ash and the light of eruptions, as one translucent tile.
//!
//! Shadows and light reach over many cells. Cut to the diamonds of the cells they become tiles that a tilemap can draw,
//! and no spot of ground is shaded twice.

use image::{Rgba, RgbaImage};

use super::light::{Spot, Veil, glow, tint};
use super::terrain_images::Images;
use super::{Colour, Look, Scene, base, overlay, projection};
use crate::grid::{Cell, Direction, Size};
use crate::iso::{Projection, TileMetrics};
use crate::map::Map;
use crate::terrain::{ImageId, TerrainId, TileImages};

/// Everything on which the shade of a cell depends: cells with the same key have the same tile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShadingKey {
    /// Shadow images that fall on the cell, and how many columns and rows away what casts them stands.
    shadows: Box<[Shadow]>,
    /// Volcanoes whose light falls on the cell, and how many columns and rows away they are.
    eruptions: Box<[(TerrainId, i8, i8)]>,
    /// Which of the cell and its neighbours have pale ground, row by row; not asked without an eruption.
    pale: [bool; 9],
    /// Ash is lost in water.
    takes_ash: bool,
    /// Whether the map ends to the north, east, south and west of the cell.
    ends: [bool; 4],
}

/// A shadow image that falls on a cell, and how many columns and rows away what casts it stands.
type Shadow = (ImageId, i8, i8);

/// Which cells lie in the shadow of an image or the light of a terrain, and from where a cell may be reached.
pub(super) struct Reach {
    /// By image: of a shadow, the columns and rows from what casts it to the cells on which it falls.
    shadows: Vec<Vec<(i32, i32)>>,
    /// From a cell to whatever may cast a shadow on it.
    casters: Vec<(i32, i32)>,
    /// From a cell to whatever may light it.
    lights: Vec<(i32, i32)>,
    /// The farthest of all, in columns or rows.
    farthest: i32,
}

impl Reach {
    /// `standing` are the images of all that may stand on a map.
    pub(super) fn new(terrains: &[Images], standing: impl Iterator<Item = ImageId>, assets: &TileImages) -> Self {
        let mut shadows = vec![Vec::new(); assets.images().len()];
        for shadow in standing.filter_map(|image| assets.shadow(image)) {
            let cells: &mut Vec<_> = &mut shadows[shadow.index()];
            if cells.is_empty() {
                *cells = cells_under(assets.image(shadow), assets.tile());
            }
        }
        let mut casters: Vec<_> = shadows.iter().flatten().map(|(dx, dy)| (-dx, -dy)).collect();
        casters.sort_unstable();
        casters.dedup();
        let radius =
            terrains.iter().filter_map(|images| images.eruption).map(|eruption| eruption.radius).fold(0.0, f64::max);
        let lights = if radius > 0.0 { within(radius) } else { Vec::new() };
        let farthest = casters.iter().chain(&lights).map(|(dx, dy)| dx.abs().max(dy.abs())).max().unwrap_or(0);
        Self { shadows, casters, lights, farthest }
    }
}

impl Scene {
    /// What falls on the ground of `cell` in the full look; `None` for nothing.
    pub fn shading_key(&self, map: &Map, cell: Cell) -> Option<ShadingKey> {
        let ground = base(map, cell)?;
        let shadows: Box<[Shadow]> = self.shadows_on(map, cell).collect();
        let eruptions: Vec<_> =
            self.lights(map, cell).map(|(terrain, (dx, dy))| (terrain, dx as i8, dy as i8)).collect();
        (!shadows.is_empty() || !eruptions.is_empty()).then(|| ShadingKey {
            shadows,
            pale: if eruptions.is_empty() { [false; 9] } else { self.pale_around(map, cell, ground) },
            takes_ash: !eruptions.is_empty() && self.images(ground).shore.is_none(),
            ends: Direction::SIDES.map(|side| !map.size().contains(cell + side)),
            eruptions: eruptions.into(),
        })
    }

    fn pale_around(&self, map: &Map, cell: Cell, ground: TerrainId) -> [bool; 9] {
        let steps = [-1, 0, 1];
        let cells = steps.map(|dy| steps.map(|dx| cell + (dx, dy)));
        let pale = cells.map(|row| row.map(|near| self.images(base(map, near).unwrap_or(ground)).pale));
        std::array::from_fn(|k| pale[k / 3][k % 3])
    }

    /// The tile of a key: straight alpha, as large as the [ground](TileMetrics::ground_size), to stand where that begins in the
    /// cell's tile image. What lies outside the cell's own diamond is empty, so that tiles never overlap; but where the
    /// map ends the tile reaches as far as its ground is drawn.
    pub fn shading_image(&self, assets: &TileImages, key: &ShadingKey) -> RgbaImage {
        let colour = Colour::tables();
        let Diamond { tile: measures, pixels } = &self.diamond;
        let ((left, top), (width, height)) = (measures.ground_corner(), measures.ground_size());
        let mut tile = RgbaImage::new(width as u32, height as u32);
        for (spot, _) in pixels.iter().filter(|(_, cell)| key.is_own(*cell)) {
            let mut pixel = shadow_at(assets, key.shadows.iter().copied(), spot.at);
            if !key.eruptions.is_empty() {
                pixel = encode(self.eruptions_at(key, spot, decode(pixel, colour)), colour);
            }
            tile.put_pixel((spot.at.0 - left) as u32, (spot.at.1 - top) as u32, pixel);
        }
        tile
    }

    /// Light and ash over what already lies on a spot.
    fn eruptions_at(&self, key: &ShadingKey, spot: &Spot, below: Veil) -> Veil {
        let (x, y) = spot.cells;
        let (across, down) = self.diamond.tile.half_step();
        let pale = key.pale_at(x, y);
        let seen = key.eruptions.iter().filter_map(|&(terrain, dx, dy)| {
            let (dx, dy) = (i32::from(dx), i32::from(dy));
            let cells = (x - f64::from(dx), y - f64::from(dy));
            let pixels = (spot.pixels.0 - across * (dx + dy), spot.pixels.1 - down * (dy - dx));
            Some((self.images(terrain).eruption?, Spot { cells, pixels, ..*spot }))
        });
        let strength = seen.clone().map(|(eruption, spot)| eruption.strength(spot.cells.0.hypot(spot.cells.1))).sum();
        if key.takes_ash {
            let lit = below.under(glow(strength, pale));
            seen.fold(lit, |veil, (eruption, spot)| veil.under(eruption.ash(&spot, pale)))
        } else {
            // Water throws back less.
            below.under(glow(strength * 0.6, pale))
        }
    }

    /// Linear factors of red, green and blue for the standing image of `cell` in the full look: it warms up in the light
    /// of an eruption, whose volcano itself keeps its own colours. More than 1 is possible, and clamped in the result.
    pub fn tint(&self, map: &Map, cell: Cell) -> [f32; 3] {
        let mut strength = 0.0;
        for (terrain, (dx, dy)) in self.lights(map, cell) {
            if (dx, dy) == (0, 0) {
                return [1.0; 3];
            }
            let eruption = self.images(terrain).eruption;
            strength += eruption.map_or(0.0, |eruption| eruption.strength(f64::from(dx).hypot(f64::from(dy))));
        }
        tint(strength)
    }

    /// Every cell whose shade or tint may change when the terrain of `cell` does.
    pub fn shading_affected_by(&self, size: Size, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        // One more, because the neighbours of a cell that joins change their shadows too.
        super::square(size, cell, self.reach.farthest + 1)
    }

    /// Draws the shadow of a figure with its feet at so many columns and rows into an image of the shadow's size: only as
    /// much as makes the ground as dark as the darker of it and the shadows of what stands, and nothing off the map.
    pub fn figure_shadow(&self, assets: &TileImages, map: &Map, shadow: ImageId, feet: (f64, f64), to: &mut RgbaImage) {
        let (source, projection) = (assets.image(shadow), projection(map));
        let (left, top) = projection.tile().align_image(projection.corner_at(feet), source.dimensions());
        for (i, j, pixel) in to.enumerate_pixels_mut() {
            let dark = source.get_pixel_checked(i, j).copied().unwrap_or(Rgba([0; 4]));
            let (x, y) = (left + i as i32, top + j as i32);
            let cell = projection.cell_at((f64::from(x) + 0.5, f64::from(y) + 0.5)).filter(|_| dark.0[3] > 0);
            *pixel = cell.map_or(Rgba([0; 4]), |cell| {
                let corner = projection.corner(cell);
                let at = (x - corner.0, y - corner.1);
                let there = f64::from(shadow_at(assets, self.shadows_on(map, cell), at).0[3]) / 255.0;
                let more = 1.0 - (1.0 - f64::from(dark.0[3]) / 255.0) / (1.0 - there.min(0.99));
                Rgba([dark.0[0], dark.0[1], dark.0[2], (more.max(0.0) * 255.0).round() as u8])
            });
        }
    }

    /// The shadows that fall on the ground of `cell`.
    fn shadows_on(&self, map: &Map, cell: Cell) -> impl Iterator<Item = Shadow> {
        self.reach.casters.iter().filter_map(move |&(dx, dy)| {
            let shadow = self.shadow(map, cell + (dx, dy))?;
            let falls = self.reach.shadows[shadow.index()].contains(&(-dx, -dy));
            falls.then_some((shadow, dx as i8, dy as i8))
        })
    }

    fn shadow(&self, map: &Map, cell: Cell) -> Option<ImageId> {
        let image = self.standing(map, Look::Full, cell).first()?;
        self.shadows[image.index()]
    }

    /// The volcanoes that may light some of the ground of `cell`, with their columns and rows from there.
    fn lights(&self, map: &Map, cell: Cell) -> impl Iterator<Item = (TerrainId, (i32, i32))> {
        self.reach.lights.iter().filter_map(move |&(dx, dy)| {
            let at = cell + (dx, dy);
            let terrain = overlay(map, at).filter(|terrain| self.images(*terrain).eruption.is_some())?;
            Some((terrain, (dx, dy)))
        })
    }
}

impl ShadingKey {
    /// Whether a spot that lies in a cell so many columns and rows away is this cell's to shade.
    fn is_own(&self, cell: Cell) -> bool {
        let [north, east, south, west] = self.ends;
        let beyond = |way: i32, before: bool, after: bool| way == 0 || if way < 0 { before } else { after };
        beyond(cell.x, west, east) && beyond(cell.y, north, south)
    }

    /// How pale the ground is so many columns and rows from the middle of the cell: softly from cell to cell.
    fn pale_at(&self, x: f64, y: f64) -> f64 {
        let at = |dx: f64, dy: f64| f64::from(u8::from(self.pale[(4.0 + dx + 3.0 * dy) as usize]));
        let (dx, dy) = (x.signum(), y.signum());
        let (across, down) = (x.abs(), y.abs());
        let row = |dy: f64| at(0.0, dy) * (1.0 - across) + at(dx, dy) * across;
        row(0.0) * (1.0 - down) + row(dy) * down
    }
}

/// The ground of a cell, pixel by pixel.
pub(super) struct Diamond {
    tile: TileMetrics,
    /// Every pixel of the ground that is drawn in a cell, with the cell in whose own diamond it lies.
    pixels: Vec<(Spot, Cell)>,
}

impl Diamond {
    pub(super) fn new(tile: TileMetrics) -> Self {
        let alone = Projection::new(Size::new(1, 1), tile);
        let ((left, top), (width, height), ground) = (tile.ground_corner(), tile.ground_size(), tile.ground_centre());
        let reach = f64::from(tile.half_step().0) + 1.5 * f64::from(tile.overlap());
        let all = (0..height).flat_map(|j| (0..width).map(move |i| (i + left, j + top)));
        let drawn = |at: (i32, i32)| {
            let point = (f64::from(at.0) + 0.5, f64::from(at.1) + 0.5);
            let (across, down) = (point.0 - f64::from(ground.0), point.1 - f64::from(ground.1));
            let is_drawn = across.abs() + 2.0 * down.abs() <= reach;
            let pixels = (at.0 - ground.0, at.1 - ground.1);
            let spot = Spot { at, cells: alone.position_at(point), pixels, tile };
            alone.unbounded_cell_at(point).filter(|_| is_drawn).map(|cell| (spot, cell))
        };
        Self { tile, pixels: all.filter_map(drawn).collect() }
    }
}

/// The darkest of the shadows on a pixel, measured from the corner of the cell's tile image.
fn shadow_at(assets: &TileImages, shadows: impl Iterator<Item = Shadow>, at: (i32, i32)) -> Rgba<u8> {
    let tile = assets.tile();
    let (across, down) = tile.half_step();
    let pixels = shadows.filter_map(|(shadow, dx, dy)| {
        let image = assets.image(shadow);
        let (dx, dy) = (i32::from(dx), i32::from(dy));
        let (left, top) = tile.align_image((across * (dx + dy), down * (dy - dx)), image.dimensions());
        let (x, y) = (u32::try_from(at.0 - left).ok()?, u32::try_from(at.1 - top).ok()?);
        image.get_pixel_checked(x, y)
    });
    pixels.max_by_key(|pixel| pixel.0[3]).copied().unwrap_or(Rgba([0; 4]))
}

fn decode(Rgba([r, g, b, a]): Rgba<u8>, colour: &Colour) -> Veil {
    Veil::new([r, g, b].map(|code| f64::from(colour.linear(code))), f64::from(a) / 255.0)
}

fn encode(veil: Veil, colour: &Colour) -> Rgba<u8> {
    let cover = (veil.cover * 255.0).round() as u8;
    if cover == 0 {
        return Rgba([0; 4]);
    }
    let [r, g, b] = veil.light.map(|light| colour.encode((light / veil.cover) as f32));
    Rgba([r, g, b, cover])
}

/// The columns and rows to all cells on whose ground an image, standing in cell 0,0, has a pixel.
fn cells_under(image: &RgbaImage, tile: TileMetrics) -> Vec<(i32, i32)> {
    let alone = Projection::new(Size::new(1, 1), tile);
    let (left, top) = tile.align_image((0, 0), image.dimensions());
    let drawn = image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] > 0);
    let mut cells: Vec<_> = drawn
        .filter_map(|(i, j, _)| {
            let point = (f64::from(left) + f64::from(i) + 0.5, f64::from(top) + f64::from(j) + 0.5);
            alone.unbounded_cell_at(point).map(|cell| (cell.x, cell.y))
        })
        .collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The columns and rows to all cells some of whose ground is nearer than `radius` cells.
fn within(radius: f64) -> Vec<(i32, i32)> {
    let most = radius.ceil() as i32;
    let around = (-most..=most).flat_map(|dy| (-most..=most).map(move |dx| (dx, dy)));
    let gap = |d: i32| (f64::from(d.abs()) - 0.5).max(0.0);
    around.filter(|(dx, dy)| gap(*dx).hypot(gap(*dy)) < radius).collect()
}
