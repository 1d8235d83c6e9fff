//! Kinds and sizes of agents: one class of terrain per cell, a table of costs per kind, and a cost grid for each kind,
//! which follows every edit.
//!
//! Boats enter only water, cavalry avoids forests, and roads help carts most. A [`ClassGrid`] has one byte per cell,
//! its class of terrain, and each [`AgentKind`] has a table with the cost of each class. From these it derives a
//! [`CostGrid`](crate::CostGrid) for each kind, and keeps all of them up to date. They are ordinary grids: every
//! search, field, replanner and component works on them.
//!
//! ```
//! use emberwalk_path::grid::{Cell, Size};
//! use emberwalk_path::kinds::{AgentKind, ClassGrid};
//! use emberwalk_path::{Diagonal, EntryCost, Planner, RouteQuery};
//!
//! const LAND: u8 = 0;
//! const WATER: u8 = 1;
//! const FOREST: u8 = 2;
//! let (tile, two) = (Some(EntryCost::TILE), Some(EntryCost::from_tiles(2.0)?));
//! let kinds = [
//!     AgentKind::new().with_cost(WATER, tile),
//!     AgentKind::new().with_cost(LAND, tile).with_cost(FOREST, two),
//!     AgentKind::new().with_cost(LAND, tile),
//! ];
//! let [soldier, horse] = [1, 2];
//! let class = |cell: Cell| if cell.y == 0 { WATER } else if cell.x == 4 { FOREST } else { LAND };
//! let mut classes = ClassGrid::from_fn(Size::new(9, 4), Diagonal::GAME, kinds, class)?;
//!
//! // A planner for each kind: a planner that serves two grids in turn has to start over each time.
//! let mut planners = [(); 3].map(|()| Planner::new());
//! let across = RouteQuery::new(Cell::new(0, 2), Cell::new(8, 2));
//! assert!(planners[soldier].plan(&classes.grids()[soldier], &across)?.found());
//! assert!(!planners[horse].plan(&classes.grids()[horse], &across)?.found());
//!
//! // One edit, and all kinds follow.
//! classes.set(Cell::new(4, 2), LAND);
//! assert!(planners[horse].plan(&classes.grids()[horse], &across)?.found());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Agents of several cells
//! An agent may take up a square of [`side`](AgentKind::side) x `side` cells, its **place**. In all queries and routes
//! the agent is where the north-western cell of its place is. The grid of its kind has the places as its cells:
//!
//! - A place is passable if all its cells are on the map and passable, and if their levels differ by at most the number
//!   of levels that a step may climb or descend. So an agent never enters a gap that is narrower than itself.
//! - Its entry cost is the entry cost of its most expensive cell.
//! - Its level is the level of its highest cell, so a large agent climbs as soon as its front does.
//! - Steps lead from place to place by the same rules as from cell to cell: a step costs the entry cost of the new
//!   place, times the diagonal ratio and the climb. The corner rule applies to places, too: with
//!   [`Corners::Never`](crate::Corners::Never), a diagonal step is possible only if both places beside it are passable.

mod agent_kind;
mod class_grid;

pub use agent_kind::AgentKind;
pub use class_grid::ClassGrid;
