//! The answer to a query with announced changes.

use crate::grid::Cell;
use crate::{LimitKind, RouteCost};

/// A cell of a route with its times, see [time](super#time).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stop {
    /// The cell.
    pub cell: Cell,
    /// When the step into it ends; at the start, the departure.
    pub arrival: RouteCost,
    /// When the step out of it starts; at the goal, the arrival.
    pub departure: RouteCost,
}

impl Stop {
    /// How long the route waits in the cell.
    ///
    /// ```
    /// use emberwalk_path::RouteCost;
    /// use emberwalk_path::ahead::Stop;
    /// use emberwalk_path::grid::Cell;
    /// let [arrival, departure] = [3, 5].map(RouteCost::from_units);
    /// assert_eq!(Stop { cell: Cell::new(0, 0), arrival, departure }.wait().units(), 2);
    /// ```
    pub fn wait(&self) -> RouteCost {
        self.departure - self.arrival
    }
}

/// The answer of [`Planner::plan_ahead`](crate::Planner::plan_ahead).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AheadResult<'a> {
    /// The cells of the route from start to goal, both included, with their times; `None` if the goal is unreachable, or
    /// because of a limit. Each cell is a neighbour of the previous one, or linked with it; a cell can occur twice, if the
    /// route leaves it for a while to let another agent pass.
    pub route: Option<&'a [Stop]>,
    /// The limit that prevented a route; `None` if there is a route, or if the goal is unreachable.
    pub stopped_by: Option<LimitKind>,
    /// The number of expansions.
    pub expanded: u64,
}

impl<'a> AheadResult<'a> {
    /// Whether there is a route.
    pub fn found(&self) -> bool {
        self.route.is_some()
    }

    /// Whether the answer is proved: no route arrives earlier, or none arrives within the limits of time and steps. It is
    /// not if the search was [stopped](Self::stopped_by) after a number of expansions.
    pub fn is_proved(&self) -> bool {
        self.stopped_by != Some(LimitKind::Expansions)
    }

    /// The cells of the route with their times; empty without a route.
    pub fn stops(&self) -> &'a [Stop] {
        self.route.unwrap_or_default()
    }

    /// The cells of the route; none without a route.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + 'a {
        self.stops().iter().map(|stop| stop.cell)
    }

    /// When the route arrives.
    pub fn arrival(&self) -> Option<RouteCost> {
        self.stops().last().map(|stop| stop.arrival)
    }

    /// How long the route takes from the departure to the arrival, with its waits.
    pub fn duration(&self) -> Option<RouteCost> {
        Some(self.arrival()? - self.stops().first()?.arrival)
    }

    /// How long the route waits in all.
    pub fn waits(&self) -> RouteCost {
        self.stops().iter().map(Stop::wait).sum()
    }
}
