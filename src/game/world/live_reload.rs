//! Reloads the open map when its files change. A good version is shown at once; of a bad one, the faults are shown.

use std::path::Path;

use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::notice::Notice;
use crate::game::question::{Leaving, OpenQuestion};
use crate::grid::Cell;
use crate::iso::Projection;

use super::file_faults::FileFaults;
use super::loader::{LoadResult, Loader};
use super::map_images::ImagesChanged;
use super::map_to_open::MapToOpen;
use super::open_map::{MapShown, OpenMap, announce};
use super::open_world::OpenWorld;
use super::renew::Renewal;
use super::requested_endpoints::RequestedEndpoints;
use super::terrain_changed::TerrainChanged;
use super::watcher::FileWatcher;

/// A requested map that has had no good version yet. Until then, another map is shown.
#[derive(Resource, Default)]
pub struct AwaitedMap(Option<MapRequest>);

/// A request for a map.
#[derive(Clone, Copy, Debug, Default)]
struct MapRequest {
    /// The name of a bundled map; `None` for a map file.
    bundled: Option<&'static str>,
    endpoints: RequestedEndpoints,
}

impl AwaitedMap {
    /// Whether a map is awaited.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

/// The open map was replaced by a later version of it. The journey continues where that is possible. The event has what
/// the map was like before.
#[derive(Event)]
pub struct MapRenewed {
    /// The cell in which the traveller started.
    pub start: Option<Cell>,
    /// The goal before the player set one.
    pub goal: Option<Cell>,
    /// Where cells were in the map's picture.
    pub projection: Projection,
}

/// Makes an app follow the files of a loader. `first` is the result of its first load. `wake` is called on another thread
/// when the files have changed.
pub fn follow(
    app: &mut App,
    loader: Loader,
    first: LoadResult,
    endpoints: RequestedEndpoints,
    wake: impl Fn() + Send + 'static,
) {
    if let Err(faults) = &first {
        let request = MapRequest { bundled: loader.source().bundled_name(), endpoints };
        app.insert_resource(FileFaults::report(faults.clone())).insert_resource(AwaitedMap(Some(request)));
    }
    app.insert_resource(FileWatcher::start(loader, first, wake));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<AwaitedMap>().add_message::<FileDragAndDrop>().add_systems(
        Update,
        (open_dropped, follow_files).chain().run_if(resource_exists::<FileWatcher>).in_set(AppSystems::Act),
    );
}

/// Opens a map file that is dropped onto the window, and watches it from now on.
fn open_dropped(
    mut drops: MessageReader<FileDragAndDrop>,
    mut watcher: ResMut<FileWatcher>,
    mut awaited: ResMut<AwaitedMap>,
    map: Res<OpenMap>,
    mut question: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
) {
    for dropped in drops.read() {
        let FileDragAndDrop::DroppedFile { path_buf, .. } = dropped else { continue };
        if question.ask_to_leave(&map, Leaving::Open(path_buf.clone())) {
            continue;
        }
        if is_map_file(path_buf) {
            awaited.0 = Some(MapRequest::default());
            watcher.open(path_buf.clone());
        } else {
            info!(file = ?path_buf, "not a .ron file");
            let name = path_buf.file_name().unwrap_or(path_buf.as_os_str());
            notices.write(Notice(format!("{} is not a map: a map is a .ron file.", name.display())));
        }
    }
}

fn is_map_file(path: &Path) -> bool {
    !path.is_dir() && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"))
}

/// Shows the latest version of the files.
fn follow_files(
    watcher: Res<FileWatcher>,
    mut open: OpenWorld,
    mut faults: ResMut<FileFaults>,
    mut awaited: ResMut<AwaitedMap>,
    mut question: ResMut<OpenQuestion>,
    mut changes: MessageWriter<TerrainChanged>,
    mut commands: Commands,
) {
    let Some(result) = watcher.take_latest() else { return };
    let version = match result {
        Ok(version) => version,
        Err(found) => {
            *faults = FileFaults::report(found);
            return;
        }
    };
    if awaited.is_some()
        && let Some(file) = &version.file
        && question.ask_to_leave(&open.map, Leaving::Open(file.clone()))
    {
        return;
    }
    if let Some(MapRequest { bundled, endpoints }) = awaited.0.take() {
        *faults = FileFaults::None;
        open.open(MapToOpen::requested(&version, bundled, open.images.look(), endpoints));
        commands.trigger(ImagesChanged);
        announce(&open.map, &mut commands);
        return;
    }
    if open.map.history().is_unsaved() && open.pages.open_own().is_some_and(|own| own.text != version.text) {
        *question = OpenQuestion::FileChanged;
        return;
    }
    let before = MapRenewed { start: open.start(), goal: open.goal(), projection: open.map.projection() };
    match open.renew(&version) {
        Err(found) => {
            *faults = FileFaults::report(found);
            return;
        }
        Ok(Renewal::None) => {}
        Ok(Renewal::Terrain(changed)) => drop(changes.write(changed)),
        Ok(Renewal::Map) => commands.trigger(MapShown),
        Ok(Renewal::Images) => {
            commands.trigger(ImagesChanged);
            commands.trigger(MapShown);
        }
    }
    *faults = FileFaults::None;
    commands.trigger(before);
}
