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
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::{OwnMap, Pages};
use crate::game::world::watcher::FileWatcher;
use crate::map::Map;
use crate::output_file::OutputFile;

use super::new_file::{self, SaveError};
use super::recovery::RecoveryFile;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (save, answer).chain().in_set(AppSystems::Act));
}

/// The map and where it is saved.
#[derive(SystemParam)]
struct Document<'w> {
    map: ResMut<'w, OpenMap>,
    pages: ResMut<'w, Pages>,
    watcher: Option<ResMut<'w, FileWatcher>>,
    recovery: ResMut<'w, RecoveryFile>,
    question: ResMut<'w, OpenQuestion>,
    notices: MessageWriter<'w, Notice>,
}

fn save(mut actions: MessageReader<Action>, mut document: Document) {
    for action in actions.read() {
        match action {
            Action::Save => drop(document.save()),
            Action::SaveAnew => drop(document.save_anew()),
            _ => {}
        }
    }
}

/// Does what the player answers.
fn answer(mut actions: MessageReader<Action>, mut document: Document, mut commands: Commands) {
    for action in actions.read() {
        let Action::Answer(answer) = *action else { continue };
        let question = std::mem::take(&mut *document.question);
        let goes_on = match answer {
            Answer::Save => document.save(),
            Answer::SaveAnew => document.save_anew(),
            Answer::Overwrite => document.overwrite(),
            Answer::Load => document.load(),
            Answer::Discard => document.discard(),
            Answer::Restore | Answer::Cancel => false,
        };
        match question {
            // It is written after this system, which reads actions itself.
            OpenQuestion::Leave(Leaving::Act(action)) if goes_on => drop(commands.write_message(action)),
            OpenQuestion::Leave(Leaving::Open(path)) if goes_on => {
                commands.write_message(bevy::window::FileDragAndDrop::DroppedFile {
                    window: Entity::PLACEHOLDER,
                    path_buf: path,
                });
            }
            _ => {}
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
        match self.file() {
            Some(file) if !self.map.history().is_unsaved() && file.exists() => {
                self.notices.write(Notice("There is nothing to save.".into()));
                true
            }
            Some(file) => {
                let saved = self.replace(&file);
                self.report(saved)
            }
            None => self.save_anew(),
        }
    }

    /// Saves the map in a new file of the current folder.
    fn save_anew(&mut self) -> bool {
        self.map.bypass_change_detection().finish_stroke();
        let saved = self.create();
        self.report(saved)
    }

    /// Saves the map over what another program has written. If that is no map, it is replaced by the last text that was.
    fn overwrite(&mut self) -> bool {
        let (Some(own), Some(file)) = (self.pages.open_own().cloned(), self.file()) else { return self.save() };
        if let Some(text) = self.read_map(&file) {
            self.pages.save_own(OwnMap { text: text.into(), ..own });
            return self.save();
        }
        let saved = self.write(&file, own.text.as_bytes());
        self.report(saved)
    }

    /// Returns the text of a file; `None` if it is no map.
    fn read_map(&self, file: &Path) -> Option<String> {
        let text = read_text(file).ok()?;
        Map::parse("", &text, self.map.tileset()).is_ok().then_some(text)
    }

    /// Loads what another program has written.
    fn load(&mut self) -> bool {
        if let (Some(own), Some(file)) = (self.pages.open_own().cloned(), self.file()) {
            if self.read_map(&file).is_none() {
                self.notices.write(Notice("The file has errors, so your version stays.".into()));
                return false;
            }
            self.discard();
            // Another text than the present one, so that the file is shown even if it is the one that was read last.
            self.pages.save_own(OwnMap { text: Arc::from(""), ..own });
            if let Some(watcher) = &mut self.watcher {
                watcher.open(file);
            }
        }
        false
    }

    /// Discards the changes: the map is about to be replaced.
    fn discard(&mut self) -> bool {
        self.map.bypass_change_detection().mark_saved();
        self.forget_steps();
        true
    }

    /// Replaces the characters of the cells that have changed in the file.
    fn replace(&mut self, file: &Path) -> Result<PathBuf, SaveError> {
        let before = match fs::read(file) {
            Ok(before) => before,
            // It was deleted: it is written anew.
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.pages.open_text().into(),
            Err(error) => return Err(error.into()),
        };
        if before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&before) != self.pages.open_text().as_bytes() {
            return Err(SaveError::Changed);
        }
        self.write(file, &before)
    }

    /// Writes a text of the map, with its changes, to the file.
    fn write(&mut self, file: &Path, before: &[u8]) -> Result<PathBuf, SaveError> {
        let content = self.map.drawn().patch(&file.display().to_string(), before)?;
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

    /// Writes a new file: the text from which the map was read, with its changes.
    fn create(&mut self) -> Result<PathBuf, SaveError> {
        let (source, folder) = (self.pages.open_text().as_bytes(), std::env::current_dir()?);
        let (file, content) = new_file::write(&self.map.drawn(), source, &folder, &self.pages)?;
        self.note_saved(file.clone(), content)?;
        if let Some(watcher) = &mut self.watcher {
            watcher.open(file.clone());
        }
        Ok(file)
    }

    /// Remembers that the map is saved.
    fn note_saved(&mut self, file: PathBuf, content: Vec<u8>) -> Result<(), SaveError> {
        let text = decode_text(&file.display().to_string(), content)?.into();
        let map = Arc::new(self.map.drawn().into_owned());
        self.pages.save_own(OwnMap { map, file: Some(file), text });
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
                self.notices.write(Notice(format!("The map was not saved: {error}.")));
            }
        }
        saved.is_ok()
    }
}
