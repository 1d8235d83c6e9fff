//! The factors of an influence, for blocks of neighbouring cells.

use super::schema::Influence;
use crate::grid::Cell;

/// The factors of one influence, by the distance in columns and rows.
#[derive(Clone, Debug)]
pub(crate) struct FactorTable {
    /// The reach, in whole cells.
    reach: usize,
    /// A row for each distance in rows. It has the factors of all distances in columns from west to east, between
    /// enough factors of 1 for a block that is only partly within reach.
    values: Vec<f64>,
}

impl FactorTable {
    /// How many neighbouring cells of a row are a block. The compiler can use vector instructions for them.
    pub const BLOCK: usize = 16;

    pub(super) fn new(influence: &Influence) -> Self {
        let reach = influence.reach.ceil() as i32;
        let margin = reach + Self::BLOCK as i32 - 1;
        let factor = |dx, dy| influence.factor_between(Cell::new(0, 0), Cell::new(dx, dy)).unwrap_or(1.0);
        let values = (0..=reach).flat_map(|dy| (-margin..=margin).map(move |dx| factor(dx, dy))).collect();
        Self { reach: reach as usize, values }
    }

    /// Returns the factors for a block that begins `dx` columns east of the source, and is `dy` rows away from it; 1
    /// where a cell is beyond reach. `None` if all of them are.
    pub fn of_block(&self, dx: i32, dy: u32) -> Option<&[f64; Self::BLOCK]> {
        let margin = self.reach + Self::BLOCK - 1;
        let row = self.values.chunks_exact(2 * margin + 1).nth(dy as usize)?;
        row.get(usize::try_from(dx + margin as i32).ok()?..)?.first_chunk()
    }
}
