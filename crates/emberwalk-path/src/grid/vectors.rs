//! Conversions between cells and the vectors of `glam`.

use glam::{IVec2, UVec2};

use super::{Cell, Size};

impl From<IVec2> for Cell {
    fn from(vector: IVec2) -> Self {
        Self::new(vector.x, vector.y)
    }
}

impl From<Cell> for IVec2 {
    fn from(cell: Cell) -> Self {
        Self::new(cell.x, cell.y)
    }
}

/// An error if a coordinate is above [`i32::MAX`].
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use glam::UVec2;
/// assert_eq!(Cell::try_from(UVec2::new(3, 4)), Ok(Cell::new(3, 4)));
/// assert!(Cell::try_from(UVec2::MAX).is_err());
/// ```
impl TryFrom<UVec2> for Cell {
    type Error = std::num::TryFromIntError;

    fn try_from(vector: UVec2) -> Result<Self, Self::Error> {
        Ok(Self::new(vector.x.try_into()?, vector.y.try_into()?))
    }
}

/// An error if a coordinate is negative.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use glam::UVec2;
/// assert_eq!(UVec2::try_from(Cell::new(3, 4)), Ok(UVec2::new(3, 4)));
/// assert!(UVec2::try_from(Cell::new(-1, 0)).is_err());
/// ```
impl TryFrom<Cell> for UVec2 {
    type Error = std::num::TryFromIntError;

    fn try_from(cell: Cell) -> Result<Self, Self::Error> {
        Ok(Self::new(cell.x.try_into()?, cell.y.try_into()?))
    }
}

impl From<UVec2> for Size {
    fn from(vector: UVec2) -> Self {
        Self::new(vector.x, vector.y)
    }
}

impl From<Size> for UVec2 {
    fn from(size: Size) -> Self {
        Self::new(size.width, size.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_and_cells_convert_both_ways() {
        assert_eq!(Cell::from(IVec2::from(Cell::new(-3, 4))), Cell::new(-3, 4));
        assert_eq!(Size::from(UVec2::from(Size::new(3, 4))), Size::new(3, 4));
    }
}
