//! Reads the files that the window shows, into one version of all of them or into what is wrong with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostics::{Diagnostics, read_text};
use crate::grid::Size;
use crate::import::parse_map;
use crate::map::{BundledMap, Map, load_source};
use crate::terrain::{TileImages as Tiles, Tileset};

/// The widest and highest map that the window opens, in cells a side.
pub const MAX_SIDE: u32 = 512;

/// Whether the window opens maps of this size.
pub fn fits(size: Size) -> bool {
    size.width <= MAX_SIDE && size.height <= MAX_SIDE
}

/// What a loader has read: a version, or what is wrong.
pub type LoadResult = Result<Version, Diagnostics>;

/// Where the map, the tileset and the tiles come from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// A map file, or the name of a bundled map.
    pub map: PathBuf,
    /// What messages call the map, and its text, if it is not in a file.
    pub text: Option<(String, String)>,
    /// A folder whose files replace the embedded tileset and tiles.
    pub assets: Option<PathBuf>,
    /// Whether all volcanoes are to erupt or to be calm; `None` leaves them as the file has them.
    pub erupting: Option<bool>,
}

impl Source {
    /// The map file; `None` for a bundled map and for one that is not in a file.
    pub fn file(&self) -> Option<&Path> {
        Some(self.map.as_path()).filter(|path| self.text.is_none() && BundledMap::for_path(path).is_none())
    }

    /// The name of the bundled map that is asked for, if it is one.
    pub fn bundled_name(&self) -> Option<&'static str> {
        BundledMap::for_path(&self.map).map(|map| map.name)
    }
}

/// The content of the files at one time. Two versions share what has not changed between them.
#[derive(Clone, Debug)]
pub struct Version {
    /// The map.
    pub map: Arc<Map>,
    /// The images of its tileset.
    pub tiles: Arc<Tiles>,
}

impl Version {
    /// Whether both are the same: they share everything.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.map, &other.map) && Arc::ptr_eq(&self.tiles, &other.tiles)
    }
}

/// Reads a source as often as it changes.
#[derive(Debug)]
pub struct Loader {
    source: Source,
    // The last good ones.
    tileset: Option<Arc<Tileset>>,
    tiles: Option<Arc<Tiles>>,
    map: Option<Arc<Map>>,
    /// Whether the images may have changed since they were read.
    tiles_are_stale: bool,
    /// Whether only a regular file is read as the map.
    only_files: bool,
}

impl Loader {
    /// A loader that has read nothing yet.
    pub fn new(source: Source) -> Self {
        Self { source, tileset: None, tiles: None, map: None, tiles_are_stale: true, only_files: false }
    }

    /// The files that it reads.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Reads another map file from now on, with its volcanoes as the file has them.
    pub fn open(&mut self, map: PathBuf) {
        self.source = Source { map, text: None, erupting: None, assets: self.source.assets.take() };
        self.map = None;
    }

    /// Reads maps only from regular files from now on: reading a pipe might never end.
    pub fn only_files(&mut self) {
        self.only_files = true;
    }

    /// Notes that images of the user's may have changed, so that they are read again next time.
    pub fn doubt_tiles(&mut self) {
        self.tiles_are_stale |= self.source.assets.is_some();
    }

    /// Reads the files as they are now.
    ///
    /// # Errors
    /// What is wrong with the first of them that is bad: the tileset, its images, or the map, which may also be too large
    /// for the window.
    pub fn load(&mut self) -> Result<Version, Diagnostics> {
        if let Some(path) = self.source.file().filter(|path| is_special(path)) {
            let title = path.display().to_string();
            if self.only_files {
                let help = "save the map as a file of this name".to_owned();
                return Err(Diagnostics::of_file(&title, "this is a pipe or a device, not a file", Some(help)));
            }
            // It can be read only once.
            self.source.text = Some((title, read_text(path)?));
        }
        let Source { map, text, assets, erupting } = &self.source;
        let folder = assets.as_deref();

        let tileset = match self.tileset.clone().filter(|_| folder.is_none()) {
            Some(embedded) => embedded,
            None => kept(self.tileset.as_ref(), Tileset::reload(folder, self.tileset.as_deref())?, |old, new| {
                old.file_and_source() == new.file_and_source()
            }),
        };
        self.tiles_are_stale |= self.tileset.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &tileset));
        self.tileset = Some(tileset.clone());

        let tiles = match self.tiles.clone().filter(|_| !self.tiles_are_stale) {
            Some(tiles) => tiles,
            None => {
                let read = Tiles::reload(&tileset, folder, self.tiles.as_deref())?;
                kept(self.tiles.as_ref(), read, |old, new| old == new)
            }
        };
        self.tiles = Some(tiles.clone());
        self.tiles_are_stale = false;

        let mut read = match text {
            Some((title, text)) => parse_map(title, text, &tileset)?,
            None => load_source(map).and_then(|(title, text)| parse_map(&title, &text, &tileset))?,
        };
        let size = read.size();
        if !fits(size) {
            let message =
                format!("the window opens maps of up to {MAX_SIDE} x {MAX_SIDE} cells, and this one has {size}");
            let help = "`emberwalk route` takes larger ones".to_owned();
            return Err(Diagnostics::of_file(&map.display().to_string(), message, Some(help)));
        }
        match erupting {
            Some(true) => drop(read.erupt_all()),
            Some(false) => drop(read.calm_all()),
            None => {}
        }
        let map = kept(self.map.as_ref(), read, Map::is_same);
        self.map = Some(map.clone());
        Ok(Version { map, tiles })
    }
}

/// Whether a path is neither a file nor a folder but, for example, a pipe.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Returns the old value if the new one is the same, so that versions share it.
fn kept<T>(old: Option<&Arc<T>>, new: T, same: impl Fn(&T, &T) -> bool) -> Arc<T> {
    old.filter(|old| same(old, &new)).cloned().unwrap_or_else(|| Arc::new(new))
}
