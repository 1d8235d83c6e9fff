//! Finds out why a picture has no maze.

use std::fmt;

use image::RgbImage;

/// What is missing in a picture that has no walls, or nothing but walls. Displayed with advice for the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallHint {
    /// What is missing, in words.
    pub reason: String,
    /// The threshold that would make walls of the darkest pixels.
    pub threshold: Option<u8>,
}

impl fmt::Display for WallHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        self.threshold.map_or(Ok(()), |threshold| write!(f, "; try `--threshold {threshold}`"))
    }
}

/// What is missing if a picture has no walls, or nothing but walls; `None` if it has both. `threshold` is the highest red
/// of a wall. A picture without pixels has nothing but walls.
///
/// ```
/// use emberwalk_formats::picture::wall_hint;
/// use image::{Rgb, RgbImage};
/// let grey = RgbImage::from_fn(2, 1, |x, _| if x == 0 { Rgb([34; 3]) } else { Rgb([255; 3]) });
/// let hint = wall_hint(&grey, 0).unwrap();
/// assert_eq!(hint.reason, "no pixel is a wall: the lowest red is 34, and a wall has 0");
/// assert!(hint.to_string().ends_with("; try `--threshold 144`"));
/// assert_eq!(wall_hint(&grey, 34), None);
/// let white = RgbImage::from_pixel(2, 1, Rgb([255; 3]));
/// assert_eq!(wall_hint(&white, 0).unwrap().to_string(), "no pixel is a wall, because all have a red of 255");
/// ```
pub fn wall_hint(picture: &RgbImage, threshold: u8) -> Option<WallHint> {
    let (lowest, highest) = picture.pixels().fold((u8::MAX, 0), |(lowest, highest), pixel| {
        let red = pixel.0[0];
        (lowest.min(red), highest.max(red))
    });
    let is_wall = highest <= threshold;
    // A picture without pixels has no red, and a picture of one colour has nothing that could be meant as a wall.
    if lowest >= highest {
        let which = if is_wall { "every" } else { "no" };
        let reason = format!("{which} pixel is a wall, because all have a red of {highest}");
        return Some(WallHint { reason, threshold: None });
    }
    let wall = if threshold == 0 { "0".to_owned() } else { format!("at most {threshold}") };
    if is_wall {
        let reason = format!("every pixel is a wall: the highest red is {highest}, and a wall has {wall}");
        return Some(WallHint { reason, threshold: None });
    }
    if lowest <= threshold {
        return None;
    }
    // Blurred edges of walls are brighter than the walls.
    let middle = lowest + (highest - lowest) / 2;
    let reason = format!("no pixel is a wall: the lowest red is {lowest}, and a wall has {wall}");
    Some(WallHint { reason, threshold: Some(middle) })
}
