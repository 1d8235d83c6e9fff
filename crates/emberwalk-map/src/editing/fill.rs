//! Flood fill.

use crate::map::{Layers, SharedGrid};
use crate::terrain::Layer;
use emberwalk_path::grid::Cell;

/// The cells that a fill from `cell` changes, row by row: all cells with the same terrain in this layer that are
/// connected to it by shared edges. An empty overlay counts as a terrain. Empty if `cell` is off the map; `None` if
/// there are more than `max` cells.
///
/// Takes at most O(rows of the filled area * columns of the map).
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::editing::fill;
/// use emberwalk_map::terrain::{Layer, Tileset};
/// let text = r#"(name: "a", base: ["GGS", "SSG"], overlay: [".W.", "..."])"#;
/// let map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
/// assert_eq!(fill(&map, (0, 0).into(), Layer::Base, 2), Some(vec![(0, 0).into(), (1, 0).into()]));
/// assert_eq!(fill(&map, (0, 0).into(), Layer::Overlay, 4), None, "there are five");
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
pub fn fill(map: &Layers, cell: Cell, layer: Layer, max: usize) -> Option<Vec<Cell>> {
    match layer {
        Layer::Base => fill_equal(map.base(), cell, max),
        Layer::Overlay => fill_equal(map.overlay(), cell, max),
    }
}

/// The cells that have the same value as `cell` and are connected to it by such cells; `None` if there are more than
/// `max`.
pub(super) fn fill_equal<T: PartialEq>(values: &SharedGrid<T>, cell: Cell, max: usize) -> Option<Vec<Cell>> {
    let Some(wanted) = values.get(cell) else { return Some(Vec::new()) };
    let size = values.size();
    let width = size.width as usize;
    let height = size.height as usize;
    let row = |y: usize| values.row(y as i32);
    let mut is_filled = vec![false; size.area()];
    // Each entry is a cell of a run that was not filled when it was added.
    let mut open = vec![(cell.x as usize, cell.y as usize)];
    let mut count = 0;
    let mut first_row = cell.y;
    let mut last_row = cell.y;
    while let Some((x, y)) = open.pop() {
        if is_filled[y * width + x] {
            continue;
        }
        let (west, east) = row(y).split_at(x);
        let from = west.iter().rposition(|value| value != wanted).map_or(0, |at| at + 1);
        let to = east.iter().position(|value| value != wanted).map_or(width, |at| x + at);
        is_filled[y * width..][from..to].fill(true);
        count += to - from;
        if count > max {
            return None;
        }
        first_row = first_row.min(y as i32);
        last_row = last_row.max(y as i32);
        for y in [y.checked_sub(1), Some(y + 1).filter(|y| *y < height)].into_iter().flatten() {
            let neighbours = (from..to).zip(&row(y)[from..to]).zip(&is_filled[y * width..][from..to]);
            let mut was_open = false;
            for ((x, value), is_filled) in neighbours {
                let is_open = value == wanted && !is_filled;
                // One cell of each run is enough.
                if is_open && !was_open {
                    open.push((x, y));
                }
                was_open = is_open;
            }
        }
    }
    let mut filled = Vec::with_capacity(count);
    for (y, is_filled) in (first_row..=last_row).zip(is_filled.chunks_exact(width).skip(first_row as usize)) {
        let row = (0..).zip(is_filled).filter(|(_, filled)| **filled);
        filled.extend(row.map(|(x, _)| Cell::new(x, y)));
    }
    Some(filled)
}
