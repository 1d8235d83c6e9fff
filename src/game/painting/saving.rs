//! Saves the map: only the characters of changed cells are replaced in its file, and a map without a file gets one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::game::action::{Action, Answer};
use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::screen::notice::{Done, Hint, Notice, name_and_folder};
use crate::game::world::dropped_picture::DroppedPicture;
use crate::game::world::file_errors::FileErrors;
use crate::game::world::follow::{open_requested, turn_page};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::{OwnMap, Pages};
use crate::game::world::question::{Leaving, OpenQuestion};
use crate::game::world::reader::MapReader;
use crate::game::world::request::{MapRequest, MapSource};
use crate::game::world::solve_picture::SolvePicture;
use emberwalk_jobs::{Job, JobPanic};
use emberwalk_map::diagnostics::read_text;
use emberwalk_map::{Map, files};

use super::new_file::{self, SaveError};
use super::recovery::KeptMap;
use super::restore::LeftStrokes;
use super::save_job::{Finished, SaveJob, Target};

/// Asks to save the map under another name.
#[derive(Message, Clone, Debug)]
pub(in crate::game) struct SaveTo(pub PathBuf);

/// The map that is being saved. Until it is saved, an [`OpenQuestion`] takes all input.
#[derive(Resource, Default)]
pub(super) struct OngoingSave {
    job: Option<Job<Finished>>,
    /// The action or map that the player has requested for afterwards.
    leaving: Option<Leaving>,
}

/// Whether a map is saved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Saved {
    Yes,
    No,
    /// It is being saved.
    NotYet,
}

pub(super) fn plugin(app: &mut App) {
    // The effect of an answer follows in the next frame.
    let systems = (finish_save, save, answer).chain().after(turn_page).after(open_requested);
    app.add_message::<SaveTo>().init_resource::<OngoingSave>().add_systems(Update, systems.in_set(AppSystems::Act));
}

/// The map and where it is saved.
#[derive(SystemParam)]
pub(super) struct Document<'w> {
    map: ResMut<'w, OpenMap>,
    pages: ResMut<'w, Pages>,
    reader: ResMut<'w, MapReader>,
    errors: ResMut<'w, FileErrors>,
    kept: ResMut<'w, KeptMap>,
    left: ResMut<'w, LeftStrokes>,
    question: ResMut<'w, OpenQuestion>,
    notices: MessageWriter<'w, Notice>,
    hints: MessageWriter<'w, Hint>,
    done: MessageWriter<'w, Done>,
    ongoing: ResMut<'w, OngoingSave>,
    jobs: Res<'w, Jobs>,
}

/// Records that the map has been saved, and continues with the player's next request.
fn finish_save(mut document: Document, mut requests: MessageWriter<MapRequest>, mut commands: Commands) {
    let Some(saved) = document.ongoing.job.as_ref().and_then(Job::take) else { return };
    let saved = document.end(saved);
    let leaving = document.ongoing.leaving.take();
    if let (Saved::Yes, Some(leaving)) = (saved, leaving) {
        leave(leaving, &mut requests, &mut commands);
    }
}

/// Carries out the player's request.
fn leave(leaving: Leaving, requests: &mut MessageWriter<MapRequest>, commands: &mut Commands) {
    match leaving {
        Leaving::Open(source) => drop(requests.write(MapRequest::new(source))),
        // It is written after this system, which reads actions itself.
        Leaving::Act(action) => drop(commands.write_message(action)),
    }
}

fn save(mut actions: MessageReader<Action>, mut names: MessageReader<SaveTo>, mut document: Document) {
    for _ in actions.read().filter(|action| **action == Action::Save) {
        document.save();
    }
    for SaveTo(file) in names.read() {
        document.save_to(file);
    }
}

/// Carries out the player's answer.
pub(super) fn answer(
    mut actions: MessageReader<Action>,
    mut document: Document,
    mut requests: MessageWriter<MapRequest>,
    mut commands: Commands,
) {
    for action in actions.read() {
        let Action::Answer(answer) = *action else { continue };
        let question = std::mem::take(&mut *document.question);
        match (answer, question) {
            (Answer::Save, question) => {
                let leaving = if let OpenQuestion::Leave(leaving) = question { Some(leaving) } else { None };
                match (document.save(), leaving) {
                    (Saved::Yes, Some(leaving)) => leave(leaving, &mut requests, &mut commands),
                    (Saved::NotYet, leaving) => document.ongoing.leaving = leaving,
                    _ => {}
                }
            }
            // The other map may have errors. The changes stay until it is open.
            (Answer::Discard, OpenQuestion::Leave(Leaving::Open(source))) => {
                document.map.finish_stroke();
                let gives_up = Some(document.map.history().state());
                requests.write(MapRequest { gives_up, ..MapRequest::new(source) });
            }
            (Answer::Discard, OpenQuestion::Leave(Leaving::Act(action))) => {
                document.discard();
                commands.write_message(action);
            }
            (Answer::Discard, _) => {
                document.left.discard();
                document.hints.write(Hint {
                    text: "Discarded. Undo (Ctrl+Z) brings your changes back until you save or open another map."
                        .into(),
                    holds: |world| world.resource::<LeftStrokes>().can_be_restored(world.resource(), world.resource()),
                });
            }
            (Answer::SaveAnew, _) => drop(commands.write_message(Action::SaveAnew)),
            (Answer::Overwrite, OpenQuestion::Replace(file)) => {
                document.start(Target::Anywhere(file));
            }
            (Answer::Overwrite, _) => drop(document.overwrite()),
            (Answer::Load, _) => document.load(),
            (Answer::Import, OpenQuestion::Picture(DroppedPicture { file, walls, .. })) => {
                requests.write(MapRequest::new(MapSource::Imported(file, walls)));
            }
            (Answer::Solve, OpenQuestion::Picture(DroppedPicture { file, walls, .. })) => {
                commands.write_message(SolvePicture { file, walls });
            }
            (Answer::ImproveWalls, OpenQuestion::Picture(picture)) => {
                *document.question = OpenQuestion::Picture(picture.improved());
            }
            (Answer::Import | Answer::Solve | Answer::ImproveWalls | Answer::Restore | Answer::Cancel, _) => {}
        }
    }
}

impl Document<'_> {
    /// The file of the open map; `None` if it has none.
    fn file(&self) -> Option<PathBuf> {
        self.pages.open_file().map(Path::to_owned)
    }

    /// Saves the map in its file, or else in a new one.
    fn save(&mut self) -> Saved {
        self.map.finish_stroke();
        let is_unsaved = self.map.is_unsaved();
        match self.file() {
            Some(file) if is_unsaved || !files::exists(&file) => self.start(Target::Own(file)),
            None if is_unsaved || self.pages.open_bundled().is_none() => match files::current_folder() {
                Ok(folder) => {
                    let stem = new_file::stem(self.map.content(), Some(&self.pages));
                    self.start(Target::Free(folder, stem))
                }
                Err(error) => self.refuse(&error.into()),
            },
            _ => {
                self.hints.write(Hint {
                    text: "There is nothing to save.".into(),
                    holds: |world| !world.resource::<OpenMap>().is_unsaved(),
                });
                Saved::Yes
            }
        }
    }

    /// Saves the map under another name. If there is such a file, asks first.
    fn save_to(&mut self, file: &Path) {
        self.map.finish_stroke();
        // Another path may lead to the same file.
        if self.file().is_some_and(|own| files::is_same(&own, file)) {
            self.save();
        } else {
            self.start(Target::New(file.to_owned()));
        }
    }

    /// Saves the map over the version of another program. If that version is not a valid map, the last valid text is
    /// used instead.
    fn overwrite(&mut self) -> Saved {
        let (Some(own), Some(file)) = (self.pages.open_own().cloned(), self.file()) else { return self.save() };
        if let Some(text) = self.read_map(&file) {
            let text: Arc<str> = text.into();
            self.pages.save_own(own.with_texts(text.clone(), text));
            return self.save();
        }
        self.start(Target::Replaced(file))
    }

    /// The text of a file; `None` if it is not a map.
    fn read_map(&self, file: &Path) -> Option<String> {
        let text = read_text(file).ok()?;
        Map::parse("", &text, self.map.tileset()).is_ok().then_some(text)
    }

    /// Loads the version of another program.
    fn load(&mut self) {
        if let (Some(own), Some(file)) = (self.pages.open_own().cloned(), self.file()) {
            if self.read_map(&file).is_none() {
                self.notices.write(Notice("The file has errors, so your version stays.".into()));
                return;
            }
            self.discard();
            // Not the current text, so that the file is shown even if its text equals the text that was read last.
            let first_text = own.first_text.clone();
            self.pages.save_own(own.with_texts(Arc::from(""), first_text));
            self.reader.follow(file);
        }
    }

    /// Discards the changes: the map is about to be replaced.
    fn discard(&mut self) {
        self.map.finish_stroke();
        self.map.mark_saved();
        self.kept.discard();
    }

    /// Saves the map: in this frame if it is quick, else in the background.
    fn start(&mut self, target: Target) -> Saved {
        if self.ongoing.job.is_some() {
            return Saved::NotYet;
        }
        let job = SaveJob {
            content: self.map.drawn().into_owned(),
            text: self.pages.open_text(),
            first_text: self.pages.first_text(),
            target,
            recovery: self.kept.take_file(),
            strokes: self.map.history().strokes_to_save().unwrap_or(0),
            last_read: self.reader.last_read(),
        };
        let job = self.jobs.start("Saving the map", move |_| job.run());
        let finished = self.jobs.wait_briefly(&job);
        self.ongoing.job = Some(job);
        if let Some(finished) = finished {
            return self.end(finished);
        }
        *self.question = OpenQuestion::Saving;
        Saved::NotYet
    }

    /// Records that the job has ended.
    fn end(&mut self, finished: Result<Finished, JobPanic>) -> Saved {
        self.ongoing.job = None;
        if *self.question == OpenQuestion::Saving {
            *self.question = OpenQuestion::None;
        }
        finished.map_or(Saved::No, |finished| self.finish(finished))
    }

    /// Records that a job is done.
    fn finish(&mut self, Finished { job, result }: Finished) -> Saved {
        self.kept.put_file_back(job.recovery);
        let (file, text) = match result {
            Ok(written) => written,
            Err(SaveError::Exists) if let Target::New(file) = job.target => {
                *self.question = OpenQuestion::Replace(file);
                return Saved::No;
            }
            Err(error) => return self.refuse(&error),
        };
        self.pages.save_own(OwnMap::saved(job.content, file.clone(), text, job.first_text));
        // The title shows it, too.
        self.map.mark_saved();
        self.kept.discard();
        let is_new = job.target.is_new();
        if is_new {
            *self.errors = FileErrors::None;
            self.reader.follow(file.clone());
        }
        info!(?file, "saved");
        let saved = if is_new { "Saved as" } else { "Saved" };
        self.done.write(Done(format!("{saved} {}.", name_and_folder(&file))));
        Saved::Yes
    }

    /// Shows why the map was not saved.
    fn refuse(&mut self, error: &SaveError) -> Saved {
        if matches!(error, SaveError::Changed) {
            *self.question = OpenQuestion::FileChanged;
            return Saved::No;
        }
        info!(%error, "not saved");
        let advice = match error {
            SaveError::File(_) => " Save as (Ctrl+Shift+S) saves it elsewhere.",
            _ => "",
        };
        self.notices.write(Notice(format!("The map was not saved: {error}.{advice}")));
        Saved::No
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::game::rules;
    use crate::game::world::loader::MapVersion;
    use emberwalk_picture::scene::Look;

    #[test]
    fn a_panic_while_the_map_is_saved_is_shown_and_closes_the_question() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, rules));
        MapVersion::with_ground('G', (4, 4)).insert(&mut app, Look::Plain);
        app.update();
        let world = app.world_mut();
        let job = world.resource::<Jobs>().start("Saving the map", |_| -> Finished { panic!("a bug") });
        world.resource_mut::<OngoingSave>().job = Some(job);
        *world.resource_mut::<OpenQuestion>() = OpenQuestion::Saving;
        let begun = Instant::now();
        let mut notices = Vec::new();
        while *app.world().resource::<OpenQuestion>() == OpenQuestion::Saving || notices.is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(60), "the question takes all input for ever");
            app.update();
            notices.extend(app.world_mut().resource_mut::<Messages<Notice>>().drain().map(|Notice(text)| text));
        }
        assert_eq!(
            notices,
            [
                "Saving the map failed because of an error in the program: a bug. A recording (in the map menu) shows what led to it."
            ]
        );
        assert!(app.world().resource::<OngoingSave>().job.is_none(), "it can be saved again");
    }
}
