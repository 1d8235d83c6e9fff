//! The open map follows its files: a good version is shown at once, and of a bad one the faults.

use std::path::Path;

use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::notice::Notice;
use crate::grid::Cell;
use crate::iso::Projection;

use super::asked_endpoints::AskedEndpoints;
use super::file_faults::FileFaults;
use super::first_map::FirstMap;
use super::loader::{LoadResult, Loader};
use super::map_images::ImagesChanged;
use super::open_map::{MapShown, announce};
use super::open_world::OpenWorld;
use super::renew::Renewal;
use super::terrain_changed::TerrainChanged;
use super::watcher::FileWatcher;

/// A map that was asked for and has had no good version yet. Another one is shown meanwhile.
#[derive(Resource, Default)]
pub struct AwaitedMap(Option<Asked>);

/// How it was asked for.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    /// By this name of a bundled map; without one, by its path.
    bundled: Option<&'static str>,
    endpoints: AskedEndpoints,
}

impl AwaitedMap {
    /// Whether there is one.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

/// A later version of the open map was taken over, and what the map was like before. Whatever the player is doing goes
/// on, as far as that makes sense on the map as it is now.
#[derive(Event)]
pub struct MapRenewed {
    /// Where the traveller started.
    pub start: Option<Cell>,
    /// The goal before the player set one.
    pub goal: Option<Cell>,
    /// Where cells were in the map's image.
    pub projection: Projection,
}

/// Lets a game follow the files that the loader has read once, as `first`. `wake` is called, on another thread, when they
/// have changed.
pub fn follow(
    app: &mut App,
    loader: Loader,
    first: LoadResult,
    endpoints: AskedEndpoints,
    wake: impl Fn() + Send + 'static,
) {
    if let Err(faults) = &first {
        let asked = Asked { bundled: loader.source().bundled_name(), endpoints };
        app.insert_resource(FileFaults::report(faults.clone())).insert_resource(AwaitedMap(Some(asked)));
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
    mut notices: MessageWriter<Notice>,
) {
    for dropped in drops.read() {
        let FileDragAndDrop::DroppedFile { path_buf, .. } = dropped else { continue };
        if is_map_file(path_buf) {
            awaited.0 = Some(Asked::default());
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

/// Shows what the files say now.
fn follow_files(
    watcher: Res<FileWatcher>,
    mut open: OpenWorld,
    mut faults: ResMut<FileFaults>,
    mut awaited: ResMut<AwaitedMap>,
    mut changes: MessageWriter<TerrainChanged>,
    mut commands: Commands,
) {
    let Some(news) = watcher.news() else { return };
    let version = match news {
        Ok(version) => version,
        Err(wrong) => {
            *faults = FileFaults::report(wrong);
            return;
        }
    };
    if let Some(Asked { bundled, endpoints }) = awaited.0.take() {
        *faults = FileFaults::None;
        open.open(FirstMap::asked_for(&version, bundled, open.images.look(), endpoints));
        commands.trigger(ImagesChanged);
        announce(&open.map, &mut commands);
        return;
    }
    let before = MapRenewed { start: open.start(), goal: open.goal(), projection: open.map.projection() };
    match open.renew(&version) {
        Err(wrong) => {
            *faults = FileFaults::report(wrong);
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
