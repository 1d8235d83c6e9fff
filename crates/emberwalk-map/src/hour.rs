//! The hour of the day, and how fast days pass.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An hour of the day, from 0:00 to before 24:00, in whole seconds. `serde` writes it as the number of hours since
/// midnight.
///
/// ```
/// use emberwalk_map::Hour;
/// let hour: Hour = "20:30".parse().unwrap();
/// assert_eq!(Some(hour), Hour::from_hours(20.5));
/// assert_eq!(hour.to_string(), "20:30");
/// assert_eq!(hour.hours(), 20.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Hour {
    /// Seconds since midnight, less than [`DAY`].
    seconds: u32,
}

/// The length of a day, in its own seconds.
const DAY: u32 = 24 * 3600;

impl Hour {
    /// 12:00, at which pictures look as without hours.
    pub const NOON: Self = Self { seconds: DAY / 2 };

    /// An hour from a number from 0 to 24, rounded to seconds; 24 is 0:00. `None` for any other number.
    pub fn from_hours(hours: f64) -> Option<Self> {
        let seconds = || (hours * 3600.0).round() as u32 % DAY;
        (0.0..=24.0).contains(&hours).then(|| Self { seconds: seconds() })
    }

    /// The number of hours since midnight, from 0 to before 24.
    pub fn hours(self) -> f64 {
        f64::from(self.seconds) / 3600.0
    }

    /// Whether it is between two hours. If the first is the later one, the range passes midnight; if they are equal, it
    /// is always true.
    pub fn is_between(self, from: Self, to: Self) -> bool {
        match from < to {
            true => (from..to).contains(&self),
            false => self >= from || self < to,
        }
    }
}

impl Default for Hour {
    fn default() -> Self {
        Self::NOON
    }
}

/// Writes it as on a clock with 24 hours. Seconds are left out.
impl fmt::Display for Hour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:02}", self.seconds / 3600, self.seconds / 60 % 60)
    }
}

/// A text that is not an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this must be an hour from 0:00 to 24:00")]
pub struct HourError;

impl FromStr for Hour {
    type Err = HourError;

    /// Parses an hour as on a clock with 24 hours.
    fn from_str(text: &str) -> Result<Self, HourError> {
        let number = |part: &str, max: u32| {
            let is_short = (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            let number: Option<u32> = part.parse().ok();
            number.filter(|number| is_short && *number <= max).ok_or(HourError)
        };
        let (hours, minutes) = text.split_once(':').ok_or(HourError)?;
        let minutes = Some(minutes).filter(|minutes| minutes.len() == 2).ok_or(HourError)?;
        let seconds = number(hours, 24)? * 3600 + number(minutes, 59)? * 60;
        if seconds > DAY { Err(HourError) } else { Ok(Self { seconds: seconds % DAY }) }
    }
}

impl TryFrom<f64> for Hour {
    type Error = HourError;

    fn try_from(hours: f64) -> Result<Self, HourError> {
        Self::from_hours(hours).ok_or(HourError)
    }
}

impl From<Hour> for f64 {
    fn from(hour: Hour) -> Self {
        hour.hours()
    }
}

/// A part of the day, which may pass midnight. If it ends at the hour at which it begins, it is the whole day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hours {
    /// The hour at which it begins.
    pub from: Hour,
    /// The hour at which it ends.
    pub to: Hour,
}

impl Hours {
    /// Whether an hour is part of it.
    pub fn contains(self, hour: Hour) -> bool {
        hour.is_between(self.from, self.to)
    }
}

/// Writes the hours at which it begins and ends.
impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

/// A text that is not a part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these must be two hours from 0:00 to 24:00, such as 6:00-21:00")]
pub struct HoursError;

impl FromStr for Hours {
    type Err = HoursError;

    /// Parses two hours with a hyphen between them.
    ///
    /// ```
    /// use emberwalk_map::Hours;
    /// let night: Hours = "20:00-4:00".parse().unwrap();
    /// assert!(night.contains("23:30".parse().unwrap()) && !night.contains("4:00".parse().unwrap()));
    /// assert!("20:00".parse::<Hours>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, HoursError> {
        let (from, to) = text.split_once('-').ok_or(HoursError)?;
        let hour = |text: &str| text.trim().parse().map_err(|HourError| HoursError);
        Ok(Self { from: hour(from)?, to: hour(to)? })
    }
}

/// The hour at which a map begins, and how fast its days pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DayTime {
    /// The hour at the beginning.
    pub start: Hour,
    /// The length of a day, in seconds of the game; if `None`, the hour stands still.
    pub day: Option<DayLength>,
}

/// The length of a day: a whole number of seconds of the game, as `serde` writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "u32")]
pub struct DayLength {
    seconds: u32,
}

/// A number that is not the length of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this must be a whole number of seconds from {} to {}", DayLength::RANGE.start(), DayLength::RANGE.end())]
pub struct DayLengthError;

impl FromStr for DayLength {
    type Err = DayLengthError;

    /// Parses a number of seconds.
    fn from_str(text: &str) -> Result<Self, DayLengthError> {
        text.parse().ok().and_then(Self::from_seconds).ok_or(DayLengthError)
    }
}

impl TryFrom<f64> for DayLength {
    type Error = DayLengthError;

    fn try_from(seconds: f64) -> Result<Self, DayLengthError> {
        Self::from_seconds(seconds).ok_or(DayLengthError)
    }
}

impl From<DayLength> for u32 {
    fn from(length: DayLength) -> Self {
        length.seconds
    }
}

impl DayLength {
    /// The shortest and the longest day, in seconds.
    pub const RANGE: std::ops::RangeInclusive<f64> = 10.0..=86400.0;

    /// A day of this length; `None` if it is not a whole number in [`RANGE`](Self::RANGE).
    pub fn from_seconds(seconds: f64) -> Option<Self> {
        (Self::RANGE.contains(&seconds) && seconds.fract() == 0.0).then_some(Self { seconds: seconds as u32 })
    }

    /// The length in seconds of the game.
    pub fn seconds(self) -> u32 {
        self.seconds
    }
}

impl DayTime {
    /// The hour at the beginning, if it passes. Opening hours count only then.
    pub fn passing_hour(self) -> Option<Hour> {
        self.day.map(|_| self.start)
    }

    /// How many seconds of the game pass from one hour until the next time of another hour, less than a day; `None` if
    /// the hour stands still.
    pub fn seconds_until(self, from: Hour, to: Hour) -> Option<f64> {
        let rest = (to.seconds + DAY - from.seconds) % DAY;
        Some(f64::from(rest) * f64::from(self.day?.seconds) / f64::from(DAY))
    }

    /// The values of the fields `hour` and `day` in map files, each only if it differs from the default.
    pub fn fields(self) -> [Option<String>; 2] {
        // Six digits keep the seconds of the hour.
        let hour = (self.start != Hour::default()).then(|| (self.start.hours() * 1e6).round() / 1e6);
        [hour.map(|hours| hours.to_string()), self.day.map(|day| day.seconds().to_string())]
    }

    /// The hour after some seconds of the game, at least 0.
    ///
    /// ```
    /// use emberwalk_map::{DayLength, DayTime, Hour};
    /// let time = DayTime { start: Hour::NOON, day: DayLength::from_seconds(480.0) };
    /// assert_eq!(time.hour_after(160.0).to_string(), "20:00");
    /// assert_eq!(time.hour_after(360.0).to_string(), "6:00");
    /// ```
    pub fn hour_after(self, seconds: f64) -> Hour {
        let Some(day) = self.day else { return self.start };
        let days = (seconds / f64::from(day.seconds)).fract().max(0.0);
        let passed = (days * f64::from(DAY)).round() as u32;
        Hour { seconds: (self.start.seconds + passed) % DAY }
    }
}

/// A choice that replaces the hour and the day of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DayChoice {
    /// The hour at the beginning.
    pub hour: Option<Hour>,
    /// The length of a day.
    pub day: Option<DayLength>,
}

impl DayChoice {
    /// The hour and the day of a map with this choice. With only an hour, the hour stands still.
    pub fn of(self, map: DayTime) -> DayTime {
        match self.hour {
            Some(start) => DayTime { start, day: self.day },
            None => DayTime { day: self.day.or(map.day), ..map },
        }
    }

    /// The choice that leads from a map to this hour, unless it is just later in the map's own day.
    pub fn towards(now: DayTime, map: DayTime) -> Self {
        let is_own = now.day == map.day && (now.day.is_some() || now.start == map.start);
        if is_own { Self::default() } else { Self { hour: Some(now.start), day: now.day } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hours_of_a_clock_are_hours() {
        for (text, hours) in [("0:00", 0.0), ("24:00", 0.0), ("07:05", 7.0 + 5.0 / 60.0), ("23:59", 23.0 + 59.0 / 60.0)]
        {
            assert_eq!(text.parse().ok(), Hour::from_hours(hours), "{text}");
        }
        for text in
            ["", "12", "24:01", "25:00", "12:60", "12:5", "-1:00", "+1:00", "1:+1", "12:000", "noon", "٣:00", ":00"]
        {
            assert_eq!(text.parse::<Hour>(), Err(HourError), "{text}");
        }
        for hours in [-0.1, 24.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Hour::from_hours(hours), None, "{hours}");
        }
    }

    #[test]
    fn a_part_of_the_day_is_two_hours_with_a_hyphen() {
        for text in ["6:00-21:00", "20:00-4:00", "0:00-0:00"] {
            assert_eq!(text.parse::<Hours>().unwrap().to_string(), text);
        }
        assert_eq!("06:00 - 24:00".parse::<Hours>().unwrap().to_string(), "6:00-0:00");
        for text in ["", "-", "6:00", "6:00-", "6-21", "6:00-25:00", "6:00-21:00-22:00", "6:00–21:00"] {
            assert_eq!(text.parse::<Hours>(), Err(HoursError), "{text}");
        }
    }

    #[test]
    fn a_span_of_hours_may_pass_midnight() {
        let hour = |hours| Hour::from_hours(hours).unwrap();
        let is_between = |at, from, to| hour(at).is_between(hour(from), hour(to));
        assert!(is_between(12.0, 6.0, 18.0) && !is_between(18.0, 6.0, 18.0));
        assert!(is_between(23.0, 18.0, 6.0) && is_between(5.0, 18.0, 6.0) && !is_between(12.0, 18.0, 6.0));
        assert!(is_between(12.0, 0.0, 24.0), "always");
    }
}
