//! `emberwalk render`: draws a map into a picture.

use std::io::{Write, stderr};
use std::path::PathBuf;

use clap::Args;
use emberwalk::paint::{PaintOptions, paint, picture_size};
use emberwalk::path::Planner;
use emberwalk::png;
use emberwalk::scene::{Look, Scene};
use emberwalk::terrain::TileImages;

use super::error::{CliError, ExitStatus};
use super::input::printable_name;
use super::output::Output;
use super::planning_args::{PlanningArgs, query_error};

/// The largest side of a picture, in pixels.
const MAX_PICTURE_SIDE: u32 = 16384;

/// Draw a map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk render valley -o valley.png\n  \
                        emberwalk render my.ron --route --erupting -o route.png\n  \
                        emberwalk render figures/road --plain -o road.png")]
pub struct RenderArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// The PNG file to write; - is standard output
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// Draw the route
    #[arg(long)]
    route: bool,
    /// Use the plain look: only the first image of each terrain
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    planning: PlanningArgs,
}

impl RenderArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let output = Output::new(&self.output, "png", "the output is a PNG picture")?;
        let tileset = self.planning.load_tileset()?;
        let map = self.planning.load_map(&self.map, &tileset)?;
        let look = if self.plain { Look::Plain } else { Look::Full };
        let (width, height) = picture_size(&map, look);
        if width.max(height) > MAX_PICTURE_SIDE {
            let message = format!(
                "the picture would have {width} x {height} pixels; the largest side allowed is {MAX_PICTURE_SIDE}"
            );
            return Err(CliError::Message(message));
        }
        let mut planner = Planner::new();
        let mut route = None;
        if self.route {
            let query = self.planning.query(&map)?;
            let result = planner.plan(map.costs(), &query).map_err(|error| query_error(error, &map))?;
            if result.route.is_none() {
                // If standard error is closed, the exit status still says that there is no route.
                let name = printable_name(&map);
                let _ = writeln!(stderr(), "{name}: there is no route from {} to {}", query.from, query.to);
                return Ok(ExitStatus::NoRoute);
            }
            route = result.route.map(|route| route.cells);
        }
        let images = TileImages::load(&tileset, self.planning.assets.as_deref())?;
        let scene = Scene::new(&tileset, &images);
        let picture = paint(&map, &scene, &images, &PaintOptions { look, route, figures: &[] });
        output.write(&png::encode(&picture)?)?;
        Ok(ExitStatus::Success)
    }
}
