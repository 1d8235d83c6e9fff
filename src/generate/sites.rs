//! Sites, and which of them roads join.

use super::GeneratorContext;
use super::draft::DraftMap;
use super::random::SeededRandom;
use super::roads::Roads;
use crate::grid::{Cell, Grid, Size};

/// Sites a good way apart: one at most in each block of the map.
pub(super) struct Sites {
    blocks: Grid<Option<Cell>>,
    /// The side of a block, in cells.
    side: u32,
}

impl Sites {
    /// Looks in each block for the cell that suits best; `suits` says how well, the least best, or `None`.
    pub fn find(size: Size, side: u32, random: &mut SeededRandom, suits: impl Fn(Cell) -> Option<u32>) -> Self {
        let blocks = Size::new((size.width / side).max(1), (size.height / side).max(1));
        let mut look = |block: Cell| {
            let span = |at: i32, count: u32, length: u32| {
                let (start, end) = (at as u32 * length / count, (at as u32 + 1) * length / count);
                // Not at the very edge of a block, so that no two places meet.
                let rim = ((end - start) / 6).min(3);
                (start + rim, (end - start).saturating_sub(2 * rim).max(1))
            };
            let (left, width) = span(block.x, blocks.width, size.width);
            let (top, height) = span(block.y, blocks.height, size.height);
            let tries = (0..14).filter_map(|_| {
                let cell = Cell::new((left + random.below(width)) as i32, (top + random.below(height)) as i32);
                Some((suits(cell)?, cell))
            });
            tries.min_by_key(|&(how, _)| how).map(|(_, cell)| cell)
        };
        Self { blocks: Grid::from_fn(blocks, &mut look), side }
    }

    /// All places, row by row of their blocks.
    pub fn iter(&self) -> impl Iterator<Item = Cell> {
        self.blocks.values().iter().copied().flatten()
    }

    /// Moves the place that is at `from`.
    pub fn shift(&mut self, from: Cell, to: Cell) {
        let block = self.blocks.iter().find(|(_, place)| **place == Some(from)).map(|(block, _)| block);
        if let Some(block) = block {
            self.blocks[block] = Some(to);
        }
    }

    /// Two places far apart; columns and rows between them count so many times.
    pub fn farthest(&self, columns: i64, rows: i64) -> Option<(Cell, Cell)> {
        // Those that are farthest out in each of eight directions.
        let keys: [fn(Cell) -> i32; 4] = [|cell| cell.x + cell.y, |cell| cell.x - cell.y, |cell| cell.x, |cell| cell.y];
        let out: Vec<_> = keys
            .iter()
            .flat_map(|key| [self.iter().min_by_key(|&cell| key(cell)), self.iter().max_by_key(|&cell| key(cell))])
            .flatten()
            .collect();
        let pairs = out.iter().flat_map(|&one| out.iter().map(move |&other| (one, other)));
        pairs.filter(|(one, other)| one != other).max_by_key(|&(one, other)| {
            let (dx, dy) = other - one;
            columns * i64::from(dx) * i64::from(dx) + rows * i64::from(dy) * i64::from(dy)
        })
    }

    /// Builds roads between neighbours: as few as join them all, the shortest first, and some more, so that there is
    /// more than one way.
    pub fn join(&self, draft: &mut DraftMap, roads: &mut Roads, context: &mut GeneratorContext<'_>) {
        let mut random = context.random("roads");
        let number = |block: Cell| self.blocks.size().index(block).unwrap_or(0);
        let mut pairs = Vec::new();
        for (block, place) in self.blocks.iter() {
            for (dx, dy) in [(1, 0), (2, 0), (-2, 1), (-1, 1), (0, 1), (1, 1), (2, 1), (-1, 2), (0, 2), (1, 2)] {
                let other = block + (dx, dy);
                if let (Some(from), Some(to)) = (*place, self.blocks.get(other).copied().flatten()) {
                    pairs.push((from.distance_squared(to), from, to, number(block), number(other)));
                }
            }
        }
        pairs.sort_unstable();
        let mut groups: Vec<usize> = (0..self.blocks.values().len()).collect();
        let count = pairs.len() as u64;
        for ((distance, from, to, one, other), looked_at) in pairs.into_iter().zip(0_u64..) {
            context.report("laying roads", 40 + (looked_at * 30 / count) as u32);
            let (one, other) = (root(&mut groups, one), root(&mut groups, other));
            let near = distance <= i64::from(self.side * self.side) * 2;
            if one != other || near && random.percent(25) {
                groups[one] = other;
                roads.build(draft, from, to);
            }
        }
    }

    /// Builds roads from places to the edges of the map that are near.
    pub fn lead_off(&self, draft: &mut DraftMap, roads: &mut Roads, random: &mut SeededRandom) {
        let Size { width, height } = draft.size();
        let (right, low) = (width as i32 - 1, height as i32 - 1);
        let nearest = |key: &dyn Fn(Cell) -> i32| self.iter().min_by_key(|&cell| key(cell));
        let ends = [
            nearest(&|cell| cell.x).map(|cell| (cell, Cell::new(0, cell.y))),
            nearest(&|cell| cell.y).map(|cell| (cell, Cell::new(cell.x, 0))),
            nearest(&|cell| -cell.x).map(|cell| (cell, Cell::new(right, cell.y))),
            nearest(&|cell| -cell.y).map(|cell| (cell, Cell::new(cell.x, low))),
        ];
        for (from, to) in ends.into_iter().flatten() {
            if random.percent(60) && !draft.is_blocked(to) {
                roads.build(draft, from, to);
            }
        }
    }
}

fn root(groups: &mut [usize], mut at: usize) -> usize {
    while groups[at] != at {
        groups[at] = groups[groups[at]];
        at = groups[at];
    }
    at
}
