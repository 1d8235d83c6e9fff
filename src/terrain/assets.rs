//! The images of a tileset, decoded and ready to draw.

use std::collections::HashMap;
use std::path::Path;
use std::thread;

use image::RgbaImage;
use tracing::info;

use super::files::Files;
use super::names::{Wanted, wanted};
use super::png::decode;
use super::tileset::Tileset;
use crate::fault::{Collector, Faults};

/// An image of [`Assets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageId(pub u16);

impl ImageId {
    /// Where it stands in [`Assets::images`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All the images that a tileset asks for; the same files give the same ids.
///
/// In each, pixels of exactly (255, 0, 255) and of alpha 0 have become transparent; transparent pixels beside drawn
/// ones have their colour, so that no fringe shows where a picture is made smaller.
#[derive(Clone, Debug, PartialEq)]
pub struct Assets {
    images: Vec<RgbaImage>,
    names: Vec<String>,
    /// By name in small letters.
    by_name: HashMap<String, ImageId>,
    shadows: Vec<Option<ImageId>>,
    seconds: Vec<Option<ImageId>>,
}

/// What became of one wanted image: `None` if there is none, or the image and whether it is the folder's own.
type Loaded = Result<Option<(RgbaImage, bool)>, String>;

impl Assets {
    /// Reads the images of `tileset` from `folder` (and its `tiles`), and from the program itself those that are not
    /// there; says at `info` how many.
    ///
    /// ```
    /// use emberwalk::terrain::{Assets, Tileset};
    /// let assets = Assets::load(&Tileset::load(None)?, None)?;
    /// let grass = assets.find("L1_Terrain001").unwrap();
    /// assert_eq!(assets.image(grass).dimensions(), (54, 54));
    /// # Ok::<(), emberwalk::fault::Faults>(())
    /// ```
    ///
    /// # Errors
    /// Every image that is missing, has a wrong size or is no PNG, each where the tileset names it.
    pub fn load(tileset: &Tileset, folder: Option<&Path>) -> Result<Self, Faults> {
        let files = Files::open(folder)?;
        let wanted = wanted(tileset);
        let (file, source) = tileset.written();
        let mut faults = Collector::new(file, source);
        let mut assets = Self {
            images: Vec::new(),
            names: Vec::new(),
            by_name: HashMap::new(),
            shadows: Vec::new(),
            seconds: Vec::new(),
        };
        let mut borrowed = 0;
        for (wanted, loaded) in wanted.iter().zip(load_all(&wanted, &files, tileset)) {
            match loaded {
                Ok(Some((image, own))) => {
                    borrowed += usize::from(!own);
                    assets.add(&wanted.name, image);
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
                Err(message) => {
                    faults.add(
                        mention(source, &wanted.written),
                        format!("{} {message}", files.title(&wanted.name)),
                        None,
                    );
                }
            }
        }
        if assets.images.len() > usize::from(u16::MAX) {
            faults.add(mention(source, "terrains"), "more than 65535 images", None);
        }
        faults.finish()?;
        if let Some(folder) = files.folder().filter(|_| borrowed > 0) {
            let own = assets.images.len() - borrowed;
            info!("{own} images are from {}, {borrowed} others are the embedded ones", folder.display());
        }
        assets.relate();
        Ok(assets)
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

    /// The image called `name` (without ending), in whatever case.
    pub fn find(&self, name: &str) -> Option<ImageId> {
        self.by_name.get(&name.to_lowercase()).copied()
    }

    /// The shadow that is drawn with an image: the one called after it with `_sh`.
    pub fn shadow(&self, id: ImageId) -> Option<ImageId> {
        self.shadows[id.index()]
    }

    /// The second shape of an edge's or shore's image: the one called after it with `b`.
    pub fn second(&self, id: ImageId) -> Option<ImageId> {
        self.seconds[id.index()]
    }

    fn add(&mut self, name: &str, image: RgbaImage) {
        // More than fit are a fault that `load` reports.
        self.by_name.insert(name.to_lowercase(), ImageId(self.images.len() as u16));
        self.images.push(image);
        self.names.push(name.into());
    }

    fn relate(&mut self) {
        self.shadows = self.names.iter().map(|name| self.find(&format!("{name}_sh"))).collect();
        self.seconds = self.names.iter().map(|name| self.find(&format!("{name}b"))).collect();
    }
}

/// Loads every image, in the order of `wanted`, on all processors: decoding is most of the program's start.
fn load_all(wanted: &[Wanted], files: &Files, tileset: &Tileset) -> Vec<Loaded> {
    let load = |wanted: &Wanted| -> Loaded {
        let Some(read) = files.png(&wanted.name) else { return Ok(None) };
        let (bytes, own) = read.map_err(|error| format!("cannot be read: {error}"))?;
        Ok(Some((decode(&bytes, wanted.fits, tileset.tile())?, own)))
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let parts = wanted.chunks(wanted.len().div_ceil(threads).max(1));
        let workers: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(load).collect::<Vec<_>>())).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("decoding does not panic")).collect()
    })
}

/// Where the tileset's text first writes `name`.
fn mention<'a>(source: &'a str, name: &str) -> &'a str {
    let quoted = format!("\"{name}\"");
    source.find(&quoted).map_or(&source[..0], |at| &source[at..at + quoted.len()])
}
