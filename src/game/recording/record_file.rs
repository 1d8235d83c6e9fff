//! Writes the recording to a file, line by line, so that a crash loses little of it.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use tracing::{error, info};

use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::{Notice, file_name};
use crate::game::world::live::Live;
use crate::game::world::open_map::OpenMap;
use crate::game::world::reader::MapReader;
use emberwalk_map::editing::numbered_names;
use emberwalk_map::output_file::{OutputFile, reason};
use emberwalk_map::terrain::Tileset;
use emberwalk_path::StepRules;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{ENDING, Entry, Order, Recording};

/// A file to which the recording is written from now on. It is a new file, which is made at the first entry on a shown
/// map; until then no file is touched.
#[derive(Resource, Debug)]
pub struct RecordFile {
    /// The requested path.
    asked: PathBuf,
    open: Option<OpenFile>,
    /// The number of the recording that was written last, and how many of its entries were written.
    of: u64,
    written: usize,
    /// The times in the file of its beginning and of its last entry.
    start: CrowdTime,
    last: CrowdTime,
}

/// The file, once it exists.
#[derive(Debug)]
struct OpenFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// The file at `path`. If there is a file already, a new one gets a number: `walk-2.emberplay.ron`.
    ///
    /// # Errors
    /// There is no such folder, nothing may be written there, or the path is a folder.
    pub fn new(path: &Path) -> io::Result<Self> {
        // An existing file stays as it is, so the check is whether a new file can be made.
        let free = |path: PathBuf| (!path.exists()).then_some(path);
        let new = path.is_file().then(|| find_numbered(path, free)).flatten();
        OutputFile::new(new.as_deref().unwrap_or(path))?;
        Ok(Self {
            asked: path.to_owned(),
            open: None,
            of: 0,
            written: 0,
            start: CrowdTime::ZERO,
            last: CrowdTime::ZERO,
        })
    }

    /// Writes the entries since the last call; returns the path of the file if this call makes it.
    fn follow(&mut self, live: &Live, tileset: &Tileset) -> io::Result<Option<&Path>> {
        let was_there = self.open.is_some();
        for (number, recording) in live.since(self.of) {
            if number != self.of {
                self.begin(number, &recording.entries, tileset)?;
            }
            self.write_rest(&recording.entries, tileset)?;
        }
        Ok(self.open.as_ref().filter(|_| !was_there).map(|open| &*open.path))
    }

    /// Begins to write another recording, behind the previous one.
    fn begin(&mut self, number: u64, entries: &[(CrowdTime, Entry)], tileset: &Tileset) -> io::Result<()> {
        (self.of, self.written, self.start) = (number, 0, self.last);
        let is_first = |(_, entry): &(CrowdTime, Entry)| matches!(entry, Entry::Order(_));
        let Some(first) = entries.iter().position(is_first).filter(|_| self.open.is_some()) else { return Ok(()) };
        let is_remark = |(_, entry): &(CrowdTime, Entry)| matches!(entry, Entry::Remark(remark) if remark.is_behind());
        let opened = first + 1 + usize::from(entries.get(first + 1).is_some_and(is_remark));
        self.write_rest(&entries[..opened], tileset)?;
        // A recording that the player continues begins in another world than the previous recording in the file.
        let fresh = [Order::rules(StepRules::default()), Order::Put(None)];
        self.write(&fresh.map(|order| (entries[first].0, Entry::Order(order))), tileset)
    }

    /// Writes the entries of a recording that were not written yet.
    fn write_rest(&mut self, entries: &[(CrowdTime, Entry)], tileset: &Tileset) -> io::Result<()> {
        let written = std::mem::replace(&mut self.written, entries.len());
        self.write(&entries[written..], tileset)
    }

    fn write(&mut self, entries: &[(CrowdTime, Entry)], tileset: &Tileset) -> io::Result<()> {
        let Some((last, _)) = entries.last() else { return Ok(()) };
        let is_new = self.open.is_none();
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let (path, file) = create(&self.asked)?;
                none.insert(OpenFile { path, file })
            }
        };
        let start = self.start;
        self.last = start + *last;
        let entries = entries.iter().map(|(time, entry)| (start + *time, entry));
        let text = if is_new { Recording::new(tileset).beginning_with(entries) } else { Recording::lines(entries) };
        open.file.write_all(text.as_bytes())
    }
}

/// Makes a new file at a path, or under the first free number beside it. A device or a pipe is opened directly.
fn create(path: &Path) -> io::Result<(PathBuf, File)> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Ok((path.to_owned(), OpenOptions::new().write(true).open(path)?));
    }
    let create = |path: PathBuf| match File::create_new(&path) {
        Ok(file) => Some(Ok((path, file))),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
        Err(error) => Some(Err(error)),
    };
    let made = create(path.to_owned()).or_else(|| find_numbered(path, create));
    made.unwrap_or_else(|| Err(ErrorKind::AlreadyExists.into()))
}

/// The first result for a path beside `path` with a number: `walk-2.emberplay.ron` and so on.
fn find_numbered<T>(path: &Path, find: impl FnMut(PathBuf) -> Option<T>) -> Option<T> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = match name.strip_suffix(ENDING) {
        Some(stem) => (stem.to_owned(), ENDING.to_owned()),
        None => {
            let ending = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
            (path.file_stem().map(OsStr::to_string_lossy).unwrap_or_default().into(), ending.unwrap_or_default())
        }
    };
    numbered_names(path.parent().unwrap_or(Path::new("")), &stem, &ending).skip(1).find_map(find)
}

/// Ends the file.
impl Drop for RecordFile {
    fn drop(&mut self) {
        // A file without its end is as good.
        if let Some(OpenFile { path, file, .. }) = &mut self.open
            && file.write_all(Recording::END.as_bytes()).is_ok()
        {
            info!(file = ?path, "recording saved");
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, write.run_if(resource_exists::<RecordFile>).in_set(AppSystems::Show));
}

fn write(
    map: Res<OpenMap>,
    reader: Res<MapReader>,
    mut file: ResMut<RecordFile>,
    mut notices: MessageWriter<Notice>,
    mut commands: Commands,
) {
    let file = file.bypass_change_detection();
    if map.is_replay() || reader.hides_open_map() {
        return;
    }
    let asked = file.asked.clone();
    match file.follow(map.live(), map.tileset()) {
        Ok(None) => {}
        Ok(Some(new)) => {
            info!(file = ?new, "recording begun");
            if new != asked {
                let [asked, new] = [asked.as_path(), new].map(file_name);
                notices.write(Notice(format!("There is a file {asked} already. This is recorded in {new}.")));
            }
        }
        Err(error) => {
            let reason = reason(&error);
            error!(file = ?asked, reason, "recording not written any more");
            notices.write(Notice(format!("Nothing is recorded in {} any more: {reason}.", file_name(&asked))));
            commands.remove_resource::<RecordFile>();
        }
    }
}
