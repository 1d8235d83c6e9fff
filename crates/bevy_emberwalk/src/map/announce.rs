//! How a game announces changes of its grid.

use std::collections::BTreeMap;
use std::ops::Range;

use emberwalk_crowd::Announced;
use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

use super::NavGrid;

/// The rest of a time after whole periods; all of it without a period.
fn rest(time: CrowdTime, period: CrowdTime) -> CrowdTime {
    match period {
        CrowdTime::ZERO => time,
        _ => CrowdTime::from_seconds(time.seconds() % period.seconds()),
    }
}

/// Changes that are announced in advance.
impl NavGrid {
    /// Announces that a cell will get another cost, or be blocked, after this time on the grid's clock. The change is
    /// then made, to 1/65536 s, as by [`set`](Self::set), and like an edit it may have to wait for a solid agent.
    /// Returns `false`, and does nothing, if `set` would refuse the edit.
    ///
    /// Agents that pass through each other know it from now on: their routes have the **earliest arrival**, and they
    /// wait where that is quicker than a detour. [`Nav::route_of`](crate::Nav::route_of) has the arrival time in each
    /// cell. [Solid](crate::Solid) agents, and agents that go [near](crate::Goal::Near) a cell or with a
    /// [group](crate::Goal::Group), plan with the current grid, and again after each change; solid agents do not give
    /// up a goal that will be reachable again.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn erupt(mut grid: Single<&mut NavGrid>) {
    ///     let after = CrowdTime::from_seconds(8.0);
    ///     for cell in Cell::new(20, 10).around(Size::new(3, 3)) {
    ///         grid.announce(after, cell, None);
    ///     }
    /// }
    /// # let _ = erupt;
    /// ```
    pub fn announce(&mut self, after: CrowdTime, cell: impl Into<Cell>, cost: Option<EntryCost>) -> bool {
        self.announce_every(CrowdTime::ZERO, after, cell, cost)
    }

    /// Announces a change as [`announce`](Self::announce) does, and repeats it after every period: a bridge that is raised, a
    /// tide. The first change comes within one period: `after` is taken modulo the period. With a period of 0 the change is
    /// made once; other periods are at least 1/64 s.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let [day, opens, closes] = [240.0, 60.0, 210.0].map(CrowdTime::from_seconds);
    /// let mut grid = NavGrid::new(9, 9);
    /// grid.announce_every(day, opens, (4, 4), Some(EntryCost::TILE));
    /// grid.announce_every(day, closes, (4, 4), None);
    /// assert_eq!(grid.announced().count(), 2);
    /// ```
    pub fn announce_every(
        &mut self,
        period: CrowdTime,
        after: CrowdTime,
        cell: impl Into<Cell>,
        cost: Option<EntryCost>,
    ) -> bool {
        self.announce_in(period, after, |at| Announced::cost(cell.into(), cost, at))
    }

    /// Announces a change as [`announce_every`](Self::announce_every) does, for agents of one kind, as in
    /// [`set_for`](Self::set_for).
    pub fn announce_for(
        &mut self,
        kind: usize,
        period: CrowdTime,
        after: CrowdTime,
        cell: impl Into<Cell>,
        cost: Option<EntryCost>,
    ) -> bool {
        self.announce_in(period, after, |at| Announced::cost_for(kind, cell.into(), cost, at))
    }

    /// Announces that a cell will get another class, as [`announce_every`](Self::announce_every) does, in a grid of several
    /// kinds. Agents that take up several cells plan ahead only if no change of a class is periodic.
    pub fn announce_class(&mut self, period: CrowdTime, after: CrowdTime, cell: impl Into<Cell>, class: u8) -> bool {
        self.announce_in(period, after, |at| Announced::class(cell.into(), class, at))
    }

    /// Announces opening hours: all cells whose class is currently `open` keep it during these hours of each day, and have the
    /// class `closed` at all other times. The hours are given as durations from now until the next time that they begin and
    /// end. Returns the number of cells.
    ///
    /// ```
    /// use bevy_emberwalk::emberwalk_path::Diagonal;
    /// use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use bevy_emberwalk::prelude::*;
    /// const GATE: u8 = 1;
    /// const CLOSED_GATE: u8 = 2;
    /// let tile = Some(EntryCost::TILE);
    /// let walker = AgentKind::new().with_cost(0, tile).with_cost(GATE, tile);
    /// let class = |cell: Cell| if cell == Cell::new(4, 1) { GATE } else { 0 };
    /// let classes = ClassGrid::from_fn(Size::new(9, 3), Diagonal::GAME, [walker], class)?;
    /// let mut grid = NavGrid::with_kinds(classes)?;
    /// let [day, opens, closes] = [240.0, 60.0, 210.0].map(CrowdTime::from_seconds);
    /// assert_eq!(grid.open_class_daily(day, GATE, CLOSED_GATE, opens..closes), 1);
    /// assert!(!grid.is_passable((4, 1)), "it opens in a minute");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_class_daily(&mut self, day: CrowdTime, open: u8, closed: u8, hours: Range<CrowdTime>) -> usize {
        let Some(classes) = self.crowd().classes() else { return 0 };
        let cells: Vec<_> = classes.size().cells().filter(|&cell| classes.class(cell) == Some(open)).collect();
        let [opens, closes] = [hours.start, hours.end].map(|time| rest(time, day));
        if opens == closes {
            return cells.len();
        }
        let are_closed = CrowdTime::ZERO < opens && opens < closes;
        for &cell in &cells {
            if are_closed {
                self.set_class(cell, closed);
            }
            self.announce_class(day, opens, cell, open);
            self.announce_class(day, closes, cell, closed);
        }
        cells.len()
    }

    /// Announces when cells are blocked for agents of a kind, in every period, or once if the period is 0: for a thief,
    /// for example, the cells of the guards on their rounds. Times are durations from now; the ranges are half-open.
    /// During these times the cell is blocked, and at all other times it has its current cost. Cells that are currently
    /// blocked are left out.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let [one, two, three, round] = [1.0, 2.0, 3.0, 8.0].map(CrowdTime::from_seconds);
    /// let mut grid = NavGrid::new(9, 9);
    /// let cell = Cell::new(4, 4);
    /// grid.announce_closed(0, round, [(cell, one..two), (cell, two..three)]);
    /// let times: Vec<_> = grid.announced().map(|announced| announced.at).collect();
    /// assert_eq!(times, [one, three]);
    /// ```
    pub fn announce_closed(
        &mut self,
        kind: usize,
        period: CrowdTime,
        times: impl IntoIterator<Item = (Cell, Range<CrowdTime>)>,
    ) {
        let mut closed: BTreeMap<(i32, i32), Vec<Range<CrowdTime>>> = BTreeMap::new();
        for (cell, time) in times.into_iter().filter(|(_, time)| time.start < time.end) {
            let spans = closed.entry((cell.y, cell.x)).or_default();
            let (start, length) = (rest(time.start, period), time.end - time.start);
            let end = start + length;
            match period {
                CrowdTime::ZERO => spans.push(start..end),
                _ if length >= period => spans.push(CrowdTime::ZERO..period),
                _ if end > period => spans.extend([start..period, CrowdTime::ZERO..end - period]),
                _ => spans.push(start..end),
            }
        }
        for ((y, x), mut spans) in closed {
            let cell = Cell::new(x, y);
            let Some(cost) = self.crowd().grids().nth(kind).and_then(|costs| costs.get(cell)) else { continue };
            spans.sort_unstable_by_key(|span| span.start);
            let mut joined: Vec<Range<CrowdTime>> = Vec::new();
            for span in spans {
                match joined.last_mut() {
                    Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                    _ => joined.push(span),
                }
            }
            let is_end = |time: CrowdTime| period != CrowdTime::ZERO && time == period;
            // Blocked at the end of each period and at the start of the next one, without a change between them.
            let goes_on = joined.first().is_some_and(|first| first.start == CrowdTime::ZERO)
                && joined.last().is_some_and(|last| is_end(last.end));
            for span in joined {
                let is_first = goes_on && span.start == CrowdTime::ZERO;
                let every = if is_first { CrowdTime::ZERO } else { period };
                self.announce_for(kind, every, span.start, cell, None);
                if !(goes_on && is_end(span.end)) {
                    self.announce_for(kind, period, span.end, cell, Some(cost));
                }
            }
        }
    }

    /// Cancels all announced changes of a cell. Changes that have already been made stay.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 9);
    /// grid.announce(CrowdTime::SECOND, (4, 4), None);
    /// grid.forget((4, 4));
    /// assert_eq!(grid.announced().count(), 0);
    /// ```
    pub fn forget(&mut self, cell: impl Into<Cell>) {
        self.crowd_mut().forget_announced(cell.into());
    }

    /// All announced changes, in the order in which they were announced.
    pub fn announced(&self) -> impl Iterator<Item = &Announced> {
        self.crowd().announced()
    }

    fn announce_in(
        &mut self,
        period: CrowdTime,
        after: CrowdTime,
        change: impl FnOnce(CrowdTime) -> Announced,
    ) -> bool {
        let announced = change(self.now() + rest(after, period));
        self.crowd_mut().announce(if period == CrowdTime::ZERO { announced } else { announced.every(period) })
    }
}
