//! `emberwalk render`: draws a map into a picture.

use std::io::{Write, stderr};
use std::path::PathBuf;

use clap::Args;
use emberwalk::paint::{self, paint, picture_size};
use emberwalk::path::Planner;
use emberwalk::scene::{Look, Scene};
use emberwalk::terrain::TileImages;

use super::failure::{Failure, Status};
use super::io::name;
use super::output::{must_end, write_whole};
use super::planning::Planning;

/// The largest picture, in pixels a side.
const LARGEST: u32 = 16384;

/// Draw a map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk render valley -o valley.png\n  \
                        emberwalk render my.ron --route --erupting -o way.png\n  \
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
    /// The plain look: the first image of each terrain and nothing else
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    planning: Planning,
}

impl RenderArgs {
    pub fn run(self) -> Result<Status, Failure> {
        must_end(&self.output, "png", "the picture is a PNG")?;
        let tileset = self.planning.tileset()?;
        let map = self.planning.map(&self.map, &tileset)?;
        let look = if self.plain { Look::Plain } else { Look::Full };
        let (width, height) = picture_size(&map, look);
        if width.max(height) > LARGEST {
            let message = format!("a picture of {width} x {height} pixels; the most is {LARGEST} a side");
            return Err(Failure::Message(message));
        }
        let mut planner = Planner::new();
        let mut route = None;
        if self.route {
            let query = self.planning.query(&map)?;
            let outcome = planner.plan(map.costs(), &query).map_err(|error| Failure::Message(error.to_string()))?;
            if outcome.route.is_none() {
                // Where nobody can be told, the exit status still tells.
                let _ = writeln!(stderr(), "{}: no route from {} to {} exists", name(&map), query.from, query.to);
                return Ok(Status::NoRoute);
            }
            route = outcome.route.map(|route| route.cells);
        }
        let assets = TileImages::load(&tileset, self.planning.assets.as_deref())?;
        let scene = Scene::new(&tileset, &assets);
        let picture = paint(&map, &scene, &assets, &paint::PaintOptions { look, route, figures: &[] });
        write_whole(&self.output, |out| paint::write_png(&picture, out).map_err(std::io::Error::other))?;
        Ok(Status::Done)
    }
}
