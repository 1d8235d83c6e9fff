//! Flood fill.

use crate::grid::{Cell, Size};
use crate::map::Map;
use crate::terrain::Layer;

/// Returns the cells that a fill from `cell` changes, row by row: those with the same terrain in this layer that can be
/// reached through shared edges of such cells. No overlay counts as a terrain. Returns nothing if `cell` is off the map.
///
/// O(cells of the map) at most.
///
/// ```
/// use emberwalk::map::Map;
/// use emberwalk::painting::fill;
/// use emberwalk::terrain::{Layer, Tileset};
/// let text = r#"(name: "a", base: ["GGS", "SSG"], overlay: [".W.", "..."])"#;
/// let map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
/// assert_eq!(fill(&map, (0, 0).into(), Layer::Base), [(0, 0).into(), (1, 0).into()]);
/// assert_eq!(fill(&map, (0, 0).into(), Layer::Overlay).len(), 5);
/// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
/// ```
pub fn fill(map: &Map, cell: Cell, layer: Layer) -> Vec<Cell> {
    match layer {
        Layer::Base => fill_equal(map.size(), map.base().values(), cell),
        Layer::Overlay => fill_equal(map.size(), map.overlay().values(), cell),
    }
}

/// Returns the cells that a fill of levels from `cell` changes, row by row: those at its level that can be reached through
/// shared edges of such cells. Returns nothing if `cell` is off the map.
///
/// O(cells of the map).
pub fn fill_level(map: &Map, cell: Cell) -> Vec<Cell> {
    let levels: Vec<u8> = map.size().cells().map(|cell| map.level(cell)).collect();
    fill_equal(map.size(), &levels, cell)
}

/// Returns the cells whose value is that of `cell`, and that are connected with it by such cells.
fn fill_equal<T: PartialEq + Copy>(size: Size, values: &[T], cell: Cell) -> Vec<Cell> {
    let Some(start) = size.index(cell) else { return Vec::new() };
    let (width, wanted) = (size.width as usize, values[start]);
    let mut is_filled = vec![false; values.len()];
    // Each entry is one cell of a run that is not filled yet, or no longer.
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        if is_filled[at] {
            continue;
        }
        let row = at - at % width;
        let is_wanted = |at: usize| values[at] == wanted;
        let from = (row..at).rev().take_while(|&at| is_wanted(at)).last().unwrap_or(at);
        let to = (at..row + width).take_while(|&at| is_wanted(at)).last().unwrap_or(at);
        is_filled[from..=to].fill(true);
        let above = from.checked_sub(width).map(|above| above..=to - width);
        let below = (to + width < values.len()).then_some(from + width..=to + width);
        for neighbours in [above, below].into_iter().flatten() {
            let mut was_open = false;
            for at in neighbours {
                let is_open = is_wanted(at) && !is_filled[at];
                // One cell of each run is enough.
                if is_open && !was_open {
                    open.push(at);
                }
                was_open = is_open;
            }
        }
    }
    let filled = size.cells().zip(&is_filled).filter(|(_, filled)| **filled);
    filled.map(|(cell, _)| cell).collect()
}
