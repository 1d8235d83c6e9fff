//! Builds roads with the planner, over easy land and along existing roads.

use std::iter;

use rayon::prelude::*;

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::parallel;
use super::planning::{cost_grid, entry_cost, plan};
use super::road_shape::straightened;
use super::windows;
use emberwalk_map::Area;
use emberwalk_path::grid::{Cell, Direction, Grid};
use emberwalk_path::{CostGrid, Planner};

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
    /// The extra cost, by the number of levels between a cell and a side neighbour; the last entry counts for all
    /// larger differences.
    pub const STEEPNESS: [u32; 4] = [0, 16, 90, 200];
}

/// How many windows are planned before the roads in them are built.
const WINDOWS_AT_ONCE: usize = 16;

/// Builds roads between pairs of cells. Calls `on_progress` with the number of roads built so far.
///
/// In each [window](windows), roads are planned one after another, because a road follows earlier ones. Windows that do
/// not overlap are planned in parallel. A small map is a single window.
pub(super) fn build(draft: &mut DraftMap, pairs: &[(Cell, Cell)], mut on_progress: impl FnMut(usize)) {
    let size = draft.size();
    let mut left = pairs.to_vec();
    for tiling in windows::tilings(size) {
        let mut shares = Vec::new();
        for window in tiling {
            let has_room = |&(from, to): &_| [from, to].iter().all(|&end| windows::has_room(window, end, size));
            let (inside, outside) = left.into_iter().partition(has_room);
            left = outside;
            shares.push((window, inside));
        }
        shares.retain(|(_, pairs)| !pairs.is_empty());
        let mut waiting: usize = shares.iter().map(|(_, pairs)| pairs.len()).sum();
        for shares in shares.chunks(WINDOWS_AT_ONCE) {
            on_progress(pairs.len() - left.len() - waiting);
            let plan = |(window, pairs): &(Area, Vec<_>)| plan_in(*window, draft, pairs);
            let planned: Vec<_> = shares.par_iter().with_max_len(1).flat_map_iter(plan).collect();
            planned.into_iter().for_each(|cell| draft.set_road(cell));
            waiting -= shares.iter().map(|(_, pairs)| pairs.len()).sum::<usize>();
        }
    }
    // Each of the other roads has its own window.
    for (from, to) in left {
        let road = plan_in(windows::around(from, to, size), draft, &[(from, to)]);
        road.into_iter().for_each(|cell| draft.set_road(cell));
    }
}

/// Plans roads within a window, one after another, and returns their cells. All ends must be in the window.
fn plan_in(window: Area, draft: &DraftMap, pairs: &[(Cell, Cell)]) -> Vec<Cell> {
    let inside = |cell: Cell| Cell::from(cell - window.first());
    let mut costs = building_costs(window, draft);
    let mut planner = Planner::new();
    let mut cells = Vec::new();
    for &(from, to) in pairs {
        let route = straightened(&costs, &plan(&mut planner, &costs, inside(from), inside(to)));
        build_in(&mut costs, &route);
        cells.extend(route.iter().map(|&cell| window.first() + (cell.x, cell.y)));
    }
    cells
}

/// Updates the costs on and next to a road.
fn build_in(costs: &mut CostGrid, route: &[Cell]) {
    let [road, next_to_road] = [build_cost::ROAD, build_cost::NEXT_TO_ROAD].map(entry_cost);
    for &cell in route {
        costs.set(cell, road);
    }
    for neighbour in route.iter().flat_map(|&cell| Direction::SIDES.map(|side| cell + side)) {
        let old = costs.get(neighbour);
        if road < old && old < next_to_road {
            costs.set(neighbour, next_to_road);
        }
    }
}

/// The cost of building a road over each cell of a window.
fn building_costs(window: Area, draft: &DraftMap) -> CostGrid {
    cost_grid(window.size(), |cell| {
        let cell = window.first() + (cell.x, cell.y);
        if draft.overlay_at(cell).is_road() {
            return build_cost::ROAD;
        }
        let is_next_to_road = Direction::SIDES.iter().any(|&side| draft.overlay_at(cell + side).is_road());
        let cost = cell_cost(draft, cell) + slope_cost(draft, cell);
        cost.max(if is_next_to_road { build_cost::NEXT_TO_ROAD } else { 0 })
    })
}

/// The cells of a route along roads: on a small map the route that would be cheapest to build, on a large map the
/// shortest. Empty if there is none.
pub(super) fn route(draft: &DraftMap, from: Cell, to: Cell) -> Vec<Cell> {
    let size = draft.size();
    if !windows::is_one(size) {
        return shortest_along_roads(draft, from, to);
    }
    plan(&mut Planner::new(), &building_costs(Area::of_map(size), draft), from, to)
}

/// The cells of the shortest route between two cells over roads and bridges alone; empty if there is none. Uses a
/// breadth-first search, because initialising a planner's memory for a large map takes longer than following a few
/// roads.
pub(super) fn shortest_along_roads(draft: &DraftMap, from: Cell, to: Cell) -> Vec<Cell> {
    let mut back: Grid<Option<Direction>> = parallel::grid(draft.size(), |_| None);
    let mut reached = vec![from];
    let mut next = 0;
    while back[to].is_none() && next < reached.len() {
        for side in Direction::SIDES {
            let cell = reached[next] + side;
            let is_new = cell != from && back.get(cell) == Some(&None);
            if is_new && (cell == to || draft.overlay_at(cell).is_road()) {
                back[cell] = Some(side.opposite());
                reached.push(cell);
            }
        }
        next += 1;
    }
    if back[to].is_none() {
        return Vec::new();
    }
    let mut route: Vec<_> = iter::successors(Some(to), |&cell| back[cell].map(|side| cell + side)).collect();
    route.reverse();
    route
}

fn cell_cost(draft: &DraftMap, cell: Cell) -> u32 {
    let overlay_cost = match draft.overlay_at(cell) {
        OverlayTerrain::Wall | OverlayTerrain::Volcano => return build_cost::WALL,
        OverlayTerrain::Mountain => return build_cost::MOUNTAIN,
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

#[cfg(test)]
mod tests {
    use super::super::noise::Noise;
    use super::super::random::SeededRandom;
    use super::*;
    use emberwalk_path::grid::Size;

    #[test]
    fn roads_of_all_windows_are_built_and_meet() {
        let size = Size::new(1100, 700);
        let mut random = SeededRandom::new(5, "roads");
        let noise = Noise::new(&mut random, 14, 3);
        let base = |cell| if noise.at(cell) < -3000 { BaseTerrain::Water } else { BaseTerrain::Grass };
        let mut draft = DraftMap::new(size, base);
        let mut at = Cell::new(0, 0);
        let mut pairs = Vec::new();
        while size.contains(at + (30, 0)) {
            let next = Cell::new(at.x + 30, random.between(0, size.height as i32 - 1));
            pairs.push((at, next));
            at = next;
        }
        let mut told = Vec::new();
        build(&mut draft, &pairs, |built| told.push(built));
        assert!(told.is_sorted() && told.len() > 1 && told[0] == 0, "{told:?}");
        for &(from, to) in &pairs {
            assert!(!shortest_along_roads(&draft, from, to).is_empty(), "{from} to {to}");
        }
        let route = route(&draft, pairs[0].0, at);
        assert_eq!((route.first(), route.last()), (Some(&pairs[0].0), Some(&at)));
        assert!(route.iter().all(|&cell| draft.overlay_at(cell).is_road()));
    }
}
