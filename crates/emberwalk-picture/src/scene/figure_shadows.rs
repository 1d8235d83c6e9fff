//! The shadows of figures. Where several meet, the ground is as dark as under the darkest of them alone.

use std::collections::HashMap;

use image::RgbaImage;

use super::footing::Footing;
use crate::tiles::{ImageId, TileImages};

/// The shadow of a figure, and the shadows that were drawn before it and overlap it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FigureShadow {
    image: ImageId,
    /// The earlier shadows, with the distance from their top left corners to the corner of this shadow, in pixels.
    met: Vec<(ImageId, (i32, i32))>,
}

/// Shadows with their top left corners.
type Placed = Vec<(ImageId, (i32, i32))>;

impl FigureShadow {
    /// The shadows of figures that are drawn one after another, each an image with its footing. O(n) unless many stand
    /// in the same place.
    pub fn of(images: &TileImages, shadows: &[(ImageId, Footing)]) -> Vec<Self> {
        let size = |image: ImageId| images.image(image).dimensions();
        let (widest, tallest) =
            shadows.iter().fold((1, 1), |most, (image, _)| (most.0.max(size(*image).0), most.1.max(size(*image).1)));
        let mut near: HashMap<(i32, i32), Placed> = HashMap::new();
        let shadow = |&(image, footing): &(ImageId, Footing)| {
            let (width, height) = size(image);
            let (x, y) = images.tile().align_image(footing.corner, (width, height));
            let block = (x.div_euclid(widest as i32), y.div_euclid(tallest as i32));
            let blocks = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (block.0 + right, block.1 + down)));
            let earlier = blocks.filter_map(|block| near.get(&block)).flatten();
            let met = earlier.filter_map(|&(other, corner)| {
                let by = (x - corner.0, y - corner.1);
                overlap(images.image(image), images.image(other), by).then_some((other, by))
            });
            let mut met: Vec<_> = met.collect();
            // The order does not matter, and equal shadows share an image.
            met.sort_unstable_by_key(|(image, by)| (*by, images.name(*image)));
            near.entry(block).or_default().push((image, (x, y)));
            Self { image, met }
        };
        shadows.iter().map(shadow).collect()
    }

    /// The image of the whole shadow.
    pub fn image(&self) -> ImageId {
        self.image
    }

    /// Whether it meets no shadow that was drawn before.
    pub fn is_whole(&self) -> bool {
        self.met.is_empty()
    }

    /// The part of this shadow that earlier shadows do not already darken.
    pub fn draw(&self, images: &TileImages) -> RgbaImage {
        let mut added = images.image(self.image).clone();
        for (x, y, pixel) in added.enumerate_pixels_mut() {
            let before = self.met.iter().map(|(image, by)| alpha(images.image(*image), (x, y), *by)).max().unwrap_or(0);
            let (own, before) = (f32::from(pixel.0[3]) / 255.0, f32::from(before) / 255.0);
            if before > 0.0 {
                let missing = if own > before { (own - before) / (1.0 - before) } else { 0.0 };
                pixel.0[3] = (missing * 255.0).round() as u8;
            }
        }
        added
    }
}

/// The alpha of another image at a pixel of this image, if their corners are this far apart.
fn alpha(other: &RgbaImage, (x, y): (u32, u32), by: (i32, i32)) -> u8 {
    let at = (x.checked_add_signed(by.0), y.checked_add_signed(by.1));
    let (Some(x), Some(y)) = at else { return 0 };
    other.get_pixel_checked(x, y).map_or(0, |pixel| pixel.0[3])
}

/// Whether a pixel of one image lies on a pixel of the other.
fn overlap(image: &RgbaImage, other: &RgbaImage, by: (i32, i32)) -> bool {
    let is_apart = by.0.unsigned_abs() >= image.width().max(other.width())
        || by.1.unsigned_abs() >= image.height().max(other.height());
    let meets = |(x, y, pixel): (u32, u32, &image::Rgba<u8>)| pixel.0[3] > 0 && alpha(other, (x, y), by) > 0;
    !is_apart && image.enumerate_pixels().any(meets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SrgbTables;
    use emberwalk_map::terrain::Tileset;
    use image::Rgba;

    /// Draws shadows at these places on white ground.
    fn drawn(images: &TileImages, shadows: &[(ImageId, Footing)]) -> RgbaImage {
        let mut ground = RgbaImage::from_pixel(200, 120, Rgba([255; 4]));
        for (shadow, (image, footing)) in FigureShadow::of(images, shadows).iter().zip(shadows) {
            let added = shadow.draw(images);
            let at = images.tile().align_image(footing.corner, images.image(*image).dimensions());
            SrgbTables::get().draw(&mut ground, &added, at, None);
        }
        ground
    }

    #[test]
    fn shadows_that_meet_are_as_dark_as_the_darkest() {
        let tileset = Tileset::load(None).unwrap();
        let images = TileImages::load(&tileset, None).unwrap();
        let [person, cart] = ["L4_Traveller_sh", "L4_Cart_sh"].map(|name| images.find(name).unwrap());
        let at = |corner| Footing { on: (0, 0).into(), corner };
        let shadows = [
            (person, at((60, 30))),
            (cart, at((69, 32))),
            (person, at((60, 30))),
            (person, at((140, 60))),
            (person, at((55, 33))),
        ];
        let together = drawn(&images, &shadows);
        let alone: Vec<_> = shadows.iter().map(|shadow| drawn(&images, &[*shadow])).collect();
        for (x, y, pixel) in together.enumerate_pixels() {
            for k in 0..3 {
                let darkest = alone.iter().map(|picture| picture.get_pixel(x, y).0[k]).min().unwrap();
                assert!(pixel.0[k].abs_diff(darkest) <= 2, "{pixel:?} instead of {darkest} at {x},{y}");
            }
        }
        let merged = FigureShadow::of(&images, &shadows);
        assert_eq!(merged.iter().map(FigureShadow::is_whole).collect::<Vec<_>>(), [true, false, false, true, false]);
    }
}
