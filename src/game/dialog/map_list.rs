//! The list of maps that can be opened: the bundled ones, and the files in the current folder and in the folder of the
//! open map.

use std::path::{Path, PathBuf};

use crate::game::map_source::MapSource;
use crate::game::world::dropped::is_map_file;
use crate::game::world::pages::Pages;
use emberwalk_map::{bundled_maps, files};

use super::form::{Entry, Field, Form, List};

/// The maximum number of entries that are shown. A filter finds the others.
const MAX_SHOWN: usize = 200;

/// A map that can be opened.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// The bundled map of this index.
    Bundled(usize),
    /// A map in a file, or one that is made.
    Other(MapSource),
}

/// All maps that can be opened, with their descriptions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MapList {
    all: Vec<(Choice, Entry)>,
    /// The maps that match the filter.
    pub(super) shown: Vec<Choice>,
}

impl MapList {
    /// Finds the maps.
    pub(super) fn find(pages: &Pages) -> Self {
        let bundled = bundled_maps().into_iter().enumerate().map(|(index, map)| {
            (Choice::Bundled(index), Entry { text: map.name.to_owned(), detail: "bundled".to_owned() })
        });
        let current = files::current_folder().ok();
        let of_open = pages.open_file().and_then(Path::parent).map(|folder| match &current {
            // Relative paths start here.
            Some(current) => current.join(folder),
            None => folder.to_owned(),
        });
        let mut folders: Vec<PathBuf> = of_open.into_iter().chain(current).collect();
        folders.dedup();
        let files = folders.iter().flat_map(|folder| files_in(folder));
        Self { all: files.chain(bundled).collect(), shown: Vec::new() }
    }

    /// The form. The map that was chosen last is selected, or else the open one.
    pub(super) fn form(&mut self, last: Option<&Choice>, pages: &Pages) -> Form {
        let mut form = Form::new(vec![Field::text("Find", "", 100)]);
        self.refresh(&mut form);
        let open = pages.open_bundled().and_then(|open| bundled_maps().iter().position(|map| map.name == open.name));
        let open =
            open.map(Choice::Bundled).or_else(|| Some(Choice::Other(MapSource::File(absolute(pages.open_file()?)))));
        let place = |choice: Option<&Choice>| self.shown.iter().position(|shown| Some(shown) == choice);
        if let (Some(list), Some(chosen)) = (&mut form.list, place(last).or_else(|| place(open.as_ref()))) {
            list.chosen = chosen;
        }
        form
    }

    /// Lists only maps whose name or folder contains the text in the field. The chosen map stays chosen if it is one of
    /// them.
    pub(super) fn refresh(&mut self, form: &mut Form) {
        let filter = form.fields[0].as_text().trim().to_lowercase();
        let chosen = form.list.as_ref().and_then(|list| self.shown.get(list.chosen)).cloned();
        let has_filter = |entry: &Entry| format!("{} {}", entry.text, entry.detail).to_lowercase().contains(&filter);
        let found = self.all.iter().filter(|(_, entry)| has_filter(entry)).take(MAX_SHOWN);
        let (shown, entries): (Vec<_>, Vec<_>) = found.cloned().unzip();
        let chosen = shown.iter().position(|shown| Some(shown) == chosen.as_ref()).unwrap_or(0);
        form.list = Some(List { entries, chosen });
        self.shown = shown;
    }

    /// Shows the number of maps.
    pub(super) fn describe(&self) -> String {
        match (self.shown.len(), self.all.len()) {
            (MAX_SHOWN, all) => format!("The first {MAX_SHOWN} of {all} maps. Type a part of a name to find others."),
            (shown, all) if shown == all => "Type a part of a name to find a map.".to_owned(),
            (shown, all) => format!("{shown} of {all} maps."),
        }
    }
}

fn absolute(file: &Path) -> PathBuf {
    files::current_folder().map_or_else(|_| file.to_owned(), |folder| folder.join(file))
}

/// The maps in a folder by their names. They are not checked for errors until they are opened.
fn files_in(folder: &Path) -> Vec<(Choice, Entry)> {
    let mut files = files::list(folder);
    files.retain(|path| is_map_file(path));
    files.sort();
    let detail = folder.display().to_string();
    let name = |file: &Path| file.file_name().unwrap_or_default().display().to_string();
    let files = files.into_iter().map(|file| (name(&file), file));
    files.map(|(text, file)| (Choice::Other(MapSource::File(file)), Entry { text, detail: detail.clone() })).collect()
}
