#![doc = include_str!("../README.md")]
//!
//! ## Terms
//! A **step** goes to one of the eight neighbours of a cell, to one of four, or to one of the six of a hexagon
//! ([`Moves`]). A corner rule decides how a diagonal step may pass blocked cells ([`Corners`]). A step costs the
//! **entry cost** of the cell that it enters ([`EntryCost`]); with eight moves a diagonal step costs [`Diagonal`] times
//! as much. A route therefore differs in cost from its reverse, and the entry cost of the start is never paid.
//!
//! A grid may have [`Level`]s. A step between two levels **climbs**: the [`ClimbRule`] decides how much more it costs,
//! and when it is impossible because of a **cliff**, or of a **ledge** that leads only down or only up. See [`CostGrid`] for
//! an example. On a flat grid this costs neither memory nor time.
//!
//! All costs are whole units; one tile is [`UNITS_PER_TILE`] units. Sums do not depend on their order, and equal costs
//! are equal. An entry cost is rounded when it is made, and the cost of a diagonal step or a climb once more: the entry
//! cost times the diagonal ratio times the climb, to a whole unit and then to thirteen significant binary digits.
//!
//! ## Ties between routes
//! All algorithms but [`Algorithm::Auto`] give the same route for the same grid and query, on every machine and
//! whatever the planner did before. Costs are whole numbers, and floating-point numbers are used only in operations of
//! which IEEE 754 defines every bit. The rules:
//!
//! - Successors are visited clockwise from north. A cell keeps the first route that reaches it at its lowest cost.
//! - The open list of the exact searches consists of buckets. The width of a bucket is a power of two units, at most an
//!   eighth of the lowest entry cost. It is larger, up to that cost, if costs are far apart and for Dijkstra. A bucket
//!   returns its cells last in, first out, which prefers cells near the goal.
//! - If costs are too far apart for buckets, for weighted A*, and if a heuristic is not consistent, the open list is a
//!   heap. It returns the smallest f first, then the smallest h (in steps of 1/16 tile), then the last cell by row and
//!   column.
//! - Of cells with the same h, greedy search returns the last opened one. Breadth-first search returns the first opened
//!   one.
//!
//! On flat grids of 128 x 128 cells and more, plain A* without an observer leaves out needless turns; with an observer
//! it is the textbook algorithm, and may find a different one of several cheapest routes.
//!
//! `Auto` visits other cells in another order, so it may find yet another one. Which one depends on the grid and its
//! changes, on the query, and on the prepared tables, but not on earlier queries.
//!
//! With [`Ties::Canonical`] all exact algorithms find the same route, which depends on the costs, the levels and the
//! query alone.
//!
//! ## Speed and memory
//! A [`Planner`] keeps its open lists, its records of cells and the connected components between queries, and clears
//! none of them. After the first queries it allocates nothing, unless a list outgrows both its largest size so far and
//! an eighth of the cells. The time of a query depends on the cells that it visits, not on the size of the map. Only
//! the first query on a grid reads every cell, to label the connected components and to find the jump points; edits
//! update them, and only rarely need all cells again. If the goal is in another component than the start, no search is
//! run.
//!
//! A query needs 4 bytes per cell for the components, 16 for the jump points, and for its search 8 bytes per cell, 8
//! more for plain A* or with jump points, and about 5 for each cell that is on the open list at the same time.
//!
//! [`Planner::prepare`] computes two things for `Auto`. Together they take 82 bytes per cell, and the time of about
//! twenty searches over the whole grid, divided by two threads; while it runs, 24 to 40 bytes per cell more.
//! [`Planner::set_max_prepared_bytes`] limits this memory, and [`Planner::advance_preparation`] makes them in slices.
//!
//! - **Landmark tables** with the distances of 31 cells that are far apart (ALT, also known as a differential
//!   heuristic; Goldberg and Harrelson 2005). They give tighter lower bounds than the octile distance, because they
//!   know about walls and terrain. One table serves both directions. On a grid with levels each of 15 cells has a table
//!   for either direction, because going up costs more than going down the same route. A distance takes two bytes and
//!   is exact almost everywhere, which matters: where many routes have the same cost, bounds that are a thousandth of a
//!   tile too low make a search expand all of them.
//! - **Jump points**, for eight moves and [`Corners::Never`]: the cells at which a cheapest route may have to turn, at
//!   the ends of walls, and where costs or levels differ (Harabor and Grastien 2011; Carlson et al. 2023 for weighted
//!   grids). The search skips all other cells. [`Planner::prepare_passes`] makes them alone, in O(cells) and 16 bytes
//!   per cell, with levels 8 more for each cell on a slope.
//!
//! On game maps with terrain costs such a search expands a fiftieth to a thousandth of the cells that plain A* expands.
//! A planner that is not prepared computes the jump points in its first query, on grids up to about 2560 x 2560 cells.
//!
//! They do not pay off everywhere: not if every cell has a different cost, nor on a map of 10 x 10 cells. So `Auto`
//! uses no tables on grids of less than 1024 cells. If a search over jump points would have to stop at eleven
//! sixteenths of the passable cells or more, `Auto` uses them only with landmarks. If it would have to stop at nearly
//! all cells, `Auto` uses both only if the landmark bound at the start is better than the distance by an eighth.
//!
//! ## When the grid changes
//! Cost increases leave every lower bound valid. For cost decreases, and where levels change, `Auto` adds bounds for
//! the routes through the regions that became cheaper, so that only routes near an eruption, say, have weaker bounds.
//! [`Planner::refresh`] computes outdated tables again when there is time, one per call. After decreases in more than
//! eight places, the next query updates the tables: it repairs them where they changed, or computes them again where
//! that is faster. That takes about as long as new tables at most, and [`Planner::advance_preparation`] does it in
//! slices.
//!
//! Without landmarks, `Auto` treats the octile distance in the same way: it counts each step at the lowest cost of all
//! but a few cells, and bounds the routes through these few cheaper cells separately. Otherwise a single very cheap
//! cell would weaken the heuristic on the whole map.
//!
//! A [`Replanner`] keeps its last route, and returns it again without a search as long as it is certain to be the
//! cheapest. That takes about a microsecond. It also keeps the answer that there is no route.
//!
//! ## When it is known what will change
//! [`Planner::plan_ahead`] finds the earliest arrival on an [`Outlook`](ahead::Outlook): a grid, and what will change on
//! it. The module [`ahead`] has the rules and the guarantees.
//!
//! ## Watching a search
//! A [`SearchObserver`](trace::SearchObserver) receives an event for every cell that is opened or
//! closed. A [`Recording`](trace::Recording) stores these events, and shows the search at any position immediately.
//!
//! ## Features
//! - `glam`: conversions between [`Cell`](grid::Cell) and `glam`'s `IVec2`, and between [`Size`](grid::Size) and
//!   `UVec2`, in the version of `glam` that Bevy 0.19 uses.
//! - `rayon`: [`Planner::plan_all`] uses all cores.
//! - `reflect`: `Reflect` of `bevy_reflect` for the value types, in the version of Bevy 0.19, and a function
//!   `reflect::register_types`.
//! - `serde`: `Serialize` and `Deserialize` for cells, sizes, directions, costs, times, options, queries and routes. The
//!   values of an option are written as the names that [`FromStr`](std::str::FromStr) parses.

#![forbid(unsafe_code)]

pub mod ahead;
mod bounds;
mod budget;
mod canonical;
mod clock;
mod components;
mod cost;
mod field;
pub mod grid;
pub mod hash;
#[doc(hidden)]
pub mod internal;
pub mod kinds;
mod limits;
mod multi_query;
mod names;
mod nearest_reachable;
mod options;
mod planner;
mod query;
#[cfg(feature = "reflect")]
pub mod reflect;
mod replanner;
mod route;
#[cfg(feature = "serde")]
mod saved;
mod search;
mod step_rules;
pub mod time;
pub mod trace;

pub use components::Components;
pub use cost::{
    CellChange, ClimbRule, CostError, CostGrid, Diagonal, EntryCost, Level, Link, RouteCost, Stamp, UNITS_PER_TILE,
};
pub use field::{Field, FieldDirection, FieldQuery};
pub use grid::MAX_SIDE;
pub use limits::{LimitKind, Limits};
pub use multi_query::MultiQuery;
pub use names::UnknownName;
pub use options::{Algorithm, Heuristic, HeuristicScale, Options, Ties};
pub use planner::{Breach, OwnedSearchResult, Planner, PlannerTables, RouteSearch};
pub use query::{Endpoint, QueryError, RouteQuery};
#[cfg(feature = "serde")]
pub use replanner::KnownAnswer;
pub use replanner::Replanner;
pub use route::{Route, RouteRef, SearchResult};
pub use step_rules::{Corners, Moves, StepRules};
