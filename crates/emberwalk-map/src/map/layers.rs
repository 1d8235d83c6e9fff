//! The layers of a map: the terrain and the level of every cell.

use std::sync::Arc;

use super::levels::Levels;
use super::{CellEdit, LayerEdit, SharedGrid};
use crate::hour::Hour;
use crate::terrain::{Terrain, TerrainId, Tileset};
use emberwalk_path::grid::{Cell, Size};

/// The terrain and the level of every cell, and the hour by which terrain is shut, which is everything that drawing a map
/// needs. All layers have the same size.
///
/// A clone shares memory with the original, so cloning takes hardly any time, and a thread can use the clone while the
/// map changes.
#[derive(Clone, Debug)]
pub struct Layers {
    pub(super) tileset: Arc<Tileset>,
    pub(super) base: SharedGrid<TerrainId>,
    pub(super) overlay: SharedGrid<Option<TerrainId>>,
    pub(super) levels: Levels,
    /// The hour that decides about opening hours; `None` if everything is open.
    pub(super) hour: Option<Hour>,
}

impl Layers {
    /// The tileset that defines the characters of the map.
    pub fn tileset(&self) -> &Arc<Tileset> {
        &self.tileset
    }

    /// The number of columns and rows, each 1 to [`MAX_SIDE`](super::MAX_SIDE).
    pub fn size(&self) -> Size {
        self.base.size()
    }

    /// The lower layer: the ground of every cell.
    pub fn base(&self) -> &SharedGrid<TerrainId> {
        &self.base
    }

    /// The upper layer: the terrain on the ground of every cell, if any.
    pub fn overlay(&self) -> &SharedGrid<Option<TerrainId>> {
        &self.overlay
    }

    /// The level of every cell.
    pub fn levels(&self) -> &SharedGrid<u8> {
        &self.levels.grid
    }

    /// The ground of a cell; `None` off the map.
    pub fn base_id(&self, cell: Cell) -> Option<TerrainId> {
        self.base.get(cell).copied()
    }

    /// The overlay of a cell; `None` where there is none and off the map.
    pub fn overlay_id(&self, cell: Cell) -> Option<TerrainId> {
        self.overlay.get(cell).copied().flatten()
    }

    /// The base terrain at `cell`; `None` off the map.
    pub fn base_at(&self, cell: Cell) -> Option<&Terrain> {
        self.base_id(cell).map(|id| &self.tileset[id])
    }

    /// The overlay terrain at `cell`; `None` where there is none and off the map.
    pub fn overlay_at(&self, cell: Cell) -> Option<&Terrain> {
        self.overlay_id(cell).map(|id| &self.tileset[id])
    }

    /// The level of `cell`, 0 to [`MAX_LEVEL`](super::MAX_LEVEL); 0 off the map.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "Hill", base: ["GGG"], overlay: ["1.2"], heights: ["03."])"#;
    /// let map = Map::parse("hill.ron", text, &Tileset::load(None)?.into())?;
    /// assert_eq!([0, 1, 2, 3].map(|x| map.level((x, 0).into())), [0, 3, 0, 0]);
    /// assert_eq!(map.top(), 3);
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn level(&self, cell: Cell) -> u8 {
        self.levels.get(cell)
    }

    /// The highest level of all cells: 0 if the map is flat. O(1).
    pub fn top(&self) -> u8 {
        self.levels.top()
    }

    /// The cells whose terrain or level differs in `other`, row by row; `None` if the sizes or tilesets differ, so that
    /// cells cannot be compared.
    ///
    /// Takes time proportional to the unshared memory, see [`share_blocks_with`](Self::share_blocks_with).
    pub fn differing_cells<'a>(&'a self, other: &'a Self) -> Option<impl Iterator<Item = Cell> + 'a> {
        let comparable = self.size() == other.size() && Arc::ptr_eq(&self.tileset, &other.tileset);
        let Size { width, height } = self.size();
        let content = |layers: &Self, cell: Cell| (layers.base[cell], layers.overlay[cell], layers.level(cell));
        comparable.then(|| {
            let rows = (0..height as i32).filter(|y| !self.has_same_row(other, *y));
            let cells = rows.flat_map(move |y| (0..width as i32).map(move |x| Cell::new(x, y)));
            cells.filter(move |cell| content(self, *cell) != content(other, *cell))
        })
    }

    /// The edits that turn these layers into `other`; `None` if the sizes or tilesets differ. Takes as long as
    /// [`differing_cells`](Self::differing_cells).
    pub fn edits_towards(&self, other: &Self) -> Option<Vec<CellEdit>> {
        let edits = self.differing_cells(other)?.flat_map(|cell| {
            let all = [
                LayerEdit::Base(other.base[cell]),
                LayerEdit::Overlay(other.overlay[cell]),
                LayerEdit::Level(other.level(cell)),
            ];
            all.map(|to| CellEdit { cell, to }).into_iter().filter(|edit| self.content_before(*edit) != edit.to)
        });
        Some(edits.collect())
    }

    /// Shares the memory of `earlier` where both are equal, so that they can be compared quickly. O(cells).
    pub fn share_blocks_with(&mut self, earlier: &Self) {
        self.base.share_blocks_with(&earlier.base);
        self.overlay.share_blocks_with(&earlier.overlay);
        self.levels.grid.share_blocks_with(&earlier.levels.grid);
    }

    /// Whether row `y` is equal in other layers of the same size.
    fn has_same_row(&self, other: &Self, y: i32) -> bool {
        fn same<T: PartialEq>(one: &SharedGrid<T>, other: &SharedGrid<T>, y: i32) -> bool {
            one.shares_row(other, y) || one.row(y) == other.row(y)
        }
        same(&self.base, &other.base, y)
            && same(&self.overlay, &other.overlay, y)
            && same(&self.levels.grid, &other.levels.grid, y)
    }

    /// The current content of the layer of an edit.
    ///
    /// # Panics
    /// If the cell is not on the map.
    pub fn content_before(&self, CellEdit { cell, to }: CellEdit) -> LayerEdit {
        match to {
            LayerEdit::Base(_) => LayerEdit::Base(self.base[cell]),
            LayerEdit::Overlay(_) => LayerEdit::Overlay(self.overlay[cell]),
            LayerEdit::Level(_) => LayerEdit::Level(self.level(cell)),
        }
    }

    /// Puts the new content into its layer.
    pub(crate) fn replace(&mut self, CellEdit { cell, to }: CellEdit) {
        match to {
            LayerEdit::Base(ground) => self.base.set(cell, ground),
            LayerEdit::Overlay(overlay) => self.overlay.set(cell, overlay),
            LayerEdit::Level(level) => self.levels.set(cell, level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Map, MapContent};

    /// The text of a large map, with these characters at the start of rows 100 of overlay and heights.
    fn text(overlay: &str, heights: &str) -> String {
        let layer = |char: &str, row_100: &str| -> Vec<String> {
            let row = |y| format!("{}{}", if y == 100 { row_100 } else { "" }, char.repeat(1024));
            (0..200).map(|y| row(y).chars().take(1024).collect()).collect()
        };
        let base = layer("G", "");
        let overlay = layer(".", overlay);
        let heights = layer("0", heights);
        format!("(name: \"a\", base: {base:?}, overlay: {overlay:?}, heights: {heights:?})")
    }

    #[test]
    fn a_cell_takes_a_byte_in_each_layer_of_terrain() {
        assert_eq!([size_of::<TerrainId>(), size_of::<Option<TerrainId>>()], [1, 1]);
    }

    #[test]
    fn a_clone_stays_as_it_is_and_shares_what_is_not_changed() {
        let tileset = Tileset::load(None).unwrap().into();
        let mut map = Map::parse("a.ron", &text("1", "1"), &tileset).unwrap();
        let before = map.content().clone();
        let cell = Cell::new(7, 70);
        let snow = tileset.find('S').unwrap();
        map.apply(&[CellEdit::base(cell, snow), CellEdit::level(cell, 3), CellEdit::overlay(cell, tileset.find('R'))])
            .unwrap();
        assert!(before.base()[cell] != snow && before.overlay()[cell].is_none() && before.level(cell) == 0);
        assert_eq!((before.top(), map.top()), (1, 3));
        let shared = |y| {
            let same = [map.base().shares_row(before.base(), y), map.overlay().shares_row(before.overlay(), y)];
            let same_levels = map.levels().shares_row(before.levels(), y);
            assert!(same == [same_levels; 2], "row {y}");
            same_levels
        };
        let copied: Vec<_> = (0..200).filter(|&y| !shared(y)).collect();
        assert_eq!(copied, (64..96).collect::<Vec<_>>(), "a block has 32 rows");
        assert_eq!(map.differing_cells(&before).unwrap().collect::<Vec<_>>(), [cell]);
        assert_eq!(before.edits_towards(&map).unwrap().len(), 3);
    }

    #[test]
    fn a_map_that_is_read_again_shares_what_is_the_same() {
        let tileset = Tileset::load(None).unwrap().into();
        let map = |overlay, heights| MapContent::parse("a.ron", &text(overlay, heights), &tileset).unwrap();
        let before = map("1WW", "011");
        let mut after = map("1.W", "012");
        let differing = |after: &MapContent| {
            after.differing_cells(&before).unwrap().map(|cell| (cell.x, cell.y)).collect::<Vec<_>>()
        };
        assert_eq!(differing(&after), [(1, 100), (2, 100)]);
        let text = after.to_ron();
        after.share_blocks_with(&before);
        assert_eq!((differing(&after), after.to_ron() == text), (vec![(1, 100), (2, 100)], true));
        assert!((0..200).all(|y| after.base().shares_row(before.base(), y)));
        let copied: Vec<_> = (0..200).filter(|&y| !after.overlay().shares_row(before.overlay(), y)).collect();
        assert_eq!(copied, (96..128).collect::<Vec<_>>());
        let flat = map("1WW", "");
        assert_eq!(differing(&flat), [(1, 100), (2, 100)], "levels are compared with the levels of a flat map, too");
    }
}
