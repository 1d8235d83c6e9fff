//! Saves files of the web version: the browser downloads them, and they are also kept in memory.

use std::io;
use std::path::{Path, PathBuf};

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Url};

use crate::files;

/// A name under which a file will be saved.
#[derive(Clone, Debug)]
pub struct OutputFile(PathBuf);

impl OutputFile {
    /// Creates the output with this name.
    ///
    /// # Errors
    /// Never.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self(path.to_owned()))
    }

    /// Saves the file.
    ///
    /// # Errors
    /// The browser refuses the download.
    pub fn write(&self, content: &[u8]) -> io::Result<()> {
        let name = self.0.file_name().unwrap_or(self.0.as_os_str()).to_string_lossy();
        download(&name, content).map_err(|_| io::Error::other("the browser refused the download"))?;
        files::put(&self.0, content);
        Ok(())
    }
}

/// Saves a new file under the first of these names that is free. Returns this name; `None` if none is free.
///
/// # Errors
/// The browser refuses the download.
pub fn write_new(paths: impl IntoIterator<Item = PathBuf>, content: &[u8]) -> io::Result<Option<PathBuf>> {
    let Some(path) = paths.into_iter().find(|path| !files::exists(path)) else { return Ok(None) };
    OutputFile::new(&path)?.write(content)?;
    Ok(Some(path))
}

/// The reason why a file cannot be saved, in words that follow a colon.
pub fn reason(error: &io::Error) -> String {
    error.to_string()
}

/// Makes the browser download a file.
fn download(name: &str, content: &[u8]) -> Result<(), JsValue> {
    let blob = Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(content)))?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url)
}
