//! Finds unexpected walls of a dropped picture, while the question about it is open.

use std::path::{Path, PathBuf};

use bevy::prelude::*;

use emberwalk_formats::picture::{PictureQuery, PictureWalls, WallHint, decode, maze_hint};
use emberwalk_jobs::Latest;
use emberwalk_map::diagnostics::read_bytes;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;

use super::dropped_picture::DroppedPicture;
use super::question::OpenQuestion;

/// The hint on a picture with these walls.
#[derive(Resource, Default)]
struct PictureHint(Latest<(PathBuf, PictureWalls), Option<WallHint>>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PictureHint>().add_systems(Update, find.in_set(AppSystems::Act));
}

fn find(mut question: ResMut<OpenQuestion>, mut known: ResMut<PictureHint>, jobs: Res<Jobs>) {
    let asked = match &*question {
        OpenQuestion::Picture(picture) => Some((picture.file.clone(), picture.walls)),
        _ => None,
    };
    Latest::follow(known.reborrow().map_unchanged(|known| &mut known.0), asked, &jobs, |(file, walls)| {
        let file = file.clone();
        let walls = *walls;
        jobs.start("Reading a picture", move |_| hint(&file, walls))
    });
    if let OpenQuestion::Picture(picture) = &*question
        && let Some((_, hint)) = known.0.current()
        && *hint != picture.hint
    {
        let picture = DroppedPicture { hint: hint.clone(), ..picture.clone() };
        *question = OpenQuestion::Picture(picture);
    }
}

/// The hint on a picture; `None` if it cannot be read, which is reported when the player opens it.
fn hint(file: &Path, walls: PictureWalls) -> Option<WallHint> {
    let picture = decode(&file.display().to_string(), &read_bytes(file).ok()?, walls.transparency()).ok()?;
    maze_hint(&picture, &PictureQuery { walls, ..PictureQuery::default() })
}
