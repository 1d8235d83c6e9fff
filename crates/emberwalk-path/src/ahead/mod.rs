//! Routes with announced changes: gates with opening hours, tides, patrols, an eruption.
//!
//! [`Planner::plan`](crate::Planner::plan) sees a grid as it is now. [`Planner::plan_ahead`](crate::Planner::plan_ahead)
//! also knows what will change: a [`Forecast`] says when which cell gets another cost or is closed, once or again and
//! again, and an [`Outlook`] is a grid with its forecast. The answer is the **earliest arrival**, and it says where the
//! route waits.
//!
//! ```
//! use emberwalk_path::ahead::{Forecast, Outlook};
//! use emberwalk_path::grid::{Cell, Size};
//! use emberwalk_path::{CostGrid, Planner, RouteCost, RouteQuery};
//! let tiles = |tiles| RouteCost::from_tiles(tiles).unwrap();
//! let mut forecast = Forecast::new();
//! // A gate in a corridor opens after 10 tiles of walking.
//! forecast.close(Cell::new(4, 0), RouteCost::ZERO..tiles(10.0));
//! let outlook = Outlook::new(CostGrid::open(Size::new(9, 1))?).with_forecast(forecast);
//! let mut planner = Planner::new();
//! let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0));
//! let result = planner.plan_ahead(&outlook, &query, RouteCost::ZERO)?;
//! assert_eq!(result.arrival(), Some(tiles(15.0)));
//! let waiting = result.stops().iter().find(|stop| stop.wait() > RouteCost::ZERO).unwrap();
//! assert_eq!((waiting.cell, waiting.wait()), (Cell::new(3, 0), tiles(7.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Time
//! The time of a step is its cost, so **times are costs**, too: a [`RouteCost`](crate::RouteCost) of one tile is the
//! time in which a tile of cost is walked. All times of a forecast, the departure and the answer are on one clock,
//! which the caller chooses; it begins at 0. [`Pace::cost_in`](crate::time::Pace::cost_in) and
//! [`Pace::time_of`](crate::time::Pace::time_of) convert from and to seconds, and [`Outlook::with_pace`] adds the
//! shortest and the longest time of a step that a pace has. Times are whole units, and the answer is exact in them.
//! Walkers that use [`CrowdTime`](crate::time::CrowdTime) may be off by up to 2/65536 s per step, because it is
//! rounded.
//!
//! # Rules
//! These are the rules by which [`Walker`](crate::time::Walker)s move, except that no planned route ever turns round in
//! the middle of a step:
//!
//! - A step takes as long as the cell that it enters costs, with the diagonal ratio and the climb. If that cost changes
//!   during the step, the part that is done stays done, and the rest takes as long as it would at the new cost.
//! - A change is in effect from its time on. A step lasts from its start until just before its end.
//! - When a step starts, the cell that it leaves is passable, and the corner rule allows it to pass between the cells
//!   beside it. What happens to these cells later does not matter: a gate that closes behind an agent does not hold it
//!   back.
//! - The cell that a step enters is passable from the start of the step to its end, both included.
//! - An agent may wait in a cell as long as the cell is passable.
//! - A [link](crate::CostGrid::add_link) is a step, too. Its time is its cost, even if the costs of its ends change. It
//!   passes no corners. The cell that it leads to is passable all the time, as by any other step.
//!
//! # Guarantees
//! The answer is exact: no route arrives earlier, and if there is none, no waiting helps. The search is A\* over pairs of
//! a cell and an interval of time in which it stays passable (safe-interval path planning; Phillips and Likhachev, "SIPP:
//! Safe Interval Path Planning for Dynamic Environments", ICRA 2011). That is exact because steps are first in, first
//! out: a step that starts later never ends earlier. So an agent that enters a cell early in such an interval can do
//! everything that a later agent can do. The lower bounds are for [a grid](Outlook::lowest) on which each cell has
//! the lowest cost that it ever has.
//!
//! With periods, the search ends, too: everything repeats after the least common multiple of the periods. An agent in a
//! cell with no more time left than at the same time of an earlier repetition cannot get anywhere new. If that multiple
//! is so long that the search has more than 2^20 pairs of a cell and an interval, and four more for each cell of the
//! grid, it gives up, and [`stopped_by`](AheadResult::stopped_by) says so.

mod forecast;
mod hours;
mod outlook;
mod result;
pub(crate) mod search;
pub(crate) mod timed_steps;
pub(crate) mod timeline;
mod timelines;

pub use forecast::Forecast;
pub use hours::Hours;
pub use outlook::Outlook;
pub use result::{AheadResult, Stop};
