//! Which steps are allowed: the move set and the corner rule.

use crate::cost::links::Links;
use crate::cost::{CostGrid, RouteCost};
use crate::grid::{Cell, Direction};
use crate::names::named;

/// The move set: the directions in which a step may go.
///
/// ```
/// use emberwalk_path::Moves;
/// assert_eq!("4".parse(), Ok(Moves::Four));
/// assert_eq!(Moves::default().to_string(), "8");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Moves {
    /// Straight and diagonal steps.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "8"))]
    Eight,
    /// Straight steps only.
    #[cfg_attr(feature = "serde", serde(rename = "4"))]
    Four,
    /// The steps of hexagons in axial coordinates: north, east, south-east, south, west and north-west.
    ///
    /// All of them cost the entry cost, without the diagonal ratio, and pass no corners.
    #[cfg_attr(feature = "serde", serde(rename = "6"))]
    Six,
}

named!(Moves, "moves", Moves::Eight => "8", Moves::Four => "4", Moves::Six => "6");

impl Moves {
    /// The directions in which a step may go, clockwise from north.
    ///
    /// ```
    /// use emberwalk_path::Moves;
    /// use emberwalk_path::grid::Direction;
    /// assert_eq!(Moves::Four.directions(), [Direction::N, Direction::E, Direction::S, Direction::W]);
    /// assert!(!Moves::Six.directions().contains(&Direction::NE));
    /// ```
    pub const fn directions(self) -> &'static [Direction] {
        match self {
            Self::Eight => &Direction::ALL,
            Self::Four => &Direction::SIDES,
            Self::Six => &Direction::HEXAGON,
        }
    }

    /// Whether the cost of a step in this direction is multiplied by the diagonal ratio: only with eight moves, if it
    /// is diagonal.
    ///
    /// ```
    /// use emberwalk_path::Moves;
    /// use emberwalk_path::grid::Direction;
    /// assert!(Moves::Eight.costs_diagonal_ratio(Direction::SE));
    /// assert!(!Moves::Six.costs_diagonal_ratio(Direction::SE));
    /// ```
    pub const fn costs_diagonal_ratio(self, direction: Direction) -> bool {
        matches!(self, Self::Eight) && direction.is_diagonal()
    }
}

/// The corner rule: how many of the two cells that a diagonal step passes between may be blocked. It matters with eight
/// moves only.
///
/// On a grid with levels, a cell beside the step also counts as blocked unless two straight steps lead over it: one into it
/// from the cell where the step begins, and one from it to the cell where the step ends.
///
/// ```
/// use emberwalk_path::Corners;
/// assert_eq!("one".parse(), Ok(Corners::One));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Corners {
    /// Neither of them.
    #[default]
    Never,
    /// One of them, but not both.
    One,
    /// Both.
    Always,
}

named!(Corners, "corner rule", Corners::Never => "never", Corners::One => "one", Corners::Always => "always");

/// Which steps are allowed: a move set with its corner rule.
///
/// ```
/// use emberwalk_path::{Moves, StepRules};
/// let rules = StepRules::default().with_moves(Moves::Four);
/// assert_ne!(rules, StepRules::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
#[must_use]
pub struct StepRules {
    /// The directions of a step.
    pub moves: Moves,
    /// How a diagonal step passes blocked cells.
    pub corners: Corners,
    /// Whether the [links](CostGrid::add_link) of a grid cannot be used.
    pub ignores_links: bool,
}

impl StepRules {
    /// The rules with this move set and this corner rule.
    pub const fn new(moves: Moves, corners: Corners) -> Self {
        Self { moves, corners, ignores_links: false }
    }

    /// The same rules with another move set.
    pub const fn with_moves(self, moves: Moves) -> Self {
        Self { moves, ..self }
    }

    /// The same rules with another corner rule.
    pub const fn with_corners(self, corners: Corners) -> Self {
        Self { corners, ..self }
    }

    /// The same rules for agents that cannot use the [links](CostGrid::add_link) of a grid.
    pub const fn without_links(self) -> Self {
        Self { ignores_links: true, ..self }
    }

    /// The cost of the step from `from` to `to`, with its climb, or of the [link](CostGrid::add_link) between them if that
    /// costs less; `None` if the two are neither neighbours nor linked, if one of them is off the grid or `to` is
    /// blocked, or if the rules forbid the step or a cliff is in the way.
    ///
    /// It does not matter to a step between neighbours whether `from` is passable: it may leave a blocked cell. A link
    /// cannot be used from there.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Level, StepRules};
    /// let mut grid = CostGrid::open(Size::new(2, 2))?;
    /// let (rules, from, to) = (StepRules::default(), Cell::new(0, 0), Cell::new(1, 1));
    /// assert!((rules.step_cost(&grid, from, to).unwrap().tiles() - 1.414).abs() < 0.001);
    /// grid.set_level(to, Level::new(1)?);
    /// assert!((rules.step_cost(&grid, from, to).unwrap().tiles() - 2.828).abs() < 0.001);
    /// grid.set(Cell::new(1, 0), None);
    /// assert_eq!(rules.step_cost(&grid, from, to), None, "past a blocked corner");
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn step_cost(self, grid: &CostGrid, from: Cell, to: Cell) -> Option<RouteCost> {
        let step = self.ordinary_step(grid, from, to);
        match self.link_units(grid, from, to) {
            None => step,
            Some(units) => Some(step.map_or(units, |step| step.min(units))),
        }
        .map(RouteCost::from_units)
    }

    /// The cost of a step that has begun: corners that are blocked meanwhile, moves that no longer have this step, or a blocked
    /// cell in which its link began, change nothing. `None` if it is none now: back from a blocked cell, over a cliff, or along
    /// a link that leads the other way.
    pub(crate) fn cost_of_begun_step(self, grid: &CostGrid, from: Cell, to: Cell) -> Option<RouteCost> {
        let rules = self.with_corners(Corners::Always);
        let rules = [rules, rules.with_moves(Moves::Eight)];
        let link = || grid.link_cost(from, to).filter(|_| !self.ignores_links).map(RouteCost::from);
        rules.into_iter().find_map(|rules| rules.step_cost(grid, from, to)).or_else(link)
    }

    /// The cost of the link from one cell to another, in units, if it can be used.
    fn link_units(self, grid: &CostGrid, from: Cell, to: Cell) -> Option<u64> {
        grid.links_for(self)?;
        let can_be_used = grid.is_passable(from) && grid.is_passable(to);
        grid.link_cost(from, to).filter(|_| can_be_used).map(|cost| cost.units().into())
    }

    /// The cost of a step between neighbours, in units, as if there were no links.
    fn ordinary_step(self, grid: &CostGrid, from: Cell, to: Cell) -> Option<u64> {
        if !grid.size().contains(from) || !grid.is_passable(to) {
            return None;
        }
        let (dx, dy) = to - from;
        let direction = Direction::from_offset((dx, dy))?;
        let may_climb = |from, to| grid.climb().allows(grid.level(from), grid.level(to));
        if !self.moves.directions().contains(&direction) || !may_climb(from, to) {
            return None;
        }
        let is_diagonal = self.moves.costs_diagonal_ratio(direction);
        if is_diagonal {
            let is_free = |side: Cell| grid.is_passable(side) && may_climb(from, side) && may_climb(side, to);
            let sides = [(dx, 0), (0, dy)].map(|side| is_free(from + side));
            let corner_is_free = match self.corners {
                Corners::Never => sides[0] && sides[1],
                Corners::One => sides[0] || sides[1],
                Corners::Always => true,
            };
            if !corner_is_free {
                return None;
            }
        }
        Some(self.units_of_step(grid, from, to))
    }

    /// Whether a step between two neighbours costs the diagonal ratio. A diagonal step of hexagons does not.
    pub(crate) fn costs_diagonal_ratio(self, from: Cell, to: Cell) -> bool {
        self.moves == Moves::Eight && from.is_diagonal_to(to)
    }

    /// Whether a step between two neighbours is possible only if cells beside it are free.
    pub(crate) fn passes_corners(self, from: Cell, to: Cell) -> bool {
        self.corners != Corners::Always && self.costs_diagonal_ratio(from, to)
    }

    /// The sum of the costs of the steps along these cells, which are known to be possible.
    #[doc(hidden)]
    #[inline]
    pub fn cost_of_steps(self, grid: &CostGrid, cells: &[Cell]) -> RouteCost {
        let pairs = cells.windows(2);
        let units = match grid.links_for(self) {
            None => pairs.map(|pair| self.units_of_step(grid, pair[0], pair[1])).sum(),
            Some(_) => pairs.filter_map(|pair| self.step_cost(grid, pair[0], pair[1])).map(RouteCost::units).sum(),
        };
        RouteCost::from_units(units)
    }

    /// The cost of a step between neighbours that is known to be possible, in units.
    fn units_of_step(self, grid: &CostGrid, from: Cell, to: Cell) -> u64 {
        let is_diagonal = self.costs_diagonal_ratio(from, to);
        let [from, to] = [grid.index(from), grid.index(to)];
        grid.step_units(is_diagonal, from, to, grid.entry_units()[to])
    }
}

impl CostGrid {
    /// The links that count by these rules; `None` if there are none.
    #[inline]
    #[doc(hidden)]
    pub fn links_for(&self, rules: StepRules) -> Option<&Links> {
        self.all_links().filter(|_| !rules.ignores_links)
    }
}
