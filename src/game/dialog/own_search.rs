//! The dialog for a search of the player's own: it says how a program is judged, and opens a trace that a program has
//! written.

use std::path::{Path, PathBuf};

use emberwalk_map::files;

use super::form::{Field, Form, MAX_PATH};

/// How to show a search here.
pub(super) const ABOUT: &str = "Write A* in any language, and run\n\
     emberwalk judge --show -- python3 my_search.py\n\
     to see it here with its mistakes. You can also drop a file with its trace on the map, or type its name.";

/// The field with the name of the file.
pub(super) fn form() -> Form {
    Form::new(vec![Field::text("Trace", "", MAX_PATH)])
}

/// The file to play; otherwise why that is not possible.
pub(super) fn read(form: &Form) -> Result<PathBuf, String> {
    let name = form.fields[0].as_text().trim();
    // The current folder is the folder in which the program was started.
    if name.is_empty() {
        return Err("Type the name of a file.".into());
    }
    let file = files::absolute(Path::new(name));
    match files::exists(&file) && !files::is_folder(&file) {
        true => Ok(file),
        false => Err(format!("There is no file {}.", file.display())),
    }
}
