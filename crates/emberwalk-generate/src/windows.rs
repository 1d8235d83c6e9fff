//! Windows: parts of a large map on which roads are planned in parallel, with memory that fits into the cache.

use std::ops::Range;

use emberwalk_map::Area;
use emberwalk_path::grid::{Cell, Size};

/// A map with at most this many columns and rows is one window.
const MAX_SIDE: u32 = 512;
/// The minimum distance between the ends of a road and the edge of its window, unless that is the edge of the map.
const ROOM: i32 = 16;
/// How far the window of a single road extends beyond its ends.
const REACH: i32 = 48;

/// The window for one road on a map of the given size.
pub(super) fn around(from: Cell, to: Cell, map: Size) -> Area {
    let span =
        |from: i32, to: i32, length: u32| (from.min(to) - REACH).max(0)..(from.max(to) + REACH + 1).min(length as i32);
    window(span(from.x, to.x, map.width), span(from.y, to.y, map.height))
}

fn window(columns: Range<i32>, rows: Range<i32>) -> Area {
    Area::between(Cell::new(columns.start, rows.start), Cell::new(columns.end - 1, rows.end - 1))
}

/// Whether a road from or to `cell` has room in this window of a map of the given size.
pub(super) fn has_room(window: Area, cell: Cell, map: Size) -> bool {
    let has_room = |at: i32, first: i32, last: i32, length: u32| {
        let first = if first == 0 { 0 } else { first + ROOM };
        let last = if last + 1 == length as i32 { last } else { last - ROOM };
        (first..=last).contains(&at)
    };
    let (first, last) = (window.first(), window.last());
    has_room(cell.x, first.x, last.x, map.width) && has_room(cell.y, first.y, last.y, map.height)
}

/// Whether a map of the given size is one window.
pub(super) fn is_one(map: Size) -> bool {
    map.width.max(map.height) <= MAX_SIDE
}

/// Divides a map into windows in two ways. A road that has no room in the first tiling, because it is near an edge,
/// mostly has room in the second.
pub(super) fn tilings(map: Size) -> [Vec<Area>; 2] {
    [false, true].map(|is_shifted| {
        let columns = spans(map.width, is_shifted);
        let rows = spans(map.height, is_shifted);
        rows.iter().flat_map(|rows| columns.iter().map(|columns| window(columns.clone(), rows.clone()))).collect()
    })
}

/// Divides a length into spans of at most [`MAX_SIDE`]. If they are shifted, the first and last are half as long.
fn spans(length: u32, is_shifted: bool) -> Vec<Range<i32>> {
    let count = length.div_ceil(MAX_SIDE);
    let first = if is_shifted { 1 } else { 2 };
    let ends = (first..2 * count).step_by(2).map(|half| length * half / (2 * count)).chain([length]);
    let ends: Vec<_> = ends.map(|end| end as i32).collect();
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, &end)| start..end).filter(|span| !span.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tiling_covers_each_cell_once_and_small_maps_are_one_window() {
        for (width, height) in [(1, 1), (512, 512), (513, 2), (1, 4096), (1300, 700)] {
            let map = Size::new(width, height);
            for tiling in tilings(map) {
                let area: usize = tiling.iter().map(|window| window.size().area()).sum();
                assert_eq!(area, map.area(), "{map}");
                assert!(tiling.iter().all(|window| is_one(window.size())), "{map}");
                for (index, one) in tiling.iter().enumerate() {
                    let is_beside = |other: &Area| one.overlap(*other).is_none();
                    assert!(tiling[index + 1..].iter().all(is_beside), "{map}");
                }
            }
            let whole = Area::of_map(map);
            assert_eq!(tilings(map)[0] == [whole], is_one(map), "{map}");
            assert!(map.cells().step_by(7).all(|cell| has_room(whole, cell, map)));
        }
    }
}
