//! `emberwalk export`: writes a map for Tiled.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use emberwalk_formats::tmx;
use emberwalk_map::output_file::{OutputFile, is_special};
use emberwalk_map::terrain::Tileset;
use emberwalk_picture::tiles::TileImages;

use super::error::{CliError, ExitStatus};
use super::input;
use super::output::{cannot_write, is_stdout, refuse_inputs, require_extension};
use super::progress::Progress;

/// Write a map for the Tiled editor
///
/// The tiles are written next to the map, as OUT-tiles.png and OUT-tall.png. Pictures of an earlier export are replaced,
/// others never. `import` turns the file back into the same map, including all changes made in Tiled.
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
        if is_stdout(&self.output) {
            return Err(refuse("the tile pictures are written next to the map, so it must be a file"));
        }
        require_extension(&self.output, &["tmx"], "the output is a Tiled map")?;
        if self.output.is_dir() {
            return Err(refuse("this is a folder, not a file"));
        }
        let stem = self.output.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.ok_or_else(|| refuse("the name must be valid UTF-8, because the map file contains it"))?;
        // Checked before the work; the paths of the pictures are checked only afterwards.
        let refuse_inputs = |path: &Path| refuse_inputs(path, [&self.map], self.assets.as_deref());
        refuse_inputs(&self.output)?;
        open(&self.output)?;
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let progress = Progress::new();
        progress.stage(format!("{}: reading", input::display_name(&self.map)), None);
        let map = input::load_map(&self.map, &tileset)?;
        let images = TileImages::load(&tileset, self.assets.as_deref())?;
        let export = tmx::export(&map, &images, stem);
        progress.stage(format!("{}: writing", self.output.display()), None);
        let mut contents = Vec::new();
        // Pictures cannot be put next to a device or a named pipe.
        for atlas in export.atlases.iter().filter(|_| !is_special(&self.output)) {
            let path = self.output.with_file_name(format!("{stem}-{}.png", atlas.suffix));
            refuse_foreign(&path)?;
            contents.push((path, atlas.to_png()?));
        }
        // The map is written last, so that an existing map always has its pictures.
        contents.push((self.output.clone(), export.text.into_bytes()));
        contents.iter().try_for_each(|(path, _)| refuse_inputs(path))?;
        write_together(&contents)?;
        Ok(ExitStatus::Success)
    }
}

/// Refuses to replace a picture that `export` has not written, or that was edited since.
fn refuse_foreign(path: &Path) -> Result<(), CliError> {
    open(path)?;
    // Reading a pipe could block forever, and nothing in it is lost.
    if is_special(path) {
        return Ok(());
    }
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Ok(file) if tmx::is_exported_picture(&file) => return Ok(()),
        // A file that cannot be read may not be ours.
        _ => {}
    }
    let reason = "was not written by `export`, or was edited since, and would be overwritten";
    Err(CliError::Message(format!("{} {reason}: move it, or choose another output", path.display())))
}

/// Writes all files, or none of them.
fn write_together(contents: &[(PathBuf, Vec<u8>)]) -> Result<(), CliError> {
    let outputs = contents.iter().map(|(path, _)| open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut staged = Vec::new();
    for ((path, content), output) in contents.iter().zip(&outputs) {
        staged.push((path, output.stage(content).map_err(|error| cannot_write(path, &error))?));
    }
    staged.into_iter().try_for_each(|(path, file)| file.commit().map_err(|error| cannot_write(path, &error)))
}

fn open(path: &Path) -> Result<OutputFile, CliError> {
    OutputFile::new(path).map_err(|error| cannot_write(path, &error))
}
