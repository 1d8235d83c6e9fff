//! The part of the map on which overlays are drawn. On a large map it is the visible part; zoomed out, only some of its
//! cells count.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::viewport::{Viewport, cells_in};
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::{Cell, Size};

/// The maximum number of cells that count. A map with no more is drawn as a whole. A browser computes them in one
/// thread.
pub(super) const MAX_CELLS: usize = if cfg!(target_arch = "wasm32") { 256 * 256 } else { 512 * 512 };

/// A part of the map: a rectangle that is divided into squares of one or more cells, of which the first one counts.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OverlayArea {
    /// The size of the map.
    map: Size,
    /// The first cell.
    first: Cell,
    /// The columns and rows of squares.
    squares: Size,
    /// The width and height of a square in cells.
    stride: i32,
}

impl OverlayArea {
    /// All cells of a map.
    pub fn whole(map: Size) -> Self {
        Self { map, first: Cell::default(), squares: map, stride: 1 }
    }

    /// The size of the map.
    pub fn map(&self) -> Size {
        self.map
    }

    /// The first cell.
    pub fn first(&self) -> Cell {
        self.first
    }

    /// The columns and rows of squares.
    pub fn squares(&self) -> Size {
        self.squares
    }

    /// The width and height of a square in cells.
    pub(in crate::game) fn stride(&self) -> i32 {
        self.stride
    }

    /// The cells that count, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.squares.cells().map(move |square| self.cell_of(square))
    }

    /// The index of the square in which a cell is; `None` outside.
    pub fn index(&self, cell: Cell) -> Option<usize> {
        self.squares.index(self.square_of(cell))
    }

    /// The cell that counts for the square in which a cell is.
    pub(in crate::game) fn counting(&self, cell: Cell) -> Cell {
        self.cell_of(self.square_of(cell))
    }

    fn square_of(&self, cell: Cell) -> Cell {
        let (x, y) = cell - self.first;
        Cell::new(x.div_euclid(self.stride.max(1)), y.div_euclid(self.stride.max(1)))
    }

    fn cell_of(&self, square: Cell) -> Cell {
        self.first + (square.x * self.stride, square.y * self.stride)
    }

    /// The area around a rectangle of cells, with a margin, divided into a limited number of squares.
    fn around(map: Size, shown: IRect) -> Self {
        let area = shown.inflate(shown.size().max_element() / 8);
        let first = clipped(area.min, map);
        let last = clipped(area.max, map);
        let squares = |stride: i32| {
            let side = |first: i32, last: i32| ((last - first) / stride + 1) as u32;
            Size::new(side(first.x, last.x), side(first.y, last.y))
        };
        let mut stride = 1;
        while squares(stride).area() > MAX_CELLS {
            stride *= 2;
        }
        Self { map, first, squares: squares(stride), stride }
    }

    /// Whether it contains all cells of a rectangle that are on the map.
    fn covers(&self, shown: IRect) -> bool {
        [shown.min, shown.max].into_iter().all(|corner| self.index(clipped(corner, self.map)).is_some())
    }
}

/// The nearest cell on a map.
fn clipped(at: IVec2, map: Size) -> Cell {
    Cell::new(at.x.clamp(0, map.width as i32 - 1), at.y.clamp(0, map.height as i32 - 1))
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OverlayArea>().add_systems(Update, update.in_set(AppSystems::Plan));
}

/// Takes another area if the view has left the current one, or has zoomed in a lot.
fn update(view: Res<Viewport>, map: Res<OpenMap>, mut area: ResMut<OverlayArea>) {
    if map.size().area() <= MAX_CELLS {
        area.set_if_neq(OverlayArea::whole(map.size()));
        return;
    }
    let shown = cells_in_view(&view, &map);
    let next = OverlayArea::around(map.size(), shown);
    if area.map != next.map || area.stride != next.stride || !area.covers(shown) {
        *area = next;
    }
}

/// A rectangle with all cells in the view.
fn cells_in_view(view: &Viewport, map: &OpenMap) -> IRect {
    let mut rect = view.visible_rect();
    let projection = map.projection();
    // The ground position of a raised cell is lower in the picture.
    rect.max.y += projection.headroom() as f32;
    cells_in(rect, projection).inflate(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_covers_the_view_with_few_squares() {
        let map = Size::new(4096, 4096);
        let few = IRect::new(1000, 0, 1040, 40);
        let beyond = [IRect::new(4000, 4000, 4500, 4500), IRect::new(-9, 4090, -1, 5000)];
        for shown in [IRect::new(-50, -50, 4200, 4200), few].into_iter().chain(beyond) {
            let area = OverlayArea::around(map, shown);
            assert!(area.covers(shown), "{area:?}");
            assert!(area.squares().area() <= MAX_CELLS && area.cells().count() == area.squares().area());
            for (index, cell) in area.cells().enumerate() {
                assert_eq!((area.index(cell), area.counting(cell)), (Some(index), cell));
                assert!(map.contains(cell));
            }
        }
        assert_eq!(OverlayArea::around(map, few).stride(), 1);
        assert_eq!(OverlayArea::whole(map).index(Cell::new(4095, 4095)), Some(map.area() - 1));
    }
}
