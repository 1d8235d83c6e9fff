//! The hours from which the player chooses.

use emberwalk_map::{DayLength, DayTime, Hour};

/// An hour at which the day stands, or a day that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HourChoice {
    /// Noon, at which the map looks as without hours.
    Noon,
    /// Shortly after sunset, when the lamps are lit.
    Dusk,
    /// Midnight.
    Night,
    /// The day passes from now on.
    Passing,
    /// This hour; the day passes or stands as before.
    At(Hour),
}

/// The length of a day of maps that have none, in seconds.
const USUAL_DAY: f64 = 480.0;

impl HourChoice {
    /// The choices of the menu and of the key, in their order.
    pub const ALL: [Self; 4] = [Self::Noon, Self::Dusk, Self::Night, Self::Passing];

    /// The name that the player sees.
    pub fn name(self) -> &'static str {
        match self {
            Self::Noon => "Noon",
            Self::Dusk => "Dusk",
            Self::Night => "Night",
            Self::Passing => "Let the day pass",
            Self::At(_) => "Another hour",
        }
    }

    /// The choice that has led to this hour and day; `None` for an hour that stands between the choices.
    pub fn of(now: DayTime) -> Option<Self> {
        let is_now =
            |choice: &Self| choice.hour().map_or(now.day.is_some(), |hour| now == DayTime { start: hour, day: None });
        Self::ALL.into_iter().find(is_now)
    }

    /// The choice after the current one.
    pub fn after(now: DayTime) -> Self {
        let index = Self::of(now).and_then(|now| Self::ALL.iter().position(|choice| *choice == now));
        Self::ALL[index.map_or(0, |index| (index + 1) % Self::ALL.len())]
    }

    /// The hour and the day if this is chosen now, on a map with this hour and day.
    pub fn day(self, now: DayTime, map: DayTime) -> DayTime {
        match (self, self.hour()) {
            (Self::At(start), _) => DayTime { start, ..now },
            (_, Some(start)) => DayTime { start, day: None },
            (_, None) => DayTime { day: map.day.or(DayLength::from_seconds(USUAL_DAY)), ..now },
        }
    }

    /// The hour at which the day stands.
    fn hour(self) -> Option<Hour> {
        match self {
            Self::Noon => Some(Hour::NOON),
            Self::Dusk => Hour::from_hours(20.0),
            Self::Night => Hour::from_hours(0.0),
            Self::Passing | Self::At(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_goes_through_all_choices_and_back_to_noon() {
        let map = DayTime { day: DayLength::from_seconds(100.0), ..DayTime::default() };
        let mut now = DayTime::default();
        let mut seen = Vec::new();
        for _ in 0..5 {
            let next = HourChoice::after(now);
            now = next.day(now, map);
            assert_eq!(HourChoice::of(now), Some(next));
            seen.push(next);
        }
        use HourChoice::{Dusk, Night, Noon, Passing};
        assert_eq!(seen, [Dusk, Night, Passing, Noon, Dusk]);
        let other = DayTime { start: Hour::from_hours(9.5).unwrap(), day: None };
        assert_eq!((HourChoice::of(other), HourChoice::after(other)), (None, Noon));
        assert_eq!(HourChoice::At(other.start).day(map, map), DayTime { start: other.start, ..map });
        assert_eq!(Passing.day(other, map), DayTime { start: other.start, ..map });
    }
}
