//! Exact planning on weighted grids: which way from cell to cell costs the least.
//!
//! It knows no engine, no map format and no terrain.
//!
//! ```
//! use emberwalk_path::grid::{Cell, Size};
//! use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Query};
//!
//! // Grass, with a road along the south.
//! let (grass, road) = (EntryCost::TILE, EntryCost::from_tiles(0.5)?);
//! let mut grid = CostGrid::from_fn(Size::new(12, 4), Diagonal::GAME, |cell| {
//!     Some(if cell.y == 3 { road } else { grass })
//! })?;
//!
//! let mut planner = Planner::new();
//! let query = Query::new(Cell::new(0, 1), Cell::new(11, 1));
//! let outcome = planner.plan(&grid, &query)?;
//! assert!(outcome.cells().contains(&Cell::new(5, 3)), "the road pays for its detour");
//! let before = outcome.cost().unwrap();
//!
//! // A wall across the road: the planner notices by itself.
//! grid.set(Cell::new(5, 3), None);
//! let outcome = planner.plan(&grid, &query)?;
//! assert!(outcome.cost().unwrap() > before);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Terms
//! A step goes to one of the eight neighbours, or of four ([`Moves`]), past blocked cells as the corner rule allows
//! ([`Corners`]). It costs what the cell costs that is **entered** ([`EntryCost`]), a diagonal one [`Diagonal`] times
//! as much. So a way and its reverse differ in cost, and the cost of the start is never paid. All costs are whole
//! units, [`UNITS_PER_TILE`] to a tile of grass: sums do not depend on their order, and equal costs are equal.
//!
//! # Which algorithm to take
//!
//! | you want | take |
//! |---|---|
//! | the cheapest way | [`Algorithm::Auto`], the default: exact, and the fastest here once [prepared](Planner::prepare): A* over jump points, with landmarks |
//! | the same, by a search that can be watched and taught | [`Algorithm::AStar`] |
//! | a good way at once, on a large map | [`Algorithm::Weighted`]: at most `weight` times as dear as the cheapest |
//! | to see what A* spares | [`Algorithm::Dijkstra`], A* without a heuristic |
//! | some way, quickly | [`Algorithm::Greedy`]; no promise about its cost |
//! | the fewest steps, whatever they cost | [`Algorithm::BreadthFirst`] |
//! | the same way again, after a step or a change | a [`Replanner`] with `Auto` |
//! | the costs and ways from one cell to many, or from many to one | a [`Field`] |
//! | to know only whether there is a way | [`Components`] |
//!
//! The octile [`Heuristic`] is the best of the admissible ones with eight moves, and Manhattan with four; the others
//! are here to compare. Which combinations guarantee the least cost is told by [`Options::optimal`].
//!
//! # Which of several cheapest ways
//! The same grid and query give the same route, on every machine and whatever the planner did before: cells are
//! compared as whole numbers, and the one float, a square root, is the same everywhere. The rule: successors are
//! looked at north, north-east and so on clockwise, and a cell keeps the first way that reaches it at its cost. The
//! open list of the exact searches holds buckets, an eighth of the cheapest entry cost wide (Dijkstra's: as wide as
//! it), and gives the first bucket's cells last in, first out, which prefers what is near the goal. Where costs are
//! too far apart for buckets, for weighted A* and where a heuristic is not consistent it gives the smallest sum, then
//! the smallest estimate (to 1/16 tile), then the last by row and column.
//!
//! `Auto` with tables looks at other cells, in another order, and its estimates are those of the tables. So of several
//! cheapest ways a planner that was prepared may choose another than one that was not, or whose tables were made before
//! the grid changed; what was called on which grid in which order decides it, the same on every machine.
//!
//! # How fast
//! Open lists, cell records and parts are kept between queries, and nothing is cleared; a warm [`Planner`] allocates
//! nothing, but where a list has to be longer than ever before and than an eighth of the cells. A query costs what it looks at, whatever the size of the map, but for the first on a grid, which labels the
//! connected parts; edits keep these up. A goal in another part is refused without a search.
//!
//! [`Planner::prepare`] makes two things for `Auto`, together 63 bytes a cell, in the time of some thirty to forty searches
//! over the whole grid:
//!
//! - Tables with the distances of 27 cells far apart, alike in both directions. They bound all other distances better
//!   than a straight line does, as they know of walls and terrain (A* with landmarks, Goldberg and Harrelson 2005). Two
//!   bytes hold a distance, as each block of 8 x 8 cells has its own zero; nearly all are exact, and that matters: where
//!   many ways cost the same, bounds that are too low by a thousandth of a tile make a search look at all of them, and
//!   exact ones at one. Costs have thirteen binary digits for the sake of that.
//! - Jump points, for eight moves past no corner: the cells at which a cheapest way may have to turn, beside the end of a
//!   wall and where the costs differ. The search passes over all others, a machine word of a row or column at once. A
//!   diagonal run goes on only as long as the bounds say that it is on a cheapest way, and waits on the open list else.
//!
//! On game maps with terrain costs such a search expands a fiftieth to a thousandth of the cells that plain A* does. Where more than
//! three quarters of the cells are jump points, as where each cell costs something else, it looks at neighbours instead;
//! there the tables help less, and a single query may take longer than by plain A*.
//!
//! # After a change
//! What became dearer leaves every bound true. Where cells became cheaper `Auto` keeps its bounds and adds others: a
//! way that takes none of the new steps costs what the tables say, and any other first comes to one of the places that
//! became cheaper, and goes on from there. So only ways near an eruption give way by it, and [`Planner::renew`] makes the
//! tables anew when there is time, one at a call. Without tables, or where these say less, `Auto` does the same with the
//! octile distance: it counts at the cost that all but a few cells have at least, and goes by these few for nothing, as
//! one cell ten times as cheap as the others would else make the distance say ten times less.
//!
//! A [`Replanner`] keeps its last answer, and gives it again without a search as long as it is certain that it is the
//! cheapest: a microsecond instead of hundreds.
//!
//! # Design
//! `docs/design.md` in the repository explains the methods, with their sources, and lists what was tried and lost.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod bounds;
mod components;
mod cost;
mod field;
pub mod grid;
mod names;
mod nearest_reachable;
mod observer;
mod options;
mod planner;
mod query;
mod replanner;
mod route;
mod search;
mod step_rules;

pub use components::Components;
pub use cost::{Change, CostError, CostGrid, Diagonal, EntryCost, MAX_SIDE, RouteCost, Snapshot, UNITS_PER_TILE};
pub use field::{Field, FieldDirection, FieldQuery};
pub use names::UnknownName;
pub use observer::{Closed, Observer, Opened};
pub use options::{Algorithm, Heuristic, Options, Scale};
pub use planner::Planner;
pub use query::{Endpoint, Query, QueryError};
pub use replanner::Replanner;
pub use route::{Route, RouteRef, SearchResult};
pub use step_rules::{Corners, Moves, StepRules, step};
