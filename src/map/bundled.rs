//! The maps that the program carries inside.

use std::path::Path;

use include_dir::{Dir, include_dir};

static MAPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/maps");

/// The showcase first, then the figures in the order of the classic article; any other map after them, by name.
const ORDER: [&str; 7] =
    ["valley", "figures/road", "figures/wall", "figures/snow", "figures/eruption", "figures/tombstone", "figures/both"];

/// A map that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledMap {
    /// By which a user asks for it, such as `figures/road`.
    pub name: &'static str,
    /// The text of its file.
    pub source: &'static str,
}

impl BundledMap {
    /// The map that `path` names, unless there is a file of that name.
    pub fn for_path(path: &Path) -> Option<Self> {
        path.to_str().and_then(Self::find).filter(|_| !path.is_file())
    }

    /// The map of this name.
    pub fn find(name: &str) -> Option<Self> {
        bundled_maps().into_iter().find(|map| map.name == name)
    }
}

/// All bundled maps, the showcase first.
pub fn bundled_maps() -> Vec<BundledMap> {
    fn gather(folder: &Dir<'static>, maps: &mut Vec<BundledMap>) {
        maps.extend(folder.files().filter_map(|file| {
            let name = file.path().to_str()?.strip_suffix(".ron")?;
            Some(BundledMap { name, source: file.contents_utf8()? })
        }));
        folder.dirs().for_each(|folder| gather(folder, maps));
    }
    let mut maps = Vec::new();
    gather(&MAPS, &mut maps);
    maps.sort_by_key(|map| (ORDER.iter().position(|&name| name == map.name).unwrap_or(ORDER.len()), map.name));
    maps
}
