//! The zoom of a picture: whole multiples without a filter, or fractions by averaging.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use image::{Rgba, RgbaImage, imageops};

use crate::scene::SrgbTables;

/// The size of a picture relative to zoom 1.
///
/// ```
/// use emberwalk_picture::paint::PictureZoom;
/// let half: PictureZoom = "1/2".parse().unwrap();
/// assert_eq!(half.scaled(1001), 501);
/// assert_eq!("3".parse::<PictureZoom>().unwrap().scaled(100), 300);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureZoom {
    times: u32,
    downscale: u32,
}

impl Default for PictureZoom {
    fn default() -> Self {
        Self { times: 1, downscale: 1 }
    }
}

impl PictureZoom {
    /// Every named zoom with its name.
    pub const NAMES: &[(&str, Self)] = &[
        ("1/4", Self { times: 1, downscale: 4 }),
        ("1/2", Self { times: 1, downscale: 2 }),
        ("1", Self { times: 1, downscale: 1 }),
        ("2", Self { times: 2, downscale: 1 }),
        ("3", Self { times: 3, downscale: 1 }),
        ("4", Self { times: 4, downscale: 1 }),
    ];

    /// The strongest reduction of a named zoom: how many pixels of the map become one, in each direction.
    pub(super) const MAX_DOWNSCALE: u32 = 4;

    /// The zoom at which this many pixels of the map become one, in each direction. It may have no name.
    pub(super) const fn reduced(downscale: u32) -> Self {
        Self { times: 1, downscale }
    }

    /// Scales a length at zoom 1, rounding up.
    pub fn scaled(self, length: u32) -> u32 {
        (length * self.times).div_ceil(self.downscale)
    }

    /// The length of a pixel of the picture in pixels at zoom 1.
    pub(super) fn pixel(self) -> f64 {
        f64::from(self.downscale) / f64::from(self.times)
    }

    /// The width of a drawn map pixel, in pixels, before the picture is reduced.
    pub(super) fn times(self) -> u32 {
        self.times
    }

    /// Assembles a picture from rows that `paint` paints before they are reduced. A reduced picture is painted in bands
    /// of `band` rows, which must be a multiple of the reduction.
    pub(super) fn in_bands(
        self,
        (width, height): (u32, u32),
        band: u32,
        paint: impl Fn(Range<u32>) -> RgbaImage,
    ) -> RgbaImage {
        if self.downscale == 1 {
            return paint(0..height);
        }
        let mut whole = RgbaImage::new(self.scaled(width), self.scaled(height));
        for top in (0..height).step_by(band as usize) {
            let reduced = self.reduce(paint(top..height.min(top + band)));
            imageops::replace(&mut whole, &reduced, 0, i64::from(top / self.downscale));
        }
        whole
    }

    /// Averages the squares of pixels that become one, in linear light. Pixels beyond the edge of the picture count as
    /// transparent.
    pub(super) fn reduce(self, picture: RgbaImage) -> RgbaImage {
        if self.downscale == 1 {
            return picture;
        }
        let (width, height) = picture.dimensions();
        RgbaImage::from_fn(width.div_ceil(self.downscale), height.div_ceil(self.downscale), |x, y| {
            self.average(&picture, (x * self.downscale, y * self.downscale))
        })
    }

    /// The average of the square with its top left pixel at `left` and `top`.
    fn average(self, picture: &RgbaImage, (left, top): (u32, u32)) -> Rgba<u8> {
        let downscale = self.downscale;
        let tables = SrgbTables::get();
        let mut sum = [0.0f32; 4];
        for (j, i) in (0..downscale).flat_map(|j| (0..downscale).map(move |i| (j, i))) {
            let Some(&Rgba([r, g, b, a])) = picture.get_pixel_checked(left + i, top + j) else {
                continue;
            };
            let alpha = f32::from(a) / 255.0;
            for (sum, code) in sum.iter_mut().zip([r, g, b]) {
                *sum += tables.linear(code) * alpha;
            }
            sum[3] += alpha;
        }
        let [r, g, b] = [sum[0], sum[1], sum[2]].map(|light| tables.encode(light / sum[3].max(f32::MIN_POSITIVE)));
        Rgba([r, g, b, (sum[3] * 255.0 / (downscale * downscale) as f32).round() as u8])
    }
}

/// The image at full size, half size or quarter size: the largest of them that fits into a width and a height. If none
/// fits, the quarter.
pub fn reduced_to_fit(image: &RgbaImage, (width, height): (u32, u32)) -> RgbaImage {
    let fits = |by: &u32| image.width().div_ceil(*by) <= width && image.height().div_ceil(*by) <= height;
    let downscale = [1, 2].into_iter().find(fits).unwrap_or(4);
    PictureZoom::reduced(downscale).reduce(image.clone())
}

impl fmt::Display for PictureZoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES.iter().find(|(_, zoom)| zoom == self).expect("every zoom has a name").0)
    }
}

impl FromStr for PictureZoom {
    type Err = UnknownZoom;

    fn from_str(name: &str) -> Result<Self, UnknownZoom> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, zoom)| *zoom).ok_or(UnknownZoom)
    }
}

/// The text is not a zoom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a zoom is one of 1/4, 1/2, 1, 2, 3, 4")]
pub struct UnknownZoom;

/// The picture with each pixel repeated, `times` in each direction.
pub(super) fn enlarge(picture: RgbaImage, times: u32) -> RgbaImage {
    if times == 1 {
        return picture;
    }
    RgbaImage::from_fn(picture.width() * times, picture.height() * times, |x, y| {
        *picture.get_pixel(x / times, y / times)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduced_picture_is_the_average_in_linear_light() {
        let picture =
            RgbaImage::from_fn(3, 2, |x, _| Rgba([if x == 0 { 255 } else { 0 }, 0, 0, if x == 2 { 0 } else { 255 }]));
        let half: PictureZoom = "1/2".parse().unwrap();
        let reduced = half.reduce(picture);
        assert_eq!(reduced.dimensions(), (2, 1));
        assert_eq!(*reduced.get_pixel(0, 0), Rgba([188, 0, 0, 255]), "half the light, not half the code");
        assert_eq!(reduced.get_pixel(1, 0).0[3], 0);
    }

    #[test]
    fn an_enlarged_picture_has_squares() {
        let picture = RgbaImage::from_fn(2, 2, |x, y| Rgba([x as u8, y as u8, 9, 255]));
        let large = enlarge(picture.clone(), 3);
        assert!(large.enumerate_pixels().all(|(x, y, pixel)| pixel == picture.get_pixel(x / 3, y / 3)));
    }
}
