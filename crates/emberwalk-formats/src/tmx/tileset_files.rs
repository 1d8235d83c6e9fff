//! Reads the tilesets of a Tiled map that are in other files.

use std::path::{Path, PathBuf};

use super::document::Document;
use super::tiled_tileset::TiledTileset;
use super::xml::parse;
use crate::foreign_file::ForeignFile;
use emberwalk_map::diagnostics::{Diagnostics, decode_text, read_bytes};
use emberwalk_map::files;

/// The maximum number of tileset files of a map.
const MAX_TILESET_FILES: u32 = 256;

/// Reads the tilesets of `document` that are in other files. `source` is the text of the map, and `file` its path. A
/// tileset that cannot be read has no tiles, the name of its file, and the reason.
///
/// # Errors
/// There are too many files, or one of them is the map itself.
pub(super) fn read_tileset_files(document: &mut Document<'_>, file: &str, source: &str) -> Result<(), Diagnostics> {
    let external = document.tilesets.iter_mut().filter(|tileset| !tileset.source.is_empty());
    for (tileset, count) in external.zip(1..) {
        let path = find(Path::new(file), &tileset.source);
        let name = path.display().to_string();
        if path == Path::new(file) {
            return Err(Diagnostics::of_file(&name, "a map cannot be its own tileset", None));
        }
        if count > MAX_TILESET_FILES {
            let message = format!("the map has its tilesets in more than {MAX_TILESET_FILES} files");
            return Err(Diagnostics::of_file(file, message, None));
        }
        let loaded = load(&name, &path, is_beside(file, &path));
        document.files.push(path);
        match loaded {
            Ok(read) => {
                (tileset.name, tileset.tiles, tileset.alignment) = (read.name, read.tiles, read.alignment);
            }
            Err(errors) => {
                tileset.name = file_stem(&tileset.source).to_owned();
                let line = source[..tileset.place.start].matches('\n').count() + 1;
                let help = format!(
                    "{file}:{line} uses this tileset; or name the terrains of its tiles by `--tile \"{}:ID=TERRAIN\"`",
                    tileset.name
                );
                tileset.failure = Some(errors.with_help(help));
            }
        }
    }
    Ok(())
}

/// The name of a file without its folders, as any system separates them, and without its extension.
pub(super) fn file_stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The file that the map at `map` calls `source`: the one at this path, or else, as Windows would find it, whatever
/// separates its folders and whatever the case of its letters, or else the one of this name beside the map. If there is
/// none, the path as it is written.
pub(super) fn find(map: &Path, source: &str) -> PathBuf {
    let folder = map.with_file_name("");
    let written = folder.join(source);
    if files::exists(&written) {
        return written;
    }
    let parts: Vec<_> = source.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
    let found = parts.iter().try_fold(folder.clone(), |folder, part| entry(&folder, part));
    let beside = || entry(&folder, parts.last()?);
    found.or_else(beside).unwrap_or(written)
}

/// The file or folder in `folder` with this name, or else with the same letters in another case.
fn entry(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if name == ".." || files::exists(&exact) {
        return Some(exact);
    }
    // A folder without a name is the current one.
    let listed = if folder.as_os_str().is_empty() { files::current_folder().ok()? } else { folder.to_owned() };
    let name = name.to_lowercase();
    let same = files::list(&listed).into_iter().filter_map(|path| {
        let file_name = path.file_name()?.to_str()?;
        (file_name.to_lowercase() == name).then(|| folder.join(file_name))
    });
    same.min()
}

/// Parses a tileset file. The author of the map chose that file, and it may be any file that the user can read, so
/// reports quote its text only if it `is_beside` the map.
fn load(name: &str, path: &Path, is_beside: bool) -> Result<TiledTileset, Diagnostics> {
    let text = read_text(name, path).map_err(|errors| if is_beside { errors } else { errors.without_text() })?;
    if let Some(foreign @ ForeignFile::JsonTileset) = ForeignFile::of_text(&text) {
        let help = "in Tiled, open this tileset, choose File > Export As, and a name that ends in .tsx; then let the map \
                    use that file";
        return Err(Diagnostics::of_file(name, foreign.message(), Some(help.to_owned())));
    }
    parse(&text, "tileset").and_then(|root| TiledTileset::read(&root)).map_err(|error| match is_beside {
        true => error.in_file(name, &text),
        false => error.in_hidden_file(name, &text),
    })
}

/// The text of the file at `path`, which is called `name`.
pub(super) fn read_text(name: &str, path: &Path) -> Result<String, Diagnostics> {
    // A pipe might never end.
    if path.exists() && !path.is_file() {
        return Err(Diagnostics::of_file(name, "this is not a file", None));
    }
    read_bytes(path).and_then(|bytes| decode_text(name, bytes))
}

/// Whether the file at `path` is in the folder of the map `file`, or in a subfolder.
fn is_beside(file: &str, path: &Path) -> bool {
    let folder = files::current_folder().unwrap_or_default().join(Path::new(file).with_file_name(""));
    files::absolute(path).starts_with(files::absolute(&folder))
}
