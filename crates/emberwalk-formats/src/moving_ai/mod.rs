//! Parses maps and scenarios of the Moving AI benchmark sets, for use as cost grids and queries.
//!
//! The format is described by N. R. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on Computational
//! Intelligence and AI in Games, 2012. Lines may end in LF, CRLF or CR, empty lines are ignored, and fields are separated
//! by spaces or tabs.
//!
//! ```
//! use emberwalk_formats::moving_ai::{OctileMap, Scenario, TerrainCosts};
//! use emberwalk_path::{Diagonal, Planner, RouteQuery};
//! let map = OctileMap::parse("pond.map", "type octile\nheight 2\nwidth 4\nmap\n.WW.\n....\n")?;
//! let scenario = Scenario::parse("pond.map.scen", "version 1\n0 pond.map 4 2 0 0 3 0 5\n", map.size())?;
//! let grid = map.cost_grid(&TerrainCosts::default(), Diagonal::SQRT_2);
//!
//! let mut planner = Planner::new();
//! for problem in scenario.problems() {
//!     let result = planner.plan(&grid, &RouteQuery::new(problem.from, problem.to))?;
//!     assert_eq!(result.cost().unwrap().tiles(), problem.length);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::foreign_file::{ForeignFile, refuse_other_files};
use emberwalk_map::diagnostics::{Diagnostics, text_lines};

mod costs;
mod map;
mod scenario;

pub use costs::{TerrainCosts, TerrainCostsError};
pub use map::OctileMap;
pub use scenario::{BenchmarkProblem, Scenario};

/// Refuses the text of a file that is neither a map nor a scenario of these sets, if it is known what else it is. What
/// looks like a text map may be a map without its header.
fn refuse_other_programs(file: &str, source: &str, expected: &str, help: &str) -> Result<(), Diagnostics> {
    use ForeignFile::{MovingAiMap, MovingAiScenario, OtherMovingAiMap, TextMap};
    match ForeignFile::of_text(source) {
        Some(MovingAiMap | OtherMovingAiMap | MovingAiScenario | TextMap) => Ok(()),
        _ => refuse_other_files(file, source, expected, help),
    }
}

/// The lines of a text that are not empty, without white space at their ends, and their numbers from 1.
fn non_empty_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text_lines(source).map(str::trim)).filter(|(_, line)| !line.is_empty())
}
