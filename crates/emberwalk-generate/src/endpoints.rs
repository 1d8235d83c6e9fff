//! Places the tent and the castle, and guarantees a route between them.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::planning::{cost_grid, plan};
use super::random::SeededRandom;
use super::{roads, windows};
use emberwalk_path::Planner;
use emberwalk_path::grid::{Cell, Size};

/// The cost of opening a blocked cell, in tiles.
const OPENING_COST: u32 = 200;

/// The cells of the tent and the castle. If the generator has not placed them, places them far apart.
pub(super) fn place(draft: &mut DraftMap, random: &mut SeededRandom) -> (Cell, Cell) {
    let Size { width, height } = draft.size();
    let corners = [(0, 0), (width as i32 - 1, height as i32 - 1)].map(Cell::from);
    let castle = draft.find(OverlayTerrain::Castle);
    let tent = draft.find(OverlayTerrain::Tent).unwrap_or_else(|| {
        let corner = castle.map_or(corners[0], |castle| opposite_corner(draft.size(), castle));
        place_near(draft, OverlayTerrain::Tent, corner, random)
    });
    let corner = opposite_corner(draft.size(), tent);
    let castle = castle.unwrap_or_else(|| place_near(draft, OverlayTerrain::Castle, corner, random));
    (tent, castle)
}

/// The corner farthest from `cell`.
pub(super) fn opposite_corner(size: Size, cell: Cell) -> Cell {
    let far = |at: i32, length: u32| if 2 * at < length as i32 { length as i32 - 1 } else { 0 };
    Cell::new(far(cell.x, size.width), far(cell.y, size.height))
}

/// Places the tent or the castle on free land near `corner`, or in the corner itself if none is found.
fn place_near(draft: &mut DraftMap, endpoint: OverlayTerrain, corner: Cell, random: &mut SeededRandom) -> Cell {
    let Size { width, height } = draft.size();
    let inwards = |at: i32, length: u32, by: u32| if at == 0 { by as i32 } else { length as i32 - 1 - by as i32 };
    let mut best = None;
    for _ in 0..60 {
        let (dx, dy) = (random.below(width.div_ceil(4)), random.below(height.div_ceil(4)));
        let cell = Cell::new(inwards(corner.x, width, dx), inwards(corner.y, height, dy));
        // Away from the edge, a tall sprite has room.
        let edge = u32::from(dx.min(dy) < 2);
        if draft.is_free(cell) && !draft.would_hide_a_road(cell) {
            best = best.min(Some((edge, dx + dy, cell))).or(Some((edge, dx + dy, cell)));
        }
    }
    let cell = best.map_or(corner, |(_, _, cell)| cell);
    if best.is_none() {
        draft.set_base(cell, BaseTerrain::Grass);
    }
    draft.set_overlay(cell, endpoint);
    cell
}

/// Guarantees a route from tent to castle: removes as few obstacles as possible, and builds bridges over water. On
/// hills, returns the cells of the route, which has no diagonal steps and prefers roads and level ground.
///
/// On a large map, a route along roads is used if there is one.
pub(super) fn clear_route(draft: &mut DraftMap, tent: Cell, castle: Cell) -> Vec<Cell> {
    if !windows::is_one(draft.size()) {
        let route = roads::shortest_along_roads(draft, tent, castle);
        if !route.is_empty() && !route.iter().any(|&cell| draft.is_blocked(cell)) {
            return route;
        }
    }
    let sixteenths = |cell: Cell| {
        let tiles = match draft.overlay_at(cell) {
            _ if draft.is_blocked(cell) => OPENING_COST,
            _ if draft.levels.is_none() => 1,
            overlay if overlay.is_road() => 1,
            _ => 2 + 4 * u32::from(draft.steepness(cell)),
        };
        16 * tiles
    };
    let route = plan(&mut Planner::new(), &cost_grid(draft.size(), sixteenths), tent, castle);
    for &cell in &route {
        if draft.is_blocked(cell) {
            let bridge = draft.has_base(cell, BaseTerrain::Water);
            draft.set_overlay(cell, if bridge { OverlayTerrain::Bridge } else { OverlayTerrain::Empty });
        }
    }
    route
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_detour_is_told_from_a_route_that_has_to_be_opened() {
        for (walls, closed) in (1..=12).flat_map(|walls| [(walls, false), (walls, true)]) {
            let mut draft = DraftMap::new(Size::new(70, 50), |_| BaseTerrain::Grass);
            let (tent, castle) = (Cell::new(2, 2), Cell::new(67, 47));
            // The gaps alternate between top and bottom. The last wall may have no gap.
            for wall in 0..walls {
                let is_gap = |y: i32| y == wall % 2 * 49 && !(closed && wall + 1 == walls);
                let cells = (0..50).filter(|&y| !is_gap(y)).map(|y| Cell::new(10 + 4 * wall, y));
                cells.for_each(|cell| draft.set_overlay(cell, OverlayTerrain::Wall));
            }
            let before = draft.overlay.clone();
            clear_route(&mut draft, tent, castle);
            assert_eq!(draft.overlay == before, !closed, "{walls} walls");
        }
    }
}
