//! A texture atlas that grows as images are added.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use image::RgbaImage;

use super::texture_writes::TextureWrites;

/// An atlas of images of equal size in rows. Each image has a key and is drawn once. It keeps its place as long as
/// something holds it; afterwards another image may take the place.
pub(in crate::game) struct GrowingAtlas<K> {
    images: HashMap<K, AtlasImage>,
    /// The free places, in descending order.
    free: Vec<u32>,
    tile: UVec2,
    margin: u32,
    columns: u32,
    rows: u32,
    /// The images drawn since the last upload, by place.
    new: BTreeMap<u32, RgbaImage>,
    /// The texture with all other images, and its number of rows.
    uploaded: Option<(Handle<Image>, u32)>,
    /// Whether all places were held when they were last checked, and the atlas cannot grow.
    is_full: bool,
}

/// An image in an atlas. It keeps its place while this or a clone of it exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct AtlasImage(Arc<u32>);

impl AtlasImage {
    /// Its place in the atlas, counted along rows.
    pub fn index(&self) -> u32 {
        *self.0
    }
}

/// Keeps the image of a sprite in its place; `None` for an image that is in no atlas like this.
#[derive(Component, Default)]
pub(in crate::game) struct HeldImage(#[expect(dead_code, reason = "it is held, not read")] pub Option<AtlasImage>);

/// The maximum width and height of a texture in pixels, which every graphics device supports.
pub const MAX_SIDE: u32 = 8192;

/// The number of images in a row, unless they are too wide.
const MAX_COLUMNS: u32 = 36;

impl<K: Eq + Hash> GrowingAtlas<K> {
    /// Creates an empty atlas for images of `tile` pixels, each with `margin` clear pixels on every side. If an image
    /// is higher, only its lowest rows are used.
    pub fn new(tile: UVec2, margin: u32) -> Self {
        let columns = (MAX_SIDE / (tile.x + 2 * margin)).clamp(1, MAX_COLUMNS);
        Self {
            images: HashMap::default(),
            free: Vec::new(),
            tile,
            margin,
            columns,
            rows: 0,
            new: BTreeMap::new(),
            uploaded: None,
            is_full: false,
        }
    }

    /// The image of a key, which `draw` draws if it is new. `None` for a new image if the atlas is full of held images.
    /// It has room for thousands of tiles (about a thousand of the widest), more than any map needs except random ones.
    pub(in crate::game) fn get_or_draw(&mut self, key: K, draw: impl FnOnce() -> RgbaImage) -> Option<AtlasImage> {
        if let Some(image) = self.images.get(&key) {
            return Some(image.clone());
        }
        if self.free.is_empty() && !self.is_full {
            self.forget_unused();
            // It grows unless many images were freed, so that it rarely has to look for them.
            if self.free.len() <= self.places() / 8 && self.can_grow() {
                self.grow();
            }
        }
        let image = AtlasImage(Arc::new(self.free.pop()?));
        self.images.insert(key, image.clone());
        self.new.insert(image.index(), draw());
        Some(image)
    }

    /// The number of images that can be added before other images lose their places.
    fn remaining(&self) -> usize {
        self.capacity() - self.images.len()
    }

    fn capacity(&self) -> usize {
        (self.columns * self.max_rows()) as usize
    }

    /// Whether there is room for as many images again.
    pub(in crate::game) fn has_room_for_others(&self) -> bool {
        self.images.len() <= self.remaining()
    }

    /// Whether there will be little room even after an [`upload`](Self::upload).
    pub(in crate::game) fn is_nearly_full(&self) -> bool {
        self.remaining() < self.capacity() / 8
    }

    /// The rectangle of an image in pixels.
    pub(in crate::game) fn rect(&self, image: &AtlasImage) -> Rect {
        let corner = self.corner(image.index()).as_vec2();
        Rect::from_corners(corner, corner + self.tile.as_vec2())
    }

    /// Uploads the images that were added since the last call. If the atlas has grown, the renderer copies all other
    /// images to a larger texture. Nothing else may change the texture. Call this at most once per frame.
    pub(in crate::game) fn upload(
        &mut self,
        to: &Handle<Image>,
        images: &mut Assets<Image>,
        writes: &mut TextureWrites,
    ) {
        self.is_full = false;
        if self.new.is_empty() {
            return;
        }
        let uploaded = Some((to.clone(), self.rows));
        if self.uploaded != uploaded {
            let before = std::mem::replace(&mut self.uploaded, uploaded).map(|(texture, _)| texture);
            let mut larger = empty_texture(self.size(), TextureFormat::Rgba8UnormSrgb);
            larger.copy_on_resize = before.as_ref() == Some(to);
            // This cannot fail: the handle is reserved.
            let _ = images.insert(to.id(), larger);
            before.iter().filter(|before| *before != to).for_each(|before| writes.copy(before, to));
        }
        let new: Vec<_> = std::mem::take(&mut self.new).into_iter().collect();
        let is_next_to = |a: u32, b: u32| a + 1 == b && !b.is_multiple_of(self.columns);
        for strip in new.chunk_by(|(a, _), (b, _)| is_next_to(*a, *b)) {
            let (size, pixels) = self.strip(strip);
            writes.replace(to, self.corner(strip[0].0), size, pixels);
        }
        if self.remaining() < self.capacity() / 4 {
            self.forget_unused();
        }
    }

    /// Whether an upload would change anything.
    pub fn is_changed(&self) -> bool {
        !self.new.is_empty()
    }

    /// The size of an image with its margin, in pixels.
    pub(in crate::game) fn pitch(&self) -> UVec2 {
        self.tile + 2 * self.margin
    }

    fn corner(&self, index: u32) -> UVec2 {
        UVec2::new(index % self.columns, index / self.columns) * self.pitch() + self.margin
    }

    /// The size of the texture in pixels. The width never changes; the height doubles when the atlas grows.
    pub fn size(&self) -> UVec2 {
        UVec2::new(self.columns, self.rows) * self.pitch()
    }

    fn max_rows(&self) -> u32 {
        MAX_SIDE / self.pitch().y
    }

    fn can_grow(&self) -> bool {
        self.rows < self.max_rows()
    }

    /// The number of places for images, free or not.
    fn places(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// Doubles the number of rows, up to the maximum height.
    fn grow(&mut self) {
        let before = self.places();
        self.rows = (self.rows * 2).clamp(1, self.max_rows());
        self.free.extend(before as u32..self.places() as u32);
        self.free.sort_unstable_by_key(|place| std::cmp::Reverse(*place));
    }

    /// Frees the places of the images that nothing holds.
    fn forget_unused(&mut self) {
        let unused = self.images.extract_if(|_, image| Arc::strong_count(&image.0) == 1);
        self.free.extend(unused.map(|(_, image)| image.index()));
        self.free.sort_unstable_by_key(|place| std::cmp::Reverse(*place));
        self.is_full = self.free.is_empty() && !self.can_grow();
    }

    /// The size and the pixels of images in adjacent places, with the margins between them.
    fn strip(&self, images: &[(u32, RgbaImage)]) -> (UVec2, Vec<u8>) {
        let size = UVec2::new((images.len() as u32 - 1) * self.pitch().x, 0) + self.tile;
        let [stride, pitch, line] = [size.x, self.pitch().x, self.tile.x].map(|pixels| 4 * pixels as usize);
        let mut pixels = vec![0; stride * size.y as usize];
        for (k, (_, image)) in images.iter().enumerate() {
            debug_assert!(image.width() == self.tile.x && image.height() >= self.tile.y);
            let lines = image.as_raw().chunks_exact(line).rev();
            for (to, from) in pixels.chunks_exact_mut(stride).rev().zip(lines) {
                to[k * pitch..][..line].copy_from_slice(from);
            }
        }
        (size, pixels)
    }
}

/// A picture as a texture with nearest-neighbour sampling.
pub(in crate::game::drawing) fn texture(picture: RgbaImage) -> Image {
    texture_of(picture.dimensions().into(), picture.into_raw(), TextureFormat::Rgba8UnormSrgb)
}

/// Pixels in this format as a texture with nearest-neighbour sampling.
pub(in crate::game::drawing) fn texture_of(size: UVec2, pixels: Vec<u8>, format: TextureFormat) -> Image {
    Image { data: Some(pixels), ..empty_texture(size, format) }
}

/// A picture as a texture that is smooth at every size.
pub(in crate::game) fn smooth_texture(picture: RgbaImage) -> Image {
    Image { sampler: ImageSampler::linear(), ..texture(picture) }
}

/// Like [`texture`], without pixels. It is transparent, unless the renderer already has a texture of this size for its
/// handle, which is then kept.
fn empty_texture(size: UVec2, format: TextureFormat) -> Image {
    let extent = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
    // The pixels are moved to the renderer: nothing else reads them.
    let usage = RenderAssetUsages::RENDER_WORLD;
    let mut image = Image::new_uninit(extent, TextureDimension::D2, format, usage);
    image.sampler = ImageSampler::nearest();
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(key: u32) -> image::Rgba<u8> {
        image::Rgba([key as u8, (key >> 8) as u8, 7, 255])
    }

    /// After each upload, the texture contains all held images, and only growing replaces it.
    #[test]
    fn uploads_bring_the_texture_up_to_date() {
        let mut atlas = GrowingAtlas::new(UVec2::new(4, 3), 1);
        let mut images = Assets::<Image>::default();
        let mut writes = TextureWrites::default();
        let handle = images.reserve_handle();
        let mut texture = Vec::new();
        let mut growths = 0;
        let mut held = Vec::new();
        for round in 0..60 {
            let from = if round < 30 { 0 } else { 20 * (round - 30) };
            held = (from..=round * 24)
                .map(|key| (key, atlas.get_or_draw(key, || RgbaImage::from_pixel(4, 3, colour(key))).unwrap()))
                .collect();
            atlas.upload(&handle, &mut images, &mut writes);
            assert!(!atlas.is_changed());
            if let Some(larger) = images.remove(&handle) {
                // The renderer copies the old texture.
                assert_eq!(larger.copy_on_resize, round > 0);
                texture.resize(4 * larger.size().element_product() as usize, 0);
                growths += 1;
            }
            writes.write_to(&mut texture, atlas.size().x);
            for (key, image) in &held {
                let [min, max] = [atlas.rect(image).min, atlas.rect(image).max - 1.0];
                for corner in [min, max].map(|corner| corner.as_uvec2()) {
                    let at = 4 * (corner.y * atlas.size().x + corner.x) as usize;
                    assert_eq!(texture[at..at + 4], colour(*key).0, "image {key} in round {round}");
                }
            }
        }
        assert_eq!(growths, 1 + (atlas.rows as f32).log2() as usize);
        assert!(held.len() > 800);
    }

    /// Only images held at the same time make the atlas grow, not images that come and go.
    #[test]
    fn places_of_images_that_nothing_holds_are_used_again() {
        let mut atlas = GrowingAtlas::new(UVec2::new(4, 3), 0);
        let draw =
            |atlas: &mut GrowingAtlas<u32>, key| atlas.get_or_draw(key, || RgbaImage::from_pixel(4, 3, colour(key)));
        let mut held: std::collections::VecDeque<_> = (0..300).map(|key| draw(&mut atlas, key)).collect();
        for key in 300..20_000 {
            held.pop_front();
            held.push_back(draw(&mut atlas, key));
        }
        assert_eq!(atlas.places(), 576, "for 300 images");
        let indices: std::collections::HashSet<_> = held.iter().flatten().map(AtlasImage::index).collect();
        assert_eq!(indices.len(), 300);
    }

    #[test]
    fn a_full_atlas_has_room_again_once_images_are_dropped() {
        let mut atlas = GrowingAtlas::new(UVec2::new(4000, 2000), 0);
        let mut images = Assets::<Image>::default();
        let mut writes = TextureWrites::default();
        let handle = images.reserve_handle();
        let mut draw = |atlas: &mut GrowingAtlas<_>, key| {
            let image = atlas.get_or_draw(key, || RgbaImage::from_pixel(4000, 2000, colour(key)));
            atlas.upload(&handle, &mut images, &mut writes);
            image
        };
        let held: Vec<_> = (0..9).map(|key| draw(&mut atlas, key)).collect();
        assert!(held[..8].iter().all(Option::is_some) && held[8].is_none());
        drop(held);
        let mut draw_another = |key| atlas.get_or_draw(key, || RgbaImage::from_pixel(4000, 2000, colour(key)));
        assert!(draw_another(0).is_some(), "it is still there");
        assert!(draw_another(9).is_some(), "it has the place of another one");
    }
}
