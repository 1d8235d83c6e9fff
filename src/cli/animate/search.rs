//! Frames of a search, or of two searches side by side.

use emberwalk_map::Map;
use emberwalk_path::Planner;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;
use emberwalk_picture::animation::{Panel, Playback, join_panels};
use emberwalk_picture::overlay::{SearchOverlay, algorithm_name};
use emberwalk_picture::paint::{Backdrop, OverlayPictures};

use super::{AnimateArgs, Animation};
use crate::cli::error::{CliError, ExitStatus, tell};
use crate::cli::planning_args::{query_error, tell_no_route};

/// Writes an animation of the search for a route.
pub fn animate(animation: Animation<'_>) -> Result<ExitStatus, CliError> {
    let Animation { args, map, day, .. } = animation;
    animation.file.progress.stage("searching", None);
    let recordings = record(args, map)?;
    let playback = Playback::new(recordings.iter().collect(), args.seconds, args.fps);
    let times = playback.times();
    animation.file.check_frames(times, "a smaller --seconds or --fps")?;
    let status = status_of(map, &recordings[0]);

    let scene = animation.scene()?;
    let backdrop = Backdrop::new(map, &scene, day.start, args.zoom);
    let mut pictures: Vec<_> = recordings.iter().map(|_| backdrop.pictures()).collect();
    animation.file.write(times, |frame| {
        let panels = (0..).zip(&mut pictures).zip(&recordings);
        let mut panels: Vec<_> = panels
            .map(|((search, pictures), recording)| {
                let (position, route) = playback.at(search, frame);
                panel(pictures, recording, position, route)
            })
            .collect();
        if panels.len() == 1 { panels.remove(0).picture } else { join_panels(&panels) }
    })?;
    Ok(status)
}

/// Records the search, and the search that it is compared with.
fn record(args: &AnimateArgs, map: &Map) -> Result<Vec<Recording>, CliError> {
    let query = args.planning.query(map)?;
    let other = args.versus.map(|algorithm| args.planning.search.options_with(algorithm));
    let all = [Some(query.options), other].into_iter().flatten();
    let record = |options| Recording::new(&mut Planner::new(), map.costs(), &query.with_options(options));
    all.map(record).collect::<Result<_, _>>().map_err(query_error(map))
}

/// Paints a frame of one search.
fn panel(pictures: &mut OverlayPictures<'_>, recording: &Recording, position: usize, route: &[Cell]) -> Panel {
    let picture = pictures.paint(&SearchOverlay::new(recording, position), Some(route));
    let name = algorithm_name(recording.query().options.algorithm).to_uppercase();
    let text = caption(recording, position);
    let longest_text = caption(recording, recording.len());
    Panel { picture, name, text, longest_text }
}

/// The number of cells that a search has expanded, and at its end the route cost.
fn caption(recording: &Recording, position: usize) -> String {
    let expanded = format!("{} EXPANDED", recording.at(position).sizes().expanded);
    match recording.result().cost() {
        _ if position < recording.len() => expanded,
        Some(cost) => format!("{expanded}, COST {:.2}", cost.tiles()),
        None => format!("{expanded}, NO ROUTE"),
    }
}

/// Reports what the animation lacks: a route, or a search.
fn status_of(map: &Map, recording: &Recording) -> ExitStatus {
    if !recording.result().found() {
        tell_no_route(map, recording.query());
        return ExitStatus::NoRoute;
    }
    if recording.is_empty() {
        tell("note", "the start is the goal, so there is no search to play");
    }
    ExitStatus::Success
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::{CostGrid, Diagonal, EntryCost, RouteQuery};

    #[test]
    fn a_caption_counts_and_ends_with_the_cost() {
        let grid = |gap: bool| {
            let entry = |cell: Cell| (gap || cell.x != 2).then_some(EntryCost::TILE);
            CostGrid::from_fn(emberwalk_path::grid::Size::new(4, 1), Diagonal::GAME, entry).unwrap()
        };
        let query = RouteQuery::new(Cell::new(0, 0), Cell::new(3, 0));
        let record = |gap| Recording::new(&mut Planner::new(), &grid(gap), &query).unwrap();
        let found = record(true);
        let none = record(false);
        assert_eq!([0, 2].map(|position| caption(&found, position)), ["0 EXPANDED", "1 EXPANDED"]);
        assert_eq!(caption(&found, found.len()), "3 EXPANDED, COST 3.00");
        assert_eq!(caption(&none, none.len()), "2 EXPANDED, NO ROUTE");
    }
}
