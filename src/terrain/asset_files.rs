//! Where a tileset's files come from: the program itself, or a folder in front of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use tracing::{info, warn};

use crate::diagnostics::{Diagnostics, decode_text, read_text};

/// What the tileset's file is called, and the embedded one altogether.
pub(super) const NAME: &str = "tileset.ron";

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets");

/// A PNG is not read beyond this, in bytes: the largest that may be, uncompressed, is half of it.
const LONGEST: u64 = 16 << 20;

/// The files at hand, by name in small letters.
pub(super) struct Files {
    folder: Option<PathBuf>,
    own: BTreeMap<String, PathBuf>,
    /// Files of the folder that are not taken, with those that are taken in their place.
    doubles: Vec<(PathBuf, PathBuf)>,
    embedded: BTreeMap<String, &'static [u8]>,
}

impl Files {
    /// The embedded files, behind those of `folder` and of `folder/tiles`. Of several names that differ by case alone the
    /// one in `folder` itself is taken, then the first in an order with capitals before small letters: the same on every
    /// machine.
    ///
    /// # Errors
    /// `folder` cannot be listed.
    pub fn open(folder: Option<&Path>) -> Result<Self, Diagnostics> {
        let (mut own, mut doubles) = (BTreeMap::new(), Vec::new());
        if let Some(folder) = folder {
            let list = |folder: &Path| -> std::io::Result<Vec<PathBuf>> {
                std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
            };
            let mut paths = list(folder).map_err(|error| {
                let help = "`--assets` takes a folder with a tileset.ron, PNG tiles, or both".to_owned();
                Diagnostics::of_file(
                    &folder.display().to_string(),
                    format!("the folder cannot be read: {error}"),
                    Some(help),
                )
            })?;
            paths.sort();
            let mut tiles = list(&folder.join("tiles")).unwrap_or_default();
            tiles.sort();
            paths.extend(tiles);
            for (name, path) in paths.into_iter().filter_map(|path| Some((lower(&path)?, path))) {
                match own.entry(name) {
                    Entry::Vacant(free) => drop(free.insert(path)),
                    Entry::Occupied(taken) => doubles.push((path, taken.get().clone())),
                }
            }
        }
        let tiles = EMBEDDED.get_dir("tiles").into_iter().flat_map(|tiles| tiles.files()).chain(EMBEDDED.files());
        let embedded = tiles.filter_map(|file| Some((lower(file.path())?, file.contents()))).collect();
        Ok(Self { folder: folder.map(Path::to_owned), own, doubles, embedded })
    }

    /// The tileset's file name and text. Warns of files that are not taken; says if the embedded one serves, unless that
    /// `is_known`.
    pub fn tileset(&self, is_known: bool) -> Result<(String, String), Diagnostics> {
        for (double, taken) in &self.doubles {
            warn!("{} is not used: {} has the same name", double.display(), taken.display());
        }
        if let Some(path) = self.own.get(NAME) {
            // A pipe would be waited for without end.
            if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
                return Err(Diagnostics::of_file(
                    &path.display().to_string(),
                    "this is a pipe or a device, not a file",
                    None,
                ));
            }
            return Ok((path.display().to_string(), read_text(path)?));
        }
        if let Some(folder) = self.folder.as_ref().filter(|_| !is_known) {
            info!("no {NAME} in {}: the embedded one serves", folder.display());
        }
        let bytes = self.embedded.get(NAME).copied().unwrap_or_default();
        Ok((NAME.into(), decode_text(NAME, bytes.to_vec())?))
    }

    /// The bytes of the PNG `name` (without ending), and whether they are the folder's own; `None` if there is none.
    pub fn png(&self, name: &str) -> Option<std::io::Result<(Cow<'static, [u8]>, bool)>> {
        let name = format!("{}.png", name.to_lowercase());
        match self.own.get(&name) {
            Some(path) => Some(read(path).map(|bytes| (bytes.into(), true))),
            None => self.embedded.get(&name).map(|&bytes| Ok((bytes.into(), false))),
        }
    }

    /// How the user knows the PNG `name` (without ending): by its path where it is the folder's own.
    pub fn title(&self, name: &str) -> String {
        let own = self.own.get(&format!("{}.png", name.to_lowercase()));
        own.map_or_else(|| format!("{name}.png"), |path| path.display().to_string())
    }

    /// The folder's PNGs whose names (without ending, in small letters) nobody asks for.
    pub fn unasked(&self, asked: impl Fn(&str) -> bool) -> impl Iterator<Item = &Path> {
        let other = move |name: &str| name.strip_suffix(".png").is_some_and(|name| !asked(name));
        self.own.iter().filter(move |(name, _)| other(name)).map(|(_, path)| path.as_path())
    }

    /// The folder in front of the embedded files.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

fn lower(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_lowercase())
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    // A pipe in the folder would be waited for without end.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
