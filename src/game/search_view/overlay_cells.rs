//! The content of the overlays, cell by cell.

use std::ops::{Index, IndexMut};

use bevy::prelude::*;

use crate::game::action::half::Half;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::overlay::{CellMark, Label, MarkStyle, Overlay};

use super::overlay_area::OverlayArea;

/// The offsets from a cell to the cells that its standing image may hide.
const BEHIND: [(i32, i32); 6] = [(-1, 0), (0, -1), (-1, -1), (-2, -1), (-1, -2), (-2, -2)];

/// The overlays of the halves of the window. Without a race, only the left one is shown, on the whole window. Plugins
/// write overlays here; the view draws them.
#[derive(Resource, Default)]
pub struct Overlays([OverlayCells; 2]);

impl Index<Half> for Overlays {
    type Output = OverlayCells;

    fn index(&self, half: Half) -> &OverlayCells {
        &self.0[half as usize]
    }
}

impl IndexMut<Half> for Overlays {
    fn index_mut(&mut self, half: Half) -> &mut OverlayCells {
        &mut self.0[half as usize]
    }
}

impl Overlays {
    /// Whether an overlay is shown above all standing images.
    pub(in crate::game) fn cover_map(&self) -> bool {
        self.0.iter().any(|overlay| overlay.is_shown() && !overlay.is_on_ground)
    }

    /// Whether the standing image of a cell hides a mark that should be visible.
    pub(in crate::game) fn are_hidden_by(&self, standing: Cell) -> bool {
        self.cover_map()
            || BEHIND.iter().any(|(x, y)| self[Half::Left].is_queue(Cell::new(standing.x + x, standing.y + y)))
    }
}

/// An overlay, cell by cell, on a part of the map.
#[derive(Default)]
pub struct OverlayCells {
    /// A number that is different after each change.
    version: u64,
    /// See [`Overlay::is_on_ground`].
    is_on_ground: bool,
    area: OverlayArea,
    cells: Vec<OverlayCell>,
}

/// The overlay's content on a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayCell {
    /// How the cell is marked.
    pub mark: CellMark,
    /// The text on it.
    pub label: Option<Label>,
    /// The value for lines of equal value, see [`Overlay::contour`].
    pub contour: Option<f32>,
}

impl OverlayCell {
    fn of(overlay: &dyn Overlay, cell: Cell) -> Self {
        Self { mark: overlay.mark(cell), label: overlay.label(cell), contour: overlay.contour(cell) }
    }
}

impl OverlayCells {
    /// Whether an overlay is shown.
    pub fn is_shown(&self) -> bool {
        !self.cells.is_empty()
    }

    /// See [`Overlay::is_on_ground`].
    pub fn is_on_ground(&self) -> bool {
        self.is_on_ground
    }

    /// Whether an overlay on the ground says that agents had to wait in a cell.
    fn is_queue(&self, cell: Cell) -> bool {
        self.is_on_ground && self.get(cell).is_some_and(|cell| cell.mark.style == MarkStyle::Closed)
    }

    /// A number that is different after each change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The size of the map that the overlay is for; zero if none is shown.
    pub fn size(&self) -> Size {
        self.area.map()
    }

    /// The part of the map on which it is drawn.
    pub fn area(&self) -> OverlayArea {
        self.area
    }

    /// The content of each square of the area, row by row.
    pub fn cells(&self) -> &[OverlayCell] {
        &self.cells
    }

    /// The content on a cell; `None` outside the area, and if no overlay is shown.
    pub fn get(&self, cell: Cell) -> Option<&OverlayCell> {
        self.cells.get(self.area.index(cell)?)
    }

    /// Shows an overlay on a part of a map.
    pub fn show(&mut self, area: OverlayArea, overlay: &dyn Overlay) {
        self.version += 1;
        self.is_on_ground = overlay.is_on_ground();
        self.area = area;
        self.cells.clear();
        self.cells.extend(area.cells().map(|cell| OverlayCell::of(overlay, cell)));
    }

    /// Updates some cells of the overlay that is shown.
    pub fn update(&mut self, cells: impl IntoIterator<Item = Cell>, overlay: &dyn Overlay) {
        self.version += 1;
        for cell in cells {
            if let Some(at) = self.area.index(cell) {
                self.cells[at] = OverlayCell::of(overlay, self.area.counting(cell));
            }
        }
    }

    /// Shows no overlay.
    pub(in crate::game) fn hide(&mut self) {
        *self = Self { version: self.version + 1, ..Self::default() };
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Overlays>();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue in one cell.
    struct Queue {
        is_on_ground: bool,
    }

    impl Overlay for Queue {
        fn mark(&self, cell: Cell) -> CellMark {
            let style = if cell == Cell::new(4, 4) { MarkStyle::Closed } else { MarkStyle::Ribbons };
            CellMark { style, ..CellMark::default() }
        }

        fn label(&self, _: Cell) -> Option<Label> {
            None
        }

        fn is_on_ground(&self) -> bool {
            self.is_on_ground
        }
    }

    #[test]
    fn an_overlay_on_the_ground_fades_what_hides_a_queue_and_others_fade_everything() {
        let size = Size::new(9, 9);
        let mut overlays = Overlays::default();
        let fading =
            |overlays: &Overlays| size.cells().filter(|cell| overlays.are_hidden_by(*cell)).collect::<Vec<_>>();
        assert!(fading(&overlays).is_empty());
        overlays[Half::Left].show(OverlayArea::whole(size), &Queue { is_on_ground: true });
        let nearer = [(5, 4), (4, 5), (5, 5), (6, 5), (5, 6), (6, 6)].map(|(x, y)| Cell::new(x, y));
        let mut fade = fading(&overlays);
        fade.sort_by_key(|cell| (cell.x + cell.y, -cell.x));
        assert_eq!(fade, nearer);
        assert!(!overlays.cover_map());
        overlays[Half::Left].show(OverlayArea::whole(size), &Queue { is_on_ground: false });
        assert_eq!(fading(&overlays).len(), 81);
    }
}
