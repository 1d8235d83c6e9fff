//! Blends in linear light, as a graphics card does with an sRGB target.

use std::sync::LazyLock;

use image::{Rgba, RgbaImage};

/// Tables to convert between 8-bit sRGB codes and linear light, 0 to 1.
pub(crate) struct SrgbTables {
    linear: [f32; 256],
    encoded: Vec<u8>,
}

/// The number of entries in the table of codes. Where the curve is steepest, an entry is a twentieth of a code.
const STEPS: usize = 1 << 16;

static TABLES: LazyLock<SrgbTables> = LazyLock::new(|| {
    // All entries up to halfway to the next code have the same code, so this computes one power per code instead of one
    // per entry.
    let mut encoded = Vec::with_capacity(STEPS + 1);
    for code in 0..u8::MAX {
        encoded.resize((decode(f64::from(code) + 0.5) * STEPS as f64).ceil() as usize, code);
    }
    encoded.resize(STEPS + 1, u8::MAX);
    SrgbTables { linear: std::array::from_fn(|code| decode(code as f64) as f32), encoded }
});

fn decode(code: f64) -> f64 {
    let code = code / 255.0;
    if code <= 0.040_45 { code / 12.92 } else { ((code + 0.055) / 1.055).powf(2.4) }
}

impl SrgbTables {
    /// The tables.
    pub(crate) fn get() -> &'static Self {
        &TABLES
    }

    /// The linear light of a code.
    pub(crate) fn linear(&self, code: u8) -> f32 {
        self.linear[usize::from(code)]
    }

    /// The code nearest to a linear light, which is clamped to 0 to 1.
    pub(crate) fn encode(&self, linear: f32) -> u8 {
        self.encoded[(linear.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as u32 as usize]
    }

    /// Blends `above` over `below`, both in straight alpha. Opaque and transparent pixels are copied exactly.
    pub(crate) fn blend(&self, below: &mut Rgba<u8>, above: Rgba<u8>) {
        match (above.0[3], below.0[3]) {
            (0, _) => {}
            (255, _) | (_, 0) => *below = above,
            (alpha, 255) => {
                let alpha = f32::from(alpha) / 255.0;
                for k in 0..3 {
                    let mixed = self.linear(above.0[k]) * alpha + self.linear(below.0[k]) * (1.0 - alpha);
                    below.0[k] = self.encode(mixed);
                }
            }
            (alpha, under) => {
                let alpha = f32::from(alpha) / 255.0;
                let under = f32::from(under) / 255.0;
                let under = under * (1.0 - alpha);
                for k in 0..3 {
                    let mixed = self.linear(above.0[k]) * alpha + self.linear(below.0[k]) * under;
                    below.0[k] = self.encode(mixed / (alpha + under));
                }
                below.0[3] = ((alpha + under) * 255.0).round() as u8;
            }
        }
    }

    /// A pixel with its light multiplied by linear factors.
    pub(crate) fn tinted(&self, pixel: Rgba<u8>, factors: [f32; 3]) -> Rgba<u8> {
        let [r, g, b, a] = pixel.0;
        let channel = |code: u8, factor: f32| self.encode(self.linear(code) * factor);
        Rgba([channel(r, factors[0]), channel(g, factors[1]), channel(b, factors[2]), a])
    }

    /// Draws `above` over `below` with its top left corner at `at`, clipped to `below`.
    pub(crate) fn draw(&self, below: &mut RgbaImage, above: &RgbaImage, at: (i32, i32), factors: Option<[f32; 3]>) {
        for_pixels_in_both(below, above, at, |below, above| match (above[3], factors) {
            (0, _) => {}
            (255, None) => *below = *above,
            (_, factors) => {
                let pixel = factors.map_or(Rgba(*above), |factors| self.tinted(Rgba(*above), factors));
                let mut mixed = Rgba(*below);
                self.blend(&mut mixed, pixel);
                *below = mixed.0;
            }
        });
    }

    /// Adds a linear light to a pixel.
    pub(crate) fn brightened(&self, pixel: Rgba<u8>, light: [f32; 3]) -> Rgba<u8> {
        let [r, g, b, a] = pixel.0;
        let channel = |code: u8, light: f32| self.encode(self.linear(code) + light);
        Rgba([channel(r, light[0]), channel(g, light[1]), channel(b, light[2]), a])
    }
}

/// Makes the pixels of `below` as transparent as `above`, with its top left corner at `at`, covers them.
pub(crate) fn erase(below: &mut RgbaImage, above: &RgbaImage, at: (i32, i32)) {
    for_pixels_in_both(below, above, at, |below, above| {
        let rest = u32::from(below[3]) * u32::from(255 - above[3]);
        below[3] = ((rest + 127) / 255) as u8;
    });
}

/// Calls a function for each pixel of `below` with the pixel of `above` over it, whose top left corner is at `at`.
fn for_pixels_in_both(
    below: &mut RgbaImage,
    above: &RgbaImage,
    at: (i32, i32),
    mut each: impl FnMut(&mut [u8; 4], &[u8; 4]),
) {
    let span = |at: i32, length: u32, room: u32| {
        (at.saturating_neg().clamp(0, length as i32), (room as i32).saturating_sub(at).clamp(0, length as i32))
    };
    let (left, right) = span(at.0, above.width(), below.width());
    let (top, bottom) = span(at.1, above.height(), below.height());
    if left >= right {
        return;
    }
    let wide = below.width() as usize * 4;
    let above_wide = above.width() as usize * 4;
    let start = (at.0 + left) as usize * 4;
    for row in top..bottom {
        let source = &above.as_raw()[row as usize * above_wide..][left as usize * 4..right as usize * 4];
        let target = &mut below.as_mut()[(at.1 + row) as usize * wide..][start..start + source.len()];
        let pixels = target.as_chunks_mut::<4>().0.iter_mut().zip(source.as_chunks::<4>().0);
        pixels.for_each(|(below, above)| each(below, above));
    }
}

/// A translucent colour in linear light, premultiplied by its alpha.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PremultipliedColour {
    light: [f64; 3],
    alpha: f64,
}

impl PremultipliedColour {
    /// Makes a colour from straight linear light and alpha, 0 to 1.
    pub(super) fn new(light: [f64; 3], alpha: f64) -> Self {
        let alpha = alpha.clamp(0.0, 1.0);
        Self { light: light.map(|light| light * alpha), alpha }
    }

    /// The colour of `above` blended over `self`.
    pub(super) fn under(self, above: Self) -> Self {
        let through = 1.0 - above.alpha;
        Self {
            light: std::array::from_fn(|k| above.light[k] + self.light[k] * through),
            alpha: above.alpha + self.alpha * through,
        }
    }

    pub(super) fn from_srgb(Rgba([r, g, b, a]): Rgba<u8>, tables: &SrgbTables) -> Self {
        Self::new([r, g, b].map(|code| f64::from(tables.linear(code))), f64::from(a) / 255.0)
    }

    pub(super) fn to_srgb(self, tables: &SrgbTables) -> Rgba<u8> {
        let alpha = (self.alpha * 255.0).round() as u8;
        if alpha == 0 {
            return Rgba([0; 4]);
        }
        let [r, g, b] = self.light.map(|light| tables.encode((light / self.alpha) as f32));
        Rgba([r, g, b, alpha])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_a_round_trip_through_linear_light() {
        let tables = SrgbTables::get();
        for code in 0..=255 {
            assert_eq!(tables.encode(tables.linear(code)), code);
        }
        assert_eq!([tables.encode(2.0), tables.encode(-1.0), tables.encode(f32::NAN)], [255, 0, 0]);
    }

    #[test]
    fn every_step_of_linear_light_has_the_nearest_code() {
        for step in 0..=STEPS {
            let linear = step as f64 / STEPS as f64;
            let code = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
            assert_eq!(SrgbTables::get().encode(linear as f32), (code * 255.0).round() as u8, "step {step}");
        }
    }

    #[test]
    fn half_of_black_on_white_is_bright() {
        let mut pixel = Rgba([255, 255, 255, 255]);
        SrgbTables::get().blend(&mut pixel, Rgba([0, 0, 0, 128]));
        assert_eq!(pixel, Rgba([187, 187, 187, 255]), "half the light, not half the code");
    }

    #[test]
    fn opaque_and_transparent_pixels_are_copied_exactly() {
        let tables = SrgbTables::get();
        for (below, above, expected) in [
            ([1, 2, 3, 255], [9, 8, 7, 255], [9, 8, 7, 255]),
            ([1, 2, 3, 255], [9, 8, 7, 0], [1, 2, 3, 255]),
            ([1, 2, 3, 0], [9, 8, 7, 40], [9, 8, 7, 40]),
        ] {
            let mut pixel = Rgba(below);
            tables.blend(&mut pixel, Rgba(above));
            assert_eq!(pixel, Rgba(expected));
        }
    }

    #[test]
    fn blending_two_colours_first_gives_the_same_as_one_after_the_other() {
        let tables = SrgbTables::get();
        let first = Rgba([20, 40, 60, 100]);
        let second = Rgba([250, 120, 30, 90]);
        let ground = Rgba([90, 160, 70, 255]);
        let mut both = first;
        tables.blend(&mut both, second);
        let mut once = ground;
        tables.blend(&mut once, both);
        let mut twice = ground;
        tables.blend(&mut twice, first);
        tables.blend(&mut twice, second);
        for k in 0..4 {
            assert!(once.0[k].abs_diff(twice.0[k]) <= 1, "{once:?} and {twice:?}");
        }
    }

    #[test]
    fn images_are_clipped() {
        let tables = SrgbTables::get();
        let stamp = RgbaImage::from_pixel(3, 3, Rgba([9, 9, 9, 255]));
        for (at, covered) in
            [((-2, -2), 1), ((0, 0), 9), ((3, 2), 2), ((4, 0), 0), ((-3, 0), 0), ((0, -90), 0), ((i32::MIN, 0), 0)]
        {
            let mut picture = RgbaImage::new(4, 4);
            tables.draw(&mut picture, &stamp, at, None);
            assert_eq!(picture.pixels().filter(|pixel| pixel.0[3] == 255).count(), covered, "{at:?}");
        }
    }
}
