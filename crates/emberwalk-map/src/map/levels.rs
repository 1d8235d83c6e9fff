//! The heights of the cells of a map, as levels.

use super::SharedGrid;
use emberwalk_path::Level;
use emberwalk_path::grid::{Cell, Size};

/// The highest level of a cell.
pub const MAX_LEVEL: u8 = Level::MAX.get();

/// The level of every cell, 0 to [`MAX_LEVEL`].
#[derive(Clone, Debug)]
pub(super) struct Levels {
    pub grid: SharedGrid<u8>,
    /// The number of cells at each level above 0.
    counts: [usize; MAX_LEVEL as usize],
}

impl Levels {
    /// Creates levels from a grid with values of at most [`MAX_LEVEL`].
    pub fn new(grid: SharedGrid<u8>) -> Self {
        let mut levels = Self { grid: SharedGrid::filled(grid.size(), 0), counts: Default::default() };
        grid.values().for_each(|level| levels.count(*level, 1));
        // So a flat map needs hardly any memory.
        if levels.top() > 0 {
            levels.grid = grid;
        }
        levels
    }

    /// Creates the levels of a flat map.
    pub fn flat(size: Size) -> Self {
        Self::new(SharedGrid::filled(size, 0))
    }

    /// The level of a cell, 0 off the map.
    pub fn get(&self, cell: Cell) -> u8 {
        self.grid.get(cell).copied().unwrap_or(0)
    }

    /// The highest level.
    pub fn top(&self) -> u8 {
        self.counts.iter().rposition(|count| *count > 0).map_or(0, |at| at as u8 + 1)
    }

    /// Changes the level of a cell of the map.
    pub fn set(&mut self, cell: Cell, level: u8) {
        let before = self.get(cell);
        if before != level {
            self.count(before, usize::MAX);
            self.count(level, 1);
            self.grid.set(cell, level);
        }
    }

    /// Adds to the number of cells at a level, modulo its range.
    fn count(&mut self, level: u8, cells: usize) {
        if let Some(count) = usize::from(level).checked_sub(1).and_then(|at| self.counts.get_mut(at)) {
            *count = count.wrapping_add(cells);
        }
    }
}

/// The level for a character of a map file; `None` if the character is not a level.
pub fn level_of_char(char: char) -> Option<u8> {
    match char {
        '.' | ' ' => Some(0),
        _ => char.to_digit(10).map(|digit| digit as u8),
    }
}

/// The character of a level in a map file.
pub fn char_of_level(level: u8) -> char {
    char::from(b'0' + level.min(MAX_LEVEL))
}
