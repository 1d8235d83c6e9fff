//! `emberwalk export`: writes a map for the Tiled editor.

use std::io::Error;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use emberwalk::paint;
use emberwalk::terrain::{TileImages, Tileset};
use emberwalk::tmx;

use super::failure::{Failure, Status};
use super::io;
use super::output::{must_end, write_whole};
use super::progress::Progress;

/// Write a map for the Tiled editor
///
/// The pictures of its tiles are written beside it, as OUT-tiles.png and OUT-tall.png. What `import` makes of it is the
/// same map, and with what was painted in Tiled the map that it shows.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk export valley -o valley.tmx\n  \
                        emberwalk export my.ron -o my.tmx && tiled my.tmx && emberwalk import my.tmx -o my.ron")]
pub struct ExportArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// The TMX file to write
    #[arg(short, long, value_name = "OUT.tmx")]
    output: PathBuf,
    /// A folder whose tileset.ron and PNG tiles replace those of the program
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl ExportArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let refuse = |reason: &str| Failure::Message(format!("{}: {reason}", self.output.display()));
        if io::is_dash(&self.output) {
            return Err(refuse("pictures belong beside the map, so it needs a file"));
        }
        must_end(&self.output, "tmx", "the map is for Tiled")?;
        if self.output.is_dir() {
            return Err(refuse("this is a folder, not a file"));
        }
        let stem = self.output.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.ok_or_else(|| refuse("the name must be text, for it is written into the file"))?;
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let progress = Progress::new();
        progress.stage(format!("{}: reading", io::title(&self.map)), None);
        let map = io::map(&self.map, &tileset)?;
        let assets = TileImages::load(&tileset, self.assets.as_deref())?;
        let export = tmx::export(&map, &assets, stem);
        progress.stage(format!("{}: writing", self.output.display()), None);
        // The map last: when it is there, all that it needs is too.
        for sheet in &export.sheets {
            let path = self.output.with_file_name(format!("{stem}-{}.png", sheet.suffix));
            write_whole(&path, |out| paint::write_png(&sheet.picture, out).map_err(Error::other))?;
        }
        write_whole(&self.output, |out| out.write_all(export.text.as_bytes()))?;
        Ok(Status::Done)
    }
}
