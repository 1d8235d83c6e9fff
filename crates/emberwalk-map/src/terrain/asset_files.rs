//! Finds the files of a tileset: in the user's folder, or embedded in the program.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use tracing::{info, warn};

use crate::diagnostics::{Diagnostics, decode_text, read_error, read_up_to};

/// The file name of a tileset, and the name of the embedded tileset in messages.
pub(super) const TILESET_FILE: &str = "tileset.ron";

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../assets");

/// The maximum length of a PNG, in bytes: twice the size of the largest allowed image, uncompressed.
const MAX_PNG_LENGTH: u64 = 16 << 20;

/// The maximum length of a tileset, in bytes. The embedded one has some thousands.
const MAX_TILESET_LENGTH: u64 = 4 << 20;

/// All files, by name in lower case.
pub struct AssetFiles {
    folder: Option<PathBuf>,
    from_folder: BTreeMap<String, PathBuf>,
    /// Ignored files of the folder, with the files of the same name that are used instead.
    duplicates: Vec<(PathBuf, PathBuf)>,
    embedded: BTreeMap<String, &'static [u8]>,
}

impl AssetFiles {
    /// Lists the embedded files and the files of `folder` and `folder/tiles`, which replace embedded files of the same
    /// name. If the names of several files differ only in case, the file in `folder` itself is used, otherwise the
    /// first in an order with upper case before lower case, so that the choice is the same on every machine.
    ///
    /// # Errors
    /// `folder` cannot be listed.
    pub fn open(folder: Option<&Path>) -> Result<Self, Diagnostics> {
        let mut from_folder = BTreeMap::new();
        let mut duplicates = Vec::new();
        if let Some(folder) = folder {
            let list = |folder: &Path| -> std::io::Result<Vec<PathBuf>> {
                std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
            };
            let mut paths = list(folder).map_err(|error| {
                let help = "`--assets` takes a folder with a tileset.ron, PNG tiles, or both".to_owned();
                Diagnostics::of_file(&folder.display().to_string(), read_error(&error, "folder"), Some(help))
            })?;
            paths.sort();
            let mut tiles = list(&folder.join("tiles")).unwrap_or_default();
            tiles.sort();
            paths.extend(tiles);
            for (name, path) in paths.into_iter().filter_map(|path| Some((lowercase_name(&path)?, path))) {
                match from_folder.entry(name) {
                    Entry::Vacant(free) => drop(free.insert(path)),
                    Entry::Occupied(used) => duplicates.push((path, used.get().clone())),
                }
            }
        }
        let tiles = EMBEDDED.get_dir("tiles").into_iter().flat_map(|tiles| tiles.files()).chain(EMBEDDED.files());
        let embedded = tiles.filter_map(|file| Some((lowercase_name(file.path())?, file.contents()))).collect();
        Ok(Self { folder: folder.map(Path::to_owned), from_folder, duplicates, embedded })
    }

    /// The file name and the text of the tileset. Warns about ignored files, and logs if the embedded tileset is used
    /// despite a folder, unless `was_embedded` is true, so that it is logged only once.
    pub fn tileset(&self, was_embedded: bool) -> Result<(String, String), Diagnostics> {
        for (duplicate, used) in &self.duplicates {
            warn!("{} is not used: {} has the same name", duplicate.display(), used.display());
        }
        if let Some(path) = self.from_folder.get(TILESET_FILE) {
            // Reading a pipe could block forever.
            if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
                let message = "this is a pipe or a device, not a file";
                return Err(Diagnostics::of_file(&path.display().to_string(), message, None));
            }
            let name = path.display().to_string();
            let text = decode_text(&name, read_up_to(path, MAX_TILESET_LENGTH, None)?)?;
            return Ok((name, text));
        }
        if let Some(folder) = self.folder.as_ref().filter(|_| !was_embedded) {
            info!("no {TILESET_FILE} in {}: using the embedded one", folder.display());
        }
        let bytes = self.embedded.get(TILESET_FILE).copied().unwrap_or_default();
        Ok((TILESET_FILE.into(), decode_text(TILESET_FILE, bytes.to_vec())?))
    }

    /// The bytes of the PNG `name` (without file extension), and whether it is from the folder; `None` if there
    /// is no such file.
    pub fn png(&self, name: &str) -> Option<std::io::Result<(Cow<'static, [u8]>, bool)>> {
        let name = format!("{}.png", name.to_lowercase());
        match self.from_folder.get(&name) {
            Some(path) => Some(read(path).map(|bytes| (bytes.into(), true))),
            None => self.embedded.get(&name).map(|&bytes| Ok((bytes.into(), false))),
        }
    }

    /// The name of the PNG `name` (without file extension) for messages: its path if it is from the folder.
    pub fn display_name(&self, name: &str) -> String {
        let path = self.from_folder.get(&format!("{}.png", name.to_lowercase()));
        path.map_or_else(|| format!("{name}.png"), |path| path.display().to_string())
    }

    /// The PNGs of the folder for which `is_used` is false. `is_used` gets the name in lower case, without file
    /// extension.
    pub fn unused(&self, is_used: impl Fn(&str) -> bool) -> impl Iterator<Item = &Path> {
        let is_unused = move |name: &str| name.strip_suffix(".png").is_some_and(|name| !is_used(name));
        self.from_folder.iter().filter(move |(name, _)| is_unused(name)).map(|(_, path)| path.as_path())
    }

    /// The user's folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

fn lowercase_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_lowercase())
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    // Reading a pipe could block forever.
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        return Err(std::io::Error::other("this is not a regular file"));
    }
    if found.len() > MAX_PNG_LENGTH {
        return Err(std::io::Error::other(format!("the file is longer than {} MiB", MAX_PNG_LENGTH >> 20)));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_PNG_LENGTH).read_to_end(&mut bytes)?;
    Ok(bytes)
}
