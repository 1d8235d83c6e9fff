//! Finds the path through a picture, and saves a copy of the picture with the path.

use std::io;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use tracing::info;

use emberwalk_formats::picture::{
    PicturePath, PictureQuery, PictureSolver, PictureWalls, decode, no_path_hint, wall_hint,
};
use emberwalk_map::diagnostics::{Diagnostics, counted, read_bytes};
use emberwalk_map::editing::numbered_names;
use emberwalk_map::output_file::{reason, write_new};
use emberwalk_picture::png;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::screen::notice::{Done, Notice, file_name, name_and_folder};
use emberwalk_jobs::Job;

/// A request for the path through a picture.
#[derive(Message, Clone, Debug)]
pub(in crate::game) struct SolvePicture {
    pub file: PathBuf,
    pub walls: PictureWalls,
}

/// The pictures whose paths are being searched.
#[derive(Resource, Default)]
struct OngoingSearches(Vec<Job<Result<Solved, SolveError>>>);

/// The result for a picture.
#[derive(Debug)]
struct Solved {
    picture: PathBuf,
    /// The path, and the copy on which it is drawn; `None` if there is no path.
    found: Option<(PicturePath, PathBuf)>,
    /// Why there is no path, or no maze.
    hint: Option<String>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum SolveError {
    #[error("{}: {}", file_name(.0.file().as_ref()), .0.list().first().map_or("", |first| &first.message))]
    Picture(#[from] Diagnostics),
    #[error("The copy of the picture cannot be saved: {}", reason(.0))]
    Copy(#[from] io::Error),
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<SolvePicture>()
        .init_resource::<OngoingSearches>()
        .add_systems(Update, (start, finish).chain().in_set(AppSystems::Act));
}

fn start(
    mut asked: MessageReader<SolvePicture>,
    jobs: Res<Jobs>,
    mut searches: ResMut<OngoingSearches>,
    mut notices: MessageWriter<Notice>,
) {
    for SolvePicture { file, walls } in asked.read() {
        notices.write(Notice(format!("Searching for a path through {}...", file_name(file))));
        let (file, walls) = (file.clone(), *walls);
        searches.0.push(jobs.start("Searching the picture", move |_| solve(file, walls)));
    }
}

fn finish(mut searches: ResMut<OngoingSearches>, mut notices: MessageWriter<Notice>, mut done: MessageWriter<Done>) {
    if searches.0.is_empty() {
        return;
    }
    searches.0.retain(|search| {
        let Some(solved) = search.take() else { return true };
        match solved.map(|solved| (matches!(solved, Ok(Solved { found: Some(_), .. })), describe(solved))) {
            Ok((true, text)) => drop(done.write(Done(text))),
            Ok((false, text)) => drop(notices.write(Notice(text))),
            // The window shows the panic of a job.
            Err(_) => {}
        }
        false
    });
}

/// Shows the result, and logs it.
fn describe(solved: Result<Solved, SolveError>) -> String {
    match solved {
        Ok(Solved { picture, found: Some((PicturePath { cost, steps, .. }, copy)), hint }) => {
            info!(file = ?picture, cost, steps, copy = ?copy, "picture solved");
            let steps = counted(steps, "step");
            let picture = file_name(&picture);
            let copy = name_and_folder(&copy);
            format!("The path through {picture} has cost {cost} and {steps}. Saved as {copy}.{}", note(hint))
        }
        Ok(Solved { picture, found: None, hint }) => {
            info!(file = ?picture, "picture has no path");
            format!("There is no path through {}.{}", file_name(&picture), note(hint))
        }
        Err(error) => {
            info!(%error, "picture not solved");
            error.to_string()
        }
    }
}

fn solve(file: PathBuf, walls: PictureWalls) -> Result<Solved, SolveError> {
    let mut picture = decode(&file.display().to_string(), &read_bytes(&file)?, walls.transparency())?;
    let hint = wall_hint(&picture, walls).map(|hint| hint.reason);
    let query = PictureQuery { walls, ..PictureQuery::default() };
    let solution = PictureSolver::default().solve(&mut picture, &query, &mut |_| {});
    let Some(path) = solution.path else {
        let hint = no_path_hint(&picture, &query).map(|hint| hint.reason);
        return Ok(Solved { picture: file, found: None, hint: hint.or(solution.missing) });
    };
    let stem = format!("{}-solved", file.file_stem().unwrap_or_default().display());
    let copies = numbered_names(file.parent().unwrap_or(Path::new("")), &stem, ".png");
    let copy =
        write_new(copies, &png::encode(&picture)?)?.ok_or_else(|| io::Error::from(io::ErrorKind::AlreadyExists))?;
    Ok(Solved { picture: file, found: Some((path, copy)), hint })
}

/// A sentence with the hint, after other sentences.
fn note(hint: Option<String>) -> String {
    hint.map_or(String::new(), |hint| format!(" Note: {hint}."))
}
