//! Where a tileset's files come from: the program itself, or a folder in front of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use tracing::info;

use crate::fault::{Faults, decode, read_text};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets");

/// A PNG is not read beyond this, in bytes: four tiles by four, uncompressed, are a tenth of it.
const LONGEST: u64 = 16 << 20;

/// The files at hand, by name in small letters.
pub(super) struct Files {
    folder: Option<PathBuf>,
    own: BTreeMap<String, PathBuf>,
    embedded: BTreeMap<String, &'static [u8]>,
}

impl Files {
    /// The embedded files, behind those of `folder` and of `folder/tiles`.
    ///
    /// # Errors
    /// `folder` cannot be listed.
    pub fn open(folder: Option<&Path>) -> Result<Self, Faults> {
        let mut own = BTreeMap::new();
        if let Some(folder) = folder {
            let list = |folder: &Path| -> std::io::Result<Vec<PathBuf>> {
                std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
            };
            let mut paths = list(folder).map_err(|error| {
                let help = "`--assets` takes a folder with a tileset.ron, PNG tiles, or both".to_owned();
                Faults::whole(&folder.display().to_string(), format!("the folder cannot be read: {error}"), Some(help))
            })?;
            paths.extend(list(&folder.join("tiles")).unwrap_or_default());
            // Where two names differ by case alone the same one must win on every machine.
            paths.sort();
            own.extend(paths.into_iter().rev().filter_map(|path| Some((lower(&path)?, path))));
        }
        let tiles = EMBEDDED.get_dir("tiles").into_iter().flat_map(|tiles| tiles.files()).chain(EMBEDDED.files());
        let embedded = tiles.filter_map(|file| Some((lower(file.path())?, file.contents()))).collect();
        Ok(Self { folder: folder.map(Path::to_owned), own, embedded })
    }

    /// The tileset's file name and text.
    pub fn tileset(&self) -> Result<(String, String), Faults> {
        const NAME: &str = "tileset.ron";
        if let Some(path) = self.own.get(NAME) {
            return Ok((path.display().to_string(), read_text(path)?));
        }
        if let Some(folder) = &self.folder {
            info!("no {NAME} in {}: the embedded one serves", folder.display());
        }
        let bytes = self.embedded.get(NAME).copied().unwrap_or_default();
        Ok((NAME.into(), decode(NAME, bytes.to_vec())?))
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
