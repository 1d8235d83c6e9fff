//! The clock of a world: the hour of the day at each time.

use emberwalk_map::{DayTime, Hour, Hours};
use emberwalk_path::hash::mixed;
use emberwalk_path::time::CrowdTime;

/// The hour at a time, and how fast days pass from then on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    day: DayTime,
    since: CrowdTime,
}

impl Clock {
    /// A clock that is set at a time.
    pub fn set(day: DayTime, since: CrowdTime) -> Self {
        Self { day, since }
    }

    /// The hour at a time, and how fast days pass from then on.
    pub fn day(self, now: CrowdTime) -> DayTime {
        DayTime { start: self.hour(now), ..self.day }
    }

    /// A hash of it at a time.
    pub fn hash(self, now: CrowdTime) -> u64 {
        let Self { day: DayTime { start, day }, since } = self;
        let passed = if day.is_some() { (now - since).seconds() } else { 0.0 };
        mixed([start.hours().to_bits(), day.map_or(0, |day| day.seconds().into()), passed.to_bits()])
    }

    /// The hour at a time, which must not be before the clock was set.
    pub fn hour(self, now: CrowdTime) -> Hour {
        self.day.hour_after((now - self.since).seconds())
    }

    /// When the next of these hours comes, and which one it is; `None` if the hour stands still. It depends only on
    /// when the clock was set, and on how often each hour has come since.
    pub(crate) fn next_of(self, hours: impl Iterator<Item = Hour>, now: CrowdTime) -> Option<(CrowdTime, Hour)> {
        let day = f64::from(self.day.day?.seconds());
        let passed = (now - self.since).seconds();
        let next = |hour: Hour| {
            let first = self.day.seconds_until(self.day.start, hour)?;
            let days = ((passed - first) / day).floor().max(0.0);
            // Times are rounded.
            let times =
                [days, days + 1.0, days + 2.0].map(|days| self.since + CrowdTime::from_seconds(first + days * day));
            Some((times.into_iter().find(|time| *time > now)?, hour))
        };
        hours.filter_map(next).min_by_key(|(time, _)| *time)
    }

    /// When a part of the day ends: now if the current hour is outside this part, and `None` if it never ends.
    pub(crate) fn end_of(self, hours: Hours, now: CrowdTime) -> Option<CrowdTime> {
        let hour = self.hour(now);
        if !hours.contains(hour) {
            return Some(now);
        }
        let rest = self.day.seconds_until(hour, hours.to).filter(|_| hours.from != hours.to)?;
        Some(now + CrowdTime::from_seconds(rest))
    }
}
