//! How to search: algorithm, heuristic, scale and step rules.

use crate::names::named;
use crate::{Corners, Moves, RouteCost, StepRules};

/// The search algorithm.
///
/// ```
/// use emberwalk_path::Algorithm;
/// assert_eq!("dijkstra".parse(), Ok(Algorithm::Dijkstra));
/// assert_eq!(Algorithm::Weighted { weight: 2.0 }.to_string(), "weighted");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Algorithm {
    /// A* with the best lower bounds and, after [`prepare`](crate::Planner::prepare), jump points: the fastest exact
    /// search of this crate. With a heuristic that is not admissible it is plain A* with that heuristic.
    #[default]
    Auto,
    /// A*: expands the cell of the smallest f = g + h first.
    #[cfg_attr(feature = "serde", serde(rename = "astar"))]
    AStar,
    /// A* with f = g + `weight` * h: the cost is at most `weight` times the lowest, and fewer cells are expanded.
    Weighted {
        /// Finite and at least 1. The search rounds it down to a multiple of 1/1024, and treats more than 1024 as 1024.
        weight: f64,
    },
    /// Dijkstra's algorithm: expands the cell of the smallest g first; uses no heuristic.
    Dijkstra,
    /// Greedy best-first search: expands the cell of the smallest h first, whatever its g. Fast, without any guarantee.
    Greedy,
    /// Breadth-first search: the fewest steps, whatever they cost.
    BreadthFirst,
}

named!(Algorithm, "algorithm",
    Algorithm::Auto => "auto",
    Algorithm::AStar => "astar",
    Algorithm::Weighted { weight: Algorithm::DEFAULT_WEIGHT } => "weighted",
    Algorithm::Dijkstra => "dijkstra",
    Algorithm::Greedy => "greedy",
    Algorithm::BreadthFirst => "breadth-first",
);

impl Algorithm {
    /// The weight of weighted A* if none is given.
    pub const DEFAULT_WEIGHT: f64 = 1.5;

    /// Whether the search depends on a heuristic.
    ///
    /// ```
    /// use emberwalk_path::Algorithm;
    /// assert!(Algorithm::AStar.uses_heuristic() && !Algorithm::Dijkstra.uses_heuristic());
    /// ```
    pub const fn uses_heuristic(self) -> bool {
        !matches!(self, Self::Dijkstra | Self::BreadthFirst)
    }

    /// f, the number that orders the open list, of a cell with these g and h: see
    /// [`Opened::f`](crate::trace::Opened::f). It saturates.
    ///
    /// ```
    /// use emberwalk_path::{Algorithm, RouteCost};
    /// let [g, h] = [3, 4].map(RouteCost::from_units);
    /// assert_eq!(Algorithm::AStar.order(g, h).units(), 7);
    /// assert_eq!(Algorithm::Weighted { weight: 2.0 }.order(g, h).units(), 11);
    /// assert_eq!(Algorithm::Greedy.order(g, h).units(), 4);
    /// assert_eq!(Algorithm::AStar.order(RouteCost::from_units(u64::MAX), h).units(), u64::MAX, "it saturates");
    /// ```
    pub fn order(self, g: RouteCost, h: RouteCost) -> RouteCost {
        RouteCost::from_units(self.key(g.units(), h.units()))
    }

    /// The key of a cell in units, see [`Opened::f`](crate::trace::Opened::f).
    pub(crate) fn key(self, g: u64, h: u64) -> u64 {
        match self {
            Self::Weighted { weight } if weight > 1.0 => g.saturating_add((weight * h as f64).round() as u64),
            Self::Greedy => h,
            _ => g.saturating_add(h),
        }
    }
}

/// The heuristic h: the estimated cost from a cell to the goal, computed from the columns and rows between them.
///
/// Of the heuristics that never overestimate, octile is the strongest with eight moves, Manhattan with four, and hex
/// with six. The others are for comparison.
///
/// ```
/// use emberwalk_path::Heuristic;
/// assert_eq!("octile".parse(), Ok(Heuristic::default()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Heuristic {
    /// As many diagonal steps as possible, then straight ones: exact on an empty map with eight moves.
    #[default]
    Octile,
    /// Columns plus rows: exact on an empty map with four moves; overestimates with eight.
    Manhattan,
    /// The larger of columns and rows.
    Chebyshev,
    /// The straight-line distance, times the diagonal ratio over the square root of 2.
    Euclidean,
    /// The distance of hexagons in axial coordinates, `max(|dx|, |dy|, |dx - dy|)`: exact on an empty map with six
    /// moves; overestimates with eight.
    Hex,
    /// Always 0: A* becomes Dijkstra's algorithm.
    Zero,
}

named!(Heuristic, "heuristic",
    Heuristic::Octile => "octile",
    Heuristic::Manhattan => "manhattan",
    Heuristic::Chebyshev => "chebyshev",
    Heuristic::Euclidean => "euclidean",
    Heuristic::Hex => "hex",
    Heuristic::Zero => "zero",
);

impl Heuristic {
    /// The heuristic that searches with these moves use by default: hex with six moves, octile otherwise. It is
    /// admissible.
    ///
    /// ```
    /// use emberwalk_path::{Heuristic, Moves};
    /// assert_eq!(Heuristic::default_for(Moves::Six), Heuristic::Hex);
    /// assert_eq!(Heuristic::default_for(Moves::Eight), Heuristic::Octile);
    /// ```
    pub const fn default_for(moves: Moves) -> Self {
        match moves {
            Moves::Six => Self::Hex,
            Moves::Eight | Moves::Four => Self::Octile,
        }
    }

    /// Whether the heuristic never overestimates with these moves, at the exact [`HeuristicScale`].
    ///
    /// ```
    /// use emberwalk_path::{Heuristic, Moves};
    /// assert!(Heuristic::Hex.is_admissible(Moves::Six) && !Heuristic::Octile.is_admissible(Moves::Six));
    /// ```
    pub const fn is_admissible(self, moves: Moves) -> bool {
        match self {
            Self::Chebyshev | Self::Zero => true,
            Self::Octile | Self::Euclidean => !matches!(moves, Moves::Six),
            Self::Manhattan => matches!(moves, Moves::Four),
            Self::Hex => !matches!(moves, Moves::Eight),
        }
    }
}

/// The cost that the heuristic counts for one straight step.
///
/// ```
/// use emberwalk_path::HeuristicScale;
/// assert_eq!("exact".parse(), Ok(HeuristicScale::default()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum HeuristicScale {
    /// The current lowest entry cost of the grid, so that the scale never makes a heuristic overestimate.
    #[default]
    Exact,
    /// One tile, as in most tutorials: overestimates if some cells cost less than that.
    Classic,
}

named!(HeuristicScale, "scale", HeuristicScale::Exact => "exact", HeuristicScale::Classic => "classic");

/// Which of several cheapest routes is found.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Options, Planner, RouteQuery, Ties};
/// let grid = CostGrid::open(Size::new(40, 40))?;
/// let (mut planner, mut prepared) = (Planner::new(), Planner::new());
/// let options = Options::default().with_ties(Ties::Canonical);
/// prepared.prepare(&grid, &options);
/// let query = RouteQuery::new(Cell::new(1, 1), Cell::new(38, 20)).with_options(options);
/// assert_eq!(planner.plan(&grid, &query)?.cells(), prepared.plan(&grid, &query)?.cells());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Ties {
    /// The first cheapest route that the search finds, which takes the least time. Which route that is may depend on
    /// the prepared tables and on earlier changes of the grid.
    #[default]
    Any,
    /// The canonical route, which depends on the costs, the levels and the query alone. So all planners and replanners,
    /// on all machines, find the same cells, regardless of their tables and their earlier work. This is for games that
    /// send orders instead of positions (lockstep).
    ///
    /// Walking back from the goal, each step of the canonical route is the first, in the order of
    /// [`Direction::ALL`](crate::grid::Direction::ALL), of the last steps of all cheapest routes from the start to
    /// that cell. Each part of a canonical route is the canonical route between its ends.
    ///
    /// The search expands all cells that may be on a cheapest route, and uses no jump points. Where many routes have
    /// the same cost it takes several times as long as with [`Any`](Self::Any). Options that do not [guarantee the
    /// lowest cost](Options::optimal) ignore this rule: their routes never depend on tables.
    Canonical,
}

named!(Ties, "rule for ties", Ties::Any => "any", Ties::Canonical => "canonical");

/// How to search. An algorithm ignores the options that it does not use.
///
/// The default options find the cheapest route with eight moves. Each method `with_...` changes one of them.
///
/// ```
/// use emberwalk_path::{Algorithm, Heuristic, Moves, Options};
/// let options = Options::default().with_moves(Moves::Four).with_heuristic(Some(Heuristic::Manhattan));
/// assert_eq!(options.algorithm, Algorithm::Auto);
/// assert!(options.optimal());
/// assert_eq!(Options::default().with_moves(Moves::Six).heuristic(), Heuristic::Hex);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// Which steps are allowed.
    pub rules: StepRules,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The heuristic of A*, weighted A* and greedy search; `None` for the [default for the
    /// moves](Heuristic::default_for).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub heuristic: Option<Heuristic>,
    /// The scale of the heuristic.
    pub scale: HeuristicScale,
    /// Which of several cheapest routes is found.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "crate::saved::is_default"))]
    pub ties: Ties,
}

impl Options {
    /// The default options, also in constants.
    ///
    /// ```
    /// use emberwalk_path::{Moves, Options};
    /// const OPTIONS: Options = Options::new().with_moves(Moves::Four);
    /// assert_eq!(OPTIONS, Options::default().with_moves(Moves::Four));
    /// ```
    pub const fn new() -> Self {
        Self {
            rules: StepRules::new(Moves::Eight, Corners::Never),
            algorithm: Algorithm::Auto,
            heuristic: None,
            scale: HeuristicScale::Exact,
            ties: Ties::Any,
        }
    }

    /// The same options with other step rules.
    pub const fn with_rules(self, rules: StepRules) -> Self {
        Self { rules, ..self }
    }

    /// The same options with another move set.
    pub const fn with_moves(self, moves: Moves) -> Self {
        self.with_rules(self.rules.with_moves(moves))
    }

    /// The same options with another corner rule.
    pub const fn with_corners(self, corners: Corners) -> Self {
        self.with_rules(self.rules.with_corners(corners))
    }

    /// The same options with another algorithm.
    pub const fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// The same options with another heuristic; `None` for the [default for the moves](Heuristic::default_for).
    pub const fn with_heuristic(self, heuristic: Option<Heuristic>) -> Self {
        Self { heuristic, ..self }
    }

    /// The same options with another scale of the heuristic.
    pub const fn with_scale(self, scale: HeuristicScale) -> Self {
        Self { scale, ..self }
    }

    /// The same options with another rule for routes of the same cost.
    pub const fn with_ties(self, ties: Ties) -> Self {
        Self { ties, ..self }
    }

    /// The heuristic: the selected one, or the default for the moves.
    pub fn heuristic(&self) -> Heuristic {
        self.heuristic.unwrap_or(Heuristic::default_for(self.rules.moves))
    }

    /// The heuristic that the search uses.
    pub(crate) fn used_heuristic(&self) -> Heuristic {
        if self.algorithm.uses_heuristic() { self.heuristic() } else { Heuristic::Zero }
    }

    /// The weight of weighted A*; 1 for the other algorithms.
    pub(crate) fn weight(&self) -> f64 {
        match self.algorithm {
            Algorithm::Weighted { weight } => weight,
            _ => 1.0,
        }
    }

    /// Whether the canonical one of several cheapest routes is wanted.
    pub(crate) fn are_canonical(&self) -> bool {
        self.ties == Ties::Canonical && self.optimal()
    }

    /// Whether these options alone, on any grid, guarantee the lowest cost.
    ///
    /// ```
    /// use emberwalk_path::{Algorithm, HeuristicScale, Options};
    /// assert!(Options::default().optimal());
    /// assert!(!Options::default().with_algorithm(Algorithm::Greedy).optimal());
    /// assert!(!Options::default().with_scale(HeuristicScale::Classic).optimal());
    /// ```
    pub fn optimal(&self) -> bool {
        self.max_cost_ratio() == Some(1.0)
    }

    /// The maximum cost of a route found with these options, on any grid, divided by the lowest cost: 1 if they
    /// [guarantee the lowest cost](Self::optimal), `weight` with weighted A*. `None` if there is no limit.
    ///
    /// ```
    /// use emberwalk_path::{Algorithm, HeuristicScale, Options};
    /// let weighted = Options::default().with_algorithm(Algorithm::Weighted { weight: 2.0 });
    /// assert_eq!(weighted.max_cost_ratio(), Some(2.0));
    /// assert_eq!(weighted.with_scale(HeuristicScale::Classic).max_cost_ratio(), None);
    /// ```
    pub fn max_cost_ratio(&self) -> Option<f64> {
        match self.algorithm {
            Algorithm::Dijkstra => Some(1.0),
            Algorithm::Auto | Algorithm::AStar => self.is_admissible().then_some(1.0),
            Algorithm::Weighted { weight } => self.is_admissible().then_some(weight),
            Algorithm::Greedy | Algorithm::BreadthFirst => None,
        }
    }

    /// Whether the heuristic never overestimates, on any grid.
    pub(crate) fn is_admissible(&self) -> bool {
        let heuristic = self.heuristic();
        heuristic.is_admissible(self.rules.moves)
            && (self.scale == HeuristicScale::Exact || heuristic == Heuristic::Zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_the_values_they_are_printed_for() {
        for &(name, value) in Algorithm::NAMES {
            assert_eq!(value.to_string(), name);
            assert_eq!(name.parse(), Ok(value));
        }
        assert_eq!(Algorithm::Weighted { weight: 7.0 }.as_str(), "weighted");
        let error = "a*".parse::<Algorithm>().unwrap_err().to_string();
        assert_eq!(error, "unknown algorithm 'a*'; known are auto, astar, weighted, dijkstra, greedy, breadth-first");
        assert_eq!("4".parse(), Ok(Moves::Four));
        assert_eq!("one".parse(), Ok(Corners::One));
        assert_eq!("chebyshev".parse(), Ok(Heuristic::Chebyshev));
        assert_eq!("classic".parse(), Ok(HeuristicScale::Classic));
    }

    #[test]
    fn the_first_name_is_that_of_the_default() {
        assert_eq!(Moves::NAMES[0].1, Moves::default());
        assert_eq!(Corners::NAMES[0].1, Corners::default());
        assert_eq!(Algorithm::NAMES[0].1, Algorithm::default());
        assert_eq!(Heuristic::NAMES[0].1, Heuristic::default());
        assert_eq!(HeuristicScale::NAMES[0].1, HeuristicScale::default());
    }

    #[test]
    fn only_exact_options_guarantee_the_lowest_cost() {
        let guarantees = |algorithm, heuristic, scale, moves| {
            let heuristic = Some(heuristic);
            Options { algorithm, heuristic, scale, ..Options::default().with_moves(moves) }.optimal()
        };
        use Heuristic::{Chebyshev, Euclidean, Hex, Manhattan, Octile, Zero};
        let one = Algorithm::Weighted { weight: 1.0 };
        for algorithm in [Algorithm::Auto, Algorithm::AStar, one] {
            assert!(guarantees(algorithm, Octile, HeuristicScale::Exact, Moves::Eight));
            assert!(!guarantees(algorithm, Octile, HeuristicScale::Classic, Moves::Eight));
            assert!(!guarantees(algorithm, Manhattan, HeuristicScale::Exact, Moves::Eight));
            assert!(guarantees(algorithm, Manhattan, HeuristicScale::Exact, Moves::Four));
            assert!(guarantees(algorithm, Zero, HeuristicScale::Classic, Moves::Eight));
            for (moves, admissible) in [
                (Moves::Eight, &[Octile, Chebyshev, Euclidean, Zero][..]),
                (Moves::Four, &[Octile, Chebyshev, Euclidean, Zero, Manhattan, Hex]),
                (Moves::Six, &[Hex, Chebyshev, Zero]),
            ] {
                for &(_, heuristic) in Heuristic::NAMES {
                    let guaranteed = guarantees(algorithm, heuristic, HeuristicScale::Exact, moves);
                    assert_eq!(guaranteed, admissible.contains(&heuristic), "{algorithm} {heuristic} {moves}");
                }
            }
        }
        assert!(!guarantees(Algorithm::Weighted { weight: 1.01 }, Octile, HeuristicScale::Exact, Moves::Eight));
        assert!(guarantees(Algorithm::Dijkstra, Manhattan, HeuristicScale::Classic, Moves::Eight));
        assert!(!guarantees(Algorithm::Greedy, Octile, HeuristicScale::Exact, Moves::Eight));
        assert!(!guarantees(Algorithm::BreadthFirst, Octile, HeuristicScale::Exact, Moves::Eight));
    }
}
