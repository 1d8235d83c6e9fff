//! Tent and castle, and a way between them whatever else there is.

use super::chance::Chance;
use super::sketch::{Ground, Sketch, Thing};
use crate::grid::{Cell, Size};
use crate::path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, Query};

/// Where tent and castle stand; what no kind of map has put is put here, far apart.
pub(super) fn ends(sketch: &mut Sketch, chance: &mut Chance) -> (Cell, Cell) {
    let Size { width, height } = sketch.size();
    let corners = [(0, 0), (width as i32 - 1, height as i32 - 1)].map(Cell::from);
    let castle = sketch.find(Thing::Castle);
    let tent = sketch.find(Thing::Tent).unwrap_or_else(|| {
        let far = castle.map_or(corners[0], |castle| far_corner(sketch.size(), castle));
        stand(sketch, Thing::Tent, far, chance)
    });
    let far = far_corner(sketch.size(), tent);
    let castle = castle.unwrap_or_else(|| stand(sketch, Thing::Castle, far, chance));
    (tent, castle)
}

/// The corner farthest from `cell`.
pub(super) fn far_corner(size: Size, cell: Cell) -> Cell {
    let far = |at: i32, length: u32| if 2 * at < length as i32 { length as i32 - 1 } else { 0 };
    Cell::new(far(cell.x, size.width), far(cell.y, size.height))
}

/// Puts tent or castle on free land near `corner`, or else into the corner itself.
fn stand(sketch: &mut Sketch, thing: Thing, corner: Cell, chance: &mut Chance) -> Cell {
    let Size { width, height } = sketch.size();
    let inwards = |at: i32, length: u32, by: u32| if at == 0 { by as i32 } else { length as i32 - 1 - by as i32 };
    let mut best = None;
    for _ in 0..60 {
        let (dx, dy) = (chance.below(width.div_ceil(4)), chance.below(height.div_ceil(4)));
        let cell = Cell::new(inwards(corner.x, width, dx), inwards(corner.y, height, dy));
        // A little off the edge there is room for what is tall.
        let edge = u32::from(dx.min(dy) < 2);
        if sketch.is_free(cell) && !sketch.would_hide_a_road(cell) {
            best = best.min(Some((edge, dx + dy, cell))).or(Some((edge, dx + dy, cell)));
        }
    }
    let cell = best.map_or(corner, |(_, _, cell)| cell);
    if best.is_none() {
        sketch.lay(cell, Ground::Grass);
    }
    sketch.put(cell, thing);
    cell
}

/// Opens what blocks the way from tent to castle, as little of it as can be: a bridge over water, a gap in all else.
pub(super) fn clear(sketch: &mut Sketch, tent: Cell, castle: Cell) {
    let cost = |closed: bool| if closed { EntryCost::from_tiles(200.0).ok() } else { Some(EntryCost::TILE) };
    let grid = CostGrid::from_fn(sketch.size(), Diagonal::GAME, |cell| cost(sketch.is_closed(cell)))
        .expect("the size of a map is that of a cost grid");
    let mut planner = Planner::new();
    let query = Query::new(tent, castle).with(Options { moves: Moves::Four, ..Options::default() });
    let Ok(outcome) = planner.plan(&grid, &query) else { return };
    for &cell in outcome.cells() {
        if sketch.is_closed(cell) {
            let bridge = sketch.is(cell, Ground::Water);
            sketch.put(cell, if bridge { Thing::Bridge } else { Thing::Nothing });
        }
    }
}
