//! Who is in each cell, and who is on the way into it.

/// No unit.
const NOBODY: u32 = u32::MAX;
/// In place of the unit that is on the way into a cell: an edit that waits until the cell is empty.
const EDIT: u32 = u32::MAX - 1;

/// Who is on the way into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Nobody, so that the cell can be claimed.
    None,
    /// This unit.
    Unit(usize),
    /// Nobody may enter the cell, because an edit waits for it.
    Edit,
}

/// The unit in each cell, and the unit that has claimed it, by the indices of the grid's array.
///
/// A unit is in a cell from the end of the step that led there until the end of the next one. In its second half the cell
/// is free already: another unit may have entered it, and is then the one that is recorded.
#[derive(Clone, Debug)]
pub(super) struct Places {
    units: Vec<u32>,
    claims: Vec<u32>,
}

impl Places {
    pub(super) fn new(len: usize) -> Self {
        Self { units: vec![NOBODY; len], claims: vec![NOBODY; len] }
    }

    /// The unit in a cell. It may be about to leave.
    #[inline]
    pub(super) fn unit(&self, at: usize) -> Option<usize> {
        Some(self.units[at]).filter(|&unit| unit != NOBODY).map(|unit| unit as usize)
    }

    /// Who is on the way into a cell.
    #[inline]
    pub(super) fn claim(&self, at: usize) -> Claim {
        match self.claims[at] {
            NOBODY => Claim::None,
            EDIT => Claim::Edit,
            unit => Claim::Unit(unit as usize),
        }
    }

    /// The unit that is on the way into a cell.
    #[inline]
    pub(super) fn entering(&self, at: usize) -> Option<usize> {
        match self.claim(at) {
            Claim::Unit(unit) => Some(unit),
            Claim::None | Claim::Edit => None,
        }
    }

    /// Puts a unit into a cell.
    pub(super) fn put(&mut self, unit: usize, at: usize) {
        self.units[at] = unit as u32;
    }

    /// Takes a unit out of a cell, unless another one has entered it since.
    pub(super) fn take(&mut self, unit: usize, at: usize) {
        if self.units[at] == unit as u32 {
            self.units[at] = NOBODY;
        }
    }

    pub(super) fn set_claim(&mut self, at: usize, claim: Claim) {
        self.claims[at] = match claim {
            Claim::None => NOBODY,
            Claim::Edit => EDIT,
            Claim::Unit(unit) => unit as u32,
        };
    }
}

/// The two cells beside a diagonal step, by the indices of the grid's array: first the one in the row of `from`.
pub(super) fn beside_diagonal(from: usize, to: usize, stride: usize) -> [usize; 2] {
    let row_start = |at: usize| at - at % stride;
    [row_start(from) + to % stride, row_start(to) + from % stride]
}
