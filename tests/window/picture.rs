//! Compares a window with the painter's picture.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use image::{Rgb, RgbImage, Rgba, RgbaImage};

use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_picture::paint::{PaintOptions, margin, paint};
use emberwalk_picture::scene::{Background, BackgroundPart, Look, Scene, projection};
use emberwalk_picture::tiles::TileImages;

use crate::play::{Place, Play};
use crate::program::PATIENCE;

/// The maximum difference of a channel, in levels of 255.
const TOLERANCE: u8 = 2;

/// The colour around the map in the classic look.
const BACKDROP: [u8; 3] = [15, 17, 26];

/// The picture that is expected of a window.
pub struct Expected {
    picture: RgbaImage,
    margin: u32,
    look: Look,
    /// The surroundings of the map in the full look, and where they are.
    background: Option<(Background, Vec<BackgroundPart>)>,
    /// The zoom of the picture.
    zoom: u32,
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
    let tileset = Arc::new(Tileset::load(folder).unwrap_or_else(|errors| panic!("{errors}")));
    Map::open(Path::new(name), &tileset).unwrap_or_else(|errors| panic!("{errors}"))
}

impl Expected {
    /// The still picture of a map; `name` is for the files of a comparison that fails.
    pub fn embedded(map: &Map, look: Look, name: &str) -> Self {
        Self::with(map, None, look, name)
    }

    /// The same with the images of a folder.
    pub fn with(map: &Map, folder: Option<&Path>, look: Look, name: &str) -> Self {
        let tileset = map.tileset();
        let assets = TileImages::load(tileset, folder).unwrap_or_else(|errors| panic!("{errors}"));
        let picture = paint(map, &Scene::new(tileset, assets, look), &PaintOptions::default());
        Self::zoomed(map, picture, 1, look, name)
    }

    /// A picture that was painted at a larger zoom; its place has that zoom.
    pub fn zoomed(map: &Map, picture: RgbaImage, zoom: u32, look: Look, name: &str) -> Self {
        let background = (look == Look::Full).then(|| {
            let background = Background::new(projection(map));
            let around = background.parts_around_map().collect();
            (background, around)
        });
        let margin = margin(map.tileset().tile(), look) * zoom;
        Self { picture, margin, look, background, zoom, name: name.replace(['/', ' '], "-") }
    }

    /// The colour of the window behind the map, at a point of the picture without margin. There is no background under
    /// the ground: it is seen only where images leave gaps.
    fn behind(&self, (x, y): (f64, f64)) -> [f64; 3] {
        let (x, y) = (x / f64::from(self.zoom), y / f64::from(self.zoom));
        let is_around = |part: &BackgroundPart| {
            let (across, down) = (x - part.corner.0, y - part.corner.1);
            (0.0..part.size.0).contains(&across) && (0.0..part.size.1).contains(&down)
        };
        let background = self.background.as_ref().filter(|(_, around)| around.iter().any(is_around));
        background.map_or(BACKDROP, |(background, _)| background.colour((x, y))).map(to_linear)
    }

    /// Waits until the window shows it in this place.
    pub fn wait_for(&self, play: &Play, place: Place) {
        self.wait_until_right(play, place, |_| true, self.allowed(place));
    }

    /// Waits until the pixels of a part of the window that count show a [`zoomed`](Self::zoomed) picture, except for a
    /// share of the part's pixels.
    pub fn wait_for_part(
        &self,
        play: &Play,
        place: Place,
        [across, down]: [Range<u32>; 2],
        counts: impl Fn((i32, i32)) -> bool,
        allowed: f64,
    ) {
        let allowed = (across.len() * down.len()) as f64 * allowed;
        let is_inside =
            |(x, y): (i32, i32)| across.contains(&(x as u32)) && down.contains(&(y as u32)) && counts((x, y));
        self.wait_until_right(play, Place { zoom: 1.0, ..place }, is_inside, allowed as usize);
    }

    fn wait_until_right(&self, play: &Play, place: Place, counts: impl Fn((i32, i32)) -> bool, allowed: usize) {
        let end = Instant::now() + PATIENCE;
        loop {
            let seen = play.pixels();
            let mut wrong = self.wrong_pixels(&seen, place);
            wrong.retain(|wrong| counts(wrong.at));
            if wrong.len() <= allowed {
                return;
            }
            if Instant::now() >= end {
                self.fail(&seen, place, &wrong);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// The number of pixels that may be wrong.
    fn allowed(&self, place: Place) -> usize {
        let shown = self.picture.pixels().filter(|pixel| pixel.0[3] > 0).count() as f64 * place.zoom.min(1.0).powi(2);
        match self.look {
            Look::Plain => 0,
            Look::Full => (shown / 1000.0) as usize,
        }
    }

    /// The pixels that differ. Where the picture is transparent, the window must show what is behind it.
    fn wrong_pixels(&self, seen: &RgbImage, place: Place) -> Vec<Wrong> {
        let (width, height) = self.picture.dimensions();
        let shown = |corner: i32, side: u32, window: u32| {
            let edge = |at: f64| (f64::from(corner) + at * place.zoom).floor().clamp(0.0, f64::from(window)) as u32;
            edge(-f64::from(self.margin))..edge(f64::from(side - self.margin))
        };
        let (across, down) = (shown(place.corner.0, width, seen.width()), shown(place.corner.1, height, seen.height()));
        let mut wrong = Vec::new();
        for at in down.flat_map(|y| across.clone().map(move |x| (x, y))) {
            let (x, y) = (f64::from(at.0 as i32 - place.corner.0), f64::from(at.1 as i32 - place.corner.1));
            let (is, expected) = (seen[at], self.pixel((x, y), place.zoom));
            if is.0.iter().zip(expected.0).any(|(is, expected)| is.abs_diff(expected) > TOLERANCE) {
                wrong.push(Wrong { at: (at.0 as i32, at.1 as i32), is, expected });
            }
        }
        wrong
    }

    /// The pixel of a window with its top left corner at a point of the scaled picture: the mean of the part that it
    /// covers. A software driver leaves out pixels of the map where more than two in a row would be covered; this is
    /// exact for powers of two.
    fn pixel(&self, corner: (f64, f64), zoom: f64) -> Rgb<u8> {
        let step = (0..).map(|k| 2_i64.pow(k)).find(|step| *step as f64 * zoom * 2.0 > 1.0 - 1e-6).unwrap_or(1);
        let drawn = move |k: i64| k * step + (step / 2 - 1).max(0);
        let covered = |low: f64| {
            let (low, high) = (low / zoom / step as f64, (low + 1.0) / zoom / step as f64);
            let share = move |k: i64| (high.min((k + 1) as f64) - low.max(k as f64)).max(0.0) / (high - low);
            (low.floor() as i64..high.ceil() as i64).map(move |k| (drawn(k), share(k)))
        };
        // The pixels of the picture are magnified, but not what is behind them.
        let middle = |drawn: i64, low: f64| if zoom > 1.0 { (low + 0.5) / zoom } else { drawn as f64 + 0.5 };
        let mut mean = [0.0; 3];
        for ((y, height), (x, width)) in covered(corner.1).flat_map(|row| covered(corner.0).map(move |x| (row, x))) {
            let colour = self.blended((x, y), || self.behind((middle(x, corner.0), middle(y, corner.1))));
            (0..3).for_each(|k| mean[k] += colour[k] * width * height);
        }
        Rgb(mean.map(to_srgb))
    }

    /// A pixel of the picture, counted from the corner without margin, over what is behind it, in linear light.
    fn blended(&self, (x, y): (i64, i64), behind: impl Fn() -> [f64; 3]) -> [f64; 3] {
        let inside = |at: i64| u32::try_from(at + i64::from(self.margin)).ok();
        let pixel = inside(x).zip(inside(y)).and_then(|(x, y)| self.picture.get_pixel_checked(x, y));
        let Some(&Rgba([r, g, b, alpha])) = pixel else { return behind() };
        let (above, share) = ([r, g, b].map(to_linear), f64::from(alpha) / 255.0);
        match alpha {
            255 => above,
            0 => behind(),
            // The window stores the result in eight bits before it is averaged.
            _ => {
                let below = behind();
                std::array::from_fn(|k| to_linear(to_srgb(above[k] * share + below[k] * (1.0 - share))))
            }
        }
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
            self.allowed(place),
            is.0,
            expected.0,
            window.display(),
            painted.display(),
        )
    }
}

fn to_linear(level: u8) -> f64 {
    let level = f64::from(level) / 255.0;
    if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
}

fn to_srgb(light: f64) -> u8 {
    let level = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (level * 255.0).round() as u8
}
