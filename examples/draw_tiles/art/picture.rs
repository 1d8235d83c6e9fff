//! A picture of linear colours and a binary mask, and its conversion to an 8-bit image.

use super::vector::Vec3;
use image::{Rgba, RgbaImage};

/// The width and height of a tile in pixels.
pub const SIZE: usize = 54;
/// The transparent colour of the classic tile sets.
pub const MAGENTA: Rgba<u8> = Rgba([255, 0, 255, 255]);

#[derive(Clone)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub colour: Vec<Vec3>,
    pub mask: Vec<bool>,
    /// How brightly each pixel shines while its lamps are lit, 0 to 1. It is empty if nothing does.
    pub lamps: Vec<f64>,
}

/// The colour of lamps.
const LAMP: [u8; 3] = [255, 200, 90];

/// Whether pixel (i, j) of a tile is on its ground. The rows have 2, 6, 10 ... 54 pixels.
pub fn on_diamond(i: usize, j: usize) -> bool {
    let (x, y) = (i as f64 + 0.5 - 27.0, j as f64 + 0.5 - 40.0);
    x.abs() + 2.0 * y.abs() <= 27.5
}

impl Picture {
    pub fn empty(width: usize, height: usize) -> Picture {
        let n = width * height;
        Picture { width, height, colour: vec![Vec3::default(); n], mask: vec![false; n], lamps: Vec::new() }
    }

    /// Makes a ground tile: the whole diamond, with a colour for each pixel.
    pub fn diamond(colour: Vec<Vec3>) -> Picture {
        let mask = (0..SIZE * SIZE).map(|k| on_diamond(k % SIZE, k / SIZE)).collect();
        Picture { width: SIZE, height: SIZE, colour, mask, lamps: Vec::new() }
    }

    pub fn set(&mut self, i: usize, j: usize, colour: Vec3) {
        let k = j * self.width + i;
        (self.colour[k], self.mask[k]) = (colour, true);
    }

    /// Makes a pixel shine while its lamps are lit.
    pub fn shine(&mut self, i: usize, j: usize, lamp: f64) {
        self.lamps.resize(self.width * self.height, 0.0);
        self.lamps[j * self.width + i] = lamp;
    }

    /// The image of its lamps: how brightly they shine as the alpha of their colour. `None` if it has none.
    pub fn lamp_image(&self) -> Option<RgbaImage> {
        let [r, g, b] = LAMP;
        let pixel = |i: u32, j: u32| {
            let lamp = self.lamps[j as usize * self.width + i as usize];
            Rgba([r, g, b, ((lamp * 15.0).round() * 17.0) as u8])
        };
        (!self.lamps.is_empty()).then(|| RgbaImage::from_fn(self.width as u32, self.height as u32, pixel))
    }

    /// Draws an outline of one pixel.
    pub fn outlined(mut self, colour: Vec3) -> Picture {
        let near = neighbours(&self.mask, self.width, false);
        for (k, near) in near.into_iter().enumerate() {
            if near > 0 && !self.mask[k] {
                (self.colour[k], self.mask[k]) = (colour, true);
            }
        }
        self
    }

    /// Draws an outline of one pixel in the colours next to it, darkened. It is dark next to a pale coat, too, which
    /// would else blend with sand.
    pub fn outlined_locally(mut self) -> Picture {
        const DARKENED: f64 = 0.30;
        const LIGHTEST: f64 = 0.085;
        let (width, height) = (self.width as isize, self.height as isize);
        let inside = self.clone();
        for k in (0..self.mask.len()).filter(|&k| !inside.mask[k]) {
            let (i, j) = (k as isize % width, k as isize / width);
            let beside = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)];
            let beside = beside.into_iter().filter(|&(i, j)| (0..width).contains(&i) && (0..height).contains(&j));
            let set = beside.map(|(i, j)| (j * width + i) as usize).filter(|&k| inside.mask[k]);
            let (sum, count) = set.fold((Vec3::default(), 0.0), |(sum, n), k| (sum + inside.colour[k], n + 1.0));
            if count > 0.0 {
                let dark = sum * (DARKENED / count);
                (self.colour[k], self.mask[k]) = (dark * (LIGHTEST / dark.mean()).min(1.0), true);
            }
        }
        self
    }

    /// Converts to an image with each channel rounded to a multiple of `quantum`: fewer colours make smaller files.
    pub fn image(&self, quantum: f64) -> RgbaImage {
        let byte = |c: f64| {
            let srgb = c.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0;
            ((srgb / quantum).round() * quantum).min(255.0) as u8
        };
        RgbaImage::from_fn(self.width as u32, self.height as u32, |i, j| {
            let k = j as usize * self.width + i as usize;
            let c = self.colour[k];
            if self.mask[k] { Rgba([byte(c.x), byte(c.y), byte(c.z), 255]) } else { MAGENTA }
        })
    }
}

/// For each pixel, the number of its four neighbours that are set; pixels off the image count as `border`.
pub fn neighbours(mask: &[bool], width: usize, border: bool) -> Vec<u8> {
    let height = mask.len() / width;
    let at = |i: isize, j: isize| {
        let inside = i >= 0 && j >= 0 && i < width as isize && j < height as isize;
        u8::from(if inside { mask[j as usize * width + i as usize] } else { border })
    };
    (0..mask.len())
        .map(|k| {
            let (i, j) = ((k % width) as isize, (k / width) as isize);
            at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)
        })
        .collect()
}

/// The image of a shadow: the darkness, 0 to 1, as the alpha of a dark colour.
pub fn shadow_image(darkness: &[f64], width: usize) -> RgbaImage {
    RgbaImage::from_fn(width as u32, (darkness.len() / width) as u32, |i, j| {
        let a = darkness[j as usize * width + i as usize];
        Rgba([16, 20, 44, (a * 255.0).round() as u8])
    })
}
