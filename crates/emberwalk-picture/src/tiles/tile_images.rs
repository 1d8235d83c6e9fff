//! Loads the images of a tileset, ready to draw.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use image::{Rgba, RgbaImage};
use rayon::prelude::*;
use tracing::{debug, info};

use super::image_names::{NeededImage, needed_images};
use super::png::{ImageError, decode};
use super::reflection::{REFLECTION_OFFSETS, reflection};
use super::scale::{lower_edge, scale_to_tile};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics, counted, listed, read_error};
use emberwalk_map::terrain::{AssetFiles, Layer, Terrain, TileMetrics, Tileset};
use emberwalk_map::threads;
use emberwalk_path::grid::Direction;

/// The id of an image in [`TileImages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageId(pub u16);

impl ImageId {
    /// Its index in [`TileImages::images`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All images of a tileset. The same files always give the same ids.
///
/// Pixels of exactly (255, 0, 255) and of alpha 0 are transparent. Transparent pixels take on the colour of opaque
/// pixels next to them, so that no fringe appears when an image is scaled down.
#[derive(Clone, Debug, PartialEq)]
pub struct TileImages {
    tile: TileMetrics,
    /// The first row of a tile that tilemaps draw.
    top_of_tiles: u32,
    images: Vec<TileImage>,
    /// How many of them are from files: the first ones. The others are made from these.
    loaded: usize,
    /// By name in lower case.
    by_name: HashMap<String, ImageId>,
}

#[derive(Clone, Debug, PartialEq)]
struct TileImage {
    image: RgbaImage,
    name: String,
    is_sprite: bool,
    is_from_folder: bool,
    shadow: Option<ImageId>,
    lamps: Option<ImageId>,
    shut: Option<ImageId>,
    second_shape: Option<ImageId>,
    reflections: [Option<ImageId>; 4],
}

/// The result of loading one image: the image, and whether it is from the folder; `None` if there is no such image.
type LoadedImage = Result<Option<(RgbaImage, bool)>, ImageError>;

/// The maximum number of names that a log line lists.
const MAX_LISTED: usize = 5;

impl TileImages {
    /// Loads the images of `tileset` from `folder` and `folder/tiles`. Images missing there are taken from the program
    /// and scaled to the size of the tiles. Logs at `info` how many images come from where, with their names.
    ///
    /// ```
    /// use emberwalk_picture::tiles::TileImages;
    /// use emberwalk_map::terrain::Tileset;
    /// let images = TileImages::load(&Tileset::load(None)?, None)?;
    /// let grass = images.find("L1_Terrain001").unwrap();
    /// assert_eq!(images.image(grass).dimensions(), (54, 54));
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every image that is missing, has a wrong size or is not a PNG, at the place where the tileset refers to it.
    pub fn load(tileset: &Tileset, folder: Option<&Path>) -> Result<Self, Diagnostics> {
        Self::reload(tileset, folder, None)
    }

    /// Like [`load`](Self::load), but logs nothing if the images are the same as in `before`.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn reload(tileset: &Tileset, folder: Option<&Path>, before: Option<&Self>) -> Result<Self, Diagnostics> {
        let files = AssetFiles::open(folder)?;
        let needed = needed_images(tileset);
        let (file, source) = tileset.file_and_source();
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let mut tile_images = Self {
            tile: tileset.tile(),
            top_of_tiles: tileset.tile().ground_corner().1 as u32,
            images: Vec::new(),
            loaded: 0,
            by_name: HashMap::new(),
        };
        let mut embedded = Vec::new();
        for (needed, loaded) in needed.iter().zip(load_all(&needed, &files, tileset)) {
            match loaded {
                Ok(Some((image, is_from_folder))) => {
                    embedded.extend((!is_from_folder).then_some(needed.name.as_str()));
                    if needed.is_in_tiles {
                        tile_images.top_of_tiles = tile_images.first_drawn_row(&image);
                    }
                    tile_images.add(&needed.name, image, is_from_folder, needed.is_sprite);
                }
                Ok(None) if needed.is_required => {
                    let help = format!("add {}.png, or remove the name from the tileset", needed.name);
                    let message = format!("there is no image {}.png", needed.name);
                    diagnostics.add(mention(source, &needed.written), message, help);
                }
                Ok(None) => {}
                Err(ImageError { message, help }) => {
                    let file = files.display_name(&needed.name);
                    let message = format!("{file} {message}");
                    diagnostics.add_for_file(file, mention(source, &needed.written), message, help);
                }
            }
        }
        tile_images.loaded = tile_images.images.len();
        tile_images.add_plain_faces(tileset);
        tile_images.add_reflections(tileset);
        if tile_images.images.len() > usize::from(u16::MAX) {
            diagnostics.add(mention(source, "terrains"), "more than 65535 images", None);
        }
        diagnostics.finish()?;
        tile_images.find_related();
        if let Some(folder) = files.folder().filter(|_| before != Some(&tile_images)) {
            tile_images.log_origin(folder, &embedded);
            let unused = files.unused(|name| tile_images.by_name.contains_key(name));
            let unused: Vec<_> = unused.collect();
            if !unused.is_empty() {
                info!("the tileset does not use {}", listed(unused.iter().map(|path| path.display()), MAX_LISTED));
            }
        }
        Ok(tile_images)
    }

    /// Logs how many of the loaded images are from the folder and how many are embedded ones.
    fn log_origin(&self, folder: &Path, embedded: &[&str]) {
        let from_folder = counted(self.loaded - embedded.len(), "image");
        let folder = folder.display();
        if embedded.is_empty() {
            return info!("{from_folder} from {folder}, none embedded");
        }
        let (width, height) = self.tile.size();
        let (classic_width, classic_height) = TileMetrics::CLASSIC.size();
        let scaled = if self.tile == TileMetrics::CLASSIC {
            String::new()
        } else {
            format!(", scaled from tiles of {classic_width} x {classic_height} to {width} x {height}")
        };
        let others = embedded.len();
        let names = listed(embedded.iter(), MAX_LISTED);
        info!("{from_folder} from {folder}, {others} embedded{scaled}: {names}");
        debug!("the embedded ones: {}", embedded.join(", "));
    }

    /// The metrics of tile images.
    pub fn tile(&self) -> TileMetrics {
        self.tile
    }

    /// The first row of a tile image in which ground, an edge or a flat overlay may have a pixel. It is never below the
    /// top of the ground.
    pub fn top_of_tiles(&self) -> u32 {
        self.top_of_tiles
    }

    /// The image of an id.
    pub fn image(&self, id: ImageId) -> &RgbaImage {
        &self.images[id.index()].image
    }

    /// How many images were loaded from files, embedded or not.
    pub fn loaded(&self) -> usize {
        self.loaded
    }

    /// All images, by id.
    pub fn images(&self) -> impl ExactSizeIterator<Item = &RgbaImage> {
        self.images.iter().map(|known| &known.image)
    }

    /// The name of an image without file extension, as it is written in the tileset.
    pub fn name(&self, id: ImageId) -> &str {
        &self.images[id.index()].name
    }

    /// Whether an image is from the user's folder and not an embedded one.
    pub fn is_from_folder(&self, id: ImageId) -> bool {
        self.images[id.index()].is_from_folder
    }

    /// Whether an image is a sprite of its own, and not only used in tiles, on sides, or as the lamps or the shadow of a terrain.
    pub fn is_sprite(&self, id: ImageId) -> bool {
        self.images[id.index()].is_sprite
    }

    /// The image called `name` (without file extension), ignoring case.
    pub fn find(&self, name: &str) -> Option<ImageId> {
        self.by_name.get(&name.to_lowercase()).copied()
    }

    /// The western or southern face, in a darkened colour, of raised ground for which the tileset names no face.
    pub fn plain_face(&self, ground: &str, side: Direction) -> Option<ImageId> {
        self.find(&plain_face_name(ground, side))
    }

    /// Adds plain faces for all ground for which the tileset names none.
    fn add_plain_faces(&mut self, tileset: &Tileset) {
        for (_, terrain) in tileset.layer(Layer::Base) {
            let cliff = terrain.cliff.as_ref().unwrap_or(tileset.cliff());
            for (side, names) in [(Direction::W, &cliff.west), (Direction::S, &cliff.south)] {
                let name = plain_face_name(&terrain.image, side);
                let ground = self.find(&terrain.image).filter(|_| names.is_empty() && self.find(&name).is_none());
                if let Some(ground) = ground {
                    let face = plain_face(self.image(ground), self.tile, side);
                    self.add(&name, face, self.is_from_folder(ground), false);
                }
            }
        }
    }

    /// The reflections of an image: in its own cell, and in the cells to the south, to the west and to the south-west
    /// of it.
    pub fn reflection(&self, id: ImageId, cell: usize) -> Option<ImageId> {
        self.images[id.index()].reflections[cell]
    }

    /// Adds the reflections of everything that any water of the tileset reflects.
    fn add_reflections(&mut self, tileset: &Tileset) {
        let reflected: BTreeSet<char> = tileset.iter().flat_map(|(_, water)| &water.water.reflects).copied().collect();
        let terrains = tileset.iter().map(|(_, terrain)| terrain).filter(|terrain| reflected.contains(&terrain.char));
        for (terrain, name) in terrains.flat_map(|terrain| first_frames(terrain).map(move |name| (terrain, name))) {
            let Some(image) = self.find(&name).filter(|image| self.images[image.index()].reflections == [None; 4])
            else {
                continue;
            };
            for (k, offset) in REFLECTION_OFFSETS.into_iter().enumerate() {
                if let Some(reflected) = reflection(self.image(image), self.tile, offset, terrain.flat) {
                    let id = self.add(&format!("{name}/{k}"), reflected, self.is_from_folder(image), false);
                    self.images[image.index()].reflections[k] = Some(id);
                }
            }
        }
    }

    /// The shadow of an image, whose name is the image's name with `_sh`. An image from the folder never gets an
    /// embedded shadow, because it would be the shadow of another image.
    pub fn shadow(&self, id: ImageId) -> Option<ImageId> {
        self.images[id.index()].shadow
    }

    /// The lamps of an image, whose name is the image's name with `_lit`: how brightly each pixel shines while they are
    /// lit, as the alpha. An image from the folder never gets embedded lamps.
    pub fn lamps(&self, id: ImageId) -> Option<ImageId> {
        self.images[id.index()].lamps
    }

    /// The image while the terrain is shut by its opening hours, whose name is the image's name with `_shut`; empty if there
    /// is none. An image from the folder never gets an embedded one.
    pub fn shut(&self, id: ImageId) -> &[ImageId] {
        self.images[id.index()].shut.as_slice()
    }

    /// The second shape of an edge or shore, whose name is the image's name with `b`. An image from the folder never
    /// gets an embedded second shape.
    pub fn second_shape(&self, id: ImageId) -> Option<ImageId> {
        self.images[id.index()].second_shape
    }

    fn add(&mut self, name: &str, image: RgbaImage, is_from_folder: bool, is_sprite: bool) -> ImageId {
        // If there are too many images for an id, `reload` returns an error.
        let id = ImageId(self.images.len() as u16);
        self.by_name.insert(name.to_lowercase(), id);
        self.images.push(TileImage {
            image,
            name: name.to_owned(),
            is_sprite,
            is_from_folder,
            shadow: None,
            lamps: None,
            shut: None,
            second_shape: None,
            reflections: [None; 4],
        });
        id
    }

    /// The first row of a tile that an image covers, at most `top_of_tiles`.
    fn first_drawn_row(&self, image: &RgbaImage) -> u32 {
        let (_, top) = self.tile.align_image((0, 0), image.dimensions());
        let rows = image.as_raw().chunks_exact(image.width() as usize * 4);
        (top..)
            .zip(rows)
            .take_while(|(y, _)| *y < self.top_of_tiles as i32)
            .find(|(_, row)| row.iter().skip(3).step_by(4).any(|alpha| *alpha > 0))
            .map_or(self.top_of_tiles, |(y, _)| y.max(0) as u32)
    }

    /// Finds the shadow, the lamps, the shut image and the second shape of every image.
    fn find_related(&mut self) {
        let related = |known: &TileImage, suffix: &str| {
            let found = self.find(&format!("{}{suffix}", known.name));
            found.filter(|found| !known.is_from_folder || self.is_from_folder(*found))
        };
        let related: Vec<_> = self
            .images
            .iter()
            .map(|known| ["_sh", "_lit", "_shut", "b"].map(|suffix| related(known, suffix)))
            .collect();
        for (known, [shadow, lamps, shut, second_shape]) in self.images.iter_mut().zip(related) {
            known.shadow = shadow;
            known.lamps = lamps;
            known.shut = shut;
            known.second_shape = second_shape;
        }
    }
}

/// Loads every image, in the order of `needed`, on all processors: decoding takes most of the program's start time.
fn load_all(needed: &[NeededImage], files: &AssetFiles, tileset: &Tileset) -> Vec<LoadedImage> {
    let load = |needed: &NeededImage| -> LoadedImage {
        let Some(read) = files.png(&needed.name) else { return Ok(None) };
        let (bytes, is_from_folder) =
            read.map_err(|error| format!("cannot be read: {}", read_error(&error, "file")))?;
        if is_from_folder {
            return Ok(Some((decode(&bytes, needed.placement, tileset.tile())?, is_from_folder)));
        }
        let image = decode(&bytes, needed.placement, TileMetrics::CLASSIC)?;
        Ok(Some((scale_to_tile(image, needed.placement, tileset.tile()), is_from_folder)))
    };
    threads::prepare();
    needed.par_iter().map(load).collect()
}

/// The names of the first frames of all images of an overlay.
fn first_frames(terrain: &Terrain) -> impl Iterator<Item = String> {
    let near = terrain.near.iter().flat_map(|near| &near.variants);
    let variants = terrain.ground.variants.iter().chain(terrain.on.values().flatten()).chain(near);
    let facing = terrain.facing.iter().flat_map(|facing| &facing.images);
    let stems = variants.filter_map(|variant| variant.frames.first()).chain(facing).chain([&terrain.image]);
    stems.flat_map(|stem| terrain.image_suffixes().map(move |suffix| format!("{stem}{suffix}")))
}

/// The name of a plain face. The slash ensures that no file has this name.
fn plain_face_name(ground: &str, side: Direction) -> String {
    format!("{ground}/{}", side.letters())
}

/// A face in the darkened mean colour of its ground. The western side is in the shade.
fn plain_face(ground: &RgbaImage, tile: TileMetrics, side: Direction) -> RgbaImage {
    let brightness = if side == Direction::W { 0.45 } else { 0.7 };
    let opaque = || ground.pixels().filter(|pixel| pixel.0[3] > 0);
    let count = opaque().count().max(1) as f64;
    let mean = [0, 1, 2].map(|k| opaque().map(|pixel| f64::from(pixel.0[k])).sum::<f64>() / count);
    let [red, green, blue] = mean.map(|code| (code * brightness).round() as u8);
    let mut face = RgbaImage::new(tile.size().0, tile.size().1);
    let middle = tile.ground_centre().0;
    for (i, edge) in (0..).zip(lower_edge(tile)).filter(|(i, _)| (*i < middle) == (side == Direction::W)) {
        for j in edge - tile.level()..edge {
            face.put_pixel(i as u32, j as u32, Rgba([red, green, blue, 255]));
        }
    }
    face
}

/// The first place in the text of the tileset that mentions `name`.
fn mention<'a>(source: &'a str, name: &str) -> &'a str {
    let quoted = format!("\"{name}\"");
    source.find(&quoted).map_or(&source[..0], |at| &source[at..at + quoted.len()])
}
