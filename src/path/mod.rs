//! Exact planning on weighted grids: which way from cell to cell costs the least.
//!
//! This module knows no engine, no map format and no terrain. It stands on [`grid`](crate::grid) alone.
//!
//! ```
//! use emberwalk::grid::{Cell, Size};
//! use emberwalk::path::{CostGrid, Diagonal, EntryCost, Planner, Query};
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
//! | the cheapest way | [`Algorithm::Auto`], the default: exact, and the fastest exact search that is known here |
//! | the same, by a search that can be watched and taught | [`Algorithm::AStar`] |
//! | a good way at once, on a large map | [`Algorithm::Weighted`]: at most `weight` times as dear as the cheapest |
//! | to see what A* spares | [`Algorithm::Dijkstra`], A* without a heuristic |
//! | some way, quickly | [`Algorithm::Greedy`]; no promise about its cost |
//! | the fewest steps, whatever they cost | [`Algorithm::BreadthFirst`] |
//! | the costs and ways from one cell to many, or from many to one | a [`Field`] |
//! | to know only whether there is a way | [`Parts`] |
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
//! # How fast
//! Open lists, cell records and parts are kept between queries, and nothing is cleared; a warm [`Planner`] allocates
//! nothing. A query costs what it looks at, whatever the size of the map, but for the first on a grid, which labels the
//! connected parts; edits keep these up. A goal in another part is refused without a search.
//!
//! What was tried in the plain search and lost: a binary heap alone (three to four times slower), buckets as wide as
//! the cheapest step (a tenth to a half slower, for all that they reopen) or a thirty-second of it (a few percent),
//! leaving out the two side steps after a straight one where a diagonal step before was as cheap (the test costs what it
//! saves).

mod astar;
mod breadth_first;
mod buckets;
mod cost;
mod dijkstra;
mod field;
mod greedy;
mod heuristic;
mod nearest;
mod nodes;
mod observer;
mod open_list;
mod parts;
mod planner;
mod query;
mod steps;
mod union_find;
mod units;

pub use cost::{Change, CostGrid, MAX_SIDE};
pub use field::{Field, Way};
pub use observer::Observer;
pub use parts::Parts;
pub use planner::{Outcome, Planner, Route};
pub use query::{Algorithm, End, Heuristic, Options, Query, QueryError, Scale, UnknownName};
pub use steps::{Corners, Moves, step};
pub use units::{CostError, Diagonal, EntryCost, RouteCost, UNITS_PER_TILE};
