//! `emberwalk check`: prints every fault of maps, tilesets and their images.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use emberwalk::diagnostics::{Diagnostics, escape_invisible};
use emberwalk::map::Map;
use emberwalk::terrain::{TileImages, Tileset};

use super::colour::colour;
use super::failure::{Failure, Status};
use super::io::map_text;
use super::output::stdout;

/// Print every fault of maps and tilesets
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk check my.ron\n  emberwalk check maps/*.ron --json\n  \
                        emberwalk check mine/tileset.ron\n  emberwalk check - < my.ron\n\n\
                        Lines, and columns in characters, count from 1; cells, columns and rows, from 0.\n\
                        Exit status: 0 if all are good, 2 if there is a fault.")]
pub struct CheckArgs {
    /// Map files, names of bundled maps, or tileset files, whose images are looked at too; - is standard input
    #[arg(required_unless_present = "assets", value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// Print one JSON object a fault: file, line, column, cell, message, help; null where there is none
    #[arg(long)]
    json: bool,
    /// A folder whose tileset.ron and PNG tiles replace those of the program; their faults are printed too
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl CheckArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let mut printer =
            Printer { out: stdout(), json: self.json, colour: colour(&io::stdout()), status: Status::Done };
        let tileset = Tileset::load(self.assets.as_deref()).map(Arc::new);
        if let Some(folder) = &self.assets {
            // The program's own are known to be good.
            let checked = tileset.as_ref().map_err(Clone::clone).and_then(|tileset| images(tileset, folder));
            let silent = checked.is_ok() && !self.maps.is_empty();
            if !silent {
                printer.print(&folder.display().to_string(), checked)?;
            }
        }
        for path in &self.maps {
            let title = path.display().to_string();
            match &tileset {
                Ok(tileset) => printer.print(&title, look_at(path, tileset))?,
                Err(_) if self.json => {}
                Err(_) => writeln!(printer.out, "{}: not looked at, for the tileset is bad", escape_invisible(&title))?,
            }
        }
        printer.out.flush()?;
        Ok(printer.status)
    }
}

/// What there is to say of a good file, or its faults.
fn look_at(path: &Path, tileset: &Arc<Tileset>) -> Result<String, Diagnostics> {
    let (title, text) = map_text(path)?;
    if !Tileset::is_tileset_source(&text) {
        return Ok(format!("{} cells", Map::parse(&title, &text, tileset)?.size()));
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    images(&Tileset::parse(&title, &text)?, folder)
}

/// The same of the images that a tileset asks for, from `folder` and from the program.
fn images(tileset: &Tileset, folder: &Path) -> Result<String, Diagnostics> {
    let images = TileImages::load(tileset, Some(folder))?.images().len();
    Ok(format!("{} terrains, {images} images", tileset.iter().count()))
}

struct Printer<W> {
    out: W,
    json: bool,
    colour: bool,
    status: Status,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, title: &str, checked: Result<String, Diagnostics>) -> io::Result<()> {
        match checked {
            Ok(_) if self.json => Ok(()),
            Ok(good) => writeln!(self.out, "{}: good, {good}", escape_invisible(title)),
            Err(faults) => {
                self.status = Status::Bad;
                if self.json {
                    return faults.json().try_for_each(|line| writeln!(self.out, "{line}"));
                }
                self.out.write_all(faults.report(self.colour).as_bytes())
            }
        }
    }
}
