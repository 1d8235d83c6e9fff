//! The dialog for saving the map under another name.

use std::path::{Path, PathBuf};

use emberwalk_map::{MapText, files};

use super::form::{Field, Form, MAX_PATH};

/// The field with a name.
pub(super) fn form(stem: &str) -> Form {
    Form::new(vec![Field::text("File", format!("{stem}.ron"), MAX_PATH)])
}

/// The file to save; otherwise why that is not possible. `.ron` is appended if it is missing.
pub(super) fn read(form: &Form, folder: &Path) -> Result<PathBuf, String> {
    let name = form.fields[0].as_text().trim();
    if let Some(char) = name.chars().find(|char| !MapText::Name.allows(*char)) {
        return Err(format!("The name has the invisible character {}.", char.escape_default()));
    }
    let mut file = folder.join(name);
    let has_name = file.file_name().is_some_and(|last| last.to_string_lossy().trim_matches('.') != "ron");
    if name.is_empty() || name.ends_with(['/', '.', std::path::MAIN_SEPARATOR]) || !has_name {
        return Err("Type a name for the file.".into());
    }
    if !file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron")) {
        file.as_mut_os_string().push(".ron");
    }
    match file.parent() {
        Some(folder) if !files::is_folder(folder) => Err(format!("There is no folder {}.", folder.display())),
        _ if files::is_folder(&file) => Err(format!("{} is a folder.", file.display())),
        _ => Ok(file),
    }
}

/// Describes the effect. The file of the open map is saved without a question.
pub(super) fn describe(file: &Path, open: Option<&Path>) -> String {
    let is_asked = files::exists(file) && !open.is_some_and(|open| files::is_same(open, file));
    let exists = if is_asked { " It exists: you will be asked first." } else { "" };
    format!("Saves {}.{exists}", file.display())
}
