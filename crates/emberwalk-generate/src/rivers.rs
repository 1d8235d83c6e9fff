//! Generates rivers, which run downhill to water or to the edge of the map.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain};
use super::noise::Noise;
use super::parallel;
use super::planning::plan;
use super::random::{ScalarField, SeededRandom};
use super::roads::cost_grid;
use emberwalk_path::grid::{Cell, Direction, Grid, Size};
use emberwalk_path::{Moves, Options, Planner, Query};

/// The number of height levels in the flood.
const LEVELS: usize = 1 << 11;

/// The direction in which water flows from each cell, and the distance to the mouth.
struct Drainage {
    /// Around the map is a border of cells that are wet, so that every cell of the map has four neighbours.
    drains: Grid<Drain>,
}

/// A cell in the flood. It is small, because the neighbours of a cell are far away in memory.
///
/// A dry cell has the top bit and its height level. A wet one has the way that its water takes in the three bits below
/// the top, as an index of [`Direction::SIDES`] or [`MOUTH`](Self::MOUTH), and the distance to the mouth.
#[derive(Clone, Copy)]
struct Drain(u16);

impl Drain {
    const DRY: u16 = 1 << 15;
    const SHIFT: u32 = 12;
    const MOUTH: Self = Self(4 << Self::SHIFT);
    /// Longer distances are not told apart.
    const MAX_DISTANCE: u16 = (1 << Self::SHIFT) - 1;

    fn dry(level: usize) -> Self {
        Self(Self::DRY | level as u16)
    }

    /// The height level of a dry cell; `None` if it is wet.
    fn dry_level(self) -> Option<usize> {
        (self.0 & Self::DRY != 0).then_some(usize::from(self.0 & !Self::DRY))
    }

    /// The drain of a cell from which water flows to this one, on that side.
    fn above(self, downstream: usize) -> Self {
        Self((downstream as u16) << Self::SHIFT | (self.distance() + 1).min(Self::MAX_DISTANCE))
    }

    /// The distance from a wet cell to the mouth, in cells.
    fn distance(self) -> u16 {
        self.0 & Self::MAX_DISTANCE
    }

    /// The direction in which the water of a wet cell flows; `None` at a mouth.
    fn downstream(self) -> Option<Direction> {
        Direction::SIDES.get(usize::from(self.0 >> Self::SHIFT)).copied()
    }
}

impl Drainage {
    /// Floods the map upwards from the water and the low edges. The lowest cell on the shore is flooded next, and its
    /// water flows to where the flood came from. So water flows down from every cell, even out of depressions
    /// (priority-flood after Barnes, Lehman and Mulla, 2014). O(cells).
    fn new(draft: &DraftMap, heights: &ScalarField) -> Self {
        let size = draft.size();
        let low = heights.quantile(150);
        let is_mouth = |cell: Cell| {
            let edge = Direction::SIDES.iter().any(|&side| !size.contains(cell + side));
            draft.has_base(cell, BaseTerrain::Water) || edge && heights.0[cell] <= low
        };
        let level = |cell: Cell| usize::from(heights.0[cell].abs_diff(i16::MIN)) / (65536 / LEVELS);
        let bordered = Size::new(size.width + 2, size.height + 2);
        let mut drains = parallel::grid(bordered, |cell| match cell + (-1, -1) {
            cell if !size.contains(cell) || is_mouth(cell) => Drain::MOUTH,
            cell => Drain::dry(level(cell)),
        });
        let mut shore: Vec<Vec<u32>> = vec![Vec::new(); LEVELS];
        // Water flows out of a mouth, so nothing is to be found out around one that is among others.
        let is_shore = |cell: Cell| {
            let is_dry = |side: &Direction| drains[cell + (1, 1) + *side].dry_level().is_some();
            drains[cell + (1, 1)].dry_level().is_none() && Direction::SIDES.iter().any(is_dry)
        };
        for cell in parallel::find(size, is_shore) {
            let at = bordered.index(cell + (1, 1)).expect("the map is inside its border");
            shore[level(cell)].push(at as u32);
        }
        let offset = |side: Direction| side.offset().0 as isize + side.offset().1 as isize * bordered.width as isize;
        // Beside each offset the index of the opposite side, where the water flows.
        let sides = [0, 1, 2, 3].map(|side| (offset(Direction::SIDES[side]), (side + 2) % 4));
        let flooded = drains.values_mut();
        for level in 0..LEVELS {
            let mut next = 0;
            while let Some(&at) = shore[level].get(next) {
                next += 1;
                let wet = flooded[at as usize];
                for (offset, downstream) in sides {
                    let above = (at as usize).wrapping_add_signed(offset);
                    if let Some(height) = flooded[above].dry_level() {
                        flooded[above] = wet.above(downstream);
                        shore[height.max(level)].push(above as u32);
                    }
                }
            }
            shore[level] = Vec::new();
        }
        Self { drains }
    }

    /// The distance from a cell of the map to the mouth, in cells.
    fn distance(&self, cell: Cell) -> u16 {
        self.drains[cell + (1, 1)].distance()
    }

    /// The direction in which the water of a cell flows; `None` at a mouth and off the map.
    fn downstream(&self, cell: Cell) -> Option<Direction> {
        self.drains.get(cell + (1, 1)).and_then(|drain| drain.downstream())
    }
}

/// Adds rivers that rise in the hills, about one for every `area` cells.
pub(super) fn add_rivers(draft: &mut DraftMap, heights: &ScalarField, area: u32, random: &mut SeededRandom) {
    let size = draft.size();
    let drainage = Drainage::new(draft, heights);
    let high = heights.quantile(700);
    let mut side = 8;
    while side * side < area {
        side += 1;
    }
    // In each block of the map: samples some springs and keeps the one with the longest river.
    for top in (0..size.height).step_by(side as usize) {
        for left in (0..size.width).step_by(side as usize) {
            let mut springs: Vec<_> = (0..40)
                .map(|_| Cell::new((left + random.below(side)) as i32, (top + random.below(side)) as i32))
                .filter(|&cell| heights.0.get(cell).is_some_and(|&height| height >= high))
                .collect();
            springs.sort_by_key(|&cell| std::cmp::Reverse(drainage.distance(cell)));
            if let Some(&spring) = springs.first().filter(|&&spring| drainage.distance(spring) >= 8) {
                add_river(draft, &drainage, spring);
            }
        }
    }
}

/// Adds one river, which becomes two cells wide after some distance.
fn add_river(draft: &mut DraftMap, drainage: &Drainage, spring: Cell) {
    let mut cell = spring;
    let mut length = 0_u32;
    loop {
        if draft.has_base(cell, BaseTerrain::Water) {
            return;
        }
        flood(draft, cell);
        let Some(direction) = drainage.downstream(cell) else { return };
        length += 1;
        if length > 14 {
            // Always widens to the south or east, so that bends are as wide as the rest.
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
    let query = Query::new(from, to).with_options(Options { moves: Moves::Four, ..Options::default() });
    let cells = plan(&mut Planner::new(), &costs, &query).map(|route| route.cells).unwrap_or_default();
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
