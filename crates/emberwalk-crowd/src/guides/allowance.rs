//! How far searches may go in each slice of time.

use emberwalk_path::hash::Mixer;
use emberwalk_path::time::CrowdTime;

/// The time between two slices of searches.
const SLICE: CrowdTime = CrowdTime::SECOND.divided_by(64);
/// How many cells may be visited in the current slice.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Allowance {
    per_slice: u64,
    left: u64,
    /// How many cells were visited beyond what the slices until now allowed, because not all work can be divided.
    debt: u64,
    /// When the slice has begun; none has if it is [`CrowdTime::NEVER`].
    slice: CrowdTime,
}

impl Allowance {
    pub(crate) fn new(per_slice: u64) -> Self {
        Self { per_slice: per_slice.max(1), left: 0, debt: 0, slice: CrowdTime::NEVER }
    }

    /// Begins the slice of this time, unless it has begun.
    pub(crate) fn begin_slice(&mut self, now: CrowdTime) {
        let slice = now.rounded_down_to(SLICE);
        if self.slice == slice {
            return;
        }
        let slices = if self.slice == CrowdTime::NEVER { 1 } else { (slice - self.slice).ticks() / SLICE.ticks() };
        let allowed = self.per_slice.saturating_mul(slices);
        self.left = allowed.saturating_sub(self.debt).min(self.per_slice);
        self.debt = self.debt.saturating_sub(allowed);
        self.slice = slice;
    }

    /// The number of cells of each slice; [`u64::MAX`] without a limit.
    pub(crate) fn per_slice(&self) -> u64 {
        self.per_slice
    }

    /// The start of the next slice.
    pub(crate) fn next_slice(now: CrowdTime) -> CrowdTime {
        now.rounded_down_to(SLICE) + SLICE
    }

    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Visits cells, perhaps more than are left.
    pub(crate) fn spend(&mut self, cells: u64) {
        self.debt += cells.saturating_sub(self.left);
        self.left = self.left.saturating_sub(cells);
    }

    /// Adds what the next slices are allowed to a hash, if they are behind, or if `decides`.
    pub(crate) fn add_to(mut self, hash: &mut Mixer, now: CrowdTime, decides: bool) -> bool {
        self.begin_slice(now);
        let adds = decides || self.debt > 0;
        if adds {
            [self.per_slice, self.left, self.debt].into_iter().for_each(|number| hash.add(number));
        }
        adds
    }
}
