//! `emberwalk [MAP]`: opens the window.

use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, Status};
use super::planning::Planning;

/// What the window shows, and how.
#[derive(Debug, Args)]
pub struct WindowArgs {
    /// A map file, or the name of a bundled map
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
        emberwalk::game::run(self.map, self.plain, self.still, self.planning.assets.clone(), self.planning.options())
            .map_err(|error| Failure::Message(error.to_string()))?;
        Ok(Status::Done)
    }
}
