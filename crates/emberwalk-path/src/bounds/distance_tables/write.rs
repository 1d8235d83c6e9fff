//! Writes the distances of landmarks into their tables.

use std::ops::Range;

use super::{
    BLOCK_SIDE, BLOCK_SIDE_LOG2, DistanceBlock, DistanceTables, Line, MAX_BASE, MAX_CHUNKS, MAX_SHIFT, MAX_SPREAD,
    SATURATED, Shape, UNKNOWN, number_mut,
};
use crate::{CostGrid, threads};

impl DistanceTables {
    /// Writes the distances of landmarks from the cells of these rows of blocks, with that many threads. Each has a
    /// function that gives them by the grid's index, and `None` for unreachable cells.
    pub(crate) fn write<D: Fn(usize) -> Option<u64> + Sync>(
        &mut self,
        block_rows: Range<usize>,
        landmarks: &[(usize, D)],
        grid: &CostGrid,
        threads: usize,
    ) {
        for &(landmark, _) in landmarks {
            self.rounding[landmark] = i32::from(grid.common_trailing_zeros() < self.unit_shift);
        }
        let Self { stride, shape, columns, block_columns, unit_shift, .. } = *self;
        let [(_, rows), _] = Self::measures(grid, shape);
        // A multiple of eight, so that parts begin at whole lines.
        let rows_each = block_rows.len().div_ceil(threads) * BLOCK_SIDE;
        let lines_of = |rows: usize| rows * columns * shape.chunks / MAX_CHUNKS;
        let first = block_rows.start * BLOCK_SIDE;
        let end = (block_rows.end * BLOCK_SIDE).min(rows);
        let lines_end = lines_of(block_rows.end * BLOCK_SIDE).min(self.lines.len());
        let parts = self.lines[lines_of(first)..lines_end].chunks_mut(lines_of(rows_each)).zip(
            self.blocks[block_rows.start * block_columns..block_rows.end * block_columns]
                .chunks_mut(rows_each * block_columns / BLOCK_SIDE),
        );
        let parts = parts.enumerate().map(|(k, (lines, blocks))| {
            let begin = first + k * rows_each;
            let rows = begin..(begin + rows_each).min(end);
            Part { lines, blocks, shape, rows, stride, columns, block_columns, unit_shift }
        });
        // All landmarks of a block at a time, while its rows are in the cache.
        let write = |mut part: Part<'_>| {
            for block in 0..part.blocks.len() {
                landmarks.iter().for_each(|(landmark, distance)| part.write(block, *landmark, grid, distance));
            }
        };
        threads::for_each(parts, threads, write);
    }
}

/// A part of the tables, from border to border.
struct Part<'a> {
    lines: &'a mut [Line],
    blocks: &'a mut [DistanceBlock],
    shape: Shape,
    /// Which squares it has, counted from north.
    rows: Range<usize>,
    stride: usize,
    columns: usize,
    block_columns: usize,
    unit_shift: u32,
}

/// All distances from this one on saturate, whatever the base and the step.
const TOO_FAR: u64 = 1 << 31;

/// The smallest and the largest distance in a square of cells.
#[derive(Clone, Copy)]
struct Distances {
    min: u32,
    max: u32,
    /// Whether a passable cell is unreachable.
    is_split: bool,
}

impl Distances {
    /// No cell of the square is reachable.
    const NONE: Self = Self { min: u32::MAX, max: 0, is_split: false };

    #[inline(always)]
    fn add(&mut self, distance: u64) {
        let distance = distance.min(TOO_FAR) as u32;
        (self.min, self.max) = (self.min.min(distance), self.max.max(distance));
    }
}

impl Part<'_> {
    /// Writes the distances of a landmark from the cells of a block.
    fn write(&mut self, number: usize, landmark: usize, grid: &CostGrid, distance: impl Fn(usize) -> Option<u64>) {
        let Shape { chunks, .. } = self.shape;
        let spread_at = self.shape.max_tables();
        let (rows, columns) = self.squares_of(number);
        let mut distances = [Distances::NONE; BLOCK_SIDE * BLOCK_SIDE];
        let mut all = Distances::NONE;
        let mut slots = distances.iter_mut();
        for row in rows.clone() {
            for (column, slot) in columns.clone().zip(&mut slots) {
                *slot = self.distances(row, column, grid, &distance);
                (all.min, all.max) = (all.min.min(slot.min), all.max.max(slot.max));
            }
        }
        let base = if all.max < all.min { 0 } else { all.min.min(MAX_BASE) };
        let range = all.max.max(base) - base;
        let needed = (range / u32::from(SATURATED)).checked_ilog2().map_or(0, |log| log + 1);
        let coarser = needed.min(MAX_SHIFT).saturating_sub(self.blocks[number].shift());
        let mut lost_bits = if coarser > 0 { self.make_coarser(number, coarser) } else { 0 };
        let shift = self.blocks[number].shift() + coarser;
        let steps = |distance: u32| ((distance - base) >> shift).min(SATURATED.into()) as u16;
        let mut slots = distances.iter();
        for row in rows {
            for (column, &Distances { min, max, is_split }) in columns.clone().zip(&mut slots) {
                let row = row * self.columns + column;
                if max < min {
                    *number_mut(self.lines, chunks, row, landmark) = SATURATED;
                    continue;
                }
                let lower = steps(min);
                *number_mut(self.lines, chunks, row, landmark) = lower;
                lost_bits |= ((min - base) | (max - base)) & ((1 << shift) - 1);
                if max > min || is_split {
                    let upper = steps(max);
                    let is_too_far = lower < upper && upper == SATURATED;
                    let exceeds = if is_split || is_too_far { MAX_SPREAD } else { (upper - lower).min(MAX_SPREAD) };
                    let spread = number_mut(self.lines, chunks, row, spread_at);
                    *spread = (*spread & UNKNOWN) | (*spread & MAX_SPREAD).max(exceeds);
                }
            }
        }
        let block = &mut self.blocks[number];
        block.set_shift(shift);
        block.min[landmark] = base as i32;
        if lost_bits != 0 {
            block.set_rounded();
        }
    }

    /// Returns the distances in a square.
    #[inline(always)]
    fn distances(
        &self,
        row: usize,
        column: usize,
        grid: &CostGrid,
        distance: impl Fn(usize) -> Option<u64>,
    ) -> Distances {
        let square_log2 = self.shape.square_log2;
        let (x, y) = (column << square_log2, (self.rows.start + row) << square_log2);
        let mut distances = Distances::NONE;
        if square_log2 == 0 {
            distance(y * self.stride + x).into_iter().for_each(|distance| distances.add(distance >> self.unit_shift));
            return distances;
        }
        let (side, height) = (1 << square_log2, grid.entry_units().len() / self.stride);
        for y in y..(y + side).min(height) {
            for at in y * self.stride + x..y * self.stride + (x + side).min(self.stride) {
                match distance(at) {
                    Some(distance) => distances.add(distance >> self.unit_shift),
                    None => distances.is_split |= grid.entry_units()[at] != 0,
                }
            }
        }
        distances
    }

    /// Returns the rows and the columns of the squares of a block.
    fn squares_of(&self, number: usize) -> (Range<usize>, Range<usize>) {
        let left = (number % self.block_columns) << BLOCK_SIDE_LOG2;
        let top = (number / self.block_columns) << BLOCK_SIDE_LOG2;
        (top..(top + BLOCK_SIDE).min(self.rows.len()), left..(left + BLOCK_SIDE).min(self.columns))
    }

    /// Converts the numbers of all landmarks of a block to steps that are `2^coarser` times as large, and returns the
    /// bits that got lost.
    #[cold]
    fn make_coarser(&mut self, number: usize, coarser: u32) -> u32 {
        let Shape { chunks, .. } = self.shape;
        let (rows, columns) = self.squares_of(number);
        let spread_at = self.shape.max_tables();
        let mut lost_bits = 0;
        for (row, column) in rows.flat_map(|row| columns.clone().map(move |column| (row, column))) {
            let row = row * self.columns + column;
            for k in 0..spread_at {
                let steps = number_mut(self.lines, chunks, row, k);
                if *steps != SATURATED {
                    lost_bits |= u32::from(*steps) & ((1 << coarser) - 1);
                    *steps >>= coarser;
                }
            }
            let spread = number_mut(self.lines, chunks, row, spread_at);
            if !matches!(*spread & MAX_SPREAD, 0 | MAX_SPREAD) {
                *spread = (*spread & UNKNOWN) | (((*spread & MAX_SPREAD) >> coarser) + 1);
            }
        }
        lost_bits
    }
}
