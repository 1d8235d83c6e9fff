//! The recovery file of the web version: an entry in the browser's storage.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use js_sys::{Function, Reflect};
use wasm_bindgen::JsValue;
use web_sys::Storage;

use super::files;
use crate::platform::map_origin::{EXTENSION, MapOrigin};

thread_local! {
    /// The keys of the entries that are held by a value of this page. They count as locked, like files that another
    /// value of the same process holds.
    static HELD: RefCell<HashSet<PathBuf>> = RefCell::default();
}

/// The prefix of the keys of all entries.
pub fn state_folder() -> Option<PathBuf> {
    storage().map(|_| "emberwalk".into())
}

/// An entry in the browser's storage: the name of the page that owns it, a space, and the content. If the value is
/// dropped, the entry stays.
#[derive(Debug)]
pub struct RecoveryFile {
    key: PathBuf,
}

impl RecoveryFile {
    /// Writes a new entry with this [content](crate::editing::Recovery::pack).
    ///
    /// # Errors
    /// There is no storage, or it is full.
    pub fn create(folder: &Path, origin: &MapOrigin, content: &[u8]) -> io::Result<Self> {
        let storage = storage().ok_or_else(refusal)?;
        let begin = folder.join(origin.file_prefix(files::absolute)).display().to_string();
        let is_free = |key: &String| matches!(storage.get_item(key), Ok(None));
        // Another page may have created one at the same time.
        let mut keys = (js_sys::Date::now() as u64..).map(|number| format!("{begin}{number}.{EXTENSION}"));
        let mut file = Self::hold(keys.find(is_free).ok_or_else(refusal)?);
        file.replace(content)?;
        Ok(file)
    }

    fn hold(key: String) -> Self {
        let key = PathBuf::from(key);
        HELD.with_borrow_mut(|held| held.insert(key.clone()));
        Self { key }
    }

    /// Takes over the entries of a map, and returns them with their content, the latest first; `None` for each entry of
    /// another open page, and for each that this page holds. The browser's storage limits their length.
    pub(crate) fn find(folder: &Path, origin: &MapOrigin) -> Vec<Option<(Self, Vec<u8>)>> {
        let Some(storage) = storage() else { return Vec::new() };
        let begin = folder.join(origin.file_prefix(files::absolute)).display().to_string();
        let end = format!(".{EXTENSION}");
        let keys = (0..storage.length().unwrap_or(0)).filter_map(|index| storage.key(index).ok()?);
        let mut keys: Vec<_> = keys.filter(|key| key.starts_with(&begin) && key.ends_with(&end)).collect();
        keys.sort_unstable_by(|one, other| other.cmp(one));
        let entry = |key: String| {
            let entry = storage.get_item(&key).ok()??;
            let (page, content) = entry.split_once(' ')?;
            if is_open_elsewhere(page) || HELD.with_borrow(|held| held.contains(Path::new(&key))) {
                return Some(None);
            }
            let content = BASE64.decode(content).ok()?;
            let mut file = Self::hold(key);
            // This page owns it from now on.
            file.replace(&content).ok()?;
            Some(Some((file, content)))
        };
        keys.into_iter().filter_map(entry).collect()
    }

    /// Replaces the content.
    ///
    /// # Errors
    /// There is no storage, or it is full. The entry is then unchanged.
    pub fn replace(&mut self, content: &[u8]) -> io::Result<()> {
        let entry = format!("{} {}", page_name(), BASE64.encode(content));
        let stored = storage().map(|storage| storage.set_item(&self.key(), &entry));
        stored.and_then(Result::ok).ok_or_else(refusal)
    }

    /// Removes the entry.
    ///
    /// # Errors
    /// There is no storage.
    pub fn discard(self) -> io::Result<()> {
        let removed = storage().map(|storage| storage.remove_item(&self.key()));
        removed.and_then(Result::ok).ok_or_else(refusal)
    }

    /// The key.
    pub fn path(&self) -> &Path {
        &self.key
    }

    fn key(&self) -> String {
        self.key.display().to_string()
    }
}

impl Drop for RecoveryFile {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|held| held.remove(&self.key));
    }
}

/// The browser's storage; `None` if the player has disabled it.
fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn refusal() -> io::Error {
    io::Error::other("the browser's storage is full or disabled")
}

/// The name of this page.
fn page_name() -> String {
    Reflect::get(&js_sys::global(), &"pageName".into()).ok().and_then(|name| name.as_string()).unwrap_or_default()
}

/// Whether another open page has this name.
fn is_open_elsewhere(page: &str) -> bool {
    let ask = Reflect::get(&js_sys::global(), &"isOpenElsewhere".into()).map(Function::from);
    // The web page defines this function.
    ask.and_then(|ask| ask.call1(&JsValue::NULL, &page.into())).is_ok_and(|is_open| is_open.is_truthy())
}
