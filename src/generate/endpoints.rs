//! Places the tent and the castle, and guarantees a route between them.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::random::SeededRandom;
use super::roads;
use crate::grid::{Cell, Size};
use crate::path::{Algorithm, Heuristic, Moves, Options, Planner, Query};

/// What it costs to open a blocked cell, in tiles.
const OPENING_COST: u32 = 200;

/// Returns the cells of the tent and the castle. Places those that the generator has not placed, far apart.
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

/// Returns the corner farthest from `cell`.
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
        // Away from the edge there is room for a tall sprite.
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

/// Guarantees a route from tent to castle: removes as few obstacles as possible, and builds bridges over water. On hills,
/// returns the cells of the route. It has no diagonal steps, and keeps to roads and level ground. `is_wide` says that
/// the map is no maze, so that a route is probably hardly longer than the distance.
pub(super) fn clear_route(draft: &mut DraftMap, tent: Cell, castle: Cell, is_wide: bool) -> Vec<Cell> {
    let sixteenths = |cell: Cell| {
        let tiles = match draft.overlay_at(cell) {
            _ if draft.is_blocked(cell) => OPENING_COST,
            _ if draft.levels.is_none() => 1,
            overlay if overlay.is_road() => 1,
            _ => 2 + 4 * u32::from(draft.steepness(cell)),
        };
        16 * tiles
    };
    let grid = roads::cost_grid(draft.size(), sixteenths);
    let mut planner = Planner::new();
    let options = Options { moves: Moves::Four, ..Options::default() };
    if is_wide && draft.levels.is_none() && !draft.is_blocked(tent) {
        // A quick look whether anything has to be opened at all. This estimate is the better one for four moves, but it
        // finds other routes of the same cost.
        let options = Options { algorithm: Algorithm::AStar, heuristic: Some(Heuristic::Manhattan), ..options };
        let lowest = planner.plan(&grid, &Query::new(tent, castle).with_options(options)).ok().and_then(|it| it.cost());
        let (dx, dy) = castle - tent;
        let with_opening = (dx.unsigned_abs() + dy.unsigned_abs() - 1 + OPENING_COST).into();
        if lowest.is_some_and(|lowest| lowest.tiles() < with_opening) {
            return Vec::new();
        }
    }
    let query = Query::new(tent, castle).with_options(options);
    let Ok(result) = planner.plan(&grid, &query) else { return Vec::new() };
    let route = result.cells().to_vec();
    for &cell in &route {
        if draft.is_blocked(cell) {
            let bridge = draft.has_base(cell, BaseTerrain::Water);
            draft.set_overlay(cell, if bridge { OverlayTerrain::Bridge } else { OverlayTerrain::Empty });
        }
    }
    route
}
