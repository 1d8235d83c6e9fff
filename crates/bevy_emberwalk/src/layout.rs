//! Where cells are in the world.

use bevy_math::Vec2;
use bevy_reflect::Reflect;

/// Where the cells of a grid are in the world: the middle of cell (0, 0) is in the origin. Rows go down, as on a map.
///
/// ```
/// use bevy_emberwalk::CellLayout;
/// use bevy_math::Vec2;
/// let layout = CellLayout::isometric(54.0, 27.0);
/// assert_eq!(layout.to_world(Vec2::new(1.0, 0.0)), Vec2::new(27.0, -13.5));
/// assert_eq!(layout.to_cells(Vec2::new(27.0, -13.5)), Vec2::new(1.0, 0.0));
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
pub struct CellLayout {
    /// From a cell to the next one in its row, and to the next row.
    column: Vec2,
    row: Vec2,
}

impl Default for CellLayout {
    fn default() -> Self {
        Self::orthogonal(32.0, 32.0)
    }
}

impl CellLayout {
    /// Rectangles of this width and height.
    pub const fn orthogonal(width: f32, height: f32) -> Self {
        Self { column: Vec2::new(width, 0.0), row: Vec2::new(0.0, -height) }
    }

    /// Diamonds of this width and height: columns go down to the right, rows down to the left.
    pub const fn isometric(width: f32, height: f32) -> Self {
        let (x, y) = (width / 2.0, height / 2.0);
        Self { column: Vec2::new(x, -y), row: Vec2::new(-x, -y) }
    }

    /// Hexagons in rows, for grids whose agents take six moves: each row begins half a cell farther to the right.
    pub const fn hexagonal(width: f32, height: f32) -> Self {
        Self { column: Vec2::new(width, 0.0), row: Vec2::new(width / 2.0, -height * 0.75) }
    }

    /// The point of the world for a position in cells: whole numbers are the middles of cells.
    pub fn to_world(&self, cells: Vec2) -> Vec2 {
        self.column * cells.x + self.row * cells.y
    }

    /// The position in cells of a point of the world. Round it to get the cell, except with hexagons.
    pub fn to_cells(&self, world: Vec2) -> Vec2 {
        let determinant = self.column.perp_dot(self.row);
        Vec2::new(world.perp_dot(self.row), self.column.perp_dot(world)) / determinant
    }
}
