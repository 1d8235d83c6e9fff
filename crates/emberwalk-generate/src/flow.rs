//! Determines in which direction water flows, and which water is a lake.

use super::draft::{BaseTerrain, DraftMap};
use emberwalk_map::MAX_LEVEL;
use emberwalk_path::grid::{Cell, Direction, Grid};

/// Water that contains a square with sides of this many cells is a lake rather than a river.
const LAKE_SIDE: u8 = 4;
/// A river falls at most once in this many cells.
const FALL_DISTANCE: u16 = 4;
/// Land is flooded in steps of this many levels, so that a river between two lakes cuts through a low hump instead of
/// running down from it on both sides.
const FLOOD_STEP: u8 = 3;

/// The flow of water on a map.
pub(super) struct Flow {
    /// For each water cell, the distance to the lake or pond into which its water flows.
    distance: Grid<u16>,
    lake: Grid<bool>,
}

impl Flow {
    /// Floods the water upwards from the lowest places, step by step. O(cells).
    pub fn new(draft: &DraftMap, levels: &Grid<u8>) -> Self {
        const UNREACHED: u16 = u16::MAX;
        let lake = lakes(draft);
        let mut distance = Grid::from_fn(draft.size(), |_| UNREACHED);
        let step_of = |cell: Cell| usize::from(levels[cell] / FLOOD_STEP);
        let mut waters: [Vec<Cell>; MAX_LEVEL as usize + 1] = Default::default();
        for cell in draft.size().cells().filter(|&cell| draft.has_base(cell, BaseTerrain::Water)) {
            waters[usize::from(levels[cell])].push(cell);
        }
        for (step, levels) in waters.chunks(FLOOD_STEP.into()).enumerate() {
            let start = levels.concat();
            let flood = |distance: &mut Grid<u16>, mut cells: Vec<Cell>| {
                let mut next = 0;
                while let Some(&cell) = cells.get(next) {
                    next += 1;
                    for above in Direction::SIDES.map(|side| cell + side) {
                        if distance.get(above) == Some(&UNREACHED) && draft.has_base(above, BaseTerrain::Water) {
                            distance[above] = distance[cell].saturating_add(1).min(UNREACHED - 1);
                            // Higher water belongs to a later step, which continues from this cell.
                            if step_of(above) <= step {
                                cells.push(above);
                            }
                        }
                    }
                }
            };
            let reached: Vec<Cell> = start.iter().copied().filter(|&cell| distance[cell] < UNREACHED).collect();
            flood(&mut distance, reached);
            // No water flows from here to a lower step. Flooding starts from a lake rather than from a river.
            for only_lakes in [true, false] {
                for &cell in &start {
                    if distance[cell] == UNREACHED && (lake[cell] || !only_lakes) {
                        distance[cell] = 0;
                        flood(&mut distance, vec![cell]);
                    }
                }
            }
        }
        Self { distance, lake }
    }

    /// Whether two neighbouring water cells belong to the same lake or the same level part of a river.
    pub fn is_level(&self, one: Cell, other: Cell) -> bool {
        let part = |cell: Cell| self.distance[cell] / FALL_DISTANCE;
        self.lake[one] && self.lake[other] || part(one) == part(other)
    }

    /// Whether water flows from one water cell to a neighbouring one.
    pub fn flows(&self, from: Cell, to: Cell) -> bool {
        self.distance[to] <= self.distance[from]
    }
}

/// Finds the cells of all squares of water.
fn lakes(draft: &DraftMap) -> Grid<bool> {
    // The side of the largest square of water whose south-eastern cell is this one, at most `LAKE_SIDE`.
    let mut squares = Grid::from_fn(draft.size(), |_| 0_u8);
    let mut lake = Grid::from_fn(draft.size(), |_| false);
    for cell in draft.size().cells().filter(|&cell| draft.has_base(cell, BaseTerrain::Water)) {
        let smaller = [Direction::N, Direction::NW, Direction::W].map(|side| squares.get(cell + side).copied());
        let side = smaller.into_iter().map(|side| side.unwrap_or(0)).min().unwrap_or(0) + 1;
        squares[cell] = side.min(LAKE_SIDE);
        if squares[cell] == LAKE_SIDE {
            let back = 0..i32::from(LAKE_SIDE);
            back.clone()
                .flat_map(|dy| back.clone().map(move |dx| cell + (-dx, -dy)))
                .for_each(|cell| lake[cell] = true);
        }
    }
    lake
}
