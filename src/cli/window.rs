//! `emberwalk [MAP]`: opens the window.

use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "game")]
use emberwalk::{
    game::{self, land::Land},
    map::Bundled,
    path::{Planner, Query},
    scene::Look,
    terrain::Assets,
};

use super::failure::{Failure, Status};
use super::planning::Planning;

/// What the window shows, and how.
#[derive(Debug, Args)]
pub struct WindowArgs {
    /// A map file, or the name of a bundled map; - is standard input
    #[arg(default_value = "valley")]
    pub map: PathBuf,
    /// The plain look: the first image of each terrain and nothing else
    #[arg(long)]
    pub plain: bool,
    /// The still picture only, without what moves and without the HUD
    #[arg(long)]
    pub still: bool,
    #[command(flatten)]
    pub planning: Planning,
}

impl WindowArgs {
    /// Opens the window, and returns when it is closed.
    #[cfg(not(feature = "game"))]
    pub fn run(self) -> Result<Status, Failure> {
        let Self { map, plain, still, planning } = self;
        // Bad input is told before what is missing here.
        planning.map(&map, &planning.tileset()?)?;
        let _ = (plain, still);
        Err(Failure::Message("this program was built without its window; `route` and `render` do not need one".into()))
    }

    /// Opens the window, and returns when it is closed.
    #[cfg(feature = "game")]
    pub fn run(self) -> Result<Status, Failure> {
        let Self { map: path, plain, still, planning } = self;
        let tileset = planning.tileset()?;
        let map = planning.map(&path, &tileset)?;
        let start = planning.from.or_else(|| map.start());
        // What the window could only shrug at is told before it opens: blocked ends, a weight below 1.
        if let Some(start) = start {
            let query = Query::new(start, planning.to.unwrap_or(start)).with(planning.options());
            Planner::new().plan(map.costs(), &query).map_err(|error| Failure::Message(error.to_string()))?;
        }
        let tiles = Assets::load(&tileset, planning.assets.as_deref())?;
        let look = if plain { Look::Plain } else { Look::Full };
        let mut land = Land::new(map, tiles, look).with_ends(planning.from, planning.to);
        if let Some(bundled) = Bundled::at(&path) {
            land = land.bundled(bundled.name);
        }
        let settings = game::Settings { land, planning: planning.options(), still };
        game::run(settings).map_err(|error| Failure::Message(error.to_string()))?;
        Ok(Status::Done)
    }
}
