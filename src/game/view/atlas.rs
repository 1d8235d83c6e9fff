//! A texture atlas that grows as images are added.

use std::collections::HashMap;
use std::hash::Hash;

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use image::RgbaImage;

use super::texture_rows::TextureRows;

/// An atlas of images of one size in rows. Each image is drawn once and has a key.
pub struct GrowingAtlas<K> {
    indices: HashMap<K, u32>,
    tile: UVec2,
    margin: u32,
    columns: u32,
    rows: u32,
    pixels: Vec<u8>,
    /// The first image that was added since the last upload.
    first_new: Option<u32>,
    /// The number of rows of the texture that was uploaded; 0 until then.
    uploaded_rows: u32,
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
        let mut atlas = Self {
            indices,
            tile,
            margin,
            columns,
            rows: 0,
            pixels,
            first_new: None,
            uploaded_rows: 0,
            refilled: 0,
            is_cleared: false,
        };
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
        self.first_new = None;
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

    /// Uploads the images that were added since the last call: to a new texture if the atlas has grown, else only the
    /// rows in which they are. Nothing else may change the texture.
    pub fn upload(&mut self, to: &Handle<Image>, images: &mut Assets<Image>, rows: &mut TextureRows) {
        if std::mem::take(&mut self.is_cleared) {
            self.refilled = self.indices.len() as u32;
        }
        let (size, first_new) = (self.size(), self.first_new.take());
        if self.uploaded_rows != self.rows {
            self.uploaded_rows = self.rows;
            // This cannot fail: the handle is reserved.
            let _ = images.insert(to.id(), texture(size, self.pixels.clone()));
        } else if let Some(first) = first_new {
            let last = self.indices.len() as u32 - 1;
            let [top, bottom] = [first / self.columns, last / self.columns + 1].map(|row| row * self.pitch().y);
            let [start, end] = [top, bottom].map(|y| (y * size.x * 4) as usize);
            rows.replace(to, size.x, top, self.pixels[start..end].to_vec());
        }
    }

    /// Whether an upload would change anything.
    pub fn is_changed(&self) -> bool {
        self.first_new.is_some() || self.uploaded_rows != self.rows
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
        self.first_new.get_or_insert(index);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The texture has all images after each upload, and only growing replaces all of it.
    #[test]
    fn uploads_bring_the_texture_up_to_date() {
        let mut atlas = GrowingAtlas::new(UVec2::new(4, 3), 1);
        let (mut images, mut rows) = (Assets::<Image>::default(), TextureRows::default());
        let (handle, mut texture, mut wholes) = (images.reserve_handle(), Vec::new(), 0);
        let colour = |key: u8| image::Rgba([key, key / 2, 7, 255]);
        for round in 0..60 {
            if round == 40 {
                atlas.clear();
            }
            for key in 0..=round * 4 {
                assert!(atlas.get_or_draw(key, || RgbaImage::from_pixel(4, 3, colour(key))).is_some());
            }
            atlas.upload(&handle, &mut images, &mut rows);
            assert!(!atlas.is_changed());
            if let Some(whole) = images.remove(&handle) {
                (texture, wholes) = (whole.data.unwrap(), wholes + 1);
            }
            rows.write_to(&mut texture);
            for (&key, &index) in &atlas.indices {
                let (UVec2 { x, y }, width) = (atlas.rect(index).max.as_uvec2() - 1, atlas.size().x);
                let last = 4 * (y * width + x) as usize;
                assert_eq!(texture[last..last + 4], colour(key).0, "image {key} in round {round}");
            }
        }
        assert_eq!(wholes, 1 + (atlas.uploaded_rows as f32).log2() as usize);
    }
}
