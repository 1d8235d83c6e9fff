//! Which steps are allowed: the move set and the corner rule.

use crate::cost::{CostGrid, RouteCost};
use crate::grid::{Cell, Direction};
use crate::names::named;

/// The move set: in which directions a step may go.
///
/// ```
/// use emberwalk_path::Moves;
/// assert_eq!("4".parse(), Ok(Moves::Four));
/// assert_eq!(Moves::default().to_string(), "8");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
}

named!(Moves, "moves", Moves::Eight => "8", Moves::Four => "4");

/// The corner rule: how many of the two cells that a diagonal step passes between may be blocked.
///
/// ```
/// use emberwalk_path::Corners;
/// assert_eq!("one".parse(), Ok(Corners::One));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
/// All fields are public, so that rules can be written with struct update syntax, as in the example. That keeps
/// compiling when a field is added.
///
/// ```
/// use emberwalk_path::{Moves, StepRules};
/// let rules = StepRules { moves: Moves::Four, ..StepRules::default() };
/// assert_ne!(rules, StepRules::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct StepRules {
    /// The directions of a step.
    pub moves: Moves,
    /// How a diagonal step passes blocked cells.
    pub corners: Corners,
}

impl StepRules {
    /// Returns the cost of the step from `from` to `to`; `None` if the two are not neighbours, if `to` is blocked or
    /// off the grid, or if the rules forbid the step.
    ///
    /// It does not matter whether `from` is passable: a step may leave a blocked cell.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let mut grid = CostGrid::from_fn(Size::new(2, 2), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let (rules, from, to) = (StepRules::default(), Cell::new(0, 0), Cell::new(1, 1));
    /// assert!((rules.step_cost(&grid, from, to).unwrap().tiles() - 1.414).abs() < 0.001);
    /// grid.set(Cell::new(1, 0), None);
    /// assert_eq!(rules.step_cost(&grid, from, to), None, "past a blocked corner");
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn step_cost(self, grid: &CostGrid, from: Cell, to: Cell) -> Option<RouteCost> {
        let (dx, dy) = to - from;
        if dx.unsigned_abs() > 1 || dy.unsigned_abs() > 1 {
            return None;
        }
        let direction = Direction::from_offset((dx, dy))?;
        if direction.is_diagonal() {
            let sides = [(dx, 0), (0, dy)].map(|side| grid.is_passable(from + side));
            let corner_is_free = match self.corners {
                Corners::Never => sides[0] && sides[1],
                Corners::One => sides[0] || sides[1],
                Corners::Always => true,
            };
            if self.moves == Moves::Four || !corner_is_free {
                return None;
            }
        }
        grid.step_cost(to, direction.is_diagonal())
    }
}
