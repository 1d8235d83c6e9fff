//! `emberwalk render`: draws a map as a picture.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use emberwalk::agent_images::AgentImages;
use emberwalk_map::{DayChoice, Hour, Map};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Field, FieldQuery, Planner};
use emberwalk_picture::overlay::{CostOverlay, DistanceOverlay, LevelOverlay, Overlay, SearchOverlay};
use emberwalk_picture::paint::{PaintOptions, PictureZoom, paint, picture_size, put_background};
use emberwalk_picture::png;
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages;
use emberwalk_picture::worksheet::worksheet;

use super::day::parse_hour;
use super::error::{CliError, ExitStatus};
use super::input::map_error;
use super::output::{Output, refuse_inputs};
use super::planning_args::{PlanningArgs, parser_of_names, query_error, tell_no_route};
use super::travellers::{TravellersArgs, parse_at};

/// The largest side of a picture, in pixels.
const MAX_PICTURE_SIDE: u32 = 16384;

/// Draw a map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk render valley -o valley.png\n  \
                        emberwalk render my.ron --route --erupting -o route.png\n  \
                        emberwalk render figures/road --plain -o road.png\n  \
                        emberwalk render figures/blackboard --moves 4 --heuristic manhattan --worksheet -o sheet.png")]
pub struct RenderArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// The PNG file to write; - is standard output
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// Draw the route
    #[arg(long)]
    route: bool,
    /// Draw an overlay on the map; from zoom 2 on, with its numbers on the cells
    #[arg(long, value_name = "WHAT")]
    show: Option<Show>,
    /// Scale the picture
    #[arg(long, value_name = "ZOOM", default_value_t, value_parser = parser_of_names(PictureZoom::NAMES))]
    zoom: PictureZoom,
    /// Use the classic look: only the first image of each terrain
    #[arg(long)]
    plain: bool,
    /// Draw it at this hour instead of the map's; the classic look has no hours
    #[arg(long, value_name = "H:MM", allow_hyphen_values = true, value_parser = parse_hour)]
    hour: Option<Hour>,
    /// Write a sheet to print instead, for a search by hand: the map with its costs and an empty table; OUT-2.png has the
    /// solution. The algorithm is A*, unless you choose another
    #[arg(long, conflicts_with_all = ["route", "show", "zoom", "plain", "hour", "transparent", "travellers"])]
    worksheet: bool,
    /// Leave out the background of the full look, so that the picture is transparent around the map
    #[arg(long)]
    transparent: bool,
    #[command(flatten)]
    travellers: TravellersArgs,
    /// Draw the travellers as they are after this time in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, requires = "travellers", allow_hyphen_values = true,
        value_parser = parse_at, help_heading = "Travellers")]
    at: f64,
    #[command(flatten)]
    planning: PlanningArgs,
}

/// The overlays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The closed cells, coloured by order, and the open cells
    Search,
    /// The cost of entering each cell
    Cost,
    /// The cost from each cell to the goal
    Distance,
    /// The level of each cell
    Levels,
}

impl RenderArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        refuse_inputs(&self.output, [&self.map], self.planning.assets.as_deref())?;
        let output = Output::new(&self.output, &["png"], "the output is a PNG picture")?;
        let tileset = self.planning.load_tileset()?;
        let mut map = self.planning.load_map(&self.map, &tileset)?;
        let day = DayChoice { hour: self.hour, day: None }.of(map.day_time());
        map.set_hour(day.passing_hour());
        if self.worksheet {
            return self.write_worksheet(&map, &output);
        }
        let look = if self.plain { Look::Plain } else { Look::Full };
        check_size(&map, look, self.zoom)?;
        let query = (self.route || self.show == Some(Show::Search)).then(|| self.planning.query(&map)).transpose()?;
        let mut planner = Planner::new();
        let recorded = query.filter(|_| self.show == Some(Show::Search));
        let recording = recorded.map(|query| Recording::new(&mut planner, map.costs(), &query)).transpose();
        let recording = recording.map_err(query_error(&map))?;
        let result = match (&recording, query) {
            (Some(recording), _) => Some(recording.result()),
            (None, Some(query)) => Some(planner.plan(map.costs(), &query).map_err(query_error(&map))?),
            (None, None) => None,
        };
        let mut status = ExitStatus::Success;
        if let (Some(result), Some(query)) = (result, query)
            && !result.found()
        {
            tell_no_route(&map, &query);
            status = ExitStatus::NoRoute;
            if recording.is_none() {
                return Ok(status);
            }
        }
        let mut field = Field::new();
        let overlay: Option<Box<dyn Overlay>> = match self.show {
            None => None,
            Some(Show::Search) => {
                recording.as_ref().map(|recording| Box::new(SearchOverlay::new(recording, recording.len())) as _)
            }
            Some(Show::Cost) => Some(Box::new(CostOverlay::new(map.costs()))),
            Some(Show::Levels) => Some(Box::new(LevelOverlay::new(&map))),
            Some(Show::Distance) => {
                let goal = FieldQuery::routes_to(self.planning.goal(&map)?).with_rules(self.planning.options().rules);
                field.compute(map.costs(), &goal).map_err(query_error(&map))?;
                Some(Box::new(DistanceOverlay::new(&field, map.size())))
            }
        };
        let images = TileImages::load(&tileset, self.planning.assets.as_deref())?;
        let world = self.travellers.world(&map, self.planning.options().rules, self.planning.from, day)?;
        let traveller_images = AgentImages::find(&images, &tileset);
        let figures = world.map_or_else(Vec::new, |mut world| {
            world.advance_to(CrowdTime::from_seconds(self.at));
            traveller_images.painted_in_picture(world.map(), world.figures())
        });
        let scene = Scene::new(&tileset, images, look);
        let route = result.filter(|_| self.route).map(|result| result.cells());
        let hour = day.hour_after(self.at);
        let overlay = overlay.as_deref();
        let options = PaintOptions { route, figures: &figures, overlay, warming: None, hour, zoom: self.zoom };
        let mut picture = paint(&map, &scene, &options);
        if !self.transparent {
            put_background(&mut picture, &map, &scene, &options);
        }
        output.write(&png::encode(&picture)?)?;
        Ok(status)
    }

    /// Writes the pages of the worksheet.
    fn write_worksheet(&self, map: &Map, output: &Output) -> Result<ExitStatus, CliError> {
        if output.is_stdout() {
            return Err(CliError::Message("a worksheet has two pages: choose a file with -o SHEET.png".into()));
        }
        let second = second_page(&self.output);
        refuse_inputs(&second, [&self.map], self.planning.assets.as_deref())?;
        let second = Output::new(&second, &["png"], "the output is a PNG picture")?;
        let mut query = self.planning.query(map)?;
        if query.options.algorithm == Algorithm::Auto {
            query.options = query.options.with_algorithm(Algorithm::AStar);
        }
        let recording = Recording::new(&mut Planner::new(), map.costs(), &query).map_err(query_error(map))?;
        let [task, solution] = worksheet(map, &recording).map_err(|error| map_error(map, error))?;
        output.write(&png::encode(&task)?)?;
        second.write(&png::encode(&solution)?)?;
        if recording.result().found() {
            return Ok(ExitStatus::Success);
        }
        tell_no_route(map, &query);
        Ok(ExitStatus::NoRoute)
    }
}

/// The file of the second page: `sheet-2.png` for `sheet.png`.
fn second_page(first: &Path) -> PathBuf {
    let mut name = first.file_stem().unwrap_or_default().to_owned();
    name.push("-2.png");
    first.with_file_name(name)
}

/// Refuses a picture of a map that is too large.
pub fn check_size(map: &Map, look: Look, zoom: PictureZoom) -> Result<(), CliError> {
    let (width, height) = picture_size(map, look);
    let width = zoom.scaled(width);
    let height = zoom.scaled(height);
    if width.max(height) <= MAX_PICTURE_SIDE {
        return Ok(());
    }
    let at = if zoom == PictureZoom::default() { String::new() } else { format!(" at zoom {zoom}") };
    let message =
        format!("the picture would have {width} x {height} pixels{at}; the largest side allowed is {MAX_PICTURE_SIDE}");
    Err(CliError::Message(message))
}
