//! Reads the files that the window shows: either all of them into one version, or the errors of the first bad file.

use std::path::Path;
use std::sync::{Arc, Mutex};

use emberwalk_formats::import::{ImportOptions, import_with, parse_map};
use emberwalk_generate::GenerateProgress;
use emberwalk_map::diagnostics::{Diagnostics, read_bytes, read_text};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::threads::lock;
use emberwalk_map::{Map, MapContent, files, load_source};
use emberwalk_picture::tiles::TileImages as Tiles;
use emberwalk_world::{Recording, errors_of_map, is_recording};

use super::request::{MapRequest, MapSource, SourceText};

/// The finished share of the work when a map has been created and its text still has to be parsed.
const MADE: f32 = 0.8;

/// The finished share of the reading when the text of the map is available: checking it takes longer.
const READ: f32 = 0.1;

/// The finished share when the text is parsed, and the costs are missing.
const PARSED: f32 = 0.55;

/// A version of a map: the content of its files at one time.
#[derive(Debug)]
pub struct MapVersion {
    /// The map, as it is in its file.
    pub map: Map,
    /// The text of the map, without a byte order mark.
    pub text: Arc<str>,
    /// The images of its tileset. Two versions share them if they have not changed in between.
    pub tiles: Arc<Tiles>,
    /// The request for the map. The source of a map that was made, or of a recording, is its text.
    pub request: MapRequest,
    /// The recording that begins with this map, if it should be played.
    pub recording: Option<Arc<Recording>>,
}

/// The values that identify a version.
#[derive(Clone, Debug)]
pub(super) struct VersionKey {
    text: Arc<str>,
    tileset: Arc<Tileset>,
    tiles: Arc<Tiles>,
}

impl MapVersion {
    /// A user's map without a file.
    pub fn of_map(map: Map, tiles: Arc<Tiles>) -> Self {
        let text: Arc<str> = map.to_ron().into();
        let request = MapRequest::of_text(map.name(), text.clone());
        Self { map, text, tiles, request, recording: None }
    }

    /// Its file; `None` if it has none.
    pub(super) fn file(&self) -> Option<&Path> {
        if let MapSource::File(file) = &self.request.source { Some(file) } else { None }
    }

    /// Whether the map was made here, and is not in a map file.
    pub(super) fn is_made(&self) -> bool {
        matches!(&self.request.source, MapSource::Text(text) if text.is_made)
    }

    /// The key that distinguishes it from other versions.
    pub(super) fn key(&self) -> VersionKey {
        VersionKey { text: self.text.clone(), tileset: self.map.tileset().clone(), tiles: self.tiles.clone() }
    }
}

#[cfg(test)]
impl MapVersion {
    /// A map with this ground everywhere.
    pub(in crate::game) fn with_ground(ground: char, (width, height): (usize, usize)) -> Self {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let tiles = Tiles::load(&tileset, None).unwrap();
        let rows = |letter: char| vec![letter.to_string().repeat(width); height];
        let text = format!("(name: \"Plain\", base: {:?}, overlay: {:?})", rows(ground), rows('.'));
        Self::of_map(Map::parse("plain.ron", &text, &tileset).unwrap(), tiles.into())
    }
}

impl VersionKey {
    /// The key of a version with another text.
    pub(super) fn with_text(self, text: Arc<str>) -> Self {
        Self { text, ..self }
    }

    /// Whether both are keys of versions with the same content.
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tileset, &other.tileset) && Arc::ptr_eq(&self.tiles, &other.tiles) && self.text == other.text
    }
}

/// Reads the files of a requested map repeatedly, and reuses the parts that have not changed.
#[derive(Clone, Debug)]
pub struct Loader {
    request: MapRequest,
    // The latest error-free versions of the files in a folder.
    tileset: Option<Arc<Tileset>>,
    tiles: Option<Arc<Tiles>>,
    /// The content of the map that was read last. Later versions share the unchanged parts.
    content: Option<MapContent>,
    /// Whether the window is open and follows the files. Then maps are read only from regular files, because reading a
    /// pipe might never end, and errors have no advice for the command line.
    pub(super) is_following: bool,
}

impl Loader {
    /// Creates a loader that has read nothing yet.
    pub fn new(request: MapRequest) -> Self {
        Self { request, tileset: None, tiles: None, content: None, is_following: false }
    }

    /// The map that it reads. A map that was made is a text from then on.
    pub(super) fn source(&self) -> &MapSource {
        &self.request.source
    }

    /// The folder with the tileset and its images; `None` for the embedded tileset.
    pub(super) fn assets(&self) -> Option<&Path> {
        self.request.assets.as_deref()
    }

    /// From now on, reads or creates another map.
    pub fn open(&mut self, request: MapRequest) {
        let assets = request.assets.clone().or(self.request.assets.take());
        self.request = MapRequest { assets, ..request };
        self.content = None;
        self.is_following = true;
    }

    /// Reads the files as they are now.
    ///
    /// # Errors
    /// See [`load_unless`](Self::load_unless).
    pub fn load(&mut self, on_progress: &dyn Fn(f32)) -> Result<MapVersion, Diagnostics> {
        self.load_unless(None, on_progress).map(|version| version.expect("no version is known"))
    }

    /// Reads the files as they are now; `None` if the version is the known one. Calls `on_progress` with the finished
    /// share of the work, 0 to 1.
    ///
    /// # Errors
    /// The diagnostics of the first invalid one of the tileset, its images and the map.
    pub(super) fn load_unless(
        &mut self,
        known: Option<&VersionKey>,
        on_progress: &dyn Fn(f32),
    ) -> Result<Option<MapVersion>, Diagnostics> {
        if let MapSource::File(file) = &self.request.source
            && !self.is_following
            && is_special(file)
        {
            // It can be read only once.
            let text = SourceText::read(file.display().to_string(), read_text(file)?);
            self.request.source = MapSource::Text(text);
        }
        let (tileset, tiles) = match self.request.assets.clone() {
            Some(folder) => self.read_assets(&folder)?,
            None => embedded_assets()?,
        };
        let source = match &self.request.source {
            MapSource::File(file) if !self.is_following => {
                let (name, text) = load_source(file)?;
                SourceText::read(name, text)
            }
            source => read_source(source, &tileset, &|done| on_progress(MADE * done))?,
        };
        let mut done_before = 0.0;
        if matches!(self.request.source, MapSource::Imported(..) | MapSource::New(_)) {
            done_before = MADE;
            self.request.source = MapSource::Text(source.clone());
        }
        let on_progress = |done: f32| on_progress(done_before + (1.0 - done_before) * done);
        let SourceText { name, text, .. } = source;
        let key = VersionKey { text, tileset, tiles };
        if known.is_some_and(|known| known.is_same(&key)) {
            return Ok(None);
        }
        on_progress(READ);
        let VersionKey { text, tileset, tiles } = key;
        let (mut content, recording) = parse_text(&name, &text, &tileset)?;
        let mut text = text;
        if let Some(first) = recording.as_ref().and_then(Recording::first_map) {
            // The map has no file: only playing can change it.
            text = first.text().into();
            self.request.source = MapSource::Text(SourceText::read(name, text.clone()));
        }
        // Later comparisons of the two versions can skip the shared parts.
        self.content.iter().for_each(|before| content.share_blocks_with(before));
        self.content = Some(content.clone());
        on_progress(PARSED);
        let map = Map::of_content(content);
        on_progress(1.0);
        let recording = recording.map(Arc::new);
        Ok(Some(MapVersion { map, text, tiles, request: self.request.clone(), recording }))
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

/// Parses the text of a map, or of a recording, which begins with a map.
pub(in crate::game) fn parse_text(
    name: &str,
    text: &str,
    tileset: &Arc<Tileset>,
) -> Result<(MapContent, Option<Recording>), Diagnostics> {
    if !is_recording(name, text) {
        return Ok((parse_map(name, text, tileset)?, None));
    }
    let recording = Recording::parse(text).map_err(|error| error.in_file(name, text))?;
    let first = recording.first_map().map_or_else(String::new, |map| map.text());
    let content = parse_map(name, &first, tileset).map_err(|errors| errors_of_map(name, text, &first, &errors))?;
    Ok((content, Some(recording)))
}

/// Reads or creates the text of a map. Calls `on_progress` with the finished share of creating it, 0 to 1.
pub(in crate::game) fn read_source(
    source: &MapSource,
    tileset: &Arc<Tileset>,
    on_progress: &dyn Fn(f32),
) -> Result<SourceText, Diagnostics> {
    match source {
        MapSource::Bundled(map) => Ok(SourceText::read(map.name, map.source)),
        MapSource::Text(text) => Ok(text.clone()),
        MapSource::File(file) => {
            refuse_special(file)?;
            read_followed(file)
        }
        MapSource::Imported(file, picture_walls) => {
            refuse_special(file)?;
            let path = file.display().to_string();
            let bytes = read_bytes(file)?;
            if let Some(text) = str::from_utf8(&bytes).ok().filter(|text| is_recording(&path, text)) {
                return Ok(SourceText::read(path, text));
            }
            let options = ImportOptions { picture_walls: *picture_walls, ..ImportOptions::default() };
            let imported = import_with(&path, &bytes, tileset, &options)?;
            let text = imported.content.to_ron().into();
            let notes: Vec<_> = imported.notes.into_iter().chain(imported.wall_hint.map(|hint| hint.reason)).collect();
            let hint = (!notes.is_empty()).then(|| notes.join("; "));
            Ok(SourceText { name: source.name(), text, is_made: true, hint })
        }
        MapSource::New(new) => {
            let name = source.name();
            let mut on_progress = |made: GenerateProgress| on_progress(made.percent as f32 / 100.0);
            let text = new.text(tileset, &mut on_progress);
            let text = text.map_err(|error| Diagnostics::of_file(&name, error.to_string(), None))?;
            Ok(SourceText { name, text: text.into(), is_made: true, hint: None })
        }
    }
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

/// Reads a map file that the window follows.
fn read_followed(path: &Path) -> Result<SourceText, Diagnostics> {
    let text = read_text(path).map_err(|errors| {
        if files::exists(path) { errors } else { errors.with_help("it was deleted, renamed or moved".to_owned()) }
    })?;
    Ok(SourceText::read(path.display().to_string(), text))
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
