//! Limits of a query, and which of them ended a search.

use crate::RouteCost;
use crate::names::named;

/// The limits of a query: how expensive and how long its route may be, and how much work the search may do.
///
/// A query without limits finds a route if there is one. A query with limits may have no route although its goal can be
/// reached; [`SearchResult::stopped_by`](crate::SearchResult::stopped_by) then names the limit. The answer has a
/// [partial route](crate::SearchResult::partial) instead if the query [asks for
/// one](crate::RouteQuery::with_partial).
///
/// ```
/// use emberwalk_path::{Limits, RouteCost};
/// let limits = Limits::new().with_max_cost(RouteCost::from_tiles(12.5)?).with_max_length(7);
/// assert_eq!((limits.max_length, limits.max_expansions), (Some(7), None));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
#[must_use]
pub struct Limits {
    /// The highest cost that a route may have. An exact search does not expand a cell if every route through it costs
    /// more.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_cost: Option<RouteCost>,
    /// The number of expansions after which the search stops. How far it gets depends on the algorithm and, unless
    /// [ties](crate::Ties) are canonical, on the prepared tables.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_expansions: Option<u64>,
    /// The highest number of steps that a route may have. It counts steps, not tiles: a diagonal step is one, as is a
    /// step into a swamp. A route has one more cell than steps.
    ///
    /// This is a limit of the answer, not of the search: the search looks for the cheapest route, and if it has more
    /// steps, the answer has no route, even if a more expensive route has fewer steps.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_length: Option<u32>,
}

impl Limits {
    /// No limits.
    pub const fn new() -> Self {
        Self { max_cost: None, max_expansions: None, max_length: None }
    }

    /// The same limits with a highest cost.
    pub const fn with_max_cost(self, cost: RouteCost) -> Self {
        Self { max_cost: Some(cost), ..self }
    }

    /// The same limits with a highest number of expansions.
    pub const fn with_max_expansions(self, expansions: u64) -> Self {
        Self { max_expansions: Some(expansions), ..self }
    }

    /// The same limits with a highest number of steps.
    pub const fn with_max_length(self, steps: u32) -> Self {
        Self { max_length: Some(steps), ..self }
    }

    /// The highest cost in units; [`u64::MAX`] without one.
    pub(crate) fn max_units(&self) -> u64 {
        self.max_cost.map_or(u64::MAX, RouteCost::units)
    }

    /// The highest number of expansions; [`u64::MAX`] without one.
    pub(crate) fn max_expanded(&self) -> u64 {
        self.max_expansions.unwrap_or(u64::MAX)
    }

    /// The limit of the route that a route of this cost and this number of steps breaks.
    pub(crate) fn broken_by(&self, cost: RouteCost, steps: usize) -> Option<LimitKind> {
        if cost.units() > self.max_units() {
            Some(LimitKind::Cost)
        } else if self.max_length.is_some_and(|most| steps > most as usize) {
            Some(LimitKind::Length)
        } else {
            None
        }
    }
}

/// The limit that kept a search from finding a route, see [`Limits`].
///
/// ```
/// use emberwalk_path::LimitKind;
/// assert_eq!(LimitKind::Expansions.to_string(), "max_expansions");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum LimitKind {
    /// [`Limits::max_cost`]: the goal is in the same connected component, but the cheapest route costs more.
    Cost,
    /// [`Limits::max_expansions`]: the search ended before it was certain of a cheapest route.
    Expansions,
    /// [`Limits::max_length`]: the route that was found has more steps.
    Length,
}

named!(LimitKind, "limit",
    LimitKind::Cost => "max_cost",
    LimitKind::Expansions => "max_expansions",
    LimitKind::Length => "max_length",
);
