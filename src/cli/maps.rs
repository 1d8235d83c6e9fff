//! `emberwalk maps`: lists the bundled maps, or prints one, or the tileset.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use emberwalk::map::{BundledMap, Map, bundled_maps};
use emberwalk::terrain::Tileset;

use super::failure::{Failure, Status};
use super::io::name as printed;
use super::output::stdout;

/// List the bundled maps, or print one, or the tileset
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk maps\n  emberwalk maps figures/road > my.ron\n  \
                        emberwalk maps --tileset > mine/tileset.ron && emberwalk my.ron --assets mine")]
pub struct MapsArgs {
    /// The map to print
    name: Option<String>,
    /// Print the program's own tileset.ron, to begin one of your own with
    #[arg(long, conflicts_with = "name")]
    tileset: bool,
}

impl MapsArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let mut out = stdout();
        let maps = bundled_maps();
        if self.tileset {
            out.write_all(Tileset::load(None)?.source().as_bytes())?;
        } else if let Some(name) = self.name {
            let map = BundledMap::find(&name).ok_or_else(|| {
                let names: Vec<_> = maps.iter().map(|map| map.name).collect();
                Failure::Message(format!("no bundled map is called {name:?}; there are {}", names.join(", ")))
            })?;
            out.write_all(map.source.as_bytes())?;
        } else {
            let tileset = Arc::new(Tileset::load(None)?);
            let widest = maps.iter().map(|map| map.name.len()).max().unwrap_or(0);
            for BundledMap { name, source } in maps {
                let map = Map::parse(name, source, &tileset)?;
                let about = map.about().map_or_else(|| printed(&map), str::to_owned);
                writeln!(out, "{name:widest$}  {:>9}  {about}", map.size().to_string())?;
            }
        }
        out.flush()?;
        Ok(Status::Done)
    }
}
