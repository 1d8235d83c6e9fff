//! Falls: where a grid became cheaper since something was found out about it.

use crate::bounds::cheap_regions::Spot;
use crate::cost::cost_grid::REMEMBERED;
use crate::search::cell_set::Cells;
use crate::{Change, CostGrid, EntryCost};

/// So many places are told apart, at most.
pub(crate) const MOST_FALLS: usize = 8;

/// A place in which cells became cheaper or were opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fall {
    /// All steps that became possible or cheaper begin and end in it.
    pub(crate) spot: Spot,
    /// What the dearest of its cells cost that fell, in units, and what the cheapest did.
    pub(crate) was: u32,
    pub(crate) least: u32,
    /// The version of the grid after the last change there.
    pub(crate) last: u64,
}

/// All places in which cells became cheaper since some version of the grid.
#[derive(Clone, Debug)]
pub(crate) struct Falls {
    places: Vec<Fall>,
    /// The cells that changed, while these are looked at.
    changed: Cells,
}

impl Falls {
    /// No places yet, of a grid.
    pub(crate) fn new(grid: &CostGrid) -> Self {
        let mut changed = Cells::default();
        changed.begin(grid.stored().len(), REMEMBERED);
        Self { places: Vec::with_capacity(MOST_FALLS + 1), changed }
    }

    pub(crate) fn places(&self) -> &[Fall] {
        &self.places
    }

    /// Takes note of what became cheaper by these changes, the last of the grid, and tells `opened` each index where a
    /// blocked cell was opened.
    pub(crate) fn note(
        &mut self,
        grid: &CostGrid,
        changes: impl Iterator<Item = Change>,
        mut opened: impl FnMut(usize),
    ) {
        for change in changes {
            let at = grid.index(change.cell);
            let (was, is) = (change.was.map_or(0, EntryCost::units), grid.stored()[at]);
            // The first change of a cell tells what it was.
            if !self.changed.insert(at) || is == 0 || was != 0 && is_sound(grid, was, is) {
                continue;
            }
            if was == 0 {
                opened(at);
            }
            let spot = Spot::of(change.cell).with_margin();
            self.add(Fall { spot, was, least: if was == 0 { is } else { was }, last: grid.version() });
        }
        self.changed.clear();
    }

    /// Forgets the places in which nothing fell after that version.
    pub(crate) fn forget(&mut self, version: u64) {
        self.places.retain(|fall| fall.last > version);
    }

    /// Puts a place to those that it is near, and the two together that lie best if there are too many.
    fn add(&mut self, mut fall: Fall) {
        while let Some(k) = self.places.iter().position(|other| other.spot.is_near(fall.spot)) {
            fall = fall.with(self.places.swap_remove(k));
        }
        self.places.push(fall);
        if self.places.len() > MOST_FALLS {
            let pairs = (1..self.places.len()).flat_map(|k| (0..k).map(move |other| (k, other)));
            let growth = |&(k, other): &(usize, usize)| self.places[k].spot.growth(self.places[other].spot);
            if let Some((k, other)) = pairs.min_by_key(growth) {
                let taken = self.places.swap_remove(k);
                self.places[other] = self.places[other].with(taken);
            }
        }
    }
}

/// Whether the bounds of tables stay true as a cell's cost goes from `was` to `is`: where it rises.
///
/// They count the entry cost of the goal as it is, so twice the cost of a step into it has to rise as much. Rounding can
/// let a diagonal step cost the same where the entry cost rose by the last of its digits; such a rise counts as a fall.
fn is_sound(grid: &CostGrid, was: u32, is: u32) -> bool {
    let step = |units| u64::from(grid.diagonal().of(units));
    was <= is && 2 * (step(is) - step(was)) >= u64::from(is - was)
}

impl Fall {
    fn with(self, other: Self) -> Self {
        Self {
            spot: self.spot.with(other.spot),
            was: self.was.max(other.was),
            least: self.least.min(other.least),
            last: self.last.max(other.last),
        }
    }
}
