//! Tent and castle, and a way between them whatever else there is.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::random::SeededRandom;
use crate::grid::{Cell, Size};
use crate::path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, Query};

/// Where tent and castle stand; what no kind of map has put is put here, far apart.
pub(super) fn place(draft: &mut DraftMap, random: &mut SeededRandom) -> (Cell, Cell) {
    let Size { width, height } = draft.size();
    let corners = [(0, 0), (width as i32 - 1, height as i32 - 1)].map(Cell::from);
    let castle = draft.find(OverlayTerrain::Castle);
    let tent = draft.find(OverlayTerrain::Tent).unwrap_or_else(|| {
        let far = castle.map_or(corners[0], |castle| opposite_corner(draft.size(), castle));
        stand(draft, OverlayTerrain::Tent, far, random)
    });
    let far = opposite_corner(draft.size(), tent);
    let castle = castle.unwrap_or_else(|| stand(draft, OverlayTerrain::Castle, far, random));
    (tent, castle)
}

/// The corner farthest from `cell`.
pub(super) fn opposite_corner(size: Size, cell: Cell) -> Cell {
    let far = |at: i32, length: u32| if 2 * at < length as i32 { length as i32 - 1 } else { 0 };
    Cell::new(far(cell.x, size.width), far(cell.y, size.height))
}

/// Puts tent or castle on free land near `corner`, or else into the corner itself.
fn stand(draft: &mut DraftMap, thing: OverlayTerrain, corner: Cell, random: &mut SeededRandom) -> Cell {
    let Size { width, height } = draft.size();
    let inwards = |at: i32, length: u32, by: u32| if at == 0 { by as i32 } else { length as i32 - 1 - by as i32 };
    let mut best = None;
    for _ in 0..60 {
        let (dx, dy) = (random.below(width.div_ceil(4)), random.below(height.div_ceil(4)));
        let cell = Cell::new(inwards(corner.x, width, dx), inwards(corner.y, height, dy));
        // A little off the edge there is room for what is tall.
        let edge = u32::from(dx.min(dy) < 2);
        if draft.is_free(cell) && !draft.would_hide_a_road(cell) {
            best = best.min(Some((edge, dx + dy, cell))).or(Some((edge, dx + dy, cell)));
        }
    }
    let cell = best.map_or(corner, |(_, _, cell)| cell);
    if best.is_none() {
        draft.set_base(cell, BaseTerrain::Grass);
    }
    draft.set_overlay(cell, thing);
    cell
}

/// Opens what blocks the way from tent to castle, as little of it as can be: a bridge over water, a gap in all else.
pub(super) fn clear_route(draft: &mut DraftMap, tent: Cell, castle: Cell) {
    let cost = |closed: bool| if closed { EntryCost::from_tiles(200.0).ok() } else { Some(EntryCost::TILE) };
    let grid = CostGrid::from_fn(draft.size(), Diagonal::GAME, |cell| cost(draft.is_blocked(cell)))
        .expect("the size of a map is that of a cost grid");
    let mut planner = Planner::new();
    let query = Query::new(tent, castle).with(Options { moves: Moves::Four, ..Options::default() });
    let Ok(outcome) = planner.plan(&grid, &query) else { return };
    for &cell in outcome.cells() {
        if draft.is_blocked(cell) {
            let bridge = draft.has_base(cell, BaseTerrain::Water);
            draft.set_overlay(cell, if bridge { OverlayTerrain::Bridge } else { OverlayTerrain::Empty });
        }
    }
}
