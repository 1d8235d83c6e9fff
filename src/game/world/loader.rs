//! Reads the files that the window shows: either all of them into one version, or the errors of the first bad file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use emberwalk_formats::import::{ImportOptions, import_with, parse_map};
use emberwalk_generate::GenerateProgress;
use emberwalk_map::diagnostics::{Diagnostics, read_bytes, read_text};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::threads::lock;
use emberwalk_map::{BundledMap, Map, MapContent, files, load_source};
use emberwalk_picture::tiles::TileImages as Tiles;

use super::map_source::{MapSource, NEW_MAP, file_name};

use super::requested_endpoints::RequestedEndpoints;
use super::volcanoes::VolcanoChoice;

/// The finished share of the work when a map has been created and its text still has to be parsed.
const MADE: f32 = 0.8;

/// The finished share of the reading when the text of the map is available: checking it takes longer.
const READ: f32 = 0.1;

/// The finished share when the text is parsed, and the costs are missing.
const PARSED: f32 = 0.55;

/// The result of reading the files: a version, or their errors.
pub type LoadResult = Result<Version, Diagnostics>;

/// The sources of the map, the tileset and the tiles.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// A map file, or the name of a bundled map.
    pub map: PathBuf,
    /// The name in messages and the text of a map that is not in a file.
    pub text: Option<(String, String)>,
    /// A folder whose files replace the embedded tileset and tiles.
    pub assets: Option<PathBuf>,
    /// Whether all volcanoes erupt (`true`) or are dormant (`false`); `None` leaves them as they are in the file.
    pub erupting: Option<bool>,
    /// The start and the goal that replace the tent and the castle.
    pub endpoints: RequestedEndpoints,
}

impl Source {
    /// The map file; `None` for a bundled map, and for one that is not in a file.
    pub fn file(&self) -> Option<&Path> {
        Some(self.map.as_path()).filter(|path| self.text.is_none() && BundledMap::for_path(path).is_none())
    }

    /// The name of the map in messages.
    pub fn name(&self) -> String {
        self.text.as_ref().map_or_else(|| file_name(&self.map), |(title, _)| title.clone())
    }

    /// The name of the bundled map; `None` for other maps.
    fn bundled_name(&self) -> Option<&'static str> {
        BundledMap::for_path(&self.map).map(|map| map.name)
    }
}

/// A version: the content of the files at one time.
#[derive(Debug)]
pub struct Version {
    /// The map, as it is in its file.
    pub map: Map,
    /// The file of the map; `None` if it has none.
    pub file: Option<PathBuf>,
    /// The text of the map, without a byte order mark.
    pub text: Arc<str>,
    /// Whether the map was created here, and is not in a map file.
    pub is_made: bool,
    /// The images of its tileset. Two versions share them if they have not changed in between.
    pub tiles: Arc<Tiles>,
    /// The choice for the volcanoes when the map is opened.
    pub volcanoes: VolcanoChoice,
    /// The name of the bundled map; `None` for other maps.
    pub bundled: Option<&'static str>,
    /// The start and the goal that were requested for it.
    pub endpoints: RequestedEndpoints,
}

/// The values that identify a version.
#[derive(Clone, Debug)]
pub struct VersionKey {
    text: Arc<str>,
    tileset: Arc<Tileset>,
    tiles: Arc<Tiles>,
}

impl Version {
    /// A user's map without a file.
    pub(super) fn of_map(map: Map, tiles: Arc<Tiles>) -> Self {
        let (text, volcanoes) = (map.to_ron().into(), VolcanoChoice::default());
        let endpoints = RequestedEndpoints::default();
        Self { map, file: None, text, is_made: false, tiles, volcanoes, bundled: None, endpoints }
    }

    /// The key that distinguishes it from other versions.
    pub fn key(&self) -> VersionKey {
        VersionKey { text: self.text.clone(), tileset: self.map.tileset().clone(), tiles: self.tiles.clone() }
    }
}

impl VersionKey {
    /// The key of a version with another text.
    pub fn with_text(self, text: Arc<str>) -> Self {
        Self { text, ..self }
    }

    /// Whether both are keys of versions with the same content.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tileset, &other.tileset) && Arc::ptr_eq(&self.tiles, &other.tiles) && self.text == other.text
    }
}

/// Reads the files of a source repeatedly, and reuses the parts that have not changed.
#[derive(Clone, Debug)]
pub struct Loader {
    source: Source,
    // The latest error-free versions of the files in a folder.
    tileset: Option<Arc<Tileset>>,
    tiles: Option<Arc<Tiles>>,
    /// The content of the map that was read last. Later versions share the unchanged parts.
    content: Option<MapContent>,
    /// The requested map, unless it is the first one or has been created.
    asked: Option<MapSource>,
    /// Whether it has been created.
    is_made: bool,
    /// Whether the window is open and follows the files. Then maps are read only from regular files, because reading a
    /// pipe might never end, and errors have no advice for the command line.
    pub(super) is_following: bool,
}

impl Loader {
    /// Creates a loader that has read nothing yet.
    pub fn new(source: Source) -> Self {
        Self { source, tileset: None, tiles: None, content: None, asked: None, is_made: false, is_following: false }
    }

    /// The files that it reads.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The file from which the map is read or imported; `None` if there is none.
    pub(super) fn file(&self) -> Option<&Path> {
        self.asked.as_ref().map_or_else(|| self.source.file(), MapSource::file)
    }

    /// From now on, reads or creates another map, with its volcanoes as in its file.
    pub fn open(&mut self, map: MapSource) {
        let assets = self.source.assets.take();
        self.source = Source { assets, ..Source::default() };
        self.content = None;
        if let MapSource::File(file) = &map {
            self.source.map = file.clone();
        }
        (self.asked, self.is_made) = (Some(map), false);
        self.is_following = true;
    }

    /// Reads the files as they are now.
    ///
    /// # Errors
    /// See [`load_unless`](Self::load_unless).
    pub fn load(&mut self, on_progress: &dyn Fn(f32)) -> LoadResult {
        self.load_unless(None, on_progress).map(|version| version.expect("no version is known"))
    }

    /// Reads the files as they are now; `None` if the version is the known one. Calls `on_progress` with the finished
    /// share of the work, 0 to 1.
    ///
    /// # Errors
    /// The diagnostics of the first invalid one of the tileset, its images and the map.
    pub fn load_unless(
        &mut self,
        known: Option<&VersionKey>,
        on_progress: &dyn Fn(f32),
    ) -> Result<Option<Version>, Diagnostics> {
        if let Some(path) = self.source.file().filter(|path| is_special(path)) {
            if self.is_following {
                refuse_special(path)?;
            }
            // It can be read only once.
            self.source.text = Some((path.display().to_string(), read_text(path)?));
        }
        let (tileset, tiles) = match self.source.assets.clone() {
            Some(folder) => self.read_assets(&folder)?,
            None => embedded_assets()?,
        };
        let mut done_before = 0.0;
        if let Some(asked) = &self.asked
            && let Some(made) = make(asked, &tileset, &|done| on_progress(MADE * done))?
        {
            (self.source.text, done_before) = (Some((asked.name(), made)), MADE);
            (self.asked, self.is_made) = (None, true);
        }
        let on_progress = |done: f32| on_progress(done_before + (1.0 - done_before) * done);
        let Source { map: path, text, erupting, endpoints, .. } = &self.source;
        let file = self.source.file().map(PathBuf::from);
        let (title, text) = match (text, &file) {
            (Some(known), _) => known.clone(),
            (None, Some(file)) if self.is_following => read_followed(file)?,
            (None, _) => load_source(path)?,
        };
        let text = text.into();
        let key = VersionKey { text, tileset, tiles };
        if known.is_some_and(|known| known.is_same(&key)) {
            return Ok(None);
        }
        on_progress(READ);
        let VersionKey { text, tileset, tiles } = key;
        let mut content = parse_map(&title, &text, &tileset)?;
        // Later comparisons of the two versions can skip the shared parts.
        self.content.iter().for_each(|before| content.share_blocks_with(before));
        self.content = Some(content.clone());
        on_progress(PARSED);
        let map = Map::of_content(content);
        let volcanoes = match erupting {
            Some(true) => VolcanoChoice::Erupting,
            Some(false) => VolcanoChoice::Calm,
            None => VolcanoChoice::AsInFile,
        };
        on_progress(1.0);
        let (is_made, bundled, endpoints) = (self.is_made, self.source.bundled_name(), *endpoints);
        Ok(Some(Version { map, file, text, is_made, tiles, volcanoes, bundled, endpoints }))
    }

    /// Reads the tileset in this folder, and its images. Returns the last result if nothing has changed.
    fn read_assets(&mut self, folder: &Path) -> Result<(Arc<Tileset>, Arc<Tiles>), Diagnostics> {
        let read = Tileset::reload(Some(folder), self.tileset.as_deref())?;
        let is_same = |old: &Tileset, new: &Tileset| old.file_and_source() == new.file_and_source();
        let tileset = reuse_if_same(self.tileset.as_ref(), read, is_same);
        self.tileset = Some(tileset.clone());
        let read = Tiles::reload(&tileset, Some(folder), self.tiles.as_deref())?;
        let tiles = reuse_if_same(self.tiles.as_ref(), read, |old, new| old == new);
        self.tiles = Some(tiles.clone());
        Ok((tileset, tiles))
    }
}

/// The name of a map in messages, and its text, which is read or created.
pub(in crate::game) fn text_of(source: &MapSource, tileset: &Arc<Tileset>) -> Result<(String, String), Diagnostics> {
    match (make(source, tileset, &|_| {})?, source) {
        (None, MapSource::File(file)) => {
            refuse_special(file)?;
            read_followed(file)
        }
        (made, _) => Ok((source.name(), made.unwrap_or_default())),
    }
}

/// The text of a map that is created; `None` if the text is in a file.
fn make(source: &MapSource, tileset: &Arc<Tileset>, on_progress: &dyn Fn(f32)) -> Result<Option<String>, Diagnostics> {
    let text = match source {
        MapSource::File(_) => return Ok(None),
        MapSource::Imported(file) => {
            refuse_special(file)?;
            let name = file.display().to_string();
            let content = import_with(&name, &read_bytes(file)?, tileset, &ImportOptions::default())?;
            content.to_ron()
        }
        MapSource::New(new) => {
            let mut on_progress = |made: GenerateProgress| on_progress(made.percent as f32 / 100.0);
            let text = new.text(tileset, &mut on_progress);
            text.map_err(|error| Diagnostics::of_file(NEW_MAP, error.to_string(), None))?
        }
    };
    Ok(Some(text))
}

/// The embedded tileset and its images, which are decoded once.
fn embedded_assets() -> Result<(Arc<Tileset>, Arc<Tiles>), Diagnostics> {
    static DECODED: Mutex<Option<(Arc<Tileset>, Arc<Tiles>)>> = Mutex::new(None);
    let mut decoded = lock(&DECODED);
    if let Some(known) = &*decoded {
        return Ok(known.clone());
    }
    let tileset = Tileset::load(None)?;
    let tiles = Tiles::load(&tileset, None)?;
    Ok(decoded.insert((tileset.into(), tiles.into())).clone())
}

/// Reads a map file that the window follows. Returns its name in messages and the text.
fn read_followed(path: &Path) -> Result<(String, String), Diagnostics> {
    let text = read_text(path).map_err(|errors| {
        if files::exists(path) { errors } else { errors.with_help("it was deleted, renamed or moved".to_owned()) }
    })?;
    Ok((path.display().to_string(), text))
}

/// Whether a path is neither a file nor a folder but, for example, a pipe.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Rejects a pipe or a device, which might never end.
fn refuse_special(path: &Path) -> Result<(), Diagnostics> {
    let help = "save the map as a file with this name".to_owned();
    let refusal =
        || Diagnostics::of_file(&path.display().to_string(), "this is a pipe or a device, not a file", Some(help));
    if is_special(path) { Err(refusal()) } else { Ok(()) }
}

/// The old value if the new one is the same, so that versions share it.
fn reuse_if_same<T>(old: Option<&Arc<T>>, new: T, same: impl Fn(&T, &T) -> bool) -> Arc<T> {
    old.filter(|old| same(old, &new)).cloned().unwrap_or_else(|| Arc::new(new))
}
