//! A texture atlas that grows as images are added.

use std::collections::HashMap;
use std::hash::Hash;

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use image::RgbaImage;

/// An atlas of images of one size in rows. Each image is drawn once and has a key.
pub struct GrowingAtlas<K> {
    indices: HashMap<K, u32>,
    tile: UVec2,
    margin: u32,
    columns: u32,
    rows: u32,
    pixels: Vec<u8>,
    changed: bool,
    /// The number of images when it was uploaded for the first time after it had been cleared; 0 until then.
    refilled: u32,
    is_cleared: bool,
}

/// The maximum width and height of a texture in pixels, which every graphics device supports.
pub const MAX_SIDE: u32 = 8192;

/// The number of images in a row, unless they are too wide.
const MAX_COLUMNS: u32 = 36;

impl<K: Eq + Hash> GrowingAtlas<K> {
    /// Returns an empty atlas for images of `tile` pixels, each with `margin` clear pixels on every side. Of a higher
    /// image, only the lowest rows are used.
    pub fn new(tile: UVec2, margin: u32) -> Self {
        let columns = (MAX_SIDE / (tile.x + 2 * margin)).clamp(1, MAX_COLUMNS);
        let (indices, pixels) = (HashMap::new(), Vec::new());
        let mut atlas =
            Self { indices, tile, margin, columns, rows: 0, pixels, changed: true, refilled: 0, is_cleared: false };
        atlas.grow();
        atlas
    }

    /// Returns the index of an image, counted along rows; `draw` draws a new one. `None` for a new image if the atlas
    /// is full. It holds thousands of images (about a thousand of the widest tiles), more than all but random maps
    /// need.
    pub fn get_or_draw(&mut self, key: K, draw: impl FnOnce() -> RgbaImage) -> Option<u32> {
        if let Some(index) = self.indices.get(&key) {
            return Some(*index);
        }
        let next = self.indices.len() as u32;
        if self.remaining() == 0 {
            return None;
        }
        if next == self.columns * self.rows {
            self.grow();
        }
        self.indices.insert(key, next);
        self.copy(next, &draw());
        Some(next)
    }

    /// Returns the maximum number of images.
    pub fn capacity(&self) -> u32 {
        self.columns * (MAX_SIDE / self.pitch().y)
    }

    /// Returns the number of images that can still be added.
    pub fn remaining(&self) -> u32 {
        self.capacity() - self.indices.len() as u32
    }

    /// Removes all images; the texture keeps its size.
    pub fn clear(&mut self) {
        self.indices.clear();
        self.pixels.fill(0);
        self.is_cleared = true;
    }

    /// Whether it should be cleared: there is little room, and at least half of the images are not those that were
    /// drawn again at once after it had been cleared. So it is not cleared again and again where all images are needed.
    pub fn should_clear(&self) -> bool {
        self.remaining() < self.capacity() / 3 && self.indices.len() as u32 >= 2 * self.refilled
    }

    /// Returns the rectangle of an image in pixels.
    pub fn rect(&self, index: u32) -> Rect {
        let corner = self.corner(index).as_vec2();
        Rect::from_corners(corner, corner + self.tile.as_vec2())
    }

    /// Returns the texture if images were added since the last call.
    pub fn take_changed(&mut self) -> Option<Image> {
        if std::mem::take(&mut self.is_cleared) {
            self.refilled = self.indices.len() as u32;
        }
        std::mem::take(&mut self.changed).then(|| texture(self.size(), self.pixels.clone()))
    }

    /// Returns the size of an image with its margin, in pixels.
    pub fn pitch(&self) -> UVec2 {
        self.tile + 2 * self.margin
    }

    fn corner(&self, index: u32) -> UVec2 {
        UVec2::new(index % self.columns, index / self.columns) * self.pitch() + self.margin
    }

    /// Returns the size of the texture in pixels. The width never changes; the height doubles when the atlas grows.
    pub fn size(&self) -> UVec2 {
        UVec2::new(self.columns, self.rows) * self.pitch()
    }

    /// Doubles the number of rows, up to the maximum height.
    fn grow(&mut self) {
        self.rows = (self.rows * 2).clamp(1, MAX_SIDE / self.pitch().y);
        self.pixels.resize((self.size().element_product() * 4) as usize, 0);
    }

    fn copy(&mut self, index: u32, image: &RgbaImage) {
        let corner = self.corner(index);
        let stride = (self.size().x * 4) as usize;
        let row = (self.tile.x * 4) as usize;
        let pixels = image.as_raw();
        let used = &pixels[pixels.len() - row * self.tile.y as usize..];
        for (y, line) in used.chunks_exact(row).enumerate() {
            let start = (corner.y as usize + y) * stride + corner.x as usize * 4;
            self.pixels[start..start + row].copy_from_slice(line);
        }
        self.changed = true;
    }
}

/// Returns a texture of sRGB pixels with nearest-neighbour sampling.
pub fn texture(size: UVec2, pixels: Vec<u8>) -> Image {
    let extent = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
    // The pixels are moved to the renderer: nothing else reads them.
    let usage = RenderAssetUsages::RENDER_WORLD;
    let mut image = Image::new(extent, TextureDimension::D2, pixels, TextureFormat::Rgba8UnormSrgb, usage);
    image.sampler = ImageSampler::nearest();
    // `bevy_ecs_tilemap` would add the missing one in a later frame, and the texture would be uploaded again.
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST | TextureUsages::COPY_SRC;
    image
}
