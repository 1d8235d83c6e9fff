//! Roads: laid by the planner, over the flattest land, along roads that are there already.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use crate::grid::{Cell, Direction};
use crate::path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, Query};

/// How far ahead a road looks for a straighter way, in cells.
const AHEAD: usize = 18;

/// What it takes to build a road over a cell, in sixteenths of a tile.
mod toll {
    pub const ROAD: u32 = 14;
    pub const LAND: u32 = 32;
    pub const SAND: u32 = 40;
    pub const SNOW: u32 = 48;
    pub const WOOD: u32 = 56;
    /// Roads do not run beside each other.
    pub const BESIDE_ROAD: u32 = 110;
    pub const SHORE: u32 = 44;
    pub const WATER: u32 = 300;
    pub const MOUNTAIN: u32 = 420;
    pub const WALL: u32 = 1600;
}

/// Builds roads on one map.
pub(super) struct Roads {
    tolls: CostGrid,
    planner: Planner,
}

impl Roads {
    /// For a map as it is now: what is built on it afterwards by others is not known.
    pub fn new(draft: &DraftMap) -> Self {
        let tolls = CostGrid::from_fn(draft.size(), Diagonal::GAME, |cell| Some(cost(land_toll(draft, cell))));
        Self { tolls: tolls.expect("the size of a map is that of a cost grid"), planner: Planner::new() }
    }

    /// Builds a road between two cells of the map.
    pub fn build(&mut self, draft: &mut DraftMap, from: Cell, to: Cell) {
        let options = Options { moves: Moves::Four, ..Options::default() };
        let query = Query::new(from, to).with(options);
        let Ok(outcome) = self.planner.plan(&self.tolls, &query) else { return };
        let route = straightened(&self.tolls, outcome.cells());
        for &cell in &route {
            let road =
                if draft.has_base(cell, BaseTerrain::Water) { OverlayTerrain::Bridge } else { OverlayTerrain::Road };
            draft.set_overlay(cell, road);
            self.tolls.set(cell, Some(cost(toll::ROAD)));
        }
        for cell in route {
            for beside in Direction::SIDES.map(|side| cell + side) {
                if !draft.overlay_at(beside).is_road() && self.tolls.get(beside) < Some(cost(toll::BESIDE_ROAD)) {
                    self.tolls.set(beside, Some(cost(toll::BESIDE_ROAD)));
                }
            }
        }
    }

    /// The cells of the route from one cell to another, as roads go.
    pub fn route(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        let options = Options { moves: Moves::Four, ..Options::default() };
        let outcome = self.planner.plan(&self.tolls, &Query::new(from, to).with(options));
        outcome.map(|outcome| outcome.cells().to_vec()).unwrap_or_default()
    }
}

fn land_toll(draft: &DraftMap, cell: Cell) -> u32 {
    let on = match draft.overlay_at(cell) {
        OverlayTerrain::Wall | OverlayTerrain::Volcano => return toll::WALL,
        OverlayTerrain::Mountain => return toll::MOUNTAIN,
        OverlayTerrain::Road | OverlayTerrain::Bridge => return toll::ROAD,
        OverlayTerrain::Pines | OverlayTerrain::Thicket => toll::WOOD,
        _ => 0,
    };
    let ground = match draft.base[cell] {
        BaseTerrain::Water => return toll::WATER,
        BaseTerrain::Grass => toll::LAND,
        BaseTerrain::Sand => toll::SAND,
        BaseTerrain::Snow => toll::SNOW,
    };
    let shore = Direction::SIDES.iter().any(|&side| draft.has_base(cell + side, BaseTerrain::Water));
    on.max(ground).max(if shore { toll::SHORE } else { 0 })
}

fn cost(sixteenths: u32) -> EntryCost {
    EntryCost::from_tiles(f64::from(sixteenths) / 16.0).expect("tolls are costs")
}

/// The same route with fewer bends: where one bend or none leads on at little more cost, it does.
fn straightened(tolls: &CostGrid, route: &[Cell]) -> Vec<Cell> {
    let units = |cell: Cell| tolls.get(cell).map_or(u64::from(u32::MAX), |cost| u64::from(cost.units()));
    let mut straight: Vec<Cell> = route.first().copied().into_iter().collect();
    let mut at = 0;
    while at + 1 < route.len() {
        let last = (at + AHEAD).min(route.len() - 1);
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

/// The two ways from cell to cell with one bend, without the first cell.
fn legs(from: Cell, to: Cell) -> [Vec<Cell>; 2] {
    let across = |y: i32, from: i32, to: i32| line(from, to).map(move |x| Cell::new(x, y));
    let down = |x: i32, from: i32, to: i32| line(from, to).map(move |y| Cell::new(x, y));
    [
        across(from.y, from.x, to.x).chain(down(to.x, from.y, to.y)).collect(),
        down(from.x, from.y, to.y).chain(across(to.y, from.x, to.x)).collect(),
    ]
}

/// The whole numbers after `from`, up or down to `to`.
fn line(from: i32, to: i32) -> impl Iterator<Item = i32> {
    let step = (to - from).signum();
    (1..=(to - from).abs()).map(move |k| from + k * step)
}

/// Takes out what makes roads look like yards: a corner of four road cells that nothing else joins.
pub(super) fn thin(draft: &mut DraftMap) {
    let cells: Vec<_> = draft.size().cells().collect();
    for corner in cells {
        let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|offset| corner + offset);
        if !block.iter().all(|&cell| draft.overlay_at(cell) == OverlayTerrain::Road) {
            continue;
        }
        let joined = |cell: Cell| Direction::SIDES.iter().filter(|&&side| joins(draft.overlay_at(cell + side))).count();
        if let Some(&loose) = block.iter().find(|&&cell| joined(cell) == 2) {
            draft.set_overlay(loose, OverlayTerrain::Empty);
        }
    }
}

fn joins(thing: OverlayTerrain) -> bool {
    thing.is_road() || matches!(thing, OverlayTerrain::Tent | OverlayTerrain::Castle)
}
