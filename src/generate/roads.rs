//! Roads: laid by the planner, over the flattest land, along roads that are there already.

use super::sketch::{Ground, Sketch, Thing};
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
    pub fn new(sketch: &Sketch) -> Self {
        let tolls = CostGrid::from_fn(sketch.size(), Diagonal::GAME, |cell| Some(cost(land_toll(sketch, cell))));
        Self { tolls: tolls.expect("the size of a map is that of a cost grid"), planner: Planner::new() }
    }

    /// Builds a road between two cells of the map.
    pub fn lay(&mut self, sketch: &mut Sketch, from: Cell, to: Cell) {
        let options = Options { moves: Moves::Four, ..Options::default() };
        let query = Query::new(from, to).with(options);
        let Ok(outcome) = self.planner.plan(&self.tolls, &query) else { return };
        let way = straightened(&self.tolls, outcome.cells());
        for &cell in &way {
            let road = if sketch.is(cell, Ground::Water) { Thing::Bridge } else { Thing::Road };
            sketch.put(cell, road);
            self.tolls.set(cell, Some(cost(toll::ROAD)));
        }
        for cell in way {
            for beside in Direction::SIDES.map(|side| cell + side) {
                if !sketch.thing(beside).is_road() && self.tolls.get(beside) < Some(cost(toll::BESIDE_ROAD)) {
                    self.tolls.set(beside, Some(cost(toll::BESIDE_ROAD)));
                }
            }
        }
    }

    /// The cells of the way from one cell to another, as roads go.
    pub fn way(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        let options = Options { moves: Moves::Four, ..Options::default() };
        let outcome = self.planner.plan(&self.tolls, &Query::new(from, to).with(options));
        outcome.map(|outcome| outcome.cells().to_vec()).unwrap_or_default()
    }
}

fn land_toll(sketch: &Sketch, cell: Cell) -> u32 {
    let on = match sketch.thing(cell) {
        Thing::Wall | Thing::Volcano => return toll::WALL,
        Thing::Mountain => return toll::MOUNTAIN,
        Thing::Road | Thing::Bridge => return toll::ROAD,
        Thing::Pines | Thing::Thicket => toll::WOOD,
        _ => 0,
    };
    let ground = match sketch.ground[cell] {
        Ground::Water => return toll::WATER,
        Ground::Grass => toll::LAND,
        Ground::Sand => toll::SAND,
        Ground::Snow => toll::SNOW,
    };
    let shore = Direction::SIDES.iter().any(|&way| sketch.is(cell + way, Ground::Water));
    on.max(ground).max(if shore { toll::SHORE } else { 0 })
}

fn cost(sixteenths: u32) -> EntryCost {
    EntryCost::from_tiles(f64::from(sixteenths) / 16.0).expect("tolls are costs")
}

/// The same way with fewer bends: where one bend or none leads on at little more cost, it does.
fn straightened(tolls: &CostGrid, way: &[Cell]) -> Vec<Cell> {
    let units = |cell: Cell| tolls.get(cell).map_or(u64::from(u32::MAX), |cost| u64::from(cost.units()));
    let mut straight: Vec<Cell> = way.first().copied().into_iter().collect();
    let mut at = 0;
    while at + 1 < way.len() {
        let last = (at + AHEAD).min(way.len() - 1);
        let mut sum: u64 = way[at + 1..=last].iter().map(|&cell| units(cell)).sum();
        let mut next = at + 1;
        let mut leg = vec![way[next]];
        for ahead in (at + 2..=last).rev() {
            let bent = legs(way[at], way[ahead])
                .into_iter()
                .min_by_key(|leg| leg.iter().map(|&cell| units(cell)).sum::<u64>());
            let Some(bent) = bent else { continue };
            let cost: u64 = bent.iter().map(|&cell| units(cell)).sum();
            if cost * 100 <= sum * 106 {
                (next, leg) = (ahead, bent);
                break;
            }
            sum -= units(way[ahead]);
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
pub(super) fn thin(sketch: &mut Sketch) {
    let cells: Vec<_> = sketch.size().cells().collect();
    for corner in cells {
        let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|offset| corner + offset);
        if !block.iter().all(|&cell| sketch.thing(cell) == Thing::Road) {
            continue;
        }
        let joined = |cell: Cell| Direction::SIDES.iter().filter(|&&way| joins(sketch.thing(cell + way))).count();
        if let Some(&loose) = block.iter().find(|&&cell| joined(cell) == 2) {
            sketch.put(loose, Thing::Nothing);
        }
    }
}

fn joins(thing: Thing) -> bool {
    thing.is_road() || matches!(thing, Thing::Tent | Thing::Castle)
}
