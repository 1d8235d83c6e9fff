//! The paths to watch for changes of a file: its folder, and the folders of the links that lead to it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum length of a chain of links; a longer one is considered a cycle.
const MAX_LINKS: usize = 40;

/// The watched names in each folder. Folders are watched, not files, because many programs save a file by renaming a
/// new one, which would not be watched.
#[derive(Debug, Default)]
pub(in crate::game) struct WatchedPaths(BTreeMap<PathBuf, Names>);

#[derive(Debug, Default)]
struct Names {
    all: bool,
    some: BTreeSet<OsString>,
}

impl WatchedPaths {
    /// The paths that determine where a file is, or would be, and the paths of a tileset's files: all in a folder and
    /// in its subfolder `tiles`.
    pub fn of(file: Option<&Path>, assets: Option<&Path>) -> Self {
        let mut paths = Self::default();
        file.into_iter().for_each(|file| paths.add(file));
        for folder in assets.into_iter().flat_map(|folder| [folder.to_owned(), folder.join("tiles")]) {
            paths.add(&folder);
            if let (Ok(real), Ok(entries)) = (folder.canonicalize(), folder.read_dir()) {
                paths.0.entry(real).or_default().all = true;
                let links = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_symlink());
                links.for_each(|link| paths.add(&link));
            }
        }
        paths
    }

    /// Adds a path, the target if it is a link, and the links among its folders.
    fn add(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else { return };
        let links = path.ancestors().skip(1).filter(|folder| folder.is_symlink());
        links.for_each(|link| self.add_chain(link));
        self.add_chain(&path);
    }

    /// Adds a path, and the target if it is a link.
    fn add_chain(&mut self, path: &Path) {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { break };
            let Ok(real) = folder.canonicalize() else {
                // Its folder does not exist: watch the nearest existing folder above it, where it would be created.
                path = folder.to_owned();
                continue;
            };
            self.0.entry(real.clone()).or_default().some.insert(name.to_owned());
            let Ok(target) = fs::read_link(&path) else { break };
            path = real.join(target);
        }
    }

    /// The folders to watch, by their real paths.
    pub(in crate::game) fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.keys()
    }

    /// Whether an event may matter: it concerns a watched path, or one of the folders themselves.
    pub(in crate::game) fn concerns(&self, event: &notify::Event) -> bool {
        event.need_rescan() || event.paths.iter().any(|path| self.contains(path) || self.0.contains_key(path))
    }

    /// Whether a change of `path`, in one of the folders, matters.
    pub fn contains(&self, path: &Path) -> bool {
        let names = path.parent().and_then(|folder| self.0.get(folder));
        names.zip(path.file_name()).is_some_and(|(names, name)| names.all || names.some.contains(name))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// The watched names, each with its folder relative to `root`.
    fn listed(paths: &WatchedPaths, root: &Path) -> Vec<String> {
        let root = root.canonicalize().unwrap();
        let lines = paths.0.iter().flat_map(|(folder, names)| {
            let folder = folder.strip_prefix(&root).unwrap().display().to_string();
            let all = names.all.then(|| format!("{folder}/*"));
            names.some.iter().map(move |name| format!("{folder}/{}", name.display())).chain(all)
        });
        lines.collect()
    }

    #[test]
    fn links_to_the_file_and_to_its_folders_are_followed() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("real/v1")).unwrap();
        fs::write(path("real/v1/map.ron"), "").unwrap();
        symlink("v1/map.ron", path("real/now.ron")).unwrap();
        symlink("real", path("maps")).unwrap();
        let paths = WatchedPaths::of(Some(&path("maps/now.ron")), None);
        assert_eq!(listed(&paths, root.path()), ["/maps", "/real", "real/now.ron", "real/v1/map.ron"]);
        let real = root.path().canonicalize().unwrap();
        assert!(paths.contains(&real.join("real/v1/map.ron")));
        assert!(!paths.contains(&real.join("real/v1/other.ron")));
    }

    #[test]
    fn for_a_file_in_a_missing_folder_the_folder_above_is_watched() {
        let root = tempfile::tempdir().unwrap();
        let paths = WatchedPaths::of(Some(&root.path().join("a/b/map.ron")), None);
        assert_eq!(listed(&paths, root.path()), ["/a"]);
    }

    #[test]
    fn cycles_of_links_end() {
        let root = tempfile::tempdir().unwrap();
        symlink("b", root.path().join("a")).unwrap();
        symlink("a", root.path().join("b")).unwrap();
        assert_eq!(listed(&WatchedPaths::of(Some(&root.path().join("a")), None), root.path()), ["/a", "/b"]);
    }

    #[test]
    fn all_files_of_a_tileset_are_watched_wherever_they_are() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("mine")).unwrap();
        fs::create_dir_all(path("others")).unwrap();
        fs::write(path("others/grass.png"), "").unwrap();
        symlink("../others/grass.png", path("mine/L1_Terrain001.png")).unwrap();
        let paths = WatchedPaths::of(None, Some(&path("mine")));
        assert_eq!(
            listed(&paths, root.path()),
            ["/mine", "mine/L1_Terrain001.png", "mine/tiles", "mine/*", "others/grass.png"]
        );
    }
}
