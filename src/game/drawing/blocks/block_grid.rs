//! Divides the map into square blocks of cells. Most things are drawn only in blocks near the view.

use bevy::prelude::*;

use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::iso::Projection;

use crate::game::viewport::{Viewport, cells_in};

/// The blocks of a map. A block is identified by its column and row among the blocks.
#[derive(Clone, Copy)]
pub(in crate::game) struct BlockGrid {
    map: Projection,
    /// The width and height of a block in cells.
    side: i32,
}

impl BlockGrid {
    pub fn new(map: &OpenMap, side: i32) -> Self {
        Self { map: map.projection(), side }
    }

    /// The block of a cell.
    pub(in crate::game) fn block_of(self, cell: Cell) -> IVec2 {
        IVec2::new(cell.x, cell.y).div_euclid(IVec2::splat(self.side))
    }

    /// The first cell of a block.
    pub fn corner(self, block: IVec2) -> Cell {
        let IVec2 { x, y } = block * self.side;
        Cell::new(x, y)
    }

    /// The cells of a block that are on the map.
    pub fn cells(self, block: IVec2) -> impl Iterator<Item = Cell> {
        let side = self.side;
        let map = self.map.size();
        let corner = self.corner(block);
        let cells = (0..side * side).map(move |k| corner + (k % side, k / side));
        cells.filter(move |cell| map.contains(*cell))
    }

    /// The blocks with cells in a rectangle of cells, which may extend beyond the map.
    pub fn between(self, first: Cell, last: Cell) -> impl Iterator<Item = IVec2> {
        let Size { width, height } = self.map.size();
        let first = Cell::new(first.x.max(0), first.y.max(0));
        let last = Cell::new(last.x.min(width as i32 - 1), last.y.min(height as i32 - 1));
        let first = self.block_of(first);
        let last = self.block_of(last);
        (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| IVec2::new(x, y)))
    }

    /// The blocks that may be visible.
    pub fn near(self, view: &Viewport) -> impl Iterator<Item = IVec2> {
        let shown = self.near_rect(view);
        let IRect { min, max } = cells_in(shown, self.map);
        self.between(Cell::new(min.x, min.y), Cell::new(max.x, max.y)).filter(move |block| self.is_in(*block, shown))
    }

    /// Whether a part of a block may be visible.
    pub(in crate::game) fn is_near(self, block: IVec2, view: &Viewport) -> bool {
        self.is_in(block, self.near_rect(view))
    }

    /// The rectangle of map points around the ground, at level 0, of everything that may be visible.
    fn near_rect(self, view: &Viewport) -> Rect {
        let (width, height) = self.map.tile().size();
        let mut shown = view.visible_rect().inflate(4.0 * width.max(height) as f32);
        shown.max.y += self.map.headroom() as f32;
        shown
    }

    fn is_in(self, block: IVec2, rect: Rect) -> bool {
        self.bounds(block).intersect(rect).size().min_element() > 0.0
    }

    /// The rectangle of map points around the ground of a block, at level 0.
    pub(in crate::game) fn bounds(self, block: IVec2) -> Rect {
        let far = self.side - 1;
        let first = self.corner(block);
        let centre = |dx: i32, dy: i32| {
            let (x, y) = self.map.centre(first + (dx, dy));
            Vec2::new(x as f32, y as f32)
        };
        Rect { min: Vec2::new(centre(0, 0).x, centre(far, 0).y), max: Vec2::new(centre(far, far).x, centre(0, far).y) }
    }
}
