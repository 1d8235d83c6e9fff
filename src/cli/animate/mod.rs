//! `emberwalk animate`: writes an animated picture of a search, or of travellers.

mod journey;
mod search;
mod travellers;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{DayTime, Map};
use emberwalk_path::Algorithm;
use emberwalk_picture::animation::joined_size;
use emberwalk_picture::paint::{PictureZoom, picture_size};
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages;

use super::animation_file::{AnimationFile, check_size, parse_fps};
use super::day::DayArgs;
use super::error::{CliError, ExitStatus};
use super::output::refuse_inputs;
use super::planning_args::{PlanningArgs, number_in, parser_of_names};
use super::travellers::TravellersArgs;

/// Write an animated picture of the search for a route and then of the route, or of travellers
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk animate valley --algorithm astar -o search.gif\n  \
                        emberwalk animate valley --algorithm astar --versus dijkstra --zoom 1/2 -o race.gif\n  \
                        emberwalk animate my.ron --seconds 10 --fps 25 -o search.png\n  \
                        emberwalk animate market --travellers 200 --zoom 1/2 -o market.gif\n  \
                        emberwalk animate figures/snow --erupts-in 2 -o ahead.gif\n\n\
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
    /// Show the walk with the earliest arrival instead of the search, if all volcanoes erupt this many seconds after the
    /// departure, from 0 to 600
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true,
        conflicts_with_all = ["travellers", "versus", "erupting", "seconds"],
        value_parser = number_in(0.0..=600.0, "this must be a number of seconds from 0 to 600"))]
    erupts_in: Option<f64>,
    /// How long the search takes, or how long the travellers walk, from 0.01 to 600 seconds
    #[arg(long, value_name = "N", default_value_t = 6.0,
        value_parser = number_in(0.01..=600.0, "this must be a number of seconds from 0.01 to 600"))]
    seconds: f64,
    /// The number of frames per second
    #[arg(long, value_name = "N", default_value_t = 12, allow_hyphen_values = true, value_parser = parse_fps)]
    fps: u16,
    /// Scale the picture
    #[arg(long, value_name = "ZOOM", default_value_t, value_parser = parser_of_names(PictureZoom::NAMES))]
    zoom: PictureZoom,
    /// Use the classic look: only the first image of each terrain
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    day: DayArgs,
    #[command(flatten)]
    travellers: TravellersArgs,
    #[command(flatten)]
    planning: PlanningArgs,
}

/// An animation of a map: what all of its frames share.
struct Animation<'a> {
    args: &'a AnimateArgs,
    tileset: &'a Arc<Tileset>,
    map: &'a Map,
    day: DayTime,
    look: Look,
    file: AnimationFile,
}

impl AnimateArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        refuse_inputs(&self.output, [&self.map], self.planning.assets.as_deref())?;
        let file = AnimationFile::new(&self.output)?;
        let tileset = self.planning.load_tileset()?;
        let mut map = self.planning.load_map(&self.map, &tileset)?;
        let day = self.day.choice().of(map.day_time());
        map.set_hour(day.passing_hour());
        let look = if self.plain { Look::Plain } else { Look::Full };
        let (width, height) = picture_size(&map, look);
        let one = (self.zoom.scaled(width), self.zoom.scaled(height));
        check_size(if self.versus.is_some() { joined_size(2, one) } else { one }, self.zoom)?;
        let animation = Animation { args: &self, tileset: &tileset, map: &map, day, look, file };
        match self.travellers.world(&map, self.planning.options().rules, self.planning.from, day)? {
            Some(world) => travellers::animate(animation, world, self.seconds, 1),
            None => match self.erupts_in {
                Some(seconds) => journey::animate(animation, seconds),
                None => search::animate(animation),
            },
        }
    }
}

impl Animation<'_> {
    /// The map with its images.
    fn scene(&self) -> Result<Scene, CliError> {
        let images = TileImages::load(self.tileset, self.args.planning.assets.as_deref())?;
        Ok(Scene::new(self.tileset, images, self.look))
    }
}
