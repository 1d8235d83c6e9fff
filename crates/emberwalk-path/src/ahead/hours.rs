//! Opening hours.

use crate::RouteCost;

/// When something is open each day: from `opens` until `closes`. If it closes before it opens, it is open at midnight; if
/// both are the same, it is never closed.
///
/// Times are on the clock of a [`Forecast`](super::Forecast), see [time](super#time). Only their part of a day counts, so a
/// time of any day will do.
///
/// ```
/// use emberwalk_path::RouteCost;
/// use emberwalk_path::ahead::Hours;
/// // A day is 2400 tiles long, and the clock shows 0 at midnight.
/// let hour = |hour: u64| RouteCost::from_tiles(100.0 * hour as f64).unwrap();
/// let market = Hours::new(hour(24), hour(6), hour(21));
/// assert!(market.are_open_at(hour(24 + 6)) && !market.are_open_at(hour(21)));
/// let tavern = Hours::new(hour(24), hour(18), hour(2));
/// assert!(tavern.are_open_at(hour(23)) && tavern.are_open_at(hour(1)) && !tavern.are_open_at(hour(12)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hours {
    /// How long a day is. If it is 0, nothing ever closes.
    pub day: RouteCost,
    /// When it opens.
    pub opens: RouteCost,
    /// When it closes.
    pub closes: RouteCost,
}

impl Hours {
    /// Opening hours.
    pub const fn new(day: RouteCost, opens: RouteCost, closes: RouteCost) -> Self {
        Self { day, opens, closes }
    }

    /// Whether it is open at a time.
    pub fn are_open_at(self, time: RouteCost) -> bool {
        self.closed().is_none_or(|(from, until)| {
            let day = self.day.units();
            (time.units() % day + day - from % day) % day >= until - from
        })
    }

    /// When it is closed on one of the days; `None` if it never is.
    pub(super) fn closed(self) -> Option<(u64, u64)> {
        let day = self.day.units();
        if day == 0 {
            return None;
        }
        let (opens, closes) = (self.opens.units() % day, self.closes.units() % day);
        (opens != closes).then(|| (closes, if opens > closes { opens } else { opens.saturating_add(day) }))
    }
}
