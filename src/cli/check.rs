//! `emberwalk check`: prints every error in maps, tilesets and their images.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use emberwalk_formats::import::parse_map;
use emberwalk_map::diagnostics::{Diagnostics, counted, escape_invisible};
use emberwalk_map::terrain::Tileset;
use emberwalk_picture::tiles::TileImages;

use super::colour::use_colour;
use super::error::{CliError, ExitStatus};
use super::input::read_map_source;
use super::output::stdout;

/// Print every error in maps and tilesets
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk check my.ron\n  emberwalk check maps/*.ron --json\n  \
                        emberwalk check mine/tileset.ron\n  emberwalk check - < my.ron\n\n\
                        Lines and columns of text count from 1, columns in characters. Cells, columns and rows of a \
                        map count from 0.\n\
                        Exit status: 0 if there are no errors, otherwise 2.")]
pub struct CheckArgs {
    /// Map files, names of bundled maps, or tileset files, whose images are checked too; - is standard input
    #[arg(required_unless_present = "assets", value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// Print one JSON object per error: file, line, column, cell, message, help; null where a field does not apply
    #[arg(long)]
    json: bool,
    /// A folder whose tileset.ron and PNG tiles replace the embedded ones; its errors are printed too
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl CheckArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let mut printer =
            Printer { out: stdout(), json: self.json, colour: use_colour(&io::stdout()), status: ExitStatus::Success };
        let tileset = Tileset::load(self.assets.as_deref()).map(Arc::new);
        if let Some(folder) = &self.assets {
            // Tests ensure that the embedded assets have no errors.
            let checked = tileset.as_ref().map_err(Clone::clone).and_then(|tileset| check_images(tileset, folder));
            let print = checked.is_err() || self.maps.is_empty();
            if print {
                printer.print(&folder.display().to_string(), checked)?;
            }
        }
        for path in &self.maps {
            let file = path.display().to_string();
            match &tileset {
                Ok(tileset) => printer.print(&file, check_file(path, tileset))?,
                Err(_) if self.json => {}
                Err(_) => {
                    let file = escape_invisible(&file);
                    writeln!(printer.out, "{file}: not checked, because the tileset has errors")?;
                }
            }
        }
        printer.out.flush()?;
        Ok(printer.status)
    }
}

/// Checks a map or a tileset. Returns a summary of a valid file.
fn check_file(path: &Path, tileset: &Arc<Tileset>) -> Result<String, Diagnostics> {
    let (file, source) = read_map_source(path)?;
    if !Tileset::is_tileset_source(&source) {
        return Ok(format!("{} cells", parse_map(&file, &source, tileset)?.size()));
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    check_images(&Tileset::parse(&file, &source)?, folder)
}

/// Checks the images of a tileset, from `folder` or embedded. Returns a summary if they are valid.
fn check_images(tileset: &Tileset, folder: &Path) -> Result<String, Diagnostics> {
    let images = TileImages::load(tileset, Some(folder))?.loaded();
    Ok([counted(tileset.iter().count(), "terrain"), counted(images, "image")].join(", "))
}

struct Printer<W> {
    out: W,
    json: bool,
    colour: bool,
    status: ExitStatus,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, file: &str, checked: Result<String, Diagnostics>) -> io::Result<()> {
        match checked {
            Ok(_) if self.json => Ok(()),
            Ok(summary) => writeln!(self.out, "{}: ok, {summary}", escape_invisible(file)),
            Err(diagnostics) => {
                self.status = ExitStatus::Error;
                if self.json {
                    return diagnostics.json().try_for_each(|line| writeln!(self.out, "{line}"));
                }
                self.out.write_all(diagnostics.report(self.colour).as_bytes())
            }
        }
    }
}
