//! Times in files, as numbers of seconds, up to a day.

use emberwalk_path::time::CrowdTime;
use serde::{Deserialize, Serialize};

/// The latest time of a recording, in seconds: a day.
pub const MAX_SECONDS: u32 = 86_400;

/// The same as a time: the maximum duration of a recording.
pub const MAX_DURATION: CrowdTime = CrowdTime::from_whole_seconds(MAX_SECONDS);

/// A time or duration of at most [`MAX_SECONDS`], exact to 1/65536 s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(pub CrowdTime);

/// The error of a number that is not a time. It does not know how the number was written.
#[derive(Debug, thiserror::Error)]
#[error("is not a time: a time is a number of seconds from 0 to {MAX_SECONDS}")]
pub struct NotATime;

impl TryFrom<f64> for Seconds {
    type Error = NotATime;

    fn try_from(seconds: f64) -> Result<Self, NotATime> {
        let is_possible = (0.0..=f64::from(MAX_SECONDS)).contains(&seconds);
        is_possible.then(|| Self(CrowdTime::from_seconds(seconds))).ok_or(NotATime)
    }
}

impl From<Seconds> for f64 {
    fn from(Seconds(time): Seconds) -> Self {
        time.seconds()
    }
}

/// A time in seconds as it is shown: exact times have many digits, and milliseconds are enough to find a place.
pub fn shown_seconds(time: CrowdTime) -> f64 {
    (time.seconds() * 1000.0).round() / 1000.0
}
