//! `emberwalk animate`: writes an animated picture of a search, or of travellers.

mod search;
mod travellers;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::Algorithm;
use emberwalk_picture::animation::{FrameTimes, encode_gif, encode_png, joined_size};
use emberwalk_picture::paint::{PictureZoom, picture_size};
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages;
use image::RgbaImage;

use super::error::{CliError, ExitStatus, tell};
use super::output::{Output, is_stdout, refuse_same_file};
use super::planning_args::{PlanningArgs, number_in, parser_of_names};
use super::progress::Progress;
use super::travellers::TravellersArgs;

/// The largest side of a frame, in pixels.
const MAX_SIDE: u32 = 4096;

/// The largest number of frames.
const MAX_FRAMES: usize = 600;

/// Write an animated picture of the search for a route and then of the route, or of travellers
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk animate valley --algorithm astar -o search.gif\n  \
                        emberwalk animate valley --algorithm astar --versus dijkstra --zoom 1/2 -o race.gif\n  \
                        emberwalk animate my.ron --seconds 10 --fps 25 -o search.png\n  \
                        emberwalk animate market --travellers 200 --zoom 1/2 -o market.gif\n\n\
                        An animation has at most 600 frames. It loops forever. After a search, it shows the route for \
                        a second, and then the last frame for two seconds.")]
pub struct AnimateArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// The file to write: a GIF, or an animated PNG; - is standard output, as a GIF
    #[arg(short, long, value_name = "OUT.gif|OUT.png")]
    output: PathBuf,
    /// Play another algorithm's search next to it, with the same number of events per second
    #[arg(long, value_name = "ALGORITHM", value_parser = parser_of_names(Algorithm::NAMES),
        conflicts_with = "travellers")]
    versus: Option<Algorithm>,
    /// How long the search takes, or how long the travellers walk, from 0.01 to 600 seconds
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
    travellers: TravellersArgs,
    #[command(flatten)]
    planning: PlanningArgs,
}

/// The files that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gif,
    Png,
}

/// An animation of a map: what all of its frames share.
struct Animation<'a> {
    args: &'a AnimateArgs,
    tileset: &'a Arc<Tileset>,
    map: &'a Map,
    look: Look,
    format: Format,
    output: Output,
    progress: Progress,
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
        let animation = Animation { args: &self, tileset: &tileset, map: &map, look, format, output, progress };
        match self.travellers.town(&map, self.planning.options().rules, self.planning.from) {
            Some(town) => travellers::animate(animation, town),
            None => search::animate(animation),
        }
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
}

impl Animation<'_> {
    /// Refuses too many frames, and warns of a frame rate that programs will not show.
    fn check_frames(&self, times: FrameTimes) -> Result<(), CliError> {
        if times.count > MAX_FRAMES {
            let message = format!(
                "the animation would have {} frames, and at most {MAX_FRAMES} are allowed: choose a smaller --seconds \
                 or --fps",
                times.count
            );
            return Err(CliError::Message(message));
        }
        if self.format == Format::Gif && self.args.fps > 50 {
            tell("note", "most programs play a GIF slowly if it has more than 50 frames per second");
        }
        Ok(())
    }

    /// The map with its images.
    fn scene(&self) -> Result<Scene, CliError> {
        let images = TileImages::load(self.tileset, self.args.planning.assets.as_deref())?;
        Ok(Scene::new(self.tileset, images, self.look))
    }

    /// Paints the frames and writes the file.
    fn write(self, times: FrameTimes, mut paint: impl FnMut(usize) -> RgbaImage) -> Result<(), CliError> {
        self.progress.stage("painting the frames", Some(times.count as u64));
        let mut paint = |frame: usize| {
            self.progress.set_position(frame as u64);
            paint(frame)
        };
        let file = match self.format {
            Format::Gif => encode_gif(times, &mut paint)?,
            Format::Png => encode_png(times, &mut paint)?,
        };
        self.output.write(&file)
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
