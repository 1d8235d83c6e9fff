//! What a planner is asked: from where to where, and by which algorithm, heuristic and rules.

use std::fmt;
use std::str::FromStr;

use crate::grid::Cell;
use crate::{Corners, CostGrid, Moves};

/// A name that is none of those known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}'; known are {known}")]
pub struct UnknownName {
    pub(crate) what: &'static str,
    pub(crate) name: String,
    pub(crate) known: String,
}

/// Gives an enum its names on the command line: `NAMES`, `as_str`, `Display` and `FromStr`.
macro_rules! named {
    ($type:ident, $what:literal, $($value:expr => $name:literal),+ $(,)?) => {
        impl $type {
            /// Every value by its name, the default first.
            pub const NAMES: &[(&str, Self)] = &[$(($name, $value)),+];

            /// The name, as it is written on the command line.
            pub fn as_str(self) -> &'static str {
                let same = |&&(_, value): &&(_, Self)| std::mem::discriminant(&value) == std::mem::discriminant(&self);
                Self::NAMES.iter().find(same).expect("every value has a name").0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                let known = || Self::NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
                let found = Self::NAMES.iter().find(|(other, _)| *other == name);
                found.map(|&(_, value)| value).ok_or_else(|| UnknownName { what: $what, name: name.into(), known: known() })
            }
        }
    };
}
pub(crate) use named;

/// How the way is searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Algorithm {
    /// The fastest exact search that there is; with a heuristic that is not admissible, A* with that heuristic.
    #[default]
    Auto,
    /// A*: the cell of the smallest sum of cost so far and estimate of the rest first.
    AStar,
    /// A* with the estimate times `weight`: the cost is within `weight` of the least, for fewer cells expanded.
    Weighted {
        /// At least 1 and finite. Counted in steps of 1/1024, rounded down; above 1024 as 1024.
        weight: f64,
    },
    /// The cheapest cell first; asks no heuristic.
    Dijkstra,
    /// Greedy best-first: the smallest estimate first, whatever the cost so far. Quick, and promises nothing.
    Greedy,
    /// The fewest steps, whatever they cost.
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
    /// The weight of weighted A* where none is given.
    pub const DEFAULT_WEIGHT: f64 = 1.5;
}

/// The estimate of the cost that is still to go, from the columns and rows to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// As many diagonal steps as help, then straight ones: exact on an empty map with eight moves.
    #[default]
    Octile,
    /// Columns plus rows: exact on an empty map with four moves; overestimates with eight.
    Manhattan,
    /// The larger of columns and rows.
    Chebyshev,
    /// The straight line, times the diagonal ratio over the square root of 2.
    Euclidean,
    /// Nothing: A* becomes Dijkstra.
    Zero,
}

named!(Heuristic, "heuristic",
    Heuristic::Octile => "octile",
    Heuristic::Manhattan => "manhattan",
    Heuristic::Chebyshev => "chebyshev",
    Heuristic::Euclidean => "euclidean",
    Heuristic::Zero => "zero",
);

/// What one straight step counts in the heuristic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scale {
    /// The smallest entry cost of the grid as it is now, so that no heuristic overestimates for want of it.
    #[default]
    Exact,
    /// One tile, as the articles have it: overestimates where there are cheaper cells.
    Classic,
}

named!(Scale, "scale", Scale::Exact => "exact", Scale::Classic => "classic");

/// How to search. What the algorithm does not use is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Eight ways or four.
    pub moves: Moves,
    /// How diagonal steps pass blocked cells.
    pub corners: Corners,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The heuristic of A*, weighted A* and greedy search.
    pub heuristic: Heuristic,
    /// The scale of the heuristic.
    pub scale: Scale,
}

impl Options {
    /// Whether these options alone, on any grid, guarantee the least cost.
    ///
    /// ```
    /// use emberwalk_path::{Algorithm, Options, Scale};
    /// assert!(Options::default().optimal());
    /// assert!(!Options { algorithm: Algorithm::Greedy, ..Options::default() }.optimal());
    /// assert!(!Options { scale: Scale::Classic, ..Options::default() }.optimal());
    /// ```
    pub fn optimal(&self) -> bool {
        match self.algorithm {
            Algorithm::Auto | Algorithm::AStar => self.is_admissible(),
            Algorithm::Weighted { weight } => weight == 1.0 && self.is_admissible(),
            Algorithm::Dijkstra => true,
            Algorithm::Greedy | Algorithm::BreadthFirst => false,
        }
    }

    /// Whether the heuristic can never overestimate, on any grid.
    pub(crate) fn is_admissible(&self) -> bool {
        match self.heuristic {
            Heuristic::Zero => true,
            Heuristic::Manhattan if self.moves == Moves::Eight => false,
            _ => self.scale == Scale::Exact,
        }
    }
}

/// A question to a planner: the cheapest way from one cell to another.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::{Algorithm, Options, Query};
/// let query = Query::new(Cell::new(0, 0), Cell::new(9, 4));
/// let quick = query.with(Options { algorithm: "greedy".parse()?, ..Options::default() });
/// assert_eq!(quick.options.algorithm, Algorithm::Greedy);
/// # Ok::<(), emberwalk_path::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The start.
    pub from: Cell,
    /// The goal.
    pub to: Cell,
    /// How to search.
    pub options: Options,
}

impl Query {
    /// The way from `from` to `to` with the default options.
    pub fn new(from: Cell, to: Cell) -> Self {
        Self { from, to, options: Options::default() }
    }

    /// The same question with other options.
    #[must_use]
    pub fn with(self, options: Options) -> Self {
        Self { options, ..self }
    }
}

/// Which end of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// Where it begins.
    Start,
    /// Where it leads.
    Goal,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
        })
    }
}

/// Why a query has no answer at all. That no route exists is none of these: it is an answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// The cell does not lie on the grid.
    #[error("the {end} {cell} lies off the map")]
    OffTheMap {
        /// Which of the two.
        end: Endpoint,
        /// Where it would be.
        cell: Cell,
    },
    /// The cell is blocked.
    #[error("the {end} {cell} is blocked")]
    Blocked {
        /// Which of the two.
        end: Endpoint,
        /// Where it is.
        cell: Cell,
    },
    /// The weight of weighted A* is below 1 or not finite.
    #[error("the weight is a finite number and at least 1, not {0}")]
    Weight(f64),
}

/// The index of an end that can be one.
pub(crate) fn passable(grid: &CostGrid, end: Endpoint, cell: Cell) -> Result<usize, QueryError> {
    if !grid.size().contains(cell) {
        return Err(QueryError::OffTheMap { end, cell });
    }
    if !grid.is_passable(cell) {
        return Err(QueryError::Blocked { end, cell });
    }
    Ok(grid.index(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
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
        assert_eq!("classic".parse(), Ok(Scale::Classic));
    }

    #[test]
    fn the_first_name_is_the_default() {
        assert_eq!(Moves::NAMES[0].1, Moves::default());
        assert_eq!(Corners::NAMES[0].1, Corners::default());
        assert_eq!(Algorithm::NAMES[0].1, Algorithm::default());
        assert_eq!(Heuristic::NAMES[0].1, Heuristic::default());
        assert_eq!(Scale::NAMES[0].1, Scale::default());
    }

    #[test]
    fn only_sound_options_promise_the_least_cost() {
        let promise = |algorithm, heuristic, scale, moves| {
            Options { algorithm, heuristic, scale, moves, ..Options::default() }.optimal()
        };
        use Heuristic::{Manhattan, Octile, Zero};
        let one = Algorithm::Weighted { weight: 1.0 };
        for algorithm in [Algorithm::Auto, Algorithm::AStar, one] {
            assert!(promise(algorithm, Octile, Scale::Exact, Moves::Eight));
            assert!(!promise(algorithm, Octile, Scale::Classic, Moves::Eight));
            assert!(!promise(algorithm, Manhattan, Scale::Exact, Moves::Eight));
            assert!(promise(algorithm, Manhattan, Scale::Exact, Moves::Four));
            assert!(promise(algorithm, Zero, Scale::Classic, Moves::Eight));
        }
        assert!(!promise(Algorithm::Weighted { weight: 1.01 }, Octile, Scale::Exact, Moves::Eight));
        assert!(promise(Algorithm::Dijkstra, Manhattan, Scale::Classic, Moves::Eight));
        assert!(!promise(Algorithm::Greedy, Octile, Scale::Exact, Moves::Eight));
        assert!(!promise(Algorithm::BreadthFirst, Octile, Scale::Exact, Moves::Eight));
    }
}
