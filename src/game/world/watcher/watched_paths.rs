//! Where to look for changes of a file: its folder, and those of the links that lead to it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A chain of more links than this leads nowhere.
const MOST_LINKS: usize = 40;

/// Names in folders. A folder is watched rather than a file, for a file that is saved by renaming another one is not the
/// one that was watched.
#[derive(Debug, Default)]
pub(in crate::game) struct Places(BTreeMap<PathBuf, Names>);

#[derive(Debug, Default)]
struct Names {
    all: bool,
    some: BTreeSet<OsString>,
}

impl Places {
    /// Where a file is, or would be.
    pub fn of_file(path: &Path) -> Self {
        let mut places = Self::default();
        places.add(path);
        places
    }

    /// Where the files of a tileset are: in a folder and in its `tiles`, whatever they are called.
    pub fn of_assets(folder: &Path) -> Self {
        let mut places = Self::default();
        for folder in [folder.to_owned(), folder.join("tiles")] {
            places.add(&folder);
            if let (Ok(real), Ok(entries)) = (folder.canonicalize(), folder.read_dir()) {
                places.0.entry(real).or_default().all = true;
                let links = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_symlink());
                links.for_each(|link| places.add(&link));
            }
        }
        places
    }

    /// Adds a path, what it is a link to, and the links among its folders.
    fn add(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else { return };
        let links = path.ancestors().skip(1).filter(|folder| folder.is_symlink());
        links.for_each(|link| self.add_chain(link));
        self.add_chain(&path);
    }

    /// Adds a path, and what it is a link to.
    fn add_chain(&mut self, path: &Path) {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { break };
            let Ok(real) = folder.canonicalize() else {
                // Its folder is not there: that will be made in the nearest one that is.
                path = folder.to_owned();
                continue;
            };
            self.0.entry(real.clone()).or_default().some.insert(name.to_owned());
            let Ok(target) = fs::read_link(&path) else { break };
            path = real.join(target);
        }
    }

    /// The folders, as the system calls them.
    pub fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.keys()
    }

    /// Whether a change of `path`, in one of the folders, is one that matters.
    pub fn hold(&self, path: &Path) -> bool {
        let names = path.parent().and_then(|folder| self.0.get(folder));
        names.zip(path.file_name()).is_some_and(|(names, name)| names.all || names.some.contains(name))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// The names that matter, each with its folder from `root`.
    fn listed(places: &Places, root: &Path) -> Vec<String> {
        let root = root.canonicalize().unwrap();
        let lines = places.0.iter().flat_map(|(folder, names)| {
            let folder = folder.strip_prefix(&root).unwrap().display().to_string();
            let all = names.all.then(|| format!("{folder}/*"));
            names.some.iter().map(move |name| format!("{folder}/{}", name.display())).chain(all)
        });
        lines.collect()
    }

    #[test]
    fn a_link_is_followed_to_the_file_and_its_folders_too() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("real/v1")).unwrap();
        fs::write(path("real/v1/map.ron"), "").unwrap();
        symlink("v1/map.ron", path("real/now.ron")).unwrap();
        symlink("real", path("maps")).unwrap();
        let places = Places::of_file(&path("maps/now.ron"));
        assert_eq!(listed(&places, root.path()), ["/maps", "/real", "real/now.ron", "real/v1/map.ron"]);
        let real = root.path().canonicalize().unwrap();
        assert!(places.hold(&real.join("real/v1/map.ron")));
        assert!(!places.hold(&real.join("real/v1/other.ron")));
    }

    #[test]
    fn a_file_in_a_folder_that_is_not_there_is_waited_for_above_it() {
        let root = tempfile::tempdir().unwrap();
        let places = Places::of_file(&root.path().join("a/b/map.ron"));
        assert_eq!(listed(&places, root.path()), ["/a"]);
    }

    #[test]
    fn links_in_a_circle_end() {
        let root = tempfile::tempdir().unwrap();
        symlink("b", root.path().join("a")).unwrap();
        symlink("a", root.path().join("b")).unwrap();
        assert_eq!(listed(&Places::of_file(&root.path().join("a")), root.path()), ["/a", "/b"]);
    }

    #[test]
    fn all_files_of_a_tileset_matter_wherever_they_are() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("mine")).unwrap();
        fs::create_dir_all(path("others")).unwrap();
        fs::write(path("others/grass.png"), "").unwrap();
        symlink("../others/grass.png", path("mine/L1_Terrain001.png")).unwrap();
        let places = Places::of_assets(&path("mine"));
        assert_eq!(
            listed(&places, root.path()),
            ["/mine", "mine/L1_Terrain001.png", "mine/tiles", "mine/*", "others/grass.png"]
        );
    }
}
