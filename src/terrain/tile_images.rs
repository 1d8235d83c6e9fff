//! The images of a tileset, decoded and ready to draw.

use std::collections::HashMap;
use std::path::Path;
use std::thread;

use image::RgbaImage;
use tracing::{debug, info};

use super::asset_files::Files;
use super::image_names::{Wanted, wanted};
use super::png::{Misfit, decode};
use super::scale::to_tile;
use super::tileset::Tileset;
use crate::diagnostics::{DiagnosticCollector, Diagnostics};
use crate::iso::TileMetrics;

/// An image of [`TileImages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageId(pub u16);

impl ImageId {
    /// Where it stands in [`TileImages::images`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All the images that a tileset asks for; the same files give the same ids.
///
/// In each, pixels of exactly (255, 0, 255) and of alpha 0 have become transparent; transparent pixels beside drawn
/// ones have their colour, so that no fringe shows where a picture is made smaller.
#[derive(Clone, Debug, PartialEq)]
pub struct TileImages {
    tile: TileMetrics,
    images: Vec<RgbaImage>,
    names: Vec<String>,
    in_tiles: Vec<bool>,
    /// Whether it is the folder's.
    own: Vec<bool>,
    /// By name in small letters.
    by_name: HashMap<String, ImageId>,
    shadows: Vec<Option<ImageId>>,
    seconds: Vec<Option<ImageId>>,
}

/// What became of one wanted image: `None` if there is none, or the image and whether it is the folder's own.
type Loaded = Result<Option<(RgbaImage, bool)>, Misfit>;

/// So many names are told where there are more.
const TOLD: usize = 5;

impl TileImages {
    /// Reads the images of `tileset` from `folder` (and its `tiles`), and from the program itself those that are not
    /// there, scaled where its tiles have another size; says at `info` how many and which.
    ///
    /// ```
    /// use emberwalk::terrain::{TileImages, Tileset};
    /// let assets = TileImages::load(&Tileset::load(None)?, None)?;
    /// let grass = assets.find("L1_Terrain001").unwrap();
    /// assert_eq!(assets.image(grass).dimensions(), (54, 54));
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every image that is missing, has a wrong size or is no PNG, each where the tileset names it.
    pub fn load(tileset: &Tileset, folder: Option<&Path>) -> Result<Self, Diagnostics> {
        Self::reload(tileset, folder, None)
    }

    /// The same, but nothing is said where the images are those of `before`.
    ///
    /// # Errors
    /// The same.
    pub fn reload(tileset: &Tileset, folder: Option<&Path>, before: Option<&Self>) -> Result<Self, Diagnostics> {
        let files = Files::open(folder)?;
        let wanted = wanted(tileset);
        let (file, source) = tileset.file_and_source();
        let mut faults = DiagnosticCollector::new(file, source);
        let mut assets = Self {
            tile: tileset.tile(),
            images: Vec::new(),
            names: Vec::new(),
            in_tiles: Vec::new(),
            own: Vec::new(),
            by_name: HashMap::new(),
            shadows: Vec::new(),
            seconds: Vec::new(),
        };
        let mut borrowed = Vec::new();
        for (wanted, loaded) in wanted.iter().zip(load_all(&wanted, &files, tileset)) {
            match loaded {
                Ok(Some((image, own))) => {
                    borrowed.extend((!own).then_some(wanted.name.as_str()));
                    assets.add(wanted, image, own);
                }
                Ok(None) if wanted.required => {
                    let help = format!("draw {}.png, or take the name out of the tileset", wanted.name);
                    faults.add(
                        mention(source, &wanted.written),
                        format!("there is no image {}.png", wanted.name),
                        help,
                    );
                }
                Ok(None) => {}
                Err(Misfit { message, help }) => {
                    let title = files.title(&wanted.name);
                    let message = format!("{title} {message}");
                    faults.add_for_file(title, mention(source, &wanted.written), message, help);
                }
            }
        }
        if assets.images.len() > usize::from(u16::MAX) {
            faults.add(mention(source, "terrains"), "more than 65535 images", None);
        }
        faults.finish()?;
        assets.relate();
        if let Some(folder) = files.folder().filter(|_| before != Some(&assets)) {
            assets.tell(folder, &borrowed);
            let unasked = files.unasked(|name| assets.by_name.contains_key(name));
            let unasked: Vec<_> = unasked.map(|path| path.display().to_string()).collect();
            if !unasked.is_empty() {
                info!("the tileset asks for no image called {}", listed(&unasked));
            }
        }
        Ok(assets)
    }

    /// Says where the images are from.
    fn tell(&self, folder: &Path, borrowed: &[&str]) {
        let (own, folder) = (self.images.len() - borrowed.len(), folder.display());
        if borrowed.is_empty() {
            return info!("all {own} images are from {folder}");
        }
        let ((width, height), (classic_width, classic_height)) = (self.tile.size(), TileMetrics::CLASSIC.size());
        let scaled = if self.tile == TileMetrics::CLASSIC {
            String::new()
        } else {
            format!(", scaled from tiles of {classic_width} x {classic_height} to {width} x {height}")
        };
        let (others, names) = (borrowed.len(), listed(borrowed));
        info!("{own} images are from {folder}, {others} others are the embedded ones{scaled}: {names}");
        debug!("the embedded ones: {}", borrowed.join(", "));
    }

    /// The measures of tile images.
    pub fn tile(&self) -> TileMetrics {
        self.tile
    }

    /// The image of an id.
    pub fn image(&self, id: ImageId) -> &RgbaImage {
        &self.images[id.index()]
    }

    /// All images, by id.
    pub fn images(&self) -> &[RgbaImage] {
        &self.images
    }

    /// The name of an image, without ending, as the tileset writes it.
    pub fn name(&self, id: ImageId) -> &str {
        &self.names[id.index()]
    }

    /// Whether an image is the folder's own, not an embedded one.
    pub fn is_from_folder(&self, id: ImageId) -> bool {
        self.own[id.index()]
    }

    /// Whether an image is only ever a part of tiles: ground, a border, or what lies flat on the ground.
    pub fn is_only_in_tiles(&self, id: ImageId) -> bool {
        self.in_tiles[id.index()]
    }

    /// The image called `name` (without ending), in whatever case.
    pub fn find(&self, name: &str) -> Option<ImageId> {
        self.by_name.get(&name.to_lowercase()).copied()
    }

    /// The shadow that is drawn with an image: the one called after it with `_sh`. The folder's own image has no embedded
    /// one, which would be that of another thing; nor has it a second shape.
    pub fn shadow(&self, id: ImageId) -> Option<ImageId> {
        self.shadows[id.index()]
    }

    /// The second shape of an edge's or shore's image: the one called after it with `b`.
    pub fn second(&self, id: ImageId) -> Option<ImageId> {
        self.seconds[id.index()]
    }

    fn add(&mut self, wanted: &Wanted, image: RgbaImage, own: bool) {
        // More than fit are a fault that `load` reports.
        self.by_name.insert(wanted.name.to_lowercase(), ImageId(self.images.len() as u16));
        self.images.push(image);
        self.names.push(wanted.name.clone());
        self.in_tiles.push(wanted.in_tiles);
        self.own.push(own);
    }

    fn relate(&mut self) {
        let with = |suffix: &str| {
            let other = |(name, own): (&String, &bool)| {
                self.find(&format!("{name}{suffix}")).filter(|other| !own || self.is_from_folder(*other))
            };
            self.names.iter().zip(&self.own).map(other).collect()
        };
        (self.shadows, self.seconds) = (with("_sh"), with("b"));
    }
}

/// Loads every image, in the order of `wanted`, on all processors: decoding is most of the program's start.
fn load_all(wanted: &[Wanted], files: &Files, tileset: &Tileset) -> Vec<Loaded> {
    let load = |wanted: &Wanted| -> Loaded {
        let Some(read) = files.png(&wanted.name) else { return Ok(None) };
        let (bytes, own) = read.map_err(|error| format!("cannot be read: {error}"))?;
        if own {
            return Ok(Some((decode(&bytes, wanted.fits, tileset.tile())?, own)));
        }
        let image = decode(&bytes, wanted.fits, TileMetrics::CLASSIC)?;
        Ok(Some((to_tile(image, wanted.fits, tileset.tile()), own)))
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let parts = wanted.chunks(wanted.len().div_ceil(threads).max(1));
        let workers: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(load).collect::<Vec<_>>())).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("decoding does not panic")).collect()
    })
}

/// The first of some names, and how many more there are.
fn listed(names: &[impl AsRef<str>]) -> String {
    let told: Vec<_> = names.iter().take(TOLD).map(AsRef::as_ref).collect();
    let more = names.len() - told.len();
    if more == 0 { told.join(", ") } else { format!("{} and {more} more", told.join(", ")) }
}

/// Where the tileset's text first writes `name`.
fn mention<'a>(source: &'a str, name: &str) -> &'a str {
    let quoted = format!("\"{name}\"");
    source.find(&quoted).map_or(&source[..0], |at| &source[at..at + quoted.len()])
}
