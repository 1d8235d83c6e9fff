//! The list of maps that can be opened: the bundled maps, and the files in the current folder and in the folder of the
//! open map.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::game::world::dropped::is_map_file;
use crate::game::world::pages::Pages;
use crate::game::world::request::MapSource;
use emberwalk_map::diagnostics::{counted, read_text};
use emberwalk_map::{MapTitle, bundled_maps, files};
use emberwalk_world::{Recording, is_recording};

use super::form::{Entry, Field, Form, List};

/// The maximum number of entries that are shown. A filter finds the others.
const MAX_SHOWN: usize = 200;

/// The longest file whose title is read, in bytes.
const MAX_TITLED: u64 = 1 << 20;

/// All maps that can be opened, with their descriptions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MapList {
    all: Vec<(MapSource, Entry)>,
    /// The maps that match the text in the field.
    pub(super) shown: Vec<MapSource>,
    /// That text.
    sought: String,
}

impl MapList {
    /// Finds the maps.
    pub(super) fn find(pages: &Pages) -> Self {
        let bundled = bundled_maps().into_iter().map(|map| {
            let title = MapTitle::of_source(map.source);
            let entry = Entry { text: map.name.to_owned(), detail: "bundled".to_owned(), age: String::new(), title };
            (MapSource::Bundled(map), entry)
        });
        let current = files::current_folder().ok();
        let of_open = pages.open_file().and_then(Path::parent).map(absolute);
        let mut folders: Vec<PathBuf> = of_open.into_iter().chain(current).collect();
        folders.dedup();
        let files = folders.iter().flat_map(|folder| files_in(folder));
        Self { all: files.chain(bundled).collect(), ..Self::default() }
    }

    /// The form. The map that was chosen last is selected, or else the open one.
    pub(super) fn form(&mut self, last: Option<&MapSource>, pages: &Pages) -> Form {
        let mut form = Form::new(vec![Field::text("Find", "", 100)]);
        self.refresh(&mut form);
        let file = || pages.open_file().map(|file| MapSource::File(absolute(file)));
        let open = pages.open_bundled().map(MapSource::Bundled).or_else(file);
        let place = |choice: Option<&MapSource>| self.shown.iter().position(|shown| Some(shown) == choice);
        if let (Some(list), Some(chosen)) = (&mut form.list, place(last).or_else(|| place(open.as_ref()))) {
            list.chosen = chosen;
        }
        form
    }

    /// Lists only maps that match the text in the field, the best matches first: the first one is then chosen. Without a
    /// text, the chosen map stays chosen.
    pub(super) fn refresh(&mut self, form: &mut Form) {
        let sought = form.fields[0].as_text().trim().to_lowercase();
        let chosen = form.list.as_ref().and_then(|list| self.shown.get(list.chosen)).cloned();
        let mut found: Vec<_> =
            self.all.iter().filter_map(|(map, entry)| Some((match_of(entry, &sought)?, map, entry))).collect();
        found.sort_by_key(|(quality, ..)| *quality);
        let found = found.into_iter().take(MAX_SHOWN).map(|(_, map, entry)| (map.clone(), entry.clone()));
        let (shown, entries): (Vec<_>, Vec<_>) = found.unzip();
        let is_new = self.sought != sought;
        let stays = shown.iter().position(|shown| Some(shown) == chosen.as_ref()).filter(|_| !is_new);
        self.shown = shown;
        self.sought = sought;
        form.list = Some(List { entries, chosen: stays.unwrap_or(0) });
    }

    /// The files whose titles are not known yet.
    pub(super) fn untitled(&self) -> Vec<PathBuf> {
        let untitled = self.all.iter().filter(|(_, entry)| entry.title.is_none());
        untitled.filter_map(|(map, _)| map.file().map(Path::to_owned)).collect()
    }

    /// Adds titles that were read from files.
    pub(super) fn add_titles(&mut self, titles: &[(PathBuf, MapTitle)]) {
        for (map, entry) in &mut self.all {
            let known = titles.iter().find(|(of, _)| Some(of.as_path()) == map.file());
            entry.title = known.map(|(_, title)| title.clone()).or(entry.title.take());
        }
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

/// A path as the list has it: relative paths start at the current folder.
fn absolute(path: &Path) -> PathBuf {
    files::current_folder().map_or_else(|_| path.to_owned(), |folder| folder.join(path))
}

/// The maps in a folder by their names. They are not checked for errors until they are opened.
fn files_in(folder: &Path) -> Vec<(MapSource, Entry)> {
    let mut files = files::list(folder);
    files.retain(|path| is_map_file(path));
    files.sort();
    let detail = folder.display().to_string();
    let name = |file: &Path| file.file_name().unwrap_or_default().display().to_string();
    let entry = |file: &Path| {
        let age = files::age(file).map_or_else(String::new, ago);
        Entry { text: name(file), detail: detail.clone(), age, title: None }
    };
    files.into_iter().map(|file| (MapSource::File(file.clone()), entry(&file))).collect()
}

/// How long ago something was, in one unit.
fn ago(age: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let seconds = age.as_secs();
    let (unit, name) = match seconds {
        0..MINUTE => return "just now".to_owned(),
        MINUTE..HOUR => (MINUTE, "minute"),
        HOUR..DAY => (HOUR, "hour"),
        _ if seconds < 60 * DAY => (DAY, "day"),
        _ if seconds < 730 * DAY => (30 * DAY, "month"),
        _ => (365 * DAY, "year"),
    };
    format!("{} ago", counted((seconds / unit) as usize, name))
}

/// How well a map matches a text in lower case, from 0 for the best matches; `None` if it does not.
fn match_of(entry: &Entry, sought: &str) -> Option<usize> {
    let file = entry.text.to_lowercase();
    let (name, about) = entry
        .title
        .as_ref()
        .map_or_else(Default::default, |MapTitle { name, about }| (name.to_lowercase(), about.to_lowercase()));
    let stem = file.rsplit('/').next().unwrap_or(&file).trim_end_matches(".ron");
    let names = [name.as_str(), &file, stem];
    let has_word = |name: &&str| name.split(|char: char| !char.is_alphanumeric()).any(|word| word.starts_with(sought));
    let matches = [
        // Without a text, all maps keep their order.
        sought.is_empty() || names.contains(&sought),
        names.iter().any(|name| name.starts_with(sought)),
        names.iter().any(has_word),
        names.iter().any(|name| name.contains(sought)),
        about.contains(sought) || entry.detail.to_lowercase().contains(sought),
    ];
    matches.iter().position(|matches| *matches)
}

/// The titles of map files and recordings. Long files and other files have none.
pub(super) fn titles_of(files: Vec<PathBuf>) -> Vec<(PathBuf, MapTitle)> {
    let title = |file: &Path| {
        files::length(file).filter(|length| *length <= MAX_TITLED)?;
        let text = read_text(file).ok()?;
        if is_recording(&file.display().to_string(), &text) {
            title_of_recording(&text)
        } else {
            MapTitle::of_source(&text)
        }
    };
    files.into_iter().filter_map(|file| title(&file).map(|title| (file, title))).collect()
}

/// The name of the map with which a recording begins, and how long it is.
fn title_of_recording(text: &str) -> Option<MapTitle> {
    let recording = Recording::parse(text).ok()?;
    let MapTitle { name, .. } = MapTitle::of_source(&recording.first_map()?.text())?;
    let seconds = recording.duration().seconds().round() as u64;
    let duration = match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{}:{:02} h", seconds / 3600, seconds / 60 % 60),
    };
    Some(MapTitle { name, about: format!("A recording of {duration}.") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_of_a_file_has_one_unit() {
        let told = |seconds| ago(Duration::from_secs(seconds));
        let day = 86_400;
        assert_eq!([0, 59, 60, 7199].map(told), ["just now", "just now", "1 minute ago", "1 hour ago"]);
        assert_eq!(
            [day, 59 * day, 61 * day, 800 * day].map(told),
            ["1 day ago", "59 days ago", "2 months ago", "2 years ago"]
        );
    }
}
