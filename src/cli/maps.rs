//! `emberwalk maps`: lists the bundled maps, or prints one of them or the tileset.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{BundledMap, Map, bundled_maps};

use super::error::{CliError, ExitStatus};
use super::input::printable_name;
use super::output::{print_text, stdout};

/// List the bundled maps, or print one of them or the tileset
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk maps\n  emberwalk maps figures/road > my.ron\n  \
                        emberwalk maps --tileset > mine/tileset.ron && emberwalk my.ron --assets mine")]
pub struct MapsArgs {
    /// The map to print
    name: Option<String>,
    /// Print the embedded tileset.ron, as a starting point for your own
    #[arg(long, conflicts_with = "name")]
    tileset: bool,
}

impl MapsArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let maps = bundled_maps();
        if self.tileset {
            return print_text(Tileset::load(None)?.source().as_bytes());
        }
        if let Some(name) = self.name {
            let map = BundledMap::find(&name).ok_or_else(|| {
                let help = match BundledMap::most_similar(&name) {
                    Some(map) => format!("did you mean `{}`?", map.name),
                    None => {
                        let names: Vec<_> = maps.iter().map(|map| map.name).collect();
                        format!("the maps are {}", names.join(", "))
                    }
                };
                CliError::Message(format!("there is no bundled map `{name}`; {help}"))
            })?;
            return print_text(map.source.as_bytes());
        }
        let tileset = Arc::new(Tileset::load(None)?);
        let widest = maps.iter().map(|map| map.name.len()).max().unwrap_or(0);
        let mut out = stdout();
        for BundledMap { name, source } in maps {
            let map = Map::parse(name, source, &tileset)?;
            let about = map.about().map_or_else(|| printable_name(&map), str::to_owned);
            writeln!(out, "{name:widest$}  {:>9}  {about}", map.size().to_string())?;
        }
        out.flush()?;
        Ok(ExitStatus::Success)
    }
}
