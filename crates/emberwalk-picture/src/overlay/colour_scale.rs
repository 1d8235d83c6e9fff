//! A colour scale on which equal steps look equal, with every kind of colour vision.

/// Colours in Oklch, evenly spaced along the scale: lightness, chroma, and hue in degrees.
const STOPS: [[f32; 3]; 3] = [[0.27, 0.11, 300.0], [0.62, 0.115, 190.0], [0.93, 0.18, 104.0]];

/// The sRGB colour at `share` of the scale, from dark violet through teal to yellow. `share` is clamped to 0..=1.
///
/// Lightness grows evenly in Oklab (Björn Ottosson, "A perceptual color space for image processing", 2020), so that the
/// scale can be read without seeing hues.
///
/// ```
/// let light = |share| emberwalk_picture::overlay::scale_colour(share).iter().map(|code| u32::from(*code)).sum::<u32>();
/// assert!(light(0.0) < light(0.5) && light(0.5) < light(1.0));
/// ```
pub fn scale_colour(share: f32) -> [u8; 3] {
    let last = STOPS.len() - 1;
    let along = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) * last as f32 };
    let stop = (along as usize).min(last - 1);
    let part = along - stop as f32;
    let [lightness, chroma, hue] = std::array::from_fn(|k| STOPS[stop][k] * (1.0 - part) + STOPS[stop + 1][k] * part);
    let (b, a) = hue.to_radians().sin_cos();
    srgb_of_oklab(lightness, chroma * a, chroma * b)
}

fn srgb_of_oklab(lightness: f32, a: f32, b: f32) -> [u8; 3] {
    let cubed = |x: f32| x * x * x;
    let l = cubed(lightness + 0.396_337_78 * a + 0.215_803_76 * b);
    let m = cubed(lightness - 0.105_561_346 * a - 0.063_854_17 * b);
    let s = cubed(lightness - 0.089_484_18 * a - 1.291_485_5 * b);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(|linear| {
        let linear = linear.clamp(0.0, 1.0);
        let code = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
        (code * 255.0).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_lighter_than_the_one_before() {
        let luminance = |k: u8| {
            let [r, g, b] = scale_colour(f32::from(k) / 32.0).map(f32::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        for k in 0..32 {
            assert!(luminance(k) + 1.0 < luminance(k + 1), "at {k}: {} and {}", luminance(k), luminance(k + 1));
        }
    }

    #[test]
    fn shares_off_the_scale_are_clamped() {
        assert_eq!([scale_colour(-1.0), scale_colour(f32::NAN)], [scale_colour(0.0); 2]);
        assert_eq!(scale_colour(7.0), scale_colour(1.0));
    }
}
