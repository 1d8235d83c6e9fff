//! The name of the file for a map that has none.

use std::path::{Path, PathBuf};

use crate::map::{BundledMap, Map};

/// Returns the name, without extension, of the file for a map that has none: the last part of the name of a bundled
/// map, otherwise the map's name with everything but letters, digits, `-` and `_` turned into `-`.
///
/// ```
/// use emberwalk::map::{BundledMap, Map};
/// use emberwalk::painting::file_stem;
/// use emberwalk::terrain::Tileset;
/// let mut map = Map::open("figures/road".as_ref(), &Tileset::load(None)?.into())?;
/// assert_eq!(file_stem(&map, BundledMap::find("figures/road")), "road");
/// map.set_name_and_about("../Grüße: 3".into(), None);
/// assert_eq!(file_stem(&map, None), "---Grüße--3");
/// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
/// ```
pub fn file_stem(map: &Map, bundled: Option<BundledMap>) -> String {
    if let Some(bundled) = bundled {
        return bundled.name.rsplit('/').next().unwrap_or(bundled.name).to_owned();
    }
    let is_allowed = |char: &char| char.is_alphanumeric() || matches!(char, '-' | '_');
    let mut stem: String = map.name().chars().map(|char| if is_allowed(&char) { char } else { '-' }).collect();
    // File systems allow 255 bytes, and the number and the extension need some.
    while stem.len() > MAX_BYTES {
        stem.pop();
    }
    if stem.is_empty() { "map".to_owned() } else { stem }
}

const MAX_BYTES: usize = 200;

/// Returns the paths at which a new map is saved, in the order in which they are tried: `STEM.ron`, `STEM-2.ron` and so
/// on. [`write_new`](crate::output_file::write_new) takes the first one at which there is nothing.
pub fn new_file_names(folder: &Path, stem: &str) -> impl Iterator<Item = PathBuf> {
    (1..10_000_u32).map(move |number| match number {
        1 => folder.join(format!("{stem}.ron")),
        _ => folder.join(format!("{stem}-{number}.ron")),
    })
}
