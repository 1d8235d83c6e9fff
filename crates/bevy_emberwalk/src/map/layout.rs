//! Where cells are in the world.

use bevy_math::{Vec2, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::grid::Cell;

/// Where the cells of a grid are in the world. By default the middle of cell (0, 0) is in the origin, and rows go down, as
/// on a map.
///
/// ```
/// use bevy_emberwalk::prelude::*;
/// use bevy_math::Vec2;
/// let layout = CellLayout::isometric(54.0, 27.0);
/// assert_eq!(layout.to_world(Vec2::new(1.0, 0.0)), Vec2::new(27.0, -13.5));
/// assert_eq!(layout.cell_at(Vec2::new(29.0, -12.0)), Cell::new(1, 0));
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Default, Clone, Debug, PartialEq)]
#[must_use]
pub struct CellLayout {
    /// The middle of cell (0, 0).
    #[cfg_attr(feature = "serde", serde(with = "vector"))]
    origin: Vec2,
    /// From a cell to the next cell in its row, and to the next row.
    #[cfg_attr(feature = "serde", serde(with = "vector"))]
    column: Vec2,
    #[cfg_attr(feature = "serde", serde(with = "vector"))]
    row: Vec2,
    is_hexagonal: bool,
    /// In 3D, how much higher a level is than the level below it.
    level_height: Option<f32>,
}

impl Default for CellLayout {
    fn default() -> Self {
        Self::orthogonal(32.0, 32.0)
    }
}

impl CellLayout {
    /// Parallelograms: `column` leads from a cell to the next cell in its row, and `row` to the cell in the next row.
    pub const fn new(column: Vec2, row: Vec2) -> Self {
        Self { origin: Vec2::ZERO, column, row, is_hexagonal: false, level_height: None }
    }

    /// Rectangles of this width and height.
    pub const fn orthogonal(width: f32, height: f32) -> Self {
        Self::new(Vec2::new(width, 0.0), Vec2::new(0.0, -height))
    }

    /// Diamonds of this width and height: columns go down to the right, rows down to the left.
    pub const fn isometric(width: f32, height: f32) -> Self {
        let (x, y) = (width / 2.0, height / 2.0);
        Self::new(Vec2::new(x, -y), Vec2::new(-x, -y))
    }

    /// Hexagons with a corner on top, of this width and height, for grids whose agents take six moves: each row begins
    /// half a cell farther to the left.
    pub const fn hexagonal(width: f32, height: f32) -> Self {
        let layout = Self::new(Vec2::new(width, 0.0), Vec2::new(-width / 2.0, -height * 0.75));
        Self { is_hexagonal: true, ..layout }
    }

    /// The same layout with the middle of cell (0, 0) at another point.
    pub const fn with_origin(self, origin: Vec2) -> Self {
        Self { origin, ..self }
    }

    /// The same layout in 3D: the map lies on the ground, x goes to the right, and y of the layout goes away from the
    /// viewer, against z. Each level of the map is this much higher than the level below it.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// use bevy_math::Vec2;
    /// use bevy_math::Vec3;
    /// let layout = CellLayout::orthogonal(1.0, 1.0).in_3d(0.5);
    /// let point = layout.to_3d(layout.to_world(Vec2::new(4.0, 7.0)), 2.0);
    /// assert_eq!(point, Vec3::new(4.0, 1.0, 7.0));
    /// // Where the pointer meets the ground.
    /// assert_eq!(layout.cell_at(layout.to_2d(point)), Cell::new(4, 7));
    /// ```
    pub const fn in_3d(self, level_height: f32) -> Self {
        Self { level_height: Some(level_height), ..self }
    }

    /// Whether the map lies on the ground of a world in 3D.
    pub const fn is_in_3d(&self) -> bool {
        self.level_height.is_some()
    }

    /// A point of the map in 3D, at the height of a level; for example, half-way between two levels on a slope. In 2D,
    /// z is 0.
    pub fn to_3d(&self, point: Vec2, level: f32) -> Vec3 {
        match self.level_height {
            Some(height) => Vec3::new(point.x, level * height, -point.y),
            None => point.extend(0.0),
        }
    }

    /// The point of the map below or above a point in 3D.
    pub fn to_2d(&self, point: Vec3) -> Vec2 {
        if self.is_in_3d() { Vec2::new(point.x, -point.z) } else { point.truncate() }
    }

    /// The point of the world for a position in cells: whole numbers are the middles of cells.
    pub fn to_world(&self, cells: Vec2) -> Vec2 {
        self.origin + self.column * cells.x + self.row * cells.y
    }

    /// The position in cells of a point of the world.
    pub fn to_cells(&self, world: Vec2) -> Vec2 {
        let world = world - self.origin;
        let determinant = self.column.perp_dot(self.row);
        Vec2::new(world.perp_dot(self.row), self.column.perp_dot(world)) / determinant
    }

    /// The cell at a point of the world.
    pub fn cell_at(&self, world: Vec2) -> Cell {
        let exact = self.to_cells(world);
        let Vec2 { mut x, mut y } = exact.round();
        if self.is_hexagonal {
            // The third axis of the hexagons. The coordinate that was rounded most follows from the other two.
            let third = (exact.y - exact.x).round();
            let [by_x, by_y] = [(x - exact.x).abs(), (y - exact.y).abs()];
            let by_third = (third - (exact.y - exact.x)).abs();
            if by_x > by_y && by_x > by_third {
                x = y - third;
            } else if by_y > by_third {
                y = x + third;
            }
        }
        Cell::new(x as i32, y as i32)
    }

    /// The corners of a cell, in turn.
    pub fn corners(&self, cell: Cell) -> impl Iterator<Item = Vec2> {
        let middle = self.to_world(Vec2::new(cell.x as f32, cell.y as f32));
        let half = (self.column / 2.0, self.row / 2.0);
        let sides = [half.0 + half.1, half.0 - half.1, -half.0 - half.1, half.1 - half.0];
        let hexagon = self.is_hexagonal.then(|| {
            let (x, y) = (Vec2::new(half.0.x, 0.0), Vec2::new(0.0, self.row.y / 3.0));
            [y * 2.0, x + y, x - y, y * -2.0, -x - y, y - x]
        });
        let corners = hexagon.map_or_else(|| sides.to_vec(), |corners| corners.to_vec());
        corners.into_iter().map(move |corner| middle + corner)
    }
}

/// Vectors as they are saved: as numbers, so that the engine needs no feature for it.
#[cfg(feature = "serde")]
mod vector {
    use bevy_math::Vec2;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(vector: &Vec2, serializer: S) -> Result<S::Ok, S::Error> {
        vector.to_array().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec2, D::Error> {
        <[f32; 2]>::deserialize(deserializer).map(Vec2::from_array)
    }
}

#[cfg(test)]
mod tests {
    use emberwalk_path::Moves;

    use super::*;

    fn layouts() -> [CellLayout; 3] {
        [CellLayout::orthogonal(20.0, 30.0), CellLayout::isometric(54.0, 27.0), CellLayout::hexagonal(30.0, 36.0)]
            .map(|layout| layout.with_origin(Vec2::new(3.0, -70.0)))
    }

    fn middle(layout: &CellLayout, cell: Cell) -> Vec2 {
        layout.to_world(Vec2::new(cell.x as f32, cell.y as f32))
    }

    /// Just inside each corner of a cell is the cell, and just outside it is not.
    #[test]
    fn a_cell_ends_at_its_corners() {
        for layout in layouts() {
            for cell in [Cell::new(0, 0), Cell::new(7, 3), Cell::new(-2, 9)] {
                let middle = middle(&layout, cell);
                for corner in layout.corners(cell) {
                    assert_eq!(layout.cell_at(middle.lerp(corner, 0.98)), cell, "{layout:?}");
                    assert_ne!(layout.cell_at(middle.lerp(corner, 1.02)), cell, "{layout:?}");
                }
            }
        }
    }

    /// The six moves lead to the six hexagons around a cell: all are equally far.
    #[test]
    fn hexagons_are_beside_the_cells_of_the_six_moves() {
        let layout = CellLayout::hexagonal(30.0, 2.0 * 30.0 / 3.0_f32.sqrt());
        for direction in Moves::Six.directions() {
            let (x, y) = direction.offset();
            assert!((middle(&layout, Cell::new(x, y)).length() - 30.0).abs() < 0.01, "{direction:?}");
        }
    }
}
