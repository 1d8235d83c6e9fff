//! Notes on pictures whose walls are probably other ones than the user thinks.

use std::fmt;

use image::RgbImage;

use super::ends::{Ends, ends};
use super::{PictureQuery, PictureWalls};
use emberwalk_path::grid::Size;
use emberwalk_path::{Components, Corners, CostGrid, Diagonal, EntryCost, Moves, StepRules};

/// What the user may not expect of the walls of a picture. Displayed with advice for the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallHint {
    /// What it is, in words.
    pub reason: String,
    /// The walls to try instead.
    pub better: Option<PictureWalls>,
}

impl fmt::Display for WallHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match self.better {
            None => Ok(()),
            Some(PictureWalls { threshold: 0, inverted: false }) => f.write_str("; try it without `--invert`"),
            Some(PictureWalls { threshold: 0, inverted: true }) => f.write_str("; try `--invert`"),
            Some(PictureWalls { threshold, inverted: false }) => write!(f, "; try `--threshold {threshold}`"),
            Some(PictureWalls { threshold, inverted: true }) => write!(f, "; try `--invert --threshold {threshold}`"),
        }
    }
}

/// What is unusual about the walls of a picture: there are none, there is nothing else, or some pixels are nearly as
/// dark. `None` if all is well. A picture without pixels has nothing but walls.
///
/// The threshold to try is the one of [Otsu](https://en.wikipedia.org/wiki/Otsu%27s_method).
///
/// ```
/// use emberwalk_formats::picture::{PictureWalls, wall_hint};
/// use image::{Rgb, RgbImage};
/// let row = |reds: &'static [u8]| RgbImage::from_fn(reds.len() as u32, 1, |x, _| Rgb([reds[x as usize]; 3]));
/// let hint = |reds, threshold| wall_hint(&row(reds), PictureWalls { threshold, inverted: false });
/// let said = |reds| hint(reds, 0).map(|hint| hint.to_string());
/// assert_eq!(
///     said(&[34, 255]).unwrap(),
///     "no pixel is a wall: the lowest red is 34, and a wall has 0; try `--threshold 144`"
/// );
/// assert_eq!(hint(&[34, 255], 34), None);
/// assert_eq!(said(&[255, 255]).unwrap(), "no pixel is a wall, because all have a red of 255");
/// assert_eq!(
///     said(&[255, 200, 20, 0, 255]).unwrap(),
///     "2 pixels (40.0 %) are grey, neither as dark as a wall nor as light as the floor, so walls may have gaps; try \
///      `--threshold 109`"
/// );
/// ```
pub fn wall_hint(picture: &RgbImage, walls: PictureWalls) -> Option<WallHint> {
    let tones = walls.tones(picture);
    let used = |tone: &u8| tones[usize::from(*tone)] > 0;
    let (lowest, highest) = ((0..=u8::MAX).find(used).unwrap_or(u8::MAX), (0..=u8::MAX).rfind(used).unwrap_or(0));
    let is_wall = highest <= walls.threshold;
    // A picture without pixels has no red, and a picture of one colour has nothing that could be meant as a wall.
    if lowest >= highest {
        let which = if is_wall { "every" } else { "no" };
        let reason = format!("{which} pixel is a wall, because all have a red of {}", walls.red(highest));
        return Some(WallHint { reason, better: None });
    }
    let wall = match (walls.threshold, walls.inverted) {
        (0, _) => walls.red(0).to_string(),
        (threshold, false) => format!("at most {threshold}"),
        (threshold, true) => format!("at least {}", walls.red(threshold)),
    };
    let (least, most) = if walls.inverted { ("highest", "lowest") } else { ("lowest", "highest") };
    if is_wall {
        let highest = walls.red(highest);
        let reason = format!("every pixel is a wall: the {most} red is {highest}, and a wall has {wall}");
        return Some(WallHint { reason, better: None });
    }
    let threshold = otsu_threshold(&tones);
    let better = Some(PictureWalls { threshold, ..walls });
    if lowest > walls.threshold {
        let lowest = walls.red(lowest);
        let reason = format!("no pixel is a wall: the {least} red is {lowest}, and a wall has {wall}");
        return Some(WallHint { reason, better });
    }
    // The floor may be grey, too.
    let floor = (threshold + 1..=u8::MAX).max_by_key(|tone| tones[usize::from(*tone)]).unwrap_or(u8::MAX);
    let middle = lowest + (floor - lowest) / 2;
    let count = |range: &[u32]| range.iter().sum::<u32>();
    let first = usize::from(walls.threshold) + 1;
    // A user who has chosen a threshold half way to the floor needs no hint.
    if walls.threshold >= threshold.min(middle) || count(&tones[first..=usize::from(threshold)]) == 0 {
        return None;
    }
    let grey = count(&tones[first..usize::from(floor)]);
    let share = 100.0 * f64::from(grey) / f64::from(count(&tones));
    let [pixels, are] = if grey == 1 { ["pixel", "is"] } else { ["pixels", "are"] };
    let [dark, light] = if walls.inverted { ["light", "dark"] } else { ["dark", "light"] };
    let reason = format!(
        "{grey} {pixels} ({share:.1} %) {are} grey, neither as {dark} as a wall nor as {light} as the floor, so walls \
         may have gaps"
    );
    Some(WallHint { reason, better })
}

/// What is unusual about the walls of a picture: [`wall_hint`] if there is a path for `query`, otherwise [`no_path_hint`].
/// Takes time in O(pixels).
pub fn maze_hint(picture: &RgbImage, query: &PictureQuery) -> Option<WallHint> {
    if has_path(picture, query) { wall_hint(picture, query.walls) } else { no_path_hint(picture, query) }
}

/// What is unusual about the walls of a picture that has no path for `query`: mostly, that it would have one if its walls
/// were inverted. Otherwise like [`wall_hint`].
pub fn no_path_hint(picture: &RgbImage, query: &PictureQuery) -> Option<WallHint> {
    let hint = wall_hint(picture, query.walls);
    let has_floor = hint.as_ref().is_none_or(|hint| hint.better.is_some());
    if has_floor { inversion_hint(picture, query).or(hint) } else { hint }
}

fn inversion_hint(picture: &RgbImage, query: &PictureQuery) -> Option<WallHint> {
    let inverted = PictureWalls { threshold: 0, inverted: !query.walls.inverted };
    let better = wall_hint(picture, inverted).and_then(|hint| hint.better).unwrap_or(inverted);
    let light = if inverted.inverted { "light" } else { "dark" };
    let reason = format!("there would be a path if {light} pixels were walls");
    has_path(picture, &PictureQuery { walls: better, ..*query }).then_some(WallHint { reason, better: Some(better) })
}

/// Whether there is a path through a picture, which may cut corners.
fn has_path(picture: &RgbImage, query: &PictureQuery) -> bool {
    let size = Size::new(picture.width(), picture.height());
    let mut pixels = picture.pixels();
    let costs = |_| pixels.next().filter(|pixel| !query.walls.is_wall(**pixel)).map(|_| EntryCost::TILE);
    let Ok(grid) = CostGrid::from_fn(size, Diagonal::GAME, costs) else { return false };
    let Ok(Ends { from, to }) = ends(query, size, |cell| grid.is_passable(cell)) else { return false };
    let mut components = Components::new(StepRules::new(Moves::Eight, Corners::Always));
    components.update(&grid);
    components.are_connected(&grid, from, to)
}

/// The threshold that separates two groups of tones best, by Otsu's method: it maximises the variance between their
/// means. If all thresholds between two tones are as good, it is in their middle.
fn otsu_threshold(tones: &[u32; 256]) -> u8 {
    let all: f64 = tones.iter().map(|&count| f64::from(count)).sum();
    let sum: f64 = tones.iter().zip(0..).map(|(&count, tone)| f64::from(count) * f64::from(tone)).sum();
    let (mut below, mut sum_below) = (0.0, 0.0);
    let (mut best, mut first, mut last) = (0.0, 0, 0);
    for (tone, &count) in (0..u8::MAX).zip(tones) {
        below += f64::from(count);
        sum_below += f64::from(count) * f64::from(tone);
        if below == 0.0 || below == all {
            continue;
        }
        let difference = sum_below / below - (sum - sum_below) / (all - below);
        let variance = below * (all - below) * difference * difference;
        if variance > best {
            (best, first) = (variance, tone);
        }
        // Without pixels of this tone, nothing has changed.
        if variance == best {
            last = tone;
        }
    }
    first + (last - first) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_between_the_tones_of_walls_and_floor() {
        let threshold = |counts: &[(u8, u32)]| {
            let mut tones = [0; 256];
            counts.iter().for_each(|&(tone, count)| tones[usize::from(tone)] = count);
            otsu_threshold(&tones)
        };
        assert_eq!(threshold(&[(0, 30), (255, 70)]), 127);
        assert_eq!(threshold(&[(60, 30), (200, 70)]), 129);
        assert_eq!(threshold(&[(0, 1), (51, 50), (255, 45)]), 152, "dark grey walls with a black spot");
        assert_eq!(threshold(&[(0, 30), (100, 65), (255, 5)]), 49, "a dark floor with white spots");
        assert_eq!(threshold(&[(254, 1), (255, 1)]), 254);
    }
}
