//! The maps that are embedded in the program.

use std::path::Path;

use include_dir::{Dir, include_dir};

static MAPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/maps");

/// The order of the maps: the showcase, then the figures in the order of the classic article. All other maps follow, by
/// name.
const ORDER: [&str; 7] =
    ["valley", "figures/road", "figures/wall", "figures/snow", "figures/eruption", "figures/tombstone", "figures/both"];

/// A map that is embedded in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledMap {
    /// The name by which a user opens it, such as `figures/road`.
    pub name: &'static str,
    /// The text of its file.
    pub source: &'static str,
}

impl BundledMap {
    /// Returns the bundled map that a user means by `path`. A file at `path` takes precedence, so the result is `None`
    /// if there is one.
    pub fn for_path(path: &Path) -> Option<Self> {
        path.to_str().and_then(Self::find).filter(|_| !path.is_file())
    }

    /// Returns the map of this name.
    pub fn find(name: &str) -> Option<Self> {
        bundled_maps().into_iter().find(|map| map.name == name)
    }
}

/// Returns all bundled maps, the showcase first.
pub fn bundled_maps() -> Vec<BundledMap> {
    fn collect(folder: &Dir<'static>, maps: &mut Vec<BundledMap>) {
        maps.extend(folder.files().filter_map(|file| {
            let name = file.path().to_str()?.strip_suffix(".ron")?;
            Some(BundledMap { name, source: file.contents_utf8()? })
        }));
        folder.dirs().for_each(|folder| collect(folder, maps));
    }
    let mut maps = Vec::new();
    collect(&MAPS, &mut maps);
    maps.sort_by_key(|map| (ORDER.iter().position(|&name| name == map.name).unwrap_or(ORDER.len()), map.name));
    maps
}
