//! The planning options, which several commands share.

use std::io::{Write, stderr};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, Corners, Heuristic, HeuristicScale, Moves, Options, QueryError, RouteQuery};

use super::error::CliError;
use super::input;

/// Options that choose a route on one of the game's maps, and the search for it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Planning")]
pub struct PlanningArgs {
    /// The first cell of the route; by default the tent, or the passable cell nearest the middle if there is no tent
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub from: Option<Cell>,
    /// The last cell of the route; by default the castle
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub to: Option<Cell>,
    /// Make every dormant volcano erupt
    #[arg(long, conflicts_with = "dormant")]
    pub erupting: bool,
    /// Make every erupting volcano dormant
    #[arg(long)]
    pub dormant: bool,
    #[command(flatten)]
    pub search: SearchArgs,
    /// A folder whose tileset.ron and PNG tiles replace the embedded ones
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,
}

/// Options of the search, for any kind of map.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Planning")]
pub struct SearchArgs {
    /// The number of directions in which steps are possible; 6 are the directions on hexagons
    #[arg(long, default_value_t, value_parser = parser_of_names(Moves::NAMES))]
    pub moves: Moves,
    /// How many of the two side cells of a diagonal step may be blocked: none, one, or both
    #[arg(long, default_value_t, value_parser = parser_of_names(Corners::NAMES))]
    pub corners: Corners,
    /// The search algorithm; auto is the fastest exact one
    #[arg(long, default_value_t, value_parser = parser_of_names(Algorithm::NAMES))]
    pub algorithm: Algorithm,
    /// The weight of `--algorithm weighted`: its routes cost at most W times the lowest possible cost
    #[arg(long, value_name = "W", default_value_t = Algorithm::DEFAULT_WEIGHT, allow_hyphen_values = true,
        value_parser = parse_weight)]
    pub weight: f64,
    /// The estimate of the cost from a cell to the goal; by default hex with 6 moves, else octile
    #[arg(long, value_parser = parser_of_names(Heuristic::NAMES))]
    pub heuristic: Option<Heuristic>,
    /// The cost of a step in the estimate: exact is the lowest entry cost on the map, classic is 1
    #[arg(long, default_value_t, value_parser = parser_of_names(HeuristicScale::NAMES))]
    pub scale: HeuristicScale,
}

impl SearchArgs {
    /// The planner's options.
    pub fn options(&self) -> Options {
        self.options_with(self.algorithm)
    }

    /// The planner's options, with another algorithm.
    pub fn options_with(&self, algorithm: Algorithm) -> Options {
        let algorithm = match algorithm {
            Algorithm::Weighted { .. } => self.weighted(),
            other => other,
        };
        let Self { moves, corners, heuristic, scale, .. } = *self;
        Options::new()
            .with_moves(moves)
            .with_corners(corners)
            .with_algorithm(algorithm)
            .with_heuristic(heuristic)
            .with_scale(scale)
    }

    /// Weighted A* with the weight of the options, regardless of their algorithm.
    pub fn weighted(&self) -> Algorithm {
        Algorithm::Weighted { weight: self.weight }
    }
}

impl PlanningArgs {
    /// Loads the tileset of `--assets`, or the embedded tileset.
    pub fn load_tileset(&self) -> Result<Arc<Tileset>, CliError> {
        Ok(Arc::new(Tileset::load(self.assets.as_deref())?))
    }

    /// Loads the map, and makes its volcanoes erupt or dormant if an option asks for it.
    pub fn load_map(&self, path: &Path, tileset: &Arc<Tileset>) -> Result<Map, CliError> {
        let mut map = input::load_map(path, tileset)?;
        if self.erupting {
            map.erupt_all();
        } else if self.dormant {
            map.calm_all();
        }
        Ok(map)
    }

    /// The planner's options.
    pub fn options(&self) -> Options {
        self.search.options()
    }

    /// The query for the planner, with the map's start and goal where an option is missing.
    pub fn query(&self, map: &Map) -> Result<RouteQuery, CliError> {
        let no_start = || input::map_error(map, "there is no start, because all cells are impassable");
        let from = self.from.or_else(|| map.start()).ok_or_else(no_start)?;
        Ok(RouteQuery::new(from, self.goal(map)?).with_options(self.options()))
    }

    /// The goal in the options, or else the map's goal.
    pub fn goal(&self, map: &Map) -> Result<Cell, CliError> {
        let reason = "there is no goal, because the map has no castle: choose one with --to X,Y";
        self.to.or(map.castle()).ok_or_else(|| input::map_error(map, reason))
    }
}

fn parse_weight(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| match text.replacen(',', ".", 1).parse::<f64>() {
        Ok(number) if text.contains(',') => format!("a fraction is written with a point: {number:?}"),
        _ => "a weight is a number of at least 1, such as 1.5".into(),
    })
}

/// Reports on standard error that a query has no route. If standard error is closed, the exit status still shows it.
pub fn tell_no_route(map: &Map, RouteQuery { from, to, .. }: &RouteQuery) {
    let _ = writeln!(stderr(), "{}: there is no route from {from} to {to}", input::printable_name(map));
}

/// Explains what is wrong with a query on this map.
pub fn query_error(map: &Map) -> impl Fn(QueryError) -> CliError + '_ {
    move |error| CliError::Message(map.explain_query_error(error))
}

/// A parser that accepts these names, and lists them in the help.
pub fn parser_of_names<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names.iter().map(|(name, _)| *name))
        .map(move |name| names.iter().find(|(known, _)| *known == name).expect("the name is a possible value").1)
}

/// A parser for a number in a range. `rule` is the error for everything else.
pub fn number_in<T: FromStr + PartialOrd + Clone>(
    range: RangeInclusive<T>,
    rule: impl ToString + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| rule.to_string())
}
