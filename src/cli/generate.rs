//! `emberwalk generate`: makes a map from a seed.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use emberwalk::generate::{MapKind, MapSpec, generate};
use emberwalk::grid::Size;
use emberwalk::map::MAX_SIDE;

use super::failure::{Failure, Status};
use super::output::write_whole;
use super::progress::Progress;

/// Make a map from a seed
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk generate -o my.ron\n  \
                        emberwalk generate --kind islands --width 64 --height 48 --seed 7 -o islands.ron\n  \
                        emberwalk generate --kind maze -o - > maze.ron\n\n\
                        The same kind, size and seed give the same map everywhere.")]
pub struct GenerateArgs {
    /// The map file to write; - is standard output
    #[arg(short, long, value_name = "OUT.ron")]
    output: PathBuf,
    /// Columns, 1 to 4096
    #[arg(long, value_name = "W", default_value_t = 40, allow_hyphen_values = true, value_parser = side)]
    width: u32,
    /// Rows, 1 to 4096
    #[arg(long, value_name = "H", default_value_t = 32, allow_hyphen_values = true, value_parser = side)]
    height: u32,
    /// Which map; without it one by chance, whose seed is printed
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = seed)]
    seed: Option<u64>,
    /// What kind of map
    #[arg(long, default_value_t, value_parser = kinds())]
    kind: MapKind,
    /// What the map is called [default: its kind and seed]
    #[arg(long)]
    name: Option<String>,
}

fn side(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("a map has 1 to {MAX_SIDE} columns and rows"))
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

fn kinds() -> impl TypedValueParser<Value = MapKind> {
    PossibleValuesParser::new(MapKind::NAMES.iter().map(|(name, _)| *name)).try_map(|name| name.parse::<MapKind>())
}

impl GenerateArgs {
    pub fn run(self) -> Result<Status, Failure> {
        let Self { output, width, height, seed, kind, name } = self;
        let spec = MapSpec { kind, size: Size::new(width, height), seed: seed.unwrap_or_else(any_seed), name };
        let progress = Progress::new();
        let made = generate(&spec, &mut |now| {
            progress.stage(now.stage, Some(now.total.into()));
            progress.at(now.done.into());
        });
        let text = made.map_err(|error| Failure::Message(error.to_string()))?;
        write_whole(&output, |out| out.write_all(text.as_bytes()))?;
        if seed.is_none() {
            // Standard output may be the map. Where nobody can be told, the file still says it.
            let _ = writeln!(io::stderr(), "seed {}", spec.seed);
        }
        Ok(Status::Done)
    }
}

/// A seed that is short enough to be read out.
fn any_seed() -> u64 {
    RandomState::new().hash_one(SystemTime::now()) % 1_000_000_000
}
