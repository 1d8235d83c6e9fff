//! Rivers: from the heights down to water or to the edge of the map.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::random::{Noise, ScalarField, SeededRandom};
use crate::grid::{Cell, Direction, Grid, Size};
use crate::path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, Query};

/// How many heights are told apart.
const STEPS: usize = 1 << 11;

/// Which way water runs from each cell, and how far it is to its end.
struct Drainage {
    /// The way down; `None` where water ends.
    down: Grid<Option<Direction>>,
    length: Grid<u16>,
}

impl Drainage {
    /// Floods the map from the water and the low edges upwards: the lowest cell on the shore of the flood comes next,
    /// and its water runs where the flood came from. So every cell has a way down, through hollows too (after Barnes,
    /// Lehman and Mulla, 2014). O(cells).
    fn new(draft: &DraftMap, heights: &ScalarField) -> Self {
        let size = draft.size();
        let step = |cell: Cell| usize::from(heights.0[cell].abs_diff(i16::MIN)) / (65536 / STEPS);
        let mut drainage = Self { down: Grid::from_fn(size, |_| None), length: Grid::from_fn(size, |_| 0) };
        let mut reached = Grid::from_fn(size, |_| false);
        let mut shore: Vec<Vec<Cell>> = vec![Vec::new(); STEPS];
        let low = heights.quantile(150);
        for cell in size.cells() {
            let edge = Direction::SIDES.iter().any(|&side| !size.contains(cell + side));
            if draft.has_base(cell, BaseTerrain::Water) || edge && heights.0[cell] <= low {
                reached[cell] = true;
                shore[step(cell)].push(cell);
            }
        }
        for level in 0..STEPS {
            let mut next = 0;
            while let Some(&cell) = shore[level].get(next) {
                next += 1;
                for side in Direction::SIDES {
                    let above = cell + side;
                    if reached.get(above) == Some(&false) {
                        reached[above] = true;
                        drainage.down[above] = Some(side.opposite());
                        drainage.length[above] = drainage.length[cell].saturating_add(1);
                        shore[step(above).max(level)].push(above);
                    }
                }
            }
            shore[level] = Vec::new();
        }
        drainage
    }
}

/// Lets rivers run from the heights, one for about every `area` cells.
pub(super) fn run(draft: &mut DraftMap, heights: &ScalarField, area: u32, random: &mut SeededRandom) {
    let size = draft.size();
    let drainage = Drainage::new(draft, heights);
    let high = heights.quantile(700);
    let mut side = 8;
    while side * side < area {
        side += 1;
    }
    // In each block of the map the longest of some rivers that could spring there.
    for top in (0..size.height).step_by(side as usize) {
        for left in (0..size.width).step_by(side as usize) {
            let mut springs: Vec<_> = (0..40)
                .map(|_| Cell::new((left + random.below(side)) as i32, (top + random.below(side)) as i32))
                .filter(|&cell| heights.0.get(cell).is_some_and(|&height| height >= high))
                .collect();
            springs.sort_by_key(|&cell| std::cmp::Reverse(drainage.length[cell]));
            if let Some(&spring) = springs.first().filter(|&&spring| drainage.length[spring] >= 8) {
                flow(draft, &drainage, spring);
            }
        }
    }
}

/// One river, which is twice as wide where it has come far.
fn flow(draft: &mut DraftMap, drainage: &Drainage, spring: Cell) {
    let mut cell = spring;
    let mut come = 0_u32;
    loop {
        if draft.has_base(cell, BaseTerrain::Water) {
            return;
        }
        wet(draft, cell);
        let Some(direction) = drainage.down[cell] else { return };
        come += 1;
        if come > 14 {
            // The other bank: always south or east, so that a bend stays as wide as the rest.
            let beside = if matches!(direction, Direction::N | Direction::S) { Direction::E } else { Direction::S };
            wet(draft, cell + beside);
            wet(draft, cell + direction + beside);
        }
        cell = cell + direction;
    }
}

/// One river from edge to edge through the middle third of the map: from north to south if it is `upright`, else from
/// west to east. It keeps to the low land, and grows.
pub(super) fn divide(draft: &mut DraftMap, heights: &ScalarField, upright: bool, random: &mut SeededRandom) {
    let Size { width, height } = draft.size();
    let bends = Noise::new(random, 8, 2);
    let cost = |cell: Cell| {
        let above = u32::from(heights.0[cell].abs_diff(i16::MIN)) / 1024;
        let noise = u32::from(bends.at(cell).abs_diff(i16::MIN)) / 2048;
        let (at, length) = if upright { (cell.x, width) } else { (cell.y, height) };
        let edge = if at < 5 || at + 5 >= length as i32 { 60 } else { 0 };
        EntryCost::from_tiles(f64::from(1 + above * above / 24 + noise + edge)).ok()
    };
    let Ok(costs) = CostGrid::from_fn(draft.size(), Diagonal::GAME, cost) else { return };
    let mut end = |along: i32| {
        let length = if upright { width } else { height };
        let across = (length / 3 + random.below(length / 3)) as i32;
        if upright { Cell::new(across, along) } else { Cell::new(along, across) }
    };
    let (mut from, mut to) = (end(0), end(if upright { height } else { width } as i32 - 1));
    if heights.0[from] < heights.0[to] {
        (from, to) = (to, from);
    }
    let query = Query::new(from, to).with(Options { moves: Moves::Four, ..Options::default() });
    let mut planner = Planner::new();
    let Ok(outcome) = planner.plan(&costs, &query) else { return };
    let cells = outcome.cells();
    for (come, &cell) in cells.iter().enumerate() {
        // One cell wide at first, then two, and three if it is long.
        let wide = 1 + i32::from(come * 5 > cells.len() * 2) + i32::from(come > 70);
        for (dx, dy) in (0..wide).flat_map(|dy| (0..wide).map(move |dx| (dx, dy))) {
            wet(draft, cell + (dx, dy));
        }
    }
}

fn wet(draft: &mut DraftMap, cell: Cell) {
    draft.set_base(cell, BaseTerrain::Water);
    draft.set_overlay(cell, OverlayTerrain::Empty);
}
