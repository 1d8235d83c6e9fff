//! Shapes roads: few bends, and one cell wide.

use super::draft::{DraftMap, OverlayTerrain};
use emberwalk_path::CostGrid;
use emberwalk_path::grid::{Cell, Direction};

/// How far ahead a road is straightened, in cells.
const LOOK_AHEAD: usize = 18;

/// The route with fewer bends: sections are replaced with ones that have at most one bend and cost little more.
pub(super) fn straightened(costs: &CostGrid, route: &[Cell]) -> Vec<Cell> {
    let units = |cell: Cell| costs.get(cell).map_or(u64::from(u32::MAX), |cost| u64::from(cost.units()));
    let mut straight: Vec<Cell> = route.first().copied().into_iter().collect();
    let mut at = 0;
    while at + 1 < route.len() {
        let last = (at + LOOK_AHEAD).min(route.len() - 1);
        let mut sum: u64 = route[at + 1..=last].iter().map(|&cell| units(cell)).sum();
        let mut next = at + 1;
        let mut leg = vec![route[next]];
        for ahead in (at + 2..=last).rev() {
            let bent = legs(route[at], route[ahead])
                .into_iter()
                .min_by_key(|leg| leg.iter().map(|&cell| units(cell)).sum::<u64>());
            let Some(bent) = bent else { continue };
            let cost: u64 = bent.iter().map(|&cell| units(cell)).sum();
            if cost * 100 <= sum * 106 {
                (next, leg) = (ahead, bent);
                break;
            }
            sum -= units(route[ahead]);
        }
        straight.extend(leg);
        at = next;
    }
    straight
}

/// The two routes between two cells with at most one bend, without the first cell.
fn legs(from: Cell, to: Cell) -> [Vec<Cell>; 2] {
    let horizontal = |y: i32, from: i32, to: i32| line(from, to).map(move |x| Cell::new(x, y));
    let vertical = |x: i32, from: i32, to: i32| line(from, to).map(move |y| Cell::new(x, y));
    [
        horizontal(from.y, from.x, to.x).chain(vertical(to.x, from.y, to.y)).collect(),
        vertical(from.x, from.y, to.y).chain(horizontal(to.y, from.x, to.x)).collect(),
    ]
}

/// The whole numbers after `from`, up or down to and including `to`.
fn line(from: i32, to: i32) -> impl Iterator<Item = i32> {
    let step = (to - from).signum();
    (1..=(to - from).abs()).map(move |k| from + k * step)
}

/// Removes a cell from each block of 2 x 2 road cells if no other road meets that cell, so that roads do not widen to
/// squares.
pub(super) fn thin(draft: &mut DraftMap) {
    for corner in draft.size().cells() {
        let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|offset| corner + offset);
        if !block.iter().all(|&cell| draft.overlay_at(cell) == OverlayTerrain::Road) {
            continue;
        }
        let connections =
            |cell: Cell| Direction::SIDES.iter().filter(|&&side| connects(draft.overlay_at(cell + side))).count();
        if let Some(&loose) = block.iter().find(|&&cell| connections(cell) == 2) {
            draft.set_overlay(loose, OverlayTerrain::Empty);
        }
    }
}

fn connects(overlay: OverlayTerrain) -> bool {
    overlay.is_road() || matches!(overlay, OverlayTerrain::Tent | OverlayTerrain::Castle)
}
