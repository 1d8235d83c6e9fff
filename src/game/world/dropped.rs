//! Opens files that are dropped onto the window: maps, recordings, maps in other formats, pictures, and
//! traces of searches.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::{Notice, file_name};
use crate::game::world::question::OpenQuestion;
use emberwalk_formats::import::ImportFormat;
use emberwalk_formats::picture::PictureWalls;
use emberwalk_map::files;

use super::dropped_picture::DroppedPicture;
use super::follow::open_requested;
use super::request::{MapRequest, MapSource};

pub(super) fn plugin(app: &mut App) {
    app.add_message::<FileDragAndDrop>()
        .add_message::<OpenTrace>()
        .add_systems(Update, open_dropped.before(open_requested).in_set(AppSystems::Act));
}

/// Asks for the search in a file, which a program of the player has written.
#[derive(Message, Clone, Debug)]
pub(in crate::game) struct OpenTrace(pub PathBuf);

/// The extensions of files with the trace of a search.
const TRACES: [&str; 4] = ["jsonl", "json", "yaml", "yml"];

/// Whether this is a map file or a recording, by its name.
pub(in crate::game) fn is_map_file(path: &Path) -> bool {
    has_extension(path, "ron") && !files::is_folder(path)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(extension))
}

/// The format of a file that is not in our own format, by its name.
fn import_format(path: &Path) -> Option<ImportFormat> {
    // A Tiled tileset is read with its map.
    ImportFormat::of_extension(path).filter(|_| !has_extension(path, "tsx") && !files::is_folder(path))
}

/// Opens the files that are dropped onto the window. If several are dropped together, the last one counts. A file that
/// cannot be opened is reported only if none can.
fn open_dropped(
    mut drops: MessageReader<FileDragAndDrop>,
    mut question: ResMut<OpenQuestion>,
    mut requests: MessageWriter<MapRequest>,
    mut traces: MessageWriter<OpenTrace>,
    mut notices: MessageWriter<Notice>,
) {
    let mut opens = false;
    let mut refusal = None;
    for dropped in drops.read() {
        let FileDragAndDrop::DroppedFile { path_buf: file, .. } = dropped else { continue };
        let name = file_name(file);
        let source = match import_format(file) {
            _ if is_map_file(file) => Some(MapSource::File(file.clone())),
            _ if TRACES.iter().any(|extension| has_extension(file, extension)) => {
                traces.write(OpenTrace(file.clone()));
                opens = true;
                continue;
            }
            Some(ImportFormat::Picture) => None,
            Some(ImportFormat::Text | ImportFormat::MovingAi | ImportFormat::Tmx) => {
                Some(MapSource::Imported(file.clone(), PictureWalls::default()))
            }
            None => {
                info!(?file, "not a map");
                refusal = Some(format!(
                    "{name} is not a map. Maps and recordings are .ron files; .tmx, .map and .txt files and pictures are \
                     imported; traces of searches are .jsonl, .json or .yaml files."
                ));
                continue;
            }
        };
        opens = true;
        if let Some(source) = source {
            requests.write(MapRequest::new(source));
        } else if matches!(*question, OpenQuestion::None | OpenQuestion::Picture(_)) {
            info!(?file, "picture dropped");
            *question = OpenQuestion::Picture(DroppedPicture::new(file.clone()));
        } else {
            notices.write(Notice(format!("Answer the question first, and drop {name} again.")));
        }
    }
    notices.write_batch(refusal.filter(|_| !opens).map(Notice));
}
