//! The text of a map's file with the changes of the open map.

use emberwalk_map::MapContent;
use emberwalk_map::diagnostics::Diagnostics;

/// The text before the map was saved for the first time, with all changes. If that is not possible, returns the
/// text as it was read or saved last, with all changes.
pub(super) fn patched(content: &MapContent, first_text: &str, text: &str) -> Result<Vec<u8>, Diagnostics> {
    let patch = |text: &str| content.patch(content.name(), text.as_bytes());
    // The tileset may lack terrain that only the first text uses.
    patch(first_text).or_else(|_| patch(text))
}
