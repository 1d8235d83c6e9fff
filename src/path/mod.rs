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
//! | the cheapest way | [`Algorithm::Auto`], the default: exact, and the fastest here once [prepared](Planner::prepare): A* with landmarks |
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
//! `Auto` with tables keeps to the same rule, but its estimates are those of the tables. So of several cheapest ways a
//! planner that was prepared may choose another than one that was not, or whose tables were made before the grid
//! changed; what was called on which grid in which order decides it, the same on every machine.
//!
//! # How fast
//! Open lists, cell records and parts are kept between queries, and nothing is cleared; a warm [`Planner`] allocates
//! nothing. A query costs what it looks at, whatever the size of the map, but for the first on a grid, which labels the
//! connected parts; edits keep these up. A goal in another part is refused without a search.
//!
//! [`Planner::prepare`] makes tables for `Auto`: the distances of 31 cells far apart, alike in both directions. They
//! bound all other distances better than a straight line does, as they know of walls and terrain (A* with landmarks,
//! Goldberg and Harrelson 2005). A cell's distances are rounded to 16 bits, so that they fill one cache line and are
//! compared eight at a time. On game maps with terrain costs the search expands a sixth to a third of the cells that
//! plain A* does, and takes a quarter to two thirds of its time. Tables take as long to make as about forty searches
//! over the whole grid.
//!
//! Changes need no work in the tables: what became dearer leaves every bound true, and where cells became cheaper all
//! bounds give way by the most that any way can have saved, which is found by a look around these cells. After a large
//! saving, an eruption or a new way through a long wall, the bounds say too little, and `Auto` searches as A* does until
//! [`Planner::renew`] has made the first table anew: one at a call, in a fraction of the time of a preparation.
//!
//! What was tried in the plain search and lost: a binary heap alone (three to four times slower), buckets as wide as
//! the cheapest step (a tenth to a half slower, for all that they reopen) or a thirty-second of it (a few percent),
//! leaving out the two side steps after a straight one where a diagonal step before was as cheap (the test costs what it
//! saves). In the search with landmarks: sixteen with a table for each direction (a fifth to a quarter more cells
//! expanded than 31 with one for both), and bounds that give way by much after an eruption (up to five times slower than
//! plain A*, as nearly the whole map lies within what they give way).
//!
//! Not tried: tables of the costs between the border cells of square blocks. Whatever its size, a block's table has
//! about 16 entries for each cell, twice as many as a cell has steps, so that a search over tables looks at more than
//! one over cells unless most entries are pruned.

mod astar;
mod breadth_first;
mod buckets;
mod cost;
mod dijkstra;
mod field;
mod greedy;
mod heuristic;
mod landmarks;
mod nearest;
mod nodes;
mod observer;
mod open_list;
mod parts;
mod planner;
mod query;
mod savings;
mod steps;
mod union_find;
mod units;

pub use cost::{Change, CostGrid, MAX_SIDE, Snapshot};
pub use field::{Field, Way};
pub use observer::Observer;
pub use parts::Parts;
pub use planner::{Outcome, Planner, Route};
pub use query::{Algorithm, End, Heuristic, Options, Query, QueryError, Scale, UnknownName};
pub use steps::{Corners, Moves, step};
pub use units::{CostError, Diagonal, EntryCost, RouteCost, UNITS_PER_TILE};
