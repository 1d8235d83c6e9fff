//! The planning options, which several commands share.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use emberwalk::grid::Cell;
use emberwalk::map::Map;
use emberwalk::path::{Algorithm, Corners, Heuristic, Moves, Options, Query, Scale};
use emberwalk::terrain::Tileset;

use super::failure::Failure;
use super::io;

/// Which way, and how it is searched for.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Planning")]
pub struct Planning {
    /// The first cell of the route; the tent if not given, or without one the passable cell nearest the middle
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub from: Option<Cell>,
    /// The last cell of the route; the castle if not given
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub to: Option<Cell>,
    /// Every dormant volcano erupts
    #[arg(long, conflicts_with = "dormant")]
    pub erupting: bool,
    /// Every erupting volcano is calm
    #[arg(long)]
    pub dormant: bool,
    #[command(flatten)]
    searching: Searching,
    /// A folder whose tileset.ron and PNG tiles replace those of the program
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,
}

/// How a route is searched for, on whatever map.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Planning")]
pub struct Searching {
    /// Ways to step from a cell
    #[arg(long, default_value_t, value_parser = named(Moves::NAMES))]
    pub moves: Moves,
    /// Blocked cells that a diagonal step may pass beside: none, one of the two, or both
    #[arg(long, default_value_t, value_parser = named(Corners::NAMES))]
    pub corners: Corners,
    /// How the route is searched for
    #[arg(long, default_value_t, value_parser = named(Algorithm::NAMES))]
    pub algorithm: Algorithm,
    /// Of the weighted algorithm: the cost is at most W times the least
    #[arg(long, value_name = "W", default_value_t = Algorithm::DEFAULT_WEIGHT, allow_hyphen_values = true)]
    pub weight: f64,
    /// The estimate of the cost to the goal
    #[arg(long, default_value_t, value_parser = named(Heuristic::NAMES))]
    pub heuristic: Heuristic,
    /// What a step counts in the estimate: the least cost on the map, or 1 as in the articles
    #[arg(long, default_value_t, value_parser = named(Scale::NAMES))]
    pub scale: Scale,
}

impl Searching {
    /// How to search.
    pub fn options(&self) -> Options {
        let algorithm = match self.algorithm {
            Algorithm::Weighted { .. } => Algorithm::Weighted { weight: self.weight },
            other => other,
        };
        let Self { moves, corners, heuristic, scale, .. } = *self;
        Options { moves, corners, algorithm, heuristic, scale }
    }
}

impl Planning {
    /// The tileset that `--assets` asks for.
    pub fn tileset(&self) -> Result<Arc<Tileset>, Failure> {
        Ok(Arc::new(Tileset::load(self.assets.as_deref())?))
    }

    /// The map, with its volcanoes as they are asked for.
    pub fn map(&self, path: &Path, tileset: &Arc<Tileset>) -> Result<Map, Failure> {
        let mut map = io::map(path, tileset)?;
        if self.erupting {
            map.erupt_all();
        } else if self.dormant {
            map.calm_all();
        }
        Ok(map)
    }

    /// How to search.
    pub fn options(&self) -> Options {
        self.searching.options()
    }

    /// What to ask of the planner.
    pub fn query(&self, map: &Map) -> Result<Query, Failure> {
        let missing = |what: &str| Failure::Message(format!("{}: {what}", io::name(map)));
        let from = self.from.or_else(|| map.start());
        let from = from.ok_or_else(|| missing("no cell can be entered, so there is no start"))?;
        let to = self.to.or(map.castle());
        let to = to.ok_or_else(|| missing("no goal: the map has no castle, so say where to with --to X,Y"))?;
        Ok(Query::new(from, to).with(self.options()))
    }
}

/// Takes one of the names, which `--help` then lists.
fn named<T>(names: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static> + Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(names.iter().map(|(name, _)| *name)).try_map(|name| name.parse::<T>())
}
