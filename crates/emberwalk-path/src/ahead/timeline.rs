//! The future costs of one cell.

/// The time of events that never happen.
pub(crate) const NEVER: u64 = u64::MAX;
/// How many parts of a timeline are looked at before a search does something else: a timeline with several periods may
/// repeat only after ages.
pub(crate) const MAX_LOOKS: usize = 64;

/// From a time on, the cell has another cost; 0 if it is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Change {
    pub(crate) at: u64,
    pub(crate) units: u32,
}

/// A time in which the cell is closed, whatever it costs. The end is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Span {
    pub(crate) from: u64,
    pub(crate) until: u64,
}

/// Changes and spans in the order of their times. Spans do not touch each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Events {
    pub(crate) changes: Vec<Change>,
    pub(crate) closed: Vec<Span>,
}

impl Events {
    /// Adds a change. Of several at the same time, the last added one counts.
    fn change(&mut self, change: Change) {
        let after = self.changes.partition_point(|other| other.at < change.at);
        match self.changes.get_mut(after) {
            Some(other) if other.at == change.at => *other = change,
            _ => self.changes.insert(after, change),
        }
    }

    /// Adds a span, and joins it with the spans that it touches.
    fn close(&mut self, mut span: Span) {
        if span.from >= span.until {
            return;
        }
        let first = self.closed.partition_point(|other| other.until < span.from);
        let end = self.closed.partition_point(|other| other.from <= span.until);
        if let Some(touched) = self.closed.get(first..end).filter(|touched| !touched.is_empty()) {
            span.from = span.from.min(touched[0].from);
            span.until = span.until.max(touched[touched.len() - 1].until);
        }
        self.closed.splice(first..end, [span]);
    }

    /// The number of changes up to a time.
    fn changes_until(&self, time: u64) -> usize {
        self.changes.partition_point(|change| change.at <= time)
    }

    /// The first span that ends after a time.
    fn span_after(&self, time: u64) -> Option<Span> {
        self.closed.get(self.closed.partition_point(|span| span.until <= time)).copied()
    }
}

/// Events that repeat: their times are less than the period.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cycle {
    period: u64,
    events: Events,
}

impl Cycle {
    /// The time in the period, and the time of the clock at which this repetition began. It is never before zero.
    fn phase(&self, time: u64) -> (u64, u64) {
        let phase = time % self.period;
        (phase, time - phase)
    }

    /// The last change up to a time: how long ago it was, and the cost.
    fn last_change(&self, time: u64) -> Option<(u64, u32)> {
        let (phase, _) = self.phase(time);
        let changes = &self.events.changes;
        match self.events.changes_until(phase) {
            0 => changes.last().map(|last| (self.period - (last.at - phase), last.units)),
            count => Some((phase - changes[count - 1].at, changes[count - 1].units)),
        }
    }

    /// The first change after a time for which `is_wanted`.
    fn next_change(&self, time: u64, is_wanted: impl Fn(&Change) -> bool) -> u64 {
        let (phase, begin) = self.phase(time);
        let changes = &self.events.changes;
        let later = changes[self.events.changes_until(phase)..].iter().find(|change| is_wanted(change));
        let again =
            || changes.iter().find(|change| is_wanted(change)).map(|change| change.at.saturating_add(self.period));
        later.map(|change| change.at).or_else(again).map_or(NEVER, |at| begin.saturating_add(at))
    }

    /// The span that contains a time, or else the next one.
    fn span_after(&self, time: u64) -> Option<Span> {
        let (phase, begin) = self.phase(time);
        let again = || {
            let first = self.events.closed.first()?;
            let [from, until] = [first.from, first.until].map(|time| time.saturating_add(self.period));
            Some(Span { from, until })
        };
        let Span { from, until } = self.events.span_after(phase).or_else(again)?;
        Some(Span { from: begin.saturating_add(from), until: begin.saturating_add(until) })
    }
}

/// A part of a timeline in which a cell has one cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// 0 if the cell is blocked.
    pub(crate) units: u32,
    /// The next time at which anything is announced that may change it.
    pub(crate) until: u64,
}

/// The future costs of one cell: single changes and repeated ones. The last change gives the cost; before the first
/// one, the cell has its cost on the grid. Repeated changes have always repeated. Of several changes at the same time,
/// a single one counts, then the one whose period was added first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timeline {
    once: Events,
    cycles: Vec<Cycle>,
}

impl Timeline {
    /// Adds a change at a time, which repeats with a period unless it is 0.
    pub(crate) fn change(&mut self, period: u64, Change { at, units }: Change) {
        match period {
            0 => self.once.change(Change { at, units }),
            _ => self.cycle(period).change(Change { at: at % period, units }),
        }
    }

    /// Adds a span, which repeats with a period unless it is 0.
    pub(crate) fn close(&mut self, period: u64, Span { from, until }: Span) {
        if period == 0 || from >= until {
            return self.once.close(Span { from, until });
        }
        let length = (until - from).min(period);
        let from = if length == period { 0 } else { from % period };
        let until = from.saturating_add(length);
        let events = self.cycle(period);
        events.close(Span { from, until: until.min(period) });
        events.close(Span { from: 0, until: until.saturating_sub(period) });
    }

    fn cycle(&mut self, period: u64) -> &mut Events {
        let known = self.cycles.iter().position(|cycle| cycle.period == period);
        let number = known.unwrap_or_else(|| {
            self.cycles.push(Cycle { period, events: Events::default() });
            self.cycles.len() - 1
        });
        &mut self.cycles[number].events
    }

    /// All events, with their periods; 0 for single events.
    pub(crate) fn events(&self) -> impl Iterator<Item = (u64, &Events)> {
        let cycles = self.cycles.iter().map(|cycle| (cycle.period, &cycle.events));
        [(0, &self.once)].into_iter().chain(cycles)
    }

    /// The periods.
    pub(crate) fn periods(&self) -> impl Iterator<Item = u64> {
        self.cycles.iter().map(|cycle| cycle.period)
    }

    /// The time after which only repeated events happen.
    pub(crate) fn last_once(&self) -> u64 {
        let change = self.once.changes.last().map_or(0, |change| change.at);
        // A cell that is closed for ever is so from the beginning of that time on.
        let closed = self.once.closed.last();
        change.max(closed.map_or(0, |span| if span.until == NEVER { span.from } else { span.until }))
    }

    /// Forgets single events up to a time.
    pub(crate) fn forget_past(&mut self, now: u64) {
        self.once.changes.retain(|change| change.at > now);
        self.once.closed.retain(|span| span.until > now);
    }

    /// Whether nothing is announced.
    pub(crate) fn is_empty(&self) -> bool {
        self.once == Events::default() && self.cycles.is_empty()
    }

    /// The lowest cost that the cell ever has if it is `units` on the grid; 0 if it is always blocked.
    pub(crate) fn lowest(&self, units: u32) -> u32 {
        let changes = self.events().flat_map(|(_, events)| events.changes.iter().map(|change| change.units));
        changes.chain([units]).filter(|&units| units != 0).min().unwrap_or(0)
    }

    /// The cost at a time, if it is `units` on the grid.
    pub(crate) fn piece(&self, units: u32, time: u64) -> Piece {
        let count = self.once.changes_until(time);
        let mut piece = Piece { units, until: self.once.changes.get(count).map_or(NEVER, |change| change.at) };
        let (mut age, mut closed_until) = (NEVER, 0);
        if let Some(last) = count.checked_sub(1).map(|last| self.once.changes[last]) {
            (piece.units, age) = (last.units, time - last.at);
        }
        let mut consider = |piece: &mut Piece, span: Option<Span>| match span {
            Some(span) if span.from <= time => closed_until = closed_until.max(span.until),
            Some(span) => piece.until = piece.until.min(span.from),
            None => {}
        };
        consider(&mut piece, self.once.span_after(time));
        for cycle in &self.cycles {
            if let Some((other_age, units)) = cycle.last_change(time).filter(|other| other.0 < age) {
                (piece.units, age) = (units, other_age);
            }
            piece.until = piece.until.min(cycle.next_change(time, |_| true));
            consider(&mut piece, cycle.span_after(time));
        }
        // Other events while the cell is closed do not matter.
        if closed_until > time { Piece { units: 0, until: closed_until } } else { piece }
    }

    /// The first time from `time` on at which the cell is blocked; `time` itself if it is.
    pub(crate) fn blocked_from(&self, units: u32, time: u64) -> u64 {
        if self.piece(units, time).units == 0 {
            return time;
        }
        let blocks = |change: &Change| change.units == 0;
        let once = &self.once.changes[self.once.changes_until(time)..];
        let mut first = once.iter().find(|change| blocks(change)).map_or(NEVER, |change| change.at);
        first = first.min(self.once.span_after(time).map_or(NEVER, |span| span.from));
        for cycle in &self.cycles {
            first = first.min(cycle.next_change(time, blocks));
            first = first.min(cycle.span_after(time).map_or(NEVER, |span| span.from));
        }
        first
    }

    /// The first time from `time` on at which the cell is passable: `time` itself if it is, and [`NEVER`] if there is none.
    /// If that takes long to find out, it is a later time before which the cell is not passable.
    pub(crate) fn open_from(&self, units: u32, mut time: u64) -> u64 {
        let mut piece = self.piece(units, time);
        if piece.units != 0 {
            return time;
        }
        if self.lowest(units) == 0 {
            return NEVER;
        }
        let repeats_from = time.max(self.last_once());
        let end = repeats_from.saturating_add(common_multiple(self.periods()));
        for _ in 0..MAX_LOOKS {
            if piece.until == NEVER || time > end {
                return NEVER;
            }
            time = piece.until;
            piece = self.piece(units, time);
            if piece.units != 0 {
                return time;
            }
        }
        time
    }
}

/// The least common multiple of these periods; 1 if there are none, and [`NEVER`] if it is too large.
pub(crate) fn common_multiple(periods: impl Iterator<Item = u64>) -> u64 {
    fn divisor(one: u64, other: u64) -> u64 {
        if other == 0 { one } else { divisor(other, one % other) }
    }
    periods.fold(1, |multiple, period| (multiple / divisor(multiple, period)).saturating_mul(period))
}
