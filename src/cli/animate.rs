//! `emberwalk animate`: writes an animated picture of a search.

use std::path::{Path, PathBuf};

use clap::Args;
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Options, Planner};
use emberwalk_picture::animation::{FrameTimes, Panel, Playback, encode_gif, encode_png, join_panels, joined_size};
use emberwalk_picture::overlay::{SearchOverlay, algorithm_name};
use emberwalk_picture::paint::{Backdrop, OverlayPictures, PictureZoom, picture_size};
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages;

use super::error::{CliError, ExitStatus, tell};
use super::output::{Output, is_stdout, refuse_same_file};
use super::planning_args::{PlanningArgs, number_in, parser_of_names, query_error, tell_no_route};
use super::progress::Progress;

/// The largest side of a frame, in pixels.
const MAX_SIDE: u32 = 4096;

/// The largest number of frames.
const MAX_FRAMES: usize = 600;

/// Write an animated picture of the search for a route, and then of the route
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk animate valley --algorithm astar -o search.gif\n  \
                        emberwalk animate valley --algorithm astar --versus dijkstra --zoom 1/2 -o race.gif\n  \
                        emberwalk animate my.ron --seconds 10 --fps 25 -o search.png\n\n\
                        An animation has at most 600 frames: the search, a second for the route, and a last frame \
                        that is shown for two seconds. It loops forever.")]
pub struct AnimateArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// The file to write: a GIF, or an animated PNG; - is standard output, as a GIF
    #[arg(short, long, value_name = "OUT.gif|OUT.png")]
    output: PathBuf,
    /// Play another algorithm's search next to it, with the same number of events per second
    #[arg(long, value_name = "ALGORITHM", value_parser = parser_of_names(Algorithm::NAMES))]
    versus: Option<Algorithm>,
    /// How long the search takes, from 0.01 to 600 seconds
    #[arg(long, value_name = "N", default_value_t = 6.0,
        value_parser = number_in(0.01..=600.0, "this must be a number of seconds from 0.01 to 600"))]
    seconds: f64,
    /// The number of frames per second
    #[arg(long, value_name = "N", default_value_t = 12, allow_hyphen_values = true,
        value_parser = number_in(1..=100_u16, "the number of frames per second is a whole number from 1 to 100"))]
    fps: u16,
    /// Scale the picture
    #[arg(long, value_name = "ZOOM", default_value_t, value_parser = parser_of_names(PictureZoom::NAMES))]
    zoom: PictureZoom,
    /// Use the classic look: only the first image of each terrain
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    planning: PlanningArgs,
}

/// The files that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gif,
    Png,
}

impl AnimateArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let format = Format::of(&self.output)?;
        refuse_same_file(&self.output, &self.map)?;
        let output = Output::of_any_type(&self.output)?;
        let tileset = self.planning.load_tileset()?;
        let map = self.planning.load_map(&self.map, &tileset)?;
        let look = if self.plain { Look::Plain } else { Look::Full };
        self.check_size(&map, look)?;

        let progress = Progress::new();
        progress.stage("searching", None);
        let recordings = self.record(&map)?;
        let playback = Playback::new(recordings.iter().collect(), self.seconds, self.fps);
        let times = playback.times();
        self.check_frames(times, format)?;
        let status = status_of(&map, &recordings[0]);

        let images = TileImages::load(&tileset, self.planning.assets.as_deref())?;
        let scene = Scene::new(&tileset, images, look);
        let backdrop = Backdrop::new(&map, &scene, self.zoom);
        let mut pictures: Vec<_> = recordings.iter().map(|_| backdrop.pictures()).collect();
        progress.stage("painting the frames", Some(times.count as u64));
        let mut paint = |frame: usize| {
            progress.set_position(frame as u64);
            let panels = (0..).zip(&mut pictures).zip(&recordings);
            let mut panels: Vec<_> = panels
                .map(|((search, pictures), recording)| {
                    let (position, route) = playback.at(search, frame);
                    panel(pictures, recording, position, route)
                })
                .collect();
            if panels.len() == 1 { panels.remove(0).picture } else { join_panels(&panels) }
        };
        let file = match format {
            Format::Gif => encode_gif(times, &mut paint)?,
            Format::Png => encode_png(times, &mut paint)?,
        };
        output.write(&file)?;
        Ok(status)
    }

    /// Records the search, and the search that it is compared with.
    fn record(&self, map: &Map) -> Result<Vec<Recording>, CliError> {
        let query = self.planning.query(map)?;
        let other = self.versus.map(|algorithm| self.planning.search.options_with(algorithm));
        let all = [Some(query.options), other].into_iter().flatten();
        let record = |options: Options| {
            Recording::new(&mut Planner::new(), map.costs(), &query.with_options(options))
                .map_err(|error| query_error(error, map))
        };
        all.map(record).collect()
    }

    /// Refuses frames that are too large.
    fn check_size(&self, map: &Map, look: Look) -> Result<(), CliError> {
        let (width, height) = picture_size(map, look);
        let one = (self.zoom.scaled(width), self.zoom.scaled(height));
        let (width, height) = if self.versus.is_some() { joined_size(2, one) } else { one };
        if width.max(height) <= MAX_SIDE {
            return Ok(());
        }
        let zoom = self.zoom;
        let message = format!(
            "the animation would have {width} x {height} pixels at zoom {zoom}; the largest side allowed is {MAX_SIDE}"
        );
        Err(CliError::Message(message))
    }

    /// Refuses too many frames, and warns of a frame rate that programs will not show.
    fn check_frames(&self, times: FrameTimes, format: Format) -> Result<(), CliError> {
        if times.count > MAX_FRAMES {
            let message = format!(
                "the animation would have {} frames, and at most {MAX_FRAMES} are allowed: choose a smaller --seconds \
                 or --fps",
                times.count
            );
            return Err(CliError::Message(message));
        }
        if format == Format::Gif && self.fps > 50 {
            tell("note", "most programs play a GIF slowly if it has more than 50 frames per second");
        }
        Ok(())
    }
}

impl Format {
    /// The format for the name of the output: a GIF if it has no extension.
    fn of(output: &Path) -> Result<Self, CliError> {
        let is = |extension: &str| output.extension().is_some_and(|other| other.eq_ignore_ascii_case(extension));
        if is_stdout(output) || output.extension().is_none() || is("gif") {
            return Ok(Self::Gif);
        }
        if is("png") {
            return Ok(Self::Png);
        }
        let what = "the output is an animated GIF or PNG, so its name should end in .gif or .png";
        Err(CliError::Message(format!("{}: {what}", output.display())))
    }
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
