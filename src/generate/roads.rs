//! Builds roads with the planner, over easy land and along existing roads.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use crate::grid::{Cell, Direction};
use crate::path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, Query};

/// How far ahead a road is straightened, in cells.
const LOOK_AHEAD: usize = 18;

/// The cost of building a road over a cell, in sixteenths of a tile.
mod build_cost {
    pub const ROAD: u32 = 14;
    pub const LAND: u32 = 32;
    pub const SAND: u32 = 40;
    pub const SNOW: u32 = 48;
    pub const WOOD: u32 = 56;
    /// High, because roads should not run next to each other.
    pub const NEXT_TO_ROAD: u32 = 110;
    pub const SHORE: u32 = 44;
    pub const WATER: u32 = 300;
    pub const MOUNTAIN: u32 = 420;
    pub const WALL: u32 = 1600;
    /// What is added where a side neighbour is this many levels higher or lower; for more levels, the last one.
    pub const STEEPNESS: [u32; 4] = [0, 16, 90, 200];
}

/// Builds roads on one map.
pub(super) struct Roads {
    costs: CostGrid,
    planner: Planner,
}

impl Roads {
    /// Creates the builder for the draft as it is now. It does not notice changes that other code makes later.
    pub fn new(draft: &DraftMap) -> Self {
        let costs = CostGrid::from_fn(draft.size(), Diagonal::GAME, |cell| {
            Some(cost(cell_cost(draft, cell) + slope_cost(draft, cell)))
        });
        Self { costs: costs.expect("a map's size is a valid size of a cost grid"), planner: Planner::new() }
    }

    /// Builds a road between two cells of the map.
    pub fn build(&mut self, draft: &mut DraftMap, from: Cell, to: Cell) {
        let options = Options { moves: Moves::Four, ..Options::default() };
        let query = Query::new(from, to).with_options(options);
        let Ok(result) = self.planner.plan(&self.costs, &query) else { return };
        let route = straightened(&self.costs, result.cells());
        for &cell in &route {
            draft.set_road(cell);
            self.costs.set(cell, Some(cost(build_cost::ROAD)));
        }
        for cell in route {
            for neighbour in Direction::SIDES.map(|side| cell + side) {
                if !draft.overlay_at(neighbour).is_road()
                    && self.costs.get(neighbour) < Some(cost(build_cost::NEXT_TO_ROAD))
                {
                    self.costs.set(neighbour, Some(cost(build_cost::NEXT_TO_ROAD)));
                }
            }
        }
    }

    /// Returns the cells of the cheapest route between two cells, by the costs of building a road.
    pub fn route(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        let options = Options { moves: Moves::Four, ..Options::default() };
        let result = self.planner.plan(&self.costs, &Query::new(from, to).with_options(options));
        result.map(|result| result.cells().to_vec()).unwrap_or_default()
    }
}

fn cell_cost(draft: &DraftMap, cell: Cell) -> u32 {
    let overlay_cost = match draft.overlay_at(cell) {
        OverlayTerrain::Wall | OverlayTerrain::Volcano => return build_cost::WALL,
        OverlayTerrain::Mountain => return build_cost::MOUNTAIN,
        OverlayTerrain::Road | OverlayTerrain::Bridge => return build_cost::ROAD,
        OverlayTerrain::Pines | OverlayTerrain::Thicket => build_cost::WOOD,
        _ => 0,
    };
    let base_cost = match draft.base[cell] {
        BaseTerrain::Water => return build_cost::WATER,
        BaseTerrain::Grass => build_cost::LAND,
        BaseTerrain::Sand => build_cost::SAND,
        BaseTerrain::Snow => build_cost::SNOW,
    };
    let shore = Direction::SIDES.iter().any(|&side| draft.has_base(cell + side, BaseTerrain::Water));
    overlay_cost.max(base_cost).max(if shore { build_cost::SHORE } else { 0 })
}

fn slope_cost(draft: &DraftMap, cell: Cell) -> u32 {
    let last = build_cost::STEEPNESS.len() - 1;
    build_cost::STEEPNESS[usize::from(draft.steepness(cell)).min(last)]
}

fn cost(sixteenths: u32) -> EntryCost {
    EntryCost::from_tiles(f64::from(sixteenths) / 16.0).expect("building costs are within the range")
}

/// Returns the route with fewer bends: it replaces sections by ones with at most one bend that cost little more.
fn straightened(costs: &CostGrid, route: &[Cell]) -> Vec<Cell> {
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

/// Returns the two routes between two cells with at most one bend, without the first cell.
fn legs(from: Cell, to: Cell) -> [Vec<Cell>; 2] {
    let horizontal = |y: i32, from: i32, to: i32| line(from, to).map(move |x| Cell::new(x, y));
    let vertical = |x: i32, from: i32, to: i32| line(from, to).map(move |y| Cell::new(x, y));
    [
        horizontal(from.y, from.x, to.x).chain(vertical(to.x, from.y, to.y)).collect(),
        vertical(from.x, from.y, to.y).chain(horizontal(to.y, from.x, to.x)).collect(),
    ]
}

/// Returns the whole numbers after `from`, up or down to `to`, which is included.
fn line(from: i32, to: i32) -> impl Iterator<Item = i32> {
    let step = (to - from).signum();
    (1..=(to - from).abs()).map(move |k| from + k * step)
}

/// Removes a cell from each block of 2 x 2 road cells, if no other road meets that cell. Otherwise roads would widen to
/// squares here and there.
pub(super) fn thin(draft: &mut DraftMap) {
    let cells: Vec<_> = draft.size().cells().collect();
    for corner in cells {
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
