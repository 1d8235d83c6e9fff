//! Where the system keeps its fonts.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// How deep folders are searched. On Linux, fonts are up to four folders deep.
const MAX_DEPTH: usize = 8;

/// The maximum number of files and folders that are looked at, for a link that leads to a whole disk.
const MAX_ENTRIES: usize = 20_000;

/// The maximum size of a font file in bytes. Collections with all Chinese characters have up to 60 million.
const MAX_SIZE: u64 = 64 << 20;

/// The folders in which the system and the user keep fonts, whether they exist or not.
pub(super) fn font_folders() -> Vec<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folders(variable, std::env::home_dir())
}

#[cfg(windows)]
fn folders(variable: impl Fn(&str) -> Option<PathBuf>, _home: Option<PathBuf>) -> Vec<PathBuf> {
    let user = variable("LOCALAPPDATA").map(|data| data.join(r"Microsoft\Windows\Fonts"));
    let windows = variable("WINDIR").unwrap_or_else(|| r"C:\Windows".into());
    user.into_iter().chain([windows.join("Fonts")]).collect()
}

#[cfg(target_os = "macos")]
fn folders(_variable: impl Fn(&str) -> Option<PathBuf>, home: Option<PathBuf>) -> Vec<PathBuf> {
    let user = home.map(|home| home.join("Library/Fonts"));
    user.into_iter().chain(["/Library/Fonts".into(), "/System/Library/Fonts".into()]).collect()
}

/// A browser does not let a page read the fonts of the system.
#[cfg(target_arch = "wasm32")]
fn folders(_variable: impl Fn(&str) -> Option<PathBuf>, _home: Option<PathBuf>) -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(not(any(windows, target_os = "macos", target_arch = "wasm32")))]
fn folders(variable: impl Fn(&str) -> Option<PathBuf>, home: Option<PathBuf>) -> Vec<PathBuf> {
    let in_home = |path: &str| home.as_ref().map(|home| home.join(path));
    let user = variable("XDG_DATA_HOME").or_else(|| in_home(".local/share"));
    let system = variable("XDG_DATA_DIRS").unwrap_or_default();
    let data = user.into_iter().chain(std::env::split_paths(&system).filter(|path| path.is_absolute()));
    let fonts = data.map(|data| data.join("fonts")).chain(in_home(".fonts"));
    fonts.chain(["/usr/local/share/fonts".into(), "/usr/share/fonts".into()]).collect()
}

/// The font files in these folders and in the folders inside them, in the order of their paths.
pub(super) fn font_files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut read = HashSet::new();
    let mut entries_left = MAX_ENTRIES;
    let mut level = folders.to_vec();
    for _ in 0..MAX_DEPTH {
        let mut next_level = Vec::new();
        // Without links, so that no folder is read twice.
        for folder in level.iter().filter_map(|folder| folder.canonicalize().ok()) {
            let Some(entries) = read.insert(folder.clone()).then(|| folder.read_dir().ok()).flatten() else { continue };
            for path in entries.take(entries_left).flatten().map(|entry| entry.path()) {
                entries_left -= 1;
                match path.metadata() {
                    Ok(metadata) if metadata.is_dir() => next_level.push(path),
                    Ok(metadata) if metadata.is_file() && metadata.len() <= MAX_SIZE && is_font(&path) => {
                        files.push(path);
                    }
                    _ => {}
                }
            }
        }
        level = next_level;
    }
    files.sort();
    files
}

/// Whether this is the name of a font file.
fn is_font(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["ttf", "otf", "ttc", "otc"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;

    #[test]
    fn font_files_are_found_by_their_names_in_all_folders_unless_they_are_huge() {
        let temporary = tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("truetype/deep")).unwrap();
        for name in ["b.ttf", "README", "truetype/a.OTF", "truetype/deep/c.ttc", "truetype/d.pfb"] {
            fs::write(root.join(name), "").unwrap();
        }
        fs::File::create(root.join("huge.ttf")).unwrap().set_len(MAX_SIZE + 1).unwrap();
        let found = font_files(&[root.clone(), root.join("missing"), root.join("truetype")]);
        assert_eq!(found, ["b.ttf", "truetype/a.OTF", "truetype/deep/c.ttc"].map(|name| root.join(name)));
    }

    #[cfg(unix)]
    #[test]
    fn links_in_a_circle_end_and_links_to_fonts_are_followed() {
        use std::os::unix::fs::symlink;

        let temporary = tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        let elsewhere = tempdir().unwrap();
        fs::write(elsewhere.path().join("far.ttf"), "").unwrap();
        symlink(&root, root.join("circle")).unwrap();
        symlink(elsewhere.path(), root.join("link")).unwrap();
        symlink(root.join("nothing.ttf"), root.join("broken.ttf")).unwrap();
        let elsewhere = elsewhere.path().canonicalize().unwrap();
        assert_eq!(font_files(std::slice::from_ref(&root)), [elsewhere.join("far.ttf")]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_folders_follow_the_xdg_standard_and_include_the_classic_ones() {
        let variable = |name: &str| (name == "XDG_DATA_DIRS").then(|| PathBuf::from("/opt/share:relative:"));
        let all =
            ["/me/.local/share/fonts", "/opt/share/fonts", "/me/.fonts", "/usr/local/share/fonts", "/usr/share/fonts"];
        assert_eq!(folders(variable, Some("/me".into())), all.map(PathBuf::from));
        let variable = |name: &str| (name == "XDG_DATA_HOME").then(|| PathBuf::from("/data"));
        assert_eq!(
            folders(variable, None),
            ["/data/fonts", "/usr/local/share/fonts", "/usr/share/fonts"].map(PathBuf::from)
        );
    }
}
