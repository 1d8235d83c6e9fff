//! `emberwalk generate`: generates a map from a seed.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use emberwalk_generate::{MapKind, MapSpec, generate};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{MAX_LEVEL, Map};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Planner, RouteCost, RouteQuery};
use rand::TryRng;
use rand::rngs::SysRng;

use super::error::{CliError, ExitStatus, tell};
use super::input::check_name;
use super::output::Output;
use super::planning_args::{number_in, parser_of_names};
use super::progress::Progress;

/// The maximum number of cells of a map on which the eruption is tried.
const MAX_CELLS_TO_TRY: usize = 1 << 20;

/// Generate a map from a seed
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  emberwalk generate -o my.ron\n  \
                        emberwalk generate --kind islands --width 64 --height 48 --seed 7 -o islands.ron\n  \
                        emberwalk generate --kind maze -o - > maze.ron\n  \
                        emberwalk generate --kind highlands --hills 5 -o highlands.ron\n\n\
                        The same kind, size, seed and hills give the same map on every machine.")]
pub struct GenerateArgs {
    /// The map file to write; - is standard output
    #[arg(short, long, value_name = "OUT.ron")]
    output: PathBuf,
    /// Number of columns, 1 to 4096
    #[arg(long, value_name = "W", default_value_t = 40, allow_hyphen_values = true,
        value_parser = number_in(0..=u32::MAX, SIDES))]
    width: u32,
    /// Number of rows, 1 to 4096
    #[arg(long, value_name = "H", default_value_t = 32, allow_hyphen_values = true,
        value_parser = number_in(0..=u32::MAX, SIDES))]
    height: u32,
    /// The seed; by default, a random seed is chosen and printed
    #[arg(long, value_name = "N", allow_hyphen_values = true,
        value_parser = number_in(0..=u64::MAX, "a seed is a whole number from 0 to 18446744073709551615"))]
    seed: Option<u64>,
    /// The kind of map
    #[arg(long, default_value_t, value_parser = parser_of_names(MapKind::NAMES))]
    kind: MapKind,
    /// The highest level of the hills, 0 to 9 [default: 7 for highlands, otherwise 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true,
        value_parser = number_in(0..=MAX_LEVEL, "hills have level 0 to 9, in whole numbers"))]
    hills: Option<u8>,
    /// The name of the map [default: its kind and seed]
    #[arg(long)]
    name: Option<String>,
}

/// The rule for the number of columns and rows.
const SIDES: &str = "a map has 1 to 4096 columns and rows, in whole numbers";

impl GenerateArgs {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let Self { output, width, height, seed, kind, hills, name } = self;
        check_name(name.as_deref())?;
        let output = Output::new(&output, &["ron"], "the output is a map")?;
        let size = Size::new(width, height);
        let hills = hills.unwrap_or(kind.default_hills());
        let spec = MapSpec { kind, size, seed: seed.map_or_else(random_seed, Ok)?, hills, name };
        let progress = Progress::new();
        let generated = generate(&spec, &mut |now| {
            progress.stage(now.stage, Some(100));
            progress.set_position(now.percent.into());
        });
        let text = generated.map_err(|error| CliError::Message(error.to_string()))?;
        output.write(text.as_bytes())?;
        progress.stage("trying the eruption", None);
        let note = note_on_eruption(&text, size);
        drop(progress);
        if seed.is_none() {
            // Standard output may contain the map. If standard error is closed, the text of the map still contains the
            // seed.
            let _ = writeln!(io::stderr(), "seed {}", spec.seed);
        }
        if let Some(note) = note {
            tell("note", note);
        }
        Ok(ExitStatus::Success)
    }
}

/// A note for seeds whose eruption does not change the route. `None` for large maps, on which finding out would take
/// longer than generating the map.
fn note_on_eruption(text: &str, size: Size) -> Option<&'static str> {
    if size.area() > MAX_CELLS_TO_TRY {
        return None;
    }
    let mut map = Map::parse("the map", text, &Arc::new(Tileset::load(None).ok()?)).ok()?;
    let query = RouteQuery::new(map.start()?, map.castle()?);
    let mut planner = Planner::new();
    planner.prepare_passes(map.costs(), &query.options);
    let calm = planner.plan(map.costs(), &query).ok()?.cells().to_vec();
    if map.erupt_all().is_empty() {
        return Some("the map has no volcano, because there is no room for one");
    }
    let lowest = planner.plan(map.costs(), &query).ok()?.cost()?;
    let step_cost = |step: &[Cell]| query.options.rules.step_cost(map.costs(), step[0], step[1]);
    let is_same = calm.windows(2).filter_map(step_cost).sum::<RouteCost>() == lowest;
    is_same.then_some("the eruption does not change the route; with another seed it may")
}

/// A random seed of at most nine digits, which is easy to read out and type.
fn random_seed() -> Result<u64, CliError> {
    let number = SysRng.try_next_u64();
    number.map(|number| number % 1_000_000_000).map_err(|error| {
        CliError::Message(format!("the system provides no random seed: {error}; choose one with --seed"))
    })
}
