//! The changes of a grid since an answer was confirmed, sorted by how they can affect it.

use crate::cost::changes::MAX_REMEMBERED;
use crate::grid::Cell;
use crate::search::cell_set::CellSet;
use crate::{CellChange, CostGrid, EntryCost, Moves, Stamp};

/// After more changes than this a search is run without checking each of them.
const MAX_CHANGES_CHECKED: usize = 512;

/// The changes since an answer was confirmed, while they are checked. A planner has the memory for all its replanners.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckedChanges {
    /// The cells that have changed.
    cells: CellSet,
    /// The changes near the route.
    pub(crate) nearby: Vec<CellChange>,
    /// The cost decreases anywhere.
    pub(crate) decreases: Vec<Decrease>,
}

/// A cell that became cheaper or passable, or changed its level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decrease {
    pub(crate) cell: Cell,
    /// The largest amount, in units, that a step into the cell can save; `None` if it was blocked before, or if the
    /// grid has levels.
    pub(crate) saved: Option<u64>,
}

impl CheckedChanges {
    /// Collects the changes of the cells `nearby`, which are in order, and the cost decreases for these moves anywhere,
    /// since the grid had this stamp; `None` if there are too many, or if the grid does not remember them.
    pub(crate) fn collect(&mut self, grid: &CostGrid, stamp: Stamp, moves: Moves, nearby: &[u32]) -> Option<()> {
        let Self { cells: changed, nearby: nearby_changes, decreases } = self;
        changed.begin(grid.entry_units().len(), MAX_REMEMBERED);
        nearby_changes.clear();
        nearby_changes.reserve(MAX_CHANGES_CHECKED);
        decreases.clear();
        decreases.reserve(MAX_CHANGES_CHECKED);
        for change in grid.changes_since(stamp)? {
            // Only the first change of a cell contains the cost with which the route was confirmed.
            let at = grid.index(change.cell);
            let now = grid.get(change.cell);
            let level_stays = change.was_level == grid.level(change.cell);
            if !changed.insert(at) || change.was == now && level_stays {
                continue;
            }
            if nearby.binary_search(&(at as u32)).is_ok() {
                // On a grid with levels, the cost that a cell adds to a route depends on its neighbours too.
                if !level_stays || !grid.is_flat() {
                    changed.clear();
                    return None;
                }
                nearby_changes.push(change);
            }
            let saved = match (change.was, now) {
                (_, None) => continue,
                (Some(_), Some(_)) if !level_stays => None,
                (Some(before), Some(now)) if before < now => continue,
                (Some(before), Some(now)) if grid.is_flat() => Some(max_saved(grid, moves, before, now)),
                (_, Some(_)) => None,
            };
            decreases.push(Decrease { cell: change.cell, saved });
            if nearby_changes.len().max(decreases.len()) == MAX_CHANGES_CHECKED {
                break;
            }
        }
        changed.clear();
        (nearby_changes.len().max(decreases.len()) < MAX_CHANGES_CHECKED).then_some(())
    }
}

/// The largest number of units that a step can save if the entry cost decreases from `before` to `now`.
fn max_saved(grid: &CostGrid, moves: Moves, before: EntryCost, now: EntryCost) -> u64 {
    let straight = before.units() - now.units();
    let diagonal = grid.diagonal().of(before.units()) - grid.diagonal().of(now.units());
    u64::from(if moves == Moves::Eight { diagonal.max(straight) } else { straight })
}
