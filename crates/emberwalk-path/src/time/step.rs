//! A step of an agent, and how it changes with the agent's pace.

use super::CrowdTime;
use crate::grid::{Cell, Direction};

/// A step of an agent. Until half of it is over, the agent is in the cell `from`, and then in `to`.
///
/// If the pace of the agent changes during the step, so do both times: the same part of the step is over, and the rest
/// takes as long as at the new pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Step {
    /// The cell that the agent leaves.
    pub from: Cell,
    /// The cell that it enters: a neighbour, or the end of a link.
    pub to: Cell,
    /// When it starts. That may be later than the time at which the crowd decides it: an agent that follows another one
    /// waits until the cell will be free in time. After a change of its pace, it is when the whole step would have started at
    /// the new pace, perhaps before time zero.
    #[cfg_attr(feature = "serde", serde(with = "super::before_zero"))]
    pub start: CrowdTime,
    /// When it ends: in millions of years as long as the agent [stands still](Self::stands_still) in the middle of it.
    pub end: CrowdTime,
}

/// The duration of a step that stands still: so long that no part of it is over after a day.
const STILL: CrowdTime = CrowdTime::from_ticks(1 << 62);

impl Step {
    /// A step that takes this time, of which as much is over at `now` as takes `gone`.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_path::time::{CrowdTime, Step};
    /// let [duration, gone, now] = [8.0, 6.0, 1.0].map(CrowdTime::from_seconds);
    /// let step = Step::under_way(Cell::new(0, 0), Cell::new(1, 0), duration, gone, now);
    /// assert_eq!((step.progress(now), step.end.seconds()), (0.75, 3.0));
    /// ```
    pub fn under_way(from: Cell, to: Cell, duration: CrowdTime, gone: CrowdTime, now: CrowdTime) -> Self {
        let gone = gone.min(duration);
        Self { from, to, start: now.before(gone), end: now + (duration - gone) }
    }

    /// Whether it leads along a [link](crate::CostGrid::add_link) to a cell that is no neighbour.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_path::time::{CrowdTime, Step};
    /// let [start, end] = [0.0, 1.0].map(CrowdTime::from_seconds);
    /// let step = |x| Step { from: Cell::new(0, 0), to: Cell::new(x, 1), start, end };
    /// assert_eq!([1, 2].map(|x| step(x).is_along_link()), [false, true]);
    /// ```
    #[inline]
    pub fn is_along_link(&self) -> bool {
        let Self { from, to, .. } = self;
        from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) > 1
    }

    /// The direction in which it leads: along a link, roughly.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Direction};
    /// use emberwalk_path::time::{CrowdTime, Step};
    /// let [start, end] = [0.0, 1.0].map(CrowdTime::from_seconds);
    /// let link = Step { from: Cell::new(9, 4), to: Cell::new(2, 5), start, end };
    /// assert_eq!(link.direction(), Direction::SW);
    /// ```
    pub fn direction(&self) -> Direction {
        Direction::towards(self.to - self.from)
    }

    /// How long all of it takes at its current pace.
    pub fn duration(&self) -> CrowdTime {
        self.end - self.start
    }

    /// Whether the agent stands still in the middle of the step, because of its [pace](super::Pace::STILL) or because
    /// another agent blocks it.
    #[inline]
    pub fn stands_still(&self) -> bool {
        self.duration() >= STILL.half()
    }

    /// The part of its [duration](Self::duration) that is over at a time.
    pub fn gone(&self, time: CrowdTime) -> CrowdTime {
        (time - self.start).min(self.duration())
    }

    /// When the agent changes from one cell to the other.
    pub fn middle(&self) -> CrowdTime {
        self.start + (self.end - self.start).half()
    }

    /// The fraction of the step that is over at a time: 0 at its start and before, 1 at its end and after. An agent
    /// moves between the centres of the two cells at a constant speed.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_path::time::{CrowdTime, Step};
    /// let [start, end] = [1.0, 3.0].map(CrowdTime::from_seconds);
    /// let step = Step { from: Cell::new(0, 0), to: Cell::new(1, 0), start, end };
    /// assert_eq!(step.progress(CrowdTime::from_seconds(1.5)), 0.25);
    /// ```
    pub fn progress(&self, time: CrowdTime) -> f32 {
        let duration = self.duration().seconds();
        if duration > 0.0 { ((time - self.start).seconds() / duration).min(1.0) as f32 } else { 1.0 }
    }

    /// The same step, of which the same part is over at this time, with another duration. With [`CrowdTime::NEVER`], it
    /// stands still from this time on.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_path::time::{CrowdTime, Step};
    /// let [start, now, later, end] = [1.0, 2.0, 5.0, 3.0].map(CrowdTime::from_seconds);
    /// let step = Step { from: Cell::new(0, 0), to: Cell::new(1, 0), start, end };
    /// let slower = step.lasting(CrowdTime::from_seconds(8.0), now);
    /// assert_eq!((slower.progress(now), slower.end.seconds()), (0.5, 6.0));
    /// let still = step.lasting(CrowdTime::NEVER, now);
    /// assert_eq!((still.progress(later), still.stands_still()), (0.5, true));
    /// assert_eq!(still.lasting(step.duration(), later).end.seconds(), 6.0);
    /// ```
    pub fn lasting(self, duration: CrowdTime, now: CrowdTime) -> Self {
        let duration = if duration == CrowdTime::NEVER { STILL } else { duration };
        let old = self.duration();
        if old == duration || old == CrowdTime::ZERO {
            return self;
        }
        let product = u128::from(self.gone(now).ticks()) * u128::from(duration.ticks());
        let old = u128::from(old.ticks());
        // Rounded so that a step which stands still for a while, and then goes on as before, ends later by just that while.
        let gone = if duration == STILL { product.div_ceil(old) } else { product / old };
        let gone = CrowdTime::from_ticks(u64::try_from(gone).unwrap_or(u64::MAX));
        Self::under_way(self.from, self.to, duration, gone, now)
    }

    /// The same step, with the times of another clock, which shows `other` when this one shows `now`.
    pub fn at_clock(self, now: CrowdTime, other: CrowdTime) -> Self {
        Self { start: self.start.at_clock(now, other), end: self.end.at_clock(now, other), ..self }
    }

    /// The step back, of which as much is left as is over of this one.
    pub fn turned_round(self, now: CrowdTime) -> Self {
        let duration = self.duration();
        Self::under_way(self.to, self.from, duration, duration - self.gone(now), now)
    }

    /// The same step, which takes longer from now on: as long as it takes until `middle` is the middle of it.
    pub fn held_up_until(self, middle: CrowdTime, now: CrowdTime) -> Self {
        let (old, gone) = (u128::from(self.duration().ticks()), u128::from(self.gone(now).ticks()));
        let left = middle - now;
        let half = u128::from(left.ticks()) * old / old.saturating_sub(2 * gone).max(1);
        let half = CrowdTime::from_ticks(u64::try_from(half).unwrap_or(u64::MAX)).min(STILL.divided_by(8));
        Self::under_way(self.from, self.to, half + half, half - left, now)
    }
}
