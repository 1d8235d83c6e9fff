//! `emberwalk check`: prints every fault of map files.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use emberwalk::fault::Faults;
use emberwalk::map::Map;
use emberwalk::terrain::Tileset;

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
    /// A folder whose tileset.ron replaces that of the program
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl CheckArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let colour = colour(&io::stdout());
        let mut out = stdout();
        let status = match Tileset::load(self.assets.as_deref()) {
            Ok(tileset) => self.check(&Arc::new(tileset), &mut out, colour)?,
            Err(faults) => {
                self.print(&faults, &mut out, colour)?;
                Status::Bad
            }
        };
        out.flush()?;
        Ok(status)
    }

    fn check(&self, tileset: &Arc<Tileset>, out: &mut impl Write, colour: bool) -> io::Result<Status> {
        let mut status = Status::Done;
        for path in &self.maps {
            match Map::open(path, tileset) {
                Ok(map) if !self.json => writeln!(out, "{}: good, {} cells", path.display(), map.size())?,
                Ok(_) => {}
                Err(faults) => {
                    self.print(&faults, out, colour)?;
                    status = Status::Bad;
                }
            }
        }
        Ok(status)
    }

    fn print(&self, faults: &Faults, out: &mut impl Write, colour: bool) -> io::Result<()> {
        if self.json {
            return faults.json().try_for_each(|line| writeln!(out, "{line}"));
        }
        out.write_all(faults.report(colour).as_bytes())
    }
}
