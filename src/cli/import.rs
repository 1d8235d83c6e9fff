//! `emberwalk import`: converts a file of another format to a map.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use emberwalk_formats::import::{ImportFormat, ImportOptions, import_with, levels_from_picture, probable_walls};
use emberwalk_formats::tmx::TileMapping;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::shell_argument;
use emberwalk_map::terrain::Tileset;

use super::error::{CliError, ExitStatus, tell};
use super::input;
use super::output::{Output, refuse_inputs};
use super::planning_args::parser_of_names;
use super::progress::Progress;
use super::solve::WallArgs;

/// Convert a file of another format to a map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk import cave.txt -o cave.ron\n  \
                        emberwalk import arena2.map -o arena2.ron\n  \
                        emberwalk import maze.png -o maze.ron --name \"The maze\"\n  \
                        emberwalk import village.tmx --tile desert:3-5,8=sand --tile desert:30=nothing -o village.ron\n  \
                        emberwalk import alps.map --heights alps.png -o alps.ron\n\n\
                        text: W is a wall, H the hero (the castle), M the monster (the tent), anything else is empty; \
                        a text without any of these needs --format text\n\
                        moving-ai: ., G and E are grass, S sand, T thicket, W water, @ and O mountain\n\
                        picture: a pixel whose red is 0 is a wall, or with --invert one whose red is 255; tent and \
                        castle are in the corners, or in the openings of the border\n\
                        tmx: maps of the Tiled editor; the terrain of a tile is the name or character in its property `terrain`, \
                        its class, the name of its image, or what the terrain brush paints with it; objects with the \
                        name of a terrain, such as tent and castle, stand on their cells")]
pub struct ImportArgs {
    /// The file to convert; - is standard input
    file: PathBuf,
    /// The map file to write; - is standard output
    #[arg(short, long, value_name = "OUT.ron")]
    output: PathBuf,
    /// The format of the file; by default detected from its content and extension
    #[arg(long, value_parser = parser_of_names(FORMATS))]
    format: Option<ImportFormat>,
    /// The name of the map; by default the name in the file, or else the file name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// For Tiled maps: the terrain of some tiles, by the name of their tileset and their ids, such as
    /// desert:3-5,8=sand; may be repeated
    #[arg(long = "tile", value_name = "TILESET:IDS=TERRAIN", allow_hyphen_values = true)]
    tiles: Vec<TileMapping>,
    /// For text maps: the characters that are walls, such as "#" [default: W]
    #[arg(long, value_name = "CHARACTERS", allow_hyphen_values = true, value_parser = parse_walls)]
    walls: Option<String>,
    #[command(flatten)]
    picture_walls: WallArgs,
    /// A grey picture with one pixel per cell, which gives the cells their levels: black is level 0, white is level 9
    #[arg(long, value_name = "PICTURE")]
    heights: Option<PathBuf>,
    /// A folder whose tileset.ron replaces the embedded one
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

/// The names of the formats on the command line.
const FORMATS: &[(&str, ImportFormat)] = &[
    ("text", ImportFormat::Text),
    ("moving-ai", ImportFormat::MovingAi),
    ("picture", ImportFormat::Picture),
    ("tmx", ImportFormat::Tmx),
];

impl ImportArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        input::check_name(self.name.as_deref())?;
        refuse_inputs(&self.output, [&self.file].into_iter().chain(&self.heights), self.assets.as_deref())?;
        let output = Output::new(&self.output, &["ron"], "the output is a map")?;
        let tileset = Arc::new(Tileset::load(self.assets.as_deref())?);
        let file = input::display_name(&self.file);
        let progress = Progress::new();
        progress.stage(format!("{file}: reading"), None);
        let bytes = input::read_bytes(&self.file)?;
        let Self { format, tiles: tile_mappings, walls, picture_walls, .. } = self;
        let options = ImportOptions { format, tile_mappings, walls, picture_walls: picture_walls.walls() };
        let imported = import_with(&file, &bytes, &tileset, &options)?;
        // Only the map itself tells which tilesets it has.
        refuse_inputs(&self.output, &imported.other_files, None)?;
        let mut map = Map::of_content(imported.content);
        let mut notes: Vec<_> = imported.notes.iter().map(|note| format!("{file}: {note}")).collect();
        notes.extend(match format.unwrap_or_else(|| ImportFormat::detect(&file, &bytes)) {
            ImportFormat::Picture => imported.wall_hint.map(|hint| format!("{file}: {hint}")),
            ImportFormat::Text => hint_about_characters(&file, &bytes, options.walls.as_deref()),
            ImportFormat::MovingAi | ImportFormat::Tmx => None,
        });
        if let Some(picture) = &self.heights {
            let name = input::display_name(picture);
            let levels = levels_from_picture(&name, &input::read_bytes(picture)?, map.size())?;
            map = map.with_levels(levels).map_err(|error| CliError::Message(format!("{name}: {error}")))?;
            if map.top() == 0 {
                notes.push(format!(
                    "the map is flat, because all of {name} is darker than level 1; stretch its contrast"
                ));
            }
        }
        if let Some(name) = self.name {
            map.set_name_and_about(name, map.about().map(str::to_owned));
        }
        progress.stage(format!("{file}: writing"), None);
        output.write(map.to_ron().as_bytes())?;
        drop(progress);
        notes.iter().for_each(|note| tell("note", note));
        Ok(ExitStatus::Success)
    }
}

/// Parses the value of `--walls`.
fn parse_walls(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("name at least one character that is a wall, such as \"#\"".into());
    }
    match text.chars().find(|char| matches!(char, 'H' | 'M')) {
        Some('H') => Err("H is the hero, so it cannot be a wall".into()),
        Some(_) => Err("M is the monster, so it cannot be a wall".into()),
        None => Ok(text.to_owned()),
    }
}

/// A note on characters of a text that the user's choice of walls leaves out. `--walls W` is how users confirm that
/// all others are empty.
fn hint_about_characters(file: &str, bytes: &[u8], walls: Option<&str>) -> Option<String> {
    let walls = walls.filter(|&walls| walls != "W")?;
    let left_out = probable_walls(&String::from_utf8_lossy(bytes), Some(walls));
    let list = left_out.iter().map(|char| format!("{char:?}")).collect::<Vec<_>>().join(", ");
    let option = shell_argument(&left_out.iter().copied().chain(walls.chars()).collect::<String>());
    (!left_out.is_empty())
        .then(|| format!("{file}: no wall is made of {list}, which other maps have as walls; try `--walls {option}`"))
}
