//! A texture of many small pictures that grows as pictures are asked for.

use std::collections::HashMap;
use std::hash::Hash;

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use image::RgbaImage;

/// Pictures of one size in rows, each drawn once and found again by its key.
pub struct GrowingAtlas<K> {
    places: HashMap<K, u32>,
    tile: UVec2,
    margin: u32,
    columns: u32,
    rows: u32,
    pixels: Vec<u8>,
    changed: bool,
}

/// The width and height at which a texture stops growing: what every graphics device takes.
pub const MAX_SIDE: u32 = 8192;

/// Pictures in a row, where so many are not too wide.
const COLUMNS: u32 = 36;

impl<K: Eq + Hash> GrowingAtlas<K> {
    /// An empty sheet for pictures of `tile` pixels, each with so many clear pixels around it.
    pub fn new(tile: UVec2, margin: u32) -> Self {
        let columns = (MAX_SIDE / (tile.x + 2 * margin)).clamp(1, COLUMNS);
        let (places, pixels) = (HashMap::new(), Vec::new());
        let mut sheet = Self { places, tile, margin, columns, rows: 0, pixels, changed: true };
        sheet.grow();
        sheet
    }

    /// The place of a picture, counted along rows; `draw` makes it where it is new. `None` for a new picture when the
    /// sheet is full: some thousand pictures (a thousand of the widest tiles), which only a map without any order needs.
    pub fn place(&mut self, key: K, draw: impl FnOnce() -> RgbaImage) -> Option<u32> {
        if let Some(place) = self.places.get(&key) {
            return Some(*place);
        }
        let next = self.places.len() as u32;
        if self.room() == 0 {
            return None;
        }
        if next == self.columns * self.rows {
            self.grow();
        }
        self.places.insert(key, next);
        self.copy(next, &draw());
        Some(next)
    }

    /// How many pictures it takes at most.
    pub fn most(&self) -> u32 {
        self.columns * (MAX_SIDE / self.pitch().y)
    }

    /// How many more pictures it takes.
    pub fn room(&self) -> u32 {
        self.most() - self.places.len() as u32
    }

    /// Forgets all pictures; the texture keeps its size.
    pub fn clear(&mut self) {
        self.places.clear();
        self.pixels.fill(0);
    }

    /// The rectangle of the picture at a place, in pixels.
    pub fn rect(&self, place: u32) -> Rect {
        let corner = self.corner(place).as_vec2();
        Rect::from_corners(corner, corner + self.tile.as_vec2())
    }

    /// What the texture is now, if it has not been asked for since the last new picture.
    pub fn changed(&mut self) -> Option<Image> {
        std::mem::take(&mut self.changed).then(|| texture(self.size(), self.pixels.clone()))
    }

    /// The pixels that a picture takes with the clear ones around it.
    pub fn pitch(&self) -> UVec2 {
        self.tile + 2 * self.margin
    }

    fn corner(&self, place: u32) -> UVec2 {
        UVec2::new(place % self.columns, place / self.columns) * self.pitch() + self.margin
    }

    /// Width and height of the texture in pixels: the width is always the same, the height doubles.
    pub fn size(&self) -> UVec2 {
        UVec2::new(self.columns, self.rows) * self.pitch()
    }

    /// Twice as many rows, within the height.
    fn grow(&mut self) {
        self.rows = (self.rows * 2).clamp(1, MAX_SIDE / self.pitch().y);
        self.pixels.resize((self.size().element_product() * 4) as usize, 0);
    }

    fn copy(&mut self, place: u32, picture: &RgbaImage) {
        let corner = self.corner(place);
        let stride = (self.size().x * 4) as usize;
        let row = (self.tile.x * 4) as usize;
        for (y, line) in picture.as_raw().chunks_exact(row).take(self.tile.y as usize).enumerate() {
            let at = (corner.y as usize + y) * stride + corner.x as usize * 4;
            self.pixels[at..at + row].copy_from_slice(line);
        }
        self.changed = true;
    }
}

/// A texture of sRGB pixels that is never filtered.
pub fn texture(size: UVec2, pixels: Vec<u8>) -> Image {
    let extent = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
    let usage = RenderAssetUsages::default();
    let mut image = Image::new(extent, TextureDimension::D2, pixels, TextureFormat::Rgba8UnormSrgb, usage);
    image.sampler = ImageSampler::nearest();
    image
}
