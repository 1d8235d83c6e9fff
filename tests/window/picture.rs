//! Compares a window with the painter's picture.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use image::{Rgb, RgbImage, RgbaImage};

use emberwalk::map::Map;
use emberwalk::paint::{PaintOptions, margin, paint};
use emberwalk::scene::{Look, Scene};
use emberwalk::terrain::{TileImages, Tileset};

use crate::play::{Place, Play};

/// The maximum difference of a channel, in levels of 255.
const TOLERANCE: u8 = 2;

/// The maximum time until a window shows a picture.
const PATIENCE: Duration = Duration::from_secs(20);

/// The picture that is expected of a window.
pub struct Expected {
    picture: RgbaImage,
    margin: u32,
    look: Look,
    /// The name of the files that a failed comparison writes.
    name: String,
}

/// A pixel of a window that is not as expected.
struct Wrong {
    at: (i32, i32),
    is: Rgb<u8>,
    expected: Rgb<u8>,
}

/// A map by name or path.
pub fn map(name: &str) -> Map {
    map_of(name, None)
}

/// A map by name or path, with the tileset of a folder.
pub fn map_of(name: &str, folder: Option<&Path>) -> Map {
    let tileset = Arc::new(Tileset::load(folder).unwrap_or_else(|faults| panic!("{faults}")));
    Map::open(Path::new(name), &tileset).unwrap_or_else(|faults| panic!("{faults}"))
}

impl Expected {
    /// The still picture of a map; `name` is for the files of a comparison that fails.
    pub fn embedded(map: &Map, look: Look, name: &str) -> Self {
        Self::with(map, None, look, name)
    }

    /// The same with the images of a folder.
    pub fn with(map: &Map, folder: Option<&Path>, look: Look, name: &str) -> Self {
        let tileset = map.tileset();
        let assets = TileImages::load(tileset, folder).unwrap_or_else(|faults| panic!("{faults}"));
        let picture =
            paint(map, &Scene::new(tileset, &assets), &assets, &PaintOptions { look, ..PaintOptions::default() });
        Self { picture, margin: margin(tileset.tile(), look), look, name: name.replace(['/', ' '], "-") }
    }

    /// Waits until the window shows it in this place.
    pub fn wait_for(&self, play: &Play, place: Place) {
        let end = Instant::now() + PATIENCE;
        loop {
            let seen = play.pixels();
            let wrong = self.wrong_pixels(&seen, place);
            if wrong.len() <= self.allowed() {
                return;
            }
            if Instant::now() >= end {
                self.fail(&seen, place, &wrong);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Returns how many pixels may be wrong.
    fn allowed(&self) -> usize {
        match self.look {
            Look::Plain => 0,
            Look::Full => self.picture.pixels().filter(|pixel| pixel.0[3] > 0).count() / 1000,
        }
    }

    /// Returns the pixels that differ. Where the picture is transparent, the window must have the colour of its corner.
    fn wrong_pixels(&self, seen: &RgbImage, place: Place) -> Vec<Wrong> {
        let backdrop = seen[(0, 0)];
        let margin = self.margin as i32;
        let zoom = place.zoom as i32;
        let mut wrong = Vec::new();
        for (i, j, pixel) in self.picture.enumerate_pixels() {
            let expected = over(pixel.0, backdrop);
            let corner = (place.corner.0 + (i as i32 - margin) * zoom, place.corner.1 + (j as i32 - margin) * zoom);
            let spread = (0..zoom).flat_map(|dy| (0..zoom).map(move |dx| (corner.0 + dx, corner.1 + dy)));
            for at in spread {
                let Some(&is) = seen.get_pixel_checked(at.0 as u32, at.1 as u32) else { continue };
                if is.0.iter().zip(expected.0).any(|(is, expected)| is.abs_diff(expected) > TOLERANCE) {
                    wrong.push(Wrong { at, is, expected });
                }
            }
        }
        wrong
    }

    /// Fails, after saving the window and the picture to files.
    fn fail(&self, seen: &RgbImage, place: Place, wrong: &[Wrong]) -> ! {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
        let (window, painted) =
            (folder.join(format!("{}-window.png", self.name)), folder.join(format!("{}-painted.png", self.name)));
        seen.save(&window).expect("a picture can be saved");
        self.picture.save(&painted).expect("a picture can be saved");
        let Wrong { at, is, expected } = &wrong[0];
        panic!(
            "{} pixels differ, {} may; the first at {at:?} is {:?} instead of {:?}; the picture should be at {place:?}; \
             look at {} and {}",
            wrong.len(),
            self.allowed(),
            is.0,
            expected.0,
            window.display(),
            painted.display(),
        )
    }
}

/// Blends a colour of straight alpha over an opaque one, in linear light.
fn over([r, g, b, alpha]: [u8; 4], below: Rgb<u8>) -> Rgb<u8> {
    let share = f64::from(alpha) / 255.0;
    let mix = |above: u8, below: u8| match alpha {
        255 => above,
        0 => below,
        _ => to_srgb(to_linear(above) * share + to_linear(below) * (1.0 - share)),
    };
    Rgb([mix(r, below.0[0]), mix(g, below.0[1]), mix(b, below.0[2])])
}

fn to_linear(level: u8) -> f64 {
    let level = f64::from(level) / 255.0;
    if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
}

fn to_srgb(light: f64) -> u8 {
    let level = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (level * 255.0).round() as u8
}
