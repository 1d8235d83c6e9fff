//! The shading of a cell's ground as one translucent tile: shadows, ash, sunlight on hills, and the light of eruptions.
//!
//! Shadows and light extend over many cells. They are cut into tiles of one diamond each, which a tilemap can draw, and
//! which never darken the same ground twice.

use image::{Rgba, RgbaImage};

use super::eruption::{Eruption, glow, tint};
use super::ground_pixels::GroundPixel;
use super::hill_light::{self, HillLight};
use super::layers::Scene;
use super::linear_light::{PremultipliedColour, SrgbTables};
use super::look::Look;
use super::warming::Warming;
use crate::tiles::ImageId;
use emberwalk_map::Layers;
use emberwalk_map::terrain::TerrainId;
use emberwalk_path::grid::{Cell, Direction};

/// Everything that determines the shading of a cell: cells with equal keys have the same tile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShadingKey {
    /// The shadow images on the cell, with the offsets in columns and rows to the cells that cast them.
    shadows: Box<[Shadow]>,
    /// The volcanoes that light the cell, with the offsets to them.
    eruptions: Box<[(TerrainId, i8, i8)]>,
    /// The sunlight on a cell near higher or lower cells.
    hills: Option<HillLight>,
    /// Whether the ground is pale on the cell and its eight neighbours, row by row; all false without an eruption.
    pale: [bool; 9],
    /// Whether ash stays on the ground; it sinks in water.
    takes_ash: bool,
    /// How near an announced eruption is, if this is the shading of the ground before it.
    warming: Option<Warming>,
    /// Whether the cell is at the northern, eastern, southern and western edge of the map or its terrace.
    at_edge: [bool; 4],
}

/// A shadow image on a cell, with the offset in columns and rows to the cell that casts it.
type Shadow = (ImageId, i8, i8);

impl Scene {
    /// The key of the shading of `cell` in the full look; `None` if there is no shadow and no light.
    pub fn shading_key(&self, map: &Layers, cell: Cell) -> Option<ShadingKey> {
        let ground = map.base_id(cell).filter(|_| self.look == Look::Full)?;
        let shadows: Box<[Shadow]> = self.shadows_on(map, cell).collect();
        let eruptions: Vec<_> = self.nearby_volcanoes(map, cell, |terrain| self.erupting(terrain)).collect();
        let hills = HillLight::around(map, cell);
        (!shadows.is_empty() || !eruptions.is_empty() || hills.is_some()).then(|| ShadingKey {
            shadows,
            hills,
            pale: if eruptions.is_empty() { [false; 9] } else { self.pale_around(map, cell, ground) },
            takes_ash: !eruptions.is_empty() && self.terrain(ground).shore.is_none(),
            warming: None,
            at_edge: at_edge(map, cell),
            eruptions: eruptions.into(),
        })
    }

    /// The key of the [shading](Self::shading_image) that an announced eruption adds to the ground of `cell`, above its own;
    /// `None` beyond its reach, on water, and in the classic look.
    pub fn warming_key(&self, map: &Layers, cell: Cell, warming: Warming) -> Option<ShadingKey> {
        let ground = map.base_id(cell).filter(|_| self.look == Look::Full)?;
        let eruptions: Box<[_]> = self.nearby_volcanoes(map, cell, |terrain| map.tileset().erupted(terrain)).collect();
        let is_warm = !eruptions.is_empty() && self.terrain(ground).shore.is_none();
        is_warm.then(|| ShadingKey {
            shadows: Box::default(),
            eruptions,
            hills: None,
            pale: self.pale_around(map, cell, ground),
            takes_ash: true,
            warming: Some(warming),
            at_edge: at_edge(map, cell),
        })
    }

    fn pale_around(&self, map: &Layers, cell: Cell, ground: TerrainId) -> [bool; 9] {
        std::array::from_fn(|k| {
            let near = cell + (k as i32 % 3 - 1, k as i32 / 3 - 1);
            self.is_pale(map.base_id(near).unwrap_or(ground))
        })
    }

    /// The tile of a key: straight alpha, with the size of the [ground](emberwalk_map::terrain::TileMetrics::ground_size),
    /// to be drawn at the corner of the ground in the tile image of the cell. Pixels outside the diamond of the cell
    /// are transparent, so that tiles never overlap; at the edge of the map or of a terrace the tile covers all ground
    /// that is drawn.
    pub fn shading_image(&self, key: &ShadingKey) -> RgbaImage {
        let tables = SrgbTables::get();
        let (left, top) = self.images.tile().ground_corner();
        let (width, height) = self.images.tile().ground_size();
        let mut tile = RgbaImage::new(width as u32, height as u32);
        let shadows: Vec<_> = key.shadows.iter().map(|shadow| self.placed(*shadow)).collect();
        for (ground, _) in self.ground_pixels.iter().filter(|(_, cell)| key.covers(*cell)) {
            let mut pixel = shadow_at(&shadows, ground.in_tile);
            if let Some(hills) = &key.hills {
                let hill = hills.shadow_at(ground.cells);
                // Where two shadows overlap, the ground is as dark as in the darker one.
                if hill.0[3] > pixel.0[3] {
                    pixel = hill;
                }
                hills.add_rim(ground.cells, &mut pixel, tables);
            }
            if !key.eruptions.is_empty() {
                let below = PremultipliedColour::from_srgb(pixel, tables);
                pixel = self.add_volcanoes(key, ground, below).to_srgb(tables);
            }
            tile.put_pixel((ground.in_tile.0 - left) as u32, (ground.in_tile.1 - top) as u32, pixel);
        }
        tile
    }

    /// Adds the light and the ash of volcanoes to the shading of a pixel, or the cracks and the slush before they erupt.
    fn add_volcanoes(&self, key: &ShadingKey, pixel: &GroundPixel, below: PremultipliedColour) -> PremultipliedColour {
        let pale = key.paleness_at(pixel.cells.0, pixel.cells.1);
        let from_volcanoes = self.relative_to_volcanoes(key, pixel);
        if let Some(warming) = key.warming {
            let heat = warming.heat();
            return from_volcanoes
                .fold(below, |colour, (eruption, pixel)| colour.under(eruption.cracks(&pixel, pale, heat)));
        }
        let strengths =
            from_volcanoes.clone().map(|(eruption, pixel)| eruption.strength(pixel.cells.0.hypot(pixel.cells.1)));
        let strength = strengths.sum();
        if key.takes_ash {
            let lit = below.under(glow(strength, pale));
            from_volcanoes.fold(lit, |colour, (eruption, pixel)| colour.under(eruption.ash(&pixel, pale)))
        } else {
            // Water reflects less.
            below.under(glow(strength * 0.6, pale))
        }
    }

    /// The same pixel, measured from each volcano of a key.
    fn relative_to_volcanoes<'a>(
        &'a self,
        key: &'a ShadingKey,
        pixel: &'a GroundPixel,
    ) -> impl Iterator<Item = (Eruption, GroundPixel)> + Clone + 'a {
        let (x, y) = pixel.cells;
        let (right, down) = self.images.tile().half_step();
        key.eruptions.iter().filter_map(move |&(terrain, dx, dy)| {
            let dx = i32::from(dx);
            let dy = i32::from(dy);
            let cells = (x - f64::from(dx), y - f64::from(dy));
            let pixels = (pixel.pixels.0 - right * (dx + dy), pixel.pixels.1 - down * (dy - dx));
            Some((self.terrain(terrain).eruption?, GroundPixel { cells, pixels, ..*pixel }))
        })
    }

    /// Linear factors of red, green and blue for the standing image of `cell` in the full look: the light of an
    /// eruption makes it warmer, but a volcano keeps its own colours. Factors may be greater than 1; the results are
    /// clamped.
    pub fn tint(&self, map: &Layers, cell: Cell) -> [f32; 3] {
        let mut strength = 0.0;
        for (terrain, dx, dy) in self.nearby_volcanoes(map, cell, |terrain| self.erupting(terrain)) {
            if (dx, dy) == (0, 0) {
                return [1.0; 3];
            }
            let eruption = self.terrain(terrain).eruption;
            strength += eruption.map_or(0.0, |eruption| eruption.strength(f64::from(dx).hypot(f64::from(dy))));
        }
        tint(strength)
    }

    /// How far from a changed cell other cells may look different, in columns and rows.
    pub fn reach_of_changes(&self) -> i32 {
        // One cell beyond the reach, because neighbours that join may change their shadows too.
        self.shading_reach.max_offset.max(hill_light::REACH) + 1
    }

    /// The shadows on the ground of `cell`.
    fn shadows_on(&self, map: &Layers, cell: Cell) -> impl Iterator<Item = Shadow> {
        self.shading_reach.casters.iter().filter_map(move |&(dx, dy)| {
            let shadow = self.shadow(*self.standing(map, cell + (dx, dy)).first()?)?;
            let covers = self.shading_reach.shadows[shadow.index()].contains(&(-dx, -dy));
            covers.then_some((shadow, dx as i8, dy as i8))
        })
    }

    /// A shadow image with its corner, relative to the tile image of the cell on which it lies.
    fn placed(&self, (shadow, dx, dy): Shadow) -> PlacedShadow<'_> {
        let tile = self.images.tile();
        let (right, down) = tile.half_step();
        let image = self.images.image(shadow);
        let (dx, dy) = (i32::from(dx), i32::from(dy));
        (image, tile.align_image((right * (dx + dy), down * (dy - dx)), image.dimensions()))
    }

    /// A terrain, if it erupts.
    fn erupting(&self, terrain: TerrainId) -> Option<TerrainId> {
        self.terrain(terrain).eruption.map(|_| terrain)
    }

    /// The volcanoes that may light part of the ground of `cell`, with the offsets to them: overlays of which `erupted`
    /// knows the terrain that shines.
    fn nearby_volcanoes(
        &self,
        map: &Layers,
        cell: Cell,
        erupted: impl Fn(TerrainId) -> Option<TerrainId>,
    ) -> impl Iterator<Item = (TerrainId, i8, i8)> {
        self.shading_reach.light_sources.iter().filter_map(move |&(dx, dy)| {
            let terrain = erupted(map.overlay_id(cell + (dx, dy))?)?;
            Some((terrain, dx as i8, dy as i8))
        })
    }
}

impl ShadingKey {
    /// Whether the tile of this cell covers a pixel in the diamond of the cell at `offset`: its own diamond, and
    /// diamonds beyond the edge of the map or its terrace.
    fn covers(&self, offset: Cell) -> bool {
        let [north, east, south, west] = self.at_edge;
        let covers = |offset: i32, before: bool, after: bool| offset == 0 || if offset < 0 { before } else { after };
        covers(offset.x, west, east) && covers(offset.y, north, south)
    }

    /// The paleness of the ground, 0 to 1, at `x` columns and `y` rows from the centre of the cell, interpolated
    /// between the cells.
    fn paleness_at(&self, x: f64, y: f64) -> f64 {
        let at = |dx: f64, dy: f64| f64::from(u8::from(self.pale[(4.0 + dx + 3.0 * dy) as usize]));
        let dx = x.signum();
        let dy = y.signum();
        let across = x.abs();
        let down = y.abs();
        let row = |dy: f64| at(0.0, dy) * (1.0 - across) + at(dx, dy) * across;
        row(0.0) * (1.0 - down) + row(dy) * down
    }
}

/// Whether the cell is at the northern, eastern, southern and western edge of the map or its terrace.
fn at_edge(map: &Layers, cell: Cell) -> [bool; 4] {
    Direction::SIDES.map(|side| !map.size().contains(cell + side) || map.level(cell) != map.level(cell + side))
}

/// A shadow image with its corner, relative to the tile image of the cell on which it lies.
type PlacedShadow<'a> = (&'a RgbaImage, (i32, i32));

/// The darkest of the shadows at a pixel of the cell's tile image.
fn shadow_at(shadows: &[PlacedShadow<'_>], at: (i32, i32)) -> Rgba<u8> {
    let pixels = shadows.iter().filter_map(|(image, (left, top))| {
        let x = u32::try_from(at.0 - left).ok()?;
        let y = u32::try_from(at.1 - top).ok()?;
        image.get_pixel_checked(x, y)
    });
    pixels.max_by_key(|pixel| pixel.0[3]).copied().unwrap_or(Rgba([0; 4]))
}
