//! `emberwalk import`: makes a map of another format.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use emberwalk::import::{ImportFormat, import_with};
use emberwalk::terrain::Tileset;
use emberwalk::tmx::TileName;

use super::failure::{Failure, Status};
use super::io;
use super::output::{must_differ, write_whole};
use super::progress::Progress;

/// Make a map of another format
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk import cave.txt -o cave.ron\n  \
                        emberwalk import arena2.map -o arena2.ron\n  \
                        emberwalk import maze.png -o maze.ron\n  \
                        emberwalk import village.tmx --tile desert:3-5,8=sand --tile desert:30=nothing -o village.ron\n\n\
                        text: W is a wall, H the hero (the castle), M the monster (the tent), anything else empty\n\
                        moving-ai: . and G are grass, S sand, T thicket, W water, @ and O mountain\n\
                        picture: a pixel whose red is 0 is a wall; tent and castle are in the corners\n\
                        tmx: orthogonal and isometric maps of the Tiled editor; a tile is what its property `terrain`, \
                        its class or the name of its image says, by the name or character of a terrain")]
pub struct ImportArgs {
    /// The file; - is standard input
    file: PathBuf,
    /// The map to write; - is standard output
    #[arg(short, long, value_name = "OUT.ron")]
    output: PathBuf,
    /// What the file is; by its content and ending if not given
    #[arg(long)]
    format: Option<Form>,
    /// Of a map for Tiled: what tiles are, by the name of their tileset there and their numbers, such as desert:3-5,8=sand;
    /// may be given many times
    #[arg(long = "tile", value_name = "TILESET:IDS=TERRAIN")]
    tiles: Vec<TileName>,
    /// A folder whose tileset.ron replaces that of the program
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

/// The formats as they are written on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    Text,
    MovingAi,
    Picture,
    Tmx,
}

impl From<Form> for ImportFormat {
    fn from(form: Form) -> Self {
        match form {
            Form::Text => Self::Text,
            Form::MovingAi => Self::MovingAi,
            Form::Picture => Self::Picture,
            Form::Tmx => Self::Tmx,
        }
    }
}

impl ImportArgs {
    pub fn run(self) -> Result<Status, Failure> {
        must_differ(&self.output, &self.file)?;
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let name = io::title(&self.file);
        let progress = Progress::new();
        progress.stage(format!("{name}: reading"), None);
        let bytes = io::bytes(&self.file)?;
        let map = import_with(&name, &bytes, self.format.map(ImportFormat::from), &tileset, &self.tiles)?;
        progress.stage(format!("{name}: writing"), None);
        write_whole(&self.output, |out| out.write_all(map.to_ron().as_bytes()))?;
        Ok(Status::Done)
    }
}
