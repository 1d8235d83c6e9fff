//! A walker alone on a route.

use crate::CostGrid;
use crate::grid::Cell;

use super::CrowdTime;
use super::Step;

/// A walker that takes no notice of others: where it is, at exact times. The caller knows the
/// route; a `Crowd` of `emberwalk-crowd` moves agents that make way for each other.
///
/// The moves depend on the times of the steps alone, not on the times at which [`advance`](Self::advance) is called.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::time::{CrowdTime, Walker};
/// let mut walker = Walker::standing(Cell::new(0, 0));
/// let east = |at: Cell| (at.x < 3).then_some((at + (1, 0), CrowdTime::SECOND));
/// walker.advance(CrowdTime::ZERO, CrowdTime::from_seconds(1.25), east);
/// assert_eq!(walker.entered(), Cell::new(2, 0));
/// walker.advance(CrowdTime::from_seconds(1.25), CrowdTime::from_seconds(9.0), east);
/// assert_eq!(walker.standing_cell(), Some(Cell::new(3, 0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Walker {
    /// The cell where it stands, or that its step leaves.
    cell: Cell,
    /// Its step.
    step: Option<Step>,
    /// Whether it has turned round in the middle of its step.
    goes_back: bool,
}

impl Walker {
    /// A walker that stands in a cell.
    pub const fn standing(cell: Cell) -> Self {
        Self { cell, step: None, goes_back: false }
    }

    /// A walker that takes a step, perhaps after it has turned round in the middle of it.
    pub const fn stepping(step: Step, goes_back: bool) -> Self {
        Self { cell: step.from, step: Some(step), goes_back }
    }

    /// The step that it takes.
    pub const fn step(&self) -> Option<Step> {
        self.step
    }

    /// Whether it has turned round in the middle of its step.
    pub const fn goes_back(&self) -> bool {
        self.goes_back
    }

    /// The cell that it enters, or in which it stands.
    pub fn entered(&self) -> Cell {
        self.step.map_or(self.cell, |step| step.to)
    }

    /// The cell in which it stands; `None` during a step.
    pub fn standing_cell(&self) -> Option<Cell> {
        Some(self.cell).filter(|_| self.step.is_none())
    }

    /// Walks from one time to a later one. When it stands in a cell, `next` says which cell it enters then, and how long
    /// that takes; with `None`, it stands for the rest of the time.
    pub fn advance(
        &mut self,
        before: CrowdTime,
        now: CrowdTime,
        mut next: impl FnMut(Cell) -> Option<(Cell, CrowdTime)>,
    ) {
        let mut time = before;
        // The times of a clock that has begun again are not later than its own.
        self.step.take_if(|step| step.start > now);
        loop {
            if let Some(step) = self.step {
                if now < step.end {
                    return;
                }
                *self = Self::standing(step.to);
                time = step.end;
            }
            let Some((to, duration)) = next(self.cell) else { return };
            self.step = Some(Step { from: self.cell, to, start: time, end: time + duration });
        }
    }

    /// Reacts at a time to changes of the grid. `duration` says how long a step takes now. It turns round if the cell that it
    /// enters is blocked now, or if its step now leads over a cliff; otherwise it goes on, at the pace of the new
    /// terrain. On a link that is no longer there, or on its way back along a one-way link, it goes on as before.
    /// Returns `false` if it is in a blocked cell and cannot turn round.
    pub fn revise(&mut self, costs: &CostGrid, now: CrowdTime, duration: impl Fn(Cell, Cell) -> CrowdTime) -> bool {
        let Some(step) = self.step else { return costs.is_passable(self.cell) };
        let duration = |step: Step| {
            let goes_on = step.is_along_link() && costs.link_cost(step.from, step.to).is_none() && !step.stands_still();
            if goes_on { step.duration() } else { duration(step.from, step.to) }
        };
        // A walker that goes back has come from the other side of the cliff. No cliff blocks a link.
        let is_cliff = !self.goes_back
            && !step.is_along_link()
            && !costs.climb().allows(costs.level(step.from), costs.level(step.to));
        if costs.is_passable(step.to) && !is_cliff {
            self.step = Some(step.lasting(duration(step), now));
            return true;
        }
        if !costs.is_passable(step.from) {
            return false;
        }
        let back = step.turned_round(now);
        *self = Self::stepping(back.lasting(duration(back), now), !self.goes_back);
        true
    }
}
