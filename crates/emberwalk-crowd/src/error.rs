//! The errors of a crowd.

use emberwalk_path::grid::Cell;

/// The reason why a crowd cannot be made, or why an agent cannot be put on the map.
///
/// ```
/// use emberwalk_crowd::{Crowd, CrowdError};
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::time::Pace;
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
/// let grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |cell| (cell.x > 0).then_some(EntryCost::TILE))?;
/// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
/// let (blocked, free) = (Cell::new(0, 0), Cell::new(1, 0));
/// assert_eq!(crowd.add(blocked), Err(CrowdError::Blocked(blocked)));
/// assert!(crowd.add(free).is_ok());
/// assert_eq!(crowd.add(free), Err(CrowdError::Taken(free)));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub enum CrowdError {
    /// The cell is blocked or off the map.
    #[error("{0} is blocked or off the map")]
    Blocked(Cell),
    /// Another agent is in the cell or on the way into it, or an edit waits for it.
    #[error("{0} is taken")]
    Taken(Cell),
    /// There is no kind with this index.
    #[error("there is no kind {0}")]
    NoKind(usize),
    /// The grid of this kind is not as large as the first one.
    #[error("the grid of kind {0} is not as large as the first one")]
    OtherSize(usize),
}
