//! The route of an agent.

use bevy_ecs::change_detection::Mut;
use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, Route, RouteCost, RouteRef, SearchResult, StepRules};

/// Where a route leads.
///
/// ```
/// use bevy_emberwalk::{NavRoute, Reach};
/// assert_eq!(NavRoute::default().reach(), Reach::Nowhere);
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Default, Clone, Debug, PartialEq)]
pub enum Reach {
    /// Nowhere: there is no goal, no route leads there, or none is planned yet.
    #[default]
    Nowhere,
    /// To the goal.
    Goal,
    /// To the reachable cell that is nearest to the goal, which is unreachable.
    Nearest,
}

impl Reach {
    /// Where the route of an answer leads, or its partial route.
    pub(crate) fn of(result: &SearchResult) -> Self {
        match result {
            SearchResult { route: Some(_), .. } => Self::Goal,
            SearchResult { partial: Some(_), .. } => Self::Nearest,
            _ => Self::Nowhere,
        }
    }
}

/// The route of an agent that is not [`Solid`](crate::Solid), from where it was planned to its end. Written by the plugin.
/// It counts as changed when it is planned again, not when the agent takes a step. It stays until another one is known, also
/// after another goal was set.
///
/// Solid agents have none: their ways depend on each other. See [`Nav::remaining`](crate::Nav::remaining).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn show(routes: Query<&NavRoute, Changed<NavRoute>>) {
///     for route in &routes {
///         println!("{} steps ahead, {} tiles in all", route.ahead().len().saturating_sub(1), route.cost().tiles());
///     }
/// }
/// # let _ = show;
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavRoute {
    route: Route,
    reach: Reach,
    /// The index of the cell in which the agent stands, or which it enters, and the cost of the steps from there.
    index: usize,
    cost_ahead: RouteCost,
    is_planning: bool,
    /// When it is where, if it was planned with what is announced.
    #[cfg_attr(feature = "serde", serde(default))]
    stops: Vec<RouteStop>,
}

/// A cell of a route, and when the agent is there: in the time of its grid, see [`NavClock::now`](crate::NavClock::now).
///
/// ```
/// use bevy_emberwalk::RouteStop;
/// use bevy_emberwalk::prelude::*;
/// let [arrival, departure] = [3.0, 5.0].map(CrowdTime::from_seconds);
/// assert_eq!(RouteStop { cell: Cell::new(0, 0), arrival, departure }.wait().seconds(), 2.0);
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Clone, Debug, PartialEq)]
pub struct RouteStop {
    /// The cell.
    pub cell: Cell,
    /// When the step into it ends.
    pub arrival: CrowdTime,
    /// When the step out of it starts; in the last cell, when it arrives.
    pub departure: CrowdTime,
}

impl RouteStop {
    /// How long the agent waits there.
    pub fn wait(&self) -> CrowdTime {
        self.departure - self.arrival
    }
}

impl NavRoute {
    /// Where it leads.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// All its cells; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        &self.route.cells
    }

    /// The cost of all of its steps, by which the agent walks: without waits and without
    /// [dangers](crate::NavGrid::set_danger).
    pub fn cost(&self) -> RouteCost {
        self.route.cost
    }

    /// How many of its steps the agent has begun.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether another route is being planned.
    pub fn is_planning(&self) -> bool {
        self.is_planning
    }

    /// The cells ahead: first the one in which the agent stands or which it enters.
    pub fn ahead(&self) -> &[Cell] {
        self.route.cells.get(self.index..).unwrap_or_default()
    }

    /// The cost of the steps that the agent has not begun.
    pub fn cost_ahead(&self) -> RouteCost {
        self.cost_ahead
    }

    /// The same cells as [`cells`](Self::cells), with the times of the agent and its waits; empty where nothing is
    /// [announced](crate::NavGrid::announce) for the agent.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn show_waits(routes: Query<&NavRoute, Changed<NavRoute>>) {
    ///     for stop in routes.iter().flat_map(|route| route.stops()).filter(|stop| stop.wait() > CrowdTime::ZERO) {
    ///         println!("waits {:.1} s in {}", stop.wait(), stop.cell);
    ///     }
    /// }
    /// # let _ = show_waits;
    /// ```
    pub fn stops(&self) -> &[RouteStop] {
        &self.stops
    }

    /// When the agent arrives, in the time of its grid, if everything happens as it is announced; `None` where nothing is.
    pub fn arrival(&self) -> Option<CrowdTime> {
        self.stops.last().map(|last| last.arrival)
    }

    /// When the agent leaves its cell or the one that it enters, if that was planned.
    pub(crate) fn departure(&self) -> Option<CrowdTime> {
        self.stops.get(self.index).map(|stop| stop.departure)
    }

    /// Follows another route, from this index, with the times of its cells if they are known.
    pub(crate) fn set(
        &mut self,
        route: RouteRef,
        reach: Reach,
        index: usize,
        cost_ahead: RouteCost,
        stops: Vec<RouteStop>,
    ) {
        self.route.assign(route);
        self.stops = stops;
        (self.reach, self.index, self.cost_ahead) = (reach, index, cost_ahead);
    }

    /// The same cells lead there now.
    pub(crate) fn set_reach(&mut self, reach: Reach) {
        self.reach = reach;
    }

    /// The route cannot be followed. It counts as changed only if there was one.
    pub(crate) fn clear(this: &mut Mut<Self>) {
        if !this.cells().is_empty() {
            this.route.clear();
            this.stops.clear();
            (this.reach, this.index, this.cost_ahead) = (Reach::Nowhere, 0, RouteCost::ZERO);
        }
    }

    /// Another one is being planned, or none.
    pub(crate) fn set_planning(&mut self, is_planning: bool) {
        self.is_planning = is_planning;
    }

    /// Goes on to the next cell, by a step of this cost.
    pub(crate) fn advance(&mut self, cost: RouteCost) {
        self.index += 1;
        self.cost_ahead = RouteCost::from_units(self.cost_ahead.units().saturating_sub(cost.units()));
    }
}

/// The cost of the steps from each of these cells to the next, without those that are not possible.
pub(crate) fn cost_of_steps(rules: StepRules, costs: &CostGrid, cells: &[Cell]) -> RouteCost {
    cells.windows(2).filter_map(|step| rules.step_cost(costs, step[0], step[1])).sum()
}
