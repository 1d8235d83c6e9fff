//! `emberwalk check`: prints every fault of map files.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use emberwalk::fault::Faults;
use emberwalk::map::Map;
use emberwalk::terrain::{Assets, Tileset};

use super::colour;
use super::failure::{Failure, Status};
use super::output::stdout;

/// Print every fault of maps
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk check my.ron\n  emberwalk check maps/*.ron --json\n\n\
                        Exit status: 0 if all are good, 2 if there is a fault.")]
pub struct CheckArgs {
    /// Map files, or names of bundled maps
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// Print one JSON object a fault: file, line, column, cell, message, help
    #[arg(long)]
    json: bool,
    /// A folder whose tileset.ron and PNG tiles replace those of the program; their faults are printed too
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl CheckArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let colour = colour(&io::stdout());
        let mut out = stdout();
        let mut status = Status::Done;
        let mut bad = |faults: &Faults, out: &mut dyn Write| {
            status = Status::Bad;
            self.print(faults, out, colour)
        };
        match Tileset::load(self.assets.as_deref()).map(Arc::new) {
            Err(faults) => bad(&faults, &mut out)?,
            Ok(tileset) => {
                // The program's own images are known to be good.
                if let Some(Err(faults)) = self.assets.as_deref().map(|folder| Assets::load(&tileset, Some(folder))) {
                    bad(&faults, &mut out)?;
                }
                for path in &self.maps {
                    match Map::open(path, &tileset) {
                        Ok(map) if !self.json => writeln!(out, "{}: good, {} cells", path.display(), map.size())?,
                        Ok(_) => {}
                        Err(faults) => bad(&faults, &mut out)?,
                    }
                }
            }
        }
        out.flush()?;
        Ok(status)
    }

    fn print(&self, faults: &Faults, out: &mut dyn Write, colour: bool) -> io::Result<()> {
        if self.json {
            return faults.json().try_for_each(|line| writeln!(out, "{line}"));
        }
        out.write_all(faults.report(colour).as_bytes())
    }
}
