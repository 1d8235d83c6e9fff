//! Generates rivers, which run downhill to water or to the edge of the map.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::noise::Noise;
use super::parallel;
use super::planning::{cost_grid, plan};
use super::random::{ScalarField, SeededRandom};
use emberwalk_path::Planner;
use emberwalk_path::grid::{Cell, Direction, Grid, Size};

/// The number of height levels in the flood.
const LEVELS: usize = 1 << 11;

/// The maximum distance to a mouth that is counted; longer distances are cut to it.
const MAX_DISTANCE: u16 = (1 << 12) - 1;

/// A cell in the flood.
#[derive(Clone, Copy)]
enum Drain {
    Dry {
        level: u16,
    },
    /// Its water flows in a direction, or leaves the map at a mouth. The distance to the mouth is in cells.
    Wet {
        downstream: Option<Direction>,
        distance: u16,
    },
}

/// Floods the map upwards from the water and the low edges. The next cell to be flooded is always the lowest on the
/// shore, and its water flows to where the flood came from. So every cell drains, even out of depressions
/// (priority-flood after Barnes, Lehman and Mulla, 2014). O(cells).
fn drainage(draft: &DraftMap, heights: &ScalarField) -> Grid<Drain> {
    let size = draft.size();
    let low = heights.quantile(150);
    let is_mouth = |cell: Cell| {
        let edge = Direction::SIDES.iter().any(|&side| !size.contains(cell + side));
        draft.has_base(cell, BaseTerrain::Water) || edge && heights.0[cell] <= low
    };
    let level = |cell: Cell| heights.0[cell].abs_diff(i16::MIN) / (65536 / LEVELS) as u16;
    let mut drains = parallel::grid(size, |cell| match is_mouth(cell) {
        true => Drain::Wet { downstream: None, distance: 0 },
        false => Drain::Dry { level: level(cell) },
    });
    let is_dry = |cell: Cell| matches!(drains.get(cell), Some(Drain::Dry { .. }));
    // A mouth surrounded by mouths has no neighbours left to flood.
    let is_shore = |cell: Cell| !is_dry(cell) && Direction::SIDES.iter().any(|&side| is_dry(cell + side));
    let mut shore: Vec<Vec<Cell>> = vec![Vec::new(); LEVELS];
    for cell in parallel::find(size, is_shore) {
        shore[usize::from(level(cell))].push(cell);
    }
    for level in 0..LEVELS {
        let mut next = 0;
        while let Some(&cell) = shore[level].get(next) {
            next += 1;
            let Drain::Wet { distance, .. } = drains[cell] else { continue };
            let distance = (distance + 1).min(MAX_DISTANCE);
            for side in Direction::SIDES {
                let Some(drain) = drains.get_mut(cell + side) else { continue };
                if let Drain::Dry { level: height } = *drain {
                    *drain = Drain::Wet { downstream: Some(side.opposite()), distance };
                    shore[level.max(height.into())].push(cell + side);
                }
            }
        }
        shore[level] = Vec::new();
    }
    drains
}

/// Adds rivers that rise in the hills, at most one in each block of `side` x `side` cells.
pub(super) fn add_rivers(draft: &mut DraftMap, heights: &ScalarField, side: u32, random: &mut SeededRandom) {
    let size = draft.size();
    let drains = drainage(draft, heights);
    let distance = |cell: Cell| match drains[cell] {
        Drain::Wet { distance, .. } => distance,
        Drain::Dry { .. } => 0,
    };
    let high = heights.quantile(700);
    // In each block, samples some springs and keeps the one with the longest river.
    for top in (0..size.height).step_by(side as usize) {
        for left in (0..size.width).step_by(side as usize) {
            let mut springs: Vec<_> = (0..40)
                .map(|_| Cell::new((left + random.below(side)) as i32, (top + random.below(side)) as i32))
                .filter(|&cell| heights.0.get(cell).is_some_and(|&height| height >= high))
                .collect();
            springs.sort_by_key(|&cell| std::cmp::Reverse(distance(cell)));
            if let Some(&spring) = springs.first().filter(|&&spring| distance(spring) >= 8) {
                add_river(draft, &drains, spring);
            }
        }
    }
}

/// Adds one river, which becomes two cells wide after some distance.
fn add_river(draft: &mut DraftMap, drains: &Grid<Drain>, spring: Cell) {
    let mut cell = spring;
    let mut length = 0_u32;
    loop {
        if draft.has_base(cell, BaseTerrain::Water) {
            return;
        }
        flood(draft, cell);
        let Some(&Drain::Wet { downstream: Some(direction), .. }) = drains.get(cell) else { return };
        length += 1;
        if length > 14 {
            // Rivers always widen to the south or east, so that bends are as wide as the rest.
            let bank = if matches!(direction, Direction::N | Direction::S) { Direction::E } else { Direction::S };
            flood(draft, cell + bank);
            flood(draft, cell + direction + bank);
        }
        cell = cell + direction;
    }
}

/// Adds one river from edge to edge through the middle third of the map: between north and south if it is `vertical`,
/// otherwise between west and east. It prefers low land, and becomes wider downstream.
pub(super) fn add_dividing_river(
    draft: &mut DraftMap,
    heights: &ScalarField,
    vertical: bool,
    random: &mut SeededRandom,
) {
    let Size { width, height } = draft.size();
    let bends = Noise::new(random, 8, 2).field(draft.size());
    let tiles = |cell: Cell| {
        let above = u32::from(heights.0[cell].abs_diff(i16::MIN)) / 1024;
        let noise = u32::from(bends.0[cell].abs_diff(i16::MIN)) / 2048;
        let (at, length) = if vertical { (cell.x, width) } else { (cell.y, height) };
        let edge = if at < 5 || at + 5 >= length as i32 { 60 } else { 0 };
        1 + above * above / 24 + noise + edge
    };
    let costs = cost_grid(draft.size(), |cell| 16 * tiles(cell));
    let mut end = |along: i32| {
        let length = if vertical { width } else { height };
        let across = (length / 3 + random.below(length / 3)) as i32;
        if vertical { Cell::new(across, along) } else { Cell::new(along, across) }
    };
    let (mut from, mut to) = (end(0), end(if vertical { height } else { width } as i32 - 1));
    if heights.0[from] < heights.0[to] {
        (from, to) = (to, from);
    }
    let cells = plan(&mut Planner::new(), &costs, from, to);
    for (distance, &cell) in cells.iter().enumerate() {
        // One cell wide at first, then two, then three if the river is long.
        let width = 1 + i32::from(distance * 5 > cells.len() * 2) + i32::from(distance > 70);
        for (dx, dy) in (0..width).flat_map(|dy| (0..width).map(move |dx| (dx, dy))) {
            flood(draft, cell + (dx, dy));
        }
    }
}

fn flood(draft: &mut DraftMap, cell: Cell) {
    draft.set_base(cell, BaseTerrain::Water);
    draft.set_overlay(cell, OverlayTerrain::Empty);
}
