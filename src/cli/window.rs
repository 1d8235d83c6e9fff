//! `emberwalk [MAP]`: opens the window.

use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "game")]
use emberwalk::{
    game::{
        self, WindowError,
        world::asked_endpoints::AskedEndpoints,
        world::loader::{Loader, Source},
    },
    path::{Planner, Query},
    scene::Look,
};

use super::failure::{Failure, Status};
#[cfg(feature = "game")]
use super::io;
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
        let Self { map, plain, still, planning } = self;
        let erupting = planning.erupting.then_some(true).or(planning.dormant.then_some(false));
        let text = if io::is_dash(&map) { Some(io::text(&map)?) } else { None };
        let from_file = text.is_none();
        let mut loader = Loader::new(Source { map, text, assets: planning.assets.clone(), erupting });
        let first = loader.load();
        match &first {
            Ok(version) => {
                let map = &version.map;
                // What the window could only shrug at is told before it opens: blocked ends, a weight below 1.
                if let Some(start) = planning.from.or_else(|| map.start()) {
                    let query = Query::new(start, planning.to.unwrap_or(start)).with(planning.options());
                    Planner::new().plan(map.costs(), &query).map_err(|error| Failure::Message(error.to_string()))?;
                }
            }
            // What can be mended is shown in the window, until it is; the still picture has no place for it.
            Err(faults) if still || !from_file || !faults.all_in_text() => return Err(faults.clone().into()),
            Err(_) => {}
        }
        let look = if plain { Look::Plain } else { Look::Full };
        let endpoints = AskedEndpoints { start: planning.from, goal: planning.to };
        let planning = planning.options();
        game::run(game::Settings { loader, first, look, endpoints, planning, still }).map_err(|error| match error {
            WindowError::Diagnostics(faults) => faults.into(),
            error => Failure::Message(error.to_string()),
        })?;
        Ok(Status::Done)
    }
}
