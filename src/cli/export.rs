//! `emberwalk export`: writes a map for the Tiled editor.

use std::io::Error;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use emberwalk::paint;
use emberwalk::terrain::{TileImages, Tileset};
use emberwalk::tmx;

use super::error::{CliError, ExitStatus};
use super::input;
use super::output::{require_extension, write_atomically};
use super::progress::Progress;

/// Write a map for the Tiled editor
///
/// The tiles are written next to the map, as OUT-tiles.png and OUT-tall.png. `import` turns the file back into the same
/// map, with all changes that were made in Tiled.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk export valley -o valley.tmx\n  \
                        emberwalk export my.ron -o my.tmx && tiled my.tmx && emberwalk import my.tmx -o my.ron")]
pub struct ExportArgs {
    /// A map file, or the name of a bundled map; - is standard input
    map: PathBuf,
    /// The TMX file to write
    #[arg(short, long, value_name = "OUT.tmx")]
    output: PathBuf,
    /// A folder whose tileset.ron and PNG tiles replace the embedded ones
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

impl ExportArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let refuse = |reason: &str| CliError::Message(format!("{}: {reason}", self.output.display()));
        if input::is_dash(&self.output) {
            return Err(refuse("the tile pictures are written next to the map, so it must be a file"));
        }
        require_extension(&self.output, "tmx", "the output is a map for Tiled")?;
        if self.output.is_dir() {
            return Err(refuse("this is a folder, not a file"));
        }
        let stem = self.output.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.ok_or_else(|| refuse("the name must be valid UTF-8, because the map file contains it"))?;
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let progress = Progress::new();
        progress.stage(format!("{}: reading", input::display_name(&self.map)), None);
        let map = input::load_map(&self.map, &tileset)?;
        let images = TileImages::load(&tileset, self.assets.as_deref())?;
        let export = tmx::export(&map, &images, stem);
        progress.stage(format!("{}: writing", self.output.display()), None);
        // The map comes last, so that an existing map always has its pictures.
        for atlas in &export.atlases {
            let path = self.output.with_file_name(format!("{stem}-{}.png", atlas.suffix));
            write_atomically(&path, |out| paint::write_png(&atlas.picture, out).map_err(Error::other))?;
        }
        write_atomically(&self.output, |out| out.write_all(export.text.as_bytes()))?;
        Ok(ExitStatus::Success)
    }
}
