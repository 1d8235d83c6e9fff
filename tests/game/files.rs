//! A folder with files that a test reads and writes.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder, which is removed after the test.
pub struct Files(TempDir);

impl Files {
    pub fn new() -> Self {
        Self(TempDir::new().expect("there is room for a folder"))
    }

    /// A folder with a file of this name and content.
    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let files = Self::new();
        files.write(name, content);
        files
    }

    /// The path of the folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in this folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("it can be written");
        path
    }

    /// Writes the program's own tileset with changes to the folder `assets`, and returns the path of that.
    pub fn write_tileset(&self, change: impl Fn(&str) -> String) -> PathBuf {
        let assets = self.path("assets");
        fs::create_dir_all(&assets).expect("there is room");
        self.write("assets/tileset.ron", change(include_str!("../../assets/tileset.ron")));
        assets
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it can be read")
    }

    /// Renames a file or a folder.
    pub fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).expect("it can be renamed");
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).expect("it can be removed");
    }
}
