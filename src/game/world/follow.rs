//! How a map is asked for, read in the background, opened, followed, and replaced.
//!
//! 1. The player asks for a map. A bundled map, or the user's own map after these, is a page: it is opened immediately.
//!    Any other map is requested with a [`MapRequest`]. In both cases, a [question](OpenQuestion) comes first if the
//!    open map has unsaved changes.
//! 2. The [`MapReader`] reads or creates the requested map in the background, with a
//!    [`Loader`](super::loader::Loader). Meanwhile the reader [awaits](MapReader::awaited) the map, another one is open,
//!    and Escape stops the reading.
//! 3. The result is a [`MapVersion`](super::loader::MapVersion), or the errors in the files, which are listed until the
//!    files are corrected. The [`MapOpener`] opens the first valid version.
//! 4. From then on, the reader watches the files, and reads them again when they change. The [`MapOpener`] replaces the
//!    open map with the later version, in which the journey continues. If that would lose unsaved changes, the player
//!    is asked.
//!
//! A recording is opened like a map: the version is its first map, and it is then played in the window.
//!
//! The first map takes the same path: it is requested before the window opens, and its files are followed with
//! [`follow`].

use std::sync::{Arc, Mutex};

use bevy::app::AppExit;
use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::platform::error::WindowError;
use crate::game::screen::notice::{Notice, file_name};
use emberwalk_map::threads::lock;
use emberwalk_map::{bundled_maps, files};

use super::file_errors::FileErrors;
use super::loader::MapVersion;
use super::open_map::OpenMap;
use super::opener::MapOpener;
use super::question::{Leaving, OpenQuestion};
use super::reader::MapReader;
use super::request::{MapRequest, MapSource};
use emberwalk_world::VolcanoChoice;

/// Why the window closes without showing the first map. The caller that runs the window shares it.
#[derive(Resource, Clone, Default)]
pub struct Refusal(Arc<Mutex<Option<WindowError>>>);

impl Refusal {
    fn set(&self, error: WindowError) {
        *lock(&self.0) = Some(error);
    }

    /// Takes the reason, if there is one.
    pub(in crate::game) fn take(&self) -> Option<WindowError> {
        lock(&self.0).take()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MapReader>()
        .init_resource::<Refusal>()
        .add_message::<MapRequest>()
        .add_systems(Update, (turn_page, (open_requested, follow_files).chain()).in_set(AppSystems::Act));
}

/// Makes an app show the first map once it is ready, and follow its files.
pub fn follow(app: &mut App, reader: MapReader) {
    if let Some(errors) = reader.errors() {
        app.insert_resource(FileErrors::report(errors));
    }
    app.insert_resource(reader);
}

/// Opens the next, the previous, or a bundled map.
pub(in crate::game) fn turn_page(
    mut actions: MessageReader<Action>,
    mut opener: MapOpener,
    mut question: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        if !matches!(action, Action::NextMap | Action::PreviousMap | Action::OpenBundled(_))
            || question.ask_to_leave(opener.map.is_unsaved(), Leaving::Act(*action))
        {
            continue;
        }
        match action {
            Action::OpenBundled(page) => {
                let Some(bundled) = bundled_maps().get(*page).copied() else { continue };
                if opener.open_bundled(bundled.name, VolcanoChoice::default()).is_none() {
                    notices.write(Notice(format!("This tileset cannot show {}.", bundled.name)));
                }
            }
            _ => opener.turn(*action == Action::NextMap),
        }
    }
}

/// Asks whether to save the open map before a requested one is opened, unless the player has agreed to lose it; returns
/// whether it asks.
fn ask(request: &MapRequest, map: &OpenMap, question: &mut OpenQuestion) -> bool {
    request.gives_up != Some(map.history().state())
        && question.ask_to_leave(map.is_unsaved(), Leaving::Open(request.source.clone()))
}

/// Reads or creates the requested map, and follows its file from now on.
pub(in crate::game) fn open_requested(
    mut requests: MessageReader<MapRequest>,
    mut reader: ResMut<MapReader>,
    map: Res<OpenMap>,
    mut question: ResMut<OpenQuestion>,
) {
    for request in requests.read() {
        if !ask(request, &map, &mut question) {
            reader.open(request.clone());
        }
    }
}

/// Shows the latest version of the files.
fn follow_files(
    mut reader: ResMut<MapReader>,
    mut opener: MapOpener,
    mut errors: ResMut<FileErrors>,
    mut question: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
    refusal: Res<Refusal>,
    mut exits: MessageWriter<AppExit>,
) {
    let Some(result) = reader.take_latest() else { return };
    if let Err(error) = reader.check_late(&result) {
        refusal.set(error);
        exits.write(AppExit::error());
        return;
    }
    let is_gone = result.is_err() && opener.pages.open_file().is_some_and(|file| !files::exists(file));
    if is_gone != opener.map.is_file_gone() {
        opener.map.note_file(is_gone);
    }
    let version = match result {
        Ok(version) => version,
        Err(found) => {
            *errors = FileErrors::report(found);
            return;
        }
    };
    // There may be strokes since the map was requested.
    if reader.awaited().is_some_and(|request| ask(request, &opener.map, &mut question)) {
        return;
    }
    if let Some(refusal) = other_tileset(&version) {
        notices.write(refusal);
        reader.follow_instead(opener.pages.open_source());
        return;
    }
    if reader.end_waiting() {
        if let MapSource::Text(text) = &version.request.source {
            notices.write_batch(text.hint.as_ref().map(|hint| Notice(format!("{}: {hint}.", text.name))));
        }
        opener.open(version);
    } else if opener.map.is_unsaved() && opener.pages.open_own().is_some_and(|own| own.text != version.text) {
        *question = OpenQuestion::FileChanged;
        return;
    } else if let Err(found) = opener.refresh(version) {
        *errors = FileErrors::report(found);
        return;
    }
    *errors = FileErrors::None;
}

/// The refusal of a recording that would play differently, because it was made with another tileset.
fn other_tileset(version: &MapVersion) -> Option<Notice> {
    let recording = version.recording.as_ref()?;
    let name = file_name(version.request.source.name().as_ref());
    (!recording.has_tileset(version.map.tileset())).then(|| {
        info!(file = ?name, "recording of another tileset");
        Notice(format!("{name} was recorded with another tileset: emberwalk replay with --assets can play it."))
    })
}
