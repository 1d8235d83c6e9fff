//! Builds roads with the planner, over easy land and along existing roads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};

use super::bands;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::road_shape::straightened;
use crate::grid::{Cell, Direction, Size};
use crate::path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, Query};
use crate::threads::processors;

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

/// Roads are planned in parallel when there are more road cells than this. The bounds of a planner depend on the whole
/// map as long as few cells are cheaper than the rest.
const MIN_ROAD_CELLS_TO_SHARE: usize = 4096;
/// How many roads are planned in parallel, and how many cells they may have. A planner catches up with 4096 changes,
/// and a road changes three cells for each of its own.
const MAX_ROADS_AT_ONCE: usize = 32;
const MAX_CELLS_AT_ONCE: i32 = 1300;
/// Each planner needs memory for the whole map.
const MAX_PLANNERS: usize = 4;

/// Builds roads on one map.
pub(super) struct Roads {
    costs: CostGrid,
    /// One for each thread.
    planners: Vec<Planner>,
    /// How many cells of roads there are.
    road_cells: usize,
}

/// The route of a road that is not built yet.
struct PlannedRoad {
    route: Vec<Cell>,
    /// Costs outside of it make no difference to the route.
    area: Area,
}

/// A rectangle of cells, with its last column and row.
#[derive(Clone, Copy)]
struct Area {
    first: Cell,
    last: Cell,
}

impl Roads {
    /// Creates the builder for the draft as it is now. It does not notice changes that other code makes later.
    pub fn new(draft: &DraftMap) -> Self {
        Self::with_planners(draft, processors().min(MAX_PLANNERS))
    }

    fn with_planners(draft: &DraftMap, planners: usize) -> Self {
        let costs = cost_grid(draft.size(), |cell| cell_cost(draft, cell) + slope_cost(draft, cell));
        Self { costs, planners: vec![Planner::new(); planners.max(1)], road_cells: 0 }
    }

    /// Builds roads between pairs of cells, one after the other. Calls `on_progress` with how many are built.
    ///
    /// On several processors, some roads are planned ahead while others are planned. If a road that is built in the
    /// meantime changes costs near one of them, that one is planned again.
    pub fn build_all(&mut self, draft: &mut DraftMap, pairs: &[(Cell, Cell)], mut on_progress: impl FnMut(usize)) {
        let mut built = 0;
        while built < pairs.len() {
            on_progress(built);
            let count = self.how_many_at_once(&pairs[built..]);
            let pairs = &pairs[built..][..count];
            let extremes = self.cost_extremes();
            let mut changed: Vec<Area> = Vec::new();
            for (road, &(from, to)) in self.plan_ahead(pairs).into_iter().zip(pairs) {
                let is_valid = |road: &PlannedRoad| !changed.iter().any(|changed| road.area.meets(*changed));
                let is_valid = self.cost_extremes() == extremes && road.as_ref().is_some_and(is_valid);
                let road = if is_valid { road } else { plan(&mut self.planners[0], &self.costs, from, to) };
                if let Some(road) = road {
                    self.build_planned(draft, &road.route);
                    changed.push(Area::around(&road.route));
                }
            }
            built += count;
        }
    }

    /// The bounds of a search depend on these.
    fn cost_extremes(&self) -> [Option<EntryCost>; 2] {
        [self.costs.min_cost(), self.costs.max_cost()]
    }

    /// Returns how many of the next roads to plan at once.
    fn how_many_at_once(&self, pairs: &[(Cell, Cell)]) -> usize {
        if self.planners.len() == 1 || self.road_cells < MIN_ROAD_CELLS_TO_SHARE {
            return 1;
        }
        let sums = pairs.iter().scan(0, |sum, &(from, to)| {
            let (dx, dy) = to - from;
            *sum += dx.abs() + dy.abs();
            Some(*sum)
        });
        sums.take(MAX_ROADS_AT_ONCE).take_while(|sum| *sum <= MAX_CELLS_AT_ONCE).count().max(1)
    }

    /// Plans roads for the map as it is now, each planner some of them. `None` stands for a road that is to be planned
    /// later.
    fn plan_ahead(&mut self, pairs: &[(Cell, Cell)]) -> Vec<Option<PlannedRoad>> {
        let costs = &self.costs;
        // Each planner begins with a road of its own, so that none falls behind with the changes of the grid, and then
        // takes the next one that is left.
        let next = AtomicUsize::new(self.planners.len());
        let plan_some = |(number, planner): (usize, &mut Planner)| -> Vec<_> {
            let take_next = |_: &usize| Some(next.fetch_add(1, Ordering::Relaxed));
            let some = iter::successors(Some(number), take_next).map_while(|index| Some((index, pairs.get(index)?)));
            some.map(|(index, &(from, to))| (index, plan(planner, costs, from, to))).collect()
        };
        let mut planners = self.planners.iter_mut().enumerate();
        let own = planners.next().expect("there is a planner");
        let planned = thread::scope(|scope| {
            let start = |other| thread::Builder::new().spawn_scoped(scope, || plan_some(other)).ok();
            let threads: Vec<_> = planners.take(pairs.len() - 1).filter_map(start).collect();
            let own = plan_some(own);
            let others = threads.into_iter().map(|thread| thread.join());
            let others = others.flat_map(|some| some.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            others.chain(own).collect::<Vec<_>>()
        });
        let mut roads: Vec<_> = pairs.iter().map(|_| None).collect();
        planned.into_iter().for_each(|(index, road)| roads[index] = road);
        roads
    }

    /// Builds a road between two cells of the map.
    pub fn build(&mut self, draft: &mut DraftMap, from: Cell, to: Cell) {
        if let Some(road) = plan(&mut self.planners[0], &self.costs, from, to) {
            self.build_planned(draft, &road.route);
        }
    }

    fn build_planned(&mut self, draft: &mut DraftMap, route: &[Cell]) {
        for &cell in route {
            draft.set_road(cell);
            self.road_cells += usize::from(self.costs.set(cell, Some(cost(build_cost::ROAD))));
        }
        for &cell in route {
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
        let result = self.planners[0].plan(&self.costs, &query(from, to));
        result.map(|result| result.cells().to_vec()).unwrap_or_default()
    }
}

impl Area {
    /// Returns the area of a route and its neighbours. `route` is not empty.
    fn around(route: &[Cell]) -> Self {
        let (xs, ys) = (route.iter().map(|cell| cell.x), route.iter().map(|cell| cell.y));
        Self {
            first: Cell::new(xs.clone().min().unwrap_or(0) - 1, ys.clone().min().unwrap_or(0) - 1),
            last: Cell::new(xs.max().unwrap_or(0) + 1, ys.max().unwrap_or(0) + 1),
        }
    }

    fn meets(self, other: Self) -> bool {
        self.first.x <= other.last.x
            && other.first.x <= self.last.x
            && self.first.y <= other.last.y
            && other.first.y <= self.last.y
    }
}

fn query(from: Cell, to: Cell) -> Query {
    Query::new(from, to).with_options(Options { moves: Moves::Four, ..Options::default() })
}

/// Plans a road for the map as it is now.
fn plan(planner: &mut Planner, costs: &CostGrid, from: Cell, to: Cell) -> Option<PlannedRoad> {
    let result = planner.plan(costs, &query(from, to)).ok()?;
    let (lowest, min) = (result.cost()?.tiles(), costs.min_cost()?.tiles());
    // A search expands a cell only if the steps to it and, by its bound, the columns or rows from there to the goal
    // cost at most as much as the route, at the minimum cost each. The open list may be wrong by one minimum cost, and
    // a search reads the costs of neighbours too.
    let steps = (lowest / min).ceil() as i32 + 2;
    let beyond = |from: i32, to: i32| (steps - (to - from).abs()).max(0) / 2 + 2;
    let (beyond_x, beyond_y) = (beyond(from.x, to.x), beyond(from.y, to.y));
    let area = Area {
        first: Cell::new(from.x.min(to.x) - beyond_x, from.y.min(to.y) - beyond_y),
        last: Cell::new(from.x.max(to.x) + beyond_x, from.y.max(to.y) + beyond_y),
    };
    Some(PlannedRoad { route: straightened(costs, result.cells()), area })
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

/// Returns the grid with the cost of each cell in sixteenths of a tile.
pub(super) fn cost_grid(size: Size, sixteenths: impl Fn(Cell) -> u32 + Sync) -> CostGrid {
    let sixteenths = bands::grid(size, |cell| sixteenths(cell) as u16);
    let highest = sixteenths.values().iter().copied().max().unwrap_or(0);
    let costs: Vec<_> =
        (0..=highest).map(|sixteenths| EntryCost::from_tiles(f64::from(sixteenths) / 16.0).ok()).collect();
    let mut sixteenths = sixteenths.values().iter();
    let costs = CostGrid::from_fn(size, Diagonal::GAME, |_| costs[usize::from(*sixteenths.next()?)]);
    costs.expect("a map's size is a valid size of a cost grid")
}

fn cost(sixteenths: u32) -> EntryCost {
    EntryCost::from_tiles(f64::from(sixteenths) / 16.0).expect("building costs are within the range")
}

#[cfg(test)]
mod tests {
    use super::super::noise::Noise;
    use super::super::random::SeededRandom;
    use super::*;

    #[test]
    fn roads_planned_ahead_are_those_planned_one_by_one() {
        let size = Size::new(400, 300);
        let mut random = SeededRandom::new(5, "roads");
        let noise = Noise::new(&mut random, 14, 3);
        let base = |cell| if noise.at(cell) < -3000 { BaseTerrain::Water } else { BaseTerrain::Grass };
        let mut pair = || {
            let (from, far) = (random.cell(size), 26);
            let to = from + (random.between(-far, far), random.between(-far, far));
            size.contains(to).then_some((from, to))
        };
        let pairs: Vec<_> = (0..600).filter_map(|_| pair()).collect();
        let [alone, shared] = [1, 3].map(|planners| {
            let mut draft = DraftMap::new(size, base);
            let mut roads = Roads::with_planners(&draft, planners);
            roads.build_all(&mut draft, &pairs, |_| {});
            assert!(roads.road_cells > 2 * MIN_ROAD_CELLS_TO_SHARE, "{}", roads.road_cells);
            draft.overlay
        });
        assert!(alone == shared);
    }
}
