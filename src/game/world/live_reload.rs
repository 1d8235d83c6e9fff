//! Reloads the open map when its files change. A valid version is shown immediately; for an invalid one, the errors are
//! shown.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::Notice;
use crate::game::world::question::{Leaving, OpenQuestion};
use emberwalk_map::{Edges, files};
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Projection;

use super::file_errors::FileErrors;
use super::open_map::OpenMap;
use super::open_world::OpenWorld;
use super::reader::MapReader;
use crate::game::world::map_source::MapSource;

/// A requested map without a valid version yet. Until it has one, another map is shown.
#[derive(Resource, Default)]
pub struct AwaitedMap(Option<MapRequest>);

/// A request for a map.
#[derive(Clone, Debug)]
struct MapRequest {
    /// The request to repeat if the open map has unsaved changes when this one is ready.
    asked: Option<OpenRequest>,
    /// Whether it is still being read, and is the first map: then the other map stays hidden.
    hides_other: bool,
}

/// Asks for another map. If the open one has unsaved changes, the player is asked first.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct OpenRequest {
    /// The map.
    pub source: MapSource,
    /// The unsaved state of the open map that the player has agreed to lose. After later changes, the window asks
    /// again.
    pub gives_up: Option<u64>,
}

impl OpenRequest {
    /// Asks for this map.
    pub fn new(source: MapSource) -> Self {
        Self { source, gives_up: None }
    }

    /// Asks whether to save the open map, unless the player has agreed to lose it; returns whether it asks.
    fn ask(&self, map: &OpenMap, question: &mut OpenQuestion) -> bool {
        self.gives_up != Some(map.history().state())
            && question.ask_to_leave(map.is_unsaved(), Leaving::Open(self.source.clone()))
    }
}

impl AwaitedMap {
    /// Whether a requested map is not ready yet.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether the requested map hides the open one meanwhile.
    pub fn hides_other(&self) -> bool {
        self.0.as_ref().is_some_and(|request| request.hides_other)
    }

    /// Stops waiting for a map: the current one is the one that the player wants.
    pub(in crate::game) fn give_up(&mut self) {
        self.0 = None;
    }
}

/// The open map was replaced by a later version of it, or has another size. The journey continues where that is
/// possible. The event describes the map before.
#[derive(Event)]
pub struct MapRenewed {
    /// The cell in which the traveller started.
    pub start: Option<Cell>,
    /// The goal before the player set one.
    pub goal: Option<Cell>,
    /// Where cells were in the map's picture.
    pub projection: Projection,
    /// The rows and columns that the player has added at the edges, by which the cells have moved.
    pub added: Edges,
}

impl MapRenewed {
    /// Where a cell of the map is now, unless it was cut off.
    pub fn cell(&self, before: Cell, map: &OpenMap) -> Option<Cell> {
        Some(self.added.moved(before)).filter(|cell| map.size().contains(*cell))
    }
}

/// Makes an app show the first map once it is ready, and follow its files.
pub fn follow(app: &mut App, reader: MapReader) {
    let source = reader.source();
    let asked = source.file().map(|file| OpenRequest::new(MapSource::File(file.to_owned())));
    let (errors, hides_other) = (reader.errors(), reader.load().is_some());
    if errors.is_some() || hides_other {
        app.insert_resource(AwaitedMap(Some(MapRequest { asked, hides_other })));
    }
    if let Some(errors) = errors {
        app.insert_resource(FileErrors::report(errors));
    }
    app.insert_resource(reader);
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<AwaitedMap>().add_message::<OpenRequest>().add_systems(
        Update,
        (open_requested, follow_files).chain().run_if(resource_exists::<MapReader>).in_set(AppSystems::Act),
    );
}

/// The map that is being read for the player.
#[derive(SystemParam)]
pub(in crate::game) struct Loading<'w> {
    reader: Option<ResMut<'w, MapReader>>,
    awaited: ResMut<'w, AwaitedMap>,
}

impl Loading<'_> {
    /// Stops waiting for the requested map, if there is one; returns the notice for the player.
    pub fn stop(&mut self) -> Option<Notice> {
        let reader = self.reader.as_mut().filter(|_| self.awaited.is_some())?;
        let load = reader.load()?;
        reader.give_up();
        self.awaited.give_up();
        info!(file = ?load.name, "loading stopped");
        Some(Notice(match load.is_new() {
            true => "The new map was not made.".to_owned(),
            false => format!("{} was not opened.", load.name),
        }))
    }
}

/// Reads or creates the requested map, and follows its file from now on.
pub(in crate::game) fn open_requested(
    mut requests: MessageReader<OpenRequest>,
    mut reader: ResMut<MapReader>,
    mut awaited: ResMut<AwaitedMap>,
    map: Res<OpenMap>,
    mut question: ResMut<OpenQuestion>,
) {
    for request in requests.read() {
        if !request.ask(&map, &mut question) {
            awaited.0 = Some(MapRequest { asked: Some(request.clone()), hides_other: false });
            reader.open(request.source.clone());
        }
    }
}

/// Shows the latest version of the files.
fn follow_files(
    mut reader: ResMut<MapReader>,
    mut open: OpenWorld,
    mut errors: ResMut<FileErrors>,
    mut awaited: ResMut<AwaitedMap>,
    mut question: ResMut<OpenQuestion>,
) {
    let Some(result) = reader.take_latest() else { return };
    let is_gone = result.is_err() && open.pages.open_file().is_some_and(|file| !files::exists(file));
    if is_gone != open.map.is_file_gone() {
        open.map.note_file(is_gone);
    }
    let version = match result {
        Ok(version) => version,
        Err(found) => {
            *errors = FileErrors::report(found);
            if let Some(request) = &mut awaited.0 {
                request.hides_other = false;
            }
            return;
        }
    };
    // There may be strokes since the map was requested.
    let asked = awaited.0.as_ref().and_then(|request| request.asked.as_ref());
    if asked.is_some_and(|asked| asked.ask(&open.map, &mut question)) {
        return;
    }
    if awaited.0.take().is_some() {
        open.open(version);
    } else if open.map.is_unsaved() && open.pages.open_own().is_some_and(|own| own.text != version.text) {
        *question = OpenQuestion::FileChanged;
        return;
    } else if let Err(found) = open.renew(version) {
        *errors = FileErrors::report(found);
        return;
    }
    *errors = FileErrors::None;
}
