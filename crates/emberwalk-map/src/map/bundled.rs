//! The maps that are embedded in the program.

use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::diagnostics::closest_match;

static MAPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../maps");

/// The order of the maps: the showcase, the market town, the figures in the order of the classic article, the later
/// figures, the hills, then all other maps by name.
const ORDER: [&str; 13] = [
    "valley",
    "market",
    "figures/road",
    "figures/wall",
    "figures/snow",
    "figures/eruption",
    "figures/tombstone",
    "figures/both",
    "figures/slope",
    "figures/bridge",
    "figures/coming",
    "figures/blackboard",
    "highlands",
];

/// A map that is embedded in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledMap {
    /// The name by which a user opens it, such as `figures/road`.
    pub name: &'static str,
    /// The text of its file.
    pub source: &'static str,
}

impl BundledMap {
    /// The bundled map that a user means by `path`; `None` if there is a file at `path`, which takes precedence.
    pub fn for_path(path: &Path) -> Option<Self> {
        path.to_str().and_then(Self::find).filter(|_| !path.is_file())
    }

    /// The map whose name, or the last part of whose name, is most similar to `written`; `None` if none is
    /// similar.
    ///
    /// ```
    /// use emberwalk_map::BundledMap;
    /// assert_eq!(BundledMap::most_similar("road").map(|map| map.name), Some("figures/road"));
    /// assert_eq!(BundledMap::most_similar("my.ron"), None);
    /// ```
    pub fn most_similar(written: &str) -> Option<Self> {
        let maps = bundled_maps();
        let last_part = |map: &Self| map.name.rsplit('/').next().unwrap_or(map.name);
        let names: Vec<_> = maps.iter().map(|map| map.name).chain(maps.iter().map(last_part)).collect();
        let similar = closest_match(written, &names)?;
        maps.into_iter().find(|map| map.name == similar || last_part(map) == similar)
    }

    /// The map with this name.
    pub fn find(name: &str) -> Option<Self> {
        bundled_maps().into_iter().find(|map| map.name == name)
    }
}

/// All bundled maps, the showcase first.
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
