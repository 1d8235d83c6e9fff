//! Saves the map: only the characters of changed cells are replaced in its file, and a map without a file gets one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::diagnostics::{BYTE_ORDER_MARK, decode_text, read_text};
use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, Answer};
use crate::game::notice::Notice;
use crate::game::question::{Leaving, OpenQuestion};
use crate::game::world::file_faults::FileFaults;
use crate::game::world::live_reload::{AwaitedMap, OpenRequest};
use crate::game::world::loader::MapSource;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::{OwnMap, Pages};
use crate::game::world::watcher::FileWatcher;
use crate::map::Map;
use crate::output_file::{OutputFile, write_new};

use super::new_file::{self, SaveError};
use super::recovery::RecoveryFile;

/// Asks to save the map under another name.
#[derive(Message, Clone, Debug)]
pub(in crate::game) struct SaveTo(pub PathBuf);

pub(super) fn plugin(app: &mut App) {
    app.add_message::<SaveTo>().add_systems(Update, (save, answer).chain().in_set(AppSystems::Act));
}

/// The map and where it is saved.
#[derive(SystemParam)]
pub(super) struct Document<'w> {
    map: ResMut<'w, OpenMap>,
    pages: ResMut<'w, Pages>,
    watcher: Option<ResMut<'w, FileWatcher>>,
    awaited: ResMut<'w, AwaitedMap>,
    faults: ResMut<'w, FileFaults>,
    recovery: ResMut<'w, RecoveryFile>,
    question: ResMut<'w, OpenQuestion>,
    notices: MessageWriter<'w, Notice>,
}

fn save(mut actions: MessageReader<Action>, mut names: MessageReader<SaveTo>, mut document: Document) {
    for _ in actions.read().filter(|action| **action == Action::Save) {
        document.save();
    }
    for SaveTo(file) in names.read() {
        document.save_to(file);
    }
}

/// Does what the player answers.
pub(super) fn answer(
    mut actions: MessageReader<Action>,
    mut document: Document,
    mut requests: MessageWriter<OpenRequest>,
    mut commands: Commands,
) {
    for action in actions.read() {
        let Action::Answer(answer) = *action else { continue };
        let question = std::mem::take(&mut *document.question);
        match (answer, question) {
            (Answer::Save, question) => match question {
                _ if !document.save() => {}
                OpenQuestion::Leave(Leaving::Open(source)) => drop(requests.write(OpenRequest::new(source))),
                // It is written after this system, which reads actions itself.
                OpenQuestion::Leave(Leaving::Act(action)) => drop(commands.write_message(action)),
                _ => {}
            },
            // The other map may be faulty. Until it is there, the changes stay.
            (Answer::Discard, OpenQuestion::Leave(Leaving::Open(source))) => {
                document.map.bypass_change_detection().finish_stroke();
                let gives_up = Some(document.map.history().state());
                requests.write(OpenRequest { source, gives_up });
            }
            (Answer::Discard, OpenQuestion::Leave(Leaving::Act(action))) => {
                document.discard();
                commands.write_message(action);
            }
            (Answer::Discard, _) => {
                document.recovery.discard_found();
                document.notices.write(Notice("Discarded. Ctrl+Z brings it back while this map is open.".into()));
            }
            (Answer::SaveAnew, _) => drop(commands.write_message(Action::SaveAnew)),
            (Answer::Overwrite, OpenQuestion::Replace(file)) => {
                let saved = document.create(&file, true);
                document.report(saved);
            }
            (Answer::Overwrite, _) => drop(document.overwrite()),
            (Answer::Load, _) => document.load(),
            (Answer::Restore | Answer::Cancel, _) => {}
        }
    }
}

impl Document<'_> {
    /// Returns the file of the open map; `None` if it has none.
    fn file(&self) -> Option<PathBuf> {
        self.pages.open_file().map(Path::to_owned)
    }

    /// Saves the map in its file, or else in a new one. Returns whether that was possible.
    fn save(&mut self) -> bool {
        self.map.bypass_change_detection().finish_stroke();
        let is_unsaved = self.map.history().is_unsaved();
        let saved = match self.file() {
            Some(file) if is_unsaved || !file.exists() => self.replace(&file),
            None if is_unsaved || self.pages.open_bundled().is_none() => self.create_in_current_folder(),
            _ => {
                self.notices.write(Notice("There is nothing to save.".into()));
                return true;
            }
        };
        self.report(saved)
    }

    /// Saves the map under another name. If there is such a file, asks first.
    fn save_to(&mut self, file: &Path) {
        self.map.bypass_change_detection().finish_stroke();
        // Another path may lead to it.
        let own = self.file().and_then(|own| own.canonicalize().ok());
        if own.is_some_and(|own| file.canonicalize().is_ok_and(|file| file == own)) {
            self.save();
            return;
        }
        let saved = self.create(file, false);
        if matches!(saved, Err(SaveError::Exists)) {
            *self.question = OpenQuestion::Replace(file.to_owned());
        } else {
            self.report(saved);
        }
    }

    /// Saves the map over what another program has written. If that is no map, it is replaced by the last text that was.
    fn overwrite(&mut self) -> bool {
        let (Some(own), Some(file)) = (self.pages.open_own().cloned(), self.file()) else { return self.save() };
        if let Some(text) = self.read_map(&file) {
            let text: Arc<str> = text.into();
            self.pages.save_own(own.with_texts(text.clone(), text));
            return self.save();
        }
        let saved = self.write(&file, b"");
        self.report(saved)
    }

    /// Returns the text of a file; `None` if it is no map.
    fn read_map(&self, file: &Path) -> Option<String> {
        let text = read_text(file).ok()?;
        Map::parse("", &text, self.map.tileset()).is_ok().then_some(text)
    }

    /// Loads what another program has written.
    fn load(&mut self) {
        if let (Some(own), Some(file)) = (self.pages.open_own().cloned(), self.file()) {
            if self.read_map(&file).is_none() {
                self.notices.write(Notice("The file has errors, so your version stays.".into()));
                return;
            }
            self.discard();
            // Another text than the present one, so that the file is shown even if it is the one that was read last.
            let first_text = own.first_text.clone();
            self.pages.save_own(own.with_texts(Arc::from(""), first_text));
            if let Some(watcher) = &mut self.watcher {
                watcher.open(MapSource::File(file));
            }
        }
    }

    /// Discards the changes: the map is about to be replaced.
    fn discard(&mut self) {
        self.map.bypass_change_detection().mark_saved();
        self.forget_steps();
    }

    /// Replaces the characters of the cells that have changed in the file.
    fn replace(&mut self, file: &Path) -> Result<PathBuf, SaveError> {
        let before = match fs::read(file) {
            Ok(before) => before,
            // It was deleted: it is written anew.
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.pages.open_text().into(),
            Err(error) => return Err(error.into()),
        };
        let text = before.strip_prefix(BYTE_ORDER_MARK);
        if text.unwrap_or(&before) != self.pages.open_text().as_bytes() {
            return Err(SaveError::Changed);
        }
        let mark = if text.is_some() { BYTE_ORDER_MARK } else { b"" };
        self.write(file, mark)
    }

    /// Writes the map to its file, with this byte order mark.
    fn write(&mut self, file: &Path, mark: &[u8]) -> Result<PathBuf, SaveError> {
        let content = [mark, &new_file::content(&self.map.drawn(), &self.pages)?].concat();
        self.recovery.note_saving(&content);
        OutputFile::new(file)?.write(&content)?;
        self.note_saved(file.to_owned(), content)?;
        Ok(file.to_owned())
    }

    /// Removes the recovery file, and what was to be written to it in this frame.
    fn forget_steps(&mut self) {
        drop(self.map.bypass_change_detection().take_steps());
        self.recovery.discard();
    }

    /// Writes a file that becomes that of the map. It replaces another one only if it may.
    fn create(&mut self, file: &Path, may_replace: bool) -> Result<PathBuf, SaveError> {
        let content = new_file::content(&self.map.drawn(), &self.pages)?;
        if may_replace {
            OutputFile::new(file)?.write(&content)?;
        } else {
            write_new([file.to_owned()], &content)?.ok_or(SaveError::Exists)?;
        }
        self.note_created(file.to_owned(), content)
    }

    /// Writes a file with a name that is free.
    fn create_in_current_folder(&mut self) -> Result<PathBuf, SaveError> {
        let map = self.map.drawn();
        let (content, stem) = (new_file::content(&map, &self.pages)?, new_file::stem(&map, Some(&self.pages)));
        drop(map);
        let file = new_file::write(&content, &std::env::current_dir()?, &stem)?;
        self.note_created(file, content)
    }

    /// Remembers that the map is saved in another file than before, which is followed from now on.
    fn note_created(&mut self, file: PathBuf, content: Vec<u8>) -> Result<PathBuf, SaveError> {
        self.note_saved(file.clone(), content)?;
        self.awaited.give_up();
        *self.faults = FileFaults::None;
        if let Some(watcher) = &mut self.watcher {
            watcher.open(MapSource::File(file.clone()));
        }
        Ok(file)
    }

    /// Remembers that the map is saved.
    fn note_saved(&mut self, file: PathBuf, content: Vec<u8>) -> Result<(), SaveError> {
        let text = decode_text(&file.display().to_string(), content)?.into();
        let first_text = self.pages.first_text().into();
        self.pages.save_own(OwnMap::new(self.map.drawn().into_owned(), Some(file), text, first_text));
        // The title shows it, too.
        self.map.mark_saved();
        self.forget_steps();
        Ok(())
    }

    fn report(&mut self, saved: Result<PathBuf, SaveError>) -> bool {
        match &saved {
            Ok(file) => {
                info!(?file, "saved");
                let name = file.file_name().unwrap_or(file.as_os_str()).display();
                self.notices.write(Notice(format!("Saved as {name}.")));
            }
            Err(SaveError::Changed) => *self.question = OpenQuestion::FileChanged,
            Err(error) => {
                info!(%error, "not saved");
                let advice = match error {
                    SaveError::File(_) => " Ctrl+Shift+S saves it elsewhere.",
                    _ => "",
                };
                self.notices.write(Notice(format!("The map was not saved: {error}.{advice}")));
            }
        }
        saved.is_ok()
    }
}
