//! Sites of settlements, and the roads that connect them.

use super::context::GeneratorContext;
use super::draft::DraftMap;
use super::random::SeededRandom;
use super::roads;
use emberwalk_path::grid::{Cell, Grid, Size};

/// Sites with some distance between them: at most one in each block of the map.
pub(super) struct Sites {
    blocks: Grid<Option<Cell>>,
    /// The side of a block, in cells.
    side: u32,
}

impl Sites {
    /// Samples some cells in each block and keeps the best one. `rate` returns a penalty, or `None` if the cell is
    /// unsuitable.
    pub fn find(size: Size, side: u32, random: &mut SeededRandom, rate: impl Fn(Cell) -> Option<u32>) -> Self {
        let blocks = Size::new((size.width / side).max(1), (size.height / side).max(1));
        let search = |block: Cell| {
            let span = |at: i32, count: u32, length: u32| {
                let (start, end) = (at as u32 * length / count, (at as u32 + 1) * length / count);
                // Not at the edge of a block, so that sites in neighbouring blocks keep a distance.
                let rim = ((end - start) / 6).min(3);
                (start + rim, (end - start).saturating_sub(2 * rim).max(1))
            };
            let (left, width) = span(block.x, blocks.width, size.width);
            let (top, height) = span(block.y, blocks.height, size.height);
            let tries = (0..14).filter_map(|_| {
                let cell = Cell::new((left + random.below(width)) as i32, (top + random.below(height)) as i32);
                Some((rate(cell)?, cell))
            });
            tries.min_by_key(|&(penalty, _)| penalty).map(|(_, cell)| cell)
        };
        Self { blocks: Grid::from_fn(blocks, search), side }
    }

    /// All sites, in the row order of their blocks.
    pub fn iter(&self) -> impl Iterator<Item = Cell> {
        self.blocks.values().iter().copied().flatten()
    }

    /// Moves the site that is at `from`.
    pub fn move_site(&mut self, from: Cell, to: Cell) {
        let block = self.blocks.iter().find(|(_, site)| **site == Some(from)).map(|(block, _)| block);
        if let Some(block) = block {
            self.blocks[block] = Some(to);
        }
    }

    /// Two sites far apart. The weights apply to the distances in columns and in rows.
    pub fn farthest(&self, column_weight: i64, row_weight: i64) -> Option<(Cell, Cell)> {
        // The outermost sites in each of the eight directions.
        let keys: [fn(Cell) -> i32; 4] = [|cell| cell.x + cell.y, |cell| cell.x - cell.y, |cell| cell.x, |cell| cell.y];
        let extremes: Vec<_> = keys
            .iter()
            .flat_map(|key| [self.iter().min_by_key(|&cell| key(cell)), self.iter().max_by_key(|&cell| key(cell))])
            .flatten()
            .collect();
        let pairs = extremes.iter().flat_map(|&one| extremes.iter().map(move |&other| (one, other)));
        pairs.filter(|(one, other)| one != other).max_by_key(|&(one, other)| {
            let (dx, dy) = other - one;
            column_weight * i64::from(dx) * i64::from(dx) + row_weight * i64::from(dy) * i64::from(dy)
        })
    }

    /// Builds roads between neighbouring sites: a spanning tree, the shortest roads first (Kruskal's algorithm), and a
    /// few more, so that there is more than one route.
    pub fn connect(&self, draft: &mut DraftMap, context: &mut GeneratorContext<'_>) {
        let mut random = context.random("roads");
        let index = |block: Cell| self.blocks.size().index(block).unwrap_or(0);
        let mut pairs = Vec::new();
        for (block, site) in self.blocks.iter() {
            for (dx, dy) in [(1, 0), (2, 0), (-2, 1), (-1, 1), (0, 1), (1, 1), (2, 1), (-1, 2), (0, 2), (1, 2)] {
                let other = block + (dx, dy);
                if let (Some(from), Some(to)) = (*site, self.blocks.get(other).copied().flatten()) {
                    pairs.push((from.distance_squared(to), from, to, index(block), index(other)));
                }
            }
        }
        pairs.sort_unstable();
        let mut groups: Vec<usize> = (0..self.blocks.values().len()).collect();
        let connected = pairs.into_iter().filter(|&(distance, _, _, one, other)| {
            let (one, other) = (root(&mut groups, one), root(&mut groups, other));
            let near = distance <= i64::from(self.side * self.side) * 2;
            let is_connected = one != other || near && random.percent(25);
            if is_connected {
                groups[one] = other;
            }
            is_connected
        });
        let connected: Vec<_> = connected.map(|(_, from, to, ..)| (from, to)).collect();
        roads::build(draft, &connected, |built| {
            context.report("laying roads", 40 + (built * 30 / connected.len()) as u32);
        });
    }

    /// Builds roads from the outermost sites to the nearest edges of the map.
    pub fn connect_to_edges(&self, draft: &mut DraftMap, random: &mut SeededRandom) {
        let Size { width, height } = draft.size();
        let (right, bottom) = (width as i32 - 1, height as i32 - 1);
        let nearest = |key: &dyn Fn(Cell) -> i32| self.iter().min_by_key(|&cell| key(cell));
        let exits = [
            nearest(&|cell| cell.x).map(|cell| (cell, Cell::new(0, cell.y))),
            nearest(&|cell| cell.y).map(|cell| (cell, Cell::new(cell.x, 0))),
            nearest(&|cell| -cell.x).map(|cell| (cell, Cell::new(right, cell.y))),
            nearest(&|cell| -cell.y).map(|cell| (cell, Cell::new(cell.x, bottom))),
        ];
        let is_built = |&(_, to): &(Cell, Cell)| random.percent(60) && !draft.is_blocked(to);
        let exits: Vec<_> = exits.into_iter().flatten().filter(is_built).collect();
        roads::build(draft, &exits, |_| {});
    }
}

/// Finds the root of a group in the union-find forest, and shortens the path to it.
fn root(groups: &mut [usize], mut at: usize) -> usize {
    while groups[at] != at {
        groups[at] = groups[groups[at]];
        at = groups[at];
    }
    at
}
