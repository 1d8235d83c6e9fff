//! `emberwalk maps`: lists the bundled maps, or prints one.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use emberwalk::map::{Bundled, Map, bundled};
use emberwalk::terrain::Tileset;

use super::failure::{Failure, Status};
use super::output::stdout;

/// List the bundled maps, or print one
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk maps\n  emberwalk maps figures/road > my.ron")]
pub struct MapsArgs {
    /// The map to print
    name: Option<String>,
}

impl MapsArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let mut out = stdout();
        let maps = bundled();
        if let Some(name) = self.name {
            let map = Bundled::find(&name).ok_or_else(|| {
                let names: Vec<_> = maps.iter().map(|map| map.name).collect();
                Failure::Message(format!("no bundled map is called {name:?}; there are {}", names.join(", ")))
            })?;
            out.write_all(map.source.as_bytes())?;
        } else {
            let tileset = Arc::new(Tileset::load(None)?);
            let widest = maps.iter().map(|map| map.name.len()).max().unwrap_or(0);
            for Bundled { name, source } in maps {
                let map = Map::parse(name, source, &tileset)?;
                let about = map.about().unwrap_or_else(|| map.name());
                writeln!(out, "{name:widest$}  {:>9}  {about}", map.size().to_string())?;
            }
        }
        out.flush()?;
        Ok(Status::Done)
    }
}
