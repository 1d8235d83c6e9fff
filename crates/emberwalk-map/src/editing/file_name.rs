//! File names for maps that have no file.

use std::path::{Path, PathBuf};

use crate::map::{BundledMap, MapContent};

/// The file name, without extension, for a map that has no file: the last part of a bundled map's name, otherwise the
/// map's name with everything but letters, digits, `-` and `_` replaced with `-`.
///
/// ```
/// use emberwalk_map::{BundledMap, Map};
/// use emberwalk_map::editing::file_stem;
/// use emberwalk_map::terrain::Tileset;
/// let mut map = Map::open("figures/road".as_ref(), &Tileset::load(None)?.into())?;
/// assert_eq!(file_stem(&map, BundledMap::find("figures/road")), "road");
/// map.set_name_and_about("../Grüße: 3".into(), None);
/// assert_eq!(file_stem(&map, None), "---Grüße--3");
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
pub fn file_stem(map: &MapContent, bundled: Option<BundledMap>) -> String {
    if let Some(bundled) = bundled {
        return bundled.name.rsplit('/').next().unwrap_or(bundled.name).to_owned();
    }
    let is_allowed = |char: &char| char.is_alphanumeric() || matches!(char, '-' | '_');
    let mut stem: String = map.name().chars().map(|char| if is_allowed(&char) { char } else { '-' }).collect();
    // File systems allow 255 bytes; the number and the extension need some of them.
    while stem.len() > MAX_BYTES {
        stem.pop();
    }
    if stem.is_empty() { "map".to_owned() } else { stem }
}

const MAX_BYTES: usize = 200;

/// The file names that are tried for a new map, in this order: `STEM.ron`, `STEM-2.ron` and so on. For the stem
/// `STEM-2`, `STEM-3.ron` follows `STEM-2.ron`. [`write_new`](crate::output_file::write_new) takes the first name that
/// is free.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use emberwalk_map::editing::new_file_names;
/// let names: Vec<PathBuf> = new_file_names(Path::new(""), "hills-2").take(2).collect();
/// assert_eq!(names, [PathBuf::from("hills-2.ron"), PathBuf::from("hills-3.ron")]);
/// ```
pub fn new_file_names(folder: &Path, stem: &str) -> impl Iterator<Item = PathBuf> {
    numbered_names(folder, stem, ".ron")
}

/// The same for files whose names end with `ending`.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use emberwalk_map::editing::numbered_names;
/// let names: Vec<PathBuf> = numbered_names(Path::new(""), "walk", ".emberplay.ron").take(2).collect();
/// assert_eq!(names, [PathBuf::from("walk.emberplay.ron"), PathBuf::from("walk-2.emberplay.ron")]);
/// ```
pub fn numbered_names(folder: &Path, stem: &str, ending: &str) -> impl Iterator<Item = PathBuf> {
    let numbered = stem.rsplit_once('-').and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?)));
    let (name, first) = numbered.filter(|(_, number)| (2..100_000).contains(number)).unwrap_or((stem, 1));
    let others = (first + 1..first + 10_000).map(move |number| folder.join(format!("{name}-{number}{ending}")));
    [folder.join(format!("{stem}{ending}"))].into_iter().chain(others)
}
